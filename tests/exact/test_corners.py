"""Balls that pass or graze a corner in the exact response: a miss changes nothing, a hit is that of the closed form."""

from __future__ import annotations

from math import hypot, pi, sqrt
from random import Random

import esper
import pytest

import ecs_collide as ec
from ecs_collide.geometry.rotation import cos_sin
from tests.support.worlds import Game, game

RADIUS = 0.25
WALLS = {
    "box": ec.Box(6.0, 6.0),
    "chain": ec.Chain([(-3.0, 3.0), (3.0, 3.0), (3.0, -3.0)]),
    "segment": ec.Segment((-3.0, 3.0), (3.0, 3.0)),
    "triangle": ec.Polygon([(-3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
}


def shoot_past_corner(
    play: Game, wall: ec.Shape, offset: float, speed: float, random: Random, restitution: float = 1.0
) -> tuple[ec.Velocity, tuple[float, float], tuple[float, float]]:
    """Let a ball pass the upper right corner of a wall, (0, 0), at an `offset` of its centre's line.

    Returns its velocity after that, its direction before, and the unit vector from the corner to its line.
    """
    esper.create_entity(ec.Transform(-3.0, -3.0), ec.Collider(wall, restitution=restitution, friction=0.0))
    away_x, away_y = cos_sin(random.uniform(0.02, 0.6))
    way_x, way_y = away_y, -away_x
    before = random.uniform(1.0, 2.0)
    x, y = away_x * offset - way_x * before, away_y * offset - way_y * before
    velocity = ec.Velocity(speed * way_x, speed * way_y)
    collider = ec.Collider(ec.Circle(RADIUS), restitution=restitution, friction=0.0)
    esper.create_entity(ec.Transform(x, y), velocity, collider)
    play.step(int(60.0 * 3.0 / speed) + 2)
    return velocity, (way_x, way_y), (away_x, away_y)


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
@pytest.mark.parametrize("gap", [1e-9, 1e-6, 0.001, 0.005, 0.015])
def test_a_ball_that_passes_a_corner_keeps_its_velocity_and_sends_nothing(wall: ec.Shape, gap: float) -> None:
    for seed in range(10):
        random = Random(seed)
        speed = random.choice((1.0, 5.0, 40.0))
        with game(gravity=(0.0, 0.0), response="exact") as play:
            velocity, way, _ = shoot_past_corner(play, wall, RADIUS + gap, speed, random)
            assert (velocity.x, velocity.y) == (speed * way[0], speed * way[1])
            assert play.events == []


@pytest.mark.parametrize("wall", ["box", "chain", "segment"])
@pytest.mark.parametrize("depth", [1e-6, 1e-4, 0.001, 0.01, 0.05])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_ball_that_grazes_a_corner_is_reflected_at_the_normal_of_the_touch(
    wall: str, depth: float, restitution: float
) -> None:
    for seed in range(10):
        random = Random(seed)
        speed = random.choice((1.0, 5.0, 40.0))
        with game(gravity=(0.0, 0.0), response="exact") as play:
            offset = RADIUS - depth
            velocity, way, away = shoot_past_corner(play, WALLS[wall], offset, speed, random, restitution)
            along = -sqrt(RADIUS * RADIUS - offset * offset)
            normal_x, normal_y = (away[k] * offset / RADIUS + way[k] * along / RADIUS for k in range(2))
            assert normal_x > 0.0
            assert normal_y > 0.0
            gain = -(1.0 + restitution) * speed * (way[0] * normal_x + way[1] * normal_y)
            wrong = hypot(velocity.x - speed * way[0] - gain * normal_x, velocity.y - speed * way[1] - gain * normal_y)
            assert wrong < 1e-6 * speed


@pytest.mark.parametrize("seed", range(10))
def test_a_ball_that_leaves_a_ledge_loses_no_speed(seed: int) -> None:
    random = Random(seed)
    speed, drop = random.uniform(0.5, 3.0), random.uniform(pi / 2.0, 0.95 * pi)
    down_x, down_y = cos_sin(-drop)
    with game(gravity=(0.0, -10.0), response="exact") as play:
        chain = ec.Chain([(-6.0, 0.0), (0.0, 0.0), (3.0 * down_x, 3.0 * down_y)])
        esper.create_entity(ec.Transform(), ec.Collider(chain, friction=0.0, restitution=0.0))
        velocity = ec.Velocity(speed, 0.0)
        ball = ec.Collider(ec.Circle(RADIUS), friction=0.0, restitution=0.0)
        entity = esper.create_entity(ec.Transform(-1.0, RADIUS), velocity, ball)
        while play.pose(entity)[1] > -0.5 and play.steps < 600:
            play.step()
            assert velocity.x >= speed - 1e-6
        assert play.pose(entity)[1] <= -0.5
