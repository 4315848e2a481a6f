"""Searches along a path: the first piece that a ray or a moving shape hits.

A path is (start x, start y, end x, end y, reach) [m]; the reach is 0 for a ray, and for a shape its greatest distance
from its origin. A search visits the unbounded pieces, then the static ones, near children first. Then it visits the
strips in the order in which the path crosses them, and last the pieces outside their fat boxes. A test of separating
axes of a segment and a box, grown by the reach, skips pieces that cannot be hit before the best hit so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ecs_collide.data.pieces import BOX
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.queries.candidates import passes_filter
from ecs_collide.step.broadphase.lookup import static_tree as of_tree, strips as of_strip
from ecs_collide.step.broadphase.lookup.static_tree import NODE, ROOT
from ecs_collide.step.broadphase.lookup.strips import ENTRY, SCALE, strip_of
from ecs_collide.step.broadphase.lookup.wide_tree import is_ready


@device
def segment_of(path, until):
    """Return the part of a path up to a fraction as a segment: its middle (x, y) and half its extent (x, y) [m]."""
    px, py, qx, qy, _ = path
    part = min(until, 1.0)
    half_x, half_y = 0.5 * part * (qx - px), 0.5 * part * (qy - py)
    return px + half_x, py + half_y, half_x, half_y


@device
def overlaps_box(segment, reach, box, row):
    """Return True if a segment overlaps row `row` of `box`, grown by `reach` [m], by the separating axis test."""
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
    """Return True if the middle of row a of `box` lies before that of row b in the direction of a segment."""
    _, _, half_x, half_y = segment
    way_x = (box[a, BOX.MIN_X] + box[a, BOX.MAX_X]) - (box[b, BOX.MIN_X] + box[b, BOX.MAX_X])
    way_y = (box[a, BOX.MIN_Y] + box[a, BOX.MAX_Y]) - (box[b, BOX.MIN_Y] + box[b, BOX.MAX_Y])
    return half_x * way_x + half_y * way_y <= 0.0


@device
def eight_overlaps(segment, reach, entry, m):
    """Return as bits which of eight boxes, from column m of `entry` on and grown by `reach` [m], a segment overlaps."""
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
    """Return the part of `search_along` that searches the tree of static pieces."""

    @subroutine
    def down_the_tree(best, path, options, scene):
        """Return the best hit among the static pieces."""
        tree, stack = scene.nearby.tree, scene.nearby.tree.stack
        link, box, reach = tree.link, tree.box, path[4]
        segment = segment_of(path, best[0])
        is_shorter = False
        depth = 0
        if overlaps_box(segment, reach, box, tree.root[ROOT.NODE]):
            stack[0] = tree.root[ROOT.NODE]
            depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if is_shorter and not overlaps_box(segment, reach, box, node):
                continue
            while link[node, NODE.HEIGHT] > 0:
                left, right = link[node, NODE.LEFT], link[node, NODE.RIGHT]
                overlaps_left = overlaps_box(segment, reach, box, left)
                overlaps_right = overlaps_box(segment, reach, box, right)
                if not (overlaps_left or overlaps_right):
                    break
                node = left if overlaps_left else right
                if overlaps_left and overlaps_right:
                    is_left_near = comes_first(segment, box, left, right)
                    stack[depth] = right if is_left_near else left
                    depth += 1
                    node = left if is_left_near else right
            piece = link[node, NODE.LEFT]
            if link[node, NODE.HEIGHT] == 0 and passes_filter(piece, scene):
                found = visit(piece, best, path, options, scene)
                if found[0] < best[0]:
                    segment = segment_of(path, found[0])
                    is_shorter = True
                best = found
        return best

    return down_the_tree


def search_wide_tree(visit: Kernel) -> Kernel:
    """Return the part of `search_along` that searches the static pieces in nodes of eight."""

    @subroutine
    def visit_wide_tree(best, path, options, scene):
        """Return the best hit among the static pieces."""
        wide_tree = scene.nearby.wide_tree
        stack, nearness = wide_tree.stack, wide_tree.nearness
        segment = segment_of(path, best[0])
        stack[0], nearness[0] = 0, 0.0
        depth = 1
        while depth > 0:
            depth -= 1
            if nearness[depth] > best[0]:
                continue
            place = stack[depth]
            if place >= 0:
                depth = push_overlapping(segment, path, place, wide_tree, depth)
            elif passes_filter(-1 - place, scene):
                found = visit(-1 - place, best, path, options, scene)
                if found[0] < best[0]:
                    segment = segment_of(path, found[0])
                best = found
        return best

    return visit_wide_tree


def search_either(visit: Kernel) -> Kernel:
    """Return the part of `search_along` that searches nodes of eight, once they exist, or else the tree.

    The result must not depend on the order in which `visit` gets the pieces.
    """
    down_the_tree, visit_wide_tree = search_tree(visit), search_wide_tree(visit)

    @device
    def among_statics(best, path, options, scene):
        """Return the best hit among the static pieces."""
        if is_ready(scene.nearby.wide_tree, scene.nearby.tree):
            return visit_wide_tree(best, path, options, scene)
        return down_the_tree(best, path, options, scene)

    return among_statics


@device
def push_overlapping(segment, path, first, wide_tree, depth):
    """Push those of a node's boxes that a segment overlaps on the stack, the nearest on top; return the new depth.

    The nearness of a box is the least fraction of the path at which any of its points projects onto the path.
    """
    stack, nearness, box = wide_tree.stack, wide_tree.nearness, wide_tree.box
    px, py, qx, qy, reach = path
    met = eight_overlaps(segment, reach, box, first)
    dx, dy = qx - px, qy - py
    squared = dx * dx + dy * dy
    per_path = 1.0 / squared if squared > 0.0 else 0.0
    near_x = BOX.MIN_X if dx >= 0.0 else BOX.MAX_X
    near_y = BOX.MIN_Y if dy >= 0.0 else BOX.MAX_Y
    bottom = depth
    while met != 0:
        place = first + simd.trailing_zeros(met)
        met &= met - 1
        ahead = dx * (box[near_x, place] - px) + dy * (box[near_y, place] - py)
        near = (ahead - reach * (abs(dx) + abs(dy))) * per_path
        at = depth
        while at > bottom and nearness[at - 1] < near:
            stack[at], nearness[at] = stack[at - 1], nearness[at - 1]
            at -= 1
        stack[at], nearness[at] = wide_tree.child[place], near
        depth += 1
    return depth


def search_strips(visit: Kernel) -> Kernel:
    """Return the part of `search_along` that searches the pieces that can move."""

    @subroutine
    def through_strips(best, path, options, scene):
        """Return the best hit among the pieces in the strips, in the order in which the path crosses these."""
        px, py, qx, qy, reach = path
        strips = scene.nearby.strips
        entry, slots, per_height = strips.entry, len(strips.filled), strips.scale[SCALE.PER_HEIGHT]
        turn = 1 if qy >= py else -1
        first, last = strip_of(py - turn * reach, per_height), strip_of(qy + turn * reach, per_height)
        farthest = max(abs(first), abs(last))
        steps = turn * (last - first) + 1
        are_apart = steps <= slots and farthest < of_strip.FARTHEST_STRIP and py != qy
        segment = segment_of(path, best[0])
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
                met = eight_overlaps(segment, reach, entry, m)
                if stop - m < simd.LANES:
                    met &= (1 << (stop - m)) - 1
                while met != 0:
                    piece = int(entry[ENTRY.PIECE, m + simd.trailing_zeros(met)])
                    met &= met - 1
                    if passes_filter(piece, scene):
                        found = visit(piece, best, path, options, scene)
                        if found[0] < best[0]:
                            segment = segment_of(path, found[0])
                        best = found
                m += simd.LANES
        return best

    return through_strips


def search_along(visit: Kernel, among_statics: Kernel) -> Kernel:
    """Return a search that calls `visit(piece, best, path, options, scene)` for one piece after the other.

    `visit` returns the better of `best` and the hit of the piece. `best` is a tuple that begins with the fraction of
    the path up to which a hit would be better. `options` are for `visit` alone. `among_statics` searches the static
    pieces.
    """
    through_strips = search_strips(visit)

    @subroutine
    def search(best, path, options, scene):
        """Return the best hit among all pieces that pass the filter."""
        nearby = scene.nearby
        for piece in nearby.unbounded:
            if passes_filter(piece, scene):
                best = visit(piece, best, path, options, scene)
        if nearby.tree.root[ROOT.NODE] != of_tree.NONE:
            best = among_statics(best, path, options, scene)
        best = through_strips(best, path, options, scene)
        for k in range(nearby.outside_count[0]):
            if overlaps_box(segment_of(path, best[0]), path[4], nearby.outside_box, k) and passes_filter(
                nearby.outside[k], scene
            ):
                best = visit(nearby.outside[k], best, path, options, scene)
        return best

    return search
