"""Poses between the last two steps, for pictures that are taken between steps.

A picture shows a body on its path of the last step, as far along as the clock is ahead of that step. Poses are never
extrapolated, so no body is shown at a place where it never was. A body that is no longer where the step left it was
moved since, and is shown at its present place. An attached collider is shown at its place on its body.

Characters that are moved right before a step start at the place where they were before.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.data.bodies import POSE, BodyColumns
from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.place_attached import place_attached_poses
from ecs_collide.step.sync.present_pose import Place, own_pose
from ecs_collide.step.timing.copy_poses import copy_listed_poses, copy_poses

NO_POSES = np.zeros((0, POSE.WIDTH))


class Interpolation:
    """Poses of all bodies before and after the last step."""

    state_list = list_state(arrays="_start _before _after _moved_from", objects="moved", left_out="_is_on")

    def __init__(self, bodies: BodyColumns, is_on: bool) -> None:
        self._bodies = bodies
        self._is_on = is_on
        """True if pictures are taken between steps."""
        self._start = self._before = self._after = NO_POSES
        """Poses at the start of the step under way; before, and after the last step that moved bodies."""
        self.moved = DirtyRows(0)
        """Characters that were moved for the coming step; the step forgets them."""
        self._moved_from = NO_POSES
        """Their poses before."""

    def prepare(self) -> None:
        """Make room for all bodies."""
        room = len(self._bodies.arrays.pose) if self._is_on else 0
        known = len(self._after)
        if room != known:
            kept = min(room, known)
            larger = np.full((3, room, 3), np.nan)
            larger[:, :kept] = self._start[:kept], self._before[:kept], self._after[:kept]
            self._start, self._before, self._after = larger
        self._make_room_for_moved()

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls are prepared, as owners and names."""
        return (self, "_start"), (self._bodies, "arrays"), (self, "_moved_from")

    def move(self, rows: np.ndarray) -> None:
        """Keep the poses of characters that are about to be moved for the coming step."""
        self._make_room_for_moved()
        new = rows[~self.moved.marks[rows]]
        self._moved_from[new] = self._bodies.arrays.pose[new]
        self.moved.update(new.tolist())

    def _make_room_for_moved(self) -> None:
        room = len(self._bodies.arrays.pose) if self._is_on else 0
        known = len(self._moved_from)
        if room != known:
            larger, kept = np.zeros((room, 3)), min(room, known)
            larger[:kept] = self._moved_from[:kept]
            self._moved_from = larger
            self.moved.resize(room)

    def calls_before(self) -> Iterator[Call]:
        """Yield the calls that copy the poses before the bodies move."""
        if self._is_on:
            moved = self.moved
            yield Call(copy_poses, (self._bodies.arrays.pose, self._start))
            yield Call(copy_listed_poses, (moved.marked, moved.count, self._moved_from, self._start))

    def calls_after(self) -> Iterator[Call]:
        """Yield the calls that copy the poses before and after the step."""
        if self._is_on:
            yield Call(copy_poses, (self._start, self._before))
            yield Call(copy_poses, (self._bodies.arrays.pose, self._after))

    def forget(self, rows: list[int]) -> None:
        """Clear the poses of removed bodies, whose rows other bodies may get."""
        if not self._is_on:
            return
        known = len(self._after)
        self.moved.discard([row for row in rows if row < len(self._moved_from)])
        self._after[[row for row in rows if row < known]] = np.nan

    def poses(self, fraction: float) -> np.ndarray:
        """Return the poses at a fraction of the last step [m, m, rad] (n, 3)."""
        high = self._bodies.rows.high
        shown = self._bodies.arrays.pose[:high].copy()
        known = min(high, len(self._after))
        now, before = shown[:known], self._before[:known]
        moved = (now == self._after[:known]).all(axis=1)
        now[moved] = before[moved] + fraction * (now[moved] - before[moved])
        place_attached_poses(self._bodies.attached, shown)
        return shown

    def pose(self, body: Body, fraction: float) -> Place:
        """Return the pose of a body, or of an attached collider, at a fraction of the last step [m, m, rad].

        Raises ValueError if an attached collider belongs to a body with an angle that is not finite.
        """
        return own_pose(body, self._pose_in(body.host.row, fraction))

    def _pose_in(self, row: int, fraction: float) -> Place:
        now = x, y, angle = tuple(self._bodies.arrays.pose[row].tolist())
        if row >= len(self._after) or tuple(self._after[row].tolist()) != now:
            return now
        old_x, old_y, old_angle = self._before[row].tolist()
        return (
            old_x + fraction * (x - old_x),
            old_y + fraction * (y - old_y),
            old_angle + fraction * (angle - old_angle),
        )
