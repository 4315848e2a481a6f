"""How the joints that are awake are laid out for the solver: in blocks of eight, one joint to a lane.

A tree of joints is solved from its leaves to its root and back. Of each joint the body nearer to the root is the
*parent*, the other one the *child*. All joints of a block are of one kind and stand equally deep, and no two have the
same parent; blocks stand deepest first. So what a block does to its parents is complete before any other block reads
it. Behind them stand the blocks of the webs, where a body may be in several lanes.

What the solver knows of the bodies stands lane by lane too, in *seats*: seat block k has the children of block k, and
behind those sit the roots and the bodies of webs. Where a block's parents sit in the same lanes of one seat block, as
in trees of equal shape, nothing has to be gathered or scattered to go through it; only few blocks are otherwise. The
world sits in the child's seat of each of its joints; so does a kinematic body, in each.

Many trees are parted into *groves*, of which each has blocks and seats of its own, one behind the other: those that
have no contact make all substeps of one grove after the other.

A joint is up to three rows, e_i = J_c,i v_c - J_p,i v_p, with J = (n, arm): n along x and y, and the arm about the
centre of mass, which is 1 where n is 0 for a row that is an angle. A row that a joint does not have is 0, and so is
what comes of it. The fourth row is the free coordinate, which limits and motors act on.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, IntCube, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees.loop_layout import NO_WEB, Web

# block_index, each for eight lanes: where the seats of child and parent are in `numbers`; joint; body rows; tree
CHILD, PARENT, JOINT, CHILD_BODY, PARENT_BODY, TREE = range(6)
INDEX_WIDTH = 6
NONE = -1
"""Tree of an empty lane; its joint is that in row 0, which holds nothing, and its bodies are not there."""

# seat, each for eight lanes: velocity [m/s, rad/s], movement since the step began [m, rad], and how far it is turned by
# that; what a projection moves, and what limits and motors add; what a substep adds to the velocity, and the factor of
# damping; inverse masses [1/kg], inverse inertia with the joints' pull, that pull [N s m], and the body's own inverse
# inertia; 1 where a joint takes hold of it beside its centre of mass, and 1 where anybody sits there
VX, VY, W, DX, DY, DA, COS, SIN = range(8)
SHIFT, EXTRA, GAIN, FACTOR = 8, 11, 14, 17
MASS_X, MASS_Y, INERTIA, PULL, OWN_INERTIA, SWINGS, IS_TAKEN = range(20, 27)
# ... and, in the order of `Symmetric`, the inverse mass matrix of the body and of all that hangs on it
RESPONSE = 27
SEAT_WIDTH = 33

# seat_index, each for eight lanes: body row, the solver's row in this step (0 where nothing moves it), tree; and where
# the body's numbers are looked up, which is row 0 where nobody sits
SEAT_BODY, SEAT_ROW, SEAT_TREE, SEAT_PLACE = range(4)
SEAT_INDEX_WIDTH = 4

# block_field, each for eight lanes. What stays for the step: 1 where B is the child and -1 where A is; as they are at
# its start the arms of child and parent, the way from the parent's centre to the child's, the axis, and the angle of
# the child against the parent; the spring; whether the third row is rigid without one; the part of the chord term that
# is used, by the substep [1/s]; 1 where the tree has a contact
SIGN, START_CHILD, START_PARENT, OFFSET, AXIS, ANGLE, REST = 0, 1, 3, 5, 7, 9, 10
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

# Where the anchors are now, but for pins, whose rows say it: from the centres of mass of child and parent, and from A's
# to B's
AT_CHILD, AT_PARENT, GAP = 76, 78, 80
# What the joint has borne in the step so far, on the child: along x and y [N s], and as a torque [N m s]
BORNE = 82
# What limits, motors and friction have given in the substep so far, by `extra_rows` [N s, N m s]
GIVEN = 85
# What it has borne of late in a substep, on the child, along x and y [N s]
PULL_ON_CHILD = 90
# 1 where the child and the parent are bodies, 0 where they are the world, or the lane is empty
HAS_CHILD, HAS_PARENT = 92, 93
# How fast its sides parted before a solve, less the bias, row by row [m/s, rad/s]
PARTED = 94
WIDTH = 97

# tree_pace: the part of a projection, and how far a body may be moved [m] and turned [rad]; what the rigid rows of the
# tree have given to its bodies in a solve [J], and what they give without the chord
PART, WAY, TURN, WORK, LEAST_WORK = range(5)
PACE_WIDTH = 5

# grove, and what of it is gone through now (`span`): the first block, the first one behind the trees and the one behind
# the webs, the first seat block, and the one behind the last
FIRST, IN_TREES, STOP, FIRST_SEAT, STOP_SEAT = range(5)
ALL = 0
"""The row of `grove` that is the whole forest."""


class Trees(Bundle):
    """The joints that are awake, as kernels take them."""

    index: IntCube  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """The numbers above (blocks, 6, 8) int64."""
    field: FloatCube
    """The fields above (blocks, 97, 8)."""
    seat: FloatCube
    """What is known of the bodies, see above (seats, 33, 8)."""
    numbers: Floats
    """The same, one number behind the other (seats * 33 * 8,)."""
    seat_index: IntCube
    """Who sits where (seats, 4, 8) int64."""
    straight: IntTable
    """The seat blocks of a block's children and parents where these sit in the block's own lanes, else -1 (blocks, 2)
    int64."""
    has_others: Flags
    """Whether the lanes of a block belong to other trees than those of the block before it (blocks,) bool."""
    grove: IntTable
    """Where the whole forest is, and then each grove (groves + 1, 5) int64."""
    span: Ints
    """What of it is gone through now: one of these rows (5,) int64."""
    passing: FloatTable
    """Scratch space: what comes from seats in other lanes, or goes there (6, 8)."""
    block_kind: Ints
    """Kind of the joints in each block (blocks,) int64."""
    is_pin: Flags
    """Whether all joints of a block are pins with two rows, see `pins.py` (blocks,) bool."""
    members: Ints
    """Body rows of all bodies of the joints, but static ones (m,) int64."""
    row: Ints
    """And their solver rows, in this step (m,) int64."""
    tree: Ints
    """Tree of each body row, -1 where there is none (n,) int64."""
    is_touched: Flags
    """Whether a body of the tree has a contact in this step (trees,) bool."""
    chosen: Flags
    """Which trees a solve is for that is not for all (trees,) bool."""
    is_chosen: Flags
    """Whether any joint of a block is in one of these, or in a web (blocks,) bool."""
    pace: FloatTable
    """How much of a projection a tree makes, how far its bodies may go, and work, see above (trees, 5)."""
    listed: Ints
    """Rows of all the joints, tree by tree (j,) int64."""
    broken: Ints
    """1 where any joint bore more than it can in the last step, else 0 (1,) int64."""
    web: Web
    """Those between the bodies of loops."""


def empty_trees(bodies: int) -> Trees:
    """No joints."""
    none, numbers = np.zeros(0, np.int64), np.zeros((0, INDEX_WIDTH, LANES), np.int64)
    return Trees(
        numbers,
        lane_array((0, WIDTH, LANES)),
        lane_array((0, SEAT_WIDTH, LANES)),
        np.zeros(0),
        np.zeros((0, SEAT_INDEX_WIDTH, LANES), np.int64),
        np.zeros((0, 2), np.int64),
        np.zeros(0, np.bool_),
        np.zeros((1, 5), np.int64),
        np.zeros(5, np.int64),
        lane_array((6, LANES)),
        none,
        np.zeros(0, np.bool_),
        none,
        none,
        np.full(bodies, NONE, np.int64),
        np.zeros(0, np.bool_),
        np.zeros(0, np.bool_),
        np.zeros(0, np.bool_),
        np.zeros((0, PACE_WIDTH)),
        none,
        np.zeros(1, np.int64),
        NO_WEB,
    )
