"""How the joints that are awake are laid out for the solver: in blocks of eight, one joint to a lane.

A tree of joints is solved from its leaves to its root and back. Of each joint the body nearer to the root is the
*parent*, the other one the *child*. All joints of a block are of one kind and stand equally deep, and no two have the
same parent; blocks stand deepest first. So what a block does to its parents is complete before any other block reads
it. Behind them stand the blocks of the webs, where a body may be in several lanes. Row 0 of the bodies is immovable:
the world, all static bodies, and both bodies of an empty lane.

A joint is up to three rows, e_i = J_c,i v_c - J_p,i v_p, with J = (n, arm): n along x and y, and the arm about the
centre of mass, which is 1 where n is 0 for a row that is an angle. A row that a joint does not have is 0, and so is
what comes of it. The fourth row is the free coordinate, which limits and motors act on.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.compiled.arrays import Flags, FlagTable, FloatCube, FloatTable, IntCube, Ints
from ecs_collide.compiled.bundle import Bundle
from ecs_collide.compiled.simd import LANES, lane_array
from ecs_collide.engine.joints.forest.web import Web, lay_web

# block_index, each for eight lanes
CHILD, PARENT, JOINT, CHILD_BODY, PARENT_BODY, TREE = range(6)
INDEX_WIDTH = 6
NONE = -1
"""Tree of an empty lane; its joint is that in row 0, which holds nothing, and its bodies are not there."""

# block_field, each for eight lanes. What stays for the step: 1 where B is the child and -1 where A is; the arms, the
# way from centre to centre, the axis and the angle as they are at its start; the spring; whether the third row is rigid
# without one; the part of the chord term that is used; 1 where the tree has a contact
SIGN, ARM_A, ARM_B, OFFSET, AXIS, ANGLE, REST = 0, 1, 3, 5, 7, 9, 10
OMEGA, DAMPING, IS_SOFT, IS_RIGID, CHORD, TOUCHED = 11, 12, 13, 14, 15, 16

# What changes in each substep: the four rows, at ROW + 4 i, and how far each of them gapes, at ERROR + i ...
ROW = 17
NORMAL_X, NORMAL_Y, ARM_CHILD, ARM_PARENT = range(4)
ROW_WIDTH = 4
FREE_ROW = ROW + 3 * ROW_WIDTH
ERROR = 33
FREE = ERROR + 3
# ... of three of them the compliance, the bias of the velocity, the impulses, and room for what nobody asks for
GAMMA, BIAS, IMPULSE, NOTHING, LOST = 37, 40, 43, 46, 49
# ... and the factors: H = W_c J_c^T, N = (J_c H + Gamma)^-1, G = W_p J_p^T S^-1, row by row
H, N, G = 52, 61, 67

# Where the anchors are now: from the centres of mass of child and parent, and from A's to B's
AT_CHILD, AT_PARENT, GAP = 76, 78, 80
# What the joint has borne in the step so far, on B: along x and y [N s], and as a torque [N m s]
BORNE = 82
# What limits, motors and friction have given in the substep so far, by `extra_rows` [N s, N m s]
GIVEN = 85
# What it has borne of late in a substep, on the child, along x and y [N s]
PULL_ON_CHILD = 90
# 1 where the child and the parent are bodies, 0 where they are the world, or the lane is empty
HAS_CHILD, HAS_PARENT = 92, 93
# Inverse masses and inertias of child and parent in this step, as in tree_spin, three each
MASS_OF_CHILD, MASS_OF_PARENT = 94, 97
WIDTH = 100

# tree_spin, of each body: inverse masses [1/kg], inverse inertia with the joints' pull, and that pull [N s m]; then
# what the pull of rods adds to its mass [kg], and 1 where a joint takes hold of it beside its centre of mass
MASS_X, MASS_Y, INERTIA, PULL = range(4)
ROD_XX, ROD_YY, ROD_XY, SWINGS = 4, 5, 6, 7

# is_alone: sides of a block
OF_CHILD, OF_PARENT = range(2)

# tree_response, of each body: the inverse mass matrix of it and all that hangs on it, symmetric
XX, YY, WW, XY, XW, YW = range(6)
RESPONSE_WIDTH = 8

# tree_pace: the part of a projection, and how far a body may be moved [m] and turned [rad]
PART, WAY, TURN = range(3)

# tree_counts
IN_TREES, BLOCKS, BROKEN = range(3)


class Trees(Bundle):
    """The joints that are awake, as kernels take them."""

    index: IntCube  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """Solver rows of child and parent, joint, body rows of both, tree (blocks, 6, 8) int64."""
    field: FloatCube
    """The fields above (blocks, 100, 8)."""
    block_kind: Ints
    """Kind of the joints in each block (blocks,) int64."""
    is_pin: Flags
    """Whether all joints of a block are pins with two rows, see `pins.py` (blocks,) bool."""
    is_alone: FlagTable
    """Whether the children, and the parents, of a block are as they are by themselves when it is factored: nothing
    hangs on them yet, and no rod stiffens them (blocks, 2) bool."""
    begun: Ints
    """All others that are asked for what they answer with before anything hangs on them, as places in `members` (k,)
    int64."""
    members: Ints
    """Body rows of all bodies of the joints, but static ones (m,) int64."""
    row: Ints
    """And their solver rows, in this step (m,) int64."""
    tree: Ints
    """Tree of each body row, -1 where there is none (n,) int64."""
    is_touched: Flags
    """Whether a body of the tree has a contact in this step (trees,) bool."""
    pace: FloatTable
    """How much of a projection a tree makes, from 0 to 1, and how far its bodies may go (trees, 3)."""
    listed: Ints
    """Rows of all the joints, tree by tree (j,) int64."""
    counts: Ints
    """Blocks of the trees, blocks in all, and how many joints bore more than they can (3,) int64."""
    web: Web
    """Those between the bodies of loops."""


class BodyTables(Bundle):
    """What the joints' solver keeps of each body, by solver row."""

    spin: FloatTable
    """Inverse masses, inverse inertia, pull, and what rods add to the mass (rows, 8)."""
    alone: FloatTable
    """The inverse mass matrix of a body by itself, as `response` has it (rows, 8)."""
    response: FloatTable
    """The articulated inverse mass matrix (rows, 8)."""
    shift: FloatTable
    """What a projection moves [m, rad] (rows, 4)."""
    extra: FloatTable
    """What limits and motors add (rows, 4)."""
    unsolved: FloatTable
    """The velocity that a repeated solve began with [m/s, rad/s] (rows, 4)."""


def body_tables(rows: int) -> BodyTables:
    """Room for bodies in so many solver rows."""
    return BodyTables(*(lane_array((rows, width)) for width in (8, RESPONSE_WIDTH, RESPONSE_WIDTH, 4, 4, 4)))


def empty_trees(bodies: int) -> Trees:
    """No joints."""
    none, numbers = np.zeros(0, np.int64), np.zeros((0, INDEX_WIDTH, LANES), np.int64)
    return Trees(
        numbers,
        lane_array((0, WIDTH, LANES)),
        none,
        np.zeros(0, np.bool_),
        np.zeros((0, 2), np.bool_),
        none,
        none,
        none,
        np.full(bodies, NONE, np.int64),
        np.zeros(0, np.bool_),
        np.zeros((0, 3)),
        none,
        np.zeros(3, np.int64),
        lay_web([], [], none),
    )
