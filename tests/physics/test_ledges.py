"""Bodies that slide off a corner of lines: the line that goes down from the corner gives them no sideways normal."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, kinematic, static

GREATEST_LOSS = 0.01
"""Largest loss of speed that counts as none [m/s]."""

BODIES = {
    "tall box": (ec.Box(0.6, 1.2), 0.6),
    "small box": (ec.Box(0.1, 0.1), 0.05),
    "circle": (ec.Circle(0.3), 0.3),
    "capsule": (ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.2), 0.2),
    "rod": (ec.Segment((-0.4, 0.0), (0.4, 0.0)), 0.003),
    "hook": (ec.Compound([ec.Segment((-0.3, 0.0), (0.3, 0.0)), ec.Segment((0.3, 0.0), (0.3, 0.6))]), 0.003),
}
"""Shape, and height of its origin over the floor [m]."""


def tip(drop: float) -> tuple[float, float]:
    """Return the lower end of a line that goes down from the origin by an angle [degrees]."""
    return 3.0 * math.cos(math.radians(drop)), -3.0 * math.sin(math.radians(drop))


def make_chain(drop: float) -> None:
    static(ec.Chain([(-6.0, 0.0), (0.0, 0.0), tip(drop)]), friction=0.0)


def make_reversed_chain(drop: float) -> None:
    static(ec.Chain([tip(drop), (0.0, 0.0), (-6.0, 0.0)]), friction=0.0)


def make_loop(drop: float) -> None:
    x, y = tip(drop)
    static(ec.Chain([(-6.0, 0.0), (0.0, 0.0), (x, y), (x - 6.0, y)], loop=True), friction=0.0)


def make_segments(drop: float) -> None:
    static(ec.Segment((-6.0, 0.0), (0.0, 0.0)), friction=0.0)
    static(ec.Segment((0.0, 0.0), tip(drop)), friction=0.0)


def make_kinematic_chain(drop: float) -> None:
    kinematic(ec.Chain([(-6.0, 0.0), (0.0, 0.0), tip(drop)]), velocity=(0.0, 0.2), friction=0.0)


def make_box_and_segment(drop: float) -> None:
    static(ec.Box(6.0, 0.5), (-3.0, -0.25), friction=0.0)
    static(ec.Segment((0.0, 0.0), tip(drop)), friction=0.0)


def make_junction(drop: float) -> None:
    static(ec.Segment((-6.0, 0.0), (6.0, 0.0)), friction=0.0)
    static(ec.Segment((0.0, 0.0), tip(drop)), friction=0.0)


def make_compound(drop: float) -> None:
    static(ec.Compound([ec.Segment((-6.0, 0.0), (0.0, 0.0)), ec.Segment((0.0, 0.0), tip(drop))]), friction=0.0)


def make_compound_junction(drop: float) -> None:
    floor = ec.Segment((-6.0, 0.0), (6.0, 0.0))
    static(ec.Compound([floor, ec.Segment((0.0, 0.0), tip(drop))]), friction=0.0)


LEDGES: dict[str, Callable[[float], None]] = {
    "chain": make_chain,
    "reversed chain": make_reversed_chain,
    "loop": make_loop,
    "segments": make_segments,
    "kinematic chain": make_kinematic_chain,
    "box and segment": make_box_and_segment,
    "junction": make_junction,
    "compound": make_compound,
    "junction in a compound": make_compound_junction,
}


@pytest.mark.parametrize("drop", [90.0, 120.0, 150.0])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("ledge", LEDGES)
def test_nothing_loses_speed_where_a_line_goes_down_from_its_floor(ledge: str, body: str, drop: float) -> None:
    shape, height = BODIES[body]
    for speed in (0.7, 3.0):
        for phase in (0.0, 0.4, 0.8):
            with game(gravity=(0.0, -10.0)) as play:
                LEDGES[ledge](drop)
                entity = dynamic(
                    shape,
                    (-1.0 - phase * speed / 60.0, height),
                    (speed, 0.0),
                    ec.RigidBody(lock_rotation=True),
                    friction=0.0,
                )
                for _ in range(int(90.0 / speed)):
                    play.step()
                    assert play.velocity(entity)[0] > speed - GREATEST_LOSS


@pytest.mark.parametrize("body", [name for name in BODIES if name != "rod"])
def test_nothing_loses_speed_at_the_corners_of_a_chain_that_moves(body: str) -> None:
    """Each link's ends gave normals all round, as if it were alone, so even a disk hopped at each corner."""
    shape, height = BODIES[body]
    with game(gravity=(0.0, -10.0)) as play:
        points = [(-6.0, 0.0), (-0.5, 0.0), (0.0, 0.0), (0.0, -3.0), (-6.0, -3.0)]
        dynamic(ec.Chain(points, loop=True), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=1e9, gravity_scale=0.0))
        entity = dynamic(shape, (-1.5, height), (2.0, 0.0), ec.RigidBody(lock_rotation=True), friction=0.0)
        for _ in range(55):
            play.step()
            assert play.velocity(entity)[0] > 2.0 - GREATEST_LOSS


@pytest.mark.parametrize("ledge", ["chain", "loop", "segments", "junction"])
def test_the_lower_line_still_stops_what_comes_from_its_side(ledge: str) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        LEDGES[ledge](90.0)
        outside = dynamic(ec.Box(0.6, 1.2), (1.5, -0.7), (-2.0, 0.0), friction=0.0)
        inside = dynamic(ec.Box(0.6, 1.2), (-1.5, -0.7), (2.0, 0.0), friction=0.0)
        play.step(90)
        assert play.pose(outside)[0] == pytest.approx(0.3, abs=0.01)
        assert play.pose(inside)[0] == pytest.approx(-0.3, abs=0.01)
