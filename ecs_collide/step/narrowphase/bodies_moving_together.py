"""Bodies that move as one: a surface may continue from one of them to the next.

The motion of a rigid body gives every point a velocity. Two bodies move as one if these velocity fields are equal. Then
their angular velocities agree, and the centre of one has the velocity of that point of the other. The cause of the
motion does not matter, nor its future: each step compares the velocities again.
"""

from __future__ import annotations

from ecs_collide.common.body_velocity import velocity_of
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import FRAME
from ecs_collide.kernels.kernel import device

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def move_as_one(a, b, bodies, parting_speed):
    """Return True if two bodies, neither of them dynamic, part no faster than `parting_speed` [m/s].

    Reads body_kind, body_frame, body_velocity.
    """
    kind_a, kind_b = bodies.kind[a], bodies.kind[b]
    if kind_a == STATIC and kind_b == STATIC:
        return True
    if kind_a == DYNAMIC or kind_b == DYNAMIC:
        return False
    ax, ay, spin = velocity_of(a, bodies)
    bx, by, other_spin = velocity_of(b, bodies)
    if spin != other_spin:
        return False
    frame = bodies.frame
    x = bx - ax + spin * (frame[b, FRAME.CENTER_Y] - frame[a, FRAME.CENTER_Y])
    y = by - ay - spin * (frame[b, FRAME.CENTER_X] - frame[a, FRAME.CENTER_X])
    return x * x + y * y <= parting_speed * parting_speed
