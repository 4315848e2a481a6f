"""Hollow drums of dynamic boxes that are welded to a ring, and bullets inside them."""

from __future__ import annotations

from math import cos, hypot, pi, sin, tan

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import game

WALLS, RADIUS = 16, 3.0


def build_ring(spin: float, thickness: float, density: float) -> list[int]:
    """Make a ring that turns at `spin` [rad/s] in free space; return its walls."""
    length = 2.04 * (RADIUS + 0.5 * thickness) * tan(pi / WALLS)
    walls = []
    for k in range(WALLS):
        angle = 2.0 * pi * k / WALLS
        x, y = RADIUS * cos(angle), RADIUS * sin(angle)
        walls.append(
            esper.create_entity(
                ec.Transform(x, y, angle),
                ec.Velocity(-spin * y, spin * x, spin),
                ec.Collider(ec.Box(thickness, length), density=density, friction=0.6),
                ec.RigidBody(gravity_scale=0.0),
            )
        )
    for a, b in zip(walls, (*walls[1:], walls[0]), strict=True):
        esper.create_entity(ec.WeldJoint(a, b))
    return walls


@pytest.mark.parametrize(("thickness", "size", "density"), [(0.3, 0.25, 1.0), (0.2, 0.2, 1.0), (0.3, 0.25, 5.0)])
@pytest.mark.parametrize("spin", [6.0, 12.0, 20.0])
def test_no_bullet_leaves_a_welded_ring_that_turns(spin: float, thickness: float, size: float, density: float) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        walls = build_ring(spin, thickness, density)
        balls = []
        for k in range(12):
            angle, distance = pi * k / 6.0, 1.2 + 0.4 * (k % 2)
            balls.append(
                esper.create_entity(
                    ec.Transform(distance * cos(angle), distance * sin(angle)),
                    ec.Velocity(),
                    ec.Collider(ec.Circle(size), friction=0.6),
                    ec.RigidBody(bullet=True),
                )
            )
        for _ in range(240):
            play.step()
            places = [play.pose(wall) for wall in walls]
            x, y = (sum(place[axis] for place in places) / WALLS for axis in range(2))
            for ball in balls:
                ball_x, ball_y, _ = play.pose(ball)
                assert hypot(ball_x - x, ball_y - y) < RADIUS
            for place in places:
                assert abs(hypot(place[0] - x, place[1] - y) - RADIUS) < 0.1
