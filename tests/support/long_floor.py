"""A long floor of tiles, the single box that it should equal, and bodies to send over them."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable

import numpy as np

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, game, static

G = -9.81
GAP = 1e-4
"""Distance of bodies from the surface at the start [m], never exactly 0."""
COUNT = 50

Floor = Callable[[], object]
Shift = Callable[[int], tuple[float, float]]

BODIES: dict[str, tuple[ec.Shape, float, float]] = {  # half the width and half the height [m]
    "box": (ec.Box(1.0, 1.0), 0.5, 0.5),
    "wide box": (ec.Box(2.3, 1.0), 1.15, 0.5),
    "circle": (ec.Circle(0.5), 0.5, 0.5),
    "capsule": (ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.3), 0.8, 0.3),
    "rounded": (ec.Polygon([(-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)], radius=0.1), 0.5, 0.5),
}
SPEEDS = (2.0, 7.0, 60.0)


def steps_along(speed: float, length: float = 40.0) -> int:
    """Return the number of steps in which a body travels `length` [m] at `speed` [m/s], at most 150."""
    return min(150, int(length / speed / DT))


def turned_place(x: float, y: float, angle: float) -> tuple[float, float]:
    """Return a place turned about the origin by an angle [rad]."""
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def flush(_: int) -> tuple[float, float]:
    """Return no shift: neighbouring tiles share their edges."""
    return 0.0, 0.0


def create_tile_row(
    count: int = COUNT, *, friction: float = 0.5, seed: int = 0, angle: float = 0.0, shift: Shift = flush
) -> list[int]:
    """Create unit tiles with tops at y = 0 from x = 0 on, in shuffled order; return them from left to right."""
    made = {}
    for k in np.random.default_rng(seed).permutation(count).tolist():
        x, y = shift(k)
        made[k] = static(ec.Box(1.0, 1.0), turned_place(k + 0.5 + x, y - 0.5, angle), angle=angle, friction=friction)
    return [made[k] for k in range(count)]


def create_one_box(friction: float = 0.5, angle: float = 0.0) -> None:
    """Create the oracle: one box as long as the row."""
    static(ec.Box(COUNT, 1.0), turned_place(0.5 * COUNT, -0.5, angle), angle=angle, friction=friction)


def paired(friction: float = 0.5) -> None:
    """Create the oracle with a neighbour at its far end."""
    create_one_box(friction)
    static(ec.Box(1.0, 1.0), (COUNT + 0.5, -0.5), friction=friction)


def track(
    floor: Floor,
    shape: ec.Shape,
    position: tuple[float, float],
    velocity: tuple[float, float],
    steps: int,
    *more: ec.Force | ec.RigidBody,
    gravity: tuple[float, float] = (0.0, G),
    angle: float = 0.0,
    angular: float = 0.0,
    friction: float = 0.5,
) -> np.ndarray:
    """Return pose and velocity of a body after each step (steps, 6), on the floor that `floor` creates."""
    with game(gravity=gravity, sleeping=False) as play:
        floor()
        parts = [copy.copy(part) for part in more]
        body = dynamic(shape, position, velocity, *parts, angle=angle, angular=angular, friction=friction)
        rows = []
        for _ in range(steps):
            play.step()
            rows.append(play.pose(body) + play.velocity(body))
        return np.array(rows)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """Return the greatest difference of two arrays."""
    return float(np.abs(a - b).max())
