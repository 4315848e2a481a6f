"""Bodies that a kinematic body presses against a static one stay on its side, in both responses."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

WALLS = {
    "segment": ec.Segment((-8.0, 0.0), (8.0, 0.0)),
    "box": ec.Box(16.0, 0.4),
    "half-plane": ec.HalfPlane(),
    "chain": ec.Chain([(8.0 - 2.0 * k, 0.0) for k in range(9)]),
    "ring": ec.Ring(8.0),
}

STRAIGHT = [name for name in WALLS if name != "ring"]
"""With the exact response a ball that is wedged between a press and the inside of an arc may still be thrown out."""


def random_shape_of_kind(kind: str, size: float, rng: np.random.Generator) -> ec.Shape:
    if kind == "circle":
        return ec.Circle(size / 2)
    if kind == "box":
        return ec.Box(size, size * float(rng.uniform(0.4, 1.0)))
    if kind == "capsule":
        return ec.Capsule((-size / 4, 0.0), (size / 4, 0.0), size / 4)
    count = int(rng.integers(3, 7))
    angles = (np.arange(count) + rng.uniform(-0.25, 0.25, count)) * 2.0 * pi / count
    return ec.Polygon([(size / 2 * cos(angle), size / 2 * sin(angle)) for angle in angles.tolist()])


def least_height(wall: str, kind: str, response: str, seed: int, count: int = 1) -> float:
    """Return the height over the wall of the lowest body under a press that moves to the wall and past it."""
    rng = np.random.default_rng(seed)
    size, speed, thickness = float(rng.uniform(0.2, 1.0)), float(10.0 ** rng.uniform(-0.5, 1.7)), rng.uniform(0.05, 2.0)
    restitution, tilt = float(rng.choice([0.0, 0.5, 1.0])), float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    with game(response=response, gravity=(0.0, float(rng.choice([0.0, -9.81])))) as play:
        static(WALLS[wall], (0.0, {"ring": 8.0, "box": -0.2}.get(wall, 0.0)))
        bodies = [
            esper.create_entity(
                ec.Transform(0.3 * size, (0.6 + 1.1 * k) * size, float(rng.uniform(0.0, 2.0 * pi))),
                ec.Velocity(),
                ec.Collider(random_shape_of_kind(kind, size, rng), restitution=restitution),
            )
            for k in range(count)
        ]
        start = (1.4 + 1.1 * count) * size + thickness + 3.0 * abs(sin(tilt))
        press = esper.create_entity(
            ec.Transform(0.0, start, tilt),
            ec.Velocity(0.0, -speed),
            ec.Collider(ec.Box(6.0, float(thickness)), restitution=restitution),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
        )
        steps = int(min(60.0 * (start + rng.uniform(-0.2, 2.0)) / speed, 300.0)) + 1
        least = float("inf")
        for step in range(steps + 30):
            if step == steps:
                esper.component_for_entity(press, ec.Velocity).y = 0.0
            play.step()
            for x, y, _ in map(play.pose, bodies):
                if abs(x) < 7.0:  # else it has left the wall at its end
                    least = min(least, 8.0 - hypot(x, y - 8.0) if wall == "ring" else y)
        return least


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("kind", ["circle", "box", "capsule", "polygon"])
def test_a_pressed_body_stays_before_the_wall(kind: str, wall: str) -> None:
    for seed in range(6):
        assert least_height(wall, kind, "impulse", seed) > 0.0


@pytest.mark.parametrize("wall", STRAIGHT)
def test_a_pressed_ball_stays_before_the_wall_with_the_exact_response(wall: str) -> None:
    for seed in range(12):
        assert least_height(wall, "circle", "exact", seed) > 0.0


@pytest.mark.parametrize(
    ("response", "wall"), [("impulse", wall) for wall in WALLS] + [("exact", wall) for wall in STRAIGHT]
)
def test_a_press_comes_down_on_three_in_a_row(response: str, wall: str) -> None:
    for seed in (0, 1, 2, 4, 5, 6):  # the press of seed 3 stops inside the wall, with a ball between both
        assert least_height(wall, "circle", response, seed, count=3) > 0.0


@pytest.mark.parametrize(("speed", "gap"), [(60.0, 0.3), (100.0, 0.5), (400.0, 2.0)])
def test_a_rod_that_something_fast_pushes_stops_at_the_wall(speed: float, gap: float) -> None:
    """A rod is stopped at a gap, a negative depth: the sweep of its push must end all the same."""
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Box(0.5, 6.0), (3.0, 0.0))
        rod = esper.create_entity(
            ec.Transform(2.75 - gap, 0.0, pi / 2), ec.Velocity(), ec.Collider(ec.Segment((-0.4, 0.0), (0.4, 0.0)))
        )
        esper.create_entity(
            ec.Transform(0.0, 0.0),
            ec.Velocity(speed, 0.0),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Box(0.5, 3.0)),
        )
        for _ in range(5):
            play.step()
        assert 2.7 < esper.component_for_entity(rod, ec.Transform).x < 2.75


@pytest.mark.parametrize("rate", [-2.0, -6.0])
@pytest.mark.parametrize("height", [8.0, 13.0, 18.0, 25.0])
def test_a_body_that_falls_fast_on_a_sinking_lift_lands_on_it(rate: float, height: float) -> None:
    """In the past the body was only stopped: it hung in the air above the lift, and its speed grew."""
    with game(gravity=(0.0, -10.0)) as play:
        lift = esper.create_entity(
            ec.Transform(0.0, 0.0),
            ec.Velocity(0.0, rate),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Box(10.0, 0.4)),
        )
        box = dynamic(ec.Box(1.0, 1.0), (2.0, height), (0.0, 0.0), ec.RigidBody(lock_rotation=True))
        play.step(300)
        assert play.pose(box)[1] - play.pose(lift)[1] == pytest.approx(0.7, abs=0.005)
        assert play.velocity(box)[1] == pytest.approx(rate, abs=1e-6)
