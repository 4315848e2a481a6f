"""Joint kinds: one file for each, with its coordinates, constraint rows, spring, motor and limits."""
