"""What a kinematic body presses stays on its side of what is static, however far it is pressed.

Between the two no contact solver has an answer: it lets the body give way to both, a little in each step, until the
wall pushes it out on its other side. So static contacts have the last word. With δ how far a contact's point on the
body has moved along the normal out of the wall, the separation after the step is s + δ. It is made

    s + δ ≥ min(s, −d),    d = two slops, half of the body's solid core at most

by shifting the body along the normal: it goes no deeper than d, and where it was deeper, not deeper than it was. What
touches a pressed body counts as pressed.
"""

from __future__ import annotations

from ecs_collide.data.bodies import BODY_SPAN, FRAME, MASS, POSE, VELOCITY, Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import Flags, FloatTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import Tracks, start_of

ROUNDS = 8
"""Bodies in a row, at least, through which a kinematic body presses."""

PASSES = 4

CORE_SHARE, SLOPS = 0.5, 2.0


@device
def mark_pressed(contacts, count, bodies, pressed):
    """Note which bodies touch something kinematic, directly or by others; return whether any does."""
    any_is = False
    for _ in range(ROUNDS):
        any_changed = False
        for k in range(count):
            a, b = contacts.body[k, 0], contacts.body[k, 1]
            kind_a, kind_b = bodies.kind[a], bodies.kind[b]
            if not contacts.enabled[k] or kind_a == of_track.STATIC or kind_b == of_track.STATIC:
                continue
            presses_a = kind_b == of_track.KINEMATIC or pressed[b]
            presses_b = kind_a == of_track.KINEMATIC or pressed[a]
            if presses_a and kind_a == of_track.DYNAMIC and not pressed[a]:
                pressed[a] = any_changed = True
            if presses_b and kind_b == of_track.DYNAMIC and not pressed[b]:
                pressed[b] = any_changed = True
        if not any_changed:
            break
        any_is = True
    return any_is


@device
def shift(body, x, y, bodies):
    """Shift a body [m], unless an axis is locked, and take the part of its velocity that leads the other way."""
    if bodies.mass[body, MASS.INVERSE_X] > 0.0:
        bodies.frame[body, FRAME.CENTER_X] += x
        bodies.pose[body, POSE.X] += x
    if bodies.mass[body, MASS.INVERSE_Y] > 0.0:
        bodies.frame[body, FRAME.CENTER_Y] += y
        bodies.pose[body, POSE.Y] += y
    along = bodies.velocity[body, VELOCITY.X] * x + bodies.velocity[body, VELOCITY.Y] * y
    if along < 0.0:
        share = along / (x * x + y * y)
        bodies.velocity[body, VELOCITY.X] -= share * x
        bodies.velocity[body, VELOCITY.Y] -= share * y


@device
def hold_out(contacts, k, body, side, bodies, start, most):
    """Shift a body out along contact k, whose normal times `side` leads out; return whether it had to be.

    `start` is its centre and angle at the step's start.
    """
    x, y, angle = start[0], start[1], start[2]
    end_x, end_y = bodies.frame[body, FRAME.CENTER_X], bodies.frame[body, FRAME.CENTER_Y]
    out_x, out_y = side * contacts.normal[k, 0], side * contacts.normal[k, 1]
    c, s = cos_sin(bodies.pose[body, POSE.ANGLE] - angle)
    lack = 0.0
    for point in range(contacts.point_count[k]):
        arm_x, arm_y = contacts.point[k, point, 0] - x, contacts.point[k, point, 1] - y
        move_x = end_x - x + (c - 1.0) * arm_x - s * arm_y
        move_y = end_y - y + (c - 1.0) * arm_y + s * arm_x
        separation = contacts.separation[k, point]
        lack = max(lack, min(separation, -most) - (separation + move_x * out_x + move_y * out_y))
    if lack <= 0.0:
        return False
    shift(body, lack * out_x, lack * out_y, bodies)
    return True


@stage
def hold_pressed(
    contacts: Contacts,
    count: int,
    bodies: Bodies,
    tracks: Tracks,
    span: FloatTable,
    pressed: Flags,
    starts: FloatTable,
    slop: float,
):
    """Keep what is pressed on its side of static contacts.

    `pressed` (n,) bool is all False before and after; `starts` (n, 3) is scratch space.

    Reads the contacts, the tracks. Writes body_pose, body_frame, body_velocity.
    """
    if not mark_pressed(contacts, count, bodies, pressed):
        return
    for k in range(count):
        for column in range(2):
            body = contacts.body[k, column]
            if pressed[body]:
                starts[body, 0], starts[body, 1], starts[body, 2] = start_of(body, bodies, tracks)
    for _ in range(PASSES):
        any_shifted = False
        for k in range(count):
            a, b = contacts.body[k, 0], contacts.body[k, 1]
            body, other, side = (a, b, -1.0) if bodies.kind[b] == of_track.STATIC else (b, a, 1.0)
            if not contacts.enabled[k] or not pressed[body] or bodies.kind[other] != of_track.STATIC:
                continue
            most = min(SLOPS * slop, CORE_SHARE * span[body, BODY_SPAN.CORE])
            if hold_out(contacts, k, body, side, bodies, starts[body], most):
                any_shifted = True
        if not any_shifted:
            break
    for k in range(count):
        pressed[contacts.body[k, 0]] = pressed[contacts.body[k, 1]] = False
