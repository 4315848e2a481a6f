"""Fill the joint blocks from the columns at the start of a step."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.components.joints import kinds
from ecs_collide.data.bodies import FRAME, MASS
from ecs_collide.data.joints import ANCHORS, LOAD, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import (
    LANES,
    any_lane,
    gather2,
    gather4,
    lane_bits,
    load,
    maximum,
    minimum,
    select,
    splat,
    store,
)
from ecs_collide.step.joints.added_inertia import add_inertia
from ecs_collide.step.joints.joint_positions import store_arms
from ecs_collide.step.joints.kinds.table import rigidity, store_own_numbers
from ecs_collide.step.joints.moving_limits import load_rates
from ecs_collide.step.joints.rows.body_lanes import LARGEST_TURN, load_lanes
from ecs_collide.step.joints.rows.pin_blocks import Arms, turn_pins
from ecs_collide.step.joints.rows.released_rows import clear_released, find_released, has_linear_springs
from ecs_collide.step.joints.rows.spring_units import SLOWEST, STIFFEST, TWO_PI
from ecs_collide.step.joints.tree_motors import load_motors, mark_bounded_motors
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE, NONE, TREE_COUNT

FAST_TURN = 0.3
"""Rotation in a substep above which the spins of bodies that swing on a joint are limited [rad]."""
MUCH_LONGER = 4.0
"""Largest ratio of a substep to the last one for which impulses are scaled."""


class BodyPose(NamedTuple):
    """Poses of eight bodies at the start of a step; the world is at the origin."""

    center_x: float
    center_y: float
    cos: float
    sin: float
    angle: float
    local_x: float
    local_y: float


class JointEnds(NamedTuple):
    """The ends of eight joints at the start of a step: angles of their bodies [rad], anchors in the world [m]."""

    angle_a: float
    angle_b: float
    anchor_a_x: float
    anchor_a_y: float
    anchor_b_x: float
    anchor_b_y: float


@subroutine
def prepare_joints(solver_joints, bodies, any_touched, slop, h):
    """Fill the joint blocks and the masses of the body lanes for a step; return True if any joint has a drive.

    A drive is a spring or a tree motor. With drives, rows are renewed at the start of each substep. Works on the blocks
    of `span`. Reads the joints, body_frame, body_mass, is_touched. Writes blocks, lanes.
    """
    trees, joints, has_drives = solver_joints.trees, solver_joints.joints, False
    spins_fast = load_lanes(trees, bodies) > FAST_TURN / h
    any_bounded = is_any_bounded(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        set_chord_rate(trees, block, any_touched, h)
        place_anchors(trees, block, joints, bodies)
        if spins_fast:
            limit_swinging_spins(trees, block, slop, h)
        has_drives = load_springs(trees, block, joints, h) or has_drives
        has_drives = load_motors(trees, block, joints, h) or has_drives
        load_rates(trees, block, joints)
        load_impulses(trees, block, joints, h)
        trees.has_released[block] = any_bounded and find_released(trees, block, joints)
        if trees.has_released[block]:
            clear_released(trees, block, BLOCK.IMPULSE)
            has_drives = has_drives or has_linear_springs(trees, block, joints)
    add_inertia(trees, h)
    return has_drives


@device
def find_solver_rows(trees, bodies):
    """Find the solver rows of the joints' bodies. Reads body_solver_row. Writes solver_row."""
    for m in range(trees.counts[TREE_COUNT.BODIES]):
        trees.solver_row[m] = bodies.solver_row[trees.bodies[m]]


@device
def mark_touched_trees(solver_joints, contacts, contact_count):
    """Find the touched trees, see `tree_motors.py`; return True if there are any. Writes is_touched, is_bounded."""
    trees, any_touched = solver_joints.trees, False
    if trees.counts[TREE_COUNT.TREES] == 0:
        return any_touched
    for k in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_touched[k] = False
    for row in range(contact_count):
        for side in range(2):
            tree = trees.tree_of_body[contacts.body[row, side]]
            if tree >= 0 and contacts.enabled[row] and not contacts.missed[row]:
                trees.is_touched[tree] = True
                any_touched = True
    if len(solver_joints.bounded.row) > 0:
        any_touched = mark_bounded_motors(trees, solver_joints.joints) or any_touched
    return any_touched


@device
def is_any_bounded(trees):
    """Return True if any tree has joints that hold by bounded rows."""
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        if trees.is_bounded[tree]:
            return True
    return False


@device
def set_chord_rate(trees, block, any_touched, h):
    """Write the rate of the chord correction: 0 in touched trees, and in empty lanes if any tree is touched."""
    index, field, rate = trees.block_index[block], trees.blocks[block], 1.0 / h
    store(field, BLOCK.CHORD, splat(rate))
    if not any_touched:
        return
    for lane in range(LANES):
        tree = index[INDEX.TREE, lane]
        if tree == NONE or trees.is_touched[tree]:
            field[BLOCK.CHORD, lane] = 0.0


@device
def is_set(trees, rows):
    """Return the mask of eight flags in `block_index`. Writes scratch."""
    for lane in range(LANES):
        trees.scratch[0, lane] = trees.block_index[rows[0], rows[1], lane]
    return load(trees.scratch, 0) > 0.0


@device
def pose_of_bodies(bodies, index, rows, is_there):
    """Return the poses of eight bodies, and the origin where none `is_there`. Reads body_frame, body_mass."""
    center_x, center_y, cos, sin = gather4(bodies.frame, FRAME.CENTER_X, index, rows)
    _, angle = gather2(bodies.frame, FRAME.SIN, index, rows)
    local_x, local_y = gather2(bodies.mass, MASS.LOCAL_X, index, rows)
    return BodyPose(
        center_x=select(is_there, center_x, 0.0),
        center_y=select(is_there, center_y, 0.0),
        cos=select(is_there, cos, 1.0),
        sin=select(is_there, sin, 0.0),
        angle=select(is_there, angle, 0.0),
        local_x=select(is_there, local_x, 0.0),
        local_y=select(is_there, local_y, 0.0),
    )


@device
def select_pose(mask, a, b):
    """Return pose a where the mask holds, b elsewhere."""
    return BodyPose(
        center_x=select(mask, a.center_x, b.center_x),
        center_y=select(mask, a.center_y, b.center_y),
        cos=select(mask, a.cos, b.cos),
        sin=select(mask, a.sin, b.sin),
        angle=select(mask, a.angle, b.angle),
        local_x=select(mask, a.local_x, b.local_x),
        local_y=select(mask, a.local_y, b.local_y),
    )


@device
def place_anchors(trees, block, joints, bodies):
    """Write anchors, axis and angle of eight joints at the start of the step. Reads joint_anchors, joint_numbers."""
    field, kind, joint = trees.blocks[block], trees.block_kind[block], (block, INDEX.JOINT)
    child = pose_of_bodies(
        bodies, trees.block_index, (block, INDEX.CHILD_BODY), is_set(trees, (block, INDEX.HAS_CHILD))
    )
    parent = pose_of_bodies(
        bodies, trees.block_index, (block, INDEX.PARENT_BODY), is_set(trees, (block, INDEX.HAS_PARENT))
    )
    b_is_child = load(field, BLOCK.SIGN) > 0.0
    a, b = select_pose(b_is_child, parent, child), select_pose(b_is_child, child, parent)
    a_x, a_y, b_x, b_y = gather4(joints.anchors, ANCHORS.A_X, trees.block_index, joint)
    axis_x, axis_y = gather2(joints.anchors, ANCHORS.AXIS_X, trees.block_index, joint)
    rest, _, target_x, target_y = gather4(joints.numbers, NUMBERS.REST, trees.block_index, joint)
    if kind in kinds.WITH_TARGET:
        a_x, a_y = target_x, target_y
    a_x, a_y, b_x, b_y = a_x - a.local_x, a_y - a.local_y, b_x - b.local_x, b_y - b.local_y
    a_x, a_y = a.cos * a_x - a.sin * a_y, a.sin * a_x + a.cos * a_y
    b_x, b_y = b.cos * b_x - b.sin * b_y, b.sin * b_x + b.cos * b_y
    arm_x, arm_y = select(b_is_child, b_x, a_x), select(b_is_child, b_y, a_y)
    lever_x, lever_y = select(b_is_child, a_x, b_x), select(b_is_child, a_y, b_y)
    store_arms(field, BLOCK.START_CHILD, BLOCK.START_PARENT, arm_x, arm_y, lever_x, lever_y)
    store_arms(field, BLOCK.ANCHOR_CHILD, BLOCK.ANCHOR_PARENT, arm_x, arm_y, lever_x, lever_y)
    if trees.is_pin[block]:
        turn_pins(field, Arms(child_x=-arm_y, child_y=arm_x, parent_x=-lever_y, parent_y=lever_x))
    store(field, BLOCK.OFFSET, child.center_x - parent.center_x)
    store(field, BLOCK.OFFSET + 1, child.center_y - parent.center_y)
    store(field, BLOCK.AXIS, a.cos * axis_x - a.sin * axis_y)
    store(field, BLOCK.AXIS + 1, a.sin * axis_x + a.cos * axis_y)
    store(field, BLOCK.ANGLE, load(field, BLOCK.SIGN) * (b.angle - a.angle - rest))
    store(field, BLOCK.REST, rest)
    ends = JointEnds(
        angle_a=a.angle,
        angle_b=b.angle,
        anchor_a_x=a.center_x + a_x,
        anchor_a_y=a.center_y + a_y,
        anchor_b_x=b.center_x + b_x,
        anchor_b_y=b.center_y + b_y,
    )
    store_own_numbers(kind, trees, block, joints, ends)


@device
def limit_swinging_spins(trees, block, slop, h):
    """Limit the spin of bodies that swing on a joint. Writes MAX_SPIN.

    A body swings if its anchor is farther from its centre of mass than `slop` [m], and if it can turn.
    """
    field, index, numbers = trees.blocks[block], trees.block_index, trees.lane_numbers
    children = lane_bits(is_longer(field, BLOCK.ANCHOR_CHILD, slop))
    parents = lane_bits(is_longer(field, BLOCK.ANCHOR_PARENT, slop))
    for lane in range(LANES):
        for bits, side in ((children, INDEX.CHILD), (parents, INDEX.PARENT)):
            place = index[block, side, lane]
            if (bits >> lane) & 1 != 0 and numbers[place + LANES * LANE.INERTIA] > 0.0:
                numbers[place + LANES * LANE.MAX_SPIN] = LARGEST_TURN / h


@device
def is_longer(field, arm, length):
    """Return the mask of eight arms, from column `arm` on, that are longer than `length` [m]."""
    x, y = load(field, arm), load(field, arm + 1)
    return x * x + y * y > length * length


@device
def load_springs(trees, block, joints, h):
    """Write springs and the rigidity of the third rows of eight joints; return True if any has a spring.

    Reads joint_numbers. Writes OMEGA, DAMPING, STIFFNESS, VISCOSITY, RIGIDITY; clears is_pin where there is a third
    row.
    """
    field, kind = trees.blocks[block], trees.block_kind[block]
    hertz, damping_ratio, lower, upper = gather4(joints.numbers, NUMBERS.HERTZ, trees.block_index, (block, INDEX.JOINT))
    most_motor, _ = gather2(joints.numbers, NUMBERS.MAX_MOTOR, trees.block_index, (block, INDEX.JOINT))
    rigid = rigidity(kind, lower, upper, most_motor)
    store(field, BLOCK.RIGIDITY, rigid)
    stiffness, damping = gather2(joints.numbers, NUMBERS.STIFFNESS, trees.block_index, (block, INDEX.JOINT))
    is_soft = (hertz > 0.0) | (stiffness > 0.0) | (damping > 0.0)
    store(field, BLOCK.STIFFNESS, stiffness)
    store(field, BLOCK.VISCOSITY, damping)
    omega = TWO_PI * minimum(hertz, STIFFEST / h)
    store(field, BLOCK.OMEGA, select(is_soft, maximum(omega, splat(SLOWEST / h)), 0.0))
    store(field, BLOCK.DAMPING, damping_ratio)
    if any_lane(is_soft | (rigid > 0.0)):
        trees.is_pin[block] = False
    return any_lane(is_soft)


@device
def load_impulses(trees, block, joints, h):
    """Write the impulses that eight joints bear in a substep of h [s], as in the last step.

    A substep that is much longer than the last one counts as `MUCH_LONGER` times as long: the load may be a blow.
    Reads joint_load. Writes IMPULSE, MEAN_PULL; clears LOAD.
    """
    field, index, joint = trees.blocks[block], trees.block_index, (block, INDEX.JOINT)
    first, second, third, mean_x = gather4(joints.load, 0, index, joint)
    mean_y, substep = gather2(joints.load, LOAD.MEAN + 1, index, joint)
    of_child = load(field, BLOCK.SIGN) * minimum(MUCH_LONGER * substep, h)
    store(field, BLOCK.IMPULSE, of_child * first)
    store(field, BLOCK.IMPULSE + 1, of_child * second)
    store(field, BLOCK.IMPULSE + 2, of_child * third)
    store(field, BLOCK.MEAN_PULL, of_child * mean_x)
    store(field, BLOCK.MEAN_PULL + 1, of_child * mean_y)
    for k in range(3):
        store(field, BLOCK.LOAD + k, splat(0.0))
