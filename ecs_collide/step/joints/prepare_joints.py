"""Fill the blocks of joints from the columns at the start of a step, and what is kept of each body."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.components.joints import kinds
from ecs_collide.data import joints as of_joint
from ecs_collide.data.bodies import FRAME, MASS
from ecs_collide.data.joints import LOAD, NUMBERS, PLACE
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
from ecs_collide.step.joints.body_lanes import seat_bodies
from ecs_collide.step.joints.chord_correction import PART
from ecs_collide.step.joints.joint_positions import store_arms
from ecs_collide.step.joints.pin_blocks import Arms, turn_pins
from ecs_collide.step.joints.trees import tree_rows as layout

TWO_PI = 6.283185307179586
STIFFEST = 0.25
"""A spring's frequency is no more than this part of the substep rate."""
SLOWEST = 1e-12
"""Nor does it turn by less in a substep [rad]: its force would be nothing, and its compliance infinite."""
FAST_TURN = 0.3
"""What turns by more in a substep whips round [rad]: only then it is asked who swings on a joint."""
MUCH_LONGER = 4.0
"""A substep is much longer that is so many times the last one: what was borne then may have been a blow, no force."""


class Stance(NamedTuple):
    """How bodies stand at the start of a step: centre of mass, rotation and its angle; and the centre in their axes."""

    center_x: float
    center_y: float
    cos: float
    sin: float
    angle: float
    local_x: float
    local_y: float


@subroutine
def prepare_joints(linkage, bodies, any_touched, slop, h):
    """Return whether any joint is a spring.

    Reads the joints, body_frame, body_mass, is_touched. Writes all of what is gone through, but how bodies move.
    """
    trees, joints, has_springs = linkage.trees, linkage.joints, False
    spins_fast = seat_bodies(trees, bodies) > FAST_TURN / h
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        note_touched(trees, block, any_touched)
        place_at_start(trees, block, joints, bodies)
        if spins_fast:
            mark_swinging(trees, block, slop)
        has_springs = fill_numbers(trees, block, joints, h) or has_springs
        take_up_load(trees, block, joints, h)
    add_inertia(trees, h)
    return has_springs


@device
def find_rows(trees, bodies):
    """Look up the solver's rows of all bodies of the joints. Reads body_solver_row. Writes tree_row."""
    for m in range(len(trees.members)):
        trees.row[m] = bodies.solver_row[trees.members[m]]


@device
def mark_touched(trees, contacts, contact_count):
    """Find the trees that have a contact; return True if any has one. Writes is_touched."""
    any_touched = False
    if len(trees.is_touched) == 0:
        return any_touched
    for k in range(len(trees.is_touched)):
        trees.is_touched[k] = False
    for row in range(contact_count):
        for side in range(2):
            tree = trees.tree[contacts.body[row, side]]
            if tree >= 0 and contacts.enabled[row]:
                trees.is_touched[tree] = True
                any_touched = True
    return any_touched


@device
def note_touched(trees, block, any_touched):
    """Note which joints are in a tree that has a contact, as are those of empty lanes. Writes TOUCHED."""
    index, field = trees.index[block], trees.field[block]
    if not any_touched:
        store(field, layout.TOUCHED, splat(0.0))
        return
    for lane in range(LANES):
        tree = index[layout.TREE, lane]
        field[layout.TOUCHED, lane] = 1.0 if tree == layout.NONE or trees.is_touched[tree] else 0.0


@device
def stance_of(bodies, index, rows, is_there):
    """Eight bodies; the world, where none `is_there`, stands at the origin. Reads body_frame, body_mass."""
    center_x, center_y, cos, sin = gather4(bodies.frame, FRAME.CENTER_X, index, rows)
    _, angle = gather2(bodies.frame, FRAME.SIN, index, rows)
    local_x, local_y = gather2(bodies.mass, MASS.LOCAL_X, index, rows)
    return Stance(
        select(is_there, center_x, 0.0),
        select(is_there, center_y, 0.0),
        select(is_there, cos, 1.0),
        select(is_there, sin, 0.0),
        select(is_there, angle, 0.0),
        select(is_there, local_x, 0.0),
        select(is_there, local_y, 0.0),
    )


@device
def either(mask, a, b):
    """Stance a where the mask holds, b elsewhere."""
    return Stance(
        select(mask, a.center_x, b.center_x),
        select(mask, a.center_y, b.center_y),
        select(mask, a.cos, b.cos),
        select(mask, a.sin, b.sin),
        select(mask, a.angle, b.angle),
        select(mask, a.local_x, b.local_x),
        select(mask, a.local_y, b.local_y),
    )


@device
def place_at_start(trees, block, joints, bodies):
    """Turn anchors and axis with the bodies. Reads joint_place, joint_numbers. Writes what is placed for the step."""
    field, kind, joint = trees.field[block], trees.block_kind[block], (block, layout.JOINT)
    child = stance_of(bodies, trees.index, (block, layout.CHILD_BODY), load(field, layout.HAS_CHILD) > 0.0)
    parent = stance_of(bodies, trees.index, (block, layout.PARENT_BODY), load(field, layout.HAS_PARENT) > 0.0)
    b_is_child = load(field, layout.SIGN) > 0.0
    a, b = either(b_is_child, parent, child), either(b_is_child, child, parent)
    a_x, a_y, b_x, b_y = gather4(joints.place, PLACE.ANCHOR_A_X, trees.index, joint)
    _, axis_x, axis_y, reference = gather4(joints.place, PLACE.ANCHOR_B_Y, trees.index, joint)
    rest, _, target_x, target_y = gather4(joints.numbers, NUMBERS.REST, trees.index, joint)
    if kind == kinds.TARGET:
        a_x, a_y = target_x, target_y
    if kind == kinds.REVOLUTE:
        reference = rest
    a_x, a_y, b_x, b_y = a_x - a.local_x, a_y - a.local_y, b_x - b.local_x, b_y - b.local_y
    a_x, a_y = a.cos * a_x - a.sin * a_y, a.sin * a_x + a.cos * a_y
    b_x, b_y = b.cos * b_x - b.sin * b_y, b.sin * b_x + b.cos * b_y
    arm_x, arm_y = select(b_is_child, b_x, a_x), select(b_is_child, b_y, a_y)
    lever_x, lever_y = select(b_is_child, a_x, b_x), select(b_is_child, a_y, b_y)
    store_arms(field, layout.START_CHILD, layout.START_PARENT, arm_x, arm_y, lever_x, lever_y)
    store_arms(field, layout.AT_CHILD, layout.AT_PARENT, arm_x, arm_y, lever_x, lever_y)
    if trees.is_pin[block]:
        turn_pins(field, Arms(-arm_y, arm_x, -lever_y, lever_x))
    store(field, layout.OFFSET, child.center_x - parent.center_x)
    store(field, layout.OFFSET + 1, child.center_y - parent.center_y)
    store(field, layout.AXIS, a.cos * axis_x - a.sin * axis_y)
    store(field, layout.AXIS + 1, a.sin * axis_x + a.cos * axis_y)
    store(field, layout.ANGLE, load(field, layout.SIGN) * (b.angle - a.angle - reference))
    store(field, layout.REST, rest)


@device
def mark_swinging(trees, block, slop):
    """Note whose anchors are beside their centres of mass by more than `slop` [m], of what turns. Writes seat."""
    field, index, numbers = trees.field[block], trees.index, trees.numbers
    children = lane_bits(is_longer(field, layout.AT_CHILD, slop))
    parents = lane_bits(is_longer(field, layout.AT_PARENT, slop))
    for lane in range(LANES):
        for bits, side in ((children, layout.CHILD), (parents, layout.PARENT)):
            seat = index[block, side, lane]
            if (bits >> lane) & 1 != 0 and numbers[seat + LANES * layout.INERTIA] > 0.0:
                numbers[seat + LANES * layout.SWINGS] = 1.0


@device
def is_longer(field, arm, length):
    """Whether eight arms, which stand in two fields, are longer than that."""
    x, y = load(field, arm), load(field, arm + 1)
    return x * x + y * y > length * length


@device
def fill_numbers(trees, block, joints, h):
    """Take up springs, what is rigid without one, and how much of the chord counts; return whether there is a spring.

    The third row of a joint without a spring is rigid in a weld and in a rod; a rope has bounds instead.
    Reads joint_numbers, TOUCHED.
    """
    field, kind = trees.field[block], trees.block_kind[block]
    hertz, damping_ratio, lower, upper = gather4(joints.numbers, NUMBERS.HERTZ, trees.index, (block, layout.JOINT))
    is_rope = (lower > -of_joint.ENDLESS) | (upper < of_joint.ENDLESS)
    rigid = splat(1.0 if kind == kinds.WELD or kind == kinds.DISTANCE else 0.0)
    if kind == kinds.DISTANCE:
        rigid = select(is_rope, 0.0, rigid)
    store(field, layout.IS_RIGID, rigid)
    is_soft = hertz > 0.0
    omega = TWO_PI * minimum(hertz, STIFFEST / h)
    store(field, layout.OMEGA, select(is_soft, maximum(omega, splat(SLOWEST / h)), 0.0))
    store(field, layout.DAMPING, damping_ratio)
    store(field, layout.IS_SOFT, select(is_soft, splat(1.0), 0.0))
    store(field, layout.CHORD, PART * (1.0 - load(field, layout.TOUCHED)) / h)
    if any_lane(is_soft | (rigid > 0.0)):
        trees.is_pin[block] = False
    return any_lane(is_soft)


@device
def take_up_load(trees, block, joints, h):
    """Take up what the joints bore in a substep, h long [s], but no more than `MUCH_LONGER` times the last one's.

    Reads joint_load. Writes IMPULSE, PULL_ON_CHILD, BORNE.
    """
    field, index, joint = trees.field[block], trees.index, (block, layout.JOINT)
    first, second, third, mean_x = gather4(joints.load, 0, index, joint)
    mean_y, substep = gather2(joints.load, LOAD.MEAN + 1, index, joint)
    of_child = load(field, layout.SIGN) * minimum(MUCH_LONGER * substep, h)
    store(field, layout.IMPULSE, of_child * first)
    store(field, layout.IMPULSE + 1, of_child * second)
    store(field, layout.IMPULSE + 2, of_child * third)
    store(field, layout.PULL_ON_CHILD, of_child * mean_x)
    store(field, layout.PULL_ON_CHILD + 1, of_child * mean_y)
    for k in range(3):
        store(field, layout.BORNE + k, splat(0.0))
