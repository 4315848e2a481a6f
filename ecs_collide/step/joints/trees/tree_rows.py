"""Arrays of the joint solver: joints in blocks of eight, bodies in lanes.

A tree of joints is solved from its leaves to its root and back. The body of a joint that is nearer to the root is the
*parent*, the other one is the *child*. All joints of a block have one kind and one depth, and no two share a parent.
Blocks stand deepest first, so a block's effect on its parents is complete before another block reads it. The blocks of
joint loops stand behind the trees; a body may be in several lanes of such a block.

Bodies stand in blocks of eight lanes as well. Lane block k holds the children of joint block k. Behind these stand the
roots and the bodies of loops. If the parents of a block occupy the same lanes of one lane block, nothing is gathered or
scattered. This holds for most blocks of equal trees. The world and kinematic bodies occupy a lane for each of their
joints.

Many trees are split into *tree batches*, each with consecutive joint blocks and lane blocks. Trees without contacts
make all substeps of one batch before the next batch begins, so that its data stays in the processor's cache.

A joint has up to three constraint rows, e_i = J_c,i v_c - J_p,i v_p, with J = (n, arm). n is a direction, and arm the
lever arm about the centre of mass; an angle has n = 0 and arm = 1. A row that a joint does not have is 0. The fourth
row is the free coordinate, on which limits and motors act.
"""

from __future__ import annotations

from operator import le

import numpy as np

from ecs_collide.data.growth import is_spacious, next_capacity
from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, IntCube, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees.loop_layout import NO_LOOPS, Loops

NONE = -1
"""Tree of an empty lane. Its joint is row 0, which is no joint's, and its bodies are missing."""

ENDS = layout("pair of ends of a joint", CHILD="place of the child's lane", PARENT="place of the parent's lane")

INDEX = layout(
    "joint block index",
    after=ENDS,  # places in `lane_numbers`
    JOINT="joint row",
    CHILD_BODY="body row of the child, 0 if it has none",
    PARENT_BODY="body row of the parent, 0 if it has none",
    TREE="number of the tree, NONE in an empty lane",
    HAS_CHILD="1 if the child is a body, 0 if it is the world or the lane is empty",
    HAS_PARENT="1 if the parent is a body, 0 if it is the world or the lane is empty",
)

ROW = layout(
    "constraint row",
    NORMAL_X="direction, x; 0 for an angle",
    NORMAL_Y="direction, y; 0 for an angle",
    ARM_CHILD="lever arm about the child's centre of mass [m]; 1 for an angle",
    ARM_PARENT="lever arm about the parent's centre of mass [m]; 1 for an angle",
)
FREE_COORDINATE = 3
"""Number of the row that is the free coordinate."""

BLOCK = layout(
    "joint block",
    # for the whole step
    SIGN="1 if B is the child, -1 if A is",
    START_CHILD=("anchor of the child from its centre of mass, at the start of the step [m]", 2),
    START_PARENT=("anchor of the parent from its centre of mass, at the start of the step [m]", 2),
    OFFSET=("from the parent's centre of mass to the child's, at the start of the step [m]", 2),
    AXIS=("axis of the joint at the start of the step, world frame", 2),
    ANGLE="angle of the child against the parent, at the start of the step [rad]; of a gear, the error of B",
    REST="rest length at the end of the step [m]",
    RATE="speed of the rest length or reference angle of a rigid row, B against A [m/s, rad/s]",
    LIMIT_RATE=("speed of the lower and the upper limit [m/s, rad/s]", 2),
    ROPE_CHILD=("from the fixed point of a pulley to the anchor of the child, at the start of the step [m]", 2),
    ROPE_PARENT=("from the fixed point of a pulley to the anchor of the parent, at the start of the step [m]", 2),
    OMEGA="angular frequency of the spring [rad/s]; 0 without a spring",
    DAMPING="damping ratio of the spring",
    STIFFNESS="stiffness of a spring that is given by it [N/m, N m/rad]; 0 for none",
    VISCOSITY="damping of a spring that is given by it [N s/m, N m s/rad]; 0 for none",
    RIGIDITY="factor of the third row if it has no spring: 1 for a rigid row, 0 for none",
    MOTOR_MAX="greatest impulse of a tree motor in a substep, 0 if there is none [N s, N m s]",
    MOTOR_SPEED="speed of a tree motor, child against parent [m/s, rad/s]",
    SLIP="direction of the impulse of a tree motor that slips, -1 or 1; 0 if it holds",
    CHORD="rate of the chord correction [1/s]; 0 in a touched tree",
    KEPT=("factor of each row: 1, or 0 if it is a bounded row instead, see `released_rows.py`", 3),
    # for a substep
    ROWS=("three constraint rows and the free coordinate", 4 * ROW.WIDTH),
    ERROR=("position error of each row, and the value of the free coordinate [m, rad]", 4),
    GAMMA=("compliance of each row [1/kg, 1/(kg m^2)]", 3),
    BIAS=("velocity bias of each row [m/s, rad/s]", 3),
    IMPULSE=("impulse of each row [N s, N m s]", 3),
    ZERO=("bias of a solve without one: always 0", 3),
    PLAIN_BIAS=("velocity bias without the chord correction [m/s, rad/s]", 3),
    PARTING=("relative velocity of each row before the solve, less the bias [m/s, rad/s]", 3),
    CHORD_IMPULSE=("impulse of each row with the chord correction, see `energy_guard` [N s, N m s]", 3),
    # factors, row by row, see `factor_trees`
    H=("H = W_c J_c^T", 9),
    N=("N = (J_c H + Gamma)^-1", 6),
    G=("G = W_p J_p^T S^-1", 9),
    # anchors now; blocks of pins have them in their rows instead
    ANCHOR_CHILD=("anchor of the child from its centre of mass [m]", 2),
    ANCHOR_PARENT=("anchor of the parent from its centre of mass [m]", 2),
    GAP=("from the anchor on A to the anchor on B [m]", 2),
    # what the joint bears
    LOAD=("impulse on the child in the step so far [N s, N s, N m s]", 3),
    BOUNDED=("impulses of the bounded rows in the substep so far, by their roles [N s, N m s]", 9),
    MEAN_PULL=("impulse on the child in a substep, mean of the last steps [N s]", 2),
)
FREE_ROW = BLOCK.ROWS + FREE_COORDINATE * ROW.WIDTH
"""First column of the row of the free coordinate."""
FREE = BLOCK.ERROR + FREE_COORDINATE
"""Column of the value of the free coordinate [m, rad]."""

LANE = layout(
    "body lane",
    VX="velocity along x [m/s]",
    VY="velocity along y [m/s]",
    W="angular velocity [rad/s]",
    DX="movement along x since the start of the step [m]",
    DY="movement along y since the start of the step [m]",
    DA="rotation since the start of the step [rad]",
    COS="cosine of that rotation",
    SIN="sine of that rotation",
    SHIFT=("movement by a projection [m, m, rad], or velocity before a solve [m/s, m/s, rad/s]", 3),
    ADDED=("what bounded rows add to velocity or movement", 3),
    GAIN=("velocity that outer forces add in a substep [m/s, m/s, rad/s]", 3),
    FACTOR=("damping factor of the velocity in a substep", 3),
    MASS_X="inverse mass along x [1/kg]",
    MASS_Y="inverse mass along y [1/kg]",
    INERTIA="inverse inertia with the pull of the joints [1/(kg m^2)], see `added_inertia`",
    PULL="pull of the joints in a substep [N m s]",
    OWN_INERTIA="inverse inertia of the body alone [1/(kg m^2)]",
    MAX_SPIN="largest spin that a substep can follow [rad/s]",
    RESPONSE=("inverse mass matrix of the body and all that hangs on it, see SYMMETRIC", 6),
)

LANE_INDEX = layout(
    "body lane index",
    BODY="body row, NONE if the lane is not in use",
    SOLVER_ROW="row of the solver in this step, 0 for bodies that it does not move",
    TREE="number of the tree, NONE if it has none",
    GATHERED_BODY="body row, 0 if the lane is not in use",
)

TREE = layout(
    "joint tree",
    SHARE="part of a projection that is made",
    MAX_SHIFT="largest movement of a body by a projection [m]",
    MAX_TURN="largest rotation of a body by a projection [rad]",
    WORK="work of the rigid rows in a solve [J]",
    PLAIN_WORK="work of the rigid rows in a solve without the chord correction [J]",
)

BATCH = layout(
    "tree batch",
    FIRST_BLOCK="first joint block",
    STOP_TREES="joint block behind the trees; those of loops begin there",
    STOP_BLOCK="joint block behind the loops",
    FIRST_LANES="first lane block",
    STOP_LANES="lane block behind the last one",
)
ALL = 0
"""Row of `batches` that stands for all trees together."""
SCRATCH_ROWS = 6
"""Rows of scratch space: as many as a symmetric matrix has numbers."""


TREE_COUNT = layout(
    "numbers of trees and their parts",
    TREES="number of trees",
    JOINTS="number of their joints",
    BODIES="number of the bodies of these joints that are not static",
    BATCHES="number of rows of `batches`",
)


class TreeBlocks(Bundle):
    """The joints whose bodies are awake, as kernels take them. The arrays have spare room behind what is in use."""

    counts: Ints
    """Numbers of what is in use, columns of TREE_COUNT (4,) int64."""
    block_index: IntCube = rows_of(INDEX, LANES)
    """Columns INDEX (blocks, 8, 8) int64."""
    blocks: FloatCube = rows_of(BLOCK, LANES)
    """Columns BLOCK (blocks, BLOCK.WIDTH, 8)."""
    lanes: FloatCube = rows_of(LANE, LANES)
    """Columns LANE (lane blocks, LANE.WIDTH, 8)."""
    lane_numbers: Floats
    """Flat view of `lanes`, for gathering from any lanes (lane blocks * LANE.WIDTH * 8,)."""
    lane_index: IntCube = rows_of(LANE_INDEX, LANES)
    """Columns LANE_INDEX (lane blocks, 4, 8) int64."""
    direct: IntTable = rows_of(ENDS)
    """Columns ENDS: lane blocks that match the block lane by lane, NONE if there are none (blocks, 2) int64."""
    has_new_trees: Flags
    """True if some lane belongs to another tree than the same lane of the block before (blocks,) bool."""
    batches: IntTable = rows_of(BATCH)
    """Columns BATCH: row ALL, then one row for each batch (batches + 1, 5) int64."""
    span: Ints
    """Row of `batches` that kernels work on at present (5,) int64."""
    scratch: FloatTable = rows_of(LANES)
    """Scratch space for numbers from other lanes, or for them (6, 8)."""
    block_kind: Ints
    """Kind of the joints in each block (blocks,) int64."""
    is_pin: Flags
    """True if all joints of a block are pins with two rows, see `pin_blocks.py` (blocks,) bool."""
    has_hinge_motors: Flags
    """True if a block of hinges without springs has motors: pins in a projection, or if all slip (blocks,) bool."""
    has_released: Flags
    """True if a block has rows that are bounded rows instead, see `released_rows.py` (blocks,) bool."""
    bodies: Ints
    """Body rows of all bodies of the joints but static ones (m,) int64."""
    solver_row: Ints
    """Solver rows of these bodies in this step (m,) int64."""
    tree_of_body: Ints
    """Tree of each body row, NONE if it has none (n,) int64."""
    is_touched: Flags
    """True if the tree is solved in rounds in this step, see `tree_motors.py` (trees,) bool."""
    is_bounded: Flags
    """True if a joint of the tree holds by bounded rows (trees,) bool."""
    is_selected: Flags
    """True for the trees of a partial solve (trees,) bool."""
    is_block_selected: Flags
    """True for blocks of selected trees and of loops (blocks,) bool."""
    tree: FloatTable = rows_of(TREE)
    """Columns TREE (trees, 5)."""
    joint_rows: Ints
    """Rows of all joints, tree by tree (j,) int64."""
    joint_lane: Ints
    """Lane of each of these joints: 8 times its block, plus the lane in it (j,) int64."""
    any_overloaded: Ints
    """1 if a joint bore more than its limit in the last step, else 0 (1,) int64."""
    loops: Loops
    """Joints between the bodies of loops."""


def tree_room(
    room: TreeBlocks, *, blocks: int, lane_blocks: int, trees: int, joints: int, batches: int, bodies: int
) -> TreeBlocks:
    """Return `room` if it is large enough for so many of everything and not far too large, else other arrays.

    `batches` counts the row ALL as well. There are exactly as many body rows as `bodies`.
    """
    rooms = len(room.block_kind), len(room.lane_index), len(room.is_touched), len(room.joint_rows), len(room.batches)
    needs = blocks, lane_blocks, trees, joints, batches
    spacious = any(map(is_spacious, rooms, needs))
    if len(room.tree_of_body) == bodies and not spacious and all(map(le, needs, rooms)):
        return room
    return new_trees(bodies, *(needs if spacious else map(next_capacity, rooms, needs)))


def new_trees(bodies: int, blocks: int, lane_blocks: int, trees: int, joints: int, batches: int) -> TreeBlocks:
    """Return room for so many of everything, without any trees."""
    lane_numbers = lane_array((lane_blocks * LANE.WIDTH * LANES,))
    return TreeBlocks(
        counts=np.zeros(TREE_COUNT.WIDTH, np.int64),
        block_index=lane_array((blocks, INDEX.WIDTH, LANES), np.int64),
        blocks=lane_array((blocks, BLOCK.WIDTH, LANES)),
        lanes=lane_numbers.reshape(-1, LANE.WIDTH, LANES),
        lane_numbers=lane_numbers,
        lane_index=lane_array((lane_blocks, LANE_INDEX.WIDTH, LANES), np.int64),
        direct=np.zeros((blocks, ENDS.WIDTH), np.int64),
        has_new_trees=np.zeros(blocks, np.bool_),
        batches=np.zeros((batches, BATCH.WIDTH), np.int64),
        span=np.zeros(BATCH.WIDTH, np.int64),
        scratch=lane_array((SCRATCH_ROWS, LANES)),
        block_kind=np.zeros(blocks, np.int64),
        is_pin=np.zeros(blocks, np.bool_),
        has_hinge_motors=np.zeros(blocks, np.bool_),
        has_released=np.zeros(blocks, np.bool_),
        bodies=np.zeros(2 * joints, np.int64),
        solver_row=np.zeros(2 * joints, np.int64),
        tree_of_body=np.full(bodies, NONE, np.int64),
        is_touched=np.zeros(trees, np.bool_),
        is_bounded=np.zeros(trees, np.bool_),
        is_selected=np.zeros(trees, np.bool_),
        is_block_selected=np.zeros(blocks, np.bool_),
        tree=np.zeros((trees, TREE.WIDTH)),
        joint_rows=np.zeros(joints, np.int64),
        joint_lane=np.zeros(joints, np.int64),
        any_overloaded=np.zeros(1, np.int64),
        loops=NO_LOOPS,
    )


NO_TREES = new_trees(0, 0, 0, 0, 0, 1)
"""The trees of a world without joints."""
