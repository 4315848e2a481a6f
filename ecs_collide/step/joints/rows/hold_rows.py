"""Rows with bounds that hold two bodies: by a force or torque of limited size, rigidly or by a spring.

Let C be the gap of a row, F the greatest force, and k = J M^-1 J^T the inverse of the mass that it moves.

    rigid     J v + b = 0, |impulse| <= h F, where b closes a gap, see `closing_gaps.py`
    spring    J v + Gamma impulse + b = 0 with Gamma = 1 / (h (c + h s)), b = s C / (c + h s), |impulse| <= h F, for
              stiffness s and damping c
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.rows import bounded_rows as roles
from ecs_collide.step.joints.rows.append_rows import append_free, append_pull, append_row, free_value, pull_point
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, own_diagonal
from ecs_collide.step.joints.rows.closing_gaps import CLOSED, WITHIN, closing_speed, is_at_bound
from ecs_collide.step.joints.rows.limit_arcs import turned
from ecs_collide.step.joints.rows.spring_units import STIFFEST, TWO_PI
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE_ROW, INDEX, LANE, ROW

WEAKEST = 1e-100
"""Least impulse of a spring for a speed of 1 [N s/m, N m s]: below it the compliance would be infinite."""


class Spring(NamedTuple):
    """A spring: frequency and damping ratio, or stiffness and damping; all 0 for none."""

    hertz: float
    damping_ratio: float
    stiffness: float
    damping: float


@device
def spring_of(numbers):
    """Return the spring of a joint's free coordinate, or of the angle of a weld."""
    return Spring(
        hertz=numbers[NUMBERS.HERTZ],
        damping_ratio=numbers[NUMBERS.DAMPING_RATIO],
        stiffness=numbers[NUMBERS.STIFFNESS],
        damping=numbers[NUMBERS.DAMPING],
    )


@device
def linear_spring_of(numbers):
    """Return the spring between the anchors of a weld."""
    return Spring(
        hertz=numbers[NUMBERS.LINEAR_HERTZ],
        damping_ratio=numbers[NUMBERS.LINEAR_DAMPING_RATIO],
        stiffness=numbers[NUMBERS.LINEAR_STIFFNESS],
        damping=numbers[NUMBERS.LINEAR_DAMPING],
    )


@device
def rigid():
    """Return the spring of a row without one."""
    return Spring(hertz=0.0, damping_ratio=0.0, stiffness=0.0, damping=0.0)


@device
def is_spring(spring):
    """Return True if there is a spring or a damper."""
    return spring.hertz > 0.0 or spring.stiffness > 0.0 or spring.damping > 0.0


@device
def hold_by_spring(trees, bounded, k, error, spring, h):
    """Make row k a spring with a position error [m, rad]. Writes BIAS, GAMMA."""
    row, diagonal = bounded.row[k], own_diagonal(bounded, k, trees.lane_numbers)
    if diagonal <= 0.0:
        return
    stiffest = TWO_PI * STIFFEST / h
    omega = min(TWO_PI * spring.hertz, stiffest)
    stiffness, damping = omega * omega / diagonal, 2.0 * spring.damping_ratio * omega / diagonal
    if spring.hertz == 0.0:
        stiffness, damping = min(spring.stiffness, stiffest * stiffest / diagonal), spring.damping
    strength = max(damping + h * stiffness, WEAKEST)
    row[BOUNDED.GAMMA], row[BOUNDED.BIAS] = 1.0 / (h * strength), stiffness / strength * error


@device
def hold_rigidly(trees, bounded, k, error, substep, is_driven):
    """Make row k rigid within its bounds, with an error [m, rad]. Adds to BIAS. Writes SHIFT_BIAS and its bounds."""
    row = bounded.row[k]
    speed = closing_speed(trees, bounded, k, abs(error), substep, is_driven)
    row[BOUNDED.BIAS] += speed if error > 0.0 else -speed
    if speed == 0.0 and not is_at_bound(row):
        row[BOUNDED.SHIFT_BIAS] = error
        row[BOUNDED.SHIFT_LOW], row[BOUNDED.SHIFT_HIGH] = -roles.UNLIMITED, roles.UNLIMITED


@device
def hold(trees, bounded, k, error, spring, most, substep, is_driven):
    """Make row k rigid or a spring, with a position error [m, rad] and an impulse up to `most` [N s, N m s]."""
    bounded.row[k, BOUNDED.LOW], bounded.row[k, BOUNDED.HIGH] = -most, most
    if is_spring(spring):
        hold_by_spring(trees, bounded, k, error, spring, substep.h)
    else:
        hold_rigidly(trees, bounded, k, error, substep, is_driven)


@subroutine
def append_held(trees, bounded, at, count, error, arc, spring, most, substep, is_driven):
    """Append a row that holds the free coordinate, `error` from where it should be; return the number of rows.

    `most` is its greatest force or torque [N, N m], `arc` how much more the coordinate grows in a substep than its
    speed says. A row that `is_driven` closes gaps as fast as it can. A projection leaves springs out.
    """
    block, lane = at
    field = trees.blocks[block]
    if is_spring(spring) and substep.is_projection:
        return count
    append_free(trees, bounded, at, count, roles.HELD, field[BLOCK.SIGN, lane])
    bounded.row[count, BOUNDED.BIAS] = field[BLOCK.CHORD, lane] * arc - field[BLOCK.RATE, lane]
    hold(trees, bounded, count, error, spring, substep.h * most, substep, is_driven)
    return count + 1


@subroutine
def append_turn(trees, bounded, at, count, most, substep):
    """Append a row that holds the angle of the bodies by a torque up to `most` [N m]; return the number of rows."""
    block, lane = at
    field, numbers = trees.blocks[block], trees.lane_numbers
    sign, rate = field[BLOCK.SIGN, lane], field[BLOCK.RATE, lane]
    child, parent = trees.block_index[block, INDEX.CHILD, lane], trees.block_index[block, INDEX.PARENT, lane]
    turn = numbers[child + LANES * LANE.DA] - numbers[parent + LANES * LANE.DA]
    error = sign * (field[BLOCK.ANGLE, lane] + turn) + substep.remaining * rate
    append_row(trees, bounded, at, count, roles.TURN, 0.0, 0.0, sign, sign)
    bounded.row[count, BOUNDED.BIAS] = -rate
    hold(trees, bounded, count, error, rigid(), substep.h * most, substep, False)
    return count + 1


@subroutine
def append_side(trees, bounded, at, count, most, substep):
    """Append a row that holds B on the axis of A by a force up to `most` [N]; return the number of rows."""
    block, lane = at
    field = trees.blocks[block]
    sign, point = field[BLOCK.SIGN, lane], pull_point(field, lane)
    gap_x, gap_y = field[BLOCK.GAP, lane], field[BLOCK.GAP + 1, lane]
    x, y = -field[FREE_ROW + ROW.NORMAL_Y, lane], field[FREE_ROW + ROW.NORMAL_X, lane]
    child_x, child_y, parent_x, parent_y = point
    if sign > 0.0:  # the point of A at which the force acts is the anchor of B
        parent_x, parent_y = parent_x + gap_x, parent_y + gap_y
    else:
        child_x, child_y = child_x + gap_x, child_y + gap_y
    arm_child, arm_parent = child_x * y - child_y * x, parent_x * y - parent_y * x
    append_row(trees, bounded, at, count, roles.SIDE, x, y, arm_child, arm_parent)
    hold(trees, bounded, count, sign * (gap_x * x + gap_y * y), rigid(), substep.h * most, substep, False)
    return count + 1


@device
def append_axis_holds(trees, bounded, at, count, numbers, substep):
    """Append the rows of a slider or a wheel whose force is bounded: on its axis, and the spring along it.

    Returns the number of rows.
    """
    most = numbers[NUMBERS.MAX_FORCE]
    if trees.has_released[at[0]] and most < NO_LIMIT:
        count = append_side(trees, bounded, at, count, most, substep)
        if is_spring(spring_of(numbers)):
            value, spring = free_value(trees, at), spring_of(numbers)
            count = append_held(trees, bounded, at, count, value, 0.0, spring, most, substep, False)
    return count


@subroutine
def append_point(trees, bounded, at, count, spring, most, substep, is_driven):
    """Append two rows that hold the anchors together by a force up to `most` [N]; return the number of rows.

    A rigid point has the chord correction, see `chord_correction.py`. A point that `is_driven` closes its gap as fast
    as it can. A projection leaves springs out.
    """
    block, lane = at
    field = trees.blocks[block]
    if is_spring(spring) and substep.is_projection:
        return count
    sign, point = field[BLOCK.SIGN, lane], pull_point(field, lane)
    gap_x, gap_y = sign * field[BLOCK.GAP, lane], sign * field[BLOCK.GAP + 1, lane]
    gap = sqrt(gap_x * gap_x + gap_y * gap_y)
    given_x, given_y = field[BLOCK.BOUNDED + roles.ALONG, lane], field[BLOCK.BOUNDED + roles.ACROSS, lane]
    is_closed = gap <= CLOSED * substep.near
    x, y = gap_x, gap_y
    if is_closed and not is_spring(spring):  # a closed gap has no direction: use that of the last steps
        x, y = field[BLOCK.MEAN_PULL, lane], field[BLOCK.MEAN_PULL + 1, lane]
    limit = substep.h * most
    append_pull(trees, bounded, at, count, point, x, y, limit)
    arc_x, arc_y = anchor_arc(trees, at, point, substep.h)
    is_within = sqrt(given_x * given_x + given_y * given_y) < WITHIN * limit
    for k in range(count, count + 2):
        row = bounded.row[k]
        u_x, u_y = row[BOUNDED.NORMAL_X], row[BOUNDED.NORMAL_Y]
        error = u_x * gap_x + u_y * gap_y
        if is_spring(spring):
            hold_by_spring(trees, bounded, k, error, spring, substep.h)
            continue
        row[BOUNDED.BIAS] = field[BLOCK.CHORD, lane] * (u_x * arc_x + u_y * arc_y)
        if is_closed and is_within:
            row[BOUNDED.SHIFT_BIAS] = error
            row[BOUNDED.SHIFT_LOW], row[BOUNDED.SHIFT_HIGH] = -roles.UNLIMITED, roles.UNLIMITED
    if not is_spring(spring):
        bounded.row[count, BOUNDED.BIAS] += closing_speed(trees, bounded, count, gap, substep, is_driven)
    return count + 2


@device
def anchor_arc(trees, at, point, h):
    """Return how much more the anchors part in a substep, child from parent, than their velocities say [m]."""
    block, lane = at
    index, numbers, spin = trees.block_index, trees.lane_numbers, LANES * LANE.W
    child_turn = h * numbers[index[block, INDEX.CHILD, lane] + spin]
    parent_turn = h * numbers[index[block, INDEX.PARENT, lane] + spin]
    child_x, child_y = turned(point.child_x, point.child_y, child_turn)
    parent_x, parent_y = turned(point.parent_x, point.parent_y, parent_turn)
    x = (child_x - point.child_x + child_turn * point.child_y) - (
        parent_x - point.parent_x + parent_turn * point.parent_y
    )
    y = (child_y - point.child_y - child_turn * point.child_x) - (
        parent_y - point.parent_y - parent_turn * point.parent_x
    )
    return x, y
