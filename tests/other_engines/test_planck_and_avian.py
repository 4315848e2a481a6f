"""planck.js, src/__test__, and Avian, src/tests: boxes, trees, pairs, distances of circles and plain motion."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world")

Box = tuple[float, float, float, float]
DISK = ec.Circle(1)


def box_body(box: Box, **collider: int) -> int:
    left, low, right, high = box
    shape = ec.Box(right - left, high - low)
    return esper.create_entity(ec.Transform((left + right) / 2, (low + high) / 2), ec.Collider(shape, **collider))  # type: ignore[arg-type]


@pytest.mark.parametrize(("x", "distance"), [(1.9, -0.1), (2.0, 0.0), (2.1, 0.1)])
def test_distance_of_circles(x: float, distance: float) -> None:
    """planck.js, CCD: Distance; overlapping circles have a depth here."""
    assert ec.distance(DISK, (0, 0, 0), DISK, (x, 0, 0)) == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize(("x", "time"), [(1.9, 0.0), (2.0, 0.0), (2.1, None)])
def test_time_of_impact_of_circles_at_rest(x: float, time: float | None) -> None:
    """planck.js, CCD: TimeOfImpact."""
    there = (x, 0, 0)
    assert ec.time_of_impact(DISK, (0, 0, 0), (0, 0, 0), DISK, there, there) == time


@pytest.mark.parametrize(
    ("inner", "is_contained"),
    [
        ((5, 3, 11, 7), True),
        ((5, 2, 11, 7), False),
        ((4, 2, 11, 7), False),
        ((5, 3, 11, 8), False),
        ((5, 3, 12, 7), False),
    ],
)
def test_boxes_within_boxes(inner: Box, is_contained: bool) -> None:
    """planck.js, Collision: AABB; a box is contained if its corners are."""
    physics = ec.install()
    outer = box_body((5, 3, 11, 7))
    left, low, right, high = inner
    found = [physics.point_query(corner) for corner in ((left, low), (right, low), (right, high), (left, high))]
    assert (found == [[outer]] * 4) == is_contained


def test_boxes_on_a_diagonal_are_found_by_place() -> None:
    """planck.js, Collision: DynamicTree."""
    physics = ec.install()
    foo, bar, baz = box_body((0, 0, 1, 1)), box_body((1, 1, 2, 2)), box_body((2, 2, 3, 3))
    assert physics.aabb_query((1, 1, 2, 2)) == [foo, bar, baz]
    assert physics.aabb_query((0.3, 0.3, 0.7, 0.7)) == [foo]
    assert physics.aabb_query((1.3, 1.3, 1.7, 1.7)) == [bar]
    assert physics.aabb_query((2.3, 2.3, 2.7, 2.7)) == [baz]
    transform(baz).position = 3.5, 3.5
    assert physics.aabb_query((3.3, 3.3, 3.7, 3.7)) == [baz]
    assert physics.aabb_query((2.3, 2.3, 2.7, 2.7)) == []
    for entity in (foo, bar, baz):
        esper.delete_entity(entity, immediate=True)
    assert physics.aabb_query((-9, -9, 9, 9)) == []


def test_pairs_of_boxes_that_touch_at_corners() -> None:
    """planck.js, Collision: BroadPhase."""
    physics = ec.install()
    foo, bar = box_body((0, 0, 1, 1), layer=1), box_body((2, 2, 3, 3), layer=1)
    baz = esper.create_entity(
        ec.Transform(1.5, 1.5), ec.Velocity(), ec.Collider(ec.Box(1, 1), sensor=True, detect=True)
    )
    run()
    assert physics.colliding(baz) == [foo, bar]
    transform(baz).position = 1, 1
    run()
    assert physics.colliding(baz) == [foo]


def test_a_body_moves_by_its_velocity() -> None:
    """Avian, tests: body_with_velocity_moves, within 0.03 there."""
    ec.install()
    body = esper.create_entity(ec.Transform(), ec.Velocity(1, 0), ec.Collider(ec.Circle(0.5)))
    run(500)
    assert transform(body).pose == pytest.approx((500 * DT, 0, 0), rel=1e-12)


def test_an_installed_plugin_runs_without_bodies() -> None:
    """Avian, tests: it_loads_plugin_without_errors."""
    physics = ec.install()
    run(500)
    assert physics.statistics.steps == 500


def test_a_heap_of_boxes_falls_the_same_way_each_time(fresh_world: str) -> None:
    """Avian, tests: cubes_simulation_is_locally_deterministic, with squares."""
    hashes = set()
    for k in range(3):
        esper.switch_world(f"{fresh_world}, {k}")
        physics = ec.install(gravity=(0, -9.81))
        esper.create_entity(ec.Transform(0, -1), ec.Collider(ec.Box(80, 1)))
        ec.spawn(ec.Box(2, 2), [(2.1 * (i - 2), 10 * j + 5.0) for j in range(4) for i in range(4)], velocities=(0, 0))
        run(180)
        hashes.add(physics.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("given", "mass", "inertia"),
    [
        ({}, math.pi, 0.5 * math.pi),
        ({"mass": 5.0}, 5.0, 2.5),
        ({"mass": 10.0}, 10.0, 5.0),
        ({"mass": 5.0, "inertia": 10.0}, 5.0, 10.0),
    ],
    ids=["rb_collider", "with_set_mass", "change_mass", "with_set_mass_and_angular_inertia"],
)
def test_mass_and_inertia_of_a_circle(given: dict[str, float], mass: float, inertia: float) -> None:
    """Avian, mass_properties: mass_properties_rb_collider and the three tests of the ids here."""
    physics = ec.install()
    body = esper.create_entity(
        ec.Transform(), speed := ec.Velocity(), ec.Collider(ec.Circle(1)), motion := ec.RigidBody()
    )
    for name, value in given.items():
        setattr(motion, name, value)
    assert physics.mass_of(body) == pytest.approx(mass, rel=1e-15)
    physics.apply_impulse(body, (0, 1), (1, 0))
    assert speed.angular == pytest.approx(1 / inertia, rel=1e-15)


def test_the_centre_of_mass_of_parts() -> None:
    """Avian, mass_properties: mass_properties_move_child_collider, with two circles in the ratio 2 to 1."""
    large = ec.Circle(math.sqrt(2), (0, -5))
    for place, centre in ((-2.0, -4.0), (4.0, -2.0)):
        centroid = ec.Compound([large, ec.Circle(1, (0, place))]).mass_properties().centroid
        assert centroid == pytest.approx((0.0, centre), rel=1e-14)
