"""Bodies land without sinking in: contacts begin before an overlap."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, game, kinematic, static

G = 9.81
SLOP = 0.005
PHASES = 5


def nine_tiles() -> None:
    for k in range(-4, 5):
        static(ec.Box(1.0, 1.0), (k + 0.3, -0.5))


def two_boards() -> None:
    """A dynamic floor that lies on a static one."""
    static(ec.Box(40.0, 1.0), (0.0, -1.5))
    dynamic(ec.Box(20.0, 1.0), (0.0, -0.5), density=20.0)


GROUNDS: dict[str, Callable[[], object]] = {
    "box": lambda: static(ec.Box(40.0, 1.0), (0.0, -0.5)),
    "half-plane": lambda: static(ec.HalfPlane()),
    "chain": lambda: static(ec.Chain([(2.0 - k, 0.0) for k in range(6)])),
    "one-sided chain": lambda: static(ec.Chain([(2.0 - k, 0.0) for k in range(6)], one_sided=True)),
    "segment": lambda: static(ec.Segment((-9.0, 0.0), (9.0, 0.0))),
    "bitmap": lambda: static(ec.Bitmap([[1] * 10], 1.0), (-5.0, -1.0)),
    "tiles": nine_tiles,
    "boards": two_boards,
    "kinematic box": lambda: kinematic(ec.Box(40.0, 1.0), (0.0, -0.5)),
    "one-way box": lambda: static(ec.Box(40.0, 1.0), (0.0, -0.5), one_way=(0.0, 1.0)),
}
BODIES: dict[str, tuple[ec.Shape, float, float]] = {
    "box": (ec.Box(1.0, 1.0), 0.5, 0.0),
    "circle": (ec.Circle(0.5), 0.5, 0.0),
    "capsule": (ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.4), 0.4, 0.0),
    "diamond": (ec.Box(1.0, 1.0), 0.5**0.5, np.pi / 4),
    "compound": (ec.Compound([ec.Box(0.9, 0.8, (-0.45, 0.0)), ec.Box(0.9, 0.8, (0.45, 0.0))]), 0.4, 0.0),
}
"""Shape, height of its middle when it touches the ground, and angle."""


def deepest_landing(play: Game, body: str, speed: float, phase: float) -> float:
    """Drop a body so that it meets the ground in the second step; return its greatest depth within a second [m]."""
    shape, height, angle = BODIES[body]
    start = height + speed * DT * (1.0 + phase)
    entity = dynamic(shape, (0.05, start), (0.0, -speed), ec.RigidBody(lock_rotation=True), angle=angle)
    deepest = 0.0
    for _ in range(60):
        play.step()
        deepest = max(deepest, height - play.pose(entity)[1])
    return deepest


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_what_lands_does_not_sink_in(ground: str, body: str) -> None:
    for speed in (2.0, 6.0, 11.0):
        for phase in range(PHASES):
            with game(gravity=(0.0, -G)) as play:
                GROUNDS[ground]()
                assert deepest_landing(play, body, speed, phase / PHASES) < 1.2 * SLOP


def test_without_continuous_collision_it_does() -> None:
    depths = []
    for phase in range(PHASES):
        with game(gravity=(0.0, -G), continuous=False) as play:
            GROUNDS["box"]()
            depths.append(deepest_landing(play, "box", 11.0, phase / PHASES))
    assert max(depths) > 10.0 * SLOP


@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize("speed", [2.0, 5.0, 9.0])
def test_a_ball_comes_back_at_its_speed(speed: float, unit: float) -> None:
    """Newton: -e v, with v from the height of the fall, less what gravity takes within a step."""
    for phase in range(PHASES):
        with game(gravity=(0.0, -G * unit), length_unit=unit) as play:
            static(ec.Box(40.0 * unit, unit), (0.0, -0.5 * unit), restitution=0.8)
            start = 0.5 + speed * DT * (1.0 + phase / PHASES)
            ball = dynamic(ec.Circle(0.5 * unit), (0.0, start * unit), (0.0, -speed * unit), restitution=0.8)
            fastest, deepest = 0.0, 0.0
            for _ in range(10):
                play.step()
                fastest = max(fastest, play.velocity(ball)[1] / unit)
                deepest = max(deepest, 0.5 - play.pose(ball)[1] / unit)
            fall = (speed**2 + 2.0 * G * (start - 0.5)) ** 0.5
            assert fastest == pytest.approx(0.8 * fall, abs=1.5 * G * DT)
            assert deepest < 1.2 * SLOP


@pytest.mark.parametrize("speed", [1.0, 4.0, 10.0])
def test_two_that_meet_head_on_go_on_together_side_by_side(speed: float) -> None:
    for phase in range(PHASES):
        with game() as play:
            gap = 2.0 * speed * DT * (1.0 + phase / PHASES)
            a = dynamic(ec.Circle(0.5), (-0.5 - 0.5 * gap, 0.0), (speed, 0.0))
            b = dynamic(ec.Box(1.0, 1.0), (0.5 + 0.5 * gap, 0.0), (-speed, 0.0))
            for _ in range(10):
                play.step()
                assert play.pose(b)[0] - play.pose(a)[0] > 1.0 - SLOP
            common = speed * (np.pi / 4 - 1.0) / (np.pi / 4 + 1.0)
            assert play.velocity(a)[0] == pytest.approx(common, abs=0.01 * speed)
            assert [name for _, name, _ in play.events].count("collision_start") == 1


@pytest.mark.parametrize("speed", [1.0, 3.0, 7.0, 12.0])
def test_what_flies_past_is_not_touched(speed: float) -> None:
    """A body passes another one at 1 cm, and wakes nothing."""
    with game() as play:
        tower = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0))
        ball = dynamic(ec.Circle(0.5), (-3.0, 1.01), (speed, 0.0))
        for _ in range(int(6.0 / (speed * DT))):
            play.step()
        assert play.velocity(ball) == (speed, 0.0, 0.0)
        assert play.pose(tower) == (0.0, 0.0, 0.0)
        assert play.events == []


def test_a_body_that_follows_another_one_leaves_it_alone() -> None:
    with game() as play:
        first = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (3.0, 0.0))
        second = dynamic(ec.Box(1.0, 1.0), (-1.05, 0.0), (3.0, 0.0))
        play.step(60)
        assert play.velocity(first)[0] == play.velocity(second)[0] == 3.0
        assert len(esper.get_component(ec.Velocity)) == 2 and play.events == []
