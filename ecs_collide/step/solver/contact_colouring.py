"""Put contacts into blocks of eight that share no body, so that eight can be solved at once.

Greedy colouring, anew in each step: a contact takes the first colour that neither of its bodies has yet, kept as
bits. What cannot be moved takes no colour. Contacts of one colour fill one block after the other; those of one point
come before those of two. The few beyond the last colour, of a body with very many contacts, get a block each. The
lanes that stay empty repeat the first one's contact between two bodies of row 0, which nothing moves.

Contacts are coloured, and stand within a colour, in the order of their rows: the order is the same in every run.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, trailing_zeros
from ecs_collide.step.solver.solver_rows import ALL_COLOURS, COLOURS, INDEX, STATUS

ROWS = COLOURS + 1
LANE_BITS = 3
NOT_SOLVED = -1


@device
def colour_contacts(contacts, contact_count, bodies, solver):
    """Choose a colour for each enabled contact; return how many blocks those of one point take, and all.

    Reads the contacts, body_solver_row. Writes solver_colour (TAKEN), and to solver_lane twice the colour, plus 1 for
    contacts of two points; and the first lane of each such number to solver_next_lane.
    """
    colour, first_lane = solver.status, solver.next_lane
    first_lane[:] = 0
    for contact in range(contact_count):
        solver.lane[contact] = NOT_SOLVED
        if not contacts.enabled[contact]:
            continue
        a, b = bodies.solver_row[contacts.body[contact, 0]], bodies.solver_row[contacts.body[contact, 1]]
        second = contacts.point_count[contact] - 1
        taken = colour[a, STATUS.TAKEN + second] | colour[b, STATUS.TAKEN + second]
        chosen = trailing_zeros(~(taken & ALL_COLOURS))
        bit = 1 << chosen
        colour[a, STATUS.TAKEN + second] |= bit & colour[a, STATUS.ALLOWED]
        colour[b, STATUS.TAKEN + second] |= bit & colour[b, STATUS.ALLOWED]
        solver.lane[contact] = second * ROWS + chosen
        first_lane[second * ROWS + chosen] += 1
    lane, single_blocks = 0, 0
    for number in range(2 * ROWS):
        if number == ROWS:
            single_blocks = lane >> LANE_BITS
        lanes = first_lane[number]
        first_lane[number] = lane
        lane += lanes * LANES if number % ROWS == COLOURS else -(-lanes // LANES) * LANES
    return single_blocks, lane >> LANE_BITS


@device
def fill_blocks(contacts, contact_count, bodies, pairs, solver):
    """Give each coloured contact its lane, and forget the impulses of those that are not solved.

    Reads the contacts, body_solver_row. Writes solver_lane, solver_next_lane, solver_index,
    solver_surfaces; pair_impulse and the contacts' impulses of those.
    """
    index, next_lane, solver_row = solver.index, solver.next_lane, bodies.solver_row
    solver.has_surface[:] = False
    for contact in range(contact_count):
        number, pair = solver.lane[contact], contacts.pair[contact]
        if number == NOT_SOLVED:
            pairs.impulse[pair, :] = 0.0
            pairs.rolling[pair] = 0.0
            contacts.normal_impulse[contact, :] = 0.0
            contacts.tangent_impulse[contact, :] = 0.0
            contacts.approach_speed[contact, :] = 0.0
            continue
        place = next_lane[number]
        solver.lane[contact] = place
        block, lane = place >> LANE_BITS, place & (LANES - 1)
        index[block, INDEX.ROW_A, lane] = solver_row[contacts.body[contact, 0]]
        index[block, INDEX.ROW_B, lane] = solver_row[contacts.body[contact, 1]]
        index[block, INDEX.CONTACT, lane], index[block, INDEX.PAIR, lane] = contact, pair
        solver.has_surface[block] |= (contacts.surface_speed[contact] != 0.0) | (
            contacts.rolling_resistance[contact] > 0.0
        )
        if number == COLOURS or number == ROWS + COLOURS:
            leave_empty(index[block], 1)
            next_lane[number] = place + LANES
        else:
            next_lane[number] = place + 1
    for stop in next_lane:
        if stop & (LANES - 1) != 0:
            leave_empty(index[stop >> LANE_BITS], stop & (LANES - 1))


@device
def leave_empty(row, start):
    """Let the lanes from `start` on repeat the block's first contact, between two bodies of row 0."""
    for lane in range(start, LANES):
        row[INDEX.ROW_A, lane], row[INDEX.ROW_B, lane] = 0, 0
        row[INDEX.CONTACT, lane], row[INDEX.PAIR, lane] = row[INDEX.CONTACT, 0], row[INDEX.PAIR, 0]
