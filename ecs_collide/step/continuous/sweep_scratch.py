"""Arrays that the sweeps work on: scratch space, and the scene of all columns that they read."""

from __future__ import annotations

import numpy as np

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.bodies import BODY_SPAN, Bodies
from ecs_collide.data.pieces import BOX, Pieces
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.step.continuous.body_motions import BodyMotions

PIECES = layout("pair of pieces", P="piece that is swept", Q="piece that may stop it")
DISABLED = layout("disabled pair of pieces", after=PIECES, IS_SILENT="1 if neither is notified of the overlap, else 0")
CROSSED = layout("crossed pair of pieces", after=PIECES, ROLE="roles of the pair, see `data/pairs.py`")


class SweepScratch(Bundle):
    """Scratch space of the sweeps, and the pairs that they find."""

    a: FloatTable = rows_of(CONTOUR)
    """Contour of the first piece, see CONTOUR (c, 15)."""
    b: FloatTable = rows_of(CONTOUR)
    """Contour of the second piece (c, 15)."""
    placed: FloatTable = rows_of(CONTOUR)
    """Contour of the second piece relative to the first one (c, 15)."""
    disabled: IntTable = rows_of(DISABLED)
    """Pairs of pieces that do not collide in this step, see DISABLED: one-way ones, and those that a game disables
    (o, 3) int64."""
    disabled_count: Ints
    """Number of these pairs (1,) int64."""
    fast: Ints
    """Pieces of the bodies that are swept (p,) int64."""
    box: FloatTable = rows_of(BOX)
    """Box of the swept path of each of these pieces, see BOX [m] (p, 4)."""
    nearby: Ints
    """Other moving pieces near a swept path (p,) int64."""
    stopping: Ints
    """Rows in `fast` of the pieces at which other moving pieces stop, ascending (p,) int64."""
    candidates: IntTable = rows_of(PIECES)
    """Sweep candidates, see PIECES: a fast piece and one that may stop it, or a slow one and a fast kinematic one
    (n, 2) int64."""
    bullets: IntTable = rows_of(PIECES)
    """Pairs of pieces of dynamic bodies of which one is a bullet, and whose paths may meet, see PIECES (m, 2) int64."""
    crossed: IntTable = rows_of(CROSSED)
    """Pairs of pieces that met but are not solid to each other, such as sensors, see CROSSED (c, 3) int64."""


class SweepScene(Bundle):
    """Columns and scratch space of the sweeps."""

    bodies: Bodies
    pieces: Pieces
    span: FloatTable = rows_of(BODY_SPAN)
    """Core and extent of each body, see BODY_SPAN (n, 2)."""
    motions: BodyMotions
    scratch: SweepScratch
    trees: Ints
    """Joint tree of each body, -1 if it is in none; empty if no body is in a tree (n,) int64."""
    slop: float
    """Slop [m]."""


def new_scratch() -> SweepScratch:
    """Return empty scratch space."""
    return SweepScratch(
        a=np.zeros((0, CONTOUR.WIDTH)),
        b=np.zeros((0, CONTOUR.WIDTH)),
        placed=np.zeros((0, CONTOUR.WIDTH)),
        disabled=np.zeros((0, DISABLED.WIDTH), np.int64),
        disabled_count=np.zeros(1, np.int64),
        fast=np.zeros(0, np.int64),
        box=np.zeros((0, BOX.WIDTH)),
        nearby=np.zeros(0, np.int64),
        stopping=np.zeros(0, np.int64),
        candidates=np.zeros((0, PIECES.WIDTH), np.int64),
        bullets=np.zeros((0, PIECES.WIDTH), np.int64),
        crossed=np.zeros((0, CROSSED.WIDTH), np.int64),
    )
