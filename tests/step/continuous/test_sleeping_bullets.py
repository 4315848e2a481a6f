"""A bullet that sleeps stops fast bodies as an awake one does."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from ecs_collide.data.bodies import RARE
from tests.support.worlds import Game, dynamic, game

SPEEDS = [14.0, 25.0, 50.0, 100.0, 300.0]
PHASES = 16
STRIP = ec.Box(0.1, 4.0)
WALLS: dict[str, ec.Shape] = {
    "box": STRIP,
    "capsule": ec.Capsule((0.0, -2.0), (0.0, 2.0), 0.05),
    "segment": ec.Segment((0.0, -2.0), (0.0, 2.0)),
    "chain": ec.Chain([(0.0, -2.0), (0.02, 0.0), (0.0, 2.0)]),
    "two boxes": ec.Compound([(ec.Box(0.1, 2.0), (0.0, 1.0, 0.0)), (ec.Box(0.1, 2.0), (0.0, -1.0, 0.0))]),
}


def sleeping_wall(play: Game, shape: ec.Shape, *more: ec.RigidBody) -> int:
    """Create a dynamic wall at the origin that sleeps."""
    wall = dynamic(shape, (0.0, 0.0), (0.0, 0.0), *more)
    play.step(120)
    assert not play.physics.is_awake(wall)
    return wall


def passes(play: Game, wall: int, body: int, steps: int = 200) -> bool:
    """Return True if a body comes from the left of a wall to its right within some steps."""
    for _ in range(steps):
        play.step()
        if play.pose(body)[0] > play.pose(wall)[0] + 0.05:
            return True
    return False


@pytest.mark.parametrize("name", WALLS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_fast_ball_is_stopped_by_a_wall_that_is_a_bullet_and_sleeps(name: str, speed: float) -> None:
    for phase in range(PHASES):
        with game() as play:
            wall = sleeping_wall(play, WALLS[name], ec.RigidBody(bullet=True))
            ball = dynamic(ec.Circle(0.1), (-5.0 - phase * speed / 60.0 / PHASES, 0.0), (speed, 0.0))
            assert not passes(play, wall, ball, 20 + int(400.0 / speed))
            assert play.velocity(wall)[0] > 0.0, "it was hit"


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_wall_becomes_a_bullet_while_it_sleeps(speed: float) -> None:
    with game() as play:
        wall = sleeping_wall(play, STRIP, ec.RigidBody())
        esper.component_for_entity(wall, ec.RigidBody).bullet = True
        play.step(120)
        ball = dynamic(ec.Circle(0.1), (-5.03, 0.0), (speed, 0.0))
        assert not passes(play, wall, ball, 60)


def test_a_sleeping_bullet_among_many_awake_bodies_stops_a_turning_rod() -> None:
    with game() as play:
        wall = sleeping_wall(play, STRIP, ec.RigidBody(bullet=True))
        for k in range(30):
            dynamic(ec.Circle(0.1), (0.3 * k, 30.0), (0.0, 1.0))
        rod = dynamic(ec.Box(0.6, 0.05), (-7.1, 0.0), (170.0, 0.0), angular=20.0)
        assert not passes(play, wall, rod, 40)


CHANGES: dict[str, Callable[[int], object]] = {
    "deleted": lambda wall: esper.delete_entity(wall, immediate=True),
    "kinematic": lambda wall: esper.add_component(wall, ec.RigidBody(ec.BodyKind.KINEMATIC, bullet=True)),
    "static": lambda wall: esper.add_component(wall, ec.RigidBody(ec.BodyKind.STATIC, bullet=True)),
    "no bullet": lambda wall: setattr(esper.component_for_entity(wall, ec.RigidBody), "bullet", False),
    "without rigid body": lambda wall: esper.remove_component(wall, ec.RigidBody),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_world_counts_its_dynamic_bullets(name: str) -> None:
    with game() as play:
        bodies = play.physics.pipeline.bodies
        walls = [dynamic(STRIP, (float(k), 0.0), (0.0, 0.0), ec.RigidBody(bullet=True)) for k in range(2)]
        play.step(120)
        assert bodies.rare_count[RARE.BULLET] == 2
        for left, wall in ((1, walls[0]), (0, walls[1])):
            CHANGES[name](wall)
            play.step()
            assert bodies.rare_count[RARE.BULLET] == left
            assert bodies.has_bullets == (left > 0)
