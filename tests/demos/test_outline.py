"""Shapes are drawn where the engine has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.demos.outline import FAR, clip_to, outline
from ecs_collide.shapes.mass import polygon

SHAPES = [
    ec.Circle(0.7, center=(0.3, -0.2)),
    ec.Capsule((-1.0, 0.2), (0.8, 1.1), 0.4),
    ec.Box(2.0, 0.6, center=(0.5, 1.0), angle=0.4),
    ec.Polygon([(0, 0), (2, 0.2), (1.4, 1.5), (0.1, 1.0)]),
    ec.Polygon([(0, 0), (0.1, 1.0), (1.4, 1.5), (2, 0.2)], radius=0.3),
]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_area_and_centroid_are_those_of_the_shape(shape: ec.Shape) -> None:
    drawn, exact = polygon(outline(shape)), shape.mass_properties()
    assert drawn.area == pytest.approx(exact.area, rel=0.01)
    assert drawn.area <= exact.area * (1.0 + 1e-12)
    assert drawn.centroid == pytest.approx(exact.centroid, abs=0.005)


def test_a_segment_is_its_two_ends() -> None:
    assert outline(ec.Segment((0, 1), (2, 3))).tolist() == [[0, 1], [2, 3]]


def test_a_half_plane_fills_its_side_of_a_view() -> None:
    points = outline(ec.HalfPlane(normal=(3, 4), offset=2.0))
    assert np.abs(points).max() < 2.0 * FAR
    half = clip_to(outline(ec.HalfPlane(normal=(0, 1), offset=0.5)), -1.0, 0.0, 1.0, 2.0)
    assert polygon(half).area == pytest.approx(2.0 * 0.5)
    slope = clip_to(outline(ec.HalfPlane(normal=(-1, 1))), 0.0, 0.0, 1.0, 1.0)
    assert polygon(slope).area == pytest.approx(0.5)


def test_what_lies_outside_a_view_is_not_drawn() -> None:
    assert len(clip_to(outline(ec.Box(1.0, 1.0)), 2.0, 2.0, 3.0, 3.0)) == 0


def test_what_lies_inside_a_view_is_drawn_whole() -> None:
    points = outline(ec.Circle(math.pi))
    assert clip_to(points, -4.0, -4.0, 4.0, 4.0) is points
