"""A heavy ball jerks what it hangs on taut: light links whip round, and nothing may gain energy by that.

The links are zigzags, so that the ball falls or flies freely before it jerks them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import acos, atan2, cos, hypot, sin

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.physics.test_joints import AROUND, GRAVITY, LENGTH, energy
from tests.support.worlds import Game, dynamic, game, static, transform

COUNT = 20
Join = Callable[[int | None, int, tuple[float, float]], object]


def pin(a: int | None, b: int, point: tuple[float, float]) -> object:
    return ec.RevoluteJoint(b, a, point=point)


def limited(a: int | None, b: int, point: tuple[float, float]) -> object:
    return ec.RevoluteJoint(b, a, point=point, lower=-2.6, upper=2.6)


def create_rod_joint(a: int | None, b: int, point: tuple[float, float]) -> object:
    return ec.DistanceJoint(b, a, anchor_a=(0.0, 0.0), anchor_b=point if a is None else (0.0, 0.0))


def slack(join: Join, *, slope: float, ball: float, speed: float) -> list[int]:
    """Links from the origin to a ball of so many times their mass, folded to a third of their length."""
    entities: list[int] = []
    x, y, fold = 0.0, 0.0, acos(1.0 / 3.0)
    for k in range(COUNT):
        way = slope + (fold if k % 2 else -fold)
        u, v = x + LENGTH * cos(way), y + LENGTH * sin(way)
        is_ball = k == COUNT - 1
        mass = ec.RigidBody(mass=ball if is_ball else 1.0)
        entity = dynamic(
            ec.Circle(0.3 * LENGTH), (u, v), (speed * is_ball, 0.0), mass, angle=atan2(v - y, u - x), **AROUND
        )
        esper.create_entity(join(entities[-1] if entities else None, entity, (x, y)))
        entities.append(entity)
        x, y = u, v
    return entities


def most_gained(play: Game, steps: int, scale: float) -> float:
    """Return the greatest rise of the energy above an earlier value, as a fraction of a scale."""
    play.step(dt=1e-9)
    before = energy(play)
    gained = 0.0
    for _ in range(steps):
        play.step()
        gained = max(gained, (energy(play) - before) / scale)
    return gained


@pytest.mark.parametrize("join", [pin, limited, create_rod_joint])
@pytest.mark.parametrize("slope", [-0.6, -0.2, 0.3, 0.9])
@pytest.mark.parametrize("ball", [20.0, 100.0])
def test_a_ball_that_falls_into_its_chain_gains_nothing(join: Join, slope: float, ball: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        entities = slack(join, slope=slope, ball=ball, speed=0.0)
        assert most_gained(play, 480, (ball + COUNT) * 9.81 * COUNT * LENGTH) < 0.005
        assert np.isfinite(transform(entities[-1]).pose).all()


@pytest.mark.parametrize("speed", [5.0, 15.0, 30.0])
def test_a_ball_that_is_thrown_gains_nothing_and_its_chain_holds(speed: float) -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        entities = slack(pin, slope=-0.2, ball=100.0, speed=speed)
        assert most_gained(play, 480, 50.0 * speed**2 + 120.0 * 9.81 * COUNT * LENGTH) < 0.01
        assert hypot(*transform(entities[-1]).position) < COUNT * LENGTH + 0.01


def test_a_ball_that_is_dragged_over_the_ground_gains_nothing() -> None:
    """The tree has contacts for some steps, and none for others."""
    with game(gravity=GRAVITY, sleeping=False) as play:
        entities = slack(limited, slope=0.0, ball=100.0, speed=20.0)
        esper.component_for_entity(entities[-1], ec.Collider).mask = 1
        static(ec.Box(60.0, 1.0), (0.0, transform(entities[-1]).y - 0.5 - 0.3 * LENGTH), friction=0.2)
        assert most_gained(play, 480, 50.0 * 20.0**2) < 0.01


@pytest.mark.parametrize("join", [pin, limited, create_rod_joint])
def test_a_chain_beside_others_moves_as_it_does_alone(join: Join) -> None:
    """The trees share blocks, and the energy guard corrects them in different substeps.

    None flies apart, or all would be projected again.
    """

    def ends(*slopes: float) -> np.ndarray:
        with game(gravity=GRAVITY, sleeping=False) as play:
            first, *_ = [slack(join, slope=slope, ball=5.0, speed=5.0) for slope in slopes]
            play.step(150)
            return np.array([transform(entity).pose for entity in first])

    np.testing.assert_array_equal(ends(0.3), ends(0.3, -0.2, -0.6, 0.9))
