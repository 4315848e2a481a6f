"""How the solver lays out its own rows, filled anew in each step.

A body has one row, a cache line of velocity and movement and another one of what a substep adds to it. Contacts stand
in blocks of eight, one to a lane: a field of a block is eight numbers side by side. The fields are named here and
nowhere else. Row 0 of the bodies is immovable and stands for all static ones, and for the partners of empty lanes.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data import solver_state as of_state
from ecs_collide.data.growth import next_capacity
from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, IntCube, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.simd import LANES, lane_array

# solver_carry: velocity before the contacts of this substep; what outer forces add to it; the damping factors;
# centre of mass, inverse inertia, and the mass that the body bears (`uneven`). The fourth number of each of the first
# three keeps the inverse mass behind the velocity as it is.
BEFORE, GAIN, FACTOR = 0, 4, 8
CENTER_X, CENTER_Y, INVERSE_INERTIA, BEARS = 12, 13, 14, 15
CARRY_WIDTH = 16

# solver_colour: colours taken, as bits, among contacts of one point and of two; which of them the body can take;
# whether it was put where it is since the last step, or is shifted in this one; and through how many contacts an impact
# can still travel from it (`impact`)
TAKEN, TAKEABLE = 0, 2
PUT, REACH = 3, 4
SETTLED, PUT_THERE, SHIFTED = 0, 1, 2
COLOUR_WIDTH = 5

COLOURS = 62
"""As many as fit into a positive int64, less one, which says that none is left."""
ALL_COLOURS = (1 << COLOURS) - 1
ANY_COLOUR = (1 << COLOURS + 1) - 1
"""With the bit that says that a contact found none left."""

# solver_index, each for eight lanes
ROW_A, ROW_B, CONTACT, PAIR = range(4)
INDEX_WIDTH = 4

# solver_block, each for eight lanes: what both points share (COUPLED: 1 where they are solved together; the couplings
# say what an impulse of 1 N s at one point does to the speed at the other; the last three are only where `surfaces`
# says so) ...
(
    NORMAL_X,
    NORMAL_Y,
    FRICTION,
    BIAS_RATE,
    MASS_SCALE,
    SOFTENING,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    COUPLING,
    TANGENT_COUPLING,
    COUPLED,
    RESTITUTION,
    SURFACE_SPEED,
    ROLLING_MASS,
    ROLLING_IMPULSE,
) = range(15)

# ... and, from POINT on, each point's own fields; CROSS is what its friction does to the points' normal speeds, and
# ROLLING_ARM the torque against rolling for each newton that it bears
POINT = 15
(
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    SEPARATION,
    NORMAL_K,
    NORMAL_MASS,
    TANGENT_MASS,
    CROSS_0,
    CROSS_1,
    NORMAL_IMPULSE,
    TANGENT_IMPULSE,
    NORMAL_TOTAL,
    TANGENT_TOTAL,
    APPROACH,
    ROLLING_ARM,
) = range(16)
POINT_WIDTH = 16
BLOCK_WIDTH = POINT + 2 * POINT_WIDTH


BLOCK_ROWS = "index", "block", "bounces", "surfaces", "meets", "struck", "every", "repeated"

NOT_LISTED = -1
"""What stands in `repeated` behind the blocks that are listed."""


class Solver(Bundle):
    """The solver's rows as kernels take them."""

    state: FloatTable
    """Velocity [m/s, rad/s], movement in this step [m, rad], inverse masses [1/kg] (movers + 1, 8)."""
    carry: FloatTable
    """What a substep adds to a body without looking at contacts, and what stays (movers + 1, 16)."""
    colour: IntTable
    """Colours taken by a body's contacts, as bits, whether it was put there, and the reach of impacts
    (movers + 1, 5) int64."""
    busy: Ints
    """State rows of the bodies that may have a contact (movers + 1,) int64."""
    lane: Ints
    """Where each contact stands: 8 times its block, and its lane; -1 where it is not solved (m,) int64."""
    next_lane: Ints
    """Where the next contact of each colour goes; contacts of two points have colours of their own (126,) int64."""
    step: Floats
    """Length of a substep for each number of a body's movement [s, s, s], and 0 for the inverse mass behind (4,)."""
    turn: FloatTable
    """Angle [rad], cosine and sine of eight bodies at a time (3, 8)."""
    merged: Flags
    """Whether any pair was merged in the last step, see `push_out` (1,) bool."""
    index: IntCube  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """State rows of A and B, contact and slot of each lane (blocks, 4, 8) int64."""
    block: FloatCube
    """Prepared contacts, see the fields above (blocks, 47, 8)."""
    bounces: Flags
    """Whether the restitution of any lane in the block is above 0 (blocks,) bool."""
    surfaces: Flags
    """Whether in any lane of the block a surface runs, or resists rolling (blocks,) bool."""
    meets: Flags
    """Whether an impact can begin in the block: it bounces, or two bodies come together fast (blocks,) bool."""
    struck: Ints
    """The numbers of the blocks that an impact can reach (blocks,) int64."""
    every: Ints
    """The numbers of all blocks (blocks,) int64."""
    repeated: Ints
    """The numbers of the blocks that are solved several times in each pass (blocks,) int64."""


class SolverColumns:
    """Owns the solver's rows and their growth."""

    def __init__(self) -> None:
        state, carry, colour, busy = _body_rows(64)
        block_rows = _block_rows(16)
        next_lane, step = np.zeros(2 * (COLOURS + 1), np.int64), lane_array((4,))
        lane = np.zeros(64, np.int64)
        turn, merged = lane_array((3, LANES)), np.zeros(1, np.bool_)
        self.arrays = Solver(state, carry, colour, busy, lane, next_lane, step, turn, merged, *block_rows)

    def reserve(self, bodies: int, contacts: int) -> None:
        """Make room for the given numbers of moving bodies and contacts."""
        if bodies + 1 > len(self.arrays.state):
            state, carry, colour, busy = _body_rows(next_capacity(len(self.arrays.state), bodies + 1))
            self.arrays = self.arrays._replace(state=state, carry=carry, colour=colour, busy=busy)
        if contacts > len(self.arrays.lane):
            lane = np.zeros(next_capacity(len(self.arrays.lane), contacts), np.int64)
            self.arrays = self.arrays._replace(lane=lane)

    def reserve_blocks(self, blocks: int) -> None:
        """Make room for a number of blocks."""
        rows = _block_rows(next_capacity(len(self.arrays.block), blocks))
        self.arrays = self.arrays._replace(**dict(zip(BLOCK_ROWS, rows, strict=True)))


def _body_rows(count: int) -> tuple[np.ndarray, ...]:
    colour = np.zeros((count, COLOUR_WIDTH), np.int64)
    return (
        lane_array((count, of_state.STATE_WIDTH)),
        lane_array((count, CARRY_WIDTH)),
        colour,
        np.zeros(count, np.int64),
    )


def _block_rows(count: int) -> tuple[np.ndarray, ...]:
    index = lane_array((count, INDEX_WIDTH, LANES), np.int64)
    flags = np.zeros(count, np.bool_), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    numbers = np.zeros(count, np.int64), np.arange(count, dtype=np.int64), np.full(count, NOT_LISTED, np.int64)
    return index, lane_array((count, BLOCK_WIDTH, LANES)), *flags, *numbers
