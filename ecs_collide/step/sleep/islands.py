"""Which bodies may fall asleep: islands of dynamic bodies that are all at rest.

Two dynamic bodies with a contact row, or a joint, belong to one island. What has a contact is solved together, what
has none does not notice whether its neighbour is asleep: so waking at a contact gives the motion that there would be
without sleep. Islands are found by union-find, every `ISLAND_INTERVAL` in which some body has been at rest for long
enough.

An island falls asleep if each of its bodies has been still for `SLEEP_TIME` and may sleep, if no kinematic body that
moves, or did shortly before, is near it, if no surface that runs carries one of its bodies, and if it touches something
that does not give way. What touches nothing such falls asleep only where nothing drives it and it does not move: what
gravity or a force has only begun to move may be as slow as what rests, and what drifts goes on for ever. Where damping
will stop it within a length that counts as nothing, it does not move.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.common import tolerances as tuning
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BODY_SPAN, FORCE, MASS, MOTION, VELOCITY, Bodies
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.joints import WORLD
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.broadphase.boxes import box_of
from ecs_collide.step.notify.update_touching import contact_touches

KINEMATIC, DYNAMIC = int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

# island_flags, of a body and then of its whole island
BUSY, HELD, FREE = 1, 2, 4


class Islands(NamedTuple):
    """Scratch space; every array has one row per body."""

    parent: Ints
    """Another body of the same island, the same one at its root (n,) int64."""
    flags: Ints
    """BUSY: keeps its island awake. HELD: touches what does not give way. FREE: moves where nothing holds it, or is
    driven (n,) int64."""
    asleep: Ints
    """The bodies that fell asleep (n,) int64."""


def island_scratch(bodies: int) -> Islands:
    """Scratch space for a number of bodies."""
    return Islands(np.zeros(bodies, np.int64), np.zeros(bodies, np.int64), np.zeros(bodies, np.int64))


@stage
def time_rest(movers: Ints, bodies: Bodies, span: FloatTable, dt: float, time_unit: float, speed: float):
    """Add dt [time units] to the seconds that each body has been at rest; return how many could fall asleep.

    At rest is a dynamic body none of whose points is faster than `speed` [m/s], and a kinematic one without velocity.
    Reads body_velocity, body_motion, body_span. Writes body_still [s] (n,).
    """
    ready, seconds = 0, dt / time_unit
    for body in movers:
        vx, vy, w = (
            bodies.velocity[body, VELOCITY.X],
            bodies.velocity[body, VELOCITY.Y],
            bodies.velocity[body, VELOCITY.ANGULAR],
        )
        fastest = sqrt(vx * vx + vy * vy) + abs(w) * span[body, BODY_SPAN.EXTENT]
        if bodies.kind[body] == KINEMATIC:
            is_still = vx == 0.0 and vy == 0.0 and w == 0.0
        else:
            is_still = fastest <= speed
        bodies.still[body] = bodies.still[body] + seconds if is_still else 0.0
        if (
            bodies.still[body] >= tuning.SLEEP_TIME
            and bodies.motion[body, MOTION.CAN_SLEEP] != 0.0
            and bodies.island[body] == 0
        ):
            ready += 1
    return ready


@stage
def rouse_astray(piece_rows: Ints, bodies: Bodies, pieces: Pieces):
    """Begin to count anew for bodies that were pushed out of a fat box of theirs: asleep, nothing would find them.

    Reads body_frame, piece_box, piece_size, piece_index. Writes body_still.
    """
    for piece in piece_rows:
        low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
        box = pieces.box[piece]
        if low_x < box[BOX.MIN_X] or low_y < box[BOX.MIN_Y] or high_x > box[BOX.MAX_X] or high_y > box[BOX.MAX_Y]:
            bodies.still[pieces.index[piece, PIECE.BODY]] = 0.0


@device
def root_of(body, parent):
    """The root of a body's island; the way there becomes shorter."""
    while parent[body] != body:
        parent[body] = parent[parent[body]]
        body = parent[body]
    return body


@device
def drifts(body, bodies, span, least):
    """Whether some point of a body would still go further than `least` [m] if nothing but its damping stopped it."""
    vx, vy, w = (
        bodies.velocity[body, VELOCITY.X],
        bodies.velocity[body, VELOCITY.Y],
        bodies.velocity[body, VELOCITY.ANGULAR],
    )
    linear, angular = bodies.motion[body, MOTION.LINEAR_DAMPING], bodies.motion[body, MOTION.ANGULAR_DAMPING]
    return sqrt(vx * vx + vy * vy) > linear * least or abs(w) * span[body, BODY_SPAN.EXTENT] > angular * least


@device
def own_flags(body, bodies, span, gravity, least):
    """What a body brings into its island."""
    flags = 0
    if bodies.still[body] < tuning.SLEEP_TIME or bodies.motion[body, MOTION.CAN_SLEEP] == 0.0:
        flags |= BUSY
    inverse_x, inverse_y = bodies.mass[body, MASS.INVERSE_X], bodies.mass[body, MASS.INVERSE_Y]
    scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
    driven_x = inverse_x > 0.0 and gravity[0] * scale + bodies.force[body, FORCE.X] * inverse_x != 0.0
    driven_y = inverse_y > 0.0 and gravity[1] * scale + bodies.force[body, FORCE.Y] * inverse_y != 0.0
    driven = driven_x or driven_y or bodies.force[body, FORCE.TORQUE] * bodies.mass[body, MASS.INVERSE_INERTIA] != 0.0
    if driven or drifts(body, bodies, span, least):
        flags |= FREE
    return flags


@device
def join_linked(links, bodies, islands):
    """Make what is joined, and awake, one island. Writes island_parent, island_flags."""
    parent, flags = islands.parent, islands.flags
    for k in range(len(links)):
        a, b = links[k, 0], links[k, 1]
        if a == WORLD or bodies.kind[a] != DYNAMIC:
            a, b = b, a
        if bodies.island[a] != 0:
            continue
        if links[k, 2] != 0:
            flags[a] |= BUSY
        if b != WORLD and bodies.kind[b] == DYNAMIC:
            a, b = root_of(a, parent), root_of(b, parent)
            parent[max(a, b)] = min(a, b)
        elif b != WORLD and bodies.kind[b] == KINEMATIC and bodies.island[b] == 0 and flags[b] & BUSY != 0:
            flags[a] |= BUSY
        else:
            flags[a] |= HELD


@stage
def find_sleepers(
    movers: Ints,
    bodies: Bodies,
    span: FloatTable,
    contacts: Contacts,
    contact_count: int,
    links: IntTable,
    gravity: tuple[float, float],
    touch_gap: float,
    islands: Islands,
):
    """Put to sleep what may fall asleep; return how many bodies did, kinematic ones among them.

    `links` (k, 3) are the joints: rows of A and B, -1 for the world, and whether a motor drives them.
    A contact touches by an impulse or at a gap of `touch_gap` [m], the length that counts as nothing.
    Reads the contacts, body_velocity, body_span, body_still, body_motion, body_mass, body_force. Writes body_island,
    and of those that fell asleep body_velocity (0), body_solver_row (0) and island_asleep.
    """
    parent, flags, asleep = islands.parent, islands.flags, islands.asleep
    for body in movers:
        parent[body] = body
        flags[body] = own_flags(body, bodies, span, gravity, touch_gap)
    for row in range(contact_count):
        a, b = contacts.body[row, CONTACT_BODY.A], contacts.body[row, CONTACT_BODY.B]
        if bodies.kind[a] != DYNAMIC:
            a, b = b, a
        if contacts.surface_speed[row] != 0.0:
            flags[a] |= BUSY
        if bodies.kind[b] == DYNAMIC:
            a, b = root_of(a, parent), root_of(b, parent)
            parent[max(a, b)] = min(a, b)
        elif bodies.kind[b] == KINEMATIC and bodies.island[b] == 0 and flags[b] & BUSY != 0:
            flags[a] |= BUSY
        elif contact_touches(contacts, row, touch_gap):
            flags[a] |= HELD
    join_linked(links, bodies, islands)
    for body in movers:
        flags[root_of(body, parent)] |= flags[body]
    count = 0
    for body in movers:
        root = root_of(body, parent)
        is_busy = flags[root] & BUSY != 0
        if bodies.kind[body] == DYNAMIC:
            is_busy = is_busy or (flags[root] & FREE != 0 and flags[root] & HELD == 0)
        if is_busy or bodies.island[body] != 0:
            continue
        bodies.island[body] = root + 1
        bodies.solver_row[body] = 0
        for k in range(3):
            bodies.velocity[body, k] = 0.0
        asleep[count] = body
        count += 1
    return count
