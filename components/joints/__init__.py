"""Joints: components that hold two bodies together."""

from typing import TYPE_CHECKING

from ecs_collide.components.joints.joint import Joint
from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.components.joints.distance_joint import DistanceJoint
    from ecs_collide.components.joints.friction_joint import FrictionJoint
    from ecs_collide.components.joints.gear_joint import GearJoint
    from ecs_collide.components.joints.motor_joint import MotorJoint
    from ecs_collide.components.joints.prismatic_joint import PrismaticJoint
    from ecs_collide.components.joints.pulley_joint import PulleyJoint
    from ecs_collide.components.joints.ratchet_joint import RatchetJoint
    from ecs_collide.components.joints.revolute_joint import RevoluteJoint
    from ecs_collide.components.joints.target_joint import TargetJoint
    from ecs_collide.components.joints.weld_joint import WeldJoint
    from ecs_collide.components.joints.wheel_joint import WheelJoint
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.components.joints.distance_joint": "DistanceJoint",
            "ecs_collide.components.joints.friction_joint": "FrictionJoint",
            "ecs_collide.components.joints.gear_joint": "GearJoint",
            "ecs_collide.components.joints.motor_joint": "MotorJoint",
            "ecs_collide.components.joints.prismatic_joint": "PrismaticJoint",
            "ecs_collide.components.joints.pulley_joint": "PulleyJoint",
            "ecs_collide.components.joints.ratchet_joint": "RatchetJoint",
            "ecs_collide.components.joints.revolute_joint": "RevoluteJoint",
            "ecs_collide.components.joints.target_joint": "TargetJoint",
            "ecs_collide.components.joints.weld_joint": "WeldJoint",
            "ecs_collide.components.joints.wheel_joint": "WheelJoint",
        },
    )

__all__ = [
    "DistanceJoint",
    "FrictionJoint",
    "GearJoint",
    "Joint",
    "MotorJoint",
    "PrismaticJoint",
    "PulleyJoint",
    "RatchetJoint",
    "RevoluteJoint",
    "TargetJoint",
    "WeldJoint",
    "WheelJoint",
]
