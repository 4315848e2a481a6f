"""Stacks stand and come to rest."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, game, ground, static

G = -9.81
SLOP = 0.005


def rms_speed(play: Game, entities: list[int]) -> float:
    """Root of the mean squared speed [m/s]."""
    return float(
        np.sqrt(np.mean([play.velocity(entity)[0] ** 2 + play.velocity(entity)[1] ** 2 for entity in entities]))
    )


def overlaps(play: Game, boxes: list[int]) -> np.ndarray:
    """Return the overlap of each of a tower's unit boxes with the one below [m]."""
    heights = np.array([play.pose(box)[1] for box in boxes])
    return -np.diff(heights - np.arange(len(boxes)), prepend=0.5)


def test_ten_boxes_stand() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k)) for k in range(10)]
        play.step(600)
        sunk = overlaps(play, boxes)
        assert sunk.min() > -1e-6
        assert sunk.max() < 2.0 * SLOP  # the slop that a contact keeps, and an error of less than that
        assert max(abs(play.pose(box)[0]) for box in boxes) < 0.01
        assert max(abs(play.pose(box)[2]) for box in boxes) < 0.01
        assert rms_speed(play, boxes) < 1e-3


def test_ten_boxes_that_begin_settled_stay() -> None:
    """Stacked with the overlap at which contacts rest."""
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k - SLOP * (k + 1))) for k in range(10)]
        play.step(600)
        assert overlaps(play, boxes).max() < 2.0 * SLOP
        assert max(abs(play.pose(box)[0]) for box in boxes) < 0.01
        assert rms_speed(play, boxes) < 1e-3


@pytest.mark.parametrize("densities", [(1.0, 10.0), (1.0, 1.0, 10.0), (1.0, 10.0, 1.0, 10.0)])
def test_heavy_boxes_stand_on_light_ones(densities: tuple[float, ...]) -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k), density=density) for k, density in enumerate(densities)]
        play.step(600)
        assert overlaps(play, boxes).max() < 3.0 * SLOP
        assert max(abs(play.pose(box)[0]) for box in boxes) < 0.02
        assert rms_speed(play, boxes) < 1e-3


def test_a_pile_of_circles_rests() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        static(ec.HalfPlane((1.0, 0.0), -3.0))
        static(ec.HalfPlane((-1.0, 0.0), -3.0))
        rng = np.random.default_rng(2)
        balls = []
        for k in range(80):
            place = (k % 8 - 3.5) * 0.7 + float(rng.uniform(-0.05, 0.05)), 0.5 + 0.75 * (k // 8)
            balls.append(dynamic(ec.Circle(float(rng.uniform(0.2, 0.32))), place))
        play.step(900)
        contacts = play.physics.contacts
        assert contacts.separation[:, 0].min() > -0.015
        assert -contacts.separation[:, 0].clip(max=0.0).mean() < 0.01
        assert rms_speed(play, balls) < 5e-3
        places = np.array([play.pose(ball) for ball in balls])
        assert abs(places[:, 0]).max() < 2.85
        assert places[:, 1].min() > 0.18


@pytest.mark.parametrize("degrees", [0.0, 15.0, 24.0])
def test_a_box_on_a_slope_does_not_creep(degrees: float) -> None:
    """Friction 0.5 holds it up to 26.6 degrees."""
    slope = math.radians(degrees)
    normal = -math.sin(slope), math.cos(slope)
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground(friction=0.5, angle_normal=normal)
        box = dynamic(ec.Box(1.0, 0.5), (0.25 * normal[0], 0.25 * normal[1]), angle=slope, friction=0.5)
        play.step(300)  # it has sunk into its slop by then
        x, y, angle = play.pose(box)
        play.step(600)
        later_x, later_y, later_angle = play.pose(box)
        assert math.hypot(later_x - x, later_y - y) < 1e-3
        assert abs(later_angle - angle) < 1e-4


def test_a_settled_tower_does_not_wander() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.02 * (-1) ** k, 0.5 + k)) for k in range(5)]
        play.step(600)
        before = np.array([play.pose(box) for box in boxes])
        play.step(1200)
        assert np.abs(np.array([play.pose(box) for box in boxes]) - before).max() < 1e-3


def test_pulling_a_box_out_brings_the_tower_down() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        floor = ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k)) for k in range(3)]
        play.step(60)
        esper.delete_entity(boxes[0])
        play.step(120)
        assert play.physics.touching(floor, boxes[1])
        assert play.pose(boxes[2])[1] == pytest.approx(1.5, abs=4.0 * SLOP)
