"""What a question is put to: the pieces near by, as far as its filters let them through."""

from __future__ import annotations

from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE
from ecs_collide.contours.piece_rows import is_piece_bounded, write_contour_rows
from ecs_collide.data.bodies import FILTER, Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.step.broadphase.boxes import box_of
from ecs_collide.step.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.lookup.strips import Strips
from ecs_collide.step.broadphase.lookup.wide_tree import Eights

# Question.filter
MASK, SENSORS = 0, 1


class Nearby(Bundle):
    """All pieces by place."""

    tree: Tree
    """Static pieces ..."""
    eights: Eights
    """... and these once more, when many have asked."""
    strips: Strips
    """Those that can move and have an end, by their boxes in the last step."""
    unbounded: Ints
    """Those without end (u,)."""
    astray: Ints
    """Those that have left their boxes since, or have none yet, with those listed twice that are astray (k,)."""
    astray_box: FloatTable
    """Their boxes now [m] (k, 4)."""
    astray_count: Ints
    """How many they are (1,)."""


class Question(Bundle):
    """Whom a question is put to."""

    hidden: Flags
    """Whether a body is left out (n,)."""
    filter: Ints
    """The layers that are asked, and whether sensors are (2,)."""
    is_found: Flags
    """Scratch space: whether a body is in the answer already, all False between questions (n,)."""


class LoadedPiece(Bundle):
    """Scratch space: a piece in the form of a contour with that piece alone, see `contours/contour.py`."""

    pieces: IntTable
    sizes: FloatTable
    rows: FloatTable


class Scene(Bundle):
    """All that a question looks at, and room for what it does."""

    question: Question
    bodies: Bodies
    pieces: Pieces
    nearby: Nearby
    loaded: LoadedPiece
    candidates: Ints
    """Room for all pieces, and for those astray once more."""
    hits: Ints
    """As much room again."""


@device
def is_asked(piece, scene):
    """Whether a question is put to the body of a piece."""
    question, filters = scene.question, scene.bodies.filter
    body = scene.pieces.index[piece, PIECE.BODY]
    if body < 0 or question.hidden[body] or (filters[body, FILTER.LAYER] & question.filter[MASK]) == 0:
        return False
    return question.filter[SENSORS] != 0 or filters[body, FILTER.SENSOR] == 0


@subroutine
def load(piece, pieces, loaded):
    """Write a piece's contour to `loaded`, all of it open: what covers it may be no one that is asked."""
    count = pieces.index[piece, PIECE.VERTEX_COUNT]
    is_hollow = write_contour_rows(
        pieces.vertices, pieces.normals, pieces.outlines, pieces.index[piece, PIECE.VERTEX_START], count, loaded.rows
    )
    for k in range(count):
        loaded.rows[k, CONTOUR.OPEN_EDGE] = loaded.rows[k, CONTOUR.OPEN_CORNER] = 1.0
    loaded.pieces[0, CONTOUR_PIECE.COUNT], loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] = count, int(is_hollow)
    loaded.sizes[0, CONTOUR_SIZE.RADIUS] = pieces.size[piece, PIECE_SIZE.RADIUS]


@device
def in_body(body, bodies, x, y):
    """A point of the world [m] from a body's centre of mass, in its axes."""
    pose = body_pose(body, bodies)
    return rotate_vector_back(pose, x - pose.x, y - pose.y)


@stage
def list_astray(rows: Ints, are_all: bool, bodies: Bodies, pieces: Pieces, slack: float, nearby: Nearby, start: int):
    """List those of some pieces that their fat boxes do not hold, or `are_all`, with boxes grown by `slack` [m].

    They stand behind the first `start` of nearby.astray, which has room for all; `rows` may be what stands there now.
    What has no end is left out: it is listed elsewhere. Writes nearby.astray, astray_box and astray_count.
    """
    astray, box = nearby.astray, nearby.astray_box
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
            astray[count] = piece
            box[count, BOX.MIN_X], box[count, BOX.MIN_Y] = low_x - slack, low_y - slack
            box[count, BOX.MAX_X], box[count, BOX.MAX_Y] = high_x + slack, high_y + slack
            count += 1
    nearby.astray_count[0] = count


@subroutine
def find_in_box(low_x, low_y, high_x, high_y, scene):
    """List the pieces that are asked and may meet a box [m] in scene.candidates; return how many they are.

    Some may be there twice.
    """
    nearby, hits, candidates = scene.nearby, scene.hits, scene.candidates
    count = 0
    for number in range(leaves_in_box(nearby.tree, low_x, low_y, high_x, high_y, hits)):
        if is_asked(hits[number], scene):
            candidates[count] = hits[number]
            count += 1
    for number in range(pieces_in_box(nearby.strips, low_x, low_y, high_x, high_y, hits)):
        if is_asked(hits[number], scene):
            candidates[count] = hits[number]
            count += 1
    box = nearby.astray_box
    for k in range(nearby.astray_count[0]):
        is_near = boxes_touch(
            box[k, BOX.MIN_X], box[k, BOX.MIN_Y], box[k, BOX.MAX_X], box[k, BOX.MAX_Y],
            low_x, low_y, high_x, high_y,
        )  # fmt: skip
        if is_near and is_asked(nearby.astray[k], scene):
            candidates[count] = nearby.astray[k]
            count += 1
    for piece in nearby.unbounded:
        if is_asked(piece, scene):
            candidates[count] = piece
            count += 1
    return count
