"""Rows of the features that balls can hit: edges and corners of static and kinematic pieces, in world coordinates.

LINE     the right side of a → b, moved out by the radius            a, direction, normal, length, radius
CORNER   a circle seen from outside, in the directions between     centre, from, to, -, radius
         from and to, counter-clockwise, or all if both are 0
BOWL     a circle seen from inside, in such directions             centre, from, to, -, radius
PLANE    a line without end, with solid all behind it              a point, direction, normal, -, 0
SOLID    the inside of a piece; it stops nothing, and only pushes out balls whose centre is in it
         (`resting_contacts.py`)                                   centre, from, to, -, radius
"""

from __future__ import annotations

from ecs_collide.kernels.layout import layout

LINE, CORNER, BOWL, PLANE, SOLID = range(5)
"""Kind of a feature."""

FEATURE = layout(
    "feature",
    PLACE_X="point or centre at the step's start, x [m]",
    PLACE_Y="point or centre at the step's start, y [m]",
    FROM_X="direction of a line, or first direction of an arc, x",
    FROM_Y="direction of a line, or first direction of an arc, y",
    TO_X="normal of a line, or last direction of an arc, x",
    TO_Y="normal of a line, or last direction of an arc, y",
    LENGTH="length of a line [m]",
    RADIUS="radius [m]",
    SPEED_X="velocity of the body, x [m/s]",
    SPEED_Y="velocity of the body, y [m/s]",
    RESTITUTION="restitution that the material of its part gives; -1 for that of the collider",
)

FEATURE_INDEX = layout(
    "feature index",
    KIND="LINE, CORNER, BOWL, PLANE or SOLID",
    BODY="body row",
    PIECE="piece row",
    PART="part of the shape that the piece belongs to",
)
