"""Motors and friction of hinges and sliders as rows of their trees.

A motor *holds* its speed by a rigid row, the third one of its joint, as long as this takes no more than its greatest
impulse. Otherwise it *slips*: the row is left out, and the motor is a force of its greatest strength. So friction costs
no more than a weld, however many joints have it. The method is an active set over all motors at once:

1. Solve the trees with the motors that held in the last substep as rows, and the others as forces.
2. A row that exceeds its greatest impulse slips. A motor that slips past its speed holds again.
3. If any motor has changed, factor its tree anew and solve again, from the velocities before the solve.

After `HOLD_ATTEMPTS` no motor holds again in the same substep, so the search ends.

A tree is *touched* if it is solved in rounds: a tree with a contact, and a tree that has motors and also joints that
hold by bounded rows, such as gears, targets and joints that yield. The motors of a touched tree change between the
rounds:

- Before a round, a row that exceeds its bound by `TOUCHED_EXCESS` gives the excess back to its bodies and slips.
- Before the first round motors may hold again. Later, contacts and limits would change them in every round.
- If any motor is above its bound after the last round, the trees are solved again without the contacts.

A projection leaves motors out. As long as all motors of a block of hinges slip, the block is one of pins.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import LOAD, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, absolute, any_lane, load, select, splat, store
from ecs_collide.step.joints.factor_trees import factor_block, joint_diagonal, rigid_compliance
from ecs_collide.step.joints.rows.block_algebra import (
    Symmetric,
    load_symmetric,
    load_triple,
    store_symmetric,
)
from ecs_collide.step.joints.rows.body_lanes import free_speed, lanes_of_trees, triple_of
from ecs_collide.step.joints.rows.bounded_rows import holds_by_bounds
from ecs_collide.step.joints.rows.motor_rule import is_tree_motor
from ecs_collide.step.joints.rows.pin_blocks import anchors_of, arms_of, factor_pins, load_pair, write_pin_rows
from ecs_collide.step.joints.solve_trees import select_blocks
from ecs_collide.step.joints.trees.tree_rows import (
    BATCH,
    BLOCK,
    FREE_ROW,
    INDEX,
    LANE,
    NONE,
    ROW,
    TREE_COUNT,
)

MOST_ATTEMPTS = 6
"""Greatest number of further solves in a substep."""
HOLD_ATTEMPTS = 2
"""Number of solves after which motors may hold again."""
EXCESS = 1.000001
"""Part of its greatest impulse above which a motor slips: rounding must not decide."""
TOUCHED_EXCESS = 1.02
"""Part of its greatest impulse above which a motor of a touched tree slips: the rounds change impulses."""


@device
def mark_bounded_motors(trees, joints):
    """Mark the trees that have motors and also joints that hold by bounded rows; return True if there are any.

    Writes is_bounded, is_touched.
    """
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_bounded[tree] = False
    for k in range(trees.counts[TREE_COUNT.JOINTS]):
        joint, block, lane = trees.joint_rows[k], trees.joint_lane[k] // LANES, trees.joint_lane[k] % LANES
        if holds_by_bounds(trees.block_kind[block], joints.numbers[joint]):
            trees.is_bounded[trees.block_index[block, INDEX.TREE, lane]] = True
    found = False
    for k in range(trees.counts[TREE_COUNT.JOINTS]):
        joint, block, lane = trees.joint_rows[k], trees.joint_lane[k] // LANES, trees.joint_lane[k] % LANES
        tree = trees.block_index[block, INDEX.TREE, lane]
        if trees.is_bounded[tree] and is_tree_motor(trees.block_kind[block], joints.numbers[joint]):
            trees.is_touched[tree] = found = True
    return found


@device
def load_motors(trees, block, joints, h):
    """Write the motors of eight joints for the step; return True if there are any.

    Reads joint_numbers, joint_load, OMEGA. Writes MOTOR_MAX, MOTOR_SPEED, SLIP, has_hinge_motors, and the constant
    numbers of the rows of hinges; clears is_pin where there is a motor.
    """
    field, kind, found = trees.blocks[block], trees.block_kind[block], False
    for lane in range(LANES):
        joint, sign = trees.block_index[block, INDEX.JOINT, lane], field[BLOCK.SIGN, lane]
        numbers = joints.numbers[joint]
        is_motor = trees.block_index[block, INDEX.TREE, lane] != NONE and is_tree_motor(kind, numbers)
        field[BLOCK.MOTOR_MAX, lane] = h * numbers[NUMBERS.MAX_MOTOR] if is_motor else 0.0
        field[BLOCK.MOTOR_SPEED, lane] = sign * numbers[NUMBERS.MOTOR_SPEED] if is_motor else 0.0
        field[BLOCK.SLIP, lane] = sign * joints.load[joint, LOAD.SLIP] if is_motor else 0.0
        found = found or is_motor
    trees.has_hinge_motors[block] = found and kind == kinds.REVOLUTE and not any_lane(load(field, BLOCK.OMEGA) > 0.0)
    if found:
        trees.is_pin[block] = False
    if trees.has_hinge_motors[block]:
        write_pin_rows(field)
    return found


@device
def any_holds(field):
    """Return True if any of eight motors holds."""
    return any_lane((load(field, BLOCK.MOTOR_MAX) > 0.0) & (absolute(load(field, BLOCK.SLIP)) <= 0.0))


@subroutine
def store_slips(trees, joints):
    """Store which motors slip for the next step. Writes joint_load."""
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        for lane in range(LANES):
            if field[BLOCK.MOTOR_MAX, lane] > 0.0:
                joint = trees.block_index[block, INDEX.JOINT, lane]
                joints.load[joint, LOAD.SLIP] = field[BLOCK.SIGN, lane] * field[BLOCK.SLIP, lane]


@device
def push_bodies(trees, block, lane, impulse):
    """Apply an impulse along the free coordinate to the two bodies of a joint. Writes the velocity of body lanes."""
    field, numbers = trees.blocks[block], trees.lane_numbers
    x, y = field[FREE_ROW + ROW.NORMAL_X, lane], field[FREE_ROW + ROW.NORMAL_Y, lane]
    child, parent = trees.block_index[block, INDEX.CHILD, lane], trees.block_index[block, INDEX.PARENT, lane]
    sides = (child, ROW.ARM_CHILD, impulse), (parent, ROW.ARM_PARENT, -impulse)
    for body, arm, signed in sides:
        mass, v = body + LANES * LANE.MASS_X, body + LANES * LANE.VX
        numbers[v] += numbers[mass] * x * signed
        numbers[v + LANES] += numbers[mass + LANES] * y * signed
        numbers[v + 2 * LANES] += numbers[mass + 2 * LANES] * field[FREE_ROW + arm, lane] * signed


@subroutine
def push_slipping(trees, of_selected):
    """Apply the greatest impulses of motors that slip, before a solve. Writes the velocity of body lanes, IMPULSE."""
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        if (of_selected and not trees.is_block_selected[block]) or not any_lane(
            absolute(load(field, BLOCK.SLIP)) > 0.0
        ):
            continue
        for lane in range(LANES):
            if field[BLOCK.SLIP, lane] != 0.0:
                field[BLOCK.IMPULSE + 2, lane] = field[BLOCK.SLIP, lane] * field[BLOCK.MOTOR_MAX, lane]
                push_bodies(trees, block, lane, field[BLOCK.IMPULSE + 2, lane])


@subroutine
def change_motors(trees, may_hold, of_touched):
    """Let motors slip that exceed their greatest impulse; return True if any motor has changed.

    With `may_hold`, motors that slip past their speed hold again. With `of_touched`, the motors of touched trees are
    checked, and those that slip give the excess back to their bodies; otherwise those of the other trees are checked.
    Selects the trees with changes. Writes SLIP, BIAS, PLAIN_BIAS, is_selected, and with `of_touched` IMPULSE and
    velocities.
    """
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_selected[tree] = False
    found, excess = False, TOUCHED_EXCESS if of_touched else EXCESS
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        most, slip, given = load(field, BLOCK.MOTOR_MAX), load(field, BLOCK.SLIP), load(field, BLOCK.IMPULSE + 2)
        if not any_lane(most > 0.0):
            continue
        speed = free_speed(trees, block, LANE.VX)
        holds = (most > 0.0) & (absolute(slip) <= 0.0)
        exceeds = holds & (absolute(given) > excess * most)
        is_past = (slip * (speed - load(field, BLOCK.MOTOR_SPEED)) > 0.0) & (splat(1.0 if may_hold else 0.0) > 0.0)
        if not any_lane(exceeds | is_past):
            continue
        new = select(exceeds, select(given > 0.0, splat(1.0), splat(-1.0)), 0.0)
        store(trees.scratch, 0, select(exceeds | is_past, new, slip))
        for lane in range(LANES):
            tree = trees.block_index[block, INDEX.TREE, lane]
            if tree == NONE or trees.scratch[0, lane] == field[BLOCK.SLIP, lane]:
                continue
            if trees.is_touched[tree] == of_touched:
                change_motor(trees, block, lane, trees.scratch[0, lane], of_touched)
                found, trees.is_selected[tree] = True, True
    return found


@device
def change_motor(trees, block, lane, slip, gives_back):
    """Let one motor hold or slip. Writes SLIP, BIAS, PLAIN_BIAS, is_pin; if it `gives_back`, IMPULSE and velocities."""
    field = trees.blocks[block]
    if trees.is_pin[block]:  # all of its motors slipped so far
        expand_pins(trees, block)
    field[BLOCK.SLIP, lane] = slip
    bias = -field[BLOCK.MOTOR_SPEED, lane] if slip == 0.0 else 0.0
    field[BLOCK.BIAS + 2, lane], field[BLOCK.PLAIN_BIAS + 2, lane] = bias, bias
    if gives_back and slip != 0.0:
        bound = slip * field[BLOCK.MOTOR_MAX, lane]
        push_bodies(trees, block, lane, bound - field[BLOCK.IMPULSE + 2, lane])
        field[BLOCK.IMPULSE + 2, lane] = bound


@device
def expand_pins(trees, block):
    """Turn a block of pins into one of any kind, with a third row that is absent so far.

    Clears is_pin. Writes the third row with its GAMMA, BIAS, PLAIN_BIAS and PARTING, the anchors and the gap.
    """
    field, nothing = trees.blocks[block], splat(0.0)
    child_x, child_y, parent_x, parent_y = anchors_of(trees, block)
    store(field, BLOCK.ANCHOR_CHILD, child_x)
    store(field, BLOCK.ANCHOR_CHILD + 1, child_y)
    store(field, BLOCK.ANCHOR_PARENT, parent_x)
    store(field, BLOCK.ANCHOR_PARENT + 1, parent_y)
    for k in range(2):
        store(field, BLOCK.GAP + k, load(field, BLOCK.SIGN) * load(field, BLOCK.ERROR + k))
    for k in range(ROW.WIDTH):
        store(field, BLOCK.ROWS + 2 * ROW.WIDTH + k, nothing)
    store(field, BLOCK.GAMMA + 2, splat(1.0))
    store(field, BLOCK.BIAS + 2, nothing)
    store(field, BLOCK.PLAIN_BIAS + 2, nothing)
    store(field, BLOCK.PARTING + 2, nothing)
    trees.is_pin[block] = False


@device
def select_whole_blocks(trees):
    """Select all trees that share blocks with selected ones, as a block is solved as a whole. Writes is_selected."""
    grows = True
    while grows:
        grows = False
        select_blocks(trees)
        for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
            if trees.is_block_selected[block]:
                for lane in range(LANES):
                    tree = trees.block_index[block, INDEX.TREE, lane]
                    if tree != NONE and not trees.is_selected[tree]:
                        trees.is_selected[tree], grows = True, True


@device
def factor_again(trees, block):
    """Factor eight joints whose motors may have changed, at the same poses. Writes the third row and the factors."""
    field = trees.blocks[block]
    if trees.is_pin[block]:
        if block < trees.span[BATCH.STOP_TREES]:
            factor_pins(trees, block, arms_of(field), load_pair(field, BLOCK.GAMMA))
        return
    is_motor = load(field, BLOCK.MOTOR_MAX) > 0.0
    holds = select(absolute(load(field, BLOCK.SLIP)) <= 0.0, splat(1.0), 0.0)
    for k in range(ROW.WIDTH):
        third = BLOCK.ROWS + 2 * ROW.WIDTH + k
        store(field, third, select(is_motor, holds * load(field, FREE_ROW + k), load(field, third)))
    child = triple_of(trees, block, INDEX.CHILD, LANE.MASS_X)
    parent = triple_of(trees, block, INDEX.PARENT, LANE.MASS_X)
    gamma = rigid_compliance(joint_diagonal(field, 2, child, parent))
    store(field, BLOCK.GAMMA + 2, select(is_motor, gamma, load(field, BLOCK.GAMMA + 2)))
    if block < trees.span[BATCH.STOP_TREES]:
        factor_block(trees, block)


@device
def select_symmetric(mask, a, b):
    """Return matrix a where the mask holds, b elsewhere."""
    return Symmetric(
        xx=select(mask, a.xx, b.xx),
        yy=select(mask, a.yy, b.yy),
        zz=select(mask, a.zz, b.zz),
        xy=select(mask, a.xy, b.xy),
        xz=select(mask, a.xz, b.xz),
        yz=select(mask, a.yz, b.yz),
    )


@subroutine
def begin_again(trees):
    """Start the factors of selected trees with each body alone. Writes RESPONSE."""
    nothing = splat(0.0)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes, mask = trees.lanes[s], lanes_of_trees(trees, s, trees.is_selected, True)
        if not any_lane(mask):
            continue
        mass = load_triple(lanes, LANE.MASS_X)
        alone = Symmetric(xx=mass.x, yy=mass.y, zz=mass.z, xy=nothing, xz=nothing, yz=nothing)
        now = load_symmetric(lanes, LANE.RESPONSE)
        store_symmetric(lanes, LANE.RESPONSE, select_symmetric(mask, alone, now))


@subroutine
def restore_velocities(trees):
    """Restore the velocities before the first solve of selected trees. Writes velocities; clears IMPULSE."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes, mask = trees.lanes[s], lanes_of_trees(trees, s, trees.is_selected, True)
        for k in range(3):
            store(lanes, LANE.VX + k, select(mask, load(lanes, LANE.SHIFT + k), load(lanes, LANE.VX + k)))
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_block_selected[block]:
            for k in range(3):
                store(trees.blocks[block], BLOCK.IMPULSE + k, splat(0.0))
