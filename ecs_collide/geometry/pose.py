"""Frames: where one is as seen from another, and what is in it."""

from typing import NamedTuple

from ecs_collide.kernels.kernel import device


class Pose(NamedTuple):
    """Origin of a frame [m], and cosine and sine of its turn; numbers or vectors."""

    x: float
    y: float
    cos: float
    sin: float


@device
def moved(pose, x, y):
    """A place in the frame, as seen from outside."""
    return pose.x + pose.cos * x - pose.sin * y, pose.y + pose.sin * x + pose.cos * y


@device
def turned(pose, x, y):
    """A direction in the frame, as seen from outside."""
    return pose.cos * x - pose.sin * y, pose.sin * x + pose.cos * y


@device
def turned_back(pose, x, y):
    """A direction outside, as seen from the frame."""
    return pose.cos * x + pose.sin * y, pose.cos * y - pose.sin * x


@device
def seen_from(own, other):
    """The pose of a frame as seen from another one."""
    x, y = turned_back(own, other.x - own.x, other.y - own.y)
    return Pose(x, y, own.cos * other.cos + own.sin * other.sin, own.cos * other.sin - own.sin * other.cos)


@device
def inverse_pose(pose):
    """The pose of the outside as seen from the frame."""
    return Pose(-pose.cos * pose.x - pose.sin * pose.y, pose.sin * pose.x - pose.cos * pose.y, pose.cos, -pose.sin)
