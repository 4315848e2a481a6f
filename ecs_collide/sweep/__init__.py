"""When moving shapes first touch: rows 20–24 of the documented algorithms, by the linear motion of EQ and CC."""

from ecs_collide.sweep.circle_circle import moving_circle_moving_circle, moving_circle_moving_circle_by_closest_point
from ecs_collide.sweep.circle_edge import moving_circle_moving_edge
from ecs_collide.sweep.circle_end_points import moving_circle_moving_end_points
from ecs_collide.sweep.circle_in_circle import moving_circle_inside_moving_circle
from ecs_collide.sweep.circle_polygon import moving_circle_moving_polygon
from ecs_collide.sweep.circle_segment import moving_circle_moving_segment
from ecs_collide.sweep.polygon_polygon import moving_polygon_moving_polygon
from ecs_collide.sweep.touch import EdgeTouch, FirstTouch
from ecs_collide.sweep.vertex_edge import moving_vertex_moving_edge, moving_vertex_moving_edge_by_time

__all__ = [
    "EdgeTouch",
    "FirstTouch",
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
]
