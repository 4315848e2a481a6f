"""A sector ("circle-segment", "pie slice") against a circle (row 18).

The sector has its apex at O, radius R, half-angle α and direction β. Its corners are A = O + R (cos(β−α), sin(β−α)) and
B = O + R (cos(β+α), sin(β+α)). Source: SC, which divides the plane into six regions:

    1  inside the opening, also past the arc    ‖P‖ ≤ R + r_P
    2  closest to B                             ‖P − B‖ ≤ r_P
    3  closest to A                             ‖P − A‖ ≤ r_P
    4  closest to O                             ‖P‖ ≤ r_P
    5  at the edge O–A                          distance to the edge ≤ r_P
    6  at the edge O–B                          distance to the edge ≤ r_P

Deviations, all found by random cases, in which the printed conditions are often wrong:

- Region 1 is bounded by `Py1 <= Px1 tan(2alpha)`, which is right for 2α < 90° only. Its overlap condition is printed
  as `Px2 + Px2`, which must be Px² + Py². Here the x axis of P's coordinates is the sector's direction. P_y ≥ 0 may be
  assumed, because the sector is its own mirror image. P is in the opening if P_y cos α ≤ P_x sin α, for every α.
- Region 5 turns by α+β+π. The edge lies at β−α, so it must be β−α+π. The sign of both sine terms is wrong in its
  expanded form. The last two equations of region 6 say Px2 and Py2 for Px3 and Py3. Here edge A is edge B's mirror
  image, and the edges are segments, which give regions 2 to 4.

The formula is right for α in (0, π], reflex sectors ("pac-man") included. For α = π the sector is the disk, without
edges. Region 4 is empty for reflex sectors.
"""

from __future__ import annotations

from enum import IntEnum
from math import pi, sqrt
from typing import Annotated, TypeAlias

from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.elementwise import Angle, NonNegative, Number, elementwise
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.loop_source import Domain

HalfAngle: TypeAlias = Annotated[float, Domain(5e-324, pi, "a half-angle in (0, π] rad")]
"""Half-angle of a sector, in (0, π] [rad]."""


class SectorRegion(IntEnum):
    """The part of a sector closest to a point outside it, numbered as in SC."""

    ARC = 1
    CORNER_B = 2
    CORNER_A = 3
    APEX = 4
    EDGE_A = 5
    EDGE_B = 6


@device
def region_and_distance(x, y, apex_x, apex_y, radius, half_angle, direction):
    """Return the region of the point (x, y) as a number, and its signed distance from the sector [m]."""
    cosine, sine = cos_sin(direction)
    dx, dy = x - apex_x, y - apex_y
    px, py = cosine * dx + sine * dy, cosine * dy - sine * dx
    past_arc = sqrt(px * px + py * py) - radius
    if half_angle >= pi:
        return 1, past_arc
    cosine, sine = cos_sin(half_angle)
    on_left = py >= 0.0
    py = abs(py)
    along, outward = cosine * px + sine * py, cosine * py - sine * px
    past_end = along - max(0.0, min(radius, along))
    from_edge = sqrt(past_end * past_end + outward * outward)
    if outward <= 0.0:
        return 1, max(past_arc, -from_edge)
    if past_end > 0.0:
        return (2 if on_left else 3), from_edge
    if past_end < 0.0:
        return 4, from_edge
    return (6 if on_left else 5), from_edge


@elementwise
def sector_region(
    x: Number,
    y: Number,
    apex_x: Number,
    apex_y: Number,
    radius: NonNegative,
    half_angle: HalfAngle,
    direction: Angle,
) -> SectorRegion:
    """Return the region of a sector that contains a point, which decides the test for a circle around it.

    Edges belong to the opening. Straight behind the apex, B's side is returned. Source: SC.

    Args:
        x, y: point [m].
        apex_x, apex_y, radius: apex and radius of the sector [m].
        half_angle: half of the opening, in (0, π] [rad].
        direction: direction of the middle, counter-clockwise [rad].

    Returns:
        A `SectorRegion`; an array of its numbers if an argument is an array.
    """
    region, _ = region_and_distance(x, y, apex_x, apex_y, radius, half_angle, direction)
    return region  # type: ignore[no-any-return]  # a plain number: numba cannot create a member of an enum


@elementwise
def sector_circle_distance(
    x: Number,
    y: Number,
    circle_radius: NonNegative,
    apex_x: Number,
    apex_y: Number,
    radius: NonNegative,
    half_angle: HalfAngle,
    direction: Angle,
) -> float:
    """Return the signed distance of a circle from a sector, negative if they overlap [m].

    It is the distance of the circle's centre from the sector's boundary, negative inside, less the circle's radius. A
    sector of radius 0 is its apex. Source: SC.

    Args:
        x, y, circle_radius: centre and radius of the circle [m].
        apex_x, apex_y, radius: apex and radius of the sector [m].
        half_angle: half of the opening, in (0, π] [rad].
        direction: direction of the middle, counter-clockwise [rad].

    Returns:
        The distance [m]; an array if an argument is an array.
    """
    _, distance = region_and_distance(x, y, apex_x, apex_y, radius, half_angle, direction)
    return float(distance - circle_radius)


@elementwise
def sector_circle_overlap(
    x: Number,
    y: Number,
    circle_radius: NonNegative,
    apex_x: Number,
    apex_y: Number,
    radius: NonNegative,
    half_angle: HalfAngle,
    direction: Angle,
    touching: bool = True,
) -> bool:
    """Return True if a disk and a sector have a point in common.

    `sector_region` gives the deciding region. Source: SC.

    Args:
        x, y, circle_radius: centre and radius of the circle [m].
        apex_x, apex_y, radius: apex and radius of the sector [m].
        half_angle: half of the opening, in (0, π] [rad].
        direction: direction of the middle, counter-clockwise [rad].
        touching: True if a circle that only touches counts (SC: <=).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    _, distance = region_and_distance(x, y, apex_x, apex_y, radius, half_angle, direction)
    return bool(distance <= circle_radius if touching else distance < circle_radius)
