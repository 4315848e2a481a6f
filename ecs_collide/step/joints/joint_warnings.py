"""Warnings about joints that are allowed but likely mistakes.

A number may be written at any time, so only new joints are checked: a game may switch a motor, brake or spring off.
"""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collide.common.warn_once import WarnOnce
from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.joints import NUMBERS

USUAL_DAMPING = 1.0


class JointWarnings(WarnOnce):
    """Warns of likely mistakes in joints, once for each kind of mistake in a world."""

    def check_new_joints(self, joints: Iterable[tuple[int, Joint]]) -> None:
        """Check joints that are about to be taken in, and were not known before."""
        for entity, joint in joints:
            numbers = joint._values()
            subject = f"entity {entity}: its {type(joint).__name__}"
            if numbers[NUMBERS.MOTOR_SPEED] != 0.0 and numbers[NUMBERS.MAX_MOTOR] == 0.0:
                strength = "max_motor_torque" if hasattr(joint, "max_motor_torque") else "max_motor_force"
                self._warn(
                    "motor",
                    f"{subject} has motor_speed {numbers[NUMBERS.MOTOR_SPEED]:g} but {strength} 0: the motor drives "
                    f"nothing. Set {strength} above 0, or motor_speed to 0",
                )
            if joint.kind == kinds.FRICTION and numbers[NUMBERS.MAX_FORCE] == numbers[NUMBERS.MAX_MOTOR] == 0.0:
                self._warn(
                    "friction",
                    f"{subject} has max_force 0 and max_torque 0: it brakes nothing. Set one of them above 0",
                )
            if numbers[NUMBERS.HERTZ] == 0.0 and numbers[NUMBERS.DAMPING_RATIO] != USUAL_DAMPING:
                self._warn(
                    "spring",
                    f"{subject} has damping_ratio {numbers[NUMBERS.DAMPING_RATIO]:g} but hertz 0: it "
                    "damps nothing. Set hertz above 0, or damping beside a stiffness",
                )
