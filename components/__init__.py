"""Components of the physics; once a world has adopted an entity, they are views on its columns."""

from typing import TYPE_CHECKING

from ecs_collide.components.attached_to import AttachedTo
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.components.collider import ALL_LAYERS, Collider
from ecs_collide.components.colliding_entities import CollidingEntities
from ecs_collide.components.combine import Combine
from ecs_collide.components.force import Force
from ecs_collide.components.ignored_entities import IgnoredEntities
from ecs_collide.components.rigid_body import RigidBody
from ecs_collide.components.transform import Transform
from ecs_collide.components.velocity import Velocity
from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.components.character_controller import CharacterController
    from ecs_collide.components.joints import (
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
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.components.character_controller": "CharacterController",
            "ecs_collide.components.joints": (
                "DistanceJoint FrictionJoint GearJoint MotorJoint PrismaticJoint PulleyJoint RatchetJoint "
                "RevoluteJoint TargetJoint WeldJoint WheelJoint"
            ),
        },
    )

__all__ = [
    "ALL_LAYERS",
    "AttachedTo",
    "BodyKind",
    "CharacterController",
    "Collider",
    "CollidingEntities",
    "Combine",
    "DistanceJoint",
    "Force",
    "FrictionJoint",
    "GearJoint",
    "IgnoredEntities",
    "MotorJoint",
    "PrismaticJoint",
    "PulleyJoint",
    "RatchetJoint",
    "RevoluteJoint",
    "RigidBody",
    "TargetJoint",
    "Transform",
    "Velocity",
    "WeldJoint",
    "WheelJoint",
]
