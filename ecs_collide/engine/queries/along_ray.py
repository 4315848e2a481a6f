"""Where rays first meet anything, or all that they go through (row 30).

A ray goes through the static tree, near children first, through the strips in the order in which it crosses them, and
past what is astray and what has no end. Only what may lie before the best hit so far is looked at, by a test of
separating axes of a segment and a box. A piece is asked in its body's axes, as the ray cast of a single shape is.

Of hits at one place the one of the lower entity counts, and of one entity the one that the ray meets more squarely.
"""

from __future__ import annotations

from math import inf

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.frames import body_pose
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled import simd
from ecs_collide.compiled.arrays import FloatTable, Ints
from ecs_collide.compiled.kernels import device, stage, subroutine
from ecs_collide.contours.first_hit import STEP, holds
from ecs_collide.contours.ray import piece_crossing
from ecs_collide.engine.broadphase.lookup import static_tree as of_tree, strips as of_strip
from ecs_collide.engine.broadphase.lookup.strips import strip_of
from ecs_collide.engine.queries.asked import LoadedPiece, Nearby, Question, in_body, is_asked, load
from ecs_collide.geometry.pose import turned

# hit
FRACTION, NORMAL_X, NORMAL_Y, SLOPE = 0, 1, 2, 3

NOBODY = -1
NO_HIT = (inf, 0.0, 0.0, inf, NOBODY)
"""Fraction, normal, its slope against the ray, and the body."""


@device
def part_of(ray, until):
    """The part of a ray up to a fraction, as a segment: its middle, and half of its way."""
    px, py, qx, qy = ray
    part = min(until, 1.0)
    half_x, half_y = 0.5 * part * (qx - px), 0.5 * part * (qy - py)
    return px + half_x, py + half_y, half_x, half_y


@device
def meets_box(segment, box, row):
    """Whether a segment meets row `row` of `box`: neither the axes nor its normal part the two."""
    x, y, half_x, half_y = segment
    away_x = x - 0.5 * (box[row, of_piece.MIN_X] + box[row, of_piece.MAX_X])
    away_y = y - 0.5 * (box[row, of_piece.MIN_Y] + box[row, of_piece.MAX_Y])
    size_x = 0.5 * (box[row, of_piece.MAX_X] - box[row, of_piece.MIN_X])
    size_y = 0.5 * (box[row, of_piece.MAX_Y] - box[row, of_piece.MIN_Y])
    return (
        abs(away_x) <= size_x + abs(half_x)
        and abs(away_y) <= size_y + abs(half_y)
        and abs(half_x * away_y - half_y * away_x) <= abs(half_x) * size_y + abs(half_y) * size_x
    )


@device
def eight_met(segment, entry, m):
    """The same for the boxes of eight entries of the strips from m on, in bits."""
    x, y, half_x, half_y = segment
    low_x, high_x = simd.load(entry, (of_piece.MIN_X, m)), simd.load(entry, (of_piece.MAX_X, m))
    low_y, high_y = simd.load(entry, (of_piece.MIN_Y, m)), simd.load(entry, (of_piece.MAX_Y, m))
    away_x, away_y = x - 0.5 * (low_x + high_x), y - 0.5 * (low_y + high_y)
    size_x, size_y = 0.5 * (high_x - low_x), 0.5 * (high_y - low_y)
    return simd.lane_bits(
        (simd.absolute(away_x) <= size_x + abs(half_x))
        & (simd.absolute(away_y) <= size_y + abs(half_y))
        & (simd.absolute(half_x * away_y - half_y * away_x) <= abs(half_x) * size_y + abs(half_y) * size_x)
    )


@subroutine
def better_of(piece, best, ray, is_through, from_inside, question, bodies, pieces, loaded, hit_body, hit, count):
    """(the better of the best hit so far and that of a piece, how many were listed).

    With `is_through` every hit is listed in hit_body and hit as far as there is room, and the best one stays.
    """
    if not is_asked(piece, question, bodies, pieces):
        return best, count
    body = pieces.index[piece, of_piece.BODY]
    px, py = in_body(body, bodies, ray[0], ray[1])
    qx, qy = in_body(body, bodies, ray[2], ray[3])
    load(piece, pieces, loaded)
    u, x, y, slope = inf, 0.0, 0.0, inf
    if px != qx or py != qy:
        u, x, y, slope = piece_crossing(loaded, 0, (px, py, qx, qy), 0.0, False)
    if from_inside and u > STEP and holds(loaded, 0, px + STEP * (qx - px), py + STEP * (qy - py)):
        u, x, y, slope = 0.0, 0.0, 0.0, 0.0
    if u == inf:
        return best, count
    if is_through:
        if count < len(hit_body):
            hit_body[count] = body
            hit[count, FRACTION], hit[count, SLOPE] = u, slope
            hit[count, NORMAL_X], hit[count, NORMAL_Y] = turned(body_pose(body, bodies), x, y)
        return best, count + 1
    if u > best[0]:
        return best, count
    if u == best[0]:
        entity, other = bodies.entity[body], bodies.entity[best[4]]
        if entity > other or (entity == other and slope >= best[3]):
            return best, count
    x, y = turned(body_pose(body, bodies), x, y)
    return (u, x, y, slope, body), count


@subroutine
def down_the_tree(best, ray, is_through, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit, count):
    """The same for all static pieces that the ray may meet before its best hit."""
    tree, stack = nearby.tree, nearby.stack
    segment = part_of(ray, best[0])
    depth = 0
    if tree.root[of_tree.ROOT] != of_tree.NONE:
        stack[0] = tree.root[of_tree.ROOT]
        depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not meets_box(segment, tree.box, node):
            continue
        left, right = tree.link[node, of_tree.LEFT], tree.link[node, of_tree.RIGHT]
        if tree.link[node, of_tree.HEIGHT] > 0:
            way = 0.0
            for low, half in ((of_piece.MIN_X, segment[2]), (of_piece.MIN_Y, segment[3])):
                way += half * (tree.box[left, low] + tree.box[left, low + 2])
                way -= half * (tree.box[right, low] + tree.box[right, low + 2])
            stack[depth] = right if way < 0.0 else left
            stack[depth + 1] = left if way < 0.0 else right
            depth += 2
        else:
            found, count = better_of(
                left, best, ray, is_through, from_inside, question, bodies, pieces, loaded, hit_body, hit, count
            )
            if found[0] < best[0]:
                segment = part_of(ray, found[0])
            best = found
    return best, count


@subroutine
def through_strips(best, ray, is_through, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit, count):
    """The same for the pieces in the strips, in the order in which the ray crosses these."""
    px, py, qx, qy = ray
    strips = nearby.strips
    entry, slots, per_height = strips.entry, len(strips.filled), strips.scale[0]
    first, last = strip_of(py, per_height), strip_of(qy, per_height)
    farthest = max(abs(first), abs(last))
    way = 1 if last >= first else -1
    steps = way * (last - first) + 1
    are_apart = steps <= slots and farthest < of_strip.FARTHEST_STRIP
    segment = part_of(ray, best[0])
    for number in range(min(steps, slots)):
        strip = first + way * number
        right = max(px, qx)
        if are_apart and steps > 1:
            border = strip if way > 0 else strip + 1
            enter = (border / per_height - py) / (qy - py) if number > 0 else 0.0
            leave = ((border + way) / per_height - py) / (qy - py) if number < steps - 1 else 1.0
            if enter > best[0]:
                break
            right = max(px + enter * (qx - px), px + min(leave, best[0]) * (qx - px))
            right += 1e-9 * (abs(px) + abs(qx))
        slot = strip & (slots - 1)
        m, stop = strips.start[slot], strips.start[slot] + strips.filled[slot]
        while m < stop and entry[of_piece.MIN_X, m] <= right:
            met = eight_met(segment, entry, m)
            if stop - m < simd.LANES:
                met &= (1 << (stop - m)) - 1
            while met != 0:
                k = m + simd.trailing_zeros(met)
                met &= met - 1
                found, count = better_of(
                    int(entry[of_strip.PIECE, k]),
                    best, ray, is_through, from_inside, question, bodies, pieces, loaded, hit_body, hit, count,
                )  # fmt: skip
                if found[0] < best[0]:
                    segment = part_of(ray, found[0])
                best = found
            m += simd.LANES
    return best, count


@subroutine
def cast(ray, is_through, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit):
    """(best hit, number listed) of a ray among all pieces."""
    best, count = NO_HIT, 0
    for piece in nearby.unbounded:
        best, count = better_of(
            piece, best, ray, is_through, from_inside, question, bodies, pieces, loaded, hit_body, hit, count
        )
    best, count = down_the_tree(
        best, ray, is_through, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit, count
    )
    best, count = through_strips(
        best, ray, is_through, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit, count
    )
    for k in range(len(nearby.astray)):
        if meets_box(part_of(ray, best[0]), nearby.astray_box, k):
            best, count = better_of(
                nearby.astray[k],
                best, ray, is_through, from_inside, question, bodies, pieces, loaded, hit_body, hit, count,
            )  # fmt: skip
    return best, count


@stage
def first_hits(
    rays: FloatTable,
    from_inside: bool,
    question: Question,
    bodies: Bodies,
    pieces: Pieces,
    nearby: Nearby,
    loaded: LoadedPiece,
    hit_body: Ints,
    hit: FloatTable,
):
    """What each ray first meets. With `from_inside` it meets at once what it starts in.

    Reads rays, origin and end [m] (n, 4). Writes hit_body (n,), `NOBODY` where there is none, and hit (n, 4): fraction
    of the way, outward unit normal, slope against the ray.
    """
    for k in range(len(rays)):
        ray = (rays[k, 0], rays[k, 1], rays[k, 2], rays[k, 3])
        best, _ = cast(ray, False, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit)
        hit_body[k] = best[4]
        hit[k, FRACTION], hit[k, NORMAL_X], hit[k, NORMAL_Y], hit[k, SLOPE] = best[0], best[1], best[2], best[3]


@stage
def first_hit_of(
    px: float,
    py: float,
    qx: float,
    qy: float,
    from_inside: bool,
    question: Question,
    bodies: Bodies,
    pieces: Pieces,
    nearby: Nearby,
    loaded: LoadedPiece,
    no_bodies: Ints,
    no_hits: FloatTable,
):
    """(fraction, normal, slope, body) of what one ray first meets; the body is `NOBODY` where it meets nothing."""
    ray = (px, py, qx, qy)
    best, _ = cast(ray, False, from_inside, question, bodies, pieces, nearby, loaded, no_bodies, no_hits)
    return best


@stage
def all_hits(
    px: float,
    py: float,
    qx: float,
    qy: float,
    from_inside: bool,
    question: Question,
    bodies: Bodies,
    pieces: Pieces,
    nearby: Nearby,
    loaded: LoadedPiece,
    hit_body: Ints,
    hit: FloatTable,
):
    """List what a ray goes through, piece by piece, in no order; return how much that is.

    Where there is no room for all the number tells the room needed. Writes hit_body (k,) and hit (k, 4).
    """
    ray = (px, py, qx, qy)
    _, count = cast(ray, True, from_inside, question, bodies, pieces, nearby, loaded, hit_body, hit)
    return count
