"""Python twins of `read_components` and `are_all_new` of `ecs_collide.native`."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.step.sync import component_columns as of_component
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS
from ecs_collide.validate import LARGEST_ANGLE

NONE_SEEN = object()


def read_components_plainly(parts: Sequence[Sequence[Any]], integers: np.ndarray, numbers: np.ndarray) -> int:
    """Write what entities' components say to `integers` (n, 10) and `numbers` (n, 10).

    Each of `parts` is a Transform, a Velocity, a Collider, a RigidBody, a Force and an AttachedTo, or None in place of
    what there is not. Returns the place of the first entity that has components that do not go together, or an invalid
    number; -1 if there is none. Entities behind it are not read.
    """
    for k, (transform, velocity, collider, rigid_body, force, attached_to) in enumerate(parts):
        integers[k], numbers[k] = 0, 0.0
        numbers[k, NUMBERS.MASS] = numbers[k, NUMBERS.INERTIA] = nan
        numbers[k, NUMBERS.LIMIT :] = nan
        present = [part for part in (velocity, collider, rigid_body, force) if part is not None]
        if attached_to is None and not present:
            integers[k, INTEGERS.KIND] = of_component.NO_BODY
            continue
        if transform is None if attached_to is None else present != [collider]:
            return k
        if not all(part._is_sound() for part in (transform, *present) if part is not None):
            return k
        if transform is not None and not abs(transform.angle) <= LARGEST_ANGLE:
            return k
        bits = 0 if force is None else of_component.HAS_FORCE
        integers[k, INTEGERS.KIND] = STATIC if velocity is None else DYNAMIC
        if collider is not None:
            bits |= of_component.HAS_COLLIDER
            if collider._enabled:
                integers[k, INTEGERS.FILTER : INTEGERS.RULE] = collider._filter
            integers[k, INTEGERS.RULE :] = collider._rule
            numbers[k, NUMBERS.DENSITY] = collider._density
            numbers[k, NUMBERS.ONE_WAY : NUMBERS.SURFACE] = collider._one_way or (0.0, 0.0)
            numbers[k, NUMBERS.SURFACE : NUMBERS.LIMIT] = collider._surface
        if rigid_body is not None:
            bits |= of_component.HAS_RIGID_BODY + of_component.IS_BULLET * rigid_body._bullet
            bits |= of_component.LOCKS_X * rigid_body._lock_x + of_component.LOCKS_Y * rigid_body._lock_y
            bits |= of_component.LOCKS_ROTATION * rigid_body._lock_rotation
            bits |= of_component.STAYS_AWAKE * (not rigid_body._can_sleep)
            integers[k, INTEGERS.KIND] = rigid_body._kind
            optional = (
                (NUMBERS.MASS, rigid_body._mass),
                (NUMBERS.INERTIA, rigid_body._inertia),
                (NUMBERS.LIMIT, rigid_body._max_speed),
                (NUMBERS.LIMIT + 1, rigid_body._max_angular_speed),
                (NUMBERS.LIMIT + 2, rigid_body._sleep_speed),
            )
            for column, value in optional:
                numbers[k, column] = nan if value is None else value
        integers[k, INTEGERS.PRESENT] = bits
    return -1


def are_all_new_plainly(
    parts: Sequence[Sequence[Any]], before: Sequence[Sequence[Any] | None], types: Sequence[type]
) -> bool:
    """Return True if each component has the expected type and its numbers, has no owner, and occurs once.

    Components that an entity had before are left out.
    """
    seen: set[int] = set()
    for own, had in zip(parts, before, strict=True):
        for part, old, kind in zip(own, had or (None,) * len(types), types, strict=True):
            if part is None or part is old:
                continue
            if not isinstance(part, kind) or getattr(part, "_entity", NONE_SEEN) is not None or id(part) in seen:
                return False
            seen.add(id(part))
    return True
