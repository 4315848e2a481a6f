"""What the components of entities say of their bodies, as rows of two tables; and whether anybody holds them.

`_survey.c` does the same in C; this is what it means, and what serves where it was not built.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.kernels.extension import is_wanted
from ecs_collide.validate import LARGEST_ANGLE

# integers
KIND, PRESENT, FILTER = 0, 1, 2
FILTER_WIDTH = 6
INTEGER_WIDTH = FILTER + FILTER_WIDTH

NO_BODY = -1
"""The `KIND` of what takes no part in physics."""

HAS_COLLIDER, HAS_RIGID_BODY, HAS_FORCE, IS_BULLET, LOCKS_X, LOCKS_Y, LOCKS_ROTATION = (1 << k for k in range(7))
"""Bits of `PRESENT`: which components there are, and what a RigidBody says by yes or no."""

# numbers: NaN where a RigidBody leaves mass or inertia open
DENSITY, MASS, INERTIA, ONE_WAY, SURFACE = 0, 1, 2, 3, 5
NUMBER_WIDTH = 7

NONE_SEEN = object()


def survey_plainly(parts: Sequence[Sequence[Any]], integers: np.ndarray, numbers: np.ndarray) -> int:
    """Write what entities' components say to `integers` (n, 8) and `numbers` (n, 7).

    Each of `parts` is a Transform, a Velocity, a Collider, a RigidBody and a Force, or None in place of what there is
    not. Returns the place of the first entity that has others and no Transform, or a number that is not sound, and -1
    where all are in order; what comes behind such a one is not looked at.
    """
    for k, (transform, velocity, collider, rigid_body, force) in enumerate(parts):
        integers[k], numbers[k] = 0, 0.0
        numbers[k, MASS] = numbers[k, INERTIA] = nan
        present = [part for part in (velocity, collider, rigid_body, force) if part is not None]
        if not present:
            integers[k, KIND] = NO_BODY
            continue
        if transform is None or not all(part._is_sound() for part in (transform, *present)):
            return k
        if not abs(transform.angle) <= LARGEST_ANGLE:
            return k
        bits = 0 if force is None else HAS_FORCE
        integers[k, KIND] = STATIC if velocity is None else DYNAMIC
        if collider is not None:
            bits |= HAS_COLLIDER
            if collider._enabled:
                integers[k, FILTER:] = collider._filter
            numbers[k, DENSITY] = collider._density
            numbers[k, ONE_WAY:SURFACE] = collider._one_way or (0.0, 0.0)
            numbers[k, SURFACE:] = collider._surface
        if rigid_body is not None:
            bits |= HAS_RIGID_BODY + IS_BULLET * rigid_body._bullet
            bits |= LOCKS_X * rigid_body._lock_x + LOCKS_Y * rigid_body._lock_y
            bits |= LOCKS_ROTATION * rigid_body._lock_rotation
            integers[k, KIND] = rigid_body._kind
            for column, value in ((MASS, rigid_body._mass), (INERTIA, rigid_body._inertia)):
                numbers[k, column] = nan if value is None else value
        integers[k, PRESENT] = bits
    return -1


def are_all_new_plainly(parts: Sequence[Sequence[Any]], types: Sequence[type]) -> bool:
    """Whether each of entities' components is one of its type, has its numbers, is nobody's yet, and stands once."""
    seen: set[int] = set()
    for own in parts:
        for part, kind in zip(own, types, strict=True):
            if part is None:
                continue
            if not isinstance(part, kind) or getattr(part, "_entity", NONE_SEEN) is not None or id(part) in seen:
                return False
            seen.add(id(part))
    return True


if TYPE_CHECKING:
    survey, are_all_new = survey_plainly, are_all_new_plainly
elif is_wanted("ecs_collide.step.sync._survey"):
    from ecs_collide.step.sync._survey import are_all_new, survey
else:
    survey, are_all_new = survey_plainly, are_all_new_plainly
