"""The rows of bodies that move, as a response leaves them: velocity, and movement since the step began.

The sweeps read and write them after the solver.
"""

# solver_state, each with an inverse mass behind it
VX, VY, W, INVERSE_MASS_X, DX, DY, DA, INVERSE_MASS_Y = range(8)
STATE_WIDTH = 8
