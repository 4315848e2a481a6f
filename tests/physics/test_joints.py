"""Quality of joints: gaps, energy and rest, with contacts and without."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, game, static, transform, velocity

GRAVITY = (0.0, -9.81)
LENGTH = 0.5
AROUND: dict[str, Any] = {"mask": 0}
"""A collider that meets nothing."""

Point = tuple[float, float]
Anchor = tuple[int | None, tuple[float, float]]


def anchor_place(anchor: Anchor) -> tuple[float, float]:
    """Return the world place of a local anchor."""
    entity, (x, y) = anchor
    if entity is None:
        return x, y
    pose = transform(entity).pose
    c, s = cos(pose[2]), sin(pose[2])
    return pose[0] + c * x - s * y, pose[1] + s * x + c * y


def gap(joints: list[ec.RevoluteJoint]) -> float:
    """The widest gap of some joints [m]."""
    widest = 0.0
    for joint in joints:
        assert joint.anchor_a is not None
        assert joint.anchor_b is not None
        (ax, ay), (bx, by) = anchor_place((joint.a, joint.anchor_a)), anchor_place((joint.b, joint.anchor_b))
        widest = max(widest, hypot(bx - ax, by - ay))
    return widest


def create_chain(
    count: int,
    start: tuple[float, float] = (0.0, 0.0),
    *,
    ball: float = 0.0,
    down: bool = False,
    end: tuple[float, float] | None = None,
    **collider: Any,
) -> tuple[list[int], list[ec.RevoluteJoint]]:
    """Links that hang at `start`, with a ball of so many times a link's mass, or to an `end` that is fixed."""
    links: list[int] = []
    joints: list[ec.RevoluteJoint] = []
    across, along = (0.0, -1.0) if down else (1.0, 0.0)
    for k in range(count):
        middle = start[0] + across * LENGTH * (k + 0.5), start[1] + along * LENGTH * (k + 0.5)
        link = dynamic(ec.Box(LENGTH, 0.1), middle, angle=-pi / 2 if down else 0.0, **collider)
        joints.append(
            ec.RevoluteJoint(link, anchor_a=(-LENGTH / 2, 0.0), anchor_b=start)
            if k == 0
            else ec.RevoluteJoint(links[-1], link, anchor_a=(LENGTH / 2, 0.0), anchor_b=(-LENGTH / 2, 0.0))
        )
        links.append(link)
    if ball:
        far = LENGTH * count + 0.5
        bob = dynamic(
            ec.Circle(0.5),
            (start[0] + across * far, start[1] + along * far),
            (0.0, 0.0),
            ec.RigidBody(mass=ball * LENGTH * 0.1),
            **collider,
        )
        joints.append(
            ec.RevoluteJoint(links[-1], bob, anchor_a=(LENGTH / 2, 0.0), anchor_b=(0.5 * -across, 0.5 * -along))
        )
        links.append(bob)
    if end is not None:
        joints.append(ec.RevoluteJoint(links[-1], anchor_a=(LENGTH / 2, 0.0), anchor_b=end))
    for joint in joints:
        esper.create_entity(joint)
    return links, joints


def energy(play: Game) -> float:
    """Of all dynamic bodies [J]."""
    bodies, high = play.physics.pipeline.bodies.arrays, play.physics.pipeline.bodies.rows.high
    mass = bodies.mass[:high]
    moving = mass[:, 0] > 0.0
    inverse, spin = mass[moving, 0], mass[moving, 2]
    v, y = bodies.velocity[:high][moving], bodies.frame[:high][moving, 1]
    kinetic = 0.5 * (v[:, 0] ** 2 + v[:, 1] ** 2) / inverse + 0.5 * v[:, 2] ** 2 / spin
    return float((kinetic + 9.81 * y / inverse).sum())


def widest(play: Game, joints: list[ec.RevoluteJoint], steps: int, every: int = 5) -> float:
    """The widest gap in so many steps."""
    found = 0.0
    for step in range(steps):
        play.step()
        if step % every == 0:
            found = max(found, gap(joints))
    return found


def test_hanging_chains_stay_together_and_gain_no_energy() -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        joints = [joint for k in range(4) for joint in create_chain(40, (0.0, 3.0 * k), **AROUND)[1]]
        play.step(dt=1e-9)
        before, scale = energy(play), 4 * 40 * 0.05 * 9.81 * 10.0
        found, most = 0.0, before
        for _ in range(400):  # their ends whip round at the 369th
            play.step()
            found, most = max(found, gap(joints)), max(most, energy(play))
        assert found < 0.002
        assert most < before + 1e-3 * scale
        assert energy(play) > before - 0.25 * scale


@pytest.mark.parametrize(("down", "least"), [(False, 1e-3), (True, 2e-4)])
def test_a_ball_of_a_hundred_times_the_mass(down: bool, least: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        links, joints = create_chain(40, ball=100.0, down=down, **AROUND)
        assert widest(play, joints, 600) < least
        if down:
            assert max(hypot(*velocity(link).linear) for link in links) < 1e-3


@pytest.mark.parametrize("rod", [False, True])
def test_a_pendulum_keeps_its_energy(rod: bool) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        bob = dynamic(ec.Circle(0.1), (sin(pi / 4), -cos(pi / 4)), **AROUND)
        joint = (
            ec.DistanceJoint(bob, anchor_b=(0.0, 0.0))
            if rod
            else ec.RevoluteJoint(bob, anchor_a=(-sin(pi / 4), cos(pi / 4)), anchor_b=(0.0, 0.0))
        )
        esper.create_entity(joint)
        play.step(dt=1e-9)
        weight = play.physics.mass_of(bob) * 9.81
        before, most = energy(play), -np.inf
        for _ in range(600):
            play.step()
            # velocities belong to the middle of a substep, places to its end: at the same time the energy is constant
            after = energy(play) - weight * velocity(bob).y / 480.0
            most = max(most, after)
        scale = weight * (1.0 - cos(pi / 4))
        assert most < before + 1e-3 * scale
        assert after > before - 0.04 * scale


def test_a_straight_bridge_that_was_put_together_too_short() -> None:
    with game(gravity=GRAVITY) as play:
        planks, joints = create_chain(40, end=(20.0, 0.0), **AROUND)
        for k, plank in enumerate(planks):
            transform(plank).x -= 0.01 * k
        play.step(60)
        assert np.isfinite(play.physics.positions).all()
        assert gap(joints) < 0.01


@pytest.mark.parametrize("ratio", [1e-6, 1e-3, 1e3, 1e6])
def test_absurd_mass_ratios_stay_finite(ratio: float) -> None:
    with game(gravity=GRAVITY) as play:
        _, joints = create_chain(10, ball=ratio, **AROUND)
        play.step(240)
        assert np.isfinite(play.physics.positions).all()
        assert np.isfinite(play.physics.velocities).all()
        assert gap(joints) < 0.1 or ratio > 1e5


@pytest.mark.parametrize("speed", [1e22, 1e50])
def test_absurd_speeds_are_brought_down_before_anything_moves(speed: float) -> None:
    with game(gravity=GRAVITY) as play:
        links, _ = create_chain(4, **AROUND)
        play.step()
        for link in links[::2]:
            velocity(link).linear = speed, -speed
            velocity(link).angular = speed
        play.step()
        assert np.isfinite(play.physics.positions).all()
        assert np.abs(play.physics.positions).max() < 1e5
        play.step(60)
        assert np.isfinite(play.physics.positions).all()


def test_a_bridge_bears_a_heavy_ball() -> None:
    with game(gravity=GRAVITY) as play:
        planks, joints = create_chain(20, (-4.9, 0.0), end=(4.9, 0.0), friction=0.5)
        play.step(120)
        dynamic(ec.Circle(0.5), (0.0, 3.0), (0.0, 0.0), ec.RigidBody(mass=10.0 * 0.05))
        assert widest(play, joints, 300, 1) < 1e-3
        assert np.isfinite(play.physics.positions).all()
        assert max(transform(plank).y for plank in planks) < 0.5


def test_a_chain_over_a_corner_with_a_heavy_ball() -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.Box(4.0, 4.0), (2.1, -2.2), friction=0.3)
        _, joints = create_chain(16, ball=20.0, friction=0.3)
        assert widest(play, joints, 300) < 0.02


def test_a_car_on_bumps_with_sweeps() -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.HalfPlane(), (0.0, 0.0), friction=0.9)
        for k in range(10):
            static(ec.Box(0.3, 0.1), (4.0 + 3.0 * k, 0.02), angle=0.1 * k, friction=0.9)
        body = dynamic(ec.Box(2.0, 0.4), (0.0, 0.8))
        joints = []
        for x in (-0.7, 0.7):
            wheel = dynamic(ec.Circle(0.35), (x, 0.36), friction=0.9)
            joint = ec.RevoluteJoint(
                body, wheel, anchor_a=(x, -0.44), anchor_b=(0.0, 0.0), motor_speed=-20.0, max_motor_torque=20.0
            )
            joints.append(joint)
            esper.create_entity(joint)
        assert widest(play, joints, 300, 1) < 1e-3
        assert transform(body).x > 10.0


def test_a_ring_closes() -> None:
    with game(gravity=GRAVITY) as play:
        count = 12
        radius = LENGTH / (2.0 * sin(pi / count))
        corners = [(radius * cos(2 * pi * k / count), radius * sin(2 * pi * k / count)) for k in range(count + 1)]
        links = [
            dynamic(
                ec.Box(LENGTH, 0.1),
                ((x + u) / 2, (y + v) / 2),
                angle=float(np.arctan2(v - y, u - x)),
                **AROUND,
            )
            for (x, y), (u, v) in pairwise(corners)
        ]
        ends: dict[str, Any] = {"anchor_a": (LENGTH / 2, 0.0), "anchor_b": (-LENGTH / 2, 0.0)}
        joints = [ec.RevoluteJoint(links[k], links[(k + 1) % count], **ends) for k in range(count)]
        hook = ec.RevoluteJoint(links[2], anchor_a=(0.0, 0.0))
        load = dynamic(ec.Circle(0.2), transform(links[8]).position, (0.0, 0.0), ec.RigidBody(mass=1.0), **AROUND)
        weight = ec.RevoluteJoint(links[8], load, anchor_a=(0.0, 0.0), anchor_b=(0.0, 0.0))
        for joint in (*joints, hook, weight):
            esper.create_entity(joint)
        assert widest(play, joints, 300, 1) < 1e-4


def ragdoll(x: float, y: float) -> tuple[list[int], list[ec.RevoluteJoint]]:
    """A trunk, a head, two arms and two legs of two parts, with limits and friction."""
    trunk = dynamic(ec.Box(0.34, 0.6), (x, y), friction=0.6)
    parts, joints = [trunk], []

    def hang(on: int, shape: ec.Shape, dx: float, dy: float, px: float, py: float, lower: float, upper: float) -> int:
        part = dynamic(shape, (x + dx, y + dy), friction=0.6)
        joint = ec.RevoluteJoint(on, part, point=(x + px, y + py), lower=lower, upper=upper, max_motor_torque=0.4)
        esper.create_entity(joint)
        parts.append(part)
        joints.append(joint)
        return part

    hang(trunk, ec.Circle(0.16), 0.0, 0.5, 0.0, 0.32, -0.6, 0.6)
    limb = ec.Capsule((0.0, -0.15), (0.0, 0.15), 0.06)
    for side in (-1.0, 1.0):
        for px, top, chord_offset in ((0.26, 0.25, 2.2), (0.1, -0.32, 2.0)):
            upper_part = hang(trunk, limb, side * px, top - 0.17, side * px, top, -1.2, 1.2)
            hang(upper_part, limb, side * px, top - 0.51, side * px, top - 0.34, -chord_offset, 0.1)
    return parts, joints


def test_ragdolls_stay_whole_and_come_to_rest() -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.HalfPlane(), (0.0, 0.0), friction=0.8)
        for x in (-2.2, 2.2):
            static(ec.Box(0.4, 4.0), (x, 2.0), friction=0.4)
        made = [ragdoll(0.9 * (k % 3 - 1), 1.5 + 1.9 * (k // 3)) for k in range(6)]
        joints = [joint for _, some in made for joint in some]
        assert widest(play, joints, 720, 3) < 3e-3
        parts = [part for some, _ in made for part in some]
        assert not any(play.physics.is_awake(part) for part in parts)
        assert all(transform(part).y > 0.0 for part in parts)
        assert all(joint.lower - 0.05 < joint.angle < joint.upper + 0.05 for joint in joints)


def heap_rests(seed: int) -> bool:
    """Return True if three ragdolls that fall and turn between two walls sleep after ten seconds."""
    random = np.random.default_rng(seed)
    with game(gravity=GRAVITY) as play:
        static(ec.HalfPlane(), (0.0, 0.0), friction=0.8)
        for x in (-1.2, 1.2):
            static(ec.Box(0.4, 8.0), (x, 4.0), friction=0.4)
        parts = [part for k in range(3) for part in ragdoll(random.uniform(-0.2, 0.2), 1.5 + 2.0 * k)[0]]
        for part in parts:
            velocity(part).angular = random.uniform(-2.0, 2.0)
        play.step(600)
        return not any(play.physics.is_awake(part) for part in parts)


def test_limbs_between_contacts_and_limits_come_to_rest() -> None:
    assert sum(map(heap_rests, (6, 15, 24, 28, 37, 39))) >= 5  # one may be wedged in


@pytest.mark.parametrize("size", [4, 12])
def test_a_net_hangs_together(size: int) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        knots = [dynamic(ec.Circle(0.1), (0.5 * (k % size), -0.5 * (k // size)), **AROUND) for k in range(size * size)]
        joints = [ec.RevoluteJoint(knots[k], point=(0.5 * k, 0.0)) for k in (0, size - 1)]
        for k, knot in enumerate(knots):
            x, y = 0.5 * (k % size), -0.5 * (k // size)
            if (k + 1) % size:
                joints.append(ec.RevoluteJoint(knot, knots[k + 1], point=(x + 0.25, y)))
            if k + size < len(knots):
                joints.append(ec.RevoluteJoint(knot, knots[k + size], point=(x, y - 0.25)))
        for joint in joints:
            esper.create_entity(joint)
        play.step()
        assert widest(play, joints, 180) < 1e-8
        assert np.isfinite(play.physics.positions).all()
        assert min(transform(knot).y for knot in knots) > -0.5 * size


def test_a_leg_of_a_strandbeest_walks_round() -> None:
    """Theo Jansen's eleven lengths: rods and two triangles that close three loops, driven by a crank."""
    a, b, c, d, e, f, g, h, i, j, k = 38.0, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9
    crank, height = 15.0, 7.8
    unit = 0.02

    def apex(p: Point, q: Point, from_p: float, from_q: float, side: float) -> Point:
        """The point at two distances from two others, left of the way from p to q, or right of it."""
        x, y = q[0] - p[0], q[1] - p[1]
        length = hypot(x, y)
        along = (length**2 + from_p**2 - from_q**2) / (2.0 * length)
        across = side * (from_p**2 - along**2) ** 0.5
        return p[0] + (along * x - across * y) / length, p[1] + (along * y + across * x) / length

    axle, hinge = (0.0, 0.0), (-a, -height)
    pin = (crank, 0.0)
    upper = apex(pin, hinge, j, b, -1.0)
    lower = apex(pin, hinge, k, c, 1.0)
    back = apex(hinge, upper, d, e, 1.0)
    knee = apex(back, lower, f, g, 1.0)
    foot = apex(knee, lower, h, i, 1.0)
    with game(gravity=GRAVITY, sleeping=False) as play:
        points = [(unit * x, unit * y) for x, y in (pin, upper, back, lower, knee, foot)]
        masses = [dynamic(ec.Circle(0.05), (x, y), (0.0, 0.0), **AROUND) for x, y in points]
        rods: list[tuple[int, int | None, float]] = [
            (0, 1, j),
            (0, 3, k),
            (1, 2, e),
            (2, 4, f),
            (3, 4, g),
            (4, 5, h),
            (3, 5, i),
        ]
        joints = [ec.DistanceJoint(masses[p], masses[q], length=unit * long) for p, q, long in rods if q is not None]
        at_hinge = unit * hinge[0], unit * hinge[1]
        joints += [
            ec.DistanceJoint(masses[p], anchor_a=(0.0, 0.0), anchor_b=at_hinge, length=unit * long)
            for p, long in ((1, b), (2, d), (3, c))
        ]
        wheel = dynamic(ec.Box(0.2, 0.2), axle, **AROUND)
        motor = ec.RevoluteJoint(wheel, anchor_a=axle, anchor_b=axle, motor_speed=-3.0, max_motor_torque=1e3)
        drive = ec.RevoluteJoint(wheel, masses[0], anchor_a=points[0], anchor_b=(0.0, 0.0))
        for joint in (*joints, motor, drive):
            esper.create_entity(joint)
        lengths = [unit * long for *_, long in rods] + [unit * long for long in (b, d, c)]
        step_of_foot = []
        for _ in range(300):
            play.step()
            assert max(abs(joint.length - length) for joint, length in zip(joints, lengths)) < 1e-3
            step_of_foot.append(transform(masses[5]).x)
        assert abs(velocity(wheel).angular) == pytest.approx(3.0, abs=1e-3)
        assert max(step_of_foot) - min(step_of_foot) > 0.5


def test_welds_make_a_cantilever() -> None:
    with game(gravity=GRAVITY) as play:
        links: list[int] = []
        for k in range(20):
            links.append(dynamic(ec.Box(LENGTH, 0.1), (LENGTH * (k + 0.5), 0.0), **AROUND))
            a, b = (links[0], None) if k == 0 else (links[-2], links[-1])
            esper.create_entity(ec.WeldJoint(a, b, point=(LENGTH * k, 0.0)))
        play.step(300)
        assert abs(transform(links[-1]).y) < 1e-3


def test_a_wheel_sags_by_g_over_omega_squared() -> None:
    with game(gravity=GRAVITY) as play:
        car, wheel = static(ec.Box(1.0, 1.0), (0.0, 1.0), **AROUND), dynamic(ec.Circle(0.3), **AROUND)
        joint = ec.WheelJoint(car, wheel, hertz=4.0, damping_ratio=0.7)
        esper.create_entity(joint)
        play.step(300)
        assert -transform(wheel).y == pytest.approx(9.81 / (8.0 * pi) ** 2, abs=1e-4)
        assert joint.translation == pytest.approx(transform(wheel).y, abs=1e-9)


def test_the_period_of_an_angular_spring() -> None:
    with game() as play:
        bar = dynamic(ec.Box(1.0, 0.1), angle=0.3)
        esper.create_entity(ec.RevoluteJoint(bar, anchor_a=(0.0, 0.0), hertz=1.0, damping_ratio=0.0))
        before, crossings = 0.3, []
        for step in range(300):
            play.step()
            now = transform(bar).angle
            if before > 0.0 >= now:
                crossings.append(step + before / (before - now))
            before = now
        assert np.diff(crossings) / 60.0 == pytest.approx(1.0, rel=0.01)


def test_rods_with_a_heavy_ball() -> None:
    with game(gravity=GRAVITY) as play:
        balls: list[int] = []
        joints = []
        for k in range(21):
            mass = 100.0 if k == 20 else 1.0
            balls.append(
                dynamic(ec.Circle(0.1), (0.0, -LENGTH * (k + 1)), (0.0, 0.0), ec.RigidBody(mass=mass), **AROUND)
            )
            joints.append(
                ec.DistanceJoint(balls[0], anchor_b=(0.0, 0.0)) if k == 0 else ec.DistanceJoint(balls[-2], balls[-1])
            )
            esper.create_entity(joints[-1])
        velocity(balls[-1]).x = 5.0
        for _ in range(300):
            play.step()
            assert all(abs(joint.length - LENGTH) < 1e-4 for joint in joints[1:])


def test_a_limit_a_motor_and_what_they_bear() -> None:
    with game(gravity=GRAVITY) as play:
        bar = dynamic(ec.Box(1.0, 0.1), (0.5, 0.0))
        joint = ec.RevoluteJoint(bar, anchor_a=(-0.5, 0.0), lower=-0.3, upper=0.3)
        esper.create_entity(joint)
        play.step(120)
        weight = play.physics.mass_of(bar) * 9.81
        assert joint.angle == pytest.approx(-0.3, abs=1e-6)
        assert transform(bar).angle == pytest.approx(-0.3, abs=1e-6)
        assert joint.force == pytest.approx(weight, rel=1e-6)
        assert abs(joint.torque) == pytest.approx(0.5 * cos(0.3) * weight, rel=1e-6)
        joint.upper, joint.max_motor_torque, joint.motor_speed = 10.0, 100.0, 2.0
        play.step(10)
        assert velocity(bar).angular == pytest.approx(2.0, abs=1e-6)


def test_a_body_joined_to_the_world_moves_as_its_joint_reports() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        arm = dynamic(ec.Box(1.0, 0.1), (0.5, 0.0))
        turning = ec.RevoluteJoint(arm, point=(0.0, 0.0), upper=0.4, motor_speed=1.0, max_motor_torque=100.0)
        piston = dynamic(ec.Box(0.4, 0.4), (3.0, 0.0), angle=0.3)
        sliding = ec.PrismaticJoint(piston, axis=(0.0, 1.0), upper=0.5, motor_speed=1.0, max_motor_force=100.0)
        wheel = dynamic(ec.Circle(0.3), (6.0, 0.0))
        rolling = ec.WheelJoint(wheel, axis=(0.0, 1.0), hertz=2.0, motor_speed=3.0, max_motor_torque=100.0)
        hung = dynamic(ec.Box(0.4, 0.4), (9.0, 0.0), angle=0.2)
        held = ec.WeldJoint(hung, reference_angle=0.1)
        for joint in (turning, sliding, rolling, held):
            esper.create_entity(joint)
        play.step(12)
        assert velocity(arm).angular == pytest.approx(1.0) == pytest.approx(turning.speed)
        assert velocity(piston).linear == pytest.approx((0.0, 1.0))
        assert sliding.translation == pytest.approx(transform(piston).y, abs=1e-6) and sliding.speed > 0.0
        assert velocity(wheel).angular == pytest.approx(3.0)
        play.step(60)
        assert turning.angle == pytest.approx(0.4, abs=1e-6) and transform(arm).angle == pytest.approx(0.4, abs=1e-6)
        assert transform(piston).pose == pytest.approx((3.0, 0.5, 0.3), abs=1e-6)
        assert transform(wheel).position == pytest.approx((6.0, 0.0), abs=1e-6)
        assert transform(hung).angle == pytest.approx(0.1, abs=1e-6)
        assert play.physics.joints.entity_a.tolist() == [arm, piston, wheel, hung]
        assert play.physics.joints.entity_b.tolist() == [-1] * 4


def test_a_loaded_slider_reports_its_translation() -> None:
    with game(gravity=GRAVITY) as play:
        lift = dynamic(ec.Box(3.0, 0.3), (0.0, 0.0))
        slide = ec.PrismaticJoint(lift, axis=(0.0, 1.0), motor_speed=2.0, max_motor_force=2000.0)
        esper.create_entity(slide)
        dynamic(ec.Box(0.5, 0.8), (0.4, 0.55))
        for _ in range(30):
            play.step()
            assert slide.translation == pytest.approx(transform(lift).y, abs=1e-6)


def test_a_rope_a_slider_a_target_and_friction() -> None:
    with game(gravity=GRAVITY) as play:
        on_rope = dynamic(ec.Circle(0.1), (0.0, 0.0), **AROUND)
        rope = ec.DistanceJoint(on_rope, anchor_b=(0.0, 0.0), max_length=2.0)
        slider = dynamic(ec.Circle(0.1), (5.0, 0.0), **AROUND)
        slide = ec.PrismaticJoint(slider, axis=(0.0, 1.0), lower=-1.5, upper=1.0)
        held = dynamic(ec.Circle(0.1), (10.0, 0.0), **AROUND)
        target = ec.TargetJoint(held, (10.0, 0.0))
        sled = dynamic(ec.Circle(0.1), (15.0, 0.0), (3.0, 0.0), ec.RigidBody(mass=1.0, gravity_scale=0.0), **AROUND)
        ground = ec.FrictionJoint(sled, max_force=2.0)
        for joint in (rope, slide, target, ground):
            esper.create_entity(joint)
        play.step(60)
        assert velocity(sled).x == pytest.approx(1.0, abs=1e-3)
        for k in range(60):
            target.target = 10.0 + k / 60.0, 1.0
            play.step()
        play.step(60)
        assert transform(on_rope).y == pytest.approx(-2.0, abs=1e-6)
        assert rope.length == pytest.approx(2.0, abs=1e-6)
        assert transform(slider).pose == pytest.approx((5.0, -1.5, 0.0), abs=1e-6)
        assert slide.translation == pytest.approx(-1.5, abs=1e-6)
        assert transform(held).position == pytest.approx((10.0 + 59.0 / 60.0, 1.0), abs=0.02)
        assert velocity(sled).x == pytest.approx(0.0, abs=1e-6)


@pytest.mark.usefixtures("fresh_world")
@pytest.mark.parametrize("off", [0.03, 1.0])
@pytest.mark.parametrize("anchor", [None, (0.0, 0.0)])
def test_a_weld_along_a_locked_axis_holds_the_rest(off: float, anchor: Point | None) -> None:
    """No impulse can move the body along that; none is tried, be there a gap or not, and the others bear the weight."""
    ec.install(gravity=GRAVITY, sleeping=False)
    body = esper.create_entity(
        ec.Transform(-off, 0.0), ec.Velocity(), ec.Collider(ec.Circle(0.2), density=2.0), ec.RigidBody(lock_x=True)
    )
    joint = ec.WeldJoint(body, None, anchor_a=anchor, anchor_b=(0.0, 0.0))
    esper.create_entity(joint)
    for _ in range(300):
        esper.process(1 / 60)
    assert transform(body).pose == pytest.approx((-off, 0.0, 0.0), abs=1e-9)
    assert joint.force == pytest.approx(ec.physics().mass_of(body) * 9.81, rel=1e-6)


@pytest.mark.usefixtures("fresh_world")
def test_a_pin_that_would_have_to_turn_a_body_with_a_locked_axis_stays_where_it_is() -> None:
    ec.install(gravity=GRAVITY, sleeping=False)
    body = esper.create_entity(
        ec.Transform(-0.03, 0.0), ec.Velocity(), ec.Collider(ec.Circle(0.2), density=2.0), ec.RigidBody(lock_x=True)
    )
    esper.create_entity(ec.RevoluteJoint(body, None, anchor_b=(0.0, 0.0)))
    for _ in range(300):
        esper.process(1 / 60)
        assert abs(transform(body).y) < 1e-4


def test_a_target_moved_before_the_first_step_holds_the_point_that_it_was_made_at() -> None:
    with game() as play:
        box = dynamic(ec.Box(1.0, 1.0))
        joint = ec.TargetJoint(box, (0.4, 0.0))
        esper.create_entity(joint)
        joint.target = (3.0, 0.0)
        play.step(120)
        assert joint.anchor_a == pytest.approx((0.4, 0.0))
        assert transform(box).x == pytest.approx(2.6, abs=1e-3)
