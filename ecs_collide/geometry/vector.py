"""The columns of arrays whose rows are points or directions in the plane."""

X, Y = 0, 1
