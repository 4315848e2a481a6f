"""Find the sweep candidates: pieces near the paths of the fast pieces, which may stop them."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.common.pair_roles import role_of
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE
from ecs_collide.geometry.aabb import boxes_touch, rows_touch
from ecs_collide.geometry.pose import Pose, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.lookup.static_tree import leaves_in_box
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.pair_slots import count_live
from ecs_collide.step.continuous.body_motions import DYNAMIC, KINEMATIC, pose_in_step, start_pose
from ecs_collide.step.continuous.sweep_scratch import DISABLED, PIECES


@device
def body_path(body, scene):
    """Return the poses of a body at the start and the end of the step, without any stop, and its rotation [rad]."""
    start_x, start_y, start_angle = start_pose(body, scene.bodies, scene.motions)
    start_c, start_s = cos_sin(start_angle)
    end_x, end_y, end_angle = pose_in_step(body, 1.0, scene.bodies, scene.motions)
    end_c, end_s = cos_sin(end_angle)
    start, end = Pose(x=start_x, y=start_y, cos=start_c, sin=start_s), Pose(x=end_x, y=end_y, cos=end_c, sin=end_s)
    return start, end, end_angle - start_angle


@device
def compute_path_box(piece, pieces, path, box):
    """Write the box (4,) of all places that a piece passes in the step; `path` is that of its body, see `body_path`."""
    start, end, turn = path
    x, y = pieces.size[piece, PIECE_SIZE.LOCAL_X], pieces.size[piece, PIECE_SIZE.LOCAL_Y]
    reach = (
        sqrt(pieces.size[piece, PIECE_SIZE.HALF_X] ** 2 + pieces.size[piece, PIECE_SIZE.HALF_Y] ** 2)
        + pieces.size[piece, PIECE_SIZE.RADIUS]
    )
    # The centre moves on an arc, whose height bounds its distance from the straight line.
    reach += sqrt(x * x + y * y) * min(2.0, 0.125 * turn * turn)
    ax, ay = transform_point(start, x, y)
    bx, by = transform_point(end, x, y)
    box[BOX.MIN_X], box[BOX.MAX_X] = min(ax, bx) - reach, max(ax, bx) + reach
    box[BOX.MIN_Y], box[BOX.MAX_Y] = min(ay, by) - reach, max(ay, by) + reach


@device
def append_pair(pairs, count, p, q):
    """Write a pair to row `count` of `pairs`, if there is room; return the next row."""
    if count < len(pairs):
        pairs[count, PIECES.P], pairs[count, PIECES.Q] = p, q
    return count + 1


@device
def find_disabled(p, q, scratch):
    """Return the row of a pair of pieces in the list of those that do not collide in this step, -1 if it collides."""
    disabled = scratch.disabled
    for k in range(scratch.disabled_count[0]):
        first, second = disabled[k, DISABLED.P], disabled[k, DISABLED.Q]
        if (first == p and second == q) or (first == q and second == p):
            return k
    return -1


@device
def is_disabled(p, q, scratch):
    """Return True if a pair of pieces does not collide in this step."""
    return find_disabled(p, q, scratch) >= 0


@device
def append_disabled(slot, is_silent, count, pairs, scratch):
    """Append the pair in a slot to the list of those that do not collide, if there is room; return the next row."""
    if count < len(scratch.disabled):
        scratch.disabled[count, DISABLED.IS_SILENT] = 1 if is_silent else 0
    return append_pair(scratch.disabled, count, pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B])


@device
def list_disabled(pairs, some_pass, reachable, contacts, contact_count, scratch):
    """List the pairs of pieces that do not collide in this step, as far as there is room; return their number.

    They are the pairs and contacts that a game switched off, `reachable` ones among them, and the pairs that pass a
    one-way collider. Pairs whose contacts were welded share one. `some_pass` is 0 if there are no disabled or one-way
    pairs in `pairs`. Writes `scratch.disabled`, `scratch.disabled_count`.
    """
    count, some_off = 0, some_pass != 0
    for k in range(contact_count):
        some_off = some_off or not contacts.enabled[k]
    for k in range(count_live(pairs) if some_off else 0):
        slot = pairs.order[k]
        contact = pairs.index[slot, PAIR.CONTACT]
        passes = pairs.index[slot, PAIR.ROLE] & (of_pair.PASSED | of_pair.PASSES) != 0
        if not pairs.enabled[slot] or passes or (contact >= 0 and not contacts.enabled[contact]):
            count = append_disabled(slot, not pairs.enabled[slot], count, pairs, scratch)
    for k in range(count_live(reachable)):
        slot = reachable.order[k]
        row, enabled = reachable.index[slot, PAIR.CONTACT], reachable.enabled[slot]
        has_response = reachable.index[slot, PAIR.ROLE] & of_pair.PASSED == 0 and (row < 0 or contacts.enabled[row])
        if not enabled or not has_response:
            count = append_disabled(slot, not enabled, count, reachable, scratch)
    scratch.disabled_count[0] = min(count, len(scratch.disabled))
    return count


@device
def is_due(body, of_all, motions):
    """Return True if a body is swept in this round: with `of_all` any body, otherwise those with moved ends."""
    return of_all or motions.is_moved[body]


@device
def list_fast(count, movers, owners, of_all, scene):
    """List the pieces of the fast bodies, and the boxes of their paths; return their number.

    Without `of_all` only those that are due or stop others. The first `count` pieces of `movers` can move, and `owners`
    are their bodies. Writes `scratch.fast`, `scratch.box`.
    """
    scratch, fast_count = scene.scratch, 0
    body, path = -1, (Pose(x=0.0, y=0.0, cos=1.0, sin=0.0), Pose(x=0.0, y=0.0, cos=1.0, sin=0.0), 0.0)
    for k in range(count):
        if scene.motions.is_fast[owners[k]] and (
            is_due(owners[k], of_all, scene.motions) or stops_movers(owners[k], scene.bodies)
        ):
            if owners[k] != body:
                body = owners[k]
                path = body_path(body, scene)
            scratch.fast[fast_count] = movers[k]
            compute_path_box(movers[k], scene.pieces, path, scratch.box[fast_count])
            fast_count += 1
    return fast_count


@device
def find_static(fast_count, of_all, unbounded, tree, scene):
    """Find the static and unbounded pieces near the paths of the fast pieces; return the number of candidates.

    Without `of_all` only those of bodies with moved ends. If there are more candidates than `scratch.candidates` has
    room for, call again with more. Reads piece_box. Writes `scratch.candidates`.
    """
    pieces, scratch, count = scene.pieces, scene.scratch, 0
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        body = pieces.index[p, PIECE.BODY]
        if scene.bodies.kind[body] != DYNAMIC or not is_due(body, of_all, scene.motions):
            continue
        hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
        for m in range(hit_count + len(unbounded)):
            q = tree.hits[m] if m < hit_count else unbounded[m - hit_count]
            if rows_touch(scratch.box, k, pieces.box, q):
                count = append_pair(scratch.candidates, count, p, q)
    return count


@device
def keep_near_stopping(fast_count, scene):
    """Keep the fast pieces near others at which moving pieces stop; return their number.

    Call it if all such pieces are fast. Only paths that overlap the box of all paths of them can meet one. Writes the
    first rows of `scratch.fast`, `scratch.box`.
    """
    scratch, box, kept = scene.scratch, scene.scratch.box, 0
    low_x, low_y, high_x, high_y = inf, inf, -inf, -inf
    for k in range(fast_count):
        if stops_movers(scene.pieces.index[scratch.fast[k], PIECE.BODY], scene.bodies):
            low_x, low_y = min(low_x, box[k, BOX.MIN_X]), min(low_y, box[k, BOX.MIN_Y])
            high_x, high_y = max(high_x, box[k, BOX.MAX_X]), max(high_y, box[k, BOX.MAX_Y])
    for k in range(fast_count):
        min_x, min_y, max_x, max_y = box[k, BOX.MIN_X], box[k, BOX.MIN_Y], box[k, BOX.MAX_X], box[k, BOX.MAX_Y]
        if boxes_touch(min_x, min_y, max_x, max_y, low_x, low_y, high_x, high_y):
            box[kept, BOX.MIN_X], box[kept, BOX.MIN_Y], box[kept, BOX.MAX_X], box[kept, BOX.MAX_Y] = (
                min_x,
                min_y,
                max_x,
                max_y,
            )
            scratch.fast[kept] = scratch.fast[k]
            kept += 1
    return kept


@device
def sort_by_min_x(count, box, rows, places):
    """Sort the first `count` boxes by their least x, and `rows` along with them; equal ones keep their order.

    A shell sort, whose last round compares neighbours. `places` is scratch space (n,).
    """
    for k in range(count):
        places[k] = k
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            low_x, low_y, high_x, high_y = box[k, BOX.MIN_X], box[k, BOX.MIN_Y], box[k, BOX.MAX_X], box[k, BOX.MAX_Y]
            row, place, at = rows[k], places[k], k
            while at >= gap and (
                box[at - gap, BOX.MIN_X] > low_x or (box[at - gap, BOX.MIN_X] == low_x and places[at - gap] > place)
            ):
                for side in range(BOX.WIDTH):
                    box[at, side] = box[at - gap, side]
                rows[at], places[at] = rows[at - gap], places[at - gap]
                at -= gap
            box[at, BOX.MIN_X], box[at, BOX.MIN_Y], box[at, BOX.MAX_X], box[at, BOX.MAX_Y] = (
                low_x,
                low_y,
                high_x,
                high_y,
            )
            rows[at], places[at] = row, place
        gap //= 3


@device
def append_movers(p, q, candidate_count, bullet_count, of_all, scene):
    """Append two moving pieces whose paths may meet, if one is kinematic or a bullet; return both counts.

    Two dynamic ones that are solid to each other are a bullet pair. Otherwise one may cross the other, a sensor.
    Without `of_all` candidates are appended only if an end was moved: that of the dynamic body, or of either one.
    """
    bodies, scratch, motions = scene.bodies, scene.scratch, scene.motions
    body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    kinds = bodies.kind[body_p] + bodies.kind[body_q]
    if kinds == KINEMATIC + DYNAMIC:
        if bodies.kind[body_p] == KINEMATIC:
            p, q = q, p
        if is_due(scene.pieces.index[p, PIECE.BODY], of_all, motions):
            candidate_count = append_pair(scratch.candidates, candidate_count, p, q)
    elif kinds == DYNAMIC + DYNAMIC and (bodies.is_bullet[body_p] or bodies.is_bullet[body_q]):
        role = role_of(p, q, bodies, scene.pieces)
        if role & of_pair.SOLID != 0 and not is_disabled(p, q, scratch):
            bullet_count = append_pair(scratch.bullets, bullet_count, p, q)
        elif role != 0 and (is_due(body_p, of_all, motions) or is_due(body_q, of_all, motions)):
            candidate_count = append_pair(scratch.candidates, candidate_count, p, q)
    return candidate_count, bullet_count


@device
def stops_movers(body, bodies):
    """Return True if dynamic bodies stop at a body that can move: if it is kinematic or a bullet."""
    return bodies.kind[body] == KINEMATIC or bodies.is_bullet[body]


@device
def list_stopping(fast_count, scene):
    """List the fast pieces at which other moving pieces stop; return their number. Writes `scratch.stopping`."""
    scratch, count = scene.scratch, 0
    for k in range(fast_count):
        if stops_movers(scene.pieces.index[scratch.fast[k], PIECE.BODY], scene.bodies):
            scratch.stopping[count] = k
            count += 1
    return count


@device
def find_moving(fast_count, candidate_count, farthest, has_slow, of_all, strips, scene):
    """Find the moving pieces near the paths of the fast pieces; return the numbers of candidates and bullet pairs.

    The fast pieces are sorted by their least x. Slow pieces move by `farthest` [m] at most; `has_slow` is False if
    dynamic bodies stop at none of them. Without `of_all`, candidates are those of bodies with moved ends alone, but
    bullet pairs are those of all listed pieces. If there are more pairs than the scratch space has room for, call again
    with more. Reads the strips. Writes `scratch.candidates` from row `candidate_count` on, `scratch.bullets`,
    `scratch.stopping`.
    """
    scratch, bullet_count = scene.scratch, 0
    stopping_count, next_stopping = list_stopping(fast_count, scene), 0
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        low_x, low_y, high_x, high_y = box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y]
        stops_others = next_stopping < stopping_count and scratch.stopping[next_stopping] == k
        if stops_others:
            next_stopping += 1
        # Slow pieces in the box.
        if stops_others or has_slow:
            nearby = pieces_in_box(
                strips, low_x - farthest, low_y - farthest, high_x + farthest, high_y + farthest, scratch.nearby
            )
            for m in range(nearby):
                q = scratch.nearby[m]
                if not scene.motions.is_fast[scene.pieces.index[q, PIECE.BODY]]:
                    candidate_count, bullet_count = append_movers(p, q, candidate_count, bullet_count, of_all, scene)
        # Fast pieces whose boxes begin in it.
        for m in range(fast_count - k - 1 if stops_others else stopping_count - next_stopping):
            other = k + 1 + m if stops_others else scratch.stopping[next_stopping + m]
            if scratch.box[other, BOX.MIN_X] > high_x:
                break
            if scratch.box[other, BOX.MIN_Y] <= high_y and scratch.box[other, BOX.MAX_Y] >= low_y:
                q = scratch.fast[other]
                candidate_count, bullet_count = append_movers(p, q, candidate_count, bullet_count, of_all, scene)
    return candidate_count, bullet_count
