"""What a substep asks of the trees: velocities before it moves, places after it, and both once more."""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import joints as of_joint, solver_state as of_state
from ecs_collide.compiled.kernels import device, subroutine
from ecs_collide.compiled.simd import (
    FOUR,
    absolute,
    any_lane,
    gather4,
    load,
    load_quad,
    maximum,
    minimum,
    scatter2,
    scatter4,
    select,
    splat,
    square_root,
    store,
    store_quad,
)
from ecs_collide.engine.basis.tuning import LARGEST_SPIN
from ecs_collide.engine.joints import extra_rows as of_extra
from ecs_collide.engine.joints.algebra import Triple, dot, motion_of, row_of_child, row_of_parent, store_triple
from ecs_collide.engine.joints.chord import add_chord
from ecs_collide.engine.joints.extra_solve import answer_extras, shift_extras, solve_extra_velocities
from ecs_collide.engine.joints.extras import list_extras
from ecs_collide.engine.joints.factor import begin_factors, factor_block, soften_rows
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.pins import factor_pins
from ecs_collide.engine.joints.place import place_block
from ecs_collide.engine.joints.solve import solve_trees
from ecs_collide.engine.joints.web import factor_web

splat_quad = FOUR.splat

LATEST = 0.5
"""The part of the last step in what a joint is said to have borne of late: in one substep it may bear nothing."""
FASTEST = 3e4
"""What a tree moves no body faster than, in push-out speeds: loops that cannot fit would gain speed without end."""
LARGEST_TURN = 0.7853981633974483
"""What a body that swings on a joint turns in a substep at most, an eighth of a turn: where the links of a rope turn by
more as it cracks like a whip, no projection finds the way back. A wheel about its axle may turn as fast as any body."""
MOST_PROJECTIONS = 4
"""How often trees are projected that fly apart: one Newton step leaves some centimetres."""
BEYOND, TURNED_BEYOND = 1.001, 3.0
"""From how many times the farthest on they do. What is shortened to that may be beyond it by rounding; limbs that hit a
limit turn by more, and need no second one."""
FARTHEST_TURN = 12.0
"""How fast a projection may turn a body [rad/s]; how fast it moves one is `push_out_speed`."""


@subroutine
def renew_trees(linkage, state, near, h, projecting):
    """Bring rows and factors up to date with where the bodies are; return how many extra rows there are."""
    trees, extras, tables = linkage.trees, linkage.extras, linkage.tables
    begin_factors(trees, tables)
    for block in range(trees.counts[layout.BLOCKS]):
        place_block(trees, block, state, projecting)
        soften_rows(trees, block, h)
        if block >= trees.counts[layout.IN_TREES]:
            continue
        if trees.is_pin[block]:
            factor_pins(trees, block, tables)
        else:
            factor_block(trees, block, tables)
    if len(trees.web.body) > 0:
        factor_web(trees, tables)
    if len(extras.row) == 0:
        return 0
    count = list_extras(trees, extras, linkage.joints, state, tables.spin, near, h)
    if count > 0:
        answer_extras(trees, extras, tables)
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


@device
def solve_velocities(linkage, extra_count, state, h):
    """The first solve of a substep. Writes solver_state (velocity), IMPULSE."""
    trees, extras, nothing = linkage.trees, linkage.extras, splat(0.0)
    for block in range(trees.counts[layout.BLOCKS]):
        ask_block(trees, block, h)
        add_chord(trees, block, state, h)
        for k in range(of_extra.PARTS if len(extras.row) > 0 else 0):
            store(trees.field[block], layout.GIVEN + k, nothing)
    solve_trees(trees, state, layout.BIAS, layout.IMPULSE)
    for k in range(extra_count):
        extras.row[k, of_extra.IMPULSE] = 0.0
    if extra_count > 0:
        solve_extra_velocities(trees, extras, linkage.tables, state, False)


@device
def ask_touched(linkage, state):
    """Before trees that have a contact are solved again: ask the others for what they have, which they keep to the bit.

    Writes BIAS.
    """
    trees, nothing = linkage.trees, splat(0.0)
    for block in range(trees.counts[layout.BLOCKS]):
        field = trees.field[block]
        untouched = load(field, layout.TOUCHED) <= 0.0
        if not any_lane(untouched):
            store_triple(field, layout.BIAS, Triple(nothing, nothing, nothing))
            continue
        child = motion_of(trees.index, (block, layout.CHILD), state, of_state.VX)
        parent = motion_of(trees.index, (block, layout.PARENT), state, of_state.VX)
        for k in range(3):
            parting = dot(row_of_child(field, k), child) - dot(row_of_parent(field, k), parent)
            store(field, layout.BIAS + k, select(untouched, 0.0 - parting, 0.0))


@device
def solve_touched(linkage, extra_count, state):
    """The second solve, of trees that have a contact."""
    trees = linkage.trees
    solve_trees(trees, state, layout.BIAS, layout.IMPULSE)
    if extra_count > 0:
        solve_extra_velocities(trees, linkage.extras, linkage.tables, state, True)


@device
def bound_speed(state, spin, row, fastest, h):
    """Bring a body down to the largest speed [m/s] and spin: what it moves in a substep has an end.

    Reads tree_spin. Writes solver_state (velocity).
    """
    movement = state[row]
    vx, vy, turn = movement[of_state.VX], movement[of_state.VY], movement[of_state.W]
    square = vx * vx + vy * vy
    if square > fastest * fastest:
        share = fastest / sqrt(square)
        movement[of_state.VX], movement[of_state.VY] = share * vx, share * vy
    if abs(turn) * h > LARGEST_TURN:
        most = LARGEST_TURN / h if spin[row, layout.SWINGS] > 0.0 else LARGEST_SPIN
        movement[of_state.W] = min(max(turn, -most), most)


@device
def bound_speeds(linkage, state, push_out_speed, h):
    """Do that with all bodies of the trees."""
    for row in linkage.trees.row:
        bound_speed(state, linkage.tables.spin, row, FASTEST * push_out_speed, h)


@device
def move_bodies(linkage, state, step, push_out_speed, h):
    """Move all bodies of the trees by a substep, `step` [s, s, s, 0], and not faster than bodies may be.

    Forgets what the last projection moved. Writes solver_state, tree_shift.
    """
    spin, shift, still = linkage.tables.spin, linkage.tables.shift, splat_quad(0.0)
    for row in linkage.trees.row:
        bound_speed(state, spin, row, FASTEST * push_out_speed, h)
        velocity, movement = load_quad(state, (row, of_state.VX)), load_quad(state, (row, of_state.DX))
        store_quad(state, (row, of_state.DX), movement + step * velocity)
        store_quad(shift, row, still)


@device
def close_gaps(linkage, state, near, push_out_speed, h):
    """Factor the trees where they are now, and project; what flies apart, several times; return the extra rows' number.

    Writes solver_state (movement), and what `renew_trees` does.
    """
    shift, still = linkage.tables.shift, splat_quad(0.0)
    extra_count, attempts, again = 0, 0, True
    while again:
        extra_count = renew_trees(linkage, state, near, h, True)
        attempts += 1
        again = project_trees(linkage, extra_count, state, push_out_speed * h, h) and attempts < MOST_PROJECTIONS
        if again:
            for row in linkage.trees.row:
                store_quad(shift, row, still)
    return extra_count


@device
def project_trees(linkage, extra_count, state, farthest, h):
    """Move the bodies so that no joint gapes, by up to `farthest` [m] a body; return whether it needs to be done again.

    A tree that moves by more than that in a substep by itself is moved further, and then once is not enough.
    Writes tree_shift, solver_state (movement).
    """
    trees, shift = linkage.trees, linkage.tables.shift
    solve_trees(trees, shift, layout.ERROR, layout.LOST)
    if extra_count > 0:
        shift_extras(trees, linkage.extras, linkage.tables)
    turn, leads = FARTHEST_TURN * h, False
    if leads_far(trees, shift, farthest, turn):
        shorten(trees, state, shift, farthest, turn, h)
        leads = leads_far(trees, shift, BEYOND * farthest, TURNED_BEYOND * turn)
    for row in trees.row:
        store_quad(state, (row, of_state.DX), load_quad(state, (row, of_state.DX)) + load_quad(shift, row))
    return leads


@device
def leads_far(trees, shift, farthest, farthest_turn):
    """Whether a projection moves any body further than that."""
    found = False
    for row in trees.row:
        square = shift[row, 0] * shift[row, 0] + shift[row, 1] * shift[row, 1]
        found = found or not (square <= farthest * farthest and abs(shift[row, 2]) <= farthest_turn)
    return found


@device
def shorten(trees, state, shift, farthest, farthest_turn, h):
    """A projection is a Newton step: a nearly straight tree between two walls would be thrown far aside by a whole one.

    Only a part of it is made, that moves no body further than `farthest` [m] and `farthest_turn` [rad], or than any
    body of the tree moves by itself: what whips round gapes as much wider.
    Reads solver_state (velocity). Writes tree_pace, tree_shift.
    """
    pace = trees.pace
    for tree in range(len(pace)):
        pace[tree, layout.PART], pace[tree, layout.WAY], pace[tree, layout.TURN] = 1.0, farthest, farthest_turn
    for row, body in zip(trees.row, trees.members):
        tree = trees.tree[body]
        if tree >= 0:
            vx, vy, turn = state[row, of_state.VX], state[row, of_state.VY], abs(state[row, of_state.W])
            pace[tree, layout.WAY] = max(pace[tree, layout.WAY], h * sqrt(vx * vx + vy * vy))
            pace[tree, layout.TURN] = max(pace[tree, layout.TURN], h * turn)
    for row, body in zip(trees.row, trees.members):
        tree = trees.tree[body]
        if tree >= 0:
            way, turn = sqrt(shift[row, 0] * shift[row, 0] + shift[row, 1] * shift[row, 1]), abs(shift[row, 2])
            far, far_turn = pace[tree, layout.WAY], pace[tree, layout.TURN]
            part = min(far / max(way, far), far_turn / max(turn, far_turn))
            pace[tree, layout.PART] = min(pace[tree, layout.PART], part)
    for row, body in zip(trees.row, trees.members):
        tree = trees.tree[body]
        for k in range(3):
            shift[row, k] *= pace[tree, layout.PART] if tree >= 0 else 0.0


@device
def add_up_loads(trees):
    """Add what the substep's impulses were to what the joints bear in the step. Writes BORNE."""
    for block in range(trees.counts[layout.BLOCKS]):
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


@device
def store_joints(linkage, state, h, dt):
    """At the end of a step: keep the impulses for the next one, and what joints tell. Writes joint_load, joint_numbers.

    A free coordinate is that of the last substep's rows, moved on by what the projection moved.
    """
    trees, joints, shift = linkage.trees, linkage.joints, linkage.tables.shift
    trees.counts[layout.BROKEN] = 0
    index = trees.index
    for block in range(trees.counts[layout.BLOCKS]):
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
            trees.counts[layout.BROKEN] = 1
        moved = parting_of(field, 3, index, block, shift, 0)
        speed = parting_of(field, 3, index, block, state, of_state.VX)
        position = sign * (load(field, layout.FREE) + moved)
        force, torque, position, speed = bounded(force), bounded(torque), bounded(position), bounded(sign * speed)
        scatter4(joints.numbers, of_joint.FORCE, index, joint, force, torque, position, speed)
        of_b = sign / h
        mean_x, mean_y = of_b * load(field, layout.PULL_ON_CHILD), of_b * load(field, layout.PULL_ON_CHILD + 1)
        scatter4(
            joints.load,
            0,
            index,
            joint,
            of_b * load(field, layout.IMPULSE),
            of_b * load(field, layout.IMPULSE + 1),
            of_b * load(field, layout.IMPULSE + 2),
            mean_x + LATEST * (fx - mean_x),
        )
        scatter2(joints.load, of_joint.MEAN + 1, index, joint, mean_y + LATEST * (fy - mean_y), splat(h))


@device
def parting_of(field, i, index, block, table, column):
    """How fast the sides of eight joints part along row i, in a table of motions."""
    child = motion_of(index, (block, layout.CHILD), table, column)
    parent = motion_of(index, (block, layout.PARENT), table, column)
    return dot(row_of_child(field, i), child) - dot(row_of_parent(field, i), parent)
