"""Frames: where one is as seen from another, and what is in it."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.compiled.jit import device


class Pose(NamedTuple):
    """Origin of a frame [m], and cosine and sine of its turn; numbers or vectors."""

    x: float
    y: float
    cos: float
    sin: float


@device
def placed(pose, x, y):
    """A place in the frame, as seen from outside."""
    return pose.x + pose.cos * x - pose.sin * y, pose.y + pose.sin * x + pose.cos * y


@device
def turned(pose, x, y):
    """A direction in the frame, as seen from outside."""
    return pose.cos * x - pose.sin * y, pose.sin * x + pose.cos * y
