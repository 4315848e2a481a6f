"""What a substep asks of the trees: velocities before it moves, places after it, and both once more."""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import joints as of_joint
from ecs_collide.compiled.kernels import device, subroutine
from ecs_collide.compiled.simd import (
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
from ecs_collide.engine.joints import extra_rows as of_extra
from ecs_collide.engine.joints.algebra import Triple, dot, load_triple, row_of_child, row_of_parent, store_triple
from ecs_collide.engine.joints.chord import add_chord
from ecs_collide.engine.joints.extra_solve import answer_extras, shift_extras, solve_extra_velocities
from ecs_collide.engine.joints.extras import list_extras
from ecs_collide.engine.joints.factor import begin_factors, factor_block, soften_rows
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.pins import factor_pins
from ecs_collide.engine.joints.place import place_block
from ecs_collide.engine.joints.seats import add, clear, triple_of, turn_bodies
from ecs_collide.engine.joints.solve import solve_trees
from ecs_collide.engine.joints.web import factor_web
from ecs_collide.engine.joints.workless import do_work, take_back_work

MOST_PROJECTIONS = 4
"""How often trees are projected that fly apart: one Newton step leaves some centimetres."""
BEYOND, TURNED_BEYOND = 1.001, 3.0
"""From how many times the farthest on they do. What is shortened to that may be beyond it by rounding; limbs that hit a
limit turn by more, and need no second one."""
FARTHEST_TURN = 12.0
"""How fast a projection may turn a body [rad/s]; how fast it moves one is `push_out_speed`."""


@subroutine
def renew_trees(linkage, near, h, projecting):
    """Bring rows and factors up to date with where the bodies are; return how many extra rows there are."""
    trees, extras = linkage.trees, linkage.extras
    turn_bodies(trees)
    begin_factors(trees)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        place_block(trees, block, projecting)
        soften_rows(trees, block, h)
        if block >= trees.span[layout.IN_TREES]:
            continue
        if trees.is_pin[block]:
            factor_pins(trees, block)
        else:
            factor_block(trees, block)
    if len(trees.web.body) > 0:
        factor_web(trees)
    if len(extras.row) == 0:
        return 0
    count = list_extras(trees, extras, linkage.joints, near, h)
    if count > 0:
        answer_extras(trees, extras)
    return count


@device
def ask_block(trees, block, h):
    """Ask that impulses change little: BIAS = -Gamma times those of the last substep, which begin anew from 0.

    A spring asks for what brings it back, omega / (2 zeta + h omega) of how far it is out.
    """
    nothing, field = splat(0.0), trees.field[block]
    for k in range(3):
        store(field, layout.BIAS + k, nothing - load(field, layout.GAMMA + k) * load(field, layout.IMPULSE + k))
        store(field, layout.IMPULSE + k, nothing)
    if trees.is_pin[block]:
        return
    omega, is_soft = load(field, layout.OMEGA), load(field, layout.IS_SOFT) > 0.0
    divisor = select(is_soft, 2.0 * load(field, layout.DAMPING) + h * omega, 1.0)
    back = omega / divisor * load(field, layout.ERROR + 2)
    store(field, layout.BIAS + 2, select(is_soft, back, load(field, layout.BIAS + 2)))


@subroutine
def solve_velocities(linkage, extra_count, h):
    """The first solve of a substep. Reads seat (velocity, and the same in SHIFT). Writes seat (velocity), IMPULSE."""
    trees, extras, nothing = linkage.trees, linkage.extras, splat(0.0)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        ask_block(trees, block, h)
        store_triple(trees.field[block], layout.LOST, load_triple(trees.field[block], layout.BIAS))  # without a chord
        add_chord(trees, block, h)
        for k in range(of_extra.PARTS if len(extras.row) > 0 else 0):
            store(trees.field[block], layout.GIVEN + k, nothing)
    solve_trees(trees, layout.VX, layout.BIAS, layout.IMPULSE)
    if do_work(trees, layout.WORK):
        take_back_work(trees)
    for k in range(extra_count):
        extras.row[k, of_extra.IMPULSE] = 0.0
    if extra_count > 0:
        solve_extra_velocities(trees, extras, False)


@device
def ask_touched(linkage):
    """Before trees that have a contact are solved again: ask the others for what they have, which they keep to the bit.

    Writes BIAS.
    """
    trees, nothing = linkage.trees, splat(0.0)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        untouched = load(field, layout.TOUCHED) <= 0.0
        if not any_lane(untouched):
            store_triple(field, layout.BIAS, Triple(nothing, nothing, nothing))
            continue
        for k in range(3):
            store(field, layout.BIAS + k, select(untouched, 0.0 - parting_of(trees, block, k, layout.VX), 0.0))


@device
def solve_touched(linkage, extra_count):
    """The second solve, of trees that have a contact."""
    trees = linkage.trees
    solve_trees(trees, layout.VX, layout.BIAS, layout.IMPULSE)
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
    Writes seat (SHIFT, movement).
    """
    trees = linkage.trees
    solve_trees(trees, layout.SHIFT, layout.ERROR, layout.LOST)
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
    """Add what the substep's impulses were to what the joints bear in the step. Writes BORNE."""
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        sign = load(field, layout.SIGN)
        if trees.is_pin[block]:
            for k in range(2):
                store(field, layout.BORNE + k, load(field, layout.BORNE + k) + sign * load(field, layout.IMPULSE + k))
            continue
        x, y, torque = splat(0.0), splat(0.0), splat(0.0)
        for k in range(3):
            at, impulse = layout.ROW + k * layout.ROW_WIDTH, load(field, layout.IMPULSE + k)
            normal_x, normal_y = load(field, at + layout.NORMAL_X), load(field, at + layout.NORMAL_Y)
            x, y = x + normal_x * impulse, y + normal_y * impulse
            is_angle = absolute(normal_x) + absolute(normal_y) <= 0.0
            torque = torque + select(is_angle, load(field, at + layout.ARM_CHILD) * impulse, 0.0)
        store(field, layout.BORNE, load(field, layout.BORNE) + sign * x)
        store(field, layout.BORNE + 1, load(field, layout.BORNE + 1) + sign * y)
        store(field, layout.BORNE + 2, load(field, layout.BORNE + 2) + sign * torque)


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
            load(field, layout.BORNE + 2) / dt,
        )
        force = square_root(fx * fx + fy * fy)
        break_force, break_torque, _, _ = gather4(joints.numbers, of_joint.BREAK_FORCE, index, joint)
        if any_lane((force > break_force) | (absolute(torque) > break_torque)):
            trees.broken[0] = 1
        moved = parting_of(trees, block, 3, layout.SHIFT)
        speed = parting_of(trees, block, 3, layout.VX)
        position = sign * (load(field, layout.FREE) + moved)
        force, torque, position, speed = bounded(force), bounded(torque), bounded(position), bounded(sign * speed)
        scatter4(joints.numbers, of_joint.FORCE, index, joint, force, torque, position, speed)
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
        scatter2(joints.load, of_joint.MEAN + 1, index, joint, mean_y, splat(h))


@device
def parting_of(trees, block, i, column):
    """How fast the sides of eight joints part along row i, by three numbers of their seats."""
    field = trees.field[block]
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    return dot(row_of_child(field, i), child) - dot(row_of_parent(field, i), parent)
