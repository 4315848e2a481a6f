"""Box2D v3, test_shape, test_distance, test_collision and test_dynamic_tree: masses, points, rays and distances."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from ecs_collide.algorithms import closest_point_on_segment

pytestmark = pytest.mark.usefixtures("fresh_world")

ORIGIN = (0.0, 0.0, 0.0)
SQUARE = ec.Box(2, 2)
OFF_CENTRE = ec.Circle(1, (1, 0))
UPRIGHT = ec.Segment((0, 1), (0, -1))


def test_mass_of_a_circle() -> None:
    """Box2D v3, test_shape: ShapeMassTest."""
    mass = OFF_CENTRE.mass_properties()
    assert mass.area == pytest.approx(math.pi, rel=1e-15)
    assert mass.centroid == (1.0, 0.0)
    assert mass.second_moment == pytest.approx(0.5 * math.pi, rel=1e-15)


def test_mass_of_a_box() -> None:
    """Box2D v3, test_shape: ShapeMassTest."""
    mass = SQUARE.mass_properties()
    assert mass.area == 4.0
    assert mass.centroid == (0.0, 0.0)
    assert mass.second_moment == pytest.approx(8 / 3, rel=1e-15)


@pytest.mark.parametrize("corners", [4, 8, 64])
def test_mass_of_a_capsule_lies_between_an_inscribed_hull_and_its_box(corners: int) -> None:
    """Box2D v3, test_shape: ShapeMassTest."""
    turns = [-math.pi / 2 + math.pi * k / (corners - 1) for k in range(corners)]
    right = [(1 + math.cos(turn), math.sin(turn)) for turn in turns]
    inside = ec.Polygon(right + [(-x, -y) for x, y in right]).mass_properties()
    capsule = ec.Capsule((-1, 0), (1, 0), 1).mass_properties()
    around = ec.Box(4, 2).mass_properties()
    assert inside.area < capsule.area < around.area
    assert inside.second_moment < capsule.second_moment < around.second_moment


@pytest.mark.parametrize(
    ("shape", "box"),
    [(OFF_CENTRE, (0, -1, 2, 1)), (SQUARE, (-1, -1, 1, 1)), (UPRIGHT, (0, -1, 0, 1))],
    ids=["circle", "box", "segment"],
)
def test_bounds(shape: ec.Shape, box: tuple[float, float, float, float]) -> None:
    """Box2D v3, test_shape: ShapeAABBTest."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Collider(shape))
    left, low, right, high = box
    beside = [(left - 2, low, left, high), (right, low, right + 2, high), (left, low - 2, right, low)]
    for touching in (*beside, (left, high, right, high + 2)):
        assert physics.aabb_query(touching) == [entity]
    gap = 1e-9
    assert physics.aabb_query((left - 2, low, left - gap, high)) == []
    assert physics.aabb_query((right + gap, low, right + 2, high)) == []
    assert physics.aabb_query((left, high + gap, right, high + 2)) == []


@pytest.mark.parametrize("shape", [OFF_CENTRE, SQUARE], ids=["circle", "box"])
def test_a_point_in_a_shape(shape: ec.Shape) -> None:
    """Box2D v3, test_shape: PointInShapeTest."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Collider(shape))
    assert physics.point_query((0.5, 0.5)) == [entity]
    assert physics.point_query((4, -4)) == []


@pytest.mark.parametrize(
    ("shape", "fraction"), [(OFF_CENTRE, 1 / 2), (SQUARE, 3 / 8), (UPRIGHT, 1 / 2)], ids=["circle", "box", "segment"]
)
def test_a_ray_meets_a_shape_from_the_left(shape: ec.Shape, fraction: float) -> None:
    """Box2D v3, test_shape: RayCastShapeTest."""
    hit = ec.ray_cast(shape, ORIGIN, (-4, 0), (4, 0))
    assert hit == (fraction, (-4 + 8 * fraction, 0.0), (-1.0, 0.0))


RAYS = [
    ("left", (-3, 0), (3, 0), (1 / 3, (-1, 0), (-1, 0))),
    ("right", (3, 0), (-3, 0), (1 / 3, (1, 0), (1, 0))),
    ("bottom", (0, -3), (0, 3), (1 / 3, (0, -1), (0, -1))),
    ("top", (0, 3), (0, -3), (1 / 3, (0, 1), (0, 1))),
    ("above", (-3, 2), (3, 2), None),
    ("beside", (2, -3), (2, 3), None),
    ("parallel outside", (-2, 1.5), (2, 1.5), None),
    ("too short", (-3, 0), (-2.5, 0), None),
    ("ends on the surface", (-2, 0), (-1, 0), (1, (-1, 0), (-1, 0))),
]
"""Name, start and end of a ray, and fraction, point and normal of its hit on a square from -1 to 1."""


@pytest.mark.parametrize(("start", "end", "expected"), [ray[1:] for ray in RAYS], ids=[ray[0] for ray in RAYS])
def test_rays_against_a_box(
    start: tuple[float, float],
    end: tuple[float, float],
    expected: tuple[float, tuple[float, float], tuple[float, float]] | None,
) -> None:
    """Box2D v3, test_collision: AABBRayCastTest, tests 1 to 6, 9, 11 and 13; test_dynamic_tree: TreeRayCastTest."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Collider(SQUARE))
    found, hit = ec.ray_cast(SQUARE, ORIGIN, start, end), physics.ray_cast(start, end)
    if expected is None:
        assert found is None and hit is None
    else:
        assert found is not None and hit is not None
        assert found.fraction == pytest.approx(expected[0], rel=1e-15)
        assert found.point == pytest.approx(expected[1], abs=1e-15)
        assert found.normal == expected[2]
        assert hit == (entity, *found)


def test_a_ray_that_meets_a_corner() -> None:
    """Box2D v3, test_collision: AABBRayCastTest, test 8."""
    hit = ec.ray_cast(SQUARE, ORIGIN, (-2, -2), (2, 2))
    assert hit is not None
    assert hit.fraction == 0.25
    assert hit.normal in ((-1.0, 0.0), (0.0, -1.0))


def test_a_ray_against_a_box_away_from_the_origin() -> None:
    """Box2D v3, test_collision: AABBRayCastTest, test 14."""
    hit = ec.ray_cast(SQUARE, (3, 4, 0), (0, 4), (6, 4))
    assert hit is not None
    assert hit.fraction == pytest.approx(1 / 3, rel=1e-15)
    assert (hit.point, hit.normal) == ((2.0, 4.0), (-1.0, 0.0))


def test_a_ray_that_starts_inside_and_one_without_length_hit_at_once() -> None:
    """Box2D v3, test_dynamic_tree: TreeRayCastTest, tests 7 and 12."""
    for end in ((2, 0), (0, 0)):
        assert ec.ray_cast(SQUARE, ORIGIN, (0, 0), end) == (0.0, (0.0, 0.0), (0.0, 0.0))


def test_a_box_query_finds_the_middle_one_of_three() -> None:
    """Box2D v3, test_dynamic_tree: TreeQueryTest."""
    physics = ec.install()
    three = [esper.create_entity(ec.Transform(x, 0), ec.Collider(SQUARE)) for x in (-4, 0, 4)]
    assert physics.aabb_query((-2, -2, 2, 2)) == [three[1]]
    assert physics.aabb_query((-3, -2, 2, 2)) == three[:2]


def test_a_body_that_was_moved_is_found_only_at_its_new_place() -> None:
    """Box2D v3, test_dynamic_tree: TreeMoveAndEnlargeTest."""
    physics = ec.install()
    entity = esper.create_entity(place := ec.Transform(0.5, 0.5), ec.Collider(ec.Box(1, 1)))
    assert physics.aabb_query((0, 0, 1, 1)) == [entity]
    place.position = 10.5, 10.5
    assert physics.aabb_query((0, 0, 1, 1)) == []
    assert physics.aabb_query((10, 10, 11, 11)) == [entity]


def test_a_grid_that_moves_as_a_whole_is_found_cell_by_cell() -> None:
    """Box2D v3, test_dynamic_tree: TreeGridMovementTest."""
    physics = ec.install()
    cells = [(x + 0.5, y + 0.5) for x in range(20) for y in range(20)]
    entities = ec.spawn(ec.Box(0.5, 0.5), cells)
    for entity, (x, y) in zip(entities, cells, strict=True):
        esper.component_for_entity(entity, ec.Transform).position = x + 10, y + 20
    for entity, (x, y) in zip(entities, cells, strict=True):
        assert physics.point_query((x + 10, y + 20)) == [entity]
    assert physics.aabb_query((0, 0, 9, 19)) == []


def test_boxes_that_are_apart_do_not_overlap() -> None:
    """Box2D v3, test_collision: AABBTest."""
    assert not ec.overlap(SQUARE, ORIGIN, SQUARE, (3, 3, 0))
    with pytest.raises(ValueError, match="no minimum above its maximum"):
        ec.install().aabb_query((-1, -1, -2, -2))


def test_distance_of_two_segments() -> None:
    """Box2D v3, test_distance: SegmentDistanceTest."""
    assert ec.distance(ec.Segment((-1, -1), (-1, 1)), ORIGIN, ec.Segment((2, 0), (1, 0)), ORIGIN) == 2.0
    assert closest_point_on_segment(1, 0, -1, -1, -1, 1) == (-1.0, 0.0, 0.5)
    assert closest_point_on_segment(-1, 0, 2, 0, 1, 0) == (1.0, 0.0, 1.0)


def test_distance_of_a_box_and_a_segment() -> None:
    """Box2D v3, test_distance: ShapeDistanceTest."""
    assert ec.distance(SQUARE, ORIGIN, ec.Segment((2, -1), (2, 1)), ORIGIN) == 1.0


def test_a_segment_moves_into_a_box() -> None:
    """Box2D v3, test_distance: ShapeCastTest and TimeOfImpactTest."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Collider(SQUARE))
    wall = ec.Segment((2, -1), (2, 1))
    assert ec.time_of_impact(SQUARE, ORIGIN, ORIGIN, wall, ORIGIN, (-2, 0, 0)) == pytest.approx(0.5, abs=1e-9)
    hit = physics.shape_cast(wall, ORIGIN, (-2, 0, 0))
    assert hit is not None and hit.entity == entity
    assert hit.fraction == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("half", [0.0016, 0.0002, 1e-6])
def test_a_point_near_the_short_end_of_a_thin_plank_is_apart(half: float) -> None:
    """Box2D v3, test_distance: ShapeDistanceShortEdgeTest and ShapeCastShortEdgeTest."""
    plank, point = ec.Box(1, 2 * half), ec.Circle(1e-12)
    assert ec.distance(plank, ORIGIN, point, (0.505, 0, 0)) == pytest.approx(0.005, abs=1e-11)
    time = ec.time_of_impact(plank, ORIGIN, ORIGIN, point, (0.506, 0.0035, 0), (0.496, -0.4965, 0))
    assert time is None or 0.0 < time < 1.0


@pytest.mark.parametrize("far", [0.0, 1e7])
def test_the_manifold_of_two_boxes_is_the_same_far_away(far: float) -> None:
    """Box2D v3, test_collision: LargeWorldManifoldTest."""
    one = ec.Box(1, 1)
    found = ec.manifold(one, (far, far, 0), one, (far + 0.9, far, 0))
    assert found is not None
    assert found.normal == (1.0, 0.0)
    assert found.separations == pytest.approx((-0.1, -0.1), abs=1e-8 if far else 1e-15)
    assert sorted(y - far for _, y in found.points) == [-0.5, 0.5]


def test_a_rounded_box_far_away_is_as_large_as_near() -> None:
    """Box2D v3, test_collision: LargeWorldAABBTest."""
    physics, far = ec.install(), 1e7
    rounded = ec.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], radius=0.1)
    entity = esper.create_entity(ec.Transform(far, far), ec.Collider(rounded))
    for x, y in ((-0.59, 0), (0.59, 0), (0, -0.59), (0, 0.59)):
        assert physics.point_query((far + x, far + y)) == [entity]
        assert physics.point_query((far + x * 62 / 59, far + y * 62 / 59)) == []
