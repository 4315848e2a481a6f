"""Islands of dynamic bodies at rest, which fall asleep together.

Two dynamic bodies with a contact row, or a joint, belong to one island. Bodies with a contact are solved together, and
a body without one is not affected if its neighbour sleeps. So waking at a contact gives the same motion as without
sleep. Union-find finds the islands, every `ISLAND_INTERVAL` in which any body has been at rest for long enough.

An island falls asleep if

- each of its bodies has been at rest for `SLEEP_TIME`, and may sleep;
- no kinematic body that moves, or did shortly before, is near it;
- no conveyor surface carries one of its bodies;
- its joints do not swing or creep slowly, see `slow_motion.py`; and
- it touches an immovable body, or no force drives it and it does not drift.

A body that gravity or a force has only begun to move may be as slow as a body at rest. A body that drifts moves on
without end, unless damping stops it within a length that counts as nothing.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BODY_SPAN, FORCE, MASS, MOTION, VELOCITY, Bodies, sleep_speed_of
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.joints import WORLD
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.simd import lane_array
from ecs_collide.step.broadphase.boxes import box_of
from ecs_collide.step.notify.update_touching import contact_touches
from ecs_collide.step.sleep.slow_motion import (
    LINK,
    NEVER,
    QUARTER_TURN,
    REST_ERROR,
    SWING,
    IslandLinks,
    add_joint_to_swing,
    begin_swing,
    merge_swings,
    slowest_rate,
)

KINEMATIC, DYNAMIC = int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

KEEPS_AWAKE, ANCHORED, DRIVEN, SUPPORTED = 1, 2, 4, 8
"""Flags of a body, and then of its whole island.

    KEEPS_AWAKE   it keeps its island awake
    ANCHORED      it touches an immovable body, or a joint holds it to one or to the world
    DRIVEN        a force drives it, or it drifts
    SUPPORTED     it touches an immovable body
"""


class Islands(NamedTuple):
    """Scratch space of the island search, with one row for each body."""

    parent: Ints
    """Another body of the same island, or the body itself at the root (n,) int64."""
    flags: Ints
    """KEEPS_AWAKE, ANCHORED, DRIVEN and SUPPORTED, as bits (n,) int64."""
    asleep: Ints
    """Bodies that fell asleep (n,) int64."""
    swing: FloatTable
    """Columns SWING (n, 4)."""


def island_scratch(bodies: int) -> Islands:
    """Return scratch space for a number of bodies."""
    parent, flags, asleep = lane_array((3, bodies), np.int64)
    return Islands(parent=parent, flags=flags, asleep=asleep, swing=lane_array((bodies, SWING.WIDTH)))


NO_ISLANDS = island_scratch(0)


@device
def fastest_point(body, bodies, span):
    """Return the largest speed of a body's points [m/s]."""
    vx, vy, w = (
        bodies.velocity[body, VELOCITY.X],
        bodies.velocity[body, VELOCITY.Y],
        bodies.velocity[body, VELOCITY.ANGULAR],
    )
    return sqrt(vx * vx + vy * vy) + abs(w) * span[body, BODY_SPAN.EXTENT]


@kernel
def time_rest(
    movers: Ints, bodies: Bodies, span: FloatTable, dt: float, time_unit: float, speed: float, waited: Floats
):
    """Add dt [time units] to the time that each body has been at rest; return the number that could fall asleep.

    The result is 0 before there have been such bodies for an `ISLAND_INTERVAL`, of which `waited` (1,) has passed [s].
    A dynamic body is at rest if none of its points is faster than `speed` [m/s], or than its own `sleep_speed`. A
    kinematic one is at rest if it has no velocity. Reads body_velocity, body_limit, body_span. Writes
    body_rest_time [s] (n,), `waited`.
    """
    ready, seconds = 0, dt / time_unit
    for body in movers:
        if bodies.kind[body] == KINEMATIC:
            vx, vy = bodies.velocity[body, VELOCITY.X], bodies.velocity[body, VELOCITY.Y]
            is_still = vx == 0.0 and vy == 0.0 and bodies.velocity[body, VELOCITY.ANGULAR] == 0.0
        else:
            is_still = fastest_point(body, bodies, span) <= sleep_speed_of(body, bodies, speed)
        bodies.rest_time[body] = bodies.rest_time[body] + seconds if is_still else 0.0
        if bodies.rest_time[body] >= tuning.SLEEP_TIME and bodies.can_sleep[body] and bodies.island[body] == 0:
            ready += 1
    if ready > 0:
        waited[0] += seconds
    return ready if waited[0] >= tuning.ISLAND_INTERVAL else 0


@kernel
def restart_outside_boxes(piece_rows: Ints, bodies: Bodies, pieces: Pieces):
    """Restart the rest of bodies with a piece outside its fat box, because no search would find them asleep.

    Reads body_frame, piece_box, piece_size, piece_index. Writes body_rest_time.
    """
    for piece in piece_rows:
        low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
        box = pieces.box[piece]
        if low_x < box[BOX.MIN_X] or low_y < box[BOX.MIN_Y] or high_x > box[BOX.MAX_X] or high_y > box[BOX.MAX_Y]:
            bodies.rest_time[pieces.index[piece, PIECE.BODY]] = 0.0


@device
def root_of(body, parent):
    """Return the root of a body's island, and shorten the path to it."""
    while parent[body] != body:
        parent[body] = parent[parent[body]]
        body = parent[body]
    return body


@device
def merge_islands(a, b, parent):
    """Merge the islands of two bodies; the lesser of their roots is the root of both."""
    a, b = root_of(a, parent), root_of(b, parent)
    parent[max(a, b)] = min(a, b)


@device
def fall_asleep(body, root, bodies):
    """Put a body to sleep in the island of a root. Writes body_island, body_solver_row, body_velocity."""
    bodies.island[body] = root + 1
    bodies.solver_row[body] = 0
    for k in range(VELOCITY.WIDTH):
        bodies.velocity[body, k] = 0.0


@device
def drifts(body, bodies, span, least):
    """Return True if any point of a body would move further than `least` [m] before damping alone stops it."""
    vx, vy, w = (
        bodies.velocity[body, VELOCITY.X],
        bodies.velocity[body, VELOCITY.Y],
        bodies.velocity[body, VELOCITY.ANGULAR],
    )
    linear, angular = bodies.motion[body, MOTION.LINEAR_DAMPING], bodies.motion[body, MOTION.ANGULAR_DAMPING]
    return sqrt(vx * vx + vy * vy) > linear * least or abs(w) * span[body, BODY_SPAN.EXTENT] > angular * least


@device
def flags_of_body(body, bodies, span, gravity, least):
    """Return the flags of a body on its own."""
    flags = 0
    if bodies.rest_time[body] < tuning.SLEEP_TIME or not bodies.can_sleep[body]:
        flags |= KEEPS_AWAKE
    inverse_x, inverse_y = bodies.mass[body, MASS.INVERSE_X], bodies.mass[body, MASS.INVERSE_Y]
    scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
    driven_x = inverse_x > 0.0 and gravity[0] * scale + bodies.force[body, FORCE.X] * inverse_x != 0.0
    driven_y = inverse_y > 0.0 and gravity[1] * scale + bodies.force[body, FORCE.Y] * inverse_y != 0.0
    driven = driven_x or driven_y or bodies.force[body, FORCE.TORQUE] * bodies.mass[body, MASS.INVERSE_INERTIA] != 0.0
    if driven or drifts(body, bodies, span, least):
        flags |= DRIVEN
    return flags


@device
def merge_touching(contacts, contact_count, bodies, islands, touch_gap):
    """Merge the islands of dynamic bodies with a contact, and mark those that others hold or move.

    Writes island_parent, island_flags.
    """
    parent, flags = islands.parent, islands.flags
    for row in range(contact_count):
        a, b = contacts.body[row, CONTACT_BODY.A], contacts.body[row, CONTACT_BODY.B]
        if bodies.kind[a] != DYNAMIC:
            a, b = b, a
        if contacts.surface_speed[row] != 0.0:
            flags[a] |= KEEPS_AWAKE
        if bodies.kind[b] == DYNAMIC:
            merge_islands(a, b, parent)
        elif bodies.kind[b] == KINEMATIC and bodies.island[b] == 0 and flags[b] & KEEPS_AWAKE != 0:
            flags[a] |= KEEPS_AWAKE
        elif contact_touches(contacts, row, touch_gap):
            flags[a] |= ANCHORED | SUPPORTED


@device
def merge_joined(links, bodies, islands):
    """Merge the islands of awake bodies that joints connect. Writes island_parent, island_flags, island_swing."""
    parent, flags = islands.parent, islands.flags
    for k in range(len(links.ends)):
        a, b = links.ends[k, LINK.A], links.ends[k, LINK.B]
        if a == WORLD or bodies.kind[a] != DYNAMIC:
            a, b = b, a
        if bodies.island[a] != 0:
            continue
        add_joint_to_swing(islands.swing, a, links, k)
        if links.ends[k, LINK.IS_DRIVEN] != 0:
            flags[a] |= KEEPS_AWAKE
        if b != WORLD and bodies.kind[b] == DYNAMIC:
            merge_islands(a, b, parent)
        elif b != WORLD and bodies.kind[b] == KINEMATIC and bodies.island[b] == 0 and flags[b] & KEEPS_AWAKE != 0:
            flags[a] |= KEEPS_AWAKE
        else:
            flags[a] |= ANCHORED


@device
def keep_swinging(movers, bodies, span, gravity, tolerances, time_unit, islands):
    """Keep islands awake that swing or creep slowly. Writes island_flags, and body_rest_time of bodies that move."""
    for body in movers:
        root = root_of(body, islands.parent)
        rate = slowest_rate(islands.swing[root], gravity, islands.flags[root] & SUPPORTED == 0, time_unit)
        if bodies.kind[body] != DYNAMIC or rate >= NEVER:
            continue
        if fastest_point(body, bodies, span) > REST_ERROR * tolerances.slop * rate:
            bodies.rest_time[body] = 0.0
        if bodies.rest_time[body] < tuning.SLEEP_TIME + QUARTER_TURN / (rate * time_unit):
            islands.flags[root] |= KEEPS_AWAKE


@kernel
def find_sleepers(
    movers: Ints,
    bodies: Bodies,
    span: FloatTable,
    contacts: Contacts,
    contact_count: int,
    links: IslandLinks,
    gravity: tuple[float, float],
    tolerances: Tolerances,
    time_unit: float,
    islands: Islands,
):
    """Put the islands to sleep that may fall asleep; return the number of their bodies, including kinematic ones.

    `links` are the joints. A contact touches if it has an impulse, or a gap of at most `tolerances.touch`, the length
    that counts as nothing.
    Reads the contacts, body_velocity, body_span, body_rest_time, body_motion, body_mass, body_force. Writes
    body_island, and for bodies that fell asleep body_velocity (0), body_solver_row (0) and island_asleep.
    """
    parent, flags, touch_gap = islands.parent, islands.flags, tolerances.touch
    for body in movers:  # an island of its own at first
        parent[body] = body
        begin_swing(islands.swing, body, bodies, gravity)
        flags[body] = flags_of_body(body, bodies, span, gravity, touch_gap)
    merge_touching(contacts, contact_count, bodies, islands, touch_gap)
    merge_joined(links, bodies, islands)
    for body in movers:  # an island has the flags of all its bodies
        root = root_of(body, parent)
        flags[root] |= flags[body]
        merge_swings(islands.swing, root, body)
    if len(links.ends) > 0:
        keep_swinging(movers, bodies, span, gravity, tolerances, time_unit, islands)
    return put_to_sleep(movers, bodies, islands)


@device
def put_to_sleep(movers, bodies, islands):
    """Put the bodies of all islands to sleep that nothing keeps awake; return their number.

    Writes body_island, body_solver_row, body_velocity and island_asleep.
    """
    count = 0
    for body in movers:
        root = root_of(body, islands.parent)
        flags = islands.flags[root]
        stays_awake = flags & KEEPS_AWAKE != 0
        if bodies.kind[body] == DYNAMIC:
            stays_awake = stays_awake or (flags & DRIVEN != 0 and flags & ANCHORED == 0)
        if stays_awake or bodies.island[body] != 0:
            continue
        fall_asleep(body, root, bodies)
        islands.asleep[count] = body
        count += 1
    return count
