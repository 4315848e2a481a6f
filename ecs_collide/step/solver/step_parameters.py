"""How a step goes, and what it is cut into."""

from typing import NamedTuple


class Pace(NamedTuple):
    """What all substeps of a step have in common."""

    gravity: tuple[float, float]
    """[m/s²]."""
    dt: float
    """The length of the step [s]."""
    substeps: int
