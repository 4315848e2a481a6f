"""The exact response against pymunk at a hundredth and a four-hundredth of the step, as long as chaos allows.

pymunk moves the circles and then looks for overlaps, so it answers an impact up to h late, the length of its own step.
Two balls that meet at a relative speed u are then off by up to (1 + e) u h each along the normal. The turned normal,
and each of their later impacts, add as much again. Four impacts in a row, e <= 1, u at most twice the fastest circle's
speed: 8 u h. And the error has to shrink with h, or it is not pymunk's.
"""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from tests.support import pymunk_oracle
from tests.support.scene import BodyPlan, Scene, run_scene

SIDE = 6.0
STEPS = 30


def wall_plans(solid: bool) -> tuple[BodyPlan, ...]:
    """Four segments around a square, or four half-planes."""
    if solid:
        sides = (((1.0, 0.0), 0.0), ((0.0, 1.0), 0.0), ((-1.0, 0.0), -SIDE), ((0.0, -1.0), -SIDE))
        return tuple(BodyPlan(ec.HalfPlane(normal, offset), static=True) for normal, offset in sides)
    corners = [(0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE)]
    return tuple(
        BodyPlan(ec.Segment(a, b), static=True) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def scene_of_circles(seed: int, count: int, restitution: float, solid: bool) -> Scene:
    """Circles of several sizes and densities, apart from each other, between four walls."""
    rng = np.random.default_rng(seed)
    placed: list[tuple[np.ndarray, float]] = []
    circles: list[BodyPlan] = []
    while len(circles) < count:
        radius = float(rng.uniform(0.25, 0.5))
        place = rng.uniform(radius + 0.05, SIDE - radius - 0.05, 2)
        if any(np.hypot(*(place - other)) < radius + r + 0.05 for other, r in placed):
            continue
        placed.append((place, radius))
        velocity = rng.normal(0.0, 3.0, 2)
        circles.append(
            BodyPlan(
                ec.Circle(radius),
                (float(place[0]), float(place[1])),
                (float(velocity[0]), float(velocity[1])),
                density=float(rng.uniform(0.5, 4.0)),
            )
        )
    return Scene((*wall_plans(solid), *circles), restitution=restitution, steps=STEPS)


@pytest.mark.parametrize("solid", [False, True], ids=["segments", "half-planes"])
@pytest.mark.parametrize("restitution", [1.0, 0.7, 0.0])
@pytest.mark.parametrize(("seed", "count"), [(0, 2), (2, 2), (0, 5), (1, 5), (2, 5), (3, 5)])
def test_circles_in_a_box_move_as_in_pymunk_at_a_hundredth_of_the_step(
    seed: int, count: int, restitution: float, solid: bool
) -> None:
    plan = scene_of_circles(seed, count, restitution, solid)
    exact = run_scene(plan, response="exact")
    assert exact.first_touch
    fastest = max(np.hypot(*body.velocity) for body in plan.bodies)
    errors = []
    for parts in (100, 400):
        peer = pymunk_oracle.run_in_pymunk(plan, substeps=parts, slop=0.1)
        error = np.abs(exact.poses[:, :, :2] - peer.poses[:, :, :2]).max()
        assert error <= 8.0 * (2.0 * fastest) * plan.dt / parts
        errors.append(error)
    assert errors[1] <= 0.6 * errors[0]


@pytest.mark.parametrize("degrees", [0.0, 20.0, 65.0])
@pytest.mark.parametrize("mass_ratio", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("restitution", [1.0, 0.4])
def test_two_circles_part_as_in_pymunk(degrees: float, mass_ratio: float, restitution: float) -> None:
    """An impact off the line of centres: pymunk's normal is turned by up to u h over the sum of the radii."""
    angle = np.radians(degrees)
    bodies = (
        BodyPlan(ec.Circle(0.5), (0.0, 0.0), (5.0, 0.0)),
        BodyPlan(
            ec.Circle(0.5), (float(1.2 + 0.1 * np.cos(angle)), float(np.sin(angle))), (-1.0, 0.0), density=mass_ratio
        ),
    )
    plan = Scene(bodies, restitution=restitution, steps=12)
    exact, peer = run_scene(plan, response="exact"), pymunk_oracle.run_in_pymunk(plan, substeps=100, slop=0.1)
    assert (0, 1) in exact.first_touch
    turned = 6.0 * (plan.dt / 100.0) / 1.0
    slope = max(1.0, np.tan(angle))  # the turn for a distance grows as the impact becomes a graze
    change = np.abs(exact.velocities[-1, :, :2] - [[5.0, 0.0], [-1.0, 0.0]]).max()
    assert change > 0.3
    assert np.abs(exact.velocities - peer.velocities)[-1, :, :2].max() <= 2.0 * turned * slope * 2.0 * 6.0
