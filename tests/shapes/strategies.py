"""Hypothesis strategies for shapes and poses."""

import math

from hypothesis import strategies as st

from ecs_collide.validate import Vector2

angles = st.floats(-math.pi, math.pi)
coordinates = st.floats(-100.0, 100.0)
vectors = st.tuples(coordinates, coordinates)
sizes = st.floats(0.01, 10.0)


@st.composite
def convex_outlines(draw: st.DrawFn) -> list[Vector2]:
    """Return 3 to 12 points in counter-clockwise order on an ellipse."""
    steps = draw(st.lists(st.floats(0.2, 1.0), min_size=3, max_size=12))
    width, height, start = draw(sizes), draw(sizes), draw(angles)
    turns = [start + 2.0 * math.pi * sum(steps[:index]) / sum(steps) for index in range(len(steps))]
    center_x, center_y = draw(vectors)
    return [(center_x + width * math.cos(turn), center_y + height * math.sin(turn)) for turn in turns]


def moved_point(point: Vector2, angle: float, offset: Vector2) -> Vector2:
    """Return `point` turned about the origin by `angle`, then moved by `offset`."""
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = point
    return cosine * x - sine * y + offset[0], sine * x + cosine * y + offset[1]


@st.composite
def star_outlines(draw: st.DrawFn) -> list[Vector2]:
    """Return 4 to 16 points around the origin, at any distances, some of them the same: a simple polygon."""
    steps = draw(st.lists(st.floats(0.4, 1.0), min_size=4, max_size=16))
    radii = draw(st.lists(st.sampled_from((0.2, 0.5, 1.0, 2.0)), min_size=len(steps), max_size=len(steps)))
    turns = [2.0 * math.pi * sum(steps[:index]) / sum(steps) for index in range(len(steps))]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for radius, turn in zip(radii, turns, strict=True)]
