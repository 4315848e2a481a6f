"""What is allowed but hardly meant of joints: told by a warning, once in each world, as they are adopted.

A number may be written at any time, so only a joint that has just come is looked at: one whose motor, brake or spring
the game has switched off since is meant to be off.
"""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collide.common.warn_once import Adviser
from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.joints import NUMBERS

MOTORS = {
    kinds.REVOLUTE: "max_motor_torque",
    kinds.PRISMATIC: "max_motor_force",
    kinds.WHEEL: "max_motor_torque",
}
"""What the motor of a kind is as strong as."""

SPRINGS = (kinds.REVOLUTE, kinds.WELD, kinds.DISTANCE, kinds.PRISMATIC, kinds.WHEEL)
"""The kinds that are springs only where they have a frequency."""

USUAL_DAMPING = 1.0


class JointWarnings(Adviser):
    """Looks at joints that come."""

    def on_arrival(self, joints: Iterable[tuple[int, Joint]]) -> None:
        """Joints are about to be adopted by their entities that were not theirs before."""
        for entity, joint in joints:
            numbers = joint._values()
            who = f"entity {entity}: its {type(joint).__name__}"
            strength, kind = MOTORS.get(joint.kind), joint.kind
            if strength is not None and numbers[NUMBERS.MOTOR_SPEED] != 0.0 and numbers[NUMBERS.MAX_MOTOR] == 0.0:
                self._tell(
                    "motor",
                    f"{who} has a motor_speed of {numbers[NUMBERS.MOTOR_SPEED]:g} and a {strength} of 0: the motor "
                    f"drives nothing. Give it a {strength}, or leave the speed 0 until it has one",
                )
            if kind == kinds.FRICTION and numbers[NUMBERS.MAX_FORCE] == numbers[NUMBERS.MAX_MOTOR] == 0.0:
                self._tell(
                    "friction",
                    f"{who} has neither a max_force nor a max_torque: it brakes nothing. Give it one of them",
                )
            if kind in SPRINGS and numbers[NUMBERS.HERTZ] == 0.0 and numbers[NUMBERS.DAMPING_RATIO] != USUAL_DAMPING:
                self._tell(
                    "spring",
                    f"{who} has a damping_ratio of {numbers[NUMBERS.DAMPING_RATIO]:g} and no hertz: it is no spring, "
                    "and there is nothing to damp. Give it a frequency, hertz above 0",
                )
