"""Frames of reference and transformations between them."""

from typing import NamedTuple

from ecs_collide.kernels.kernel import device


class Pose(NamedTuple):
    """The pose of a frame; fields are numbers or vectors."""

    x: float
    """x of the origin [m]."""
    y: float
    """y of the origin [m]."""
    cos: float
    """Cosine of the rotation."""
    sin: float
    """Sine of the rotation."""


@device
def transform_point(pose, x, y):
    """Return a point of the frame in outer coordinates."""
    return pose.x + pose.cos * x - pose.sin * y, pose.y + pose.sin * x + pose.cos * y


@device
def rotate_vector(pose, x, y):
    """Return a direction of the frame in outer coordinates."""
    return pose.cos * x - pose.sin * y, pose.sin * x + pose.cos * y


@device
def rotate_vector_back(pose, x, y):
    """Return an outer direction in coordinates of the frame."""
    return pose.cos * x + pose.sin * y, pose.cos * y - pose.sin * x


@device
def find_relative_pose(own, other):
    """Return the pose of the frame `other` as seen from the frame `own`."""
    x, y = rotate_vector_back(own, other.x - own.x, other.y - own.y)
    return Pose(x=x, y=y, cos=own.cos * other.cos + own.sin * other.sin, sin=own.cos * other.sin - own.sin * other.cos)


@device
def invert_pose(pose):
    """Return the pose of the outer frame as seen from the frame."""
    return Pose(
        x=-pose.cos * pose.x - pose.sin * pose.y, y=pose.sin * pose.x - pose.cos * pose.y, cos=pose.cos, sin=-pose.sin
    )
