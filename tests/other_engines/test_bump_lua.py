"""bump.lua, spec: rectangles that move against rectangles, with the time, place and side of the first touch.

Rectangles are (left, top, width, height) and y points down, as there.
"""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

Point = tuple[float, float]
Rect = tuple[float, float, float, float]


def box_and_place(rect: Rect) -> tuple[ec.Box, tuple[float, float, float]]:
    left, top, width, height = rect
    return ec.Box(width, height), (left + width / 2, top + height / 2, 0.0)


def first_touch(item: Rect, other: Rect, goal: Point) -> tuple[float, Point, Point] | None:
    """Return the time of the first touch, the left and top of the item there, and the normal; None for no touch."""
    physics = ec.install()
    shape, place = box_and_place(other)
    esper.create_entity(ec.Transform(*place), ec.Collider(shape))
    moving, (x, y, _) = box_and_place(item)
    way_x, way_y = goal[0] - item[0], goal[1] - item[1]
    hit = physics.shape_cast(moving, (x, y, 0), (x + way_x, y + way_y, 0))
    if hit is None:
        return None
    return hit.fraction, (item[0] + hit.fraction * way_x, item[1] + hit.fraction * way_y), hit.normal


@pytest.mark.parametrize("goal", [(0, 0), (0, 1)], ids=["static", "moving"])
def test_rectangles_that_do_not_meet(goal: Point) -> None:
    """bump.lua, rect_spec: when itemRect does not intersect otherRect, static and moving."""
    assert first_touch((0, 0, 1, 1), (5, 5, 1, 1), goal) is None


def test_rectangles_that_overlap() -> None:
    """bump.lua, rect_spec: when itemRect overlaps otherRect; World_spec: add returns the collisions."""
    (a, place_a), (b, place_b) = box_and_place((0, 0, 7, 6)), box_and_place((5, 5, 1, 1))
    found = ec.manifold(a, place_a, b, place_b)
    assert found is not None
    assert found.normal == (0.0, 1.0)
    assert min(found.separations) == -1.0


@pytest.mark.parametrize(
    ("item", "other", "goal", "time", "normal"),
    [
        ((1, 1, 1, 1), (5, 0, 1, 1.5), (6, 1), 0.6, (-1, 0)),
        ((6, 0, 1, 1), (1, 0, 1, 1), (1, 0.5), 0.8, (1, 0)),
        ((0, 0, 1, 1), (0, 4, 1, 1), (0, 5), 0.6, (0, -1)),
        ((0, 4, 1, 1), (0, 0, 1, 1), (0, -1), 0.6, (0, 1)),
    ],
    ids=["left", "right", "top", "bottom"],
)
def test_a_rectangle_that_moves_into_another(item: Rect, other: Rect, goal: Point, time: float, normal: Point) -> None:
    """bump.lua, rect_spec: detects collisions from the left, right, top and bottom; sideways ways are shortened."""
    found = first_touch(item, other, goal)
    assert found is not None
    assert found[0] == pytest.approx(time, abs=1e-9)
    assert found[2] == normal


@pytest.mark.parametrize(
    ("start", "touch", "normal"),
    [
        ((-3, 3), (-2, 3), (-1, 0)),
        ((9, 3), (8, 3), (1, 0)),
        ((3, -3), (3, -2), (0, -1)),
        ((3, 9), (3, 8), (0, 1)),
    ],
    ids=["left", "right", "top", "bottom"],
)
def test_where_a_rectangle_stops_on_its_way_into_another(start: Point, touch: Point, normal: Point) -> None:
    """bump.lua, responses_spec: touch on tunnels."""
    found = first_touch((*start, 2, 2), (0, 0, 8, 8), (3, 3))
    assert found is not None
    assert found[1] == pytest.approx(touch, abs=1e-8)
    assert found[2] == normal


@pytest.mark.parametrize(("goal", "touch", "normal"), [((1, 4), (7, 8), (0, 1)), ((4, 1), (8, 7), (1, 0))])
def test_where_a_rectangle_stops_on_a_slanted_way(goal: Point, touch: Point, normal: Point) -> None:
    """bump.lua, responses_spec: slides over tunnels and bounces over tunnels, the places of the touches."""
    found = first_touch((10, 10, 2, 2), (0, 0, 8, 8), goal)
    assert found is not None
    assert found[1] == pytest.approx(touch, abs=1e-8)
    assert found[2] == normal


def test_corner_against_corner() -> None:
    """bump.lua, responses_spec: perfect corner case, the place of the touch."""
    found = first_touch((10, 10, 2, 2), (0, 0, 8, 8), (1, 1))
    assert found is not None
    assert found[1] == pytest.approx((8, 8), abs=1e-8)


@pytest.mark.parametrize(
    ("goal", "end"), [((1, 4), (1, 8)), ((4, 1), (8, 1))], ids=["along the bottom", "along the right"]
)
def test_a_character_slides_along_a_rectangle(goal: Point, end: Point) -> None:
    """bump.lua, responses_spec: slides over tunnels, the places at the end."""
    physics = ec.install()
    shape, place = box_and_place((0, 0, 8, 8))
    esper.create_entity(ec.Transform(*place), ec.Collider(shape))
    moving, (x, y, _) = box_and_place((10, 10, 2, 2))
    character = esper.create_entity(
        ec.Transform(x, y), ec.Collider(moving), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Velocity()
    )
    physics.move_and_slide(character, (goal[0] - 10, goal[1] - 10), 1.0, up=None)
    stop = esper.component_for_entity(character, ec.Transform).position
    assert (stop[0] - 1, stop[1] - 1) == pytest.approx(end, abs=0.03)


@pytest.mark.parametrize(
    ("item", "depth", "normal"),
    [
        ((3, -1), 1, (0, 1)),
        ((-1, 3), 1, (1, 0)),
        ((7, 3), 1, (-1, 0)),
        ((3, 7), 1, (0, -1)),
    ],
    ids=["2", "4", "6", "8"],
)
def test_the_shortest_way_out_of_a_rectangle(item: Point, depth: float, normal: Point) -> None:
    """bump.lua, responses_spec: touch on overlaps without movement, the four sides; 4 and 6 are sideways here."""
    (a, place_a), (b, place_b) = box_and_place((*item, 2, 2)), box_and_place((0, 0, 8, 8))
    found = ec.manifold(a, place_a, b, place_b)
    assert found is not None
    assert found.normal == normal
    assert min(found.separations) == -depth
