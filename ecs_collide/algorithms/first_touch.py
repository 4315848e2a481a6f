"""Results of sweeps; times are fractions of the step, in [0, 1]."""

from __future__ import annotations

from typing import NamedTuple


class FirstTouch(NamedTuple):
    """The first touch of two moving shapes."""

    time: float | None
    """Time as a fraction of the step; None, or NaN in arrays, if there is no touch."""
    overlapping: bool
    """True if the shapes overlap at the start; the time is then 0."""


class EdgeTouch(NamedTuple):
    """The first touch of a moving vertex and a moving edge."""

    time: float
    """Time as a fraction of the step."""
    alpha: float
    """Position on the edge: A + alpha·(B − A)."""
