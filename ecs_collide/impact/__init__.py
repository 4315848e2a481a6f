"""What circles do when they touch or overlap: rows 19, 25 and 26 of the documented algorithms."""

from ecs_collide.impact.dynamic_dynamic import BouncedPair, bounce_off_each_other
from ecs_collide.impact.dynamic_static import BouncedCircle, bounce_off_static
from ecs_collide.impact.separation import (
    SeparatedCircles,
    separate_circles_about_midpoint,
    separate_circles_by_inverse_mass,
)

__all__ = [
    "BouncedCircle",
    "BouncedPair",
    "SeparatedCircles",
    "bounce_off_each_other",
    "bounce_off_static",
    "separate_circles_about_midpoint",
    "separate_circles_by_inverse_mass",
]
