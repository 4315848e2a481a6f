"""Collision detection and physics for esper: add components, call `install()`, go on calling `esper.process(dt)`."""

from typing import TYPE_CHECKING, Any

from ecs_collide.compiled.ahead import compile
from ecs_collide.components import (
    ALL_LAYERS,
    BodyKind,
    CharacterController,
    Collider,
    CollidingEntities,
    Combine,
    DistanceJoint,
    Force,
    FrictionJoint,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    TargetJoint,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)
from ecs_collide.engine.basis.binding import bind
from ecs_collide.engine.notify.contact import Contact
from ecs_collide.engine.notify.handlers import off, on
from ecs_collide.engine.queries.answers import AllHits, Found, Hit, Hits, Near, Nearest
from ecs_collide.engine.walking.answers import Slide, SlideHit, Slides
from ecs_collide.errors import PhysicsError, PhysicsWarning
from ecs_collide.install import install, physics, uninstall
from ecs_collide.shapes import (
    ArcPolygon,
    Bitmap,
    Box,
    Capsule,
    Chain,
    Circle,
    Compound,
    HalfPlane,
    Polygon,
    Ring,
    Sector,
    Segment,
    Shape,
)
from ecs_collide.spawn import spawn
from ecs_collide.world import PhysicsWorld

if TYPE_CHECKING:
    from ecs_collide import algorithms as algorithms
    from ecs_collide.algorithms import Manifold, RayHit, distance, manifold, overlap, ray_cast, time_of_impact

__all__ = [
    "ALL_LAYERS",
    "AllHits",
    "ArcPolygon",
    "Bitmap",
    "BodyKind",
    "Box",
    "Capsule",
    "Chain",
    "CharacterController",
    "Circle",
    "Collider",
    "CollidingEntities",
    "Combine",
    "Compound",
    "Contact",
    "DistanceJoint",
    "Force",
    "Found",
    "FrictionJoint",
    "HalfPlane",
    "Hit",
    "Hits",
    "Manifold",
    "Near",
    "Nearest",
    "PhysicsError",
    "PhysicsWarning",
    "PhysicsWorld",
    "Polygon",
    "PrismaticJoint",
    "RayHit",
    "RevoluteJoint",
    "RigidBody",
    "Ring",
    "Sector",
    "Segment",
    "Shape",
    "Slide",
    "SlideHit",
    "Slides",
    "TargetJoint",
    "Transform",
    "Velocity",
    "WeldJoint",
    "WheelJoint",
    "bind",
    "compile",
    "distance",
    "install",
    "manifold",
    "off",
    "on",
    "overlap",
    "physics",
    "ray_cast",
    "spawn",
    "time_of_impact",
    "uninstall",
]

__version__ = "0.1.0"

_OF_ALGORITHMS = frozenset({"Manifold", "RayHit", "distance", "manifold", "overlap", "ray_cast", "time_of_impact"})


def __getattr__(name: str) -> Any:
    """The documented algorithms are loaded when the first of them is asked for: many games only install the systems."""
    if name == "algorithms" or name in _OF_ALGORITHMS:
        import ecs_collide.algorithms as loaded

        return loaded if name == "algorithms" else getattr(loaded, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
