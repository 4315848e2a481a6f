"""Poses of shapes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ecs_collide.components.transform import Transform
from ecs_collide.validate import LARGEST_ANGLE, finite, number_rows

Pose: TypeAlias = Transform | tuple[float, float, float]
"""A `Transform`, or a tuple of x [m], y [m] and angle [rad]."""


def pose_of(value: Pose, name: str) -> tuple[float, float, float]:
    """Return a pose as x, y [m] and angle [rad]; errors call it `name`."""
    if isinstance(value, Transform):
        pose = value.pose
    else:
        try:
            x, y, angle = value
        except TypeError:
            raise TypeError(f"{name} must be a Transform or (x, y, angle), got {value!r}") from None
        except ValueError:
            raise ValueError(f"{name} must be a Transform or (x, y, angle), got {value!r}") from None
        pose = finite(x, f"{name}[0]"), finite(y, f"{name}[1]"), finite(angle, f"{name}[2]")
    if not -LARGEST_ANGLE <= pose[2] <= LARGEST_ANGLE:
        raise ValueError(f"the angle of {name} must lie between ±{LARGEST_ANGLE:g} rad, got {pose[2]}")
    return pose


def poses_of(value: object, name: str) -> np.ndarray:
    """Return poses as rows of x, y [m] and angle [rad] (n, 3), or one pose (3,); errors call them `name`."""
    rows = number_rows(value, name, 3, "poses", may_be_one=True)
    if not (np.abs(rows[..., 2]) <= LARGEST_ANGLE).all():
        raise ValueError(f"the angles of {name} must lie between ±{LARGEST_ANGLE:g} rad")
    return rows
