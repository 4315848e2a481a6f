"""What was written between two steps, and whether it wakes anything."""

from __future__ import annotations

from ecs_collide.data.bodies import VELOCITY, Bodies
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.kernel import stage
from ecs_collide.step.sleep.parked_pairs import is_awake


@stage
def unsettle_awake(marked: Ints, count: Ints, bodies: Bodies):
    """Note of bodies that were put elsewhere, and are awake, that they were; return how many others there are.

    The first `count` (1,) of `marked` are their rows, which stay listed until a step has looked where they are. Reads
    body_kind, body_island. Writes body_still, body_settled.
    """
    others = 0
    for k in range(count[0]):
        row = marked[k]
        if is_awake(row, bodies):
            bodies.still[row] = 0.0
            bodies.settled[row] = False
        else:
            others += 1
    return others


@stage
def leave_disturbed(marked: Ints, count: Ints, marks: Flags, bodies: Bodies):
    """Take bodies that are awake, which begin to rest anew, off a list of rows that were written; return how many stay.

    The first `count` (1,) of `marked` are the list, and `marks` says for each row whether it stands there. Reads
    body_kind, body_island. Writes body_still and the list.
    """
    left = 0
    for k in range(count[0]):
        row = marked[k]
        if is_awake(row, bodies):
            bodies.still[row] = 0.0
            marks[row] = False
        else:
            marked[left] = row
            left += 1
    count[0] = left
    return left


@stage
def any_moves(rows: Ints, bodies: Bodies):
    """Whether any of some bodies has a velocity. Reads body_velocity."""
    for row in rows:
        velocity = bodies.velocity[row]
        if velocity[VELOCITY.X] != 0.0 or velocity[VELOCITY.Y] != 0.0 or velocity[VELOCITY.ANGULAR] != 0.0:
            return True
    return False
