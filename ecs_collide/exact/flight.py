"""How a ball flies between two impacts: on a parabola, for what pulls at it is the same all through a step.

    x(t) = x + v t + a t² / 2,    v(t) = v + a t

with t from the ball's own time on. A ball that a contact carries has no pull, or none into the contact.
"""

from __future__ import annotations

from ecs_collide.exact import exact_rows as layout
from ecs_collide.kernels.kernel import device


@device
def place_in_flight(ball, i, now):
    """The place (x, y) [m] of ball i at a time [s]."""
    since = now - ball[i, layout.TIME]
    half = 0.5 * since
    return (
        ball[i, layout.X] + (ball[i, layout.VX] + ball[i, layout.PULL_X] * half) * since,
        ball[i, layout.Y] + (ball[i, layout.VY] + ball[i, layout.PULL_Y] * half) * since,
    )


@device
def velocity_in_flight(ball, i, now):
    """The velocity (x, y) [m/s] of ball i at a time [s]."""
    since = now - ball[i, layout.TIME]
    return ball[i, layout.VX] + ball[i, layout.PULL_X] * since, ball[i, layout.VY] + ball[i, layout.PULL_Y] * since


@device
def advance(ball, i, now):
    """Bring ball i to a time [s]. Writes its place, velocity and own time."""
    ball[i, layout.X], ball[i, layout.Y] = place_in_flight(ball, i, now)
    ball[i, layout.VX], ball[i, layout.VY] = velocity_in_flight(ball, i, now)
    ball[i, layout.TIME] = now


@device
def reach(speed, pull, time):
    """(least, greatest) of the way speed t + pull t² / 2 [m] for t from 0 to `time` [s]."""
    end = (speed + pull * (0.5 * time)) * time
    least, greatest = min(end, 0.0), max(end, 0.0)
    if speed * pull < 0.0 and abs(speed) < abs(pull) * time:
        top = -0.5 * speed * speed / pull
        least, greatest = min(least, top), max(greatest, top)
    return least, greatest
