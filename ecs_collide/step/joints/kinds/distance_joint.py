"""Distance joint: a rod, a rope or a spring between two anchors.

With r the arm of an anchor from its body's centre of mass and p = x + r the anchor:

    coordinates   d = p_B - p_A, u = d / |d|, L = |d| (free)
    constraint    rod: C = L - length = 0        C' = u.(v_B - v_A) + (r_B x u) w_B - (r_A x u) w_A
                  third row (u, r x u) for both bodies; rows 0 and 1 are none
    spring        the same row, soft: k = omega^2 m, c = 2 zeta omega m
    motor         winch: L' = motor speed, |impulse| <= h max motor force; there is no rigid row
    limits        rope: min length <= L <= max length; each is a bounded row on L, and there is no rigid row

The chord correction accounts for the turn of the rod itself: the distance grows by (|d'|^2 - (u.d')^2) / (2 |d|), with
d' the movement of one anchor against the other in a substep.
"""

from __future__ import annotations

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, minimum, select, splat, square_root, store
from ecs_collide.step.joints.rows.append_rows import append_axis_motor, append_limits, free_value, has_limits
from ecs_collide.step.joints.rows.body_lanes import triple_of
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED
from ecs_collide.step.joints.rows.chord_correction import chord_offset
from ecs_collide.step.joints.rows.constraint_rows import put_no_row, put_row
from ecs_collide.step.joints.rows.hold_rows import append_held, is_spring, spring_of
from ecs_collide.step.joints.rows.limit_arcs import COINCIDENT, length_arc
from ecs_collide.step.joints.rows.pin_blocks import anchors_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, LANE


@device
def place_rows(field, pose):
    """Write the rows: the length (rigid or a spring), and the length as the free coordinate."""
    length = square_root(pose.gap_x * pose.gap_x + pose.gap_y * pose.gap_y)
    apart = length > COINCIDENT
    divisor = select(apart, length, 1.0)
    x, y = select(apart, pose.gap_x / divisor, 1.0), select(apart, pose.gap_y / divisor, 0.0)
    arm_a, arm_b = pose.arm_a_x * y - pose.arm_a_y * x, pose.arm_b_x * y - pose.arm_b_y * x
    put_no_row(field, 0)
    put_no_row(field, 1)
    third = pose.third
    error = third * (length - pose.rest)
    put_row(field, 2, third * x, third * y, third * arm_a, third * arm_b, error)
    put_row(field, 3, x, y, arm_a, arm_b, length)


@device
def rigidity(lower, upper, most_motor):
    """Return the factor of the third row without a spring: 1 for rods, 0 for ropes with limits and for winches."""
    is_rope = (lower > -NO_LIMIT) | (upper < NO_LIMIT) | (most_motor > 0.0)
    return select(is_rope, 0.0, splat(1.0))


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of motor, limits and a bounded force behind `count` rows; return how many there are then."""
    block, lane = at
    has_free_force = not trees.has_released[block] or numbers[NUMBERS.MAX_FORCE] >= NO_LIMIT
    if not has_limits(numbers) and numbers[NUMBERS.MAX_MOTOR] <= 0.0 and has_free_force:
        return count
    arc = length_arc(trees, at, substep.h)
    is_rope = has_limits(numbers) or numbers[NUMBERS.MAX_MOTOR] > 0.0
    if not has_free_force and (is_spring(spring_of(numbers)) or not is_rope):
        rest = numbers[NUMBERS.REST] - substep.remaining * trees.blocks[block, BLOCK.RATE, lane]
        error, most = free_value(trees, at) - rest, numbers[NUMBERS.MAX_FORCE]
        count = append_held(trees, bounded, at, count, error, arc, spring_of(numbers), most, substep, False)
    before = count
    count = append_axis_motor(trees, bounded, at, count, numbers, substep.h)
    if count > before:  # without the chord correction a rod that turns would grow
        bounded.row[before, BOUNDED.BIAS] += trees.blocks[block, BLOCK.CHORD, lane] * arc
    return append_limits(trees, bounded, at, count, numbers, substep, arc)


@device
def correct_chord(trees, block, h):
    """Add the chord correction of eight rods. Reads the velocities of body lanes, GAP. Writes BIAS."""
    field = trees.blocks[block]
    sign, rate = load(field, BLOCK.SIGN), load(field, BLOCK.CHORD)
    child, parent = triple_of(trees, block, INDEX.CHILD, LANE.VX), triple_of(trees, block, INDEX.PARENT, LANE.VX)
    arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
    child_x, child_y = chord_offset(arm_x, arm_y, h * child.z)
    parent_x, parent_y = chord_offset(lever_x, lever_y, h * parent.z)
    offset_x, offset_y = child_x - parent_x, child_y - parent_y
    gap_x, gap_y = load(field, BLOCK.GAP), load(field, BLOCK.GAP + 1)
    length = square_root(gap_x * gap_x + gap_y * gap_y)
    inverse_length = 1.0 / select(length > COINCIDENT, length, 1.0)
    u_x, u_y = gap_x * inverse_length, gap_y * inverse_length
    moved_x = h * (child.x - parent.x - child.z * arm_y + parent.z * lever_y)
    moved_y = h * (child.y - parent.y + child.z * arm_x - parent.z * lever_x)
    across = moved_x * u_y - moved_y * u_x
    sagitta = minimum(0.5 * across * across * inverse_length, length)
    rigid = select(load(field, BLOCK.OMEGA) > 0.0, 0.0, load(field, BLOCK.RIGIDITY))
    longer = sign * sagitta + u_x * offset_x + u_y * offset_y
    store(field, BLOCK.BIAS + 2, load(field, BLOCK.BIAS + 2) + rate * rigid * longer)
