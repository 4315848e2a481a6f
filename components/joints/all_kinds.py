"""The kinds of joints, by their numbers in `kinds.py`."""

from __future__ import annotations

from ecs_collide.components.joints.distance_joint import DistanceJoint
from ecs_collide.components.joints.friction_joint import FrictionJoint
from ecs_collide.components.joints.gear_joint import GearJoint
from ecs_collide.components.joints.joint import Joint
from ecs_collide.components.joints.motor_joint import MotorJoint
from ecs_collide.components.joints.prismatic_joint import PrismaticJoint
from ecs_collide.components.joints.pulley_joint import PulleyJoint
from ecs_collide.components.joints.ratchet_joint import RatchetJoint
from ecs_collide.components.joints.revolute_joint import RevoluteJoint
from ecs_collide.components.joints.target_joint import TargetJoint
from ecs_collide.components.joints.weld_joint import WeldJoint
from ecs_collide.components.joints.wheel_joint import WheelJoint

TYPES: tuple[type[Joint], ...] = (
    RevoluteJoint,
    WeldJoint,
    DistanceJoint,
    PrismaticJoint,
    WheelJoint,
    TargetJoint,
    FrictionJoint,
    GearJoint,
    RatchetJoint,
    PulleyJoint,
    MotorJoint,
)
