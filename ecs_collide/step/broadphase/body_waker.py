"""The subsystem that wakes bodies before the broadphase changes the pairs near them.

The broadphase knows nothing of sleep. `Sleepers` derives from this class, and puts itself into the `PairFinder`.
"""

from __future__ import annotations

import numpy as np


class BodyWaker:
    """Wakes bodies near changed pieces. This class wakes none, as in a world that is gone."""

    def disturb_pieces(self, rows: np.ndarray) -> None:
        """Wake the bodies that rest on pieces, given as rows (n,), and those that sleep at their present places.

        The pieces are new or changed static ones, or unbounded ones that have moved.
        """

    def disturb(self, rows: np.ndarray) -> None:
        """Wake bodies, given as rows (n,), and the bodies that rest on static or kinematic ones among them."""
