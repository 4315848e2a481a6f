"""Put contacts into blocks of eight that share no body, so that eight contacts can be solved at once.

Each step colours the contacts greedily. A contact takes the first colour that neither of its bodies has yet; the
colours of a body are bits. Immovable bodies take no colour. The contacts of a colour fill one block after the other,
and contacts of one point come before contacts of two. A contact that finds no colour, at a body with very many
contacts, gets a block of its own. A lane that stays empty repeats the contact of the first lane between two bodies of
row 0, which is immovable.

Contacts are coloured in the order of their rows, and keep that order within a colour. So the order is the same in every
run.
"""

from __future__ import annotations

from ecs_collide.data.contacts import CONTACT_BODY
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, trailing_zeros
from ecs_collide.step.solver.solver_rows import ALL_COLOURS, COLOURS, INDEX, STATUS

COLOUR_NUMBERS = COLOURS + 1
"""Number of the colours, and one for contacts that found none."""
LANE_BITS = 3
"""Number of bits in the number of a lane."""
NOT_SOLVED = -1
"""Lane of a contact that is not solved."""


@device
def colour_contacts(contacts, contact_count, bodies, solver):
    """Choose colours for the contacts that are enabled and not missed.

    Returns the number of blocks for contacts of one point and of all, and the number of colours up to the last one.

    Reads the contacts, body_solver_row. Writes solver_status (COLOURS_IN_USE), to solver_lane the number of each
    contact's colour, and to solver_next_lane the first lane of each colour. Colours for contacts of two points are
    numbered after those for contacts of one.
    """
    status, first_lane = solver.status, solver.next_lane
    # Choose the colours, and count the contacts of each.
    first_lane[:] = 0
    colour_count = 0
    for contact in range(contact_count):
        solver.lane[contact] = NOT_SOLVED
        if not contacts.enabled[contact] or contacts.missed[contact]:
            continue
        a, b = (
            bodies.solver_row[contacts.body[contact, CONTACT_BODY.A]],
            bodies.solver_row[contacts.body[contact, CONTACT_BODY.B]],
        )
        second = contacts.point_count[contact] - 1
        in_use = status[a, STATUS.COLOURS_IN_USE + second] | status[b, STATUS.COLOURS_IN_USE + second]
        chosen = trailing_zeros(~(in_use & ALL_COLOURS))
        bit = 1 << chosen
        status[a, STATUS.COLOURS_IN_USE + second] |= bit & status[a, STATUS.ALLOWED]
        status[b, STATUS.COLOURS_IN_USE + second] |= bit & status[b, STATUS.ALLOWED]
        solver.lane[contact] = second * COLOUR_NUMBERS + chosen
        first_lane[second * COLOUR_NUMBERS + chosen] += 1
        colour_count = max(colour_count, chosen + 1)
    # Turn the counts into first lanes; each colour begins with a new block.
    lane, single_blocks = 0, 0
    for second in range(2):
        single_blocks = lane >> LANE_BITS
        for chosen in range(colour_count):
            number = second * COLOUR_NUMBERS + chosen
            lanes = first_lane[number]
            first_lane[number] = lane
            lane += lanes * LANES if chosen == COLOURS else -(-lanes // LANES) * LANES
    return single_blocks, lane >> LANE_BITS, colour_count


@device
def fill_blocks(contacts, contact_count, bodies, pairs, solver, colour_count):
    """Assign a lane to each contact of the first colours, and clear the impulses of contacts that are not solved.

    Reads the contacts, solver_lead_time, body_solver_row. Writes solver_lane, solver_next_lane, solver_index,
    solver_has_surface, solver_has_lead; for contacts that are not solved also pair_impulse, pair_rolling, and the
    impulses and approach speed of the contact.
    """
    index, next_lane, solver_row = solver.index, solver.next_lane, bodies.solver_row
    solver.has_surface[:] = False
    solver.has_lead[:] = False
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
        index[block, INDEX.ROW_A, lane] = solver_row[contacts.body[contact, CONTACT_BODY.A]]
        index[block, INDEX.ROW_B, lane] = solver_row[contacts.body[contact, CONTACT_BODY.B]]
        index[block, INDEX.CONTACT, lane], index[block, INDEX.PAIR, lane] = contact, pair
        solver.has_surface[block] |= (contacts.surface_speed[contact] != 0.0) | (
            contacts.rolling_resistance[contact] > 0.0
        )
        solver.has_lead[block] |= solver.lead_time[contact] > 0.0
        if number == COLOURS or number == COLOUR_NUMBERS + COLOURS:
            fill_empty_lanes(index[block], 1)
            next_lane[number] = place + LANES
        else:
            next_lane[number] = place + 1
    # Fill the last block of each colour.
    for second in range(2):
        for chosen in range(colour_count):
            stop = next_lane[second * COLOUR_NUMBERS + chosen]
            if stop & (LANES - 1) != 0:
                fill_empty_lanes(index[stop >> LANE_BITS], stop & (LANES - 1))


@device
def fill_empty_lanes(row, start):
    """Fill the lanes from `start` on with the block's first contact, between two bodies of row 0."""
    for lane in range(start, LANES):
        row[INDEX.ROW_A, lane], row[INDEX.ROW_B, lane] = 0, 0
        row[INDEX.CONTACT, lane], row[INDEX.PAIR, lane] = row[INDEX.CONTACT, 0], row[INDEX.PAIR, 0]
