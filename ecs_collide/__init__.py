"""Collision detection and physics for esper: add components, call `install()`, then call `esper.process(dt)`."""

from typing import TYPE_CHECKING

from ecs_collide.api.install import install, physics, uninstall
from ecs_collide.api.spawn import spawn
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.common.user_thread import use_this_thread
from ecs_collide.components import (
    ALL_LAYERS,
    AttachedTo,
    BodyKind,
    Collider,
    CollidingEntities,
    Combine,
    Force,
    IgnoredEntities,
    RigidBody,
    Transform,
    Velocity,
)
from ecs_collide.errors import PhysicsError, PhysicsWarning
from ecs_collide.kernels.lazy_names import names_on_demand
from ecs_collide.shapes import Circle, Shape
from ecs_collide.step.notify.handlers import off, on

if TYPE_CHECKING:
    from ecs_collide import (
        algorithms as algorithms,
        components as components,
        draw as draw,
        from_data as from_data,
        recording as recording,
        systems as systems,
        worlds as worlds,
    )
    from ecs_collide.algorithms import (
        ClosestPoints,
        Manifold,
        RayHit,
        aabb,
        closest_points,
        distance,
        manifold,
        overlap,
        ray_cast,
        time_of_impact,
    )
    from ecs_collide.api.check_rollback import check_rollback
    from ecs_collide.character.slide_result import Ground, Slide, SlideHit, Slides
    from ecs_collide.common.binding import bind
    from ecs_collide.components import (
        CharacterController,
        DistanceJoint,
        FrictionJoint,
        GearJoint,
        MotorJoint,
        PrismaticJoint,
        PulleyJoint,
        RatchetJoint,
        RevoluteJoint,
        TargetJoint,
        WeldJoint,
        WheelJoint,
    )
    from ecs_collide.kernels.all_files import compile
    from ecs_collide.queries.query_results import AllHits, Found, Hit, Hits, Near, Nearest
    from ecs_collide.recording import record
    from ecs_collide.shapes import (
        ArcPolygon,
        Bitmap,
        Box,
        Capsule,
        Chain,
        Compound,
        HalfPlane,
        Material,
        Polygon,
        Ring,
        Sector,
        Segment,
    )
    from ecs_collide.snapshots.snapshot import Snapshot
    from ecs_collide.step.notify.contact import Contact
else:  # hidden from type checkers, which would take every name as one of the package
    # Names that many games do not need are loaded on demand, so that a simple game starts sooner.
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.algorithms": (
                "ClosestPoints Manifold RayHit aabb closest_points distance manifold overlap ray_cast time_of_impact"
            ),
            "ecs_collide.kernels.all_files": "compile",
            "ecs_collide.components": (
                "CharacterController "
                "DistanceJoint FrictionJoint GearJoint MotorJoint PrismaticJoint PulleyJoint RatchetJoint "
                "RevoluteJoint TargetJoint WeldJoint WheelJoint"
            ),
            "ecs_collide.api.check_rollback": "check_rollback",
            "ecs_collide.common.binding": "bind",
            "ecs_collide.draw": "",
            "ecs_collide.from_data": "",
            "ecs_collide.step.notify.contact": "Contact",
            "ecs_collide.queries.query_results": "AllHits Found Hit Hits Near Nearest",
            "ecs_collide.character.slide_result": "Ground Slide SlideHit Slides",
            "ecs_collide.recording": "record",
            "ecs_collide.snapshots.snapshot": "Snapshot",
            "ecs_collide.shapes": (
                "ArcPolygon Bitmap Box Capsule Chain Compound HalfPlane Material Polygon Ring Sector Segment"
            ),
            "ecs_collide.worlds": "",
        },
        "algorithms components draw from_data recording systems worlds",
    )

__all__ = [
    "ALL_LAYERS",
    "AllHits",
    "ArcPolygon",
    "AttachedTo",
    "Bitmap",
    "BodyKind",
    "Box",
    "Capsule",
    "Chain",
    "CharacterController",
    "Circle",
    "ClosestPoints",
    "Collider",
    "CollidingEntities",
    "Combine",
    "Compound",
    "Contact",
    "DistanceJoint",
    "Force",
    "Found",
    "FrictionJoint",
    "GearJoint",
    "Ground",
    "HalfPlane",
    "Hit",
    "Hits",
    "IgnoredEntities",
    "Manifold",
    "Material",
    "MotorJoint",
    "Near",
    "Nearest",
    "PhysicsError",
    "PhysicsWarning",
    "PhysicsWorld",
    "Polygon",
    "PrismaticJoint",
    "PulleyJoint",
    "RatchetJoint",
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
    "Snapshot",
    "TargetJoint",
    "Transform",
    "Velocity",
    "WeldJoint",
    "WheelJoint",
    "aabb",
    "bind",
    "check_rollback",
    "closest_points",
    "compile",
    "distance",
    "install",
    "manifold",
    "off",
    "on",
    "overlap",
    "physics",
    "ray_cast",
    "record",
    "spawn",
    "time_of_impact",
    "uninstall",
    "use_this_thread",
]

__version__ = "0.1.0"
