"""Rigid joints do no work: a solve in which they do is led back towards one without the chord term.

What a rigid row gives to its two bodies in a solve is, with its impulse and how fast its sides part,

    1/2 lambda (e before + e after)                   e after = -(b + Gamma lambda)

whoever looks on. The chord (`chord.py`) makes up for what a projection loses. But where light links whip round under a
load it gives far more: a ball on a chain that is jerked taut gained a hundredfold. So where the rigid rows
of a tree do work W > 0 with it, and W_0 < 0 without, the motion is taken that is W_0 / (W_0 - W) of the way from the
latter to the former. The energy is a convex function of the way: so the work there is not above 0.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, any_lane, load, select, splat, store
from ecs_collide.step.joints.block_algebra import load_triple, store_triple
from ecs_collide.step.joints.solve_trees import choose_blocks, solve_trees
from ecs_collide.step.joints.trees import tree_rows as layout
from ecs_collide.step.joints.velocity_bias import note_parting


@subroutine
def do_work(trees, column, of_chosen):
    """Whether the rigid rows of any tree without contacts have given energy to its bodies.

    Where there are contacts no chord is asked for. Reads what `block_work` does. Writes a column of tree_pace [J], of
    all trees or of those that are chosen.
    """
    pace, index, first, stop = trees.pace, trees.index, trees.span[layout.FIRST], trees.span[layout.STOP]
    for block in range(first, stop):
        if trees.has_others[block]:
            for lane in range(LANES):
                if index[block, layout.TREE, lane] != layout.NONE:
                    pace[index[block, layout.TREE, lane], column] = 0.0
    work = splat(0.0)
    for block in range(first, stop):
        if not of_chosen or trees.is_chosen[block]:
            untouched = load(trees.field[block], layout.TOUCHED) <= 0.0
            if any_lane(untouched):
                work = work + select(untouched, block_work(trees, block), 0.0)
        if block + 1 == stop or trees.has_others[block + 1]:
            store(trees.passing, 0, work)
            work = splat(0.0)
            for lane in range(LANES):
                if index[block, layout.TREE, lane] != layout.NONE:
                    pace[index[block, layout.TREE, lane], column] += trees.passing[0, lane]
    found = False
    for block in range(first, stop):
        if trees.has_others[block]:
            for lane in range(LANES):
                tree = index[block, layout.TREE, lane]
                found = found or (tree != layout.NONE and pace[tree, column] > 0.0)
    return found


@device
def block_work(trees, block):
    """What the rigid rows of eight joints have given [J]. Reads PARTED, GAMMA, IMPULSE."""
    field = trees.field[block]
    work = row_work(field, 0) + row_work(field, 1)
    if trees.is_pin[block]:
        return work
    return work + select(load(field, layout.IS_SOFT) > 0.0, 0.0, row_work(field, 2))


@device
def row_work(field, k):
    """The same of row k."""
    impulse = load(field, layout.IMPULSE + k)
    return 0.5 * impulse * (load(field, layout.PARTED + k) - load(field, layout.GAMMA + k) * impulse)


@subroutine
def take_back_work(trees):
    """Solve trees whose rigid rows have done work so that these do none; the others stay as they are, to the bit.

    Reads tree_pace, seat (SHIFT), and what is asked for without the chord, in LOST. Writes seat (velocity, EXTRA),
    BIAS, PARTED, IMPULSE, LOST, and which trees are chosen.
    """
    nothing = splat(0.0)
    for tree in range(len(trees.chosen)):
        trees.chosen[tree] = trees.pace[tree, layout.WORK] > 0.0
    choose_blocks(trees)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        if trees.is_chosen[block]:
            field = trees.field[block]
            for k in range(2 if trees.is_pin[block] else 3):
                store(field, layout.BIAS + k, load(field, layout.LOST + k))
                store(field, layout.LOST + k, load(field, layout.IMPULSE + k))
                store(field, layout.IMPULSE + k, nothing)
            note_parting(trees, block, layout.SHIFT)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        store_triple(seat, layout.EXTRA, load_triple(seat, layout.VX))
        store_triple(seat, layout.VX, load_triple(seat, layout.SHIFT))
    solve_trees(trees, layout.VX, layout.BIAS, layout.IMPULSE, True)
    do_work(trees, layout.LEAST_WORK, True)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        lead(trees.seat[s], layout.VX, layout.EXTRA, shares_of_chord(trees, trees.seat_index, s, layout.SEAT_TREE))
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        if trees.is_chosen[block]:
            shares = shares_of_chord(trees, trees.index, block, layout.TREE)
            lead(trees.field[block], layout.IMPULSE, layout.LOST, shares)


@device
def shares_of_chord(trees, index, place, column):
    """How far eight trees may go from the motion without the chord to that with it: 1 is all of the way."""
    for lane in range(LANES):
        tree, share = index[place, column, lane], 1.0
        if tree != layout.NONE and trees.chosen[tree]:
            least = min(trees.pace[tree, layout.LEAST_WORK], 0.0)  # above 0 where a blow is no guide to the next
            share = least / (least - trees.pace[tree, layout.WORK])
        trees.passing[0, lane] = share
    return load(trees.passing, 0)


@device
def lead(numbers, column, wanted, share):
    """Lead three numbers in each lane a share of the way to three others."""
    for k in range(3):
        now, there = load(numbers, column + k), load(numbers, wanted + k)
        store(numbers, column + k, select(share < 1.0, now + share * (there - now), there))
