"""Parameters of a step: length, substeps and gravity."""

from typing import NamedTuple


class StepParameters(NamedTuple):
    """Parameters that all substeps of a step share."""

    gravity: tuple[float, float]
    """[m/s²]."""
    dt: float
    """The length of the step [s]."""
    substeps: int
