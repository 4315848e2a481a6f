"""The documents' overlap, intersection and closest point tests as plain functions, of numbers or arrays.

One file per algorithm; the docstrings give formula, source and deviation. All stand on their own, without esper and
without a world. `docs/algorithms/` shows them in pictures.
"""

from ecs_collide.intersect.box_box import boxes_overlap
from ecs_collide.intersect.circle_box import BoxRegion, box_region, circle_box_overlap
from ecs_collide.intersect.circle_circle import circles_overlap
from ecs_collide.intersect.circle_ground import circle_ground_overlap
from ecs_collide.intersect.circle_half_plane import circle_half_plane_overlap, half_plane_distance
from ecs_collide.intersect.circle_line import CircleCrossing, line_circle_intersection, segment_circle_intersection
from ecs_collide.intersect.circle_oriented_box import circle_oriented_box_overlap, oriented_box_region
from ecs_collide.intersect.circle_polygon import circle_polygon_distance, circle_polygon_overlap
from ecs_collide.intersect.circle_segment import circle_segment_overlap
from ecs_collide.intersect.closest_point import ClosestPoint, closest_point_on_line, closest_point_on_segment
from ecs_collide.intersect.convex_polygons import SeparatingAxis, axis_of_least_penetration, polygons_overlap
from ecs_collide.intersect.line_forms import (
    Line,
    LinePoints,
    Point,
    line_distance,
    line_points,
    line_through,
    point_on_line,
)
from ecs_collide.intersect.line_line import LineIntersection, line_line_intersection
from ecs_collide.intersect.point_circle import point_in_circle
from ecs_collide.intersect.point_polygon import PolygonFeature, PolygonRegion, point_in_polygon, polygon_region
from ecs_collide.intersect.polygon_manifold import PolygonManifold, polygon_manifold
from ecs_collide.intersect.sector_circle import (
    SectorRegion,
    sector_circle_distance,
    sector_circle_overlap,
    sector_region,
)
from ecs_collide.intersect.segment_segment import SegmentIntersection, segment_segment_intersection
from ecs_collide.intersect.simple_polygons import simple_polygons_overlap

__all__ = [
    "BoxRegion",
    "CircleCrossing",
    "ClosestPoint",
    "Line",
    "LineIntersection",
    "LinePoints",
    "Point",
    "PolygonFeature",
    "PolygonManifold",
    "PolygonRegion",
    "SectorRegion",
    "SegmentIntersection",
    "SeparatingAxis",
    "axis_of_least_penetration",
    "box_region",
    "boxes_overlap",
    "circle_box_overlap",
    "circle_ground_overlap",
    "circle_half_plane_overlap",
    "circle_oriented_box_overlap",
    "circle_polygon_distance",
    "circle_polygon_overlap",
    "circle_segment_overlap",
    "circles_overlap",
    "closest_point_on_line",
    "closest_point_on_segment",
    "half_plane_distance",
    "line_circle_intersection",
    "line_distance",
    "line_line_intersection",
    "line_points",
    "line_through",
    "oriented_box_region",
    "point_in_circle",
    "point_in_polygon",
    "point_on_line",
    "polygon_manifold",
    "polygon_region",
    "polygons_overlap",
    "sector_circle_distance",
    "sector_circle_overlap",
    "sector_region",
    "segment_circle_intersection",
    "segment_segment_intersection",
    "simple_polygons_overlap",
]
