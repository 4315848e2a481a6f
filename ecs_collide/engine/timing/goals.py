"""Kinematic bodies that have to be at a place when a frame is over: `move_to`.

Such a body has the velocity with which it gets there in the steps of the frame, so that it pushes and carries what is
in its way, which one that is put there does not. Where a frame has no step the body waits. When it is there it stands
still, unless the game has given it another velocity.
"""

from __future__ import annotations

from math import pi, remainder

import numpy as np

from ecs_collide.columns import bodies as of_body
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.components import BodyKind
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.geometry.angles import cosine_and_sine

Goal = tuple[float, float, float | None]
"""Where a body is to be [m, m] and how it is to be turned [rad]; None: as it is."""


class Goals:
    """Who is on the way, and where to."""

    def __init__(self, bodies: BodyColumns, membership: Membership) -> None:
        self.is_under_way = False
        """Whether any body has a goal, or has come to it and is still to be stopped."""
        self._bodies = bodies
        self._membership = membership
        self._goals: dict[int, Goal] = {}
        self._given: dict[int, list[float]] = {}
        """The velocity that each was given in the last step."""

    def add(self, entity: int, goal: Goal) -> None:
        """Have a kinematic body go there in the next frame that makes a step."""
        self._goals[entity], self.is_under_way = goal, True

    def begin_step(self, dt: float, steps: int) -> None:
        """Before a step of dt [s], one of so many that are left of the frame: give bodies their velocities."""
        if dt == 0.0:
            return
        velocity, given = self._bodies.arrays.velocity, self._given
        self._given = {}
        for entity in {**given, **self._goals}:
            row = self._row_of(entity)
            if row is None:
                self._goals.pop(entity, None)
            elif entity in self._goals:
                self._given[entity] = self._velocity_to(self._goals[entity], row, steps * dt)
                self._give(row, self._given[entity])
            elif velocity[row].tolist() == given[entity]:
                self._give(row, [0.0, 0.0, 0.0])
        if steps == 1:
            self._goals.clear()
        self.is_under_way = bool(self._given)

    def _row_of(self, entity: int) -> int | None:
        """The row of a body; None where it has gone, or is not kinematic any more."""
        body = self._membership.members.get(entity)
        return body.row if body is not None and self._bodies.arrays.kind[body.row] == BodyKind.KINEMATIC else None

    def _velocity_to(self, goal: Goal, row: int, time: float) -> list[float]:
        """The velocity of the centre of mass, and the spin by the shorter way, that lead to a goal in a time [s]."""
        x, y, angle = self._bodies.arrays.pose[row].tolist()
        goal_x, goal_y, goal_angle = goal
        turn = 0.0 if goal_angle is None else remainder(goal_angle - angle, 2.0 * pi)
        local = self._bodies.arrays.mass[row, [of_body.LOCAL_X, of_body.LOCAL_Y]].tolist()
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
