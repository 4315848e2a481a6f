"""The effects of the recipes on other scenes than those of the demos: laws, and quantities that are conserved."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.demos import cloth, dig, hook, magnets, orbits, pinball, race, sorter, tether, water, wind
from tests.support.worlds import DT, run, transform, velocity

G = 9.81


@pytest.fixture(autouse=True)
def in_a_fresh_world(fresh_world: str) -> Iterator[None]:
    yield


def add_ball(x: float, y: float, u: float = 0.0, v: float = 0.0, radius: float = 0.2) -> int:
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(u, v), ec.Collider(ec.Circle(radius)))


def lake(gravity: float = G, drag: float = 2.0) -> ec.PhysicsWorld:
    """Install physics with a lake, whose surface is at y = 0."""
    physics = ec.install(gravity=(0.0, -gravity))
    esper.add_processor(water.Buoyancy(physics), priority=1)
    box = ec.Collider(ec.Box(400.0, 400.0), sensor=True)
    esper.create_entity(ec.Transform(0.0, -200.0), box, water.Liquid(drag=drag))
    return physics


WEDGE = ec.Polygon([(-1.5, 0.0), (0.0, -1.0), (1.5, 0.0)])
"""A triangle on its point: a draught of d displaces 1.5 d²."""
TUB = ec.Polygon([(-1.0, 0.0), (1.0, 0.0), (1.0, 0.6), (0.7, 0.6), (0.7, 0.3), (-0.7, 0.3), (-0.7, 0.6), (-1.0, 0.6)])
"""A body that is not convex, and that a draught below 0.3 displaces as a box."""


@pytest.mark.parametrize(
    ("shape", "density", "bottom"),
    [
        (ec.Box(3.0, 0.5), 0.3, -0.15),
        (ec.Box(3.0, 0.5), 0.9, -0.45),
        (WEDGE, 0.4, -math.sqrt(0.4)),
        (TUB, 0.5 * 2.0 * 0.2 / (2.0 * 0.3 + 2.0 * 0.3 * 0.3), -0.1),
        (ec.Compound([(ec.Box(1.0, 0.4), (-0.5, 0.0, 0.0)), (ec.Box(1.0, 0.4), (0.5, 0.0, 0.0))]), 0.5, -0.2),
    ],
    ids=["light", "heavy", "wedge", "tub", "compound"],
)
@pytest.mark.parametrize("gravity", [G, 2.0])
def test_a_body_is_as_deep_as_archimedes_says(shape: ec.Shape, density: float, bottom: float, gravity: float) -> None:
    physics = lake(gravity)
    body = esper.create_entity(ec.Transform(0.0, 0.3, 0.2), ec.Velocity(), ec.Collider(shape, density=density))
    run(1800)
    assert physics.aabb_of(body)[1] == pytest.approx(bottom, abs=2e-3)
    assert transform(body).angle == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(("density", "drag"), [(2.0, 1.0), (5.0, 3.0)])
def test_a_stone_sinks_at_the_speed_of_the_law(density: float, drag: float) -> None:
    lake(drag=drag)
    stone = esper.create_entity(ec.Transform(0.0, -1.0), ec.Velocity(), ec.Collider(ec.Box(0.5, 0.5), density=density))
    run(1200)
    assert -velocity(stone).y == pytest.approx((density - 1.0) * G / drag, rel=1e-3)


@pytest.mark.parametrize("height", [0.04, 0.1, 0.5])
def test_bobbing_does_not_grow_without_drag(height: float) -> None:
    lake(drag=0.0)
    plank = esper.create_entity(
        ec.Transform(0.0, 0.3 * height), ec.Velocity(), ec.Collider(ec.Box(2.0, height), density=0.5)
    )
    highest = 0.0
    for _ in range(1200):
        esper.process(DT)
        highest = max(highest, abs(transform(plank).y))
    assert highest < 0.35 * height


@pytest.mark.parametrize("stiffness", [20.0, 100.0])
@pytest.mark.parametrize("ahead", [0.0, 0.5])
def test_a_spring_by_a_force_grows_as_the_guide_says_unless_it_is_that_of_the_middle_of_a_step(
    stiffness: float, ahead: float
) -> None:
    physics = ec.install()
    ball = add_ball(1.0, 0.0)
    mass, last, peaks = physics.mass_of(ball), 0.0, []
    for _ in range(900):
        x, speed = transform(ball).x, velocity(ball).x
        physics.apply_force(ball, (-stiffness * mass * (x + ahead * DT * speed), 0.0))
        esper.process(DT)
        if last > 0.0 >= velocity(ball).x:
            peaks.append(transform(ball).x)
        last = velocity(ball).x
    time = (len(peaks) - 1) * 2.0 * math.pi / math.sqrt(stiffness)
    growth = math.log(peaks[-1] / peaks[0]) / time
    law = 3.0 / 16.0 * stiffness * DT
    assert growth == pytest.approx(law, rel=0.1) if ahead == 0.0 else -0.5 * law < growth < 0.0


def test_water_is_equal_at_any_frame_rate_with_fixed_steps() -> None:
    hashes = set()
    for rate in (30, 60, 144):
        name = esper.current_world
        esper.switch_world(f"{name} at {rate}")
        physics = ec.install(gravity=(0.0, -G), fixed_dt=DT)
        esper.add_processor(water.Buoyancy(physics), priority=1)
        esper.create_entity(ec.Transform(0.0, -2.0), ec.Collider(ec.Box(20.0, 4.0), sensor=True), water.Liquid())
        esper.create_entity(ec.Transform(0.0, 1.0, 0.4), ec.Velocity(), ec.Collider(ec.Box(2.0, 0.5), density=0.5))
        while physics.statistics.steps < 180:
            esper.process(1.0 / rate)
        hashes.add(physics.state_hash())
        esper.switch_world(name)
    assert len(hashes) == 1


@pytest.mark.parametrize(("density", "width"), [(0.1, 0.4), (0.5, 1.0)])
def test_a_body_falls_at_the_speed_at_which_the_air_bears_it(density: float, width: float) -> None:
    physics = ec.install(gravity=(0.0, -G))
    esper.add_processor(wind.Blow(physics), priority=1)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(50.0, 2000.0), sensor=True), wind.Wind(1.0, 2.0, 0.3))
    leaf = esper.create_entity(
        ec.Transform(0.0, 100.0), ec.Velocity(), ec.Collider(ec.Box(width, width), density=density)
    )
    run(360)
    law = math.sqrt(density * width * width * G / (0.3 * width))
    assert velocity(leaf).linear == pytest.approx((1.0, 2.0 - law), rel=1e-2)


@pytest.mark.parametrize("gap", [0.3, 0.8, 1.5])
@pytest.mark.parametrize("share", [0.5, 1.3])
def test_crates_longer_than_the_law_bridge_a_gap(gap: float, share: float) -> None:
    ec.install(gravity=(0.0, -G))
    sorter.lay_belts(0.0, 8.0, 6.0, (gap,), 0.5)
    length = share * 2.0 * (gap + 2.0 * sorter.ROUND)
    assert sorter.can_bridge(length, gap) == (share > 1.0)
    body = ec.Collider(ec.Box(length, 0.2), friction=0.9)
    crate = esper.create_entity(ec.Transform(4.0, 8.1), ec.Velocity(0.5), body)
    run(round((2.0 + gap + 2.0) / 0.5 / DT))
    assert (transform(crate).y > 8.0) == (share > 1.0)


def start_car(speed: float, **driver: float) -> tuple[ec.PhysicsWorld, int, race.Driver]:
    """Install physics with a car at a speed [m/s]."""
    physics = ec.install()
    esper.add_processor(race.Tyres(physics), priority=1)
    control = race.Driver(**driver)
    car = esper.create_entity(ec.Transform(), ec.Velocity(speed), ec.Collider(ec.Box(4.0, 1.8)), control)
    return physics, car, control


@pytest.mark.parametrize("steer", [-0.4, 0.1, 0.5])
def test_a_slow_car_turns_on_the_circle_of_its_wheels(steer: float) -> None:
    physics, car, control = start_car(2.0, steer=steer)
    run(60)
    rear = physics.to_world(car, (-control.axle, 0.0))
    speed = math.hypot(*physics.velocity_at(car, rear))
    assert velocity(car).angular / speed == pytest.approx(math.tan(steer) / (2.0 * control.axle), rel=0.03)
    u, v = physics.velocity_at(car, rear)
    angle = transform(car).angle
    assert abs(math.cos(angle) * v - math.sin(angle) * u) < 0.02


@pytest.mark.parametrize("grip", [2.0, 9.0])
def test_a_car_changes_its_velocity_no_faster_than_its_grip(grip: float) -> None:
    _, car, control = start_car(15.0, grip=grip, steer=0.5, throttle=1.0)
    for k in range(120):
        before = velocity(car).linear
        control.brake = float(k > 60)
        esper.process(DT)
        assert math.dist(before, velocity(car).linear) <= grip * DT * (1.0 + 1e-9)


def test_the_rear_brakes_stop_a_car_within_the_way_of_the_law() -> None:
    _, car, _ = start_car(6.0, grip=8.0, brake=1.0)
    run(240)
    assert transform(car).x == pytest.approx(6.0**2 / 8.0, rel=0.02)  # one of two axles brakes, with half of the grip
    assert velocity(car).linear == pytest.approx((0.0, 0.0), abs=1e-9)


def test_a_hook_goes_with_a_hold_that_moves() -> None:
    ec.install(gravity=(0.0, -G))
    lift = esper.create_entity(
        ec.Transform(0.0, 5.0), ec.Velocity(1.0), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(2.0, 0.5))
    )
    climber = add_ball(0.5, 1.0)
    rope = hook.throw_hook(climber, (0.5, 9.0), 6.0)
    assert rope is not None
    joint = esper.component_for_entity(rope, ec.DistanceJoint)
    assert joint.max_length == pytest.approx(3.75)
    for _ in range(120):
        hook.wind_in(rope, 0.5, DT)
        esper.process(DT)
        x, y = transform(lift).position
        assert math.dist(transform(climber).position, (x + 0.5, y - 0.25)) < joint.max_length + 2e-3
    assert joint.max_length == pytest.approx(2.75)
    assert transform(climber).x > 1.5


@pytest.mark.parametrize("corners", [3, 4, 6])
@pytest.mark.parametrize("speed", [-7.0, 4.0])
def test_a_ball_keeps_its_speed_while_it_winds_itself_around_a_post(corners: int, speed: float) -> None:
    physics = ec.install()
    esper.add_processor(tether.Wrap(physics), priority=1)
    angles = [0.4 + 2.0 * math.pi * k / corners for k in range(corners)]
    post = [(0.5 * math.cos(angle), 0.5 * math.sin(angle)) for angle in angles]
    rope = tether.Rope([(0.0, -0.6)], 5.0, post)
    ball = esper.create_entity(ec.Transform(0.0, -5.6), ec.Velocity(speed), ec.Collider(ec.Circle(0.1)), rope)
    free = 5.0
    while free > 1.0:
        esper.process(DT)
        free = rope.length - rope.wound()
        assert math.dist(rope.points[-1], transform(ball).position) < free + 5e-3
    assert set(rope.turns) == {1 if speed > 0.0 else -1}
    assert math.hypot(*velocity(ball).linear) == pytest.approx(abs(speed), rel=1e-2)


def test_a_hole_takes_the_cells_within_its_radius_and_breaks_off_the_rest() -> None:
    ec.install(gravity=(0.0, -G))
    solid = np.ones((20, 30), bool)
    solid[5:14, 3:27] = False
    before = solid.copy()
    ground = esper.create_entity(ec.Transform(2.0, 1.0), ec.Collider(ec.Bitmap(solid, 0.5)), dig.Ground(solid, 0.5))
    assert dig.dig(ground, (5.0, 9.5), 1.6) == []
    row, column = np.indices(before.shape)
    near = np.hypot(2.0 + 0.5 * (column + 0.5) - 5.0, 1.0 + 0.5 * (row + 0.5) - 9.5) < 1.6
    left = esper.component_for_entity(ground, dig.Ground).solid
    assert np.array_equal(left, before & ~near)
    (piece,) = dig.dig(ground, (14.0, 9.5), 1.6)
    shape = esper.component_for_entity(piece, ec.Collider).shape
    assert isinstance(shape, ec.Bitmap)
    gone = np.hypot(2.0 + 0.5 * (column + 0.5) - 14.0, 1.0 + 0.5 * (row + 0.5) - 9.5) < 1.6
    broken = sum(map(sum, shape.mask))
    assert left.sum() + broken == (before & ~near & ~gone).sum()
    assert dig.dig(ground, (9.0, 1.0), 30.0) == []
    assert left.sum() == 30  # the bottom row


def test_a_gate_lets_a_ball_pass_one_way() -> None:
    ec.install()
    pinball.add_gate((0.0, -1.0), (0.0, 1.0))  # from the right to the left
    there, back = add_ball(2.0, 0.5, u=-4.0), add_ball(-2.0, -0.5, u=4.0)
    run(120)
    assert transform(there).x < -1.0
    assert transform(back).x < 0.0


@pytest.mark.parametrize(("strength", "whole"), [(math.inf, True), (5.0, False)])
def test_a_cloth_hangs_as_its_mirror_image_until_it_tears(strength: float, whole: bool) -> None:
    ec.install(gravity=(0.0, -G))
    knots, threads = cloth.weave(7, 5, (-3 * cloth.SPACING, 0.0), (0, 6), strength)
    run(240)
    torn = sum(esper.component_for_entity(thread, ec.DistanceJoint).broken for thread in threads)
    assert (torn == 0) == whole
    if whole:
        for row in knots:
            for left, right in zip(row, reversed(row), strict=True):
                (x, y), (u, v) = transform(left).position, transform(right).position
                assert (x, y) == pytest.approx((-u, v), abs=1e-6)


def test_free_magnets_keep_momentum_and_angular_momentum() -> None:
    physics = ec.install()
    esper.add_processor(magnets.Magnetism(physics), priority=1)
    for x, y, turn in ((0.0, 0.0, 0.3), (2.0, 0.5, 1.2), (0.5, 2.0, -2.0)):
        bar = magnets.add_bar(x, y, (0.5, 0.2), (0.25, 0.0), 0.8)
        transform(bar).angle = turn
    run(30)
    momentum, spin, energy = physics.momentum(), physics.angular_momentum(), physics.kinetic_energy()
    assert energy > 0.01
    assert momentum == pytest.approx((0.0, 0.0), abs=1e-9)
    assert spin == pytest.approx(0.0, abs=0.01 * energy)


@pytest.mark.parametrize("eccentricity", [0.0, 0.3, 0.6])
def test_orbits_keep_their_energy_and_angular_momentum(eccentricity: float) -> None:
    physics = ec.install()
    esper.add_processor(orbits.Gravity(physics), priority=1)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.3)), orbits.Planet(50.0))
    speed = math.sqrt(50.0 / 4.0 * (1.0 + eccentricity))
    moon = add_ball(4.0, 0.0, v=speed)
    energies, spins = [], []
    for _ in range(3000):
        esper.process(DT)
        (x, y), (u, v) = transform(moon).position, velocity(moon).linear
        energies.append(0.5 * (u * u + v * v) - 50.0 / math.hypot(x, y))
        spins.append(x * v - y * u)
    assert max(energies) - min(energies) < 0.06 * abs(energies[0])
    assert np.mean(energies[-500:]) == pytest.approx(np.mean(energies[:500]), rel=0.02)
    assert max(spins) - min(spins) < 1e-9 * spins[0]
