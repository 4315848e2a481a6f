"""What a substep asks of the trees: velocities before it moves, places after it, and both once more."""

from __future__ import annotations

from math import sqrt

from ecs_collide.data import joints as of_joint
from ecs_collide.data.joints import LOAD, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import (
    LANES,
    absolute,
    any_lane,
    gather4,
    load,
    maximum,
    minimum,
    scatter2,
    scatter4,
    select,
    splat,
    square_root,
    store,
)
from ecs_collide.step.joints import limit_rows as of_extra
from ecs_collide.step.joints.block_algebra import dot, load_triple, row_of_child, row_of_parent
from ecs_collide.step.joints.body_lanes import add, clear, triple_of, turn_bodies
from ecs_collide.step.joints.energy_guard import do_work, take_back_work
from ecs_collide.step.joints.factor_trees import begin_factors, factor_block, soften_pins, soften_rows
from ecs_collide.step.joints.joint_positions import place_block, place_pins
from ecs_collide.step.joints.limits_and_motors import list_extras
from ecs_collide.step.joints.pin_blocks import factor_pins, lift_parents
from ecs_collide.step.joints.solve_limits import answer_extras, shift_extras, solve_extra_velocities
from ecs_collide.step.joints.solve_loops import factor_web
from ecs_collide.step.joints.solve_trees import choose_blocks, climb_block, descend_trees, solve_trees
from ecs_collide.step.joints.trees import tree_rows as layout
from ecs_collide.step.joints.velocity_bias import ask_block, ask_pins

MOST_PROJECTIONS = 4
"""How often trees are projected that fly apart: one Newton step leaves some centimetres."""
BEYOND, TURNED_BEYOND = 1.001, 3.0
"""From how many times the farthest on they do. What is shortened to that may be beyond it by rounding; limbs that hit a
limit turn by more, and need no second one."""
FARTHEST_TURN = 12.0
"""How fast a projection may turn a body [rad/s]; how fast it moves one is `push_out_speed`."""


@subroutine
def renew_trees(linkage, near, h, projecting):
    """Bring rows and factors up to date with where the bodies are; return how many extra rows there are.

    While `projecting`, also go through the trees up to the roots, with what the joints gape. Writes seat (SHIFT) then.
    """
    trees, extras = linkage.trees, linkage.extras
    turn_bodies(trees)
    begin_factors(trees)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        renew_block(trees, block, h, projecting)
    if len(trees.web.body) > 0:
        factor_web(trees)
    if len(extras.row) == 0:
        return 0
    count = list_extras(trees, extras, linkage.joints, near, h, projecting)
    if count > 0:
        answer_extras(trees, extras)
    return count


@device
def renew_block(trees, block, h, projecting):
    """Do that with eight joints. Pins are what most of them are: all that is known of them is at hand."""
    if not trees.is_pin[block]:
        renew_rows(trees, block, h, projecting)
        if not trees.is_pin[block]:
            return
    arms, gap = place_pins(trees, block)
    gamma, any_locked = soften_pins(trees, block, arms)
    if any_locked:
        trees.is_pin[block] = False
        renew_rows(trees, block, h, projecting)
    elif block < trees.span[layout.IN_TREES]:
        g0, g1 = factor_pins(trees, block, arms, gamma)
        if projecting:
            lift_parents(trees, block, layout.SHIFT, arms, gap, g0, g1)


@subroutine
def renew_rows(trees, block, h, projecting):
    """Bring eight joints of any kind up to date, but where they turn out to be pins no more than their rows."""
    place_block(trees, block, projecting)
    soften_rows(trees, block, h)
    if block < trees.span[layout.IN_TREES] and not trees.is_pin[block]:
        factor_block(trees, block)
        if projecting:
            climb_block(trees, block, layout.SHIFT, layout.ERROR)


@subroutine
def solve_velocities(linkage, extra_count, h):
    """The first solve of a substep. Reads seat (velocity, and the same in SHIFT). Writes seat (velocity), IMPULSE."""
    trees, extras, nothing = linkage.trees, linkage.extras, splat(0.0)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        if trees.is_pin[block]:
            ask_pins(trees, block, h)
        else:
            ask_block(trees, block, h)
        for k in range(of_extra.PARTS if len(extras.row) > 0 else 0):
            store(trees.field[block], layout.GIVEN + k, nothing)
    solve_trees(trees, layout.VX, layout.BIAS, layout.IMPULSE, False)
    if do_work(trees, layout.WORK, False):
        take_back_work(trees)
    for k in range(extra_count):
        extras.row[k, of_extra.IMPULSE] = 0.0
    if extra_count > 0:
        solve_extra_velocities(trees, extras, False)


@device
def solve_touched(linkage, extra_count):
    """The second solve, of trees that have a contact."""
    trees = linkage.trees
    for tree in range(len(trees.chosen)):
        trees.chosen[tree] = trees.is_touched[tree]
    choose_blocks(trees)
    solve_trees(trees, layout.VX, layout.BIAS, layout.IMPULSE, True)
    if extra_count > 0:
        solve_extra_velocities(trees, linkage.extras, True)


@subroutine
def close_gaps(linkage, near, push_out_speed, h):
    """Factor the trees where they are now, and project; what flies apart, several times; return the extra rows' number.

    Writes seat (movement), and what `renew_trees` does.
    """
    extra_count, attempts, again = 0, 0, True
    while again:
        clear(linkage.trees, layout.SHIFT)
        extra_count = renew_trees(linkage, near, h, True)
        attempts += 1
        again = project_trees(linkage, extra_count, push_out_speed * h, h) and attempts < MOST_PROJECTIONS
    return extra_count


@device
def project_trees(linkage, extra_count, farthest, h):
    """Move the bodies so that no joint gapes, by up to `farthest` [m] a body; return whether it needs to be done again.

    A tree that moves by more than that in a substep by itself is moved further, and then once is not enough.
    `renew_trees` has gone up to the roots.
    Writes seat (SHIFT, movement).
    """
    trees = linkage.trees
    descend_trees(trees, layout.SHIFT, layout.ERROR, layout.NONE, False)
    if extra_count > 0:
        shift_extras(trees, linkage.extras)
    turn, leads = FARTHEST_TURN * h, False
    if leads_far(trees, farthest, turn):
        shorten(trees, farthest, turn, h)
        leads = leads_far(trees, BEYOND * farthest, (BEYOND if extra_count == 0 else TURNED_BEYOND) * turn)
    add(trees, layout.DX, layout.SHIFT)
    return leads


@device
def leads_far(trees, farthest, farthest_turn):
    """Whether a projection moves any body further than that."""
    found = False
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        shift = load_triple(trees.seat[s], layout.SHIFT)
        square = shift.x * shift.x + shift.y * shift.y
        found = found or any_lane(~((square <= farthest * farthest) & (absolute(shift.z) <= farthest_turn)))
    return found


@device
def shorten(trees, farthest, farthest_turn, h):
    """A projection is a Newton step: a nearly straight tree between two walls would be thrown far aside by a whole one.

    Only a part of it is made, that moves no body further than `farthest` [m] and `farthest_turn` [rad], or than any
    body of the tree moves by itself: what whips round gapes as much wider.
    Reads seat (velocity). Writes tree_pace, seat (SHIFT).
    """
    pace = trees.pace
    for tree in range(len(pace)):
        pace[tree, layout.PART], pace[tree, layout.WAY], pace[tree, layout.TURN] = 1.0, farthest, farthest_turn
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        for lane in range(LANES):
            tree = trees.seat_index[s, layout.SEAT_TREE, lane]
            if tree != layout.NONE:
                way, turn = way_and_turn(trees.seat[s], layout.VX, lane)
                pace[tree, layout.WAY] = max(pace[tree, layout.WAY], h * way)
                pace[tree, layout.TURN] = max(pace[tree, layout.TURN], h * turn)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        for lane in range(LANES):
            tree = trees.seat_index[s, layout.SEAT_TREE, lane]
            if tree != layout.NONE:
                way, turn = way_and_turn(trees.seat[s], layout.SHIFT, lane)
                far, far_turn = pace[tree, layout.WAY], pace[tree, layout.TURN]
                part = min(far / max(way, far), far_turn / max(turn, far_turn))
                pace[tree, layout.PART] = min(pace[tree, layout.PART], part)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        for lane in range(LANES):
            tree = trees.seat_index[s, layout.SEAT_TREE, lane]
            for k in range(3):
                trees.seat[s, layout.SHIFT + k, lane] *= pace[tree, layout.PART] if tree != layout.NONE else 0.0


@device
def way_and_turn(seat, column, lane):
    """How far three numbers of a body say that it moves, and turns."""
    x, y = seat[column, lane], seat[column + 1, lane]
    return sqrt(x * x + y * y), abs(seat[column + 2, lane])


@subroutine
def add_up_loads(trees):
    """Add what the substep's impulses were to what the joints bear in the step. Writes BORNE.

    A third row is along the free coordinate, and stands there once more: a projection leaves out that of a spring.
    """
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        if trees.is_pin[block]:
            for k in range(2):
                store(field, layout.BORNE + k, load(field, layout.BORNE + k) + load(field, layout.IMPULSE + k))
            continue
        x, y, torque = splat(0.0), splat(0.0), splat(0.0)
        for k in range(3):
            at = layout.FREE_ROW if k == 2 else layout.ROW + k * layout.ROW_WIDTH
            impulse = load(field, layout.IMPULSE + k)
            normal_x, normal_y = load(field, at + layout.NORMAL_X), load(field, at + layout.NORMAL_Y)
            x, y = x + normal_x * impulse, y + normal_y * impulse
            is_angle = absolute(normal_x) + absolute(normal_y) <= 0.0
            torque = torque + select(is_angle, load(field, at + layout.ARM_CHILD) * impulse, 0.0)
        store(field, layout.BORNE, load(field, layout.BORNE) + x)
        store(field, layout.BORNE + 1, load(field, layout.BORNE + 1) + y)
        store(field, layout.BORNE + 2, load(field, layout.BORNE + 2) + torque)


@device
def bounded(told):
    """What a joint tells, where it is no number that a component may have: the largest that it may."""
    return minimum(maximum(told, -of_joint.ENDLESS), of_joint.ENDLESS)


@subroutine
def store_joints(linkage, h, dt):
    """At the end of a step: keep the impulses for the next one, and what joints tell. Writes joint_load, joint_numbers.

    A free coordinate is that of the last substep's rows, moved on by what the projection moved.
    """
    trees, joints = linkage.trees, linkage.joints
    index = trees.index
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field, joint = trees.field[block], (block, layout.JOINT)
        sign = load(field, layout.SIGN)
        fx, fy, torque = (
            load(field, layout.BORNE) / dt,
            load(field, layout.BORNE + 1) / dt,
            sign * load(field, layout.BORNE + 2) / dt,
        )
        force = square_root(fx * fx + fy * fy)
        break_force, break_torque, _, _ = gather4(joints.numbers, NUMBERS.BREAK_FORCE, index, joint)
        if any_lane((force > break_force) | (absolute(torque) > break_torque)):
            trees.broken[0] = 1
        moved = free_speed_of(trees, block, layout.SHIFT)
        speed = free_speed_of(trees, block, layout.VX)
        position = sign * (load(field, layout.FREE) + moved)
        force, torque, position, speed = bounded(force), bounded(torque), bounded(position), bounded(sign * speed)
        scatter4(joints.numbers, NUMBERS.FORCE, index, joint, force, torque, position, speed)
        of_b = sign / h
        mean_y = of_b * load(field, layout.PULL_ON_CHILD + 1)
        scatter4(
            joints.load,
            0,
            index,
            joint,
            of_b * load(field, layout.IMPULSE),
            of_b * load(field, layout.IMPULSE + 1),
            of_b * load(field, layout.IMPULSE + 2),
            of_b * load(field, layout.PULL_ON_CHILD),
        )
        scatter2(joints.load, LOAD.MEAN + 1, index, joint, mean_y, splat(h))


@device
def free_speed_of(trees, block, column):
    """How fast the free coordinates of eight joints change, by three numbers of their seats."""
    field = trees.field[block]
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    return dot(row_of_child(field, 3), child) - dot(row_of_parent(field, 3), parent)
