"""pymunk, test_space, test_shape, test_body and test_shape_filter: queries, filters, masses, impulses and events."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import run

pytestmark = pytest.mark.usefixtures("fresh_world")

Point = tuple[float, float]


def ball(x: float, y: float, radius: float = 10.0, **collider: object) -> int:
    shape = ec.Circle(radius)
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(shape, **collider))  # type: ignore[arg-type]


def two_balls() -> tuple[ec.PhysicsWorld, int, int]:
    physics = ec.install()
    return physics, ball(19, 0), ball(0, 0)


@pytest.mark.parametrize(
    ("layer", "mask", "query_mask", "is_found"),
    [
        (0b01, 0b01, 0b01, True),
        (0b10, 0b01, 0b10, True),
        (0b01, 0b01, 0b11, True),
        (0b11, 0b00, 0b00, False),
        (0b01, 0b10, 0b00, False),
        (0b01, 0b10, 0b10, False),
        (0b01, 0b10, 0b01, True),
    ],
)
def test_filters_of_a_query(layer: int, mask: int, query_mask: int, is_found: bool) -> None:
    """pymunk, test_space: testPointQueryNearestWithShapeFilter; a query here has a mask and no category."""
    physics = ec.install()
    entity = ball(0, 0, layer=layer, mask=mask)
    assert physics.point_query((0, 0), mask=query_mask) == [entity] * is_found


@pytest.mark.parametrize(
    ("layers", "masks", "meets"),
    [((1, 1), (1, 1), True), ((2, 1), (1, 2), True), ((1, 3), (1, 3), True), ((1, 2), (2, 2), False)],
)
def test_filters_of_two_colliders(layers: Point, masks: Point, meets: bool) -> None:
    """pymunk, test_space: testPointQueryNearestWithShapeFilter, with the filters of a pair of shapes."""
    physics = ec.install()
    a, b = (ball(x, 0, layer=layer, mask=mask) for x, layer, mask in zip((0, 5), layers, masks, strict=True))
    run()
    assert physics.touching(a, b) == meets


def test_points_in_one_ball_and_in_none() -> None:
    """pymunk, test_space: testPointQuery and testPointQueryNearest."""
    physics, right, left = two_balls()
    assert physics.point_query((23, 0)) == [right]
    assert physics.point_query((30, 0)) == []
    far, near = sorted(physics.nearest((30, 0), 2, 30), key=lambda found: -found.distance)
    assert (far.entity, far.distance, far.point) == (left, 20.0, (10.0, 0.0))
    assert (near.entity, near.distance, near.point) == (right, 1.0, (29.0, 0.0))
    assert physics.nearest((30, 0), 1, 10)[0].entity == right
    assert physics.nearest((30, 0), 1, 0.5) == []


def test_a_box_query() -> None:
    """pymunk, test_space: testBBQuery."""
    physics, _, left = two_balls()
    assert physics.aabb_query((-7, -7, 7, 7)) == [left]


def test_a_shape_query() -> None:
    """pymunk, test_space: testShapeQuery."""
    physics = ec.install()
    ball(10, 0, 5), (large := ball(20, 0, 10))
    assert physics.shape_query(ec.Circle(2), (20, 1, 0)) == [large]


def test_all_on_a_ray() -> None:
    """pymunk, test_space: testSegmentQuery and testSegmentQueryFirst."""
    physics, right, left = two_balls()
    first, second = physics.ray_cast_all((-13, 0), (131, 0))
    assert (first.entity, first.point, first.normal) == (left, (-10.0, 0.0), (-1.0, 0.0))
    assert first.fraction == pytest.approx(3 / 144, rel=1e-14)
    assert (second.entity, second.normal) == (right, (-1.0, 0.0))
    assert second.point == pytest.approx((9, 0), rel=1e-14)
    assert second.fraction == pytest.approx(22 / 144, rel=1e-14)
    assert physics.ray_cast((-13, 0), (131, 0)) == first
    assert physics.ray_cast_all((-13, 50), (131, 50)) == []
    assert physics.ray_cast((-13, 50), (131, 50)) is None


def test_queries_find_sensors_on_demand() -> None:
    """pymunk, test_space: testPointQuerySensor and five more for boxes, shapes, segments and nearest ones."""
    physics = ec.install()
    sensor = esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(10), sensor=True))
    assert physics.point_query((0, 0), sensors=True) == [sensor]
    assert physics.aabb_query((0, 0, 10, 10), sensors=True) == [sensor]
    assert physics.shape_query(ec.Circle(200), (0, 0, 0), sensors=True) == [sensor]
    assert [hit.entity for hit in physics.ray_cast_all((-20, 0), (20, 0), sensors=True)] == [sensor]
    assert physics.nearest((0, 0), 1, 100) == []
    assert physics.ray_cast((-20, 0), (20, 0)) is None


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
def test_a_body_that_was_put_elsewhere_is_found_there(kind: ec.BodyKind) -> None:
    """pymunk, test_space: testReindexShape, ...ForBody, ...Static and testStaticPointQueries, ...SegmentQueries."""
    physics = ec.install()
    entity = esper.create_entity(place := ec.Transform(), ec.Collider(ec.Circle(10)), ec.RigidBody(kind))
    assert physics.point_query((-50, -55)) == []
    place.position = -50, -50
    assert physics.point_query((-50, -55)) == [entity]
    hit = physics.ray_cast((-70, -50), (-30, -50))
    assert hit is not None and hit.entity == entity


def test_distance_of_a_point_from_a_circle() -> None:
    """pymunk, test_shape: testPointQuery."""
    physics = ec.install()
    entity = ball(0, 0, 5)
    assert physics.point_query((0, 0)) == [entity]
    (found,) = physics.nearest((11, 0))
    assert (found.distance, found.point) == (6.0, (5.0, 0.0))


def test_a_ray_beside_a_circle_a_thick_one_and_one_through_it() -> None:
    """pymunk, test_shape: testSegmentQuery."""
    physics = ec.install()
    entity = ball(0, 0, 5)
    assert physics.ray_cast((10, -50), (10, 50)) is None
    thick = physics.shape_cast(ec.Circle(6), (10, -50, 0), (10, 50, 0))
    assert thick is not None and thick.entity == entity
    assert physics.ray_cast((0, -50), (0, 50)) == (entity, 0.45, (0.0, -5.0), (0.0, -1.0))


def test_area_moment_and_centre_of_a_circle() -> None:
    """pymunk, test_shape: testMoment, testArea and testCenterOfGravity."""
    mass = ec.Circle(5).mass_properties()
    assert mass.area == pytest.approx(78.53981633974483, rel=1e-15)
    assert 2 * mass.second_moment == pytest.approx(1963.4954084936207, rel=1e-15)
    assert 2 * mass.second_moment / mass.area == pytest.approx(25, rel=1e-15)
    assert ec.Circle(5, (10, 5)).mass_properties().centroid == (10.0, 5.0)


def test_circles_that_collide() -> None:
    """pymunk, test_shape: testShapesCollide, with the place of the second one taken into account."""
    assert not ec.overlap(ec.Circle(10), (0, 0, 0), ec.Circle(10), (30, 30, 0))
    found = ec.manifold(ec.Circle(10), (0, 0, 0), ec.Circle(10), (0, 0, 0))
    assert found is not None
    assert found.separations == (-20.0,)


def test_crossed_rods_begin_to_touch_once() -> None:
    """pymunk, test_shape: testSegmentSegmentCollision."""
    ec.install()
    starts: list[ec.Contact] = []
    ec.on("collision_start", starts.append)
    for a, b in (((-1, -1), (1, 1)), ((1, -1), (-1, 1))):
        esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Capsule(a, b, 1)))
    run()
    assert len(starts) == 1


def test_two_balls_in_one_place_begin_to_touch_once() -> None:
    """pymunk, test_space: testCollisionHandlerBegin."""
    ec.install(sleeping=False)
    starts: list[ec.Contact] = []
    ec.on("collision_start", starts.append)
    ball(0, 0), ball(0, 1)
    run(10)
    assert len(starts) == 1


def test_a_ball_that_falls_off_another_separates() -> None:
    """pymunk, test_space: testCollisionHandlerSeparate."""
    ec.install(gravity=(0, -100), length_unit=10)
    ends: list[ec.Contact] = []
    ec.on("collision_end", ends.append)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(10)))
    ball(9, 11)
    run(120)
    assert len(ends) == 1


def test_a_contact_ends_when_one_of_both_is_deleted() -> None:
    """pymunk, test_arbiter: testIsRemoval; test_space: testRemoveInStep."""
    physics = ec.install()
    ends: list[ec.Contact] = []
    ec.on("collision_end", ends.append)
    a, b = ball(0, 0), ball(5, 3)
    run()
    assert physics.touching(a, b)
    esper.delete_entity(a)
    run()
    assert len(ends) == 1 and not physics.touching(a, b)


def test_mass_and_inertia_that_a_game_sets() -> None:
    """pymunk, test_body: testProperties and testMassMomentFromShape."""
    physics = ec.install()
    entity = esper.create_entity(
        ec.Transform(), speed := ec.Velocity(), ec.Collider(ec.Circle(10, (2, 3))), body := ec.RigidBody(mass=10)
    )
    for mass, inertia, expected in ((10, 100, 100), (11, 101, 101), (4, None, 200)):
        body.mass, body.inertia = mass, inertia
        assert physics.mass_of(entity) == pytest.approx(mass, rel=1e-15)
        speed.linear, speed.angular = (0, 0), 0.0
        physics.apply_impulse(entity, (0, 1), (3, 3))
        assert speed.angular == pytest.approx(1 / expected, rel=1e-14)


@pytest.mark.parametrize(("point", "spin"), [((0, 10), -30), ((3, 14), -50)], ids=["world point", "local point"])
def test_an_impulse_at_a_point(point: Point, spin: float) -> None:
    """pymunk, test_body: testImpulse."""
    physics = ec.install()
    entity = esper.create_entity(
        ec.Transform(3, 4), speed := ec.Velocity(), ec.Collider(ec.Circle(1)), ec.RigidBody(mass=1, inertia=2)
    )
    physics.apply_impulse(entity, (10, 0), point)
    assert (speed.linear, speed.angular) == ((10.0, 0.0), spin)


@pytest.mark.parametrize(("point", "torque"), [((0, 10), -60), ((3, 14), -100)], ids=["world point", "local point"])
def test_a_force_at_a_point(point: Point, torque: float) -> None:
    """pymunk, test_body: testForce."""
    physics = ec.install()
    entity = esper.create_entity(
        ec.Transform(3, 4), speed := ec.Velocity(), ec.Collider(ec.Circle(1)), ec.RigidBody(mass=1, inertia=2)
    )
    physics.apply_force(entity, (10, 0), point)
    run(1, 0.001)
    assert speed.linear == pytest.approx((0.01, 0), rel=1e-12)
    assert speed.angular == pytest.approx(torque / 2 * 0.001, rel=1e-4)


def test_kinetic_energy_after_an_impulse() -> None:
    """pymunk, test_body: testKineticEnergy, with a mass of 1 and the energy m v²/2."""
    physics = ec.install()
    entity = esper.create_entity(
        ec.Transform(), speed := ec.Velocity(), ec.Collider(ec.Circle(1)), ec.RigidBody(mass=1, inertia=10)
    )
    physics.apply_impulse(entity, (10, 0))
    assert math.hypot(*speed.linear) ** 2 == 100.0
    assert speed.angular == 0.0
