"""Leads: contacts at rounded surfaces are solved for the place of the bodies some way into the step.

The Jacobian of a contact is constant within a step. Where a round surface rolls or slides along another one, the normal
or the lever arm changes with the place. If it stays that of the start of the step, a swing gains energy: n substeps of
h, whose force does not change, move a body by h² a n (n + 1) / 2 in place of (n h)² a. A ball in a bowl and a body that
rocks on a round foot then swing w² dt (n - 1) / (4 n) wider each second, at w rad/s. The force of a place that is
(n - 1) / (2 n) of the step ahead keeps the energy, up to the second power of w dt.

A contact has a lead if

- it has one point, which pushed in the last step, and exactly one of its bodies is dynamic,
- the dynamic body touches with a rounded corner: a circle, the end of a capsule, an arc,
- the other surface is straight there, or an arc that bends inwards,
- the rounding moves along it by less than half of its radius in the step. Faster bodies are swept, which needs the
  contacts of the start.

The centre q of the rounding moves with its body, and the normal is that of q's later place. A centred circle on a
straight surface that does not turn has the same lever arm and normal everywhere, and needs no lead.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.body_velocity import velocity_of, velocity_of_place
from ecs_collide.common.look_ahead import FAST
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import IMPULSE, PAIR, Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes import PieceKind
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.solver.near_misses import is_centred_circle
from ecs_collide.step.solver.solver_rows import LEAD, Solver
from ecs_collide.step.solver.step_parameters import StepParameters

DYNAMIC = int(BodyKind.DYNAMIC)
OUTLINE_KIND = int(PieceKind.OUTLINE)

SAME_PLACE = 1e-6
"""Distance of a contact point from a surface up to which it lies on it, as a fraction of the radius."""

STRAIGHT, HOLLOW, CORNER = 0, 1, 2
"""Form of a surface at a point: straight, an arc that bends inwards, or a corner."""


@device
def is_near(x, y, other_x, other_y, radius):
    """Return True if two places are the same, compared with a radius [m]."""
    return abs(x - other_x) + abs(y - other_y) <= SAME_PLACE * radius


@device
def rounding_at(piece, x, y, out_x, out_y, bodies, pieces):
    """Return the centre and the radius [m] of the rounded corner at a point of a piece's surface; radius 0 if none.

    (`out_x`, `out_y`) is the unit vector out of the piece.
    """
    if pieces.size[piece, PIECE_SIZE.RADIUS] == 0.0 and pieces.index[piece, PIECE.KIND] != OUTLINE_KIND:
        return 0.0, 0.0, 0.0
    pose = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    start = pieces.index[piece, PIECE.VERTEX_START]
    for k in range(start, start + pieces.index[piece, PIECE.VERTEX_COUNT]):
        radius = pieces.size[piece, PIECE_SIZE.RADIUS] + pieces.outlines[k, OUTLINE.CORNER_RADIUS]
        center_x, center_y = transform_point(pose, pieces.vertices[k, X], pieces.vertices[k, Y])
        if radius > 0.0 and is_near(center_x + radius * out_x, center_y + radius * out_y, x, y, radius):
            return center_x, center_y, radius
    return 0.0, 0.0, 0.0


@device
def form_at(piece, x, y, out_x, out_y, bodies, pieces):
    """Return the form of a piece's surface at a point of it, and the centre of its arc if it bends inwards [m]."""
    pose = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    start = pieces.index[piece, PIECE.VERTEX_START]
    for k in range(start, start + pieces.index[piece, PIECE.VERTEX_COUNT]):
        row = pieces.outlines[k]
        hollow = row[OUTLINE.ARC_RADIUS]
        if hollow > 0.0:
            center_x, center_y = transform_point(pose, row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y])
            if is_near(center_x - hollow * out_x, center_y - hollow * out_y, x, y, hollow):
                return HOLLOW, center_x, center_y
        if row[OUTLINE.CORNER] != 0.0:
            radius = pieces.size[piece, PIECE_SIZE.RADIUS] + row[OUTLINE.CORNER_RADIUS]
            corner_x, corner_y = transform_point(pose, pieces.vertices[k, X], pieces.vertices[k, Y])
            # A sharp corner is compared with its distance from the centre of mass.
            size = radius + abs(pieces.vertices[k, X]) + abs(pieces.vertices[k, Y])
            if is_near(corner_x + radius * out_x, corner_y + radius * out_y, x, y, size):
                return CORNER, 0.0, 0.0
    return STRAIGHT, 0.0, 0.0


@device
def find_lead(row, own, other, sign, step, bodies, pieces, contacts, lead):
    """Fill the lead of a contact between a dynamic piece `own` and the piece `other`; return its time [s], 0 if none.

    `sign` is 1 if the contact's normal points to `own`, else -1.
    """
    time = step.dt * (step.substeps - 1.0) / (2.0 * step.substeps)
    out_x, out_y = sign * contacts.normal[row, X], sign * contacts.normal[row, Y]  # out of `other`
    half = 0.5 * contacts.separation[row, 0]
    x, y = contacts.point[row, 0, X], contacts.point[row, 0, Y]
    own_body, other_body = pieces.index[own, PIECE.BODY], pieces.index[other, PIECE.BODY]
    q_x, q_y, radius = rounding_at(own, x + half * out_x, y + half * out_y, -out_x, -out_y, bodies, pieces)
    if radius == 0.0:
        return 0.0
    form, arc_x, arc_y = form_at(other, x - half * out_x, y - half * out_y, out_x, out_y, bodies, pieces)
    _, _, spin = velocity_of(other_body, bodies)
    if form == CORNER or (form == STRAIGHT and spin == 0.0 and is_centred_circle(own, pieces)):
        return 0.0
    vx, vy = velocity_of_place(own_body, q_x, q_y, bodies)
    other_vx, other_vy = velocity_of_place(other_body, q_x, q_y, bodies)
    along = (vx - other_vx) * out_y - (vy - other_vy) * out_x
    if abs(along) * step.dt > FAST * radius:
        return 0.0
    turned_x, turned_y = out_x - time * spin * out_y, out_y + time * spin * out_x
    if form == HOLLOW:
        arc_vx, arc_vy = velocity_of_place(other_body, arc_x, arc_y, bodies)
        turned_x, turned_y = arc_x - q_x + time * (arc_vx - vx), arc_y - q_y + time * (arc_vy - vy)
    if turned_x * out_x + turned_y * out_y <= 0.0:
        return 0.0  # a rounding that nearly fills its arc is past the middle by then
    length = sqrt(turned_x * turned_x + turned_y * turned_y)
    turned_x, turned_y = turned_x / length, turned_y / length
    lead[LEAD.NORMAL_X], lead[LEAD.NORMAL_Y] = sign * turned_x, sign * turned_y
    lead[LEAD.SHIFT_X] = time * vx - (radius + half) * (turned_x - out_x)
    lead[LEAD.SHIFT_Y] = time * vy - (radius + half) * (turned_y - out_y)
    return time


@kernel
def find_leads(
    count: int, bodies: Bodies, pieces: Pieces, pairs: Pairs, contacts: Contacts, solver: Solver, step: StepParameters
):
    """Find the leads of the first `count` contacts. Writes solver_lead, solver_lead_time.

    Reads the contacts, pair_index, pair_impulse, the pieces, body_frame, body_velocity.
    """
    for row in range(count):
        solver.lead_time[row] = 0.0
        a_moves = bodies.kind[contacts.body[row, CONTACT_BODY.A]] == DYNAMIC
        if a_moves == (bodies.kind[contacts.body[row, CONTACT_BODY.B]] == DYNAMIC):
            continue
        slot = contacts.pair[row]
        if contacts.point_count[row] != 1 or pairs.impulse[slot, IMPULSE.NORMAL] <= 0.0:
            continue
        a, b = pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B]
        own, other, sign = (a, b, -1.0) if a_moves else (b, a, 1.0)
        solver.lead_time[row] = find_lead(row, own, other, sign, step, bodies, pieces, contacts, solver.lead[row])
