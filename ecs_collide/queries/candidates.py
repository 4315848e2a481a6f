"""The pieces that a query may find: those near a place that pass its filters."""

from __future__ import annotations

from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE
from ecs_collide.contours.piece_rows import is_piece_bounded, write_contour_rows
from ecs_collide.data.bodies import FILTER, Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.boxes import box_of
from ecs_collide.step.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.lookup.strips import Strips
from ecs_collide.step.broadphase.lookup.wide_tree import WideTree

QUERY_FILTER = layout(
    "query filter",
    MASK="layers to look for, as bits",
    SENSORS="1 if sensors are included",
    LAYER="layers of the query itself, as bits; 0 if the masks of colliders do not count",
)
"""Columns of `FilterArrays.settings`."""


class Nearby(Bundle):
    """All pieces of a world in the structures that find them by place."""

    tree: Tree
    """The static pieces in a binary tree."""
    wide_tree: WideTree
    """The static pieces again in nodes of eight boxes, built once many queries have run."""
    strips: Strips
    """The bounded pieces that can move, by their fat boxes of the last step."""
    unbounded: Ints
    """Unbounded pieces (u,)."""
    outside: Ints
    """Pieces outside their fat boxes, or without one yet; a piece may occur twice (k,)."""
    outside_box: FloatTable = rows_of(BOX)
    """Present boxes of these pieces [m] (k, 4)."""
    outside_count: Ints
    """Number of these pieces (1,)."""


class FilterArrays(Bundle):
    """Filters of a query."""

    hidden: Flags
    """True for the row of a collider that the query leaves out (n,)."""
    settings: Ints
    """Columns of `QUERY_FILTER` (3,)."""
    is_found: Flags
    """Scratch space: True for a body that is in the result already; all False between queries (n,)."""


class LoadedPiece(Bundle):
    """Scratch space for one piece as a contour, see `contours/contour.py`."""

    pieces: IntTable = rows_of(CONTOUR_PIECE)
    sizes: FloatTable = rows_of(CONTOUR_SIZE)
    rows: FloatTable = rows_of(CONTOUR)


class Scene(Bundle):
    """All that the kernels of a query read, and scratch space."""

    query_filter: FilterArrays
    bodies: Bodies
    pieces: Pieces
    nearby: Nearby
    loaded: LoadedPiece
    candidates: Ints
    """Scratch space for all pieces, and again for those outside their fat boxes."""
    hits: Ints
    """Scratch space of the same length as `candidates`."""


@device
def passes_filter(piece, scene):
    """Return True if the filter of a query lets the collider of a piece through.

    With layers of its own, a query is filtered as a collider of these layers: the collider's mask must hold one of them
    unless there are none, and a collider whose sensor mask holds one counts as a sensor.
    """
    query_filter, filters = scene.query_filter, scene.bodies.filter
    settings = query_filter.settings
    collider = scene.pieces.index[piece, PIECE.COLLIDER]
    if (
        collider < 0
        or query_filter.hidden[collider]
        or (filters[collider, FILTER.LAYER] & settings[QUERY_FILTER.MASK]) == 0
    ):
        return False
    layer = settings[QUERY_FILTER.LAYER]
    if layer != 0 and (filters[collider, FILTER.MASK] & layer) == 0:
        return False
    is_sensor = filters[collider, FILTER.SENSOR] | (filters[collider, FILTER.SENSOR_MASK] & layer)
    return settings[QUERY_FILTER.SENSORS] != 0 or is_sensor == 0


@subroutine
def load(piece, pieces, loaded):
    """Write a piece's contour to `loaded`, with no edge hidden: a piece that hides an edge may be filtered out.

    The back of a one-sided line stays closed.
    """
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    is_hollow = write_contour_rows(pieces.vertices, pieces.normals, pieces.outlines, start, count, loaded.rows)
    for k in range(count):
        loaded.rows[k, CONTOUR.OPEN_EDGE] = loaded.rows[k, CONTOUR.OPEN_CORNER] = 1.0
        if pieces.outlines[start + k, OUTLINE.EDGE] == of_outline.BACK:
            loaded.rows[k, CONTOUR.OPEN_EDGE] = 0.0
    loaded.pieces[0, CONTOUR_PIECE.COUNT], loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] = count, int(is_hollow)
    loaded.sizes[0, CONTOUR_SIZE.RADIUS] = pieces.size[piece, PIECE_SIZE.RADIUS]


@device
def in_body(body, bodies, x, y):
    """Return a world point [m] relative to a body's centre of mass, in the body's axes."""
    pose = body_pose(body, bodies)
    return rotate_vector_back(pose, x - pose.x, y - pose.y)


@kernel
def list_outside(rows: Ints, are_all: bool, bodies: Bodies, pieces: Pieces, slack: float, nearby: Nearby, start: int):
    """List those of some pieces that are outside their fat boxes, or all of them if `are_all`.

    The list continues behind the first `start` entries of nearby.outside, which has room for all. `rows` may be a part
    of that array. Unbounded pieces are skipped, since they have a list of their own. Writes nearby.outside,
    nearby.outside_box (grown by `slack` [m]) and nearby.outside_count.
    """
    outside, box = nearby.outside, nearby.outside_box
    count = start
    for piece in rows:
        if not is_piece_bounded(piece, pieces):
            continue
        low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
        if (
            are_all
            or low_x < pieces.box[piece, BOX.MIN_X]
            or low_y < pieces.box[piece, BOX.MIN_Y]
            or high_x > pieces.box[piece, BOX.MAX_X]
            or high_y > pieces.box[piece, BOX.MAX_Y]
        ):
            outside[count] = piece
            box[count, BOX.MIN_X], box[count, BOX.MIN_Y] = low_x - slack, low_y - slack
            box[count, BOX.MAX_X], box[count, BOX.MAX_Y] = high_x + slack, high_y + slack
            count += 1
    nearby.outside_count[0] = count


@subroutine
def find_in_box(low_x, low_y, high_x, high_y, scene):
    """List the pieces that pass the filter and may overlap a box [m] in scene.candidates; return their number.

    A piece may be listed twice.
    """
    nearby, hits, candidates = scene.nearby, scene.hits, scene.candidates
    count = 0
    for number in range(leaves_in_box(nearby.tree, low_x, low_y, high_x, high_y, hits)):
        if passes_filter(hits[number], scene):
            candidates[count] = hits[number]
            count += 1
    for number in range(pieces_in_box(nearby.strips, low_x, low_y, high_x, high_y, hits)):
        if passes_filter(hits[number], scene):
            candidates[count] = hits[number]
            count += 1
    box = nearby.outside_box
    for k in range(nearby.outside_count[0]):
        is_near = boxes_touch(
            box[k, BOX.MIN_X], box[k, BOX.MIN_Y], box[k, BOX.MAX_X], box[k, BOX.MAX_Y],
            low_x, low_y, high_x, high_y,
        )  # fmt: skip
        if is_near and passes_filter(nearby.outside[k], scene):
            candidates[count] = nearby.outside[k]
            count += 1
    for piece in nearby.unbounded:
        if passes_filter(piece, scene):
            candidates[count] = piece
            count += 1
    return count
