"""The documented algorithms as plain functions of numbers or arrays, and functions of any two shapes.

Import them from here. There is one file for each algorithm, whose docstring gives the formula, the source and the
deviations. All functions work without esper and without a world. `docs/algorithms/README.md` lists them by row.

The sources are abbreviated:

    EQ    moving circle and circle, moving point and line, moving circle and line (equations 1 to 34)
    CC    circle and circle: static and dynamic detection and response
    PC    separating axes, polygons that are not convex, Voronoi regions, curved shapes, lines and circles
    OC    overlap of points, circles, ground, segments and boxes
    SC    sector ("circle-segment", "pie slice") and circle

Elementwise functions take one argument for each number, so that arrays of any shapes broadcast. They are thus exempt
from the limit of ten parameters, and so are the device functions behind them.
"""

from ecs_collide.algorithms.any_two_shapes.closest_points import ClosestPoints, closest_points
from ecs_collide.algorithms.any_two_shapes.distance import distance, overlap
from ecs_collide.algorithms.any_two_shapes.manifold import Manifold, manifold
from ecs_collide.algorithms.any_two_shapes.ray_cast import RayHit, ray_cast
from ecs_collide.algorithms.any_two_shapes.shape_aabb import aabb
from ecs_collide.algorithms.any_two_shapes.time_of_impact import time_of_impact
from ecs_collide.algorithms.bounce_dynamic import BouncedPair, bounce_off_each_other
from ecs_collide.algorithms.bounce_static import BouncedCircle, bounce_off_static
from ecs_collide.algorithms.box_box import boxes_overlap
from ecs_collide.algorithms.circle_box import BoxRegion, box_region, circle_box_overlap
from ecs_collide.algorithms.circle_circle import circles_overlap
from ecs_collide.algorithms.circle_ground import circle_ground_overlap
from ecs_collide.algorithms.circle_half_plane import circle_half_plane_overlap, half_plane_distance
from ecs_collide.algorithms.circle_line import CircleCrossing, line_circle_intersection, segment_circle_intersection
from ecs_collide.algorithms.circle_oriented_box import circle_oriented_box_overlap, oriented_box_region
from ecs_collide.algorithms.circle_polygon import circle_polygon_distance, circle_polygon_overlap
from ecs_collide.algorithms.circle_segment import circle_segment_overlap
from ecs_collide.algorithms.circle_separation import (
    SeparatedCircles,
    separate_circles_about_midpoint,
    separate_circles_by_inverse_mass,
)
from ecs_collide.algorithms.closest_point import ClosestPoint, closest_point_on_line, closest_point_on_segment
from ecs_collide.algorithms.convex_polygons import SeparatingAxis, axis_of_least_penetration, polygons_overlap
from ecs_collide.algorithms.first_touch import EdgeTouch, FirstTouch
from ecs_collide.algorithms.line_forms import (
    Line,
    LinePoints,
    Point,
    line_distance,
    line_points,
    line_through,
    point_on_line,
)
from ecs_collide.algorithms.line_line import LineIntersection, line_line_intersection
from ecs_collide.algorithms.moving_circle_circle import (
    moving_circle_moving_circle,
    moving_circle_moving_circle_by_closest_point,
)
from ecs_collide.algorithms.moving_circle_edge import moving_circle_moving_edge
from ecs_collide.algorithms.moving_circle_end_points import moving_circle_moving_end_points
from ecs_collide.algorithms.moving_circle_in_circle import moving_circle_inside_moving_circle
from ecs_collide.algorithms.moving_circle_polygon import moving_circle_moving_polygon
from ecs_collide.algorithms.moving_circle_segment import moving_circle_moving_segment
from ecs_collide.algorithms.moving_polygon_polygon import moving_polygon_moving_polygon
from ecs_collide.algorithms.moving_vertex_edge import moving_vertex_moving_edge, moving_vertex_moving_edge_by_time
from ecs_collide.algorithms.point_circle import point_in_circle
from ecs_collide.algorithms.point_polygon import PolygonFeature, PolygonRegion, point_in_polygon, polygon_region
from ecs_collide.algorithms.polygon_manifold import PolygonManifold, polygon_manifold
from ecs_collide.algorithms.sector_circle import (
    SectorRegion,
    sector_circle_distance,
    sector_circle_overlap,
    sector_region,
)
from ecs_collide.algorithms.segment_segment import SegmentIntersection, segment_segment_intersection
from ecs_collide.algorithms.simple_polygons import simple_polygons_overlap
from ecs_collide.components.pose import Pose

__all__ = [
    "BouncedCircle",
    "BouncedPair",
    "BoxRegion",
    "CircleCrossing",
    "ClosestPoint",
    "ClosestPoints",
    "EdgeTouch",
    "FirstTouch",
    "Line",
    "LineIntersection",
    "LinePoints",
    "Manifold",
    "Point",
    "PolygonFeature",
    "PolygonManifold",
    "PolygonRegion",
    "Pose",
    "RayHit",
    "SectorRegion",
    "SegmentIntersection",
    "SeparatedCircles",
    "SeparatingAxis",
    "aabb",
    "axis_of_least_penetration",
    "bounce_off_each_other",
    "bounce_off_static",
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
    "closest_points",
    "distance",
    "half_plane_distance",
    "line_circle_intersection",
    "line_distance",
    "line_line_intersection",
    "line_points",
    "line_through",
    "manifold",
    "moving_circle_inside_moving_circle",
    "moving_circle_moving_circle",
    "moving_circle_moving_circle_by_closest_point",
    "moving_circle_moving_edge",
    "moving_circle_moving_end_points",
    "moving_circle_moving_polygon",
    "moving_circle_moving_segment",
    "moving_polygon_moving_polygon",
    "moving_vertex_moving_edge",
    "moving_vertex_moving_edge_by_time",
    "oriented_box_region",
    "overlap",
    "point_in_circle",
    "point_in_polygon",
    "point_on_line",
    "polygon_manifold",
    "polygon_region",
    "polygons_overlap",
    "ray_cast",
    "sector_circle_distance",
    "sector_circle_overlap",
    "sector_region",
    "segment_circle_intersection",
    "segment_segment_intersection",
    "separate_circles_about_midpoint",
    "separate_circles_by_inverse_mass",
    "simple_polygons_overlap",
    "time_of_impact",
]
