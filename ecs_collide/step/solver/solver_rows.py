"""Arrays that the solver fills anew in each step.

A moving body has one row: a cache line with its velocity and movement (`data/solver_state.py`), and another one with
the velocity that a substep adds. Row 0 is immovable. It stands for all static bodies and for the partners of empty
lanes. Contacts stand in blocks of eight, one to a lane: each field of a block is eight numbers side by side.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.data.solver_state import STATE
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, IntCube, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array

# The fourth number of BEFORE, GAIN and FACTOR belongs to the inverse mass behind the velocity, and keeps it as it is.
BODY = layout(
    "solver body",
    BEFORE=("velocity before the contacts of this substep [m/s, m/s, rad/s, -]", 4),
    GAIN=("velocity that outer forces add in a substep [m/s, m/s, rad/s, -]", 4),
    FACTOR=("damping factor of the velocity in a substep, by axis", 4),
    CENTER_X="centre of mass, x [m]",
    CENTER_Y="centre of mass, y [m]",
    INVERSE_INERTIA="inverse moment of inertia [1/(kg m^2)]",
    LOAD="largest mass that the body supports, see `mass_ratios` [kg]",
)

STATUS = layout(
    "solver body status",
    COLOURS_IN_USE=("bits of the colours of its contacts, of one point and of two", 2),
    ALLOWED="bits of the colours that the body can take; 0 if it is immovable",
    PLACEMENT="SETTLED, TELEPORTED or SHIFTED",
    REACH="number of contacts through which an impact can still travel from the body, see `impact`",
    IN_TREE="1 if the body belongs to a joint tree, else 0",
)

SETTLED, TELEPORTED, SHIFTED = 0, 1, 2
"""Placement of a body: by the solver, by a write since the last step, or by `push_out` in this step."""

COLOURS = 62
"""Number of colours: as many as fit into a positive int64, less the bit that says that none is left."""
ALL_COLOURS = (1 << COLOURS) - 1
"""Bits of all colours."""
ANY_COLOUR = (1 << COLOURS + 1) - 1
"""Bits of all colours, and of contacts that found no colour left."""

INDEX = layout(
    "block index",
    ROW_A="solver row of body A",
    ROW_B="solver row of body B",
    CONTACT="contact row",
    PAIR="slot of the contact's pair",
)

LEAD = layout(
    "lead of a contact",
    NORMAL_X="normal from A to B after the time of the lead, x",
    NORMAL_Y="normal from A to B after the time of the lead, y",
    SHIFT_X="movement of the contact point in that time, x [m]",
    SHIFT_Y="movement of the contact point in that time, y [m]",
)

# "Coupling": change of the speed at one point by an impulse at another one.
POINT = layout(
    "contact point of a block",
    NORMAL_ARM_A="lever arm of the normal at A [m]",
    NORMAL_ARM_B="lever arm of the normal at B [m]",
    TANGENT_ARM_A="lever arm of the tangent at A [m]",
    TANGENT_ARM_B="lever arm of the tangent at B [m]",
    SEPARATION="separation at the start of the step [m]",
    NORMAL_K="inverse effective mass along the normal [1/kg]",
    NORMAL_MASS="effective mass along the normal [kg]",
    TANGENT_MASS="effective mass along the tangent [kg]",
    CROSS_0="coupling of this point's friction with the first point's normal speed [1/kg]",
    CROSS_1="coupling of this point's friction with the second point's normal speed [1/kg]",
    NORMAL_IMPULSE="impulse along the normal, of one substep [N s]",
    TANGENT_IMPULSE="friction impulse, of one substep [N s]",
    NORMAL_TOTAL="impulse along the normal, of the step so far [N s]",
    TANGENT_TOTAL="friction impulse, of the step so far [N s]",
    APPROACH="normal speed before the step, or of the fastest bounce; negative if the bodies approach [m/s]",
    ROLLING_ARM="torque against rolling for each newton along the normal [m]",
)

# SURFACE_SPEED, ROLLING_MASS and ROLLING_IMPULSE are filled in blocks with `has_surface` only.
BLOCK = layout(
    "block of eight contacts",
    NORMAL_X="normal from A to B, x",
    NORMAL_Y="normal from A to B, y",
    FRICTION="coefficient of friction",
    BIAS_RATE="fraction of an overlap that is removed in a second, see `softness` [1/s]",
    MASS_SCALE="mass scale of the soft contact, see `softness`",
    SOFTENING="softening of the soft contact, see `softness`",
    INVERSE_INERTIA_A="inverse moment of inertia of A [1/(kg m^2)]",
    INVERSE_INERTIA_B="inverse moment of inertia of B [1/(kg m^2)]",
    COUPLING="coupling of the two points along the normal [1/kg]",
    TANGENT_COUPLING="coupling of the two points along the tangent [1/kg]",
    COUPLED="1 in lanes whose two points are solved together, else 0",
    RESTITUTION="coefficient of restitution",
    SURFACE_SPEED="speed of a conveyor surface along the tangent [m/s]",
    ROLLING_MASS="effective moment of inertia against rolling [kg m^2]",
    ROLLING_IMPULSE="impulse against rolling, of one substep [N m s]",
    FIRST=("first point, see POINT", POINT.WIDTH),
    SECOND=("second point, see POINT", POINT.WIDTH),
)

BOUNCE = layout(
    "bounce of a contact point",
    TARGET="normal speed after the bounce [m/s], NO_BOUNCE if there is none",
    START="normal speed before the bounce [m/s]",
    FOLLOWED="normal speed once the trees have followed the bounce [m/s]",
    NORMAL="impulse of the bounce [N s]",
    PUSHED="impulse of all pushes after the bounce, see `bounce_trees` [N s]",
    PUSH="impulse of the last push [N s]",
    BEFORE="normal speed before the last push [m/s]",
    AFTER="normal speed after the last push, before the trees have followed [m/s]",
)
NO_BOUNCE = -1e300
"""Target of a point that has not bounced in a substep."""

NOT_LISTED = -1
"""Value of `repeated_blocks` behind the blocks that are listed."""


class Solver(Bundle):
    """Arrays of the solver for kernels."""

    state: FloatTable = rows_of(LANES)
    """Velocity [m/s, rad/s], movement in this step [m, rad], inverse masses [1/kg] (movers + 1, 8)."""
    body: FloatTable = rows_of(BODY)
    """Values of the velocity integration, and mass properties, see BODY (movers + 1, 16)."""
    status: IntTable = rows_of(STATUS)
    """Colours, placement, impact reach and tree of a body, see STATUS (movers + 1, 6) int64."""
    integrated: Ints
    """Rows of the bodies that substeps integrate: with a contact or a joint, or immovable (movers + 1,) int64."""
    lane: Ints
    """Lane of each contact: 8 times its block, plus its place there; -1 if it is not solved (m,) int64."""
    lead: FloatTable = rows_of(LEAD)
    """Normal and point of a contact some time ahead, see `lead` and LEAD; filled if that time is above 0 (m, 4)."""
    lead_time: Floats
    """Time by which a contact is solved ahead, 0 for most [s] (m,)."""
    next_lane: Ints
    """Lane for the next contact of each colour; contacts of two points have colours of their own (126,) int64."""
    time_step: Floats
    """Length of a substep by axis [s, s, s], and 0 for the inverse mass behind the movement (4,)."""
    scratch: FloatTable = rows_of(LANES)
    """Scratch space for eight lanes (3, 8)."""
    any_merged: Flags
    """True if any pair was merged in the last step, see `push_out` (1,) bool."""
    index: IntCube = rows_of(INDEX, LANES)  # type: ignore[assignment]  # hides tuple.index, which is not needed
    """Rows that each lane refers to, see INDEX (blocks, 4, 8) int64."""
    block: FloatCube = rows_of(BLOCK, LANES)
    """Prepared contacts, see BLOCK and POINT (blocks, 47, 8)."""
    bounce: FloatCube
    """Bounces of both points in a substep, see BOUNCE; filled for the bodies of touched trees (blocks, 16, 8)."""
    has_bounce: Flags
    """True if the restitution of any lane in the block is above 0 (blocks,) bool."""
    has_surface: Flags
    """True if any lane of the block has a conveyor surface or rolling resistance (blocks,) bool."""
    has_lead: Flags
    """True if any lane of the block has a lead (blocks,) bool."""
    has_impact: Flags
    """True if an impact can begin in the block: it bounces, or two bodies approach fast (blocks,) bool."""
    impact_blocks: Ints
    """Numbers of the blocks that an impact can reach (blocks,) int64."""
    all_blocks: Ints
    """Numbers of all blocks (blocks,) int64."""
    repeated_blocks: Ints
    """Numbers of the blocks that are solved several times in each pass (blocks,) int64."""


class SolverColumns:
    """Owner of the solver's arrays, and of their growth."""

    state_list = list_state(
        arrays="arrays.any_merged",
        left_out=(
            "arrays.state arrays.body arrays.status arrays.integrated arrays.lane arrays.lead arrays.lead_time "
            "arrays.next_lane arrays.time_step arrays.scratch arrays.index arrays.block arrays.bounce "
            "arrays.has_bounce arrays.has_surface arrays.has_lead arrays.has_impact arrays.impact_blocks "
            "arrays.all_blocks arrays.repeated_blocks"
        ),
    )

    def __init__(self) -> None:
        self.arrays = Solver(
            next_lane=np.zeros(2 * (COLOURS + 1), np.int64),
            time_step=lane_array((4,)),
            scratch=lane_array((3, LANES)),
            any_merged=np.zeros(1, np.bool_),
            **_body_arrays(64),
            **_contact_arrays(64),
            **_block_arrays(16),
        )

    def reserve(self, bodies: int, contacts: int) -> None:
        """Make room for the given numbers of moving bodies and contacts."""
        if bodies + 1 > len(self.arrays.state):
            self.arrays = self.arrays._replace(**_body_arrays(next_capacity(len(self.arrays.state), bodies + 1)))
        if contacts > len(self.arrays.lane):
            self.arrays = self.arrays._replace(**_contact_arrays(next_capacity(len(self.arrays.lane), contacts)))

    def reserve_blocks(self, blocks: int) -> None:
        """Make room for a number of blocks."""
        self.arrays = self.arrays._replace(**_block_arrays(next_capacity(len(self.arrays.block), blocks)))


def _body_arrays(count: int) -> dict[str, np.ndarray]:
    """Return empty arrays with one row for each moving body."""
    return {
        "state": lane_array((count, STATE.WIDTH)),
        "body": lane_array((count, BODY.WIDTH)),
        "status": lane_array((count, STATUS.WIDTH), np.int64),
        "integrated": lane_array((count,), np.int64),
    }


def _contact_arrays(count: int) -> dict[str, np.ndarray]:
    """Return empty arrays with one row for each contact."""
    return {
        "lane": lane_array((count,), np.int64),
        "lead": lane_array((count, LEAD.WIDTH)),
        "lead_time": lane_array((count,)),
    }


def _block_arrays(count: int) -> dict[str, np.ndarray]:
    """Return empty arrays with one row for each block."""
    return {
        "index": lane_array((count, INDEX.WIDTH, LANES), np.int64),
        "block": lane_array((count, BLOCK.WIDTH, LANES)),
        "bounce": lane_array((count, 2 * BOUNCE.WIDTH, LANES)),
        "has_bounce": np.zeros(count, np.bool_),
        "has_surface": np.zeros(count, np.bool_),
        "has_lead": np.zeros(count, np.bool_),
        "has_impact": np.zeros(count, np.bool_),
        "impact_blocks": np.zeros(count, np.int64),
        "all_blocks": np.arange(count, dtype=np.int64),
        "repeated_blocks": np.full(count, NOT_LISTED, np.int64),
    }
