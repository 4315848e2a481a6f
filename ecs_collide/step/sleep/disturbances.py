"""Bodies that were written between two steps, and may wake others."""

from __future__ import annotations

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import VELOCITY, Bodies
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.kernel import kernel
from ecs_collide.step.broadphase.boxes import is_frame_current
from ecs_collide.step.sleep.parked_pairs import is_awake

STATIC = int(BodyKind.STATIC)


@kernel
def sort_moves(
    marked: Ints, count: Ints, moved: Ints, moved_count: Ints, moved_marks: Flags, relocated: Flags, bodies: Bodies
):
    """Sort the bodies whose `Transform` was written; return the number of those that need Python.

    These are bodies that sleep, and static bodies that were moved and are not `relocated` (n,). The first `count` (1,)
    of `marked` are the rows of all written bodies, which stay listed until a step has read their places. A static body
    that is where it was, to the bit, has not moved. Reads body_kind, body_island, body_pose, body_mass, body_frame.
    Writes the list of moved static bodies `moved` with its count and marks, see `DirtyRows`, and of awake bodies and
    moved static ones body_rest_time and body_settled.
    """
    others = 0
    for k in range(count[0]):
        row = marked[k]
        if bodies.kind[row] == STATIC:
            if not moved_marks[row]:
                if is_frame_current(row, bodies):
                    continue
                moved_marks[row] = True
                moved[moved_count[0]] = row
                moved_count[0] += 1
            others += int(not relocated[row])
        elif bodies.island[row] != 0:
            others += 1
            continue
        bodies.rest_time[row] = 0.0
        bodies.settled[row] = False
    return others


@kernel
def remove_awake(marked: Ints, count: Ints, marks: Flags, bodies: Bodies):
    """Remove awake bodies from a list of written rows, and restart their rest; return the number of rows left.

    The first `count` (1,) of `marked` are the list, and `marks` is True for each row in it. Reads body_kind,
    body_island. Writes body_rest_time and the list.
    """
    left = 0
    for k in range(count[0]):
        row = marked[k]
        if is_awake(row, bodies):
            bodies.rest_time[row] = 0.0
            marks[row] = False
        else:
            marked[left] = row
            left += 1
    count[0] = left
    return left


@kernel
def has_moving(rows: Ints, bodies: Bodies):
    """Return True if any of some bodies has a velocity. Reads body_velocity."""
    for row in rows:
        velocity = bodies.velocity[row]
        if velocity[VELOCITY.X] != 0.0 or velocity[VELOCITY.Y] != 0.0 or velocity[VELOCITY.ANGULAR] != 0.0:
            return True
    return False
