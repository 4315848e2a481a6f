"""Rolling on arcs and rolling arcs: periods of physical pendulums, speed kept over smooth joins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, game, ground, static

GRAVITY = 9.81


def period(values: list[float]) -> float:
    """Mean time between falling zeros [s]."""
    track = np.array(values)
    falls = np.flatnonzero((track[:-1] > 0.0) & (track[1:] <= 0.0))
    times = falls + track[falls] / (track[falls] - track[falls + 1])
    assert len(times) > 2
    return float(np.diff(times).mean() * DT)


def bowl(radius: float) -> ec.ArcPolygon:
    """A block with a round hollow about the origin."""
    half, low = radius * math.sin(0.8), -radius * math.cos(0.8)
    outline = [(-half - 1.0, -radius - 1.0), (half + 1.0, -radius - 1.0), (half + 1.0, low), (half, low), (-half, low)]
    return ec.ArcPolygon([*outline, (-half - 1.0, low)], [0.0, 0.0, 0.0, -math.tan(0.4), 0.0, 0.0])


@pytest.mark.parametrize(("radius", "ball"), [(5.0, 0.5), (3.0, 0.5), (4.0, 1.0)])
@pytest.mark.parametrize("hollow", ["ring", "bowl"])
@pytest.mark.parametrize("friction", [0.0, 1.0])
def test_a_ball_swings_in_a_hollow(radius: float, ball: float, hollow: str, friction: float) -> None:
    """A disk that rolls counts for half as much again as one that slides: T = 2π sqrt(1.5 (R - r) / g)."""
    length = radius - ball
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        static(ec.Ring(radius) if hollow == "ring" else bowl(radius), friction=friction)
        start = length * math.sin(0.05), -length * math.cos(0.05)
        body = dynamic(ec.Circle(ball), start, friction=friction)
        places = []
        for _ in range(900):
            play.step()
            places.append(play.pose(body)[0])
            assert math.hypot(*play.pose(body)[:2]) == pytest.approx(length, abs=0.006)
        weight = 1.5 if friction > 0.0 else 1.0
        assert period(places) == pytest.approx(2.0 * math.pi * math.sqrt(weight * length / GRAVITY), rel=0.01)


@pytest.mark.parametrize("half_angle", [0.5 * math.pi, math.pi / 3.0, 1.0, 2.2])
def test_a_sector_rocks_on_the_ground(half_angle: float) -> None:
    """T = 2π sqrt((k² + (R - d)²) / (g d)), with d from the arc's centre to the centroid, k the radius of gyration."""
    shape = ec.Sector(1.0, half_angle, -0.5 * math.pi)
    properties = shape.mass_properties()
    d = -properties.centroid[1]
    square = properties.second_moment / properties.area
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        ground(friction=1.0)
        body = dynamic(shape, (0.0, 1.0), angle=0.05, friction=1.0)
        angles = []
        for _ in range(600):
            play.step()
            angles.append(play.pose(body)[2])
        assert period(angles) == pytest.approx(
            2.0 * math.pi * math.sqrt((square + (1.0 - d) ** 2) / (GRAVITY * d)), rel=0.01
        )


def rims(play: Game, body: int) -> list[float]:
    vx, vy, _ = play.velocity(body)
    return [vx, vy]


@pytest.mark.parametrize("speed", [2.0, 6.0])
def test_a_ball_slides_over_the_join_of_a_straight_and_an_arc_without_loss(speed: float) -> None:
    """From the flat top of a stadium's arch on to its arc, without gravity: nothing happens at the join."""
    arch = ec.ArcPolygon([(-6.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-6.0, 1.0)], [0.0, 1.0, 0.0, 0.0])
    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        static(arch, friction=0.0)
        body = dynamic(ec.Circle(0.3), (-4.0, 1.3005), (speed, 0.0), friction=0.0)
        while play.pose(body)[0] < 5.0:
            play.step()
        assert rims(play, body) == pytest.approx([speed, 0.0], abs=1e-6 * speed)


def test_a_ball_slides_over_the_parts_of_an_inward_arc_without_loss() -> None:
    """A quarter pipe that begins flush with the floor: up and back, with the energy that it had."""
    pipe = ec.ArcPolygon(
        [(-6.0, 0.0), (0.0, 0.0), (3.0, 3.0), (3.0, -1.0), (-6.0, -1.0)], [0.0, -math.tan(math.pi / 8.0), 0.0, 0.0, 0.0]
    )
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        static(pipe, friction=0.0)
        body = dynamic(ec.Circle(0.2), (-3.0, 0.2), (4.0, 0.0), friction=0.0)
        play.step(40)
        before = play.velocity(body)[0]
        assert before == pytest.approx(4.0, rel=1e-9), "no loss on the flat"
        highest = 0.0
        for _ in range(240):
            play.step()
            highest = max(highest, play.pose(body)[1] - 0.2)
            if play.velocity(body)[0] < 0.0 and play.pose(body)[0] < -1.0:
                break
        assert highest == pytest.approx(before**2 / (2.0 * GRAVITY), rel=0.05)
        assert abs(play.velocity(body)[0]) == pytest.approx(before, rel=0.05)
