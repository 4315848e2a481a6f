"""The solver's state of each body that moves: its velocity, and its movement since the step began.

The sweeps read and write it after the solver.
"""

from ecs_collide.kernels.layout import layout

STATE = layout(
    "solver state",
    VX="velocity of the centre of mass, x [m/s]",
    VY="velocity of the centre of mass, y [m/s]",
    W="angular velocity [rad/s]",
    INVERSE_MASS_X="inverse mass along x [1/kg]",
    DX="movement of the centre of mass since the step began, x [m]",
    DY="movement of the centre of mass since the step began, y [m]",
    DA="rotation since the step began [rad]",
    INVERSE_MASS_Y="inverse mass along y [1/kg]",
)
