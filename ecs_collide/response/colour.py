"""Put contacts into blocks of eight that share no body, so that eight can be solved at once.

Greedy colouring, anew in each step: a contact takes the first colour that neither of its bodies has yet, kept as
bits. What cannot be moved takes no colour. Contacts of one colour fill one block after the other; those of one point
come before those of two. The few beyond the last colour, of a body with very many contacts, get a block each. The
lanes that stay empty repeat the first one's contact between two bodies of row 0, which nothing moves.

Contacts are coloured, and stand within a colour, in the order of their rows: the order is the same in every run.
"""

from __future__ import annotations

from ecs_collide.jit import device
from ecs_collide.response.layout import BUSY, COLOURS, CONTACT, PAIR, ROW_A, ROW_B, TAKEABLE, TAKEN
from ecs_collide.simd import LANES, trailing_zeros

ROWS = COLOURS + 1
NOT_SOLVED = -1


@device
def colour_contacts(contacts, contact_count, bodies, solver):
    """Choose a colour for each enabled contact; return how many blocks those of one point take, and all.

    Reads the contacts, body_solver_row. Writes solver_colour (TAKEN), and to solver_lane twice the colour, plus 1 for
    contacts of two points; and the first lane of each such number to solver_next_lane.
    """
    colour, first_lane = solver.colour, solver.next_lane
    first_lane[:] = 0
    for contact in range(contact_count):
        solver.lane[contact] = NOT_SOLVED
        if not contacts.enabled[contact]:
            continue
        a, b = bodies.solver_row[contacts.body[contact, 0]], bodies.solver_row[contacts.body[contact, 1]]
        second = contacts.point_count[contact] - 1
        chosen = trailing_zeros(~(colour[a, TAKEN + second] | colour[b, TAKEN + second]))
        bit = 1 << chosen
        colour[a, TAKEN + second] |= bit & colour[a, TAKEABLE]
        colour[b, TAKEN + second] |= bit & colour[b, TAKEABLE]
        solver.lane[contact] = second * ROWS + chosen
        first_lane[second * ROWS + chosen] += 1
    lane, single_blocks = 0, 0
    for number in range(2 * ROWS):
        if number == ROWS:
            single_blocks = lane // LANES
        lanes = first_lane[number]
        first_lane[number] = lane
        lane += lanes * LANES if number % ROWS == COLOURS else -(-lanes // LANES) * LANES
    return single_blocks, lane // LANES


@device
def fill_blocks(contacts, contact_count, bodies, solver):
    """Give each coloured contact its lane; return how many bodies have a contact.

    Reads the contacts, body_solver_row. Writes solver_lane, solver_next_lane, solver_index, solver_busy,
    solver_carry (BUSY).
    """
    carry, busy, index, next_lane = solver.carry, solver.busy, solver.index, solver.next_lane
    busy_count = 0
    for contact in range(contact_count):
        number = solver.lane[contact]
        if number == NOT_SOLVED:
            continue
        a, b = bodies.solver_row[contacts.body[contact, 0]], bodies.solver_row[contacts.body[contact, 1]]
        for side in (a, b):
            if side > 0 and carry[side, BUSY] == 0.0:
                carry[side, BUSY] = 1.0
                busy[busy_count] = side
                busy_count += 1
        place = next_lane[number]
        next_lane[number] += LANES if number % ROWS == COLOURS else 1
        solver.lane[contact] = place
        block, lane = place // LANES, place % LANES
        if lane == 0:
            index[block, ROW_A, :] = 0
            index[block, ROW_B, :] = 0
            index[block, CONTACT, :] = contact
            index[block, PAIR, :] = contacts.pair[contact]
        index[block, ROW_A, lane], index[block, ROW_B, lane] = a, b
        index[block, CONTACT, lane], index[block, PAIR, lane] = contact, contacts.pair[contact]
    return busy_count
