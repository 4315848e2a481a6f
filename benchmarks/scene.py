"""Benchmark scenes as plain data for all engine adapters.

Units are metres, kilograms, seconds and radians; y points up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IndexArray: TypeAlias = npt.NDArray[np.intp]
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Circle:
    """A disk around the body's origin."""

    radius: float


@dataclass(frozen=True)
class Box:
    """A rectangle around the body's origin; full sizes."""

    width: float
    height: float


@dataclass(frozen=True)
class Segment:
    """A line of no thickness, for static bodies only."""

    a: Point
    b: Point


@dataclass(frozen=True)
class Capsule:
    """All points within ``radius`` of a segment whose middle is the body's origin."""

    a: Point
    b: Point
    radius: float


@dataclass(frozen=True)
class Polygon:
    """A convex polygon of 3 to 8 counter-clockwise vertices; alone on a body, its centroid is the body's origin."""

    vertices: tuple[Point, ...]


Convex: TypeAlias = Circle | Box | Segment | Capsule | Polygon


@dataclass(frozen=True)
class Compound:
    """Several convex polygons on one body, in its coordinates; their common centroid is the body's origin."""

    polygons: tuple[Polygon, ...]

    @classmethod
    def of_boxes(cls, *boxes: tuple[float, float, float, float]) -> Compound:
        """Return a compound of rectangles, each given by its middle and its full sizes: (x, y, width, height)."""
        corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return cls(tuple(Polygon(tuple((x + i * w, y + j * h) for i, j in corners)) for x, y, w, h in boxes))


Shape: TypeAlias = Convex | Compound


@dataclass(frozen=True)
class Material:
    """Surface and density. ``friction`` is also the value of a pair, because a scene has one friction for all."""

    density: float = 1.0
    friction: float = 0.5
    restitution: float = 0.0


@dataclass(frozen=True)
class Group:
    """Bodies that are created together.

    ``shapes`` is a palette, and ``shape_index`` (n,) has the number of each body's shape. The other arrays are
    ``positions`` (n, 2), ``angles`` (n,), ``velocities`` (n, 2) or None for static bodies, ``angular_velocities`` (n,).
    Bodies with velocities are dynamic, or with ``is_kinematic`` kinematic. Kinematic groups come last in a scene.
    """

    shapes: tuple[Shape, ...]
    positions: FloatArray
    shape_index: IndexArray
    angles: FloatArray
    velocities: FloatArray | None = None
    angular_velocities: FloatArray | None = None
    is_kinematic: bool = False

    @property
    def count(self) -> int:
        """Number of bodies."""
        return len(self.positions)

    @property
    def is_static(self) -> bool:
        """True if the bodies never move."""
        return self.velocities is None

    @property
    def is_dynamic(self) -> bool:
        """True if the bodies are dynamic."""
        return not self.is_static and not self.is_kinematic

    @property
    def body_shapes(self) -> list[Shape]:
        """Shape of each body, in order."""
        return [self.shapes[i] for i in self.shape_index]

    @property
    def poses(self) -> FloatArray:
        """Poses at the start: x, y, angle (n, 3)."""
        return np.column_stack((self.positions, self.angles))


def static_group(shape: Shape, x: float, y: float, angle: float = 0.0) -> Group:
    """Return a group of one static body."""
    return Group((shape,), np.array([[x, y]]), np.zeros(1, np.intp), np.array([angle]))


def turning_group(shape: Shape, x: float, y: float, speed: float) -> Group:
    """Return a group of one kinematic body that turns about its origin at ``speed`` [rad/s]."""
    place, still = np.array([[x, y]]), np.zeros((1, 2))
    return Group((shape,), place, np.zeros(1, np.intp), np.zeros(1), still, np.array([speed]), is_kinematic=True)


def moving_group(
    shapes: tuple[Shape, ...],
    positions: FloatArray,
    *,
    shape_index: IndexArray | None = None,
    angles: FloatArray | None = None,
    velocities: FloatArray | None = None,
    angular_velocities: FloatArray | None = None,
) -> Group:
    """Return dynamic bodies; omitted values are zero, and shapes are assigned in turn."""
    n = len(positions)
    return Group(
        shapes,
        positions,
        np.arange(n) % len(shapes) if shape_index is None else shape_index,
        np.zeros(n) if angles is None else angles,
        np.zeros((n, 2)) if velocities is None else velocities,
        np.zeros(n) if angular_velocities is None else angular_velocities,
    )


class Pin(NamedTuple):
    """A point about which two bodies turn; they do not collide with each other.

    `a` and `b` are numbers of dynamic bodies, in the order of the poses. Without `b` the pin is fixed in the world.
    """

    a: int
    b: int | None
    point: Point
    limits: tuple[float, float] | None = None  # range of the angle of b against a, from the start [rad]
    motor: tuple[float, float] | None = None  # speed of b against a [rad/s], greatest torque [N m]; speed 0 is friction

    def anchors(self, poses: FloatArray) -> tuple[Point, Point]:
        """Return the pin in the coordinates of its bodies, from the poses at the start."""
        return _inward(poses[self.a], self.point), self.point if self.b is None else _inward(poses[self.b], self.point)


def _inward(pose: FloatArray, point: Point) -> Point:
    """Return a point in body coordinates [m]."""
    x, y, angle = pose.tolist()
    c, s, dx, dy = math.cos(angle), math.sin(angle), point[0] - x, point[1] - y
    return c * dx + s * dy, c * dy - s * dx


class State(NamedTuple):
    """The dynamic bodies of one engine after a frame, in the order of the scene."""

    frame: int
    poses: FloatArray  # x, y [m], angle [rad] (n, 3)
    poses_before: FloatArray  # one frame earlier (n, 3)
    velocities: FloatArray  # as reported by the engine: x, y [m/s], angular [rad/s] (n, 3)


@dataclass(frozen=True)
class Check:
    """One quality figure: ``value(scene, state)`` after ``frame`` frames. ``long`` ones need ``--long``."""

    label: str
    unit: str
    frame: int
    value: Callable[[Scene, State], float]
    long: bool = False


@dataclass(frozen=True)
class Scene:
    """Bodies, their material, and the timed frames: ``frames`` after ``warmup`` untimed ones."""

    name: str
    title: str
    groups: tuple[Group, ...]
    gravity: Point = (0.0, -9.81)
    material: Material = field(default_factory=Material)
    dt: float = 1.0 / 60.0
    warmup: int = 20
    frames: int = 200
    frames_per_turn: int = 20
    checks: tuple[Check, ...] = ()
    restitution_threshold: float | None = None  # m/s, for engines with such a setting; None: the engine's default
    pins: tuple[Pin, ...] = ()
    collides: bool = True  # False if no bodies collide
    bounds: tuple[float, float, float, float] | None = None  # x0, y0, x1, y1; bodies whose centre leaves them are lost

    @property
    def static_groups(self) -> Iterator[Group]:
        """Groups of static bodies."""
        return (group for group in self.groups if group.is_static)

    @property
    def moving_groups(self) -> Iterator[Group]:
        """Groups of dynamic bodies; the order of their bodies is the order of all poses."""
        return (group for group in self.groups if group.is_dynamic)

    @property
    def moving_count(self) -> int:
        """Number of dynamic bodies."""
        return sum(group.count for group in self.moving_groups)

    @property
    def start_poses(self) -> FloatArray:
        """Poses of the dynamic bodies at the start (n, 3)."""
        return np.concatenate([group.poses for group in self.moving_groups])

    @property
    def start_velocities(self) -> FloatArray:
        """Linear velocities of the dynamic bodies at the start (n, 2)."""
        return np.concatenate([group.velocities for group in self.moving_groups if group.velocities is not None])
