"""Arrays of the seams (internal edges) for each piece, and the scratch space of their kernels."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import VELOCITY
from ecs_collide.data.growth import grown
from ecs_collide.data.pieces import BOX
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.lookup.static_tree import Tree

# seam_state
ABSENT, PLAIN, SEAMED = 0, 1, 2
"""Values of `SeamColumns.state`."""

SOURCE = layout(
    "piece as its shape made it", KIND="`PieceKind`", START="first vertex in the pool", COUNT="number of vertices"
)

LINK = layout("link", FIRST="row of one piece, the lower one", SECOND="row of the other piece")

LINK_POSE = layout(
    "pose of a link",
    X="position, x [m]",
    Y="position, y [m]",
    COS="cosine of the angle",
    SIN="sine of the angle",
)

LINK_BOUND = layout(
    "bounds of links",
    SAME_POSE="largest difference of two poses that count as equal [m]",
    PARTING="largest speed at which two pieces part and still move as one [m/s]",
)

# near_edge
STRAIGHT, BENT, JOINED, LINE_BACK = 0, 1, 2, 3
"""Values of `Neighbours.edge`."""

SIDE = layout(
    "corner of a neighbour and the edge that leaves it",
    X="corner, x [m]",
    Y="corner, y [m]",
    NORMAL_X="outward unit normal of the edge, x",
    NORMAL_Y="outward unit normal of the edge, y",
    LEAVING_X="normal of the surface where it leaves the corner, x",
    LEAVING_Y="normal of the surface where it leaves the corner, y",
    ARRIVING_X="normal of the surface where it arrives at the next corner, x",
    ARRIVING_Y="normal of the surface where it arrives at the next corner, y",
)

SECTOR = layout(
    "solid sector",
    FROM_X="direction in which it begins, x",
    FROM_Y="direction in which it begins, y",
    TO_X="direction in which it ends, counter-clockwise, x",
    TO_Y="direction in which it ends, counter-clockwise, y",
)

CHANGE = layout(
    "changed outline",
    ROW="row of the piece",
    OUT_START="first row of the new outline in `Out`",
    COUNT="number of its corners, `BACK` or `IN_PLACE`",
)
BACK, IN_PLACE = 0, -1
"""Values of `CHANGE.COUNT`: the piece is as its shape made it again, or its stored outline was overwritten."""


class LinkTable(Bundle):
    """The kinematic pieces that may have links, and the links, see `links.py`."""

    rows: Ints
    """Rows of the pieces (n,) int64."""
    velocities: FloatTable = rows_of(VELOCITY)
    """Velocities of their bodies when the links were last listed [m/s, m/s, rad/s] (n, 3)."""
    links: IntTable = rows_of(LINK)
    """Sorted links, columns of `LINK` (k, 2) int64."""
    poses: FloatTable = rows_of(LINK_POSE)
    """Pose of the second body of each link relative to the first, columns of `LINK_POSE` (k, 4)."""
    bounds: Floats
    """Columns of `LINK_BOUND` (2,)."""
    tree: Tree
    """Tree of the kinematic pieces."""
    room: IntTable = rows_of(LINK)
    """Scratch space: present links, unsorted (r, 2) int64."""


class PieceTrees(Bundle):
    """Trees of the pieces that seams look up."""

    still: Tree
    """Tree of the static pieces."""
    moving: Tree
    """Tree of the kinematic pieces."""


class SeamColumns(Bundle):
    """Seam columns, one row for each piece."""

    state: Ints
    """ABSENT: takes no part; PLAIN: as its shape made it; SEAMED: has a stored outline (p,) int64."""
    source: IntTable = rows_of(SOURCE)
    """The piece as its shape made it, columns of `SOURCE` (p, 3) int64."""
    shortest: Floats
    """Length of the shortest edge [m] (p,)."""
    box: FloatTable = rows_of(BOX)
    """Fat box of the piece at the last update [m] (p, 4)."""
    is_listed: Ints
    """Scratch space: 1 if the piece is on the present list (p,) int64."""
    neighbour: Ints
    """Scratch space: number of the piece in `Neighbours` (p,) int64."""
    hits: Ints
    """Scratch space: pieces whose boxes overlap (p,) int64."""
    affected: Ints
    """Scratch space: pieces whose outline has to be made anew (p,) int64."""


class Neighbours(Bundle):
    """A piece, number 0, and its neighbours, in the axes of its body around the body's centre of mass."""

    row: Ints
    """Piece row (n,) int64."""
    start: Ints
    """First vertex (n + 1,) int64."""
    tolerance: Floats
    """Largest length between the piece and number 0 that counts as zero [m] (n,)."""
    is_own: Flags
    """True if the piece belongs to the same body as number 0 (n,) bool."""
    is_straight: Flags
    """True if all edges of the piece are straight (n,) bool."""
    outranks: Flags
    """True if the piece keeps a surface that both have (n,) bool."""
    nearby: Ints
    """Scratch space: numbers of the neighbours that may touch a point (n,) int64."""
    sides: FloatTable = rows_of(SIDE)
    """Corners and edges, columns of `SIDE` (v, 8)."""
    edge: Ints
    """STRAIGHT, BENT (an arc), JOINED (no length) or LINE_BACK (of a one-sided line) (v,) int64."""
    is_round: Flags
    """True if the corner is an arc (v,) bool."""


class Runs(Bundle):
    """Intervals of one edge, as distances from its start [m]; each array is (n,)."""

    low: Floats
    """Start of a covered interval."""
    high: Floats
    """End of a covered interval."""
    tolerance: Floats
    """Largest length that counts as zero."""
    flush_low: Floats
    """Start of an interval that is flush with another surface."""
    flush_high: Floats
    """End of an interval that is flush with another surface."""
    flush_tolerance: Floats
    """Largest length that counts as zero for a flush interval."""
    flush_height: Floats
    """Height of the other surface above the edge [m]."""
    flush_outranks: Flags
    """True if the other piece keeps the surface (bool)."""


class Out(Bundle):
    """New outlines, one after the other, before they are copied to the pools."""

    vertices: FloatTable = rows_of(2)
    """Corners [m] (m, 2)."""
    normals: FloatTable = rows_of(2)
    """Edge normals (m, 2)."""
    outlines: FloatTable = rows_of(OUTLINE)
    """Outline rows, columns of `OUTLINE` (m, 12)."""
    changes: IntTable = rows_of(CHANGE)
    """Changed pieces, columns of `CHANGE` (p, 3) int64."""


class Scratch(Bundle):
    """Scratch space in which outlines are made."""

    near: Neighbours
    """The piece and its neighbours."""
    runs: Runs
    """Covered intervals of one edge."""
    solids: FloatTable = rows_of(SECTOR)
    """Solid sectors around a corner, columns of `SECTOR` (2 n + 2, 4)."""
    out: Out
    """New outlines."""


def seam_columns(capacity: int) -> SeamColumns:
    """Return empty seam columns for `capacity` pieces."""
    return SeamColumns(
        state=lane_array((capacity,), np.int64),
        source=lane_array((capacity, SOURCE.WIDTH), np.int64),
        shortest=lane_array((capacity,)),
        box=lane_array((capacity, BOX.WIDTH)),
        is_listed=lane_array((capacity,), np.int64),
        neighbour=lane_array((capacity,), np.int64),
        hits=lane_array((capacity,), np.int64),
        affected=lane_array((capacity,), np.int64),
    )


def grown_columns(columns: SeamColumns, capacity: int) -> SeamColumns:
    """Return a copy of seam columns with room for `capacity` pieces."""
    return SeamColumns(*(grown(column, capacity) for column in columns))


def make_scratch(near: int, vertices: int, out: int, changes: int) -> Scratch:
    """Return scratch space for so many neighbours, vertices of neighbours, new vertices and changed pieces."""
    return Scratch(
        near=Neighbours(
            row=np.zeros(near, np.int64),
            start=np.zeros(near + 1, np.int64),
            tolerance=np.zeros(near),
            is_own=np.zeros(near, np.bool_),
            is_straight=np.zeros(near, np.bool_),
            outranks=np.zeros(near, np.bool_),
            nearby=np.zeros(near, np.int64),
            sides=np.zeros((vertices, SIDE.WIDTH)),
            edge=np.zeros(vertices, np.int64),
            is_round=np.zeros(vertices, np.bool_),
        ),
        runs=Runs(
            low=np.zeros(near),
            high=np.zeros(near),
            tolerance=np.zeros(near),
            flush_low=np.zeros(near),
            flush_high=np.zeros(near),
            flush_tolerance=np.zeros(near),
            flush_height=np.zeros(near),
            flush_outranks=np.zeros(near, np.bool_),
        ),
        solids=np.zeros((2 * near + 2, SECTOR.WIDTH)),
        out=Out(
            vertices=np.zeros((out, 2)),
            normals=np.zeros((out, 2)),
            outlines=np.zeros((out, OUTLINE.WIDTH)),
            changes=np.zeros((changes, CHANGE.WIDTH), np.int64),
        ),
    )
