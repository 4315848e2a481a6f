"""Searches along a way: what a ray, or a shape that moves, comes to first.

A search goes through the static tree, or its boxes in nodes of eight, near children first, through the strips in the
order in which the way crosses them, and past what is astray and what has no end. Only what may lie before the best
find so far is looked at, by a test of separating axes of a segment and a box, which is larger by the reach of what
moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ecs_collide.data.pieces import BOX
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.queries.candidates import is_asked
from ecs_collide.step.broadphase.lookup import static_tree as of_tree, strips as of_strip
from ecs_collide.step.broadphase.lookup.static_tree import NODE, ROOT
from ecs_collide.step.broadphase.lookup.strips import ENTRY, SCALE, strip_of
from ecs_collide.step.broadphase.lookup.wide_tree import is_ready


@device
def part_of(way, until):
    """The part of a way up to a fraction, as a segment: its middle, and half of its way."""
    px, py, qx, qy, _ = way
    part = min(until, 1.0)
    half_x, half_y = 0.5 * part * (qx - px), 0.5 * part * (qy - py)
    return px + half_x, py + half_y, half_x, half_y


@device
def meets_box(segment, reach, box, row):
    """Whether a segment meets row `row` of `box`, grown by `reach` [m]: neither axis nor its normal parts the two."""
    x, y, half_x, half_y = segment
    away_x = x - 0.5 * (box[row, BOX.MIN_X] + box[row, BOX.MAX_X])
    away_y = y - 0.5 * (box[row, BOX.MIN_Y] + box[row, BOX.MAX_Y])
    size_x = 0.5 * (box[row, BOX.MAX_X] - box[row, BOX.MIN_X]) + reach
    size_y = 0.5 * (box[row, BOX.MAX_Y] - box[row, BOX.MIN_Y]) + reach
    return (
        abs(away_x) <= size_x + abs(half_x)
        and abs(away_y) <= size_y + abs(half_y)
        and abs(half_x * away_y - half_y * away_x) <= abs(half_x) * size_y + abs(half_y) * size_x
    )


@device
def comes_first(segment, box, a, b):
    """Whether the middle of row a of `box` comes before that of row b in the direction of a segment."""
    _, _, half_x, half_y = segment
    way_x = (box[a, BOX.MIN_X] + box[a, BOX.MAX_X]) - (box[b, BOX.MIN_X] + box[b, BOX.MAX_X])
    way_y = (box[a, BOX.MIN_Y] + box[a, BOX.MAX_Y]) - (box[b, BOX.MIN_Y] + box[b, BOX.MAX_Y])
    return half_x * way_x + half_y * way_y <= 0.0


@device
def eight_met(segment, reach, entry, m):
    """The same for the boxes of eight entries of the strips from m on, in bits."""
    x, y, half_x, half_y = segment
    low_x, high_x = simd.load(entry, (BOX.MIN_X, m)), simd.load(entry, (BOX.MAX_X, m))
    low_y, high_y = simd.load(entry, (BOX.MIN_Y, m)), simd.load(entry, (BOX.MAX_Y, m))
    away_x, away_y = x - 0.5 * (low_x + high_x), y - 0.5 * (low_y + high_y)
    size_x, size_y = 0.5 * (high_x - low_x) + reach, 0.5 * (high_y - low_y) + reach
    return simd.lane_bits(
        (simd.absolute(away_x) <= size_x + abs(half_x))
        & (simd.absolute(away_y) <= size_y + abs(half_y))
        & (simd.absolute(half_x * away_y - half_y * away_x) <= abs(half_x) * size_y + abs(half_y) * size_x)
    )


Kernel: TypeAlias = Callable[..., Any]


def search_tree(visit: Kernel) -> Kernel:
    """The part of `search_along` that goes through the static pieces."""

    @subroutine
    def down_the_tree(best, way, asking, scene):
        """The best find among all static pieces."""
        tree, stack = scene.nearby.tree, scene.nearby.tree.stack
        link, box, reach = tree.link, tree.box, way[4]
        segment = part_of(way, best[0])
        is_shorter = False
        depth = 0
        if meets_box(segment, reach, box, tree.root[ROOT.NODE]):
            stack[0] = tree.root[ROOT.NODE]
            depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if is_shorter and not meets_box(segment, reach, box, node):
                continue
            while link[node, NODE.HEIGHT] > 0:
                left, right = link[node, NODE.LEFT], link[node, NODE.RIGHT]
                meets_left, meets_right = meets_box(segment, reach, box, left), meets_box(segment, reach, box, right)
                if not (meets_left or meets_right):
                    break
                node = left if meets_left else right
                if meets_left and meets_right:
                    is_left_near = comes_first(segment, box, left, right)
                    stack[depth] = right if is_left_near else left
                    depth += 1
                    node = left if is_left_near else right
            piece = link[node, NODE.LEFT]
            if link[node, NODE.HEIGHT] == 0 and is_asked(piece, scene):
                found = visit(piece, best, way, asking, scene)
                if found[0] < best[0]:
                    segment = part_of(way, found[0])
                    is_shorter = True
                best = found
        return best

    return down_the_tree


def search_eights(visit: Kernel) -> Kernel:
    """The same part, where they are there in nodes of eight."""

    @subroutine
    def through_eights(best, way, asking, scene):
        """The best find among all static pieces."""
        eights = scene.nearby.eights
        stack, nearness = eights.stack, eights.nearness
        segment = part_of(way, best[0])
        stack[0], nearness[0] = 0, 0.0
        depth = 1
        while depth > 0:
            depth -= 1
            if nearness[depth] > best[0]:
                continue
            place = stack[depth]
            if place >= 0:
                depth = push_met(segment, way, place, eights, depth)
            elif is_asked(-1 - place, scene):
                found = visit(-1 - place, best, way, asking, scene)
                if found[0] < best[0]:
                    segment = part_of(way, found[0])
                best = found
        return best

    return through_eights


def search_either(visit: Kernel) -> Kernel:
    """The same part for those who ask often, and whose answer is the same in whatever order pieces are asked."""
    down_the_tree, through_eights = search_tree(visit), search_eights(visit)

    @device
    def among_statics(best, way, asking, scene):
        """The best find among all static pieces."""
        if is_ready(scene.nearby.eights, scene.nearby.tree):
            return through_eights(best, way, asking, scene)
        return down_the_tree(best, way, asking, scene)

    return among_statics


@device
def push_met(segment, way, first, eights, depth):
    """Put those of a node's boxes that a segment meets on the stack, the nearest on top; return how high that is.

    How near a box is says the least fraction of the way at which any of its points is level with the way.
    """
    stack, nearness, box = eights.stack, eights.nearness, eights.box
    px, py, qx, qy, reach = way
    met = eight_met(segment, reach, box, first)
    dx, dy = qx - px, qy - py
    squared = dx * dx + dy * dy
    per_way = 1.0 / squared if squared > 0.0 else 0.0
    near_x = BOX.MIN_X if dx >= 0.0 else BOX.MAX_X
    near_y = BOX.MIN_Y if dy >= 0.0 else BOX.MAX_Y
    bottom = depth
    while met != 0:
        place = first + simd.trailing_zeros(met)
        met &= met - 1
        ahead = dx * (box[near_x, place] - px) + dy * (box[near_y, place] - py)
        near = (ahead - reach * (abs(dx) + abs(dy))) * per_way
        at = depth
        while at > bottom and nearness[at - 1] < near:
            stack[at], nearness[at] = stack[at - 1], nearness[at - 1]
            at -= 1
        stack[at], nearness[at] = eights.child[place], near
        depth += 1
    return depth


def search_strips(visit: Kernel) -> Kernel:
    """The part of `search_along` that goes through what moves."""

    @subroutine
    def through_strips(best, way, asking, scene):
        """The same for the pieces in the strips, in the order in which the way crosses these."""
        px, py, qx, qy, reach = way
        strips = scene.nearby.strips
        entry, slots, per_height = strips.entry, len(strips.filled), strips.scale[SCALE.PER_HEIGHT]
        turn = 1 if qy >= py else -1
        first, last = strip_of(py - turn * reach, per_height), strip_of(qy + turn * reach, per_height)
        farthest = max(abs(first), abs(last))
        steps = turn * (last - first) + 1
        are_apart = steps <= slots and farthest < of_strip.FARTHEST_STRIP and py != qy
        segment = part_of(way, best[0])
        for number in range(min(steps, slots)):
            strip = first + turn * number
            right = max(px, qx)
            if are_apart:
                border = strip if turn > 0 else strip + 1
                enter = (border / per_height - turn * reach - py) / (qy - py) if number > 0 else 0.0
                leave = ((border + turn) / per_height + turn * reach - py) / (qy - py) if number < steps - 1 else 1.0
                if enter > best[0]:
                    break
                enter, leave = max(enter, 0.0), min(min(leave, 1.0), best[0])
                right = max(px + enter * (qx - px), px + leave * (qx - px))
                right += 1e-9 * (abs(px) + abs(qx))
            slot = strip & (slots - 1)
            m, stop = strips.start[slot], strips.start[slot] + strips.filled[slot]
            while m < stop and entry[BOX.MIN_X, m] <= right + reach:
                met = eight_met(segment, reach, entry, m)
                if stop - m < simd.LANES:
                    met &= (1 << (stop - m)) - 1
                while met != 0:
                    piece = int(entry[ENTRY.PIECE, m + simd.trailing_zeros(met)])
                    met &= met - 1
                    if is_asked(piece, scene):
                        found = visit(piece, best, way, asking, scene)
                        if found[0] < best[0]:
                            segment = part_of(way, found[0])
                        best = found
                m += simd.LANES
        return best

    return through_strips


def search_along(visit: Kernel, among_statics: Kernel) -> Kernel:
    """A search that asks `visit(piece, best, way, asking, scene)` of one piece after the other for the best find.

    `best` is a tuple that begins with the fraction of the way up to which there is anything to look for. A way is
    (start, end, reach) [m]; `asking` is what else the visitor wants to know. `among_statics` is its part for these.
    """
    through_strips = search_strips(visit)

    @subroutine
    def search(best, way, asking, scene):
        """The best find of all pieces that are asked."""
        nearby = scene.nearby
        for piece in nearby.unbounded:
            if is_asked(piece, scene):
                best = visit(piece, best, way, asking, scene)
        if nearby.tree.root[ROOT.NODE] != of_tree.NONE:
            best = among_statics(best, way, asking, scene)
        best = through_strips(best, way, asking, scene)
        for k in range(nearby.astray_count[0]):
            if meets_box(part_of(way, best[0]), way[4], nearby.astray_box, k) and is_asked(nearby.astray[k], scene):
                best = visit(nearby.astray[k], best, way, asking, scene)
        return best

    return search
