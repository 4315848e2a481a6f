"""How the solver lays out its own rows, filled anew in each step.

Both kinds of rows are flat runs of float64 so that a pass streams through the contacts once and touches one
cache line a body; the fields are named here and nowhere else. Row 0 of the state is the one immovable body that
stands for all static ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.columns.growth import next_capacity

# solver_state: velocity, then movement since the step began, each with an inverse mass behind it
VX, VY, W, INVERSE_MASS_X, DX, DY, DA, INVERSE_MASS_Y = range(8)
STATE_WIDTH = 8

# solver_carry: velocity before the contacts of this substep, the outer acceleration, whether there is a contact
BEFORE_X, BEFORE_Y, BEFORE_W, GAIN_X, GAIN_Y, GAIN_W, LINEAR_FACTOR, ANGULAR_FACTOR, BUSY = range(9)
CARRY_WIDTH = 9

# solver_index; COUPLED is 1 where both points are solved together
ROW_A, ROW_B, POINT_COUNT, COUPLED = 0, 1, 2, 3

# solver_contact: what both points share ...
(
    NORMAL_X,
    NORMAL_Y,
    FRICTION,
    RESTITUTION,
    BIAS_RATE,
    MASS_SCALE,
    SOFTENING,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    COUPLING,
) = range(10)

# ... and, from POINT on, each point's own fields
POINT = 10
(
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    SEPARATION,
    NORMAL_K,
    NORMAL_MASS,
    TANGENT_MASS,
    NORMAL_IMPULSE,
    TANGENT_IMPULSE,
    LARGEST_IMPULSE,
    APPROACH,
    NORMAL_TOTAL,
    TANGENT_TOTAL,
) = range(14)
POINT_WIDTH = 14
CONTACT_WIDTH = POINT + 2 * POINT_WIDTH


class Solver(NamedTuple):
    """The solver's rows as kernels take them."""

    state: np.ndarray
    """Velocity [m/s, rad/s], movement in this step [m, rad], inverse masses [1/kg] (movers + 1, 8)."""
    carry: np.ndarray
    """What a substep adds to a body without looking at contacts (movers + 1, 9)."""
    busy: np.ndarray
    """State rows of the bodies that have a contact (movers + 1,) int64."""
    index: np.ndarray  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """State rows of A and B, point count, coupled flag (m, 4) int64."""
    contact: np.ndarray
    """Prepared contacts, see the fields above (m, 38)."""


class SolverColumns:
    """Owns the solver's rows and their growth."""

    def __init__(self) -> None:
        self.arrays = Solver(
            np.zeros((64, STATE_WIDTH)),
            np.zeros((64, CARRY_WIDTH)),
            np.zeros(64, np.int64),
            np.zeros((64, 4), np.int64),
            np.zeros((64, CONTACT_WIDTH)),
        )

    def reserve(self, bodies: int, contacts: int) -> None:
        """Make room for the given numbers of moving bodies and contacts."""
        if bodies + 1 > len(self.arrays.state):
            capacity = next_capacity(len(self.arrays.state), bodies + 1)
            self.arrays = self.arrays._replace(
                state=np.zeros((capacity, STATE_WIDTH)),
                carry=np.zeros((capacity, CARRY_WIDTH)),
                busy=np.zeros(capacity, np.int64),
            )
        if contacts > len(self.arrays.index):
            capacity = next_capacity(len(self.arrays.index), contacts)
            self.arrays = self.arrays._replace(
                index=np.zeros((capacity, 4), np.int64), contact=np.zeros((capacity, CONTACT_WIDTH))
            )
