"""Bodies that the broadphase wakes before it changes pairs."""

from __future__ import annotations

import numpy as np


class RestingBodies:
    """Bodies that may rest on, or near, pieces that change; these never do."""

    def disturb_pieces(self, rows: np.ndarray) -> None:
        """Wake the bodies that rest on new or changed static pieces or moved unbounded ones, or sleep where these are.

        `rows` (n,) are the rows of the pieces.
        """

    def disturb(self, rows: np.ndarray) -> None:
        """Wake the bodies near changed cells of a terrain, and those that rest on them; `rows` (n,) are of bodies."""
