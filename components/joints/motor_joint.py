"""The motor joint: drives one body to a pose against another."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, largest_as_infinity
from ecs_collide.components.joints.weld_joint import angle_or_current, current_angle_as_none
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field, Fields
from ecs_collide.validate import LARGEST, non_negative, non_negative_or_infinite, vector2


class MotorJoint(Joint):
    """Motor joint: drives `b` to a pose in the axes of `a`, with a limited force and torque.

    Without `b` it drives `a` to a pose in the world.

    Args:
        target: wanted place of the origin of the driven body, in the local axes of `a`, or in the world without `b`
            [m]; None (default) for the place at which a step takes the joint in.
        target_angle: wanted angle of `b` against `a`, or of `a` in the world [rad]; None (default) for the present one.
        max_force: largest force [N]; infinity by default.
        max_torque: largest torque [N m]; infinity by default.
        hertz: frequency of a spring that pulls to the pose [1/s]; 0 by default, which drives as fast as the force, the
            torque and the limits of `Joint` for closing a gap allow.
        damping_ratio: damping of the spring; 1 (critical) by default.
        break_force: force above which the joint breaks [N]; infinity by default.
        break_torque: torque above which the joint breaks [N m]; infinity by default.
        force_threshold: force above which each step sends the event `joint_overload` [N]; infinity by default.
        torque_threshold: torque above which it does [N m]; infinity by default.
        collide_connected: True (default) if the two bodies collide.

    The errors are those of `Joint`.
    """

    __slots__ = ()
    kind = kinds.MOTOR

    target_angle = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Wanted angle of `b` against `a`, or of `a` in the world [rad]; write it in each frame."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force [N], infinity for no bound."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque [N m], infinity for no bound."""
    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    """Frequency of the spring [1/s], 0 for none."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring, 1 for critical damping."""
    _stored_target: Fields[Point] = Fields(NUMBERS.TARGET_X, 2, vector2)
    """Value of `target`; `LARGEST` until a step takes the joint in, if none was given."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        target: Point | None = None,
        target_angle: float | None = None,
        max_force: float = inf,
        max_torque: float = inf,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = True,
    ) -> None:
        self._init_common(a, b, None, None, None, collide_connected)
        self._init_loads(break_force, break_torque, force_threshold, torque_threshold)
        self._stored_target = LARGEST, LARGEST
        if target is not None:
            self.target = target
        self.target_angle = target_angle
        self.max_force, self.max_torque = max_force, max_torque
        self.hertz, self.damping_ratio = hertz, damping_ratio

    @property
    def target(self) -> Point | None:
        """Return the wanted place in the axes of `a`, or in the world without `b` (x, y) [m]; write it in each frame.

        It is None until a step takes the joint in, if none was given.
        """
        target = self._stored_target
        return None if target == (LARGEST, LARGEST) else target

    @target.setter
    def target(self, value: Point) -> None:
        self._stored_target = self._checked(vector2, value, "target")

    @property
    def speed(self) -> float:
        """Return the angular velocity of `b` against `a` [rad/s]."""
        return self._values()[NUMBERS.SPEED]

    def _rest(self) -> float | None:
        return self.target_angle

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return pose_a[:2] if self.b is None else pose_b[:2]

    def _store_anchors(self, anchor_a: Point, anchor_b: Point, rest: float) -> None:
        super()._store_anchors(anchor_a, anchor_b, rest)
        if self.target is None:
            self._stored_target = anchor_b if self.b is None else anchor_a
