"""Sensors overlap whole solids: cuts and covered edges do not count."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import game

SOLID: dict[str, ec.Shape] = {
    "ell": ec.Polygon([(0.0, 0.0), (0.9, 0.0), (0.9, 0.3), (0.3, 0.3), (0.3, 0.9), (0.0, 0.9)]),
    "U": ec.Bitmap([[1, 0, 1], [1, 0, 1], [1, 1, 1]], 0.3),
    "stairs": ec.Bitmap([[1, 0, 0], [1, 1, 0], [1, 1, 1]], 0.3),
    "flush": ec.Compound([(ec.Box(0.4, 0.4), (-0.2, 0.0, 0.0)), (ec.Box(0.4, 0.4), (0.2, 0.0, 0.0))]),
    "arcs": ec.ArcPolygon([(-0.4, -0.3), (0.4, -0.3), (0.4, 0.3), (-0.4, 0.3)], [-0.5, 0.4, -0.5, 0.4]),
    "vee": ec.Chain([(-0.5, 0.2), (0.0, -0.2), (0.5, 0.2)]),
    "reflex": ec.Sector(0.5, 2.4),
}
UNBOUNDED: dict[str, ec.Shape] = {"ring": ec.Ring(1.0), "half-plane": ec.HalfPlane((0.6, 0.8), 0.1)}
WALKERS: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.2),
    "box": ec.Box(0.5, 0.3),
    "capsule": ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.1),
    "segment": ec.Segment((-0.4, 0.0), (0.4, 0.1)),
    **{name: SOLID[name] for name in ("ell", "stairs", "arcs")},
}
TOUCH = 1e-9
"""Distances [m] that rounding may put on either side."""

SPREAD = 10.0
"""Bodies of one case are this far from those of the next [m]."""

over_solids = pytest.mark.parametrize("name", [*SOLID, *UNBOUNDED])
over_walkers = pytest.mark.parametrize("walker", WALKERS)
either_senses = pytest.mark.parametrize("sensor", [0, 1])


@over_solids
@over_walkers
@either_senses
def test_a_sensor_touches_exactly_what_it_overlaps(name: str, walker: str, sensor: int) -> None:
    one, other = {**SOLID, **UNBOUNDED}[name], WALKERS[walker]
    random = np.random.default_rng(1)
    is_endless = name in UNBOUNDED
    with game(gravity=(0.0, 0.0)) as play:
        cases = []
        for k in range(50):
            place = np.array((0.0, 0.0) if is_endless else (SPREAD * (k % 10), SPREAD * (k // 10)))
            poses = (*place, 0.4), (*(place + random.uniform(-1.2, 1.2, 2)), random.uniform(-3.0, 3.0))
            if k == 0 or not is_endless:
                fixed = esper.create_entity(
                    ec.Transform(*poses[0]), ec.Collider(one, sensor=sensor == 0, layer=1, mask=2)
                )
            moving = esper.create_entity(
                ec.Transform(*poses[1]), ec.Velocity(), ec.Collider(other, sensor=sensor == 1, layer=2, mask=1)
            )
            cases.append((fixed, moving, poses))
        play.step(1)
        for fixed, moving, (pose_a, pose_b) in cases:
            distance = ec.distance(one, pose_a, other, pose_b)
            if abs(distance) > TOUCH:
                assert play.physics.touching(fixed, moving) == (distance < 0.0), (pose_a, pose_b)
                assert ec.overlap(one, pose_a, other, pose_b) == (distance < 0.0)


@pytest.mark.parametrize("name", SOLID)
@pytest.mark.parametrize("walker", ["circle", "box", "stairs"])
@either_senses
def test_the_events_of_a_path_through_a_solid_are_complete(name: str, walker: str, sensor: int) -> None:
    """Steps of 4 mm, which is less than what would let a manifold be kept: enters and exits as the distance says."""
    one, other = SOLID[name], WALKERS[walker]
    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        fixed = esper.create_entity(ec.Transform(0.0, 0.0, 0.3), ec.Collider(one, sensor=sensor == 0))
        transform = ec.Transform(-1.0, -0.3, 0.0)
        moving = esper.create_entity(transform, ec.Velocity(0.24, 0.1, 0.2), ec.Collider(other, sensor=sensor == 1))
        changes, was = [], False
        for _ in range(500):
            pose = transform.pose
            play.step(1)
            distance = ec.distance(one, (0.0, 0.0, 0.3), other, pose)
            if abs(distance) > TOUCH:
                assert play.physics.touching(fixed, moving) == (distance < 0.0)
            if (distance < 0.0) != was:
                was = not was
                changes.append("sensor_enter" if was else "sensor_exit")
        assert changes
        assert [event for _, event, _ in play.events] == changes


def test_a_disk_around_the_centre_of_a_smaller_ring_is_sensed() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        ring = esper.create_entity(ec.Transform(), ec.Collider(ec.Ring(1.0), sensor=True))
        disk = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1.1)))
        play.step(1)
        assert play.physics.touching(ring, disk)


def test_a_box_that_turns_slowly_over_a_sensor_s_corner_is_reported_at_once() -> None:
    """The body turns by less in a step than would make a usual pair compute a new manifold."""
    box = ec.Box(2.0, 0.1)
    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        fixed = esper.create_entity(ec.Transform(0.9, 0.1), ec.Collider(ec.Box(0.1, 0.1), sensor=True))
        transform = ec.Transform(0.0, -0.08)
        moving = esper.create_entity(transform, ec.Velocity(0.0, 0.0, 0.06), ec.Collider(box))
        for _ in range(150):
            pose = transform.pose
            play.step(1)
            inside = ec.distance(ec.Box(0.1, 0.1), (0.9, 0.1, 0.0), box, pose) < 0.0
            assert play.physics.touching(fixed, moving) == inside
        assert inside
        assert not math.isclose(pose[2], 0.0)
