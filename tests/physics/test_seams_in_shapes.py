"""Chains, bitmaps and polygons that are cut into pieces: nothing happens where one piece goes on as the next."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.long_floor import (
    BODIES,
    COUNT,
    GAP,
    SPEEDS,
    G,
    apart,
    create_one_box,
    steps_along,
    track,
    turned_place,
)
from tests.support.worlds import static

over_bodies = pytest.mark.parametrize("name", BODIES)
over_speeds = pytest.mark.parametrize("speed", SPEEDS)

LINE = [(float(k), 0.0) for k in range(41)]
HILL = [(0.0, 0.0), (10.0, -2.0), (20.0, 1.0), (30.0, -1.0), (40.0, 0.0)]


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("parts", ["chain", "segments"])
@over_bodies
@over_speeds
def test_a_straight_chain_from_both_sides(name: str, speed: float, parts: str, side: float) -> None:
    def floor() -> None:
        if parts == "chain":
            static(ec.Chain(LINE), friction=0.0)
        else:
            for k in np.random.default_rng(0).permutation(40).tolist():
                static(ec.Segment(LINE[k], LINE[k + 1]), friction=0.0)

    shape, _, high = BODIES[name]
    start, steps = (5.0, side * (high + GAP)), steps_along(speed, 30.0)
    row = track(floor, shape, start, (speed, 0.0), steps, gravity=(0.0, side * G), friction=0.0)
    assert (row[:, 3] == speed).all()
    assert row[:, 1] == pytest.approx(np.full(steps, side * high), abs=GAP)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("speed", [2.0, 7.0])
@over_bodies
def test_energy_never_rises_above_its_start_on_a_kinked_chain(
    name: str, speed: float, friction: float, side: float
) -> None:
    shape, _, high = BODIES[name]
    angle = math.atan2(-2.0, 10.0)
    off_x, off_y = turned_place(0.0, side * (high + GAP), angle)
    start = 5.0 + off_x, -1.0 + off_y
    row = track(
        lambda: static(ec.Chain(HILL), friction=friction),
        shape,
        start,
        turned_place(speed, 0.0, angle),
        150,
        gravity=(0.0, side * G),
        angle=angle,
        friction=friction,
    )
    properties = shape.mass_properties()
    gyration = properties.second_moment / properties.area
    kinetic = 0.5 * (row[:, 3] ** 2 + row[:, 4] ** 2 + gyration * row[:, 5] ** 2)
    gained = kinetic - side * G * (row[:, 1] - start[1]) - 0.5 * speed**2
    assert gained.max() <= 0.0
    height = side * (row[:, 1] - np.interp(row[:, 0], *np.array(HILL).T))
    assert height.min() > 0.5 * high, "it has not fallen through"


def bitmap_floor(friction: float) -> None:
    mask = np.random.default_rng(3).random((6, COUNT)) < 0.6
    mask[-1] = True
    static(ec.Bitmap(mask, 1.0), (0.0, -6.0), friction=friction)


def comb_floor(friction: float) -> None:
    teeth = [(2.0 * k + x, y) for k in range(25) for x, y in ((0.0, -3.0), (1.0, -3.0), (1.0, -1.0), (2.0, -1.0))]
    static(ec.Polygon([*teeth, (50.0, 0.0), (0.0, 0.0)]), friction=friction)


def compound_floor(friction: float) -> None:
    static(ec.Compound([ec.Box(1.0, 1.0, (k + 0.5, -0.5)) for k in range(COUNT)]), friction=friction)


def overlapping_floor(friction: float) -> None:
    static(ec.Compound([ec.Box(1.5, 1.0, (k + 0.5, -0.5)) for k in range(COUNT)]), friction=friction)


@pytest.mark.parametrize("floor", [bitmap_floor, comb_floor, compound_floor, overlapping_floor])
@over_bodies
@over_speeds
def test_the_pieces_of_one_shape_have_no_seams(name: str, speed: float, floor: Callable[[float], None]) -> None:
    shape, _, high = BODIES[name]
    start, steps = (5.0, high + GAP), steps_along(speed)
    row = track(lambda: floor(0.0), shape, start, (speed, 0.0), steps, friction=0.0)
    assert (row[:, 3] == speed).all()
    assert apart(row, track(lambda: create_one_box(0.0), shape, start, (speed, 0.0), steps, friction=0.0)) < 1e-12
