"""Absurd numbers are refused with entity, component and value where they come in, and nothing turns without bound."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide import algorithms
from ecs_collide.common.tolerances import LARGEST_SPIN
from tests.support.worlds import disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

FAR = 1.1e50

SHAPES: dict[str, Callable[[], object]] = {
    "circle": lambda: ec.Circle(FAR),
    "centre": lambda: ec.Circle(1.0, (0.0, FAR)),
    "box": lambda: ec.Box(1.0, FAR),
    "segment": lambda: ec.Segment((0.0, 0.0), (1e300, 0.0)),
    "polygon": lambda: ec.Polygon([(0, 0), (1e300, 0), (1e300, 1e300), (3e299, 6e299), (0, 1e300)]),
    "chain": lambda: ec.Chain([(0, 0), (1e300, 0), (1e300, 1e300)]),
    "half-plane": lambda: ec.HalfPlane((0, 1), 1.7e308),
    "rounding": lambda: ec.Polygon([(0, 0), (1, 0), (0, 1)], FAR),
}
MATERIALS = ("density", "friction", "restitution", "surface_speed", "rolling_resistance")


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_shapes_beyond_the_largest_number_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"must not exceed 1e\+50 in magnitude, got"):
        make()


@pytest.mark.parametrize("field", MATERIALS)
def test_materials_beyond_the_largest_number_are_refused(field: str) -> None:
    collider = ec.Collider(ec.Circle(1.0))
    with pytest.raises(ValueError, match=rf"Collider.{field} must not exceed 1e\+50 in magnitude, got"):
        setattr(collider, field, 1.7e308)
    with pytest.raises(ValueError, match=rf"Collider.{field} must not exceed 1e\+50 in magnitude, got"):
        ec.Collider(ec.Circle(1.0), **{field: FAR})  # type: ignore[arg-type]  # one of several fields


def test_a_step_longer_than_the_largest_number_is_refused() -> None:
    ec.install()
    entity = disk()
    with pytest.raises(ValueError, match=r"dt must not exceed 1e\+50 in magnitude, got 1.1e\+50"):
        esper.process(FAR)
    run()
    assert transform(entity).pose == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("value", [FAR, -1e150, 1.79e308])
def test_components_refuse_what_is_beyond_the_largest_number(value: float) -> None:
    ec.install()
    entity = disk()
    run()
    for part, field in ((transform(entity), "y"), (velocity(entity), "x"), (velocity(entity), "angular")):
        with pytest.raises(ValueError, match=rf"entity {entity}: {type(part).__name__}.{field} must not exceed 1e\+50"):
            setattr(part, field, value)
    with pytest.raises(ValueError, match=r"Transform.y must not exceed 1e\+50"):
        ec.Transform(0.0, value)
    with pytest.raises(ValueError, match=r"positions must not exceed 1e\+50 in magnitude, got .* at \[0, 1\]"):
        ec.spawn(ec.Circle(1.0), [(0.0, value)])
    run()
    assert transform(entity).pose == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("column", ["positions", "velocities", "angles"])
@pytest.mark.parametrize("value", [1e51, 1e150, 1e300, 1.79e308])
def test_a_bad_number_in_a_view_is_refused_by_name_before_anything_moves(column: str, value: float) -> None:
    physics = ec.install()
    bystander, entity = disk(0), disk(5)
    velocity(bystander).x = 1.0
    run()
    place = transform(bystander).x
    cell = getattr(physics, column)[physics.row_of(entity) :][:1]
    before = cell.copy()
    cell[...] = value
    field = {"positions": r"Transform\.x", "velocities": r"Velocity\.x", "angles": r"Transform\.angle"}[column]
    with pytest.raises(ec.PhysicsError, match=rf"entity {entity}: {field} is .*not exceed 1e\+50, angles 1e\+15"):
        run()
    assert transform(bystander).x == place
    cell[...] = before
    run()


@pytest.mark.parametrize("angle", [1e17, 1e22, -1e300])
def test_an_angle_without_a_direction_is_refused(angle: float) -> None:
    ec.install()
    entity = disk()
    run()
    with pytest.raises(ValueError, match=rf"entity {entity}: Transform.angle must not exceed 1e\+15 in magnitude"):
        transform(entity).angle = angle
    with pytest.raises(ValueError, match=r"Transform.angle must not exceed 1e\+15 in magnitude"):
        ec.Transform(0.0, 0.0, angle)


def test_the_largest_angle_gives_a_rotation() -> None:
    physics = ec.install()
    esper.create_entity(ec.Transform(0.0, 0.0, 1e15), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    esper.create_entity(ec.Transform(0.9, 0.0, -1e15), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    run(10)
    assert np.hypot(*physics.pipeline.bodies.arrays.frame[:2, 2:4].T) == pytest.approx(1.0)


def test_a_spin_that_runs_away_is_bounded() -> None:
    ec.install()
    entity, fast = disk(), disk(5)
    esper.add_component(entity, ec.Force(torque=1e6))
    velocity(fast).angular = -1e30
    run(20)
    assert velocity(entity).angular < 1.5 * LARGEST_SPIN
    assert velocity(fast).angular == -LARGEST_SPIN
    esper.remove_component(entity, ec.Force)
    run()
    assert velocity(entity).angular == LARGEST_SPIN


def test_the_distance_to_a_wheel_that_turned_for_hours_is_computed() -> None:
    wheel = ec.Box(2.0, 2.0)
    for turns in (0, 10**6, 10**9):
        angle = 2.0 * math.pi * turns
        assert algorithms.distance(wheel, (0.0, 0.0, angle), wheel, (3.0, 0.0, 0.0)) == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(ValueError, match=r"the angle of pose_a must lie between ±1e\+15 rad, got 2000000000000000.0"):
        algorithms.distance(wheel, (0.0, 0.0, 2e15), wheel, (3.0, 0.0, 0.0))
