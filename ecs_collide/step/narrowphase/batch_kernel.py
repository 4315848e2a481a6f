"""The loop that most batch kernels share; they differ in the function that makes the manifold of one pair."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.data.pieces import Pieces
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import kernel
from ecs_collide.step.narrowphase.approach import approach_of, store_approaching
from ecs_collide.step.narrowphase.pair_manifold import relative_pose


def batch_kernel(manifold_of: Callable[..., object]) -> Callable[..., None]:
    """Return the batch kernel of a device function `manifold_of(a, b, relative, pieces, gap) -> LocalManifold`.

    `gap` [m] is the greatest gap of a contact point.
    """

    def pairs_kernel(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, span: FloatTable, ahead: LookAhead):
        """Make the manifolds of the pairs in `slots`, with gaps as in `approach.py`.

        Reads body_frame, body_velocity, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
        """
        index = pairs.index
        for slot in slots:
            if not pairs.enabled[slot]:
                index[slot, PAIR.POINT_COUNT] = 0
                continue
            relative = relative_pose(bodies, index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B])
            gap = approach_of(slot, bodies, span, pairs, ahead).gap
            m = manifold_of(index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B], relative, pieces, gap)
            store_approaching(pairs, slot, m, relative, bodies, span, ahead)

    pairs_kernel.__module__, pairs_kernel.__qualname__ = manifold_of.__module__, f"{manifold_of.__name__}_pairs"
    return kernel(pairs_kernel)
