"""Keep bodies that a kinematic body squeezes on their side of static bodies.

Between a kinematic and a static body no contact solver has a solution. The squeezed body gives way to both, a little in
each step, until the wall pushes it out on its other side. So static contacts have the last word. Let δ be the distance
that a contact's point on the body has moved along the normal out of the wall. The separation after the step is s + δ,
and shifting the body along the normal makes it

    s + δ ≥ min(s, −d),    d = two slops, at most half of the body's solid core

So the body goes no deeper than d, and if it was deeper, not deeper than it was. A body that touches a squeezed body
counts as squeezed.
"""

from __future__ import annotations

from ecs_collide.data.bodies import BODY_SPAN, FRAME, MASS, POSE, VELOCITY
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.step.continuous.body_motions import DYNAMIC, KINEMATIC, STATIC, start_pose
from ecs_collide.step.continuous.sweep_scratch import SweepScene

ROUNDS = 8
"""Least number of bodies in a row through which a kinematic body squeezes."""

PASSES = 4
"""Greatest number of passes over the contacts."""

CORE_SHARE, SLOPS = 0.5, 2.0
"""Greatest depth, in cores of the body and in slops."""

START = layout("start pose", X="centre of mass, x [m]", Y="centre of mass, y [m]", ANGLE="angle [rad]")


@device
def any_static(contacts, count, bodies):
    """Return True if any body has a contact with a static one."""
    for k in range(count):
        if (
            bodies.kind[contacts.body[k, CONTACT_BODY.A]] == STATIC
            or bodies.kind[contacts.body[k, CONTACT_BODY.B]] == STATIC
        ):
            return True
    return False


@device
def mark_squeezed(contacts, count, bodies, squeezed):
    """Mark the bodies that touch a kinematic body, directly or through others; return True if any does."""
    any_is = False
    for _ in range(ROUNDS):
        any_changed = False
        for k in range(count):
            a, b = contacts.body[k, CONTACT_BODY.A], contacts.body[k, CONTACT_BODY.B]
            kind_a, kind_b = bodies.kind[a], bodies.kind[b]
            if not contacts.enabled[k] or kind_a == STATIC or kind_b == STATIC:
                continue
            squeezes_a = kind_b == KINEMATIC or squeezed[b]
            squeezes_b = kind_a == KINEMATIC or squeezed[a]
            if squeezes_a and kind_a == DYNAMIC and not squeezed[a]:
                squeezed[a] = any_changed = True
            if squeezes_b and kind_b == DYNAMIC and not squeezed[b]:
                squeezed[b] = any_changed = True
        if not any_changed:
            break
        any_is = True
    return any_is


@device
def shift(body, x, y, bodies):
    """Shift a body by (x, y) [m], except along locked axes, and remove its velocity against that direction."""
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
def shift_out(contacts, k, body, side, bodies, start, most):
    """Shift a body out along contact k to the depth `most` [m]; return True if it was deeper.

    The normal times `side` leads out. `start` is the body's pose at the start of the step, see START.
    """
    x, y, angle = start[START.X], start[START.Y], start[START.ANGLE]
    end_x, end_y = bodies.frame[body, FRAME.CENTER_X], bodies.frame[body, FRAME.CENTER_Y]
    out_x, out_y = side * contacts.normal[k, X], side * contacts.normal[k, Y]
    c, s = cos_sin(bodies.pose[body, POSE.ANGLE] - angle)
    # The greatest correction of its points.
    correction = 0.0
    for point in range(contacts.point_count[k]):
        arm_x, arm_y = contacts.point[k, point, X] - x, contacts.point[k, point, Y] - y
        move_x = end_x - x + (c - 1.0) * arm_x - s * arm_y
        move_y = end_y - y + (c - 1.0) * arm_y + s * arm_x
        separation = contacts.separation[k, point]
        correction = max(correction, min(separation, -most) - (separation + move_x * out_x + move_y * out_y))
    if correction <= 0.0:
        return False
    shift(body, correction * out_x, correction * out_y, bodies)
    return True


@kernel
def keep_squeezed_outside(contacts: Contacts, count: int, scene: SweepScene, squeezed: Flags, starts: FloatTable):
    """Keep squeezed bodies on their side of static contacts.

    `squeezed` (n,) bool is False before and after; `starts` (n, 3) is scratch space, see START. Reads the contacts, the
    body motions. Writes body_pose, body_frame, body_velocity.
    """
    bodies = scene.bodies
    if not (any_static(contacts, count, bodies) and mark_squeezed(contacts, count, bodies, squeezed)):
        return
    for k in range(count):
        for side in range(2):
            body = contacts.body[k, side]
            if squeezed[body]:
                x, y, angle = start_pose(body, bodies, scene.motions)
                starts[body, START.X], starts[body, START.Y], starts[body, START.ANGLE] = x, y, angle
    # Shift the bodies at static contacts, until none is too deep.
    for _ in range(PASSES):
        any_shifted = False
        for k in range(count):
            a, b = contacts.body[k, CONTACT_BODY.A], contacts.body[k, CONTACT_BODY.B]
            body, other, sign = (a, b, -1.0) if bodies.kind[b] == STATIC else (b, a, 1.0)
            if not contacts.enabled[k] or not squeezed[body] or bodies.kind[other] != STATIC:
                continue
            most = min(SLOPS * scene.slop, CORE_SHARE * scene.span[body, BODY_SPAN.CORE])
            if shift_out(contacts, k, body, sign, bodies, starts[body], most):
                any_shifted = True
        if not any_shifted:
            break
    for k in range(count):
        squeezed[contacts.body[k, CONTACT_BODY.A]] = squeezed[contacts.body[k, CONTACT_BODY.B]] = False
