"""Flight of a ball between two impacts, on a parabola: its acceleration is constant within a step.

    x(t) = x + v t + a t² / 2,    v(t) = v + a t

where t counts from the ball's own time. The acceleration is called its *pull*. A ball that a contact supports has no
pull, or none into the contact.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.exact.exact_rows import BALL
from ecs_collide.kernels.kernel import device


class RelativeFlight(NamedTuple):
    """Motion of a ball relative to a feature, or of a second ball relative to the first one."""

    x: float
    """Place [m]."""
    y: float
    vx: float
    """Velocity [m/s]."""
    vy: float
    ax: float
    """Pull [m/s^2]."""
    ay: float


@device
def place_in_flight(ball, i, now):
    """Return the place (x, y) [m] of ball i at a time [s]."""
    since = now - ball[i, BALL.TIME]
    half = 0.5 * since
    return (
        ball[i, BALL.X] + (ball[i, BALL.VX] + ball[i, BALL.PULL_X] * half) * since,
        ball[i, BALL.Y] + (ball[i, BALL.VY] + ball[i, BALL.PULL_Y] * half) * since,
    )


@device
def velocity_in_flight(ball, i, now):
    """Return the velocity (x, y) [m/s] of ball i at a time [s]."""
    since = now - ball[i, BALL.TIME]
    return ball[i, BALL.VX] + ball[i, BALL.PULL_X] * since, ball[i, BALL.VY] + ball[i, BALL.PULL_Y] * since


@device
def advance(ball, i, now):
    """Move ball i along its flight to a time [s]. Writes its place, velocity and own time."""
    ball[i, BALL.X], ball[i, BALL.Y] = place_in_flight(ball, i, now)
    ball[i, BALL.VX], ball[i, BALL.VY] = velocity_in_flight(ball, i, now)
    ball[i, BALL.TIME] = now


@device
def reach(speed, pull, time):
    """Return (least, greatest) of the distance speed t + pull t² / 2 [m] for t from 0 to `time` [s]."""
    end = (speed + pull * (0.5 * time)) * time
    least, greatest = min(end, 0.0), max(end, 0.0)
    if speed * pull < 0.0 and abs(speed) < abs(pull) * time:
        top = -0.5 * speed * speed / pull
        least, greatest = min(least, top), max(greatest, top)
    return least, greatest
