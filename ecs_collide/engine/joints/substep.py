"""What a substep asks of the trees: velocities before it moves, places after it, and both once more."""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import joints as of_joint, solver_state as of_state
from ecs_collide.compiled.kernels import device, subroutine
from ecs_collide.compiled.simd import LANES, absolute, gather4, load, select, splat, store
from ecs_collide.engine.basis.tuning import LARGEST_SPIN
from ecs_collide.engine.joints import extra_rows as of_extra
from ecs_collide.engine.joints.algebra import Triple, dot, row_of_child, row_of_parent
from ecs_collide.engine.joints.chord import add_chords
from ecs_collide.engine.joints.extra_solve import answer_extras, begin_extras, shift_extras, solve_extra_velocities
from ecs_collide.engine.joints.extras import list_extras
from ecs_collide.engine.joints.factor import begin_factors, factor_trees
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.place import place_joints
from ecs_collide.engine.joints.solve import solve_trees

LATEST = 0.5
"""The part of the last step in what a joint is said to have borne of late: in one substep it may bear nothing."""
FASTEST = 3e4
"""What a tree moves no body faster than, in push-out speeds: loops that cannot fit would gain speed without end."""
FARTHEST_TURN = 12.0
"""How fast a projection may turn a body [rad/s]; how fast it moves one is `push_out_speed`."""


@subroutine
def renew_trees(trees, extras, tables, joints, bodies, state, near, h, projecting):
    """Bring rows and factors up to date with where the bodies are; return how many extra rows there are."""
    place_joints(trees, state, projecting)
    begin_factors(trees, tables, bodies)
    factor_trees(trees, tables, h)
    if len(extras.row) == 0:
        return 0
    count = list_extras(trees, extras, joints, state, tables.spin, near, h)
    if count > 0:
        answer_extras(trees, extras, tables, bodies)
    return count


@device
def ask_velocities(trees, h):
    """Ask that impulses change little: BIAS = -Gamma times those of the last substep, which begin anew from 0.

    A spring asks for what brings it back, omega / (2 zeta + h omega) of how far it is out.
    """
    nothing = splat(0.0)
    for block in range(trees.counts[layout.BLOCKS]):
        field = trees.field[block]
        for k in range(3):
            store(field, layout.BIAS + k, nothing - load(field, layout.GAMMA + k) * load(field, layout.IMPULSE + k))
            store(field, layout.IMPULSE + k, nothing)
        for k in range(of_extra.PARTS):
            store(field, layout.GIVEN + k, nothing)
        omega, is_soft = load(field, layout.OMEGA), load(field, layout.IS_SOFT) > 0.0
        divisor = select(is_soft, 2.0 * load(field, layout.DAMPING) + h * omega, 1.0)
        back = omega / divisor * load(field, layout.ROW + 2 * layout.ROW_WIDTH + layout.ERROR)
        store(field, layout.BIAS + 2, select(is_soft, back, load(field, layout.BIAS + 2)))


@device
def solve_velocities(trees, extras, extra_count, tables, bodies, state, h):
    """The first solve of a substep. Writes solver_state (velocity), IMPULSE."""
    ask_velocities(trees, h)
    add_chords(trees, state, h)
    solve_trees(trees, state, layout.BIAS, layout.IMPULSE)
    if extra_count > 0:
        begin_extras(trees, extras, extra_count, True)
        solve_extra_velocities(trees, extras, tables, bodies, state, False)


@device
def solve_touched(trees, extras, extra_count, tables, bodies, state):
    """The second solve, of trees that have a contact; asked for nothing, the others keep what they have to the bit."""
    for block in range(trees.counts[layout.BLOCKS]):
        field = trees.field[block]
        touched = load(field, layout.TOUCHED) > 0.0
        x, y, w, _ = gather4(state, of_state.VX, trees.index, (block, layout.CHILD))
        child = Triple(x, y, w)
        x, y, w, _ = gather4(state, of_state.VX, trees.index, (block, layout.PARENT))
        parent = Triple(x, y, w)
        for k in range(3):
            parting = dot(row_of_child(field, k), child) - dot(row_of_parent(field, k), parent)
            store(field, layout.BIAS + k, select(touched, 0.0, -parting))
    solve_trees(trees, state, layout.BIAS, layout.IMPULSE)
    if extra_count > 0:
        begin_extras(trees, extras, extra_count, False)
        solve_extra_velocities(trees, extras, tables, bodies, state, True)


@device
def slow_down(movement, fastest):
    """Bring the velocity in a row of the solver's down to `fastest` [m/s] and the largest spin. Writes the row."""
    vx, vy, turn = movement[of_state.VX], movement[of_state.VY], movement[of_state.W]
    share = fastest / max(sqrt(vx * vx + vy * vy), fastest)
    movement[of_state.VX], movement[of_state.VY] = share * vx, share * vy
    movement[of_state.W] = min(max(turn, -LARGEST_SPIN), LARGEST_SPIN)


@device
def project_trees(trees, extras, extra_count, tables, bodies, state, farthest, h):
    """Move the bodies so that no joint gapes, by up to `farthest` [m] a body. Writes solver_state (movement)."""
    shift = tables.shift
    for body in trees.members:
        row = bodies.solver_row[body]
        slow_down(state[row], FASTEST * farthest / h)
        for k in range(3):
            shift[row, k] = 0.0
    for block in range(trees.counts[layout.BLOCKS]):
        field = trees.field[block]
        for k in range(3):
            at = layout.ROW + k * layout.ROW_WIDTH
            store(field, layout.SHIFT_BIAS + k, load(field, at + layout.ERROR))
    solve_trees(trees, shift, layout.SHIFT_BIAS, layout.LOST)
    if extra_count > 0:
        begin_extras(trees, extras, extra_count, False)
        shift_extras(trees, extras, tables, bodies)
    measure_parts(trees, bodies, state, shift, farthest, FARTHEST_TURN * h, h)
    for body in trees.members:
        row, tree = bodies.solver_row[body], trees.tree[body]
        for k in range(3):
            shift[row, k] *= trees.pace[tree, layout.PART] if tree >= 0 else 0.0
            state[row, of_state.DX + k] += shift[row, k]


@device
def measure_parts(trees, bodies, state, shift, farthest, farthest_turn, h):
    """A projection is a Newton step: a nearly straight tree between two walls would be thrown far aside by a whole one.

    Reads tree_shift, solver_state (velocity). Writes the parts of it that move no body further than `farthest` [m] and
    `farthest_turn` [rad], or than any body of the tree moves by itself: what whips round gapes as much wider.
    """
    pace = trees.pace
    for tree in range(len(pace)):
        pace[tree, layout.PART], pace[tree, layout.WAY], pace[tree, layout.TURN] = 1.0, farthest, farthest_turn
    for body in trees.members:
        row, tree = bodies.solver_row[body], trees.tree[body]
        if tree >= 0:
            vx, vy, turn = state[row, of_state.VX], state[row, of_state.VY], abs(state[row, of_state.W])
            pace[tree, layout.WAY] = max(pace[tree, layout.WAY], h * sqrt(vx * vx + vy * vy))
            pace[tree, layout.TURN] = max(pace[tree, layout.TURN], h * turn)
    for body in trees.members:
        row, tree = bodies.solver_row[body], trees.tree[body]
        if tree >= 0:
            way, turn = sqrt(shift[row, 0] * shift[row, 0] + shift[row, 1] * shift[row, 1]), abs(shift[row, 2])
            far, far_turn = pace[tree, layout.WAY], pace[tree, layout.TURN]
            part = min(far / max(way, far), far_turn / max(turn, far_turn))
            pace[tree, layout.PART] = min(pace[tree, layout.PART], part)


@device
def tally(trees):
    """Add what the substep's impulses were to what the joints bear in the step. Writes BORNE."""
    for block in range(trees.counts[layout.BLOCKS]):
        field = trees.field[block]
        sign = load(field, layout.SIGN)
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
def store_joints(trees, tables, joints, state, h, dt):
    """At the end of a step: keep the impulses for the next one, and what joints tell. Writes joint_load, joint_numbers.

    A free coordinate is that of the last substep's rows, moved on by what the projection moved.
    """
    from_free = layout.FREE_ROW
    trees.counts[layout.BROKEN] = 0
    for block in range(trees.counts[layout.BLOCKS]):
        index, field = trees.index[block], trees.field[block]
        for lane in range(LANES):
            joint = index[layout.JOINT, lane]
            if joint == layout.NONE:
                continue
            child, parent, sign = index[layout.CHILD, lane], index[layout.PARENT, lane], field[layout.SIGN, lane]
            numbers = joints.numbers[joint]
            for k in range(3):
                joints.load[joint, k] = sign * field[layout.IMPULSE + k, lane] / h
            joints.load[joint, of_joint.SUBSTEP] = h
            fx, fy = field[layout.BORNE, lane] / dt, field[layout.BORNE + 1, lane] / dt
            joints.load[joint, of_joint.MEAN] += LATEST * (fx - joints.load[joint, of_joint.MEAN])
            joints.load[joint, of_joint.MEAN + 1] += LATEST * (fy - joints.load[joint, of_joint.MEAN + 1])
            numbers[of_joint.FORCE] = sqrt(fx * fx + fy * fy)
            numbers[of_joint.TORQUE] = field[layout.BORNE + 2, lane] / dt
            force, torque = numbers[of_joint.FORCE], abs(numbers[of_joint.TORQUE])
            if force > numbers[of_joint.BREAK_FORCE] or torque > numbers[of_joint.BREAK_TORQUE]:
                trees.counts[layout.BROKEN] += 1
            moved, speed = 0.0, 0.0
            for k in range(3):
                of_child = field[from_free + k if k < 2 else from_free + layout.ARM_CHILD, lane]
                of_parent = field[from_free + k if k < 2 else from_free + layout.ARM_PARENT, lane]
                moved += of_child * tables.shift[child, k] - of_parent * tables.shift[parent, k]
                speed += of_child * state[child, of_state.VX + k] - of_parent * state[parent, of_state.VX + k]
            numbers[of_joint.POSITION] = sign * (field[from_free + layout.ERROR, lane] + moved)
            numbers[of_joint.SPEED] = sign * speed
