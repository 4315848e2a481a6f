"""Table of the joint kinds: what their rows are, by functions of the file of each kind.

All joints of a block have one kind, so each choice is made once for eight joints. Kinds have the numbers of
`components/joints/kinds.py`, which also lists the kinds that have something in common.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import select, splat
from ecs_collide.step.joints.kinds import (
    distance_joint,
    friction_joint,
    gear_joint,
    motor_joint,
    prismatic_joint,
    pulley_joint,
    ratchet_joint,
    revolute_joint,
    target_joint,
    weld_joint,
    wheel_joint,
)
from ecs_collide.step.joints.rows.chord_correction import correct_point_chord

NO_ROW, SECOND, THIRD = -1, 1, 2
"""Numbers of constraint rows."""


@device
def rest_row(kind):
    """Return the number of the rigid row that keeps a rest length or a reference angle; `NO_ROW` if there is none."""
    if kind == kinds.PRISMATIC:
        return SECOND
    if kind in (kinds.WELD, kinds.DISTANCE):
        return THIRD
    return NO_ROW


@device
def follows_rest(kind, is_soft, third):
    """Return 1 for those of eight joints that keep a rest length or angle by a rigid or bounded row, else 0.

    `third` is the factor of their third rows without a spring.
    """
    follows = splat(0.0)
    if rest_row(kind) == SECOND:
        follows = splat(1.0)
    elif rest_row(kind) == THIRD:
        follows = select(is_soft, 0.0, third)
    elif kind in kinds.WITH_BOUNDED_REST:
        follows = select(is_soft, 0.0, splat(1.0))
    return follows


@device
def rigidity(kind, lower, upper, most_motor):
    """Return the factor of the third row of eight joints without a spring: 1 if it is rigid, 0 if there is none."""
    factor = splat(0.0)
    if kind == kinds.WELD:
        factor = weld_joint.rigidity()
    if kind == kinds.DISTANCE:
        factor = distance_joint.rigidity(lower, upper, most_motor)
    return factor


@device
def place_rows(kind, field, pose):
    """Write the constraint rows of eight joints to their block. Writes ROWS, ERROR."""
    if kind == kinds.REVOLUTE:
        revolute_joint.place_rows(field, pose)
    elif kind == kinds.WELD:
        weld_joint.place_rows(field, pose)
    elif kind == kinds.DISTANCE:
        distance_joint.place_rows(field, pose)
    elif kind == kinds.PRISMATIC:
        prismatic_joint.place_rows(field, pose)
    elif kind == kinds.WHEEL:
        wheel_joint.place_rows(field, pose)
    else:  # the other kinds have bounded rows only
        target_joint.place_rows(field, pose)


@device
def store_own_numbers(kind, trees, block, joints, ends):
    """Write the numbers of eight joints that only their kind has, from the ends of the joints."""
    if kind == kinds.GEAR:
        gear_joint.store_angle(trees, block, joints, ends)
    elif kind == kinds.PULLEY:
        pulley_joint.store_ropes(trees, block, joints, ends)
    elif kind == kinds.RATCHET:
        ratchet_joint.set_stops(trees, block, joints)


@device
def correct_chord(kind, trees, block, h):
    """Add the chord correction to the bias of eight joints whose anchors move on arcs. Writes BIAS."""
    if kind == kinds.DISTANCE:
        distance_joint.correct_chord(trees, block, h)
    elif kind in kinds.ON_ARCS:
        correct_point_chord(trees, block, h)


@device
def append_bounded_rows(kind, trees, bounded, at, count, numbers, substep):
    """Append the bounded rows of one joint behind `count` rows; return how many there are then."""
    if kind == kinds.REVOLUTE:
        count = revolute_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.WELD:
        count = weld_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.DISTANCE:
        count = distance_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.PRISMATIC:
        count = prismatic_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.WHEEL:
        count = wheel_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.TARGET:
        count = target_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.FRICTION:
        count = friction_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.GEAR:
        count = gear_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.RATCHET:
        count = ratchet_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.PULLEY:
        count = pulley_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    elif kind == kinds.MOTOR:
        count = motor_joint.append_bounded_rows(trees, bounded, at, count, numbers, substep)
    return count
