"""Representations of views on pairs of entities."""

from __future__ import annotations

import numpy as np

SHOWN = 8
"""Number of pairs in a representation, at most."""


def describe_pairs(view: object, entity_a: np.ndarray, entity_b: np.ndarray) -> str:
    """Return the class of a view, its number of rows, and the entities of the first ones.

    Args:
        view: view.
        entity_a, entity_b: entities of each row (n,); a negative one is the world.
    """
    rows = zip(entity_a[:SHOWN].tolist(), entity_b[:SHOWN].tolist())
    pairs = [f"{a} and {b if b >= 0 else 'the world'}" for a, b in rows]
    more = ["..."] if len(entity_a) > SHOWN else []
    return f"<{type(view).__name__} of {len(entity_a)}{': ' if pairs else ''}{'; '.join(pairs + more)}>"
