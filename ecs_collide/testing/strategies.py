"""Strategies of hypothesis for shapes, bodies and scenes. They need hypothesis: `pip install "ecs_collide[testing]"`.

All numbers are whole hundredths, so that examples are short and shrink well.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import esper
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ecs_collide.components import BodyKind, Collider, RigidBody, Transform, Velocity
from ecs_collide.shapes import Box, Capsule, Circle, Compound, HalfPlane, Polygon, Sector, Segment, Shape
from ecs_collide.shapes.short_repr import short_field_repr
from ecs_collide.validate import Vector2

SMALLEST, LARGEST = 0.2, 2.0
"""Default bounds of the extents of shapes [m]."""


def hundredths(low: float, high: float) -> SearchStrategy[float]:
    """Return a strategy for whole hundredths between two bounds."""
    return st.integers(round(100.0 * low), round(100.0 * high)).map(lambda count: count / 100.0)


def hundredth_points(low: float, high: float) -> SearchStrategy[Vector2]:
    """Return a strategy for points whose coordinates lie between two bounds [m]."""
    return st.tuples(hundredths(low, high), hundredths(low, high))


angles = hundredths(-3.14, 3.14)
"""Strategy for angles [rad]."""


@st.composite
def polygons(draw: st.DrawFn, smallest: float = SMALLEST, largest: float = LARGEST) -> Polygon:
    """Return a convex polygon of three to eight corners on an ellipse."""
    gaps = draw(st.lists(st.integers(1, 4), min_size=3, max_size=8).filter(lambda gaps: 2 * max(gaps) < sum(gaps)))
    width, height = draw(hundredths(smallest, largest)), draw(hundredths(smallest, largest))
    turns = [2.0 * pi * sum(gaps[:k]) / sum(gaps) for k in range(len(gaps))]
    return Polygon([(round(0.5 * width * cos(turn), 3), round(0.5 * height * sin(turn), 3)) for turn in turns])


@st.composite
def shapes(draw: st.DrawFn, smallest: float = SMALLEST, largest: float = LARGEST) -> Shape:
    """Return a bounded shape around its origin that a body of any kind may have.

    Args:
        draw: function that draws a value, which hypothesis gives.
        smallest: least extent [m].
        largest: largest extent [m].
    """
    size = hundredths(smallest, largest)
    shape: Shape = draw(
        st.one_of(
            st.builds(Circle, size.map(lambda width: 0.5 * width)),
            st.builds(Box, size, size),
            polygons(smallest, largest),
            st.builds(_capsule, size, size),
            st.builds(lambda length: Segment((-0.5 * length, 0.0), (0.5 * length, 0.0)), size),
            st.builds(lambda width: Sector(0.5 * width, 1.0), size),
            st.builds(lambda width, height: Compound([Box(width, 0.5 * height), Box(0.5 * width, height)]), size, size),
        )
    )
    return shape


def _capsule(width: float, height: float) -> Capsule:
    radius = 0.25 * min(width, height)
    reach = 0.5 * max(width, height) - radius
    return Capsule((0.0, -reach), (0.0, reach), radius)


@dataclass(frozen=True, repr=False)
class BodyPlan:
    """A body that a strategy has drawn; `create` makes its entity."""

    shape: Shape
    """Shape of the body."""
    position: Vector2 = (0.0, 0.0)
    """Position [m]."""
    angle: float = 0.0
    """Angle [rad]."""
    velocity: Vector2 = (0.0, 0.0)
    """Velocity [m/s]."""
    angular_velocity: float = 0.0
    """Angular velocity [rad/s]."""
    kind: BodyKind = BodyKind.DYNAMIC
    """Kind of the body."""
    friction: float = 0.5
    """Friction coefficient."""
    restitution: float = 0.0
    """Restitution."""

    def create(self) -> int:
        """Create the entity in the current esper world, and return it."""
        return esper.create_entity(
            Transform(*self.position, self.angle),
            Velocity(*self.velocity, self.angular_velocity),
            RigidBody(self.kind),
            Collider(self.shape, friction=self.friction, restitution=self.restitution),
        )

    def __repr__(self) -> str:
        return short_field_repr(self)


def bodies(
    shape: SearchStrategy[Shape] | None = None,
    *,
    reach: float = 5.0,
    speed: float = 5.0,
    kinds: tuple[BodyKind, ...] = (BodyKind.DYNAMIC,),
) -> SearchStrategy[BodyPlan]:
    """Return a strategy for bodies.

    Args:
        shape: strategy for their shapes; `shapes()` by default.
        reach: largest distance from the origin along x and y [m].
        speed: largest velocity along x and y [m/s], and largest angular velocity [rad/s].
        kinds: kinds of bodies to draw.
    """
    return st.builds(
        BodyPlan,
        shape=shapes() if shape is None else shape,
        position=hundredth_points(-reach, reach),
        angle=angles,
        velocity=hundredth_points(-speed, speed),
        angular_velocity=hundredths(-speed, speed),
        kind=st.sampled_from(kinds),
        friction=hundredths(0.0, 1.0),
        restitution=hundredths(0.0, 1.0),
    )


def scenes(
    body: SearchStrategy[BodyPlan] | None = None, *, most: int = 8, floor: float | None = -6.0
) -> SearchStrategy[list[BodyPlan]]:
    """Return a strategy for scenes: lists of bodies, first the floor.

    Args:
        body: strategy for the bodies; `bodies()` by default.
        most: largest number of bodies, without the floor.
        floor: height of the floor, a half-plane [m]; None for no floor.
    """
    ground = [] if floor is None else [BodyPlan(HalfPlane(), (0.0, floor), kind=BodyKind.STATIC)]
    return st.lists(bodies() if body is None else body, min_size=1, max_size=most).map(lambda drawn: ground + drawn)
