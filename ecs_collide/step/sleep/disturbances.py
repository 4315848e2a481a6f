"""Bodies that were written between two steps, and may wake others."""

from __future__ import annotations

from ecs_collide.data.bodies import VELOCITY, Bodies
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.kernel import kernel
from ecs_collide.step.sleep.parked_pairs import is_awake


@kernel
def unsettle_awake(marked: Ints, count: Ints, bodies: Bodies):
    """Mark the awake bodies among those that were moved by a write; return the number of the other ones.

    The first `count` (1,) of `marked` are the rows of the bodies. They stay listed until a step has read their places.
    Reads body_kind, body_island. Writes body_still, body_settled.
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


@kernel
def remove_awake(marked: Ints, count: Ints, marks: Flags, bodies: Bodies):
    """Remove awake bodies from a list of written rows, and restart their rest; return the number of rows left.

    The first `count` (1,) of `marked` are the list, and `marks` is True for each row in it. Reads body_kind,
    body_island. Writes body_still and the list.
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


@kernel
def has_moving(rows: Ints, bodies: Bodies):
    """Return True if any of some bodies has a velocity. Reads body_velocity."""
    for row in rows:
        velocity = bodies.velocity[row]
        if velocity[VELOCITY.X] != 0.0 or velocity[VELOCITY.Y] != 0.0 or velocity[VELOCITY.ANGULAR] != 0.0:
            return True
    return False
