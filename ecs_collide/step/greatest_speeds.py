"""Greatest speeds of bodies, `RigidBody.max_speed` and `max_angular_speed`.

Velocities are limited before a step, which covers what the game wrote, and after it. Within a step a body exceeds its
limit by at most what forces and contacts add in this step. A limited velocity keeps its direction.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import LIMIT, VELOCITY, Bodies
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import kernel

DYNAMIC = int(BodyKind.DYNAMIC)


@kernel
def keep_greatest_speeds(movers: Ints, bodies: Bodies):
    """Limit the velocities of dynamic bodies to the greatest ones that they have. Writes body_velocity (n, 3)."""
    for body in movers:
        if bodies.kind[body] != DYNAMIC:
            continue
        most, spin = bodies.limit[body, LIMIT.SPEED], bodies.limit[body, LIMIT.SPIN]
        x, y, angular = (
            bodies.velocity[body, VELOCITY.X],
            bodies.velocity[body, VELOCITY.Y],
            bodies.velocity[body, VELOCITY.ANGULAR],
        )
        speed = sqrt(x * x + y * y)
        if 0.0 < most < speed:
            bodies.velocity[body, VELOCITY.X] = most * (x / speed)
            bodies.velocity[body, VELOCITY.Y] = most * (y / speed)
        if spin > 0.0:
            bodies.velocity[body, VELOCITY.ANGULAR] = min(max(angular, -spin), spin)
