"""Velocities of bodies and of their points at the start of a step."""

from __future__ import annotations

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import FRAME, VELOCITY
from ecs_collide.kernels.kernel import device

STATIC = int(BodyKind.STATIC)


@device
def velocity_of(body, bodies):
    """Return the velocity of a body's centre [m/s, m/s, rad/s]; a static body has none, whatever its column holds."""
    if bodies.kind[body] == STATIC:
        return 0.0, 0.0, 0.0
    return bodies.velocity[body, VELOCITY.X], bodies.velocity[body, VELOCITY.Y], bodies.velocity[body, VELOCITY.ANGULAR]


@device
def velocity_of_place(body, x, y, bodies):
    """Return the velocity of a body at a point of the world [m/s]."""
    vx, vy, spin = velocity_of(body, bodies)
    frame = bodies.frame[body]
    return vx - spin * (y - frame[FRAME.CENTER_Y]), vy + spin * (x - frame[FRAME.CENTER_X])
