"""Draw the figures of shapes.md: the pieces of shapes, and contacts that the engine finds with them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from draw_style import ACCENT, INK, NO, REGION_COLOURS, YES, arrow, circle, dot, line, panels, store, text, window
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

import ecs_collide as ec
from ecs_collide.shapes import outline as fields
from ecs_collide.shapes.outline import OUTLINE

HERE = (0.0, 0.0, 0.0)
COMB = ec.Polygon(
    [(-1.2, -0.6), (1.2, -0.6), (1.2, 0.7), (0.7, 0.7), (0.5, 0.0), (-0.1, 0.0), (-0.3, 0.7), (-1.2, 0.5)]
)
BANK = ec.ArcPolygon(
    [(-1.3, -0.7), (1.3, -0.7), (1.3, 0.6), (0.9, 0.6), (-0.5, 0.6), (-1.3, 0.6)],
    [0.0, 0.0, 0.0, -1.0, math.tan(math.pi / 8.0), 0.0],
)
HOUSE = ec.Bitmap([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]], 0.45)


def arc(center: Any, start: Any, end: Any, clockwise: bool) -> Any:
    """Return points on the arc around `center` from `start` to `end` (40, 2)."""
    radius = math.hypot(*(start - center))
    first = math.atan2(*(start - center)[::-1])
    turn = math.atan2(*(end - center)[::-1]) - first
    turn = -((-turn) % (2.0 * math.pi)) if clockwise else turn % (2.0 * math.pi)
    angles = first + turn * np.linspace(0.0, 1.0, 40)
    return center + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)


def edges(piece: Any) -> Iterable[tuple[Any, bool]]:
    """Return points along each edge and arc of a piece, and True if it is exposed to contacts."""
    count = len(piece.vertices)
    for k, (vertex, row) in enumerate(zip(piece.vertices, piece.outline, strict=True)):
        after = piece.vertices[(k + 1) % count]
        if row[OUTLINE.CORNER_RADIUS] > 0.0:
            yield arc(vertex, piece.vertices[k - 1], after, False), True
        elif row[OUTLINE.ARC_RADIUS] > 0.0:
            yield arc(row[OUTLINE.ARC_X : OUTLINE.ARC_Y + 1], vertex, after, True), row[OUTLINE.EDGE] == fields.EXPOSED
        elif row[OUTLINE.EDGE] != fields.ZERO_LENGTH:
            yield np.array([vertex, after]), row[OUTLINE.EDGE] == fields.EXPOSED


def pieces(axis: Axes, shape: ec.Shape) -> None:
    """Draw each piece in its own colour, exposed edges in green and hidden ones in dotted red."""
    for number, piece in enumerate(shape.pieces()):
        parts = list(edges(piece))
        rim = np.concatenate([points for points, _ in parts])
        axis.add_patch(Polygon(rim, facecolor=REGION_COLOURS[number % len(REGION_COLOURS)], lw=0))
        for points, is_open in parts:
            style = {"color": YES, "lw": 2.0} if is_open else {"color": NO, "lw": 1.0, "ls": ":"}
            axis.plot(points[:, 0], points[:, 1], **style)


def contact(axis: Axes, shape: ec.Shape, ball: ec.Circle, x: float, y: float) -> None:
    """Draw a ball at a place, and the contact that the engine finds."""
    circle(axis, x, y, ball.radius, INK)
    found = ec.manifold(shape, HERE, ball, (x, y, 0.0))
    assert found is not None
    for px, py in found.points:
        dot(axis, px, py, ACCENT)
        arrow(axis, (px, py), (px + 0.45 * found.normal[0], py + 0.45 * found.normal[1]), ACCENT)


def draw_polygons() -> None:
    left, right = panels(2)
    for axis in (left, right):
        window(axis, -1.5, -0.9, 1.5, 1.5)
    pieces(left, COMB)
    text(left, 0.0, 1.35, "13: convex pieces; covered edges are dotted")
    pieces(right, COMB)
    contact(right, COMB, ec.Circle(0.25), 0.2, 0.249)
    contact(right, COMB, ec.Circle(0.25), -0.75, 0.84)
    text(right, 0.0, 1.35, "and no contact knows of them")
    store("shapes_polygon")


def draw_arcs() -> None:
    left, right = panels(2)
    window(left, -1.5, -1.1, 1.6, 1.5)
    window(right, -1.5, -0.9, 1.5, 1.3)
    for k, (half_angle, direction) in enumerate(((0.5 * math.pi, 0.5 * math.pi), (0.25 * math.pi, 0.25 * math.pi))):
        shape = ec.Compound([(ec.Sector(0.8, half_angle, direction), (1.3 * k - 0.6, 0.0, 0.0))])
        pieces(left, shape)
    contact(
        left,
        ec.Compound([(ec.Sector(0.8, 0.5 * math.pi, 0.5 * math.pi), (-0.6, 0.0, 0.0))]),
        ec.Circle(0.2),
        -0.9,
        0.945,
    )
    pieces(left, ec.Compound([(ec.Sector(0.5, 2.4, 0.0), (0.0, -0.55, 0.0))]))
    text(left, 0.0, 1.35, "14: semi-, quarter- and reflex sectors")
    pieces(right, BANK)
    contact(right, BANK, ec.Circle(0.25), 0.2 + 0.45 * math.cos(-2.0), 0.6 + 0.45 * math.sin(-2.0) - 0.004)
    text(right, 0.0, 1.15, "15: arcs that bend in and out")
    store("shapes_arcs")


def draw_bitmap() -> None:
    left, right = panels(2)
    for axis in (left, right):
        window(axis, -0.4, -0.4, 2.7, 2.8)
    pieces(left, HOUSE)
    text(left, 1.1, 2.65, "16: cells, as few rectangles")
    for points in HOUSE.outlines():
        for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
            line(right, start, end, YES, lw=2.0)
    contact(right, HOUSE, ec.Circle(0.3), 1.125, 2.095)
    contact(right, HOUSE, ec.Circle(0.17), 1.125, 0.284)
    text(right, 1.1, 2.65, "and the outline traced from them")
    store("shapes_bitmap")


draw_polygons()
draw_arcs()
draw_bitmap()
