"""What a sweep returns. Times are fractions of the step, in [0, 1]."""

from __future__ import annotations

from typing import NamedTuple


class FirstTouch(NamedTuple):
    """When two moving shapes first touch, and whether they already overlapped at the start; the time is then 0."""

    time: float | None
    overlapping: bool


class EdgeTouch(NamedTuple):
    """When a moving vertex meets a moving edge, and where: the edge is at A + alpha·(B − A)."""

    time: float
    alpha: float
