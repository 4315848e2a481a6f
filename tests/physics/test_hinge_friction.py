"""Friction and motors in hinges and sliders: what they bear, and that they neither gain energy nor gape."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, game, ground, kinematic, transform, velocity

GRAVITY = (0.0, -9.81)
NOTHING: dict[str, Any] = {"mask": 0}
"""A collider that meets nothing."""
PLANK = 0.5
"""Length of a link [m]."""


def create_planks(
    count: int,
    torque: float,
    *,
    ends: int = 2,
    start: tuple[float, float] = (0.0, 0.0),
    angle: float = 0.0,
    **collider: Any,
) -> tuple[list[int], list[ec.RevoluteJoint]]:
    """Create a row of planks with friction in their hinges, held at none, one or both of its ends."""
    c, s = cos(angle), sin(angle)
    along = [PLANK * (k + 0.5) for k in range(count)]
    planks = [dynamic(ec.Box(PLANK, 0.1), (start[0] + c * x, start[1] + s * x), angle=angle, **collider) for x in along]
    friction: dict[str, Any] = {"max_motor_torque": torque}
    joints = [
        ec.RevoluteJoint(a, b, anchor_a=(PLANK / 2, 0.0), anchor_b=(-PLANK / 2, 0.0), **friction)
        for a, b in pairwise(planks)
    ]
    if ends >= 1:
        joints.append(ec.RevoluteJoint(planks[0], anchor_a=(-PLANK / 2, 0.0), anchor_b=start, **friction))
    if ends == 2:
        far = start[0] + c * PLANK * count * 0.98, start[1] + s * PLANK * count * 0.98
        joints.append(ec.RevoluteJoint(planks[-1], anchor_a=(PLANK / 2, 0.0), anchor_b=far, **friction))
    for joint in joints:
        esper.create_entity(joint)
    return planks, joints


def widest_gap(joints: list[ec.RevoluteJoint]) -> float:
    """Return the widest gap of some hinges [m]."""
    found = 0.0
    for joint in joints:
        ends = []
        for entity, anchor in ((joint.a, joint.anchor_a), (joint.b, joint.anchor_b)):
            assert anchor is not None
            x, y, angle = (0.0, 0.0, 0.0) if entity is None else transform(entity).pose
            ends.append(
                (
                    x + cos(angle) * anchor[0] - sin(angle) * anchor[1],
                    y + sin(angle) * anchor[0] + cos(angle) * anchor[1],
                )
            )
        found = max(found, hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]))
    return found


def total_energy(play: Game, bodies: list[int]) -> float:
    """Return the energy of boxes of PLANK by 0.1 m [J]."""
    total = 0.0
    for body in bodies:
        mass, v, y = play.physics.mass_of(body), velocity(body), transform(body).y
        inertia = mass * (PLANK**2 + 0.1**2) / 12.0
        total += 0.5 * mass * (v.x**2 + v.y**2) + 0.5 * inertia * v.angular**2 + 9.81 * mass * y
    return total


@pytest.mark.parametrize("torque", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("spin", [-20.0, 5.0])
def test_friction_brakes_evenly_and_then_holds(torque: float, spin: float) -> None:
    with game() as play:
        wheel = dynamic(ec.Circle(0.5), angular=spin, **NOTHING)
        hinge = ec.RevoluteJoint(wheel, point=(0.0, 0.0), max_motor_torque=torque)
        esper.create_entity(hinge)
        play.step()
        rate = torque / (0.5 * play.physics.mass_of(wheel) * 0.25)
        for k in range(2, 121):
            play.step()
            expected = np.sign(spin) * max(abs(spin) - rate * k / 60.0, 0.0)
            assert velocity(wheel).angular == pytest.approx(expected, abs=1e-5)
            assert abs(hinge.torque) <= torque * 1.0001


@pytest.mark.parametrize(("count", "sag"), [(1, 1e-6), (3, 1e-4), (10, 2e-3), (30, 0.1)])
def test_a_row_of_hinges_with_enough_friction_is_a_beam(count: int, sag: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        planks, joints = create_planks(count, 1e5, ends=1, **NOTHING)
        play.step(300)
        assert transform(planks[-1]).y == pytest.approx(0.0, abs=sag)
        moment = sum(play.physics.mass_of(plank) * 9.81 * PLANK * (k + 0.5) for k, plank in enumerate(planks))
        assert abs(joints[-1].torque) == pytest.approx(moment, rel=0.02)


@pytest.mark.parametrize("torque", [0.5, 5.0, 50.0, 500.0, 5e4])
@pytest.mark.parametrize("count", [10, 40])
@pytest.mark.parametrize("loads", [0, 4])
def test_a_bridge_with_friction_neither_gapes_nor_bears_more_than_its_friction(
    torque: float, count: int, loads: int
) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        planks, joints = create_planks(count, torque)
        for k in range(loads):
            dynamic(ec.Box(0.6, 0.6), (PLANK * count * (k + 1) / (loads + 1), 1.0))
        play.step(30)
        for _ in range(270):
            play.step()
            assert max(abs(joint.torque) for joint in joints) <= 1.1 * torque
        assert widest_gap(joints) < 1e-3
        assert max(hypot(*velocity(plank).linear) for plank in planks) < 3.0


@pytest.mark.parametrize("seed", range(10))
def test_a_row_with_friction_that_tumbles_freely_keeps_its_momenta_and_gains_no_energy(seed: int) -> None:
    random = np.random.default_rng(seed)
    with game(sleeping=False) as play:
        planks, _ = create_planks(int(random.integers(2, 12)), 10.0 ** random.uniform(-3.0, 1.0), ends=0, **NOTHING)
        for plank in planks:
            velocity(plank).linear = tuple(random.normal(0.0, 2.0, 2))
            velocity(plank).angular = random.normal(0.0, 5.0)
        play.step()
        mass = play.physics.mass_of(planks[0])
        inertia = mass * (PLANK**2 + 0.1**2) / 12.0

        def momenta() -> np.ndarray:
            total = np.zeros(4)
            for plank in planks:
                (x, y, _), v = transform(plank).pose, velocity(plank)
                total += mass * v.x, mass * v.y, mass * (x * v.y - y * v.x) + inertia * v.angular, 0.0
                total[3] += 0.5 * mass * (v.x**2 + v.y**2) + 0.5 * inertia * v.angular**2
            return total

        start = momenta()
        for _ in range(300):
            play.step()
            now = momenta()
            assert now[:2] == pytest.approx(start[:2], abs=1e-9)
            assert now[2] == pytest.approx(start[2], rel=0.03, abs=0.03)
            assert now[3] < 1.01 * start[3]


@pytest.mark.parametrize("torque", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("angle", [0.0, 0.8])
def test_a_swinging_row_with_friction_loses_energy_in_every_step(torque: float, angle: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        planks, joints = create_planks(8, torque, ends=1, angle=angle, **NOTHING)
        play.step()
        before = total_energy(play, planks)
        scale = 8 * play.physics.mass_of(planks[0]) * 9.81
        for _ in range(600):
            play.step()
            assert total_energy(play, planks) < before + 0.005 * scale
        assert widest_gap(joints) < 1e-3


def test_a_motor_lifts_what_it_can_and_no_more() -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        arms, hinges = [], []
        for k, share in enumerate((0.5, 2.0)):
            arm = dynamic(ec.Box(1.0, 0.1), (3.0 * k + 0.5, 0.0), **NOTHING)
            torque = share * 0.1 * 9.81 * 0.5
            hinge = ec.RevoluteJoint(
                arm, anchor_a=(-0.5, 0.0), anchor_b=(3.0 * k, 0.0), motor_speed=0.5, max_motor_torque=torque
            )
            esper.create_entity(hinge)
            arms.append(arm)
            hinges.append(hinge)
        play.step(60)
        assert hinges[0].angle < -0.5
        assert hinges[0].torque == pytest.approx(0.5 * 0.1 * 9.81 * 0.5, rel=1e-3)
        assert hinges[1].speed == pytest.approx(0.5, abs=1e-3)
        assert hinges[1].angle == pytest.approx(0.5, abs=0.01)


def test_a_slider_brake_holds_a_weight_and_slips_under_two() -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        sliders = []
        for k, mass in enumerate((1.0, 2.0)):
            box = dynamic(ec.Box(0.5, 0.5), (2.0 * k, 0.0), (0.0, 0.0), ec.RigidBody(mass=mass), **NOTHING)
            slider = ec.PrismaticJoint(box, axis=(0.0, 1.0), max_motor_force=1.5 * 9.81)
            esper.create_entity(slider)
            sliders.append(slider)
        play.step(60)
        assert sliders[0].translation == pytest.approx(0.0, abs=1e-6)
        assert sliders[1].speed == pytest.approx(-9.81 * 0.25, rel=1e-3)
        assert sliders[1].force == pytest.approx(1.5 * 9.81, rel=1e-3)


@pytest.mark.parametrize("torque", [0.3, 3.0])
@pytest.mark.parametrize("limit", [None, 0.6])
def test_rows_with_friction_that_fall_in_a_heap_come_to_rest_whole(torque: float, limit: float | None) -> None:
    with game(gravity=GRAVITY) as play:
        ground(friction=0.6)
        joints: list[ec.RevoluteJoint] = []
        planks: list[int] = []
        for k in range(6):
            row, hinges = create_planks(4, torque, ends=0, start=(0.3 * k - 2.0, 1.0 + k), angle=0.5 * k)
            planks += row
            joints += hinges
            for hinge in hinges:
                if limit is not None:
                    hinge.lower, hinge.upper = -limit, limit
        for _ in range(900):
            play.step()
            assert max(hypot(*velocity(plank).linear) for plank in planks) < 20.0
        assert widest_gap(joints) < 1e-3
        assert max(hypot(*velocity(plank).linear) for plank in planks) < 0.1


@pytest.mark.parametrize("torque", [0.2, 2.0, 20.0])
@pytest.mark.parametrize("count", [12, 30])
def test_a_row_with_friction_that_hits_the_ground_loses_energy_and_stays_whole(torque: float, count: int) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        ground(friction=0.5)
        planks, joints = create_planks(count, torque, ends=0, start=(-0.25 * count, 1.0), angle=0.2)
        play.step()
        start = total_energy(play, planks)
        for k in range(600):
            play.step()
            assert total_energy(play, planks) < 1.001 * start
            assert k < 120 or max(abs(joint.torque) for joint in joints) <= 1.1 * torque
        assert widest_gap(joints) < 1e-3
        assert max(hypot(*velocity(plank).linear) for plank in planks) < 0.1


def test_friction_in_a_loop_brakes_as_in_a_tree() -> None:
    """Two rows side by side with rungs between them make loops."""
    with game(gravity=GRAVITY, sleeping=False) as play:
        upper, hinges = create_planks(6, 2.0, ends=1, start=(0.0, 1.0), **NOTHING)
        lower, others = create_planks(6, 2.0, ends=1, **NOTHING)
        for a, b in zip(upper, lower, strict=True):
            esper.create_entity(ec.DistanceJoint(a, b, anchor_a=(0.0, 0.0), anchor_b=(0.0, 0.0)))
        play.step(600)
        assert max(hypot(*velocity(plank).linear) for plank in upper + lower) < 0.3
        assert max(abs(joint.torque) for joint in hinges + others) <= 2.0 * 1.02
        assert widest_gap(hinges + others) < 1e-3


def test_a_hinge_with_friction_on_a_platform_that_turns_is_taken_along() -> None:
    with game(sleeping=False) as play:
        table = kinematic(ec.Circle(1.0), angular=2.0, **NOTHING)
        arm = dynamic(ec.Box(0.5, 0.1), (0.0, 0.0), **NOTHING)
        esper.create_entity(ec.RevoluteJoint(table, arm, point=(0.0, 0.0), max_motor_torque=0.01))
        play.step(120)
        assert velocity(arm).angular == pytest.approx(2.0, abs=1e-6)


def test_the_state_of_friction_is_kept_when_trees_are_laid_out_anew() -> None:
    ends = []
    for extra in (False, True):
        with game(gravity=GRAVITY, sleeping=False) as play:
            planks, _ = create_planks(6, 0.5, ends=1, angle=-pi / 6, **NOTHING)
            play.step(30)
            if extra:
                other = dynamic(ec.Circle(0.1), (50.0, 0.0), **NOTHING)
                esper.create_entity(ec.RevoluteJoint(other, point=(50.0, 1.0)))
            play.step(30)
            ends.append([transform(plank).pose for plank in planks])
    assert ends[0] == ends[1]


@pytest.mark.parametrize("most", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("pull", ["motor", "weak pin", "gear", "target"])
def test_a_hinge_with_friction_slips_if_a_joint_of_bounded_rows_drags_it(pull: str, most: float) -> None:
    """A force of 10 N acts on an arm of 1 m, or a torque of 10 N m on its hinge, with an inertia of 1.1 kg m^2."""
    with game(sleeping=False) as play:
        body = dynamic(ec.Circle(0.1), (1.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=1.0, inertia=0.1), **NOTHING)
        hinge = ec.RevoluteJoint(body, anchor_a=(-1.0, 0.0), anchor_b=(0.0, 0.0), max_motor_torque=most)
        if pull == "motor":
            drag: Any = ec.MotorJoint(body, target=(1.0, 40.0), max_force=10.0, max_torque=0.0)
        elif pull == "target":
            drag = ec.TargetJoint(body, target=(1.0, 40.0), anchor_a=(0.0, 0.0), max_force=10.0)
        elif pull == "weak pin":
            drag = ec.RevoluteJoint(body, anchor_a=(0.0, 0.0), anchor_b=(1.0, 40.0), max_force=10.0)
        else:
            drag = ec.GearJoint(kinematic(ec.Circle(0.1), angular=50.0, **NOTHING), body, max_torque=10.0)
        for joint in (hinge, drag):
            esper.create_entity(joint)
        play.step(6)
        assert velocity(body).angular == pytest.approx((10.0 - most) / 1.1 * 0.1, rel=0.01)
        assert hinge.torque == pytest.approx(-most, rel=1e-3)


@pytest.mark.parametrize("torque", [0.0, 0.02, 0.2, 5.0])
def test_a_ring_with_friction_in_its_hinges_hangs_without_gaps(torque: float) -> None:
    """A joint loop, whose hinges are no pins in a projection."""
    count, radius = 40, 2.0
    with game(gravity=GRAVITY, sleeping=False) as play:
        turns = [2 * pi * k / count for k in range(count)]
        links = [dynamic(ec.Circle(0.1), (radius * cos(a), radius * sin(a)), **NOTHING) for a in turns]
        middles = [(radius * cos(a + pi / count), radius * sin(a + pi / count)) for a in turns]
        hinges = [
            ec.RevoluteJoint(links[k], links[(k + 1) % count], point=middles[k], max_motor_torque=torque)
            for k in range(count)
        ]
        hinges.append(ec.RevoluteJoint(links[count // 4], point=(0.0, radius)))
        for hinge in hinges:
            esper.create_entity(hinge)
        for _ in range(150):
            play.step(1)
            assert widest_gap(hinges) < 4e-4
            assert all(abs(hinge.torque) <= max(torque, 1e-9) * 1.05 for hinge in hinges[:count])


@pytest.mark.parametrize("torque", [0.3, 3.0])
def test_a_chain_with_friction_that_is_dragged_yields_and_does_not_gape(torque: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        planks, hinges = create_planks(40, torque, ends=1, **NOTHING)
        drag = ec.TargetJoint(planks[-1], target=(10.0, 0.0), max_force=500.0)
        esper.create_entity(drag)
        for frame in range(240):
            drag.target = (12.0 + 4.0 * sin(frame / 20), 3.0 * sin(frame / 30))
            play.step(1)
            assert widest_gap(hinges) < 1e-3
            assert all(abs(hinge.torque) <= 1.03 * torque for hinge in hinges)
            assert drag.force <= 500.0 * (1.0 + 1e-9)


def test_a_car_whose_wheels_are_geared_drives_as_fast_as_its_motor() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        ground(friction=1.0)
        weight = ec.RigidBody(mass=5.0, inertia=2.0)
        chassis = dynamic(ec.Box(2.0, 0.3), (0.0, 0.8), (0.0, 0.0), weight, **NOTHING)
        wheels, hinges = [], []
        for x in (-0.8, 0.8):
            wheel = dynamic(ec.Circle(0.4), (x, 0.4), (0.0, 0.0), ec.RigidBody(mass=1.0, inertia=0.08), friction=1.0)
            hinges.append(ec.RevoluteJoint(chassis, wheel, point=(x, 0.4)))
            wheels.append(wheel)
        hinges[0].motor_speed, hinges[0].max_motor_torque = -5.0, 30.0
        gear = ec.GearJoint(*wheels)
        for joint in (*hinges, gear):
            esper.create_entity(joint)
        for _ in range(240):
            play.step(1)
            assert abs(hinges[0].torque) <= 30.0 + 1e-6
        assert velocity(chassis).x == pytest.approx(2.0, rel=1e-3)
        assert velocity(wheels[1]).angular == pytest.approx(-5.0, rel=1e-3)
