"""Kinematic bodies that have to be at a place when a frame is over: `move_to`.

Such a body has the velocity with which it gets there in the steps of the frame, so that it pushes and carries what is
in its way, which one that is put there does not. Where a frame has no step the body waits. When it is there it stands
still, unless the game has given it another velocity.
"""

from __future__ import annotations

from math import pi, remainder

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import MASS, BodyColumns
from ecs_collide.geometry.angles import cosine_and_sine

Goal = tuple[float, float, float | None]
"""Where a body is to be [m, m] and how it is to be turned [rad]; None: as it is."""


class Goals:
    """Who is on the way, and where to, by body rows."""

    def __init__(self, bodies: BodyColumns) -> None:
        self.is_under_way = False
        """Whether any body has a goal, or has come to it and is still to be stopped."""
        self._bodies = bodies
        self._goals: dict[int, Goal] = {}
        self._given: dict[int, list[float]] = {}
        """The velocity that each was given in the last step."""

    def add(self, row: int, goal: Goal) -> None:
        """Have a kinematic body go there in the next frame that makes a step."""
        self._goals[row], self.is_under_way = goal, True

    def forget(self, rows: list[int]) -> None:
        """Bodies have gone: whoever gets these rows is not sent there."""
        if self.is_under_way:
            for row in rows:
                self._goals.pop(row, None)
                self._given.pop(row, None)

    def begin_step(self, dt: float, steps: int) -> None:
        """Before a step of dt [s], one of so many that are left of the frame: give bodies their velocities."""
        if dt == 0.0:
            return
        bodies, given = self._bodies.arrays, self._given
        self._given = {}
        for row in {**given, **self._goals}:
            if bodies.kind[row] != BodyKind.KINEMATIC:  # any more
                self._goals.pop(row, None)
            elif row in self._goals:
                self._given[row] = self._velocity_to(self._goals[row], row, steps * dt)
                self._give(row, self._given[row])
            elif bodies.velocity[row].tolist() == given[row]:
                self._give(row, [0.0, 0.0, 0.0])
        if steps == 1:
            self._goals.clear()
        self.is_under_way = bool(self._given)

    def _velocity_to(self, goal: Goal, row: int, time: float) -> list[float]:
        """The velocity of the centre of mass, and the spin by the shorter way, that lead to a goal in a time [s]."""
        x, y, angle = self._bodies.arrays.pose[row].tolist()
        goal_x, goal_y, goal_angle = goal
        turn = 0.0 if goal_angle is None else remainder(goal_angle - angle, 2.0 * pi)
        local = self._bodies.arrays.mass[row, [MASS.LOCAL_X, MASS.LOCAL_Y]].tolist()
        (arm_x, arm_y), (goal_arm_x, goal_arm_y) = _turned(local, angle), _turned(local, angle + turn)
        way_x, way_y = goal_x + goal_arm_x - (x + arm_x), goal_y + goal_arm_y - (y + arm_y)
        return [way_x / time, way_y / time, turn / time]

    def _give(self, row: int, velocity: list[float]) -> None:
        if not np.array_equal(self._bodies.arrays.velocity[row], velocity):
            self._bodies.arrays.velocity[row] = velocity
            self._bodies.written.add(row)


def _turned(local: list[float], angle: float) -> tuple[float, float]:
    c, s = cosine_and_sine(angle)
    return c * local[0] - s * local[1], s * local[0] + c * local[1]
