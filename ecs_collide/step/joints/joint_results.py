"""Results of joints at the end of a step: impulses for the next step, and the forces and gaps that they report."""

from __future__ import annotations

from ecs_collide.data.joints import LOAD, NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import (
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
from ecs_collide.step.joints.joint_gaps import store_gaps
from ecs_collide.step.joints.rows.body_lanes import free_speed
from ecs_collide.step.joints.tree_motors import store_slips
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, FREE, FREE_ROW, INDEX, LANE, ROW


@subroutine
def add_loads(trees, column):
    """Add impulses of rows, in three columns from `column` on, to the loads of the joints. Writes LOAD.

    The third row is parallel to the free coordinate, whose row is used instead: a projection clears a spring's row.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        if trees.is_pin[block]:
            for k in range(2):
                store(field, BLOCK.LOAD + k, load(field, BLOCK.LOAD + k) + load(field, column + k))
            if trees.has_hinge_motors[block]:
                store(field, BLOCK.LOAD + 2, load(field, BLOCK.LOAD + 2) + load(field, column + 2))
            continue
        x, y, torque = splat(0.0), splat(0.0), splat(0.0)
        for k in range(3):
            at = FREE_ROW if k == 2 else BLOCK.ROWS + k * ROW.WIDTH
            impulse = load(field, column + k)
            normal_x, normal_y = load(field, at + ROW.NORMAL_X), load(field, at + ROW.NORMAL_Y)
            x, y = x + normal_x * impulse, y + normal_y * impulse
            is_angle = absolute(normal_x) + absolute(normal_y) <= 0.0
            torque = torque + select(is_angle, load(field, at + ROW.ARM_CHILD) * impulse, 0.0)
        store(field, BLOCK.LOAD, load(field, BLOCK.LOAD) + x)
        store(field, BLOCK.LOAD + 1, load(field, BLOCK.LOAD + 1) + y)
        store(field, BLOCK.LOAD + 2, load(field, BLOCK.LOAD + 2) + torque)


@device
def clamped(numbers):
    """Return numbers within the range that components may hold."""
    return minimum(maximum(numbers, -NO_LIMIT), NO_LIMIT)


@subroutine
def store_joints(solver_joints, h, dt):
    """Store impulses for the next step, and the results that joints report, at the end of a step.

    The free coordinate is that of the last substep's rows plus the movement by the projection.
    Writes joint_load, joint_numbers, any_overloaded.
    """
    trees, joints = solver_joints.trees, solver_joints.joints
    index = trees.block_index
    store_slips(trees, joints)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field, joint = trees.blocks[block], (block, INDEX.JOINT)
        sign = load(field, BLOCK.SIGN)
        fx = load(field, BLOCK.LOAD) / dt
        fy = load(field, BLOCK.LOAD + 1) / dt
        torque = sign * load(field, BLOCK.LOAD + 2) / dt
        force = square_root(fx * fx + fy * fy)
        most_force, most_torque, high_force, high_torque = gather4(joints.numbers, NUMBERS.BREAK_FORCE, index, joint)
        is_loaded = (force > high_force) | (absolute(torque) > high_torque)
        if any_lane((force > most_force) | (absolute(torque) > most_torque) | is_loaded):
            trees.any_overloaded[0] = 1
        moved = free_speed(trees, block, LANE.SHIFT)
        speed = free_speed(trees, block, LANE.VX)
        position = sign * (load(field, FREE) + moved)
        force, torque, position, speed = clamped(force), clamped(torque), clamped(position), clamped(sign * speed)
        scatter4(joints.numbers, NUMBERS.FORCE, index, joint, force, torque, position, speed)
        store_gaps(trees, block, joints, position, len(solver_joints.bounded.row) > 0)
        of_b = sign / h
        mean_y = of_b * load(field, BLOCK.MEAN_PULL + 1)
        scatter4(
            joints.load,
            0,
            index,
            joint,
            of_b * load(field, BLOCK.IMPULSE),
            of_b * load(field, BLOCK.IMPULSE + 1),
            of_b * load(field, BLOCK.IMPULSE + 2),
            of_b * load(field, BLOCK.MEAN_PULL),
        )
        scatter2(joints.load, LOAD.MEAN + 1, index, joint, mean_y, splat(h))
