"""Targets of `move_to`: poses that kinematic bodies reach by the end of a frame, or of a step for calls in a frame.

Such a body gets the velocity that takes it to its target in the steps of the frame. So it pushes and carries the bodies
in its path, unlike a body that is placed there. If a frame has no step, the body waits. At the target it stands still,
unless the game has given it another velocity.
"""

from __future__ import annotations

from math import pi, remainder

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import MASS, BodyColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.geometry.angles import cosine_and_sine

MoveTarget = tuple[float, float, float | None]
"""Target pose of a body: place [m, m] and angle [rad]; None keeps the angle."""


class MoveTargets:
    """Targets of kinematic bodies, by body rows."""

    state_list = list_state(values="is_under_way _is_foreseen", contents="_targets _of_step _given _late")

    def __init__(self, bodies: BodyColumns) -> None:
        self.is_under_way = False
        """True if any body has a target, or has reached it and is still to be stopped."""
        self._bodies = bodies
        self._targets: dict[int, MoveTarget] = {}
        self._of_step: set[int] = set()
        """Bodies whose targets are for the end of the next step, and not of the frame."""
        self._given: dict[int, list[float]] = {}
        """Velocity that each body was given in the last step [m/s, m/s, rad/s]."""
        self._is_foreseen = False
        """True if characters have moved since the last step."""
        self._late: set[int] = set()
        """Bodies whose targets the game sets after it has moved its characters."""

    def add(self, row: int, target: MoveTarget, is_of_step: bool) -> None:
        """Set the target of a kinematic body for the next frame with a step, or for the next step."""
        if row not in self._targets:
            (self._late.add if self._is_foreseen else self._late.discard)(row)
        (self._of_step.add if is_of_step else self._of_step.discard)(row)
        self._targets[row], self.is_under_way = target, True

    def forget(self, rows: list[int]) -> None:
        """Remove the targets of removed bodies, whose rows other bodies may get."""
        if self.is_under_way:
            for row in rows:
                self._targets.pop(row, None)
                self._of_step.discard(row)
                self._given.pop(row, None)
                self._late.discard(row)

    def foresee(self, dt: float, steps: int) -> None:
        """Set the velocities that `begin_step` with the same arguments will set, for characters that move before it.

        A body without a new target is about to stop, unless the game sent it on after the characters last time.
        """
        if dt == 0.0:
            return
        bodies = self._bodies.arrays
        for row in {**self._given, **self._targets}:
            if bodies.kind[row] != BodyKind.KINEMATIC:
                continue
            if row in self._targets:
                self._set_velocity(row, self._velocity_to(self._targets[row], row, self._time_left(row, dt, steps)))
            elif bodies.velocity[row].tolist() == self._given[row] and row not in self._late:
                self._set_velocity(row, [0.0, 0.0, 0.0])
        self._is_foreseen = True

    def begin_step(self, dt: float, steps: int) -> None:
        """Set the velocities of bodies before a step of dt [s], with a number of steps left in the frame."""
        if dt == 0.0:
            return
        bodies, given = self._bodies.arrays, self._given
        self._given, self._is_foreseen = {}, False
        for row in {**given, **self._targets}:
            if bodies.kind[row] != BodyKind.KINEMATIC:  # it was kinematic when the game called `move_to`
                self._targets.pop(row, None)
            elif row in self._targets:
                self._given[row] = self._velocity_to(self._targets[row], row, self._time_left(row, dt, steps))
                self._set_velocity(row, self._given[row])
            elif bodies.velocity[row].tolist() == given[row]:
                self._set_velocity(row, [0.0, 0.0, 0.0])
        for row in list(self._targets) if steps == 1 else self._of_step:
            self._targets.pop(row, None)
        self._of_step.clear()
        self.is_under_way = bool(self._given)

    def _time_left(self, row: int, dt: float, steps: int) -> float:
        """Return the time until a body reaches its target [s], with some steps of dt [s] left in the frame."""
        return dt if row in self._of_step else steps * dt

    def _velocity_to(self, target: MoveTarget, row: int, time: float) -> list[float]:
        """Return the velocity of the centre of mass, and the spin by the shorter way, to a target in a time [s]."""
        x, y, angle = self._bodies.arrays.pose[row].tolist()
        target_x, target_y, target_angle = target
        turn = 0.0 if target_angle is None else remainder(target_angle - angle, 2.0 * pi)
        local = self._bodies.arrays.mass[row, [MASS.LOCAL_X, MASS.LOCAL_Y]].tolist()
        (arm_x, arm_y) = _rotated(local, angle)
        (target_arm_x, target_arm_y) = _rotated(local, angle + turn)
        move_x, move_y = target_x + target_arm_x - (x + arm_x), target_y + target_arm_y - (y + arm_y)
        return [move_x / time, move_y / time, turn / time]

    def _set_velocity(self, row: int, velocity: list[float]) -> None:
        """Set the velocity of a body, and list it as written if that changes it."""
        if not np.array_equal(self._bodies.arrays.velocity[row], velocity):
            self._bodies.arrays.velocity[row] = velocity
            self._bodies.written.add(row)


def _rotated(local: list[float], angle: float) -> tuple[float, float]:
    """Return a vector rotated by an angle [rad]."""
    c, s = cosine_and_sine(angle)
    return c * local[0] - s * local[1], s * local[0] + c * local[1]
