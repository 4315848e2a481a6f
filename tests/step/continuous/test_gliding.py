"""Bodies that glide fast along a surface stay on it and keep going."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt
from random import Random

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, game, static

SLOP = 0.005
DEEPEST = 2.5 * SLOP
"""Two slops, and what a contact of the impulse response gives way by."""


def glider(shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float], restitution: float = 0.0) -> int:
    return esper.create_entity(
        ec.Transform(*place), ec.Velocity(*velocity), ec.Collider(shape, friction=0.0, restitution=restitution)
    )


def farthest(play: Game, body: int, steps: int, dt: float) -> tuple[float, float]:
    """Return the greatest distance of a body from the origin, and its path as a share of what its speed promises."""
    far = way = promised = 0.0
    for _ in range(steps):
        x, y, _ = play.pose(body)
        play.step(1, dt=dt)
        end_x, end_y, _ = play.pose(body)
        far, way = max(far, hypot(end_x, end_y)), way + hypot(end_x - x, end_y - y)
        promised += hypot(*play.velocity(body)[:2]) * dt
    return far, way / promised


@pytest.mark.parametrize("speed", [20.0, 40.0, 60.0, 100.0, 200.0])
@pytest.mark.parametrize(("outer", "radius"), [(5.0, 0.2), (5.0, 0.05), (20.0, 0.2)])
def test_a_ball_that_glides_inside_a_ring_stays_there_and_goes_on(outer: float, radius: float, speed: float) -> None:
    """In the past the body sank twice as deep in each step and came out; a plain stop would hold it where it is."""
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Ring(outer), friction=0.0)
        ball = glider(ec.Circle(radius), (0.0, radius - outer), (speed, 0.0))
        far, share = farthest(play, ball, 60, 1.0 / 60.0)
        assert far < outer - radius + DEEPEST
        assert share > 0.9


@pytest.mark.parametrize("dt", [1.0 / 60.0, 1.0 / 240.0])
@pytest.mark.parametrize("speed", [20.0, 60.0, 200.0])
def test_a_ball_that_glides_loses_no_more_than_by_being_turned(speed: float, dt: float) -> None:
    """A contact that turns it by v dt / R in each step takes 1/v² = 1/v₀² + dt t / R²."""
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Ring(5.0), friction=0.0)
        ball = glider(ec.Circle(0.2), (0.0, -4.8), (speed, 0.0))
        play.step(round(1.0 / dt), dt=dt)
        expected = 1.0 / sqrt(1.0 / speed**2 + dt / 4.8**2)
        assert hypot(*play.velocity(ball)[:2]) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("speed", [40.0, 200.0])
def test_an_elastic_ball_in_a_ring_keeps_its_speed(speed: float) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Ring(5.0), friction=0.0, restitution=1.0)
        ball = glider(ec.Circle(0.2), (0.0, -4.8), (speed, 0.0), restitution=1.0)
        far, _ = farthest(play, ball, 60, 1.0 / 60.0)
        assert far < 4.8 + DEEPEST
        assert hypot(*play.velocity(ball)[:2]) == pytest.approx(speed, rel=1e-6)


@pytest.mark.parametrize("speed", [40.0, 100.0, 200.0])
def test_a_ball_in_a_half_pipe_does_not_come_out_below(speed: float) -> None:
    corners = [(-7.0, -7.0), (7.0, -7.0), (7.0, 0.0), (5.0, 0.0), (-5.0, 0.0), (-7.0, 0.0)]
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.ArcPolygon(corners, [0.0, 0.0, 0.0, -1.0, 0.0, 0.0]), friction=0.0)
        ball = glider(ec.Circle(0.2), (-4.79, -0.1), (0.0, -speed))
        for _ in range(60):
            play.step()
            x, y, _ = play.pose(ball)
            assert y > 0.0 or hypot(x, y) < 4.8 + 2.0 * DEEPEST


def test_no_bullet_passes_a_turning_door() -> None:
    """In the past a body that slid along it sank deeper as it turned."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        with game(gravity=(0.0, 0.0)) as play:
            door = esper.create_entity(
                ec.Transform(10.0, 0.0, rng.uniform(-0.5, 0.5)),
                ec.Velocity(0.0, 0.0, rng.uniform(-10.0, 10.0)),
                ec.Collider(ec.Box(0.1, 8.0)),
                ec.RigidBody(ec.BodyKind.KINEMATIC),
            )
            bullet = esper.create_entity(
                ec.Transform(0.0, rng.uniform(-1.0, 1.0)),
                ec.Velocity(10.0 ** rng.uniform(2.0, 3.0), 0.0),
                ec.Collider(ec.Circle(0.05)),
            )
            for _ in range(20):
                play.step()
                (x, y, _), angle = play.pose(bullet), play.pose(door)[2]
                side = (x - 10.0) * cos(angle) + y * sin(angle)
                if abs(y * cos(angle) - (x - 10.0) * sin(angle)) > 3.8:
                    break  # it has left the door at its end
                assert side < 0.0, seed


def drum(kind: str, radius: float) -> ec.Shape:
    if kind == "chain":
        angles = np.arange(24) * (pi / 12.0)
        return ec.Chain([(radius * cos(angle), radius * sin(angle)) for angle in angles.tolist()], loop=True)
    angles = np.arange(8) * (pi / 4.0)
    plank = ec.Box(0.04 * radius, 0.84 * radius)
    return ec.Compound([(plank, (radius * cos(angle), radius * sin(angle), angle)) for angle in angles.tolist()])


@pytest.mark.parametrize(("radius", "spin"), [(1.0, 12.0), (5.0, 8.0)])
@pytest.mark.parametrize("kind", ["chain", "boxes"])
def test_nothing_leaves_a_turning_drum(kind: str, radius: float, spin: float) -> None:
    random = Random(1)
    with game(gravity=(0.0, -10.0)) as play:
        esper.create_entity(
            ec.Transform(),
            ec.Velocity(0.0, 0.0, spin),
            ec.Collider(drum(kind, radius), friction=0.5),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
        )
        shapes = ec.Circle(0.06 * radius), ec.Box(0.1 * radius, 0.1 * radius)
        for k in range(30):
            place = ec.Transform(random.uniform(-0.4, 0.4) * radius, random.uniform(-0.4, 0.4) * radius)
            esper.create_entity(place, ec.Velocity(), ec.Collider(shapes[k % 2]))
        for _ in range(300):
            play.step()
            assert np.hypot(*play.physics.positions.T).max() < 1.1 * radius
