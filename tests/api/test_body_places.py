"""Points of bodies in world and local coordinates, their velocities, and bounding boxes."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import disk, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_local_points_turn_and_move_with_their_entity() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(1, 2, math.pi / 2), ec.Collider(ec.Box(1, 1)))
    assert physics.to_world(entity, (3, 0)) == pytest.approx((1, 5))
    assert physics.to_local(entity, (1, 5)) == pytest.approx((3, 0))
    place = transform(entity)  # written since the last step
    place.position, place.angle = (0, 0), math.pi
    assert physics.to_world(entity, (3, 0)) == pytest.approx((-3, 0))


def test_local_points_come_back() -> None:
    physics, rng = ec.install(), np.random.default_rng(5)
    for x, y, angle in rng.uniform(-9, 9, (50, 3)).tolist():
        entity = esper.create_entity(ec.Transform(x, y, angle), ec.Velocity())
        point = tuple(rng.uniform(-9, 9, 2).tolist())
        assert physics.to_local(entity, physics.to_world(entity, point)) == pytest.approx(point)


def test_a_point_of_a_turning_body_moves_across_its_arm_from_the_centre_of_mass() -> None:
    physics = ec.install()
    shape = ec.Box(1, 1, center=(2, 0))
    entity = esper.create_entity(ec.Transform(1, 1, math.pi / 2), ec.Velocity(3, 4, 2), ec.Collider(shape))
    assert physics.center_of_mass_of(entity) == pytest.approx((1, 3))
    assert physics.velocity_at(entity, (1, 3)) == pytest.approx((3, 4))
    assert physics.velocity_at(entity, (1, 1)) == pytest.approx((3 + 4, 4))
    assert physics.velocity_at(entity, (2, 3)) == pytest.approx((3, 4 + 2))


def test_the_velocity_of_a_point_is_its_motion_over_a_short_time() -> None:
    physics = ec.install()
    entity = esper.create_entity(
        ec.Transform(1, 1, 0.3), ec.Velocity(3, 4, 2), ec.Collider(ec.Box(1, 1, center=(2, 1)))
    )
    corner, dt = (0.5, -0.2), 1e-6
    before = physics.to_world(entity, corner)
    speed = physics.velocity_at(entity, before)
    run(1, dt)
    after = physics.to_world(entity, corner)
    assert [(b - a) / dt for a, b in zip(before, after, strict=True)] == pytest.approx(speed, abs=1e-4)


def test_the_bounding_box_is_that_of_the_present_pose() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(1, 2), ec.Velocity(1, 0), ec.Collider(ec.Box(2, 1)))
    assert physics.aabb_of(entity) == (0, 1.5, 2, 2.5)
    run(60, 1 / 60)
    assert physics.aabb_of(entity) == pytest.approx((1, 1.5, 3, 2.5))
    place = transform(entity)
    place.position, place.angle = (0, 0), math.pi / 4
    half = 1.5 / math.sqrt(2)
    assert physics.aabb_of(entity) == pytest.approx((-half, -half, half, half))


def test_an_entity_without_a_shape_has_no_bounding_box() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Velocity())
    with pytest.raises(ec.PhysicsError, match=f"entity {entity} has no Collider"):
        physics.aabb_of(entity)


def test_bad_points_and_angles_are_named() -> None:
    physics, entity = ec.install(), disk()
    with pytest.raises(ValueError, match=r"point\[0\] must be a finite number"):
        physics.to_world(entity, (math.nan, 0))
    physics.angles[physics.row_of(entity)] = math.inf
    with pytest.raises(ValueError, match=rf"entity {entity}: Transform.angle must be a finite number"):
        physics.to_local(entity, (1, 0))
