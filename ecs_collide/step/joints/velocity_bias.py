"""Velocity bias of the joints' rows, b in J v + Gamma lambda + b = 0.

The first solve of a substep should change the impulses little: b = -Gamma lambda with the impulses of the last substep.
It is at most `MOST_KEPT`, because joints that contradict each other would store impulses without end, and throw bodies
as soon as one of them lets go. A spring has b = omega / (2 zeta + h omega) times its position error. A rest length or
reference angle that moves has the negative of its speed as bias (`moving_limits.py`). Until the bodies move, the rows
of touched trees also close a part of their gaps. The last solve of a substep leaves that out, so that no energy comes
from it. Other trees have the chord correction (`chord_correction.py`). The bias without it, and the relative velocity
less the bias, serve `energy_guard.py`.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import absolute, any_lane, load, maximum, minimum, select, splat, store
from ecs_collide.step.joints.kinds.table import correct_chord, rest_row
from ecs_collide.step.joints.rows.block_algebra import Triple, error_of, load_triple, store_triple
from ecs_collide.step.joints.rows.body_lanes import triple_of
from ecs_collide.step.joints.rows.chord_correction import chord_offset
from ecs_collide.step.joints.rows.pin_blocks import arms_of, load_pair, pin_parting_speed
from ecs_collide.step.joints.rows.released_rows import clear_released
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE, ROW

MOST_KEPT = 0.1
"""Greatest bias by which a rigid row keeps its last impulse, in push-out speeds, or in fastest turns if it is an angle.

So a joint keeps an impulse that gives its two bodies alone 10,000 times that speed, 72,000 times their weight at 60 Hz.
"""


@device
def set_bias(trees, block, substep):
    """Set the bias of eight joints of any kind for the first solve of a substep.

    Reads the velocities of body lanes, the rows. Writes BIAS, PLAIN_BIAS, PARTING; clears IMPULSE.
    """
    nothing, field, h = splat(0.0), trees.blocks[block], substep.h
    for k in range(3):
        kept = load(field, BLOCK.GAMMA + k) * load(field, BLOCK.IMPULSE + k)
        most = MOST_KEPT * fastest_of_row(field, k, substep)
        store(field, BLOCK.BIAS + k, clip(splat(0.0) - kept, most))
        store(field, BLOCK.IMPULSE + k, nothing)
    is_soft = load(field, BLOCK.OMEGA) > 0.0
    store(field, BLOCK.BIAS + 2, select(is_soft, spring_bias(field, h), load(field, BLOCK.BIAS + 2)))
    store(field, BLOCK.BIAS + 2, motor_bias(field, load(field, BLOCK.BIAS + 2)))
    add_rate_bias(trees, block)
    add_closing_bias(field, substep)
    clear_released(trees, block, BLOCK.BIAS)
    store_triple(field, BLOCK.PLAIN_BIAS, load_triple(field, BLOCK.BIAS))
    correct_chord(trees.block_kind[block], trees, block, h)
    clear_released(trees, block, BLOCK.BIAS)
    store_parting(trees, block, LANE.VX)


@device
def fastest_of_row(field, k, substep):
    """Return the greatest speeds at which row k of eight joints closes a gap: the fastest turn if it keeps an angle."""
    at = BLOCK.ROWS + k * ROW.WIDTH
    is_angle = absolute(load(field, at + ROW.NORMAL_X)) + absolute(load(field, at + ROW.NORMAL_Y)) <= 0.0
    return select(is_angle, splat(substep.fastest_turn), splat(substep.push_out_speed))


@device
def clip(a, most):
    """Return eight numbers between -most and most."""
    return maximum(minimum(a, most), splat(0.0) - most)


@device
def motor_bias(field, bias):
    """Return a bias of eight third rows with the speeds of their motors; 0 for a motor that slips."""
    is_motor, slips = load(field, BLOCK.MOTOR_MAX) > 0.0, absolute(load(field, BLOCK.SLIP)) > 0.0
    return select(is_motor, select(slips, 0.0, bias - load(field, BLOCK.MOTOR_SPEED)), bias)


@device
def rate_bias(field):
    """Return the bias by which the lengths or angles of eight joints change as they should [m/s, rad/s]."""
    return splat(0.0) - load(field, BLOCK.SIGN) * load(field, BLOCK.RATE)


@device
def add_rate_bias(trees, block):
    """Add the speeds of moving rest lengths and reference angles of eight joints to their biases. Writes BIAS."""
    field, row = trees.blocks[block], rest_row(trees.block_kind[block])
    if row >= 0:
        store(field, BLOCK.BIAS + row, load(field, BLOCK.BIAS + row) + rate_bias(field))


@device
def in_touched_trees(field):
    """Return the mask of eight joints in touched trees: they have no chord correction, see `set_chord_rate`."""
    return load(field, BLOCK.CHORD) <= 0.0


@device
def add_closing_bias(field, substep):
    """Close the gaps of eight joints of touched trees by velocities, before bodies move, up to the push-out speed.

    A projection lifts a nearly straight tree slowly and without force. So the load of a bridge would press it down
    again. Reads ERROR of rows 0 and 1. Writes BIAS.
    """
    is_touched = in_touched_trees(field)
    for k in range(2):
        closing = clip(substep.closing_rate * load(field, BLOCK.ERROR + k), fastest_of_row(field, k, substep))
        store(field, BLOCK.BIAS + k, load(field, BLOCK.BIAS + k) + select(is_touched, closing, 0.0))


@device
def spring_bias(field, h):
    """Return the velocity bias of eight springs."""
    omega, is_soft = load(field, BLOCK.OMEGA), load(field, BLOCK.OMEGA) > 0.0
    divisor = select(is_soft, 2.0 * load(field, BLOCK.DAMPING) + h * omega, 1.0)
    return omega / divisor * load(field, BLOCK.ERROR + 2)


@device
def store_parting(trees, block, column):
    """Write relative velocity less bias of eight joints, by three numbers of body lanes. Writes PARTING.

    The velocity of a row whose length or angle moves is relative to that motion.
    """
    field, row = trees.blocks[block], rest_row(trees.block_kind[block])
    parting, bias = joint_speed(trees, block, column), load_triple(field, BLOCK.BIAS)
    store_triple(field, BLOCK.PARTING, Triple(parting.x - bias.x, parting.y - bias.y, parting.z - bias.z))
    if row >= 0:
        store(field, BLOCK.PARTING + row, load(field, BLOCK.PARTING + row) + 2.0 * rate_bias(field))


@device
def joint_speed(trees, block, column):
    """Return the relative velocities of eight joints along their rows, by three numbers of body lanes."""
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    return error_of(trees.blocks[block], child, parent, BLOCK.ZERO)


@device
def set_pin_bias(trees, block, substep):
    """Set the bias of eight pins for the first solve of a substep.

    If all eight belong to touched trees, there is no chord correction, and PARTING is not needed.
    """
    nothing, field = splat(0.0), trees.blocks[block]
    gamma, last, part = load_pair(field, BLOCK.GAMMA), load_pair(field, BLOCK.IMPULSE), load(field, BLOCK.CHORD)
    h, most = substep.h, splat(MOST_KEPT * substep.push_out_speed)
    x, y = clip(nothing - gamma.x * last.x, most), clip(nothing - gamma.y * last.y, most)
    store(field, BLOCK.IMPULSE, nothing)
    store(field, BLOCK.IMPULSE + 1, nothing)
    store(field, BLOCK.IMPULSE + 2, nothing)
    store(field, BLOCK.PLAIN_BIAS, x)
    store(field, BLOCK.PLAIN_BIAS + 1, y)
    if any_lane(part > 0.0):
        arms = arms_of(field)
        child = triple_of(trees, block, INDEX.CHILD, LANE.VX)
        parent = triple_of(trees, block, INDEX.PARENT, LANE.VX)
        child_x, child_y = chord_offset(arms.child_y, -arms.child_x, h * child.z)
        parent_x, parent_y = chord_offset(arms.parent_y, -arms.parent_x, h * parent.z)
        x, y = x + part * (child_x - parent_x), y + part * (child_y - parent_y)
        parting = pin_parting_speed(arms, child, parent)
        store(field, BLOCK.PARTING, parting.x - x)
        store(field, BLOCK.PARTING + 1, parting.y - y)
    store(field, BLOCK.BIAS, x)
    store(field, BLOCK.BIAS + 1, y)
    add_closing_bias(field, substep)


@device
def hold_untouched_trees(trees, with_motors, closes_gaps, substep):
    """Set biases for solves after the first one: untouched trees keep their velocities to the bit.

    Their bias is the opposite of their relative velocity. Touched trees have that of moving lengths and angles, and
    if wanted those of motors, and of gaps that close. Writes BIAS.
    """
    nothing = splat(0.0)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        untouched = ~in_touched_trees(field)
        store_triple(field, BLOCK.BIAS, Triple(nothing, nothing, nothing))
        if with_motors:
            store(field, BLOCK.BIAS + 2, motor_bias(field, nothing))
        add_rate_bias(trees, block)
        if closes_gaps:
            add_closing_bias(field, substep)
        clear_released(trees, block, BLOCK.BIAS)
        if any_lane(untouched):
            has = joint_speed(trees, block, LANE.VX)
            store(field, BLOCK.BIAS, select(untouched, nothing - has.x, load(field, BLOCK.BIAS)))
            store(field, BLOCK.BIAS + 1, select(untouched, nothing - has.y, load(field, BLOCK.BIAS + 1)))
            store(field, BLOCK.BIAS + 2, select(untouched, nothing - has.z, load(field, BLOCK.BIAS + 2)))


@device
def set_spring_bias(trees, h):
    """Add the springs of touched trees to a further solve, before bodies have moved.

    A spring's impulse is h times its force at the end of the substep, lambda = -h (k (C + h J v) + c J v), or
    J v + Gamma lambda + b0 = 0. This lambda is the impulse of the whole substep. If a part of it, IMPULSE, was applied
    by earlier solves, the bias of a further solve is b = b0 + Gamma IMPULSE. After the bodies have moved the spring is
    complete, and acts as a force, as gravity does. Reads IMPULSE. Writes BIAS.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        needs_bias = (load(field, BLOCK.OMEGA) > 0.0) & in_touched_trees(field)
        if any_lane(needs_bias):
            lacking = spring_bias(field, h) + load(field, BLOCK.GAMMA + 2) * load(field, BLOCK.IMPULSE + 2)
            store(field, BLOCK.BIAS + 2, select(needs_bias, lacking, load(field, BLOCK.BIAS + 2)))
