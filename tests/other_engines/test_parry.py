"""Parry, crates/parry2d/tests: distances, contacts, casts and rays, most of them from reports of users."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from ecs_collide.algorithms import segment_segment_intersection

Point = tuple[float, float]
ORIGIN = (0.0, 0.0, 0.0)
SQUARE = ec.Box(2, 2)
TALL = ec.Segment((0, 1), (0, -1))
LONG = ec.Segment((0, -10), (0, 10))
TRIANGLE = ec.Polygon([(0, -10), (0, 10), (10, 0)])
TENTH = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "pose_b", "expected"),
    [
        (SQUARE, ec.Box(2, 4), (-5.573167, 0, 0), 3.573167),
        (SQUARE, ec.Box(4, 2), (7, 0.5, 0), 4),
        (SQUARE, SQUARE, (5, 4, 0), math.sqrt(13)),
        (SQUARE, SQUARE, (0, 4, math.pi / 4), 3 - math.sqrt(2)),
        (SQUARE, ec.Box(2, 4), (2, 0, 0), 0),
        (SQUARE, ec.Box(2, 4), (1.5, 0, 0), -0.5),
    ],
    ids=["repro", "face_face", "corner_corner", "vertex_face", "touching", "overlapping"],
)
def test_distance_of_boxes_in_both_orders(
    shape_a: ec.Shape, shape_b: ec.Shape, pose_b: tuple[float, float, float], expected: float
) -> None:
    """Parry, issue_431_cuboid_distance_asymmetry: all five tests; overlapping boxes have a depth here."""
    assert ec.distance(shape_a, ORIGIN, shape_b, pose_b) == pytest.approx(expected, rel=1e-15, abs=1e-15)
    assert ec.distance(shape_b, pose_b, shape_a, ORIGIN) == pytest.approx(expected, rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("place", [(3, 2.5), (3, -2.5), (-3, 2.5), (-3, -2.5)])
def test_distance_of_the_corners_of_two_boxes(place: Point) -> None:
    """Parry, closest_points_cuboid_cuboid: axis_aligned_diagonal."""
    assert ec.distance(SQUARE, ORIGIN, SQUARE, (*place, 0)) == math.sqrt(1.25)


def test_boxes_whose_corners_almost_touch() -> None:
    """Parry, closest_points_cuboid_cuboid: axis_aligned_corner_touching."""
    assert ec.distance(SQUARE, ORIGIN, SQUARE, (2.0001, 2, 0)) == pytest.approx(1e-4, rel=1e-11)


def test_boxes_with_a_gap_below_rounding() -> None:
    """Parry, closest_points_cuboid_cuboid: axis_aligned_subulp_gap."""
    a, b = ec.Box(2 * 0.5386359, 2 * 0.8874373), ec.Box(2 * 1.0999209, 2 * 0.17219427)
    gap = math.hypot(max(0, 1.6385567 - 0.5386359 - 1.0999209), max(0, 1.0596324 - 0.8874373 - 0.17219427))
    assert ec.distance(a, ORIGIN, b, (-1.6385567, 1.0596324, 0)) == pytest.approx(gap, abs=1e-15)
    assert gap < 1e-5


@pytest.mark.parametrize(("x", "depth"), [(1.5, 0.0), (1.2, -0.3)], ids=["exactly_touching", "overlapping"])
def test_contact_of_unit_boxes(x: float, depth: float) -> None:
    """Parry, issue_315_touching_cuboids_contact: both tests."""
    found = ec.manifold(ec.Box(1, 1), (0.5, 0.5, 0), ec.Box(1, 1), (x, 0.5, 0))
    assert found is not None
    assert found.normal == (1.0, 0.0)
    assert found.separations == pytest.approx((depth, depth), abs=1e-15)
    assert [point[0] for point in found.points] == pytest.approx([1 + depth / 2] * 2, abs=1e-15)


@pytest.mark.parametrize(("pose_a", "depth", "normal"), [((3.5, 0, 0), -0.5, (-1, 0)), ((0, 0.2, 0), -1.8, (0, -1))])
def test_depth_of_boxes(pose_a: tuple[float, float, float], depth: float, normal: Point) -> None:
    """Parry, epa2: cuboid_cuboid_EPA."""
    box = ec.Box(4, 2)
    found = ec.manifold(box, pose_a, box, ORIGIN)
    assert found is not None
    assert found.normal == normal
    assert min(found.separations) == pytest.approx(depth, abs=1e-15)
    assert ec.distance(box, pose_a, box, ORIGIN) == pytest.approx(depth, abs=1e-15)


def test_boxes_of_very_different_sizes_come_apart() -> None:
    """Parry, epa2: cuboids_large_size_ratio_issue_181."""
    small, large = ec.Box(20, 20), ec.Box(600, 3)
    x = y = angle = 0.0
    for _ in range(2000):
        x, angle = x + 0.01, angle + 0.05
        found = ec.manifold(small, (x, y, angle), large, (5, 0, 1.5))
        if found is not None:
            depth = min(found.separations)
            assert -30 < depth <= 1e-9
            x, y = x + found.normal[0] * depth, y + found.normal[1] * depth
    assert ec.distance(small, (x, y, angle), large, (5, 0, 1.5)) > -1.0


def test_a_capsule_in_a_flat_triangle_touches_it() -> None:
    """Parry, epa_convergence: capsule_convergence."""
    capsule, flat = ec.Capsule((0, -5), (0, 5), 10), ec.Polygon([(64, 507), (440, 326), (1072, 507)])
    assert ec.overlap(capsule, (381.592, 348.491, 0), flat, ORIGIN)
    assert ec.manifold(capsule, (381.592, 348.491, 0), flat, ORIGIN) is not None


def test_a_ball_under_a_box_touches_it_in_both_orders() -> None:
    """Parry, ball_cuboid_contact: test_ball_cuboid_query_contact."""
    box, ball, there, here = ec.Box(1, 1), ec.Circle(0.5), (0, 4, 0), (0.0517938, 3.05178815, 0)
    assert ec.manifold(box, there, ball, here) is not None
    assert ec.manifold(ball, here, box, there) is not None


def test_a_ball_around_the_corner_of_a_box_overlaps_it() -> None:
    """Parry, ball_cuboid_contact: test_false_negative."""
    assert ec.distance(ec.Circle(1), (1, 1, 0), SQUARE, ORIGIN) < 0.0
    assert ec.manifold(ec.Circle(1), (1, 1, 0), SQUARE, ORIGIN) is not None


@pytest.mark.parametrize(
    ("other", "meets", "shares_area"),
    [
        ([(1.0, 0.0), (1.1, 0.0), (1.1, 0.1), (1.0, 0.1)], False, False),
        ([(0.025, 0.025), (0.075, 0.025), (0.075, 0.075), (0.025, 0.075)], True, True),
        ([(0.05, 0.05), (0.1, 0.05), (0.1, 0.1), (0.05, 0.1)], True, True),
        ([(0.1, 0.025), (0.2, 0.025), (0.2, 0.075), (0.1, 0.075)], True, False),
        ([(0.1, 0.0), (0.2, 0.0), (0.2, 0.1), (0.1, 0.1)], True, False),
        ([(0.05, 0.0), (0.1, 0.05), (0.05, 0.1), (0.0, 0.05)], True, True),
        ([(0.0, 0.0), (0.05, 0.0), (0.05, 0.1), (0.0, 0.1)], True, True),
        (TENTH, True, True),
    ],
    ids=["disjoint", "inclusion", "two_edges", "segment", "edge", "vertices", "partial", "full"],
)
def test_polygons_that_share_points_edges_or_areas(other: list[Point], meets: bool, shares_area: bool) -> None:
    """Parry, convex_polygons_intersection: eight tests, named by the ids here."""
    a, b = ec.Polygon(TENTH), ec.Polygon(other)
    assert ec.overlap(a, ORIGIN, b, ORIGIN) == meets
    assert ec.overlap(a, ORIGIN, b, ORIGIN, touching=False) == shares_area


@pytest.mark.parametrize(
    ("segment_a", "segment_b", "start", "end"),
    [
        ((10, 0, 10, 10), (10, 0, 10, 10), (0, 0), (1, 1)),
        ((-3, 2, 5, 2), (-3, 2, 5, 2), (0, 0), (1, 1)),
        ((0, 0, 1, 1), (1, 1, 2, 0), (1, 0), (1, 0)),
        ((-1, 0, 1, 0), (0, -1, 0, 1), (0.5, 0.5), (0.5, 0.5)),
    ],
    ids=["identical", "identical_horizontal", "at_endpoint", "at_interior_point"],
)
def test_where_segments_meet(
    segment_a: tuple[float, ...], segment_b: tuple[float, ...], start: Point, end: Point
) -> None:
    """Parry, issue_109_segments_intersection_endpoints: all four tests."""
    found = segment_segment_intersection(*segment_a, *segment_b)
    assert (found.u_a, found.u_b) == start
    assert (found.u_a_end, found.u_b_end) == end


@pytest.mark.parametrize(
    ("shape", "start", "direction", "expected"),
    [
        (ec.Segment((2, 1), (2, 0)), (0, 0), (0, 1), None),
        (ec.Segment((2, 1), (2, -1)), (0, 0), (0, 1), None),
        (TALL, (0, 0), (0, 1), 0.0),
        (TALL, (0, -2), (0, 1), 1.0),
        (TALL, (0, 2), (0, 1), None),
        (LONG, (-1, 0), (1, 0), 1.0),
        (LONG, (1, 0), (1, 0), None),
        (LONG, (0, 3), (1, 0), 0.0),
        (LONG, (0, 11), (1, 0), None),
        (LONG, (0, -11), (1, 0), None),
        (TRIANGLE, (-10, 0), (1, 0), 10.0),
        (TRIANGLE, (2, 0), (1, 0), 0.0),
        (TRIANGLE, (0, 0), (1, 0), 0.0),
    ],
    ids=[
        *("issue_178", "parallel", "on_segment", "below_segment", "above_segment", "behind", "in_front", "on_it"),
        *("above_it", "below_it", "outside_triangle", "inside_triangle", "on_edge_of_triangle"),
    ],
)
def test_rays(shape: ec.Shape, start: Point, direction: Point, expected: float | None) -> None:
    """Parry, ray_cast: thirteen tests, in the order of the ids here."""
    far = 100.0
    hit = ec.ray_cast(shape, ORIGIN, start, (start[0] + far * direction[0], start[1] + far * direction[1]))
    assert (hit and far * hit.fraction) == (expected if expected is None else pytest.approx(expected, rel=1e-14))


def test_rays_from_a_row_of_points_meet_the_front_of_a_square() -> None:
    """Parry, ray_cast: convexpoly_raycast_fuzz."""
    square = ec.Polygon([(2, 1), (2, 2), (1, 2), (1, 1)])
    for k in range(500):
        x, y = 3.0, 1.0 + 0.002 * k
        hit = ec.ray_cast(square, ORIGIN, (x, y), (0, 2))
        assert hit is not None
        assert hit.fraction == pytest.approx(1 / 3, rel=1e-14)
        assert hit.point[0] == pytest.approx(2, rel=1e-15)
        assert hit.normal == (1.0, 0.0)


def test_a_ball_moves_to_a_ball() -> None:
    """Parry, ball_ball_toi: test_ball_ball_toi."""
    ball = ec.Circle(0.5)
    time = ec.time_of_impact(ball, ORIGIN, (0, 10, 0), ball, (0, 10, 0), (0, 10, 0))
    assert time == pytest.approx(0.9, abs=1e-9)


def test_a_ball_and_a_box_that_move() -> None:
    """Parry, time_of_impact2: ball_cuboid_toi."""
    ball = ec.Circle(1)

    def time(x: float, ball_speed: float, box_x: float) -> float | None:
        end = x + 4 * ball_speed
        return ec.time_of_impact(ball, (x, x, 0), (end, end, 0), SQUARE, ORIGIN, (4 * box_x, 4, 0))

    expected = (math.sqrt(2) - 1) / math.hypot(1.5, 1.5)
    assert time(1, 2, -1) == 0.0
    assert time(2, -0.5, 1) == pytest.approx(expected / 4, abs=1e-9)
    assert time(3, -0.5, -1) is None


def test_a_box_moves_to_a_higher_box() -> None:
    """Parry, time_of_impact2: cuboid_cuboid_toi_issue_214."""
    time = ec.time_of_impact(SQUARE, ORIGIN, (16, 0, 0), ec.Box(2, 3), (10, 0, 0), (10, 0, 0))
    assert time == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("line", [ec.Segment((1, 1), (-1, 1)), ec.Chain([(1, 1), (-1, 1)])], ids=["segment", "chain"])
def test_a_ball_moves_to_a_line_that_is_turned(line: ec.Shape) -> None:
    """Parry, time_of_impact2: cast_shapes_should_return_toi_for_ball_and_rotated_segment and _polyline."""
    ball, turned = ec.Circle(0.5), (0, 0, -math.pi / 2)
    assert ec.time_of_impact(ball, ORIGIN, (1, 0, 0), line, turned, turned) == pytest.approx(0.5, abs=1e-9)
    assert ec.time_of_impact(line, turned, turned, ball, ORIGIN, (1, 0, 0)) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("x", [15.689464, 15.689465, 15.689466])
def test_a_box_that_grazes_the_end_of_a_segment_does_so_for_all_neighbouring_numbers(x: float) -> None:
    """Parry, issue_180_shape_cast_grazing_none: grazing_cast_is_not_ulp_sensitive."""
    segment, box = ec.Segment((1, 1), (124, 1)), ec.Box(4, 4)
    end = (x + 60 * 0.0081385, 54.00709 - 60 * 0.999966, 0)
    time = ec.time_of_impact(segment, ORIGIN, ORIGIN, box, (x, 54.00709, 0), end)
    assert time == pytest.approx((54.00709 - 3) / (60 * 0.999966), rel=1e-9)


def test_a_capsule_near_a_steep_line_moves_into_it() -> None:
    """Parry, issue_180_shape_cast_grazing_none: capsule_segment_steep_slope_toi."""
    line, capsule = ec.Segment((-24, 48), (24, -48)), ec.Capsule((0, -14), (0, 14), 8)
    start, end = (-653.3891, -245.08746, 0), (-653.3891 - 3.3333337, -245.08746 - 5.4166675, 0)
    assert 0.0 < ec.distance(line, (-648, -288, 0), capsule, start) < 0.2
    time = ec.time_of_impact(capsule, start, end, line, (-648, -288, 0), (-648, -288, 0))
    assert time is not None and 0.0 < time < 0.1


def test_a_point_on_the_edge_of_a_triangle_is_its_own_nearest_point() -> None:
    """Parry, point_triangle: project_local_point_point_on_ab."""
    corners = [(2, 1), (0, 1), (1, 0)]
    for k in range(3):
        triangle = ec.Polygon(corners[k:] + corners[:k])
        assert ec.distance(triangle, ORIGIN, ec.Segment((1.4, 1), (1.4, 2)), ORIGIN) == 0.0


@pytest.mark.parametrize(
    ("point", "distance"), [((0.6, 0.6), 0.0), ((-1, 0), 1.0), ((0.5, 2), 1.0)], ids=["inside", "left", "above"]
)
def test_a_point_and_a_square_of_two_triangles(point: Point, distance: float) -> None:
    """Parry, point_composite_shape: both tests."""
    mesh = ec.Compound([ec.Polygon([(0, 1), (0, 0), (1, 0)]), ec.Polygon([(1, 1), (0, 1), (1, 0)])])
    gap = ec.distance(mesh, ORIGIN, ec.Circle(1e-9), (*point, 0))
    assert max(gap + 1e-9, 0.0) == pytest.approx(distance, abs=1e-9)
