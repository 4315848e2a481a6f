"""Parts of a scene as arrays, in world units."""

from typing import NamedTuple

import numpy as np

from ecs_collide.draw.style import Colour
from ecs_collide.shapes import Shape

LAYERS = 4
"""Number of layers of bodies: pale still ones, still ones, pale moving ones and moving ones, the lowest first."""
ON_TOP = LAYERS
"""Layer above all bodies."""


class Things(NamedTuple):
    """Owner of each polygon, polyline or disc."""

    tone: np.ndarray
    """Index in `Scene.tones` (k,) int64."""
    layer: np.ndarray
    """Layer, from 0, see `LAYERS` (k,) int64."""
    entity: np.ndarray
    """Entity (k,) int64."""


class Paths(NamedTuple):
    """Polygons or polylines, one after another."""

    points: np.ndarray
    """Points of all of them [m] (p, 2)."""
    starts: np.ndarray
    """First point of each one, and the number of points (k + 1,) intp."""
    of: Things

    @property
    def number(self) -> int:
        """Number of polygons or polylines."""
        return len(self.of.tone)


class Discs(NamedTuple):
    """Circles; each is drawn with a spoke that shows its angle."""

    center: np.ndarray
    """Centre [m] (k, 2)."""
    radius: np.ndarray
    """Radius [m] (k,)."""
    angle: np.ndarray
    """Angle of the spoke [rad] (k,)."""
    of: Things


class ContactMarks(NamedTuple):
    """Contact points, those of sleeping bodies included."""

    point: np.ndarray
    """Place [m] (c, 2)."""
    normal: np.ndarray
    """Unit normal from A to B (c, 2)."""
    impulse: np.ndarray
    """Impulse along the normal [N s] (c,)."""


class JointMarks(NamedTuple):
    """Joints that work."""

    entity: np.ndarray
    """Entity of each joint (j,) int64."""
    ends: np.ndarray
    """Anchors of A and of B; the target is the B of a target joint [m] (j, 2, 2)."""
    limits: tuple[np.ndarray, ...]
    """Polyline along the range of each limit [m] (k, 2)."""


class BodyMarks(NamedTuple):
    """Further marks of bodies: boxes, velocities, axes and centres."""

    boxes: np.ndarray
    """Fat boxes of pieces: left, low, right, high [m] (b, 4)."""
    paths: np.ndarray
    """Ends of a tenth of a second's path of each moving body's centre of mass [m] (m, 2, 2)."""
    axes: np.ndarray
    """Origin and angle of each entity [m, m, rad] (n, 3)."""
    centers: np.ndarray
    """Centres of mass of bodies that move [m] (m, 2)."""


class Ghost(NamedTuple):
    """A shape that is drawn pale, although no body has it: a plan, a memory, the end of a shape cast."""

    shape: Shape
    pose: tuple[float, float, float]
    """Origin and angle [m, m, rad]."""
    entity: int = 0
    """Entity whose colour it has."""


class Label(NamedTuple):
    """Text at a point of the world."""

    x: float
    y: float
    text: str


class Stroke(NamedTuple):
    """A polyline of a game's own in a scene."""

    points: np.ndarray
    """Corners [m] (k, 2)."""
    colour: Colour
    width: float = 1.0
    """Width [pixels]."""
    layer: int = ON_TOP
    """Layer that it is drawn on top of; -1 for below all bodies."""
