"""What the seams keep for each piece, and the scratch space of their kernels."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import grown
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.lookup.static_tree import Tree

# seam_state
ABSENT, PLAIN, SEAMED = 0, 1, 2

# seam_source: how the piece comes out of its shape, and its number of vertices
SOURCE_KIND, SOURCE_START, SOURCE_COUNT = 0, 1, 2

# link_bounds
SAME_POSE, PARTING = 0, 1

# near_edge
STRAIGHT, BENT, JOINED = 0, 1, 2

# near_sides
X, Y, NORMAL_X, NORMAL_Y, LEAVING_X, LEAVING_Y, ARRIVING_X, ARRIVING_Y = range(8)

# change
ROW, OUT_START, COUNT = 0, 1, 2
BACK, IN_PLACE = 0, -1
"""`COUNT` of a piece that is as its shape made it again, and of one whose stored run was written over."""


class LinkTable(Bundle):
    """The kinematic pieces that may have links, and the links, see `links.py`."""

    rows: Ints
    """The pieces (n,) int64."""
    velocities: FloatTable
    """Those of their bodies when the links were last listed [m/s, m/s, rad/s] (n, 3)."""
    links: IntTable
    """Two pieces each, the lower row first, sorted (k, 2) int64."""
    poses: FloatTable
    """How the second was seen from the first: x, y [m], cosine, sine (k, 4)."""
    bounds: Floats
    """Up to which difference two pieces are in the same pose [m], and up to which speed they move as one [m/s] (2,)."""
    tree: Tree
    """The kinematic pieces by place."""
    room: IntTable
    """Scratch: the links that there are now, in no order (r, 2) int64."""


class PieceTrees(Bundle):
    """Where pieces are."""

    still: Tree
    """The static ones."""
    moving: Tree
    """The kinematic ones."""


class SeamColumns(Bundle):
    """One row per piece."""

    state: Ints
    """ABSENT: takes no part; PLAIN: as its shape made it; SEAMED: with an outline of its own (p,) int64."""
    source: IntTable
    """Kind, first vertex and vertex count that the shape gave the piece (p, 3) int64."""
    shortest: Floats
    """Length of the shortest edge [m] (p,)."""
    box: FloatTable
    """Where the piece was found at the last update [m] (p, 4)."""
    is_listed: Ints
    """Scratch: 1 where a piece is on the list at hand (p,) int64."""
    neighbour: Ints
    """Scratch: which number a piece has in `Neighbours` (p,) int64."""
    hits: Ints
    """Scratch: pieces whose boxes meet (p,) int64."""
    affected: Ints
    """Scratch: pieces whose outline has to be looked at again (p,) int64."""


class Neighbours(Bundle):
    """A piece, number 0, and those around it, in the axes of its body with its body's centre as origin."""

    row: Ints
    """Piece row (n,) int64."""
    start: Ints
    """First vertex (n + 1,) int64."""
    tolerance: Floats
    """Length that counts as nothing between the piece and number 0 [m] (n,)."""
    is_own: Flags
    """Whether it is of the same body as number 0 (n,) bool."""
    is_straight: Flags
    """Whether all its edges are straight (n,) bool."""
    outranks: Flags
    """Whether it keeps a surface that both have (n,) bool."""
    nearby: Ints
    """Scratch: the numbers of those that may touch one place (n,) int64."""
    sides: FloatTable
    """Corner [m], and of the edge from there to the next its outward unit normal, and the surface's normals where it
    leaves the corner and where it arrives at the next, which are others where it is an arc (v, 8)."""
    edge: Ints
    """STRAIGHT, BENT (an arc) or JOINED (without length) (v,) int64."""
    is_round: Flags
    """Whether the corner is an arc (v,) bool."""


class Runs(Bundle):
    """Parts of one edge, as distances from its start [m]; each array is (n,)."""

    low: Floats
    high: Floats
    tolerance: Floats
    flush_low: Floats
    flush_high: Floats
    flush_tolerance: Floats
    flush_height: Floats
    """How far the other surface is above the edge [m]."""
    flush_outranks: Flags
    """Whether the other piece keeps the surface (bool)."""


class Out(Bundle):
    """New outlines before they go into the pools, one after the other."""

    vertices: FloatTable
    """Corners [m] (m, 2)."""
    normals: FloatTable
    """Edge normals (m, 2)."""
    outlines: FloatTable
    """Rows as in `shapes/outline.py` (m, 12)."""
    changes: IntTable
    """Piece row, where its vertices start here, their number or BACK or IN_PLACE (p, 3) int64."""


class Scratch(Bundle):
    """All that the making of outlines needs beside the columns."""

    near: Neighbours
    runs: Runs
    solids: FloatTable
    """Directions in which solids around a corner begin and end, counter-clockwise (2 n + 2, 4)."""
    out: Out


def seam_columns(capacity: int) -> SeamColumns:
    return SeamColumns(
        state=np.zeros(capacity, np.int64),
        source=np.zeros((capacity, 3), np.int64),
        shortest=np.zeros(capacity),
        box=np.zeros((capacity, 4)),
        is_listed=np.zeros(capacity, np.int64),
        neighbour=np.zeros(capacity, np.int64),
        hits=np.zeros(capacity, np.int64),
        affected=np.zeros(capacity, np.int64),
    )


def grown_columns(columns: SeamColumns, capacity: int) -> SeamColumns:
    return SeamColumns(*(grown(column, capacity) for column in columns))


def make_scratch(near: int, vertices: int, out: int, changes: int) -> Scratch:
    """Scratch for so many neighbours, vertices of neighbours, vertices of new outlines and changed pieces."""
    return Scratch(
        Neighbours(
            row=np.zeros(near, np.int64),
            start=np.zeros(near + 1, np.int64),
            tolerance=np.zeros(near),
            is_own=np.zeros(near, np.bool_),
            is_straight=np.zeros(near, np.bool_),
            outranks=np.zeros(near, np.bool_),
            nearby=np.zeros(near, np.int64),
            sides=np.zeros((vertices, 8)),
            edge=np.zeros(vertices, np.int64),
            is_round=np.zeros(vertices, np.bool_),
        ),
        Runs(
            low=np.zeros(near),
            high=np.zeros(near),
            tolerance=np.zeros(near),
            flush_low=np.zeros(near),
            flush_high=np.zeros(near),
            flush_tolerance=np.zeros(near),
            flush_height=np.zeros(near),
            flush_outranks=np.zeros(near, np.bool_),
        ),
        np.zeros((2 * near + 2, 4)),
        Out(
            vertices=np.zeros((out, 2)),
            normals=np.zeros((out, 2)),
            outlines=np.zeros((out, OUTLINE.WIDTH)),
            changes=np.zeros((changes, 3), np.int64),
        ),
    )
