"""Rows of the lists of touches that began and ended: `STARTED` and `ENDED`."""

from __future__ import annotations

from ecs_collide.common.pair_roles import smaller_first
from ecs_collide.data.pairs import ENDED, PAIR, STARTED
from ecs_collide.kernels.kernel import device


@device
def write_start(row, slot, pair, way, pieces):
    """Write to a row of `STARTED` that the pair in a slot, given as its row of pair_index, began to touch in a way.

    `pieces` is `ONE_PIECE` or `SEVERAL_PIECES`.
    """
    row[STARTED.ENTITY_A], row[STARTED.ENTITY_B], row[STARTED.TOUCHING] = smaller_first(
        pair[PAIR.ENTITY_A], pair[PAIR.ENTITY_B], way
    )
    row[STARTED.SLOT], row[STARTED.PIECES] = slot, pieces


@device
def write_end(row, pair, way, pieces):
    """Write to a row of `ENDED` that a pair, given as its row of pair_index, ceased to touch in a way.

    `pieces` is `ONE_PIECE`, `SEVERAL_PIECES` or `BODY_REMOVED`.
    """
    row[ENDED.ENTITY_A], row[ENDED.ENTITY_B], row[ENDED.TOUCHING] = smaller_first(
        pair[PAIR.ENTITY_A], pair[PAIR.ENTITY_B], way
    )
    row[ENDED.PIECES] = pieces
