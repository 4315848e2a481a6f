"""Free motion: how a body moves in a step if nothing but gravity, forces and damping acts on it."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.common.body_velocity import velocity_of
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import FORCE, MASS, MOTION
from ecs_collide.kernels.kernel import device

DYNAMIC = int(BodyKind.DYNAMIC)


class FreeMotion(NamedTuple):
    """Velocity of a body now [m/s, rad/s], what outer forces add to it in the time, and factors of damping after it."""

    vx: float
    vy: float
    w: float
    gain_x: float
    gain_y: float
    gain_w: float
    linear: float
    angular: float


@device
def free_motion(body, bodies, gravity, dt):
    """Return the motion of a body in dt [s] without contacts. A dynamic body does not move along a locked axis."""
    vx, vy, w = velocity_of(body, bodies)
    gain_x, gain_y, gain_w, linear, angular = 0.0, 0.0, 0.0, 1.0, 1.0
    if bodies.kind[body] == DYNAMIC:
        mass, motion = bodies.mass[body], bodies.motion[body]
        force, push = bodies.force[body], bodies.push[body]
        inverse_x, inverse_y = mass[MASS.INVERSE_X], mass[MASS.INVERSE_Y]
        inverse_inertia, scale = mass[MASS.INVERSE_INERTIA], motion[MOTION.GRAVITY_SCALE]
        if inverse_x > 0.0:
            gain_x = dt * (gravity[0] * scale + (force[FORCE.X] + push[FORCE.X]) * inverse_x)
        if inverse_y > 0.0:
            gain_y = dt * (gravity[1] * scale + (force[FORCE.Y] + push[FORCE.Y]) * inverse_y)
        if inverse_inertia > 0.0:
            gain_w = dt * (force[FORCE.TORQUE] + push[FORCE.TORQUE]) * inverse_inertia
        if motion[MOTION.LINEAR_DAMPING] != 0.0 or motion[MOTION.ANGULAR_DAMPING] != 0.0:
            linear = 1.0 / (1.0 + dt * motion[MOTION.LINEAR_DAMPING])
            angular = 1.0 / (1.0 + dt * motion[MOTION.ANGULAR_DAMPING])
        vx = vx if inverse_x > 0.0 else 0.0
        vy = vy if inverse_y > 0.0 else 0.0
        w = w if inverse_inertia > 0.0 else 0.0
    return FreeMotion(vx=vx, vy=vy, w=w, gain_x=gain_x, gain_y=gain_y, gain_w=gain_w, linear=linear, angular=angular)


@device
def velocity_after(motion, share):
    """Return the velocity [m/s, m/s, rad/s] of a free motion after a part `share` of what outer forces add."""
    return (
        (motion.vx + share * motion.gain_x) * motion.linear,
        (motion.vy + share * motion.gain_y) * motion.linear,
        (motion.w + share * motion.gain_w) * motion.angular,
    )
