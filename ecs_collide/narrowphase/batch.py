"""The loop that all batch kernels share; what differs is the function that makes one pair's manifold."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collide.columns.pairs import HINT, PIECE_A, PIECE_B, POINT_COUNT
from ecs_collide.columns.pieces import BODY, HALF_X, HALF_Y, RADIUS
from ecs_collide.jit import stage
from ecs_collide.narrowphase.manifold import may_recycle, relative_pose, store_manifold


def batch_kernel(manifold_of: Callable[..., object]) -> Callable[..., None]:
    """The batch kernel of a device function `manifold_of(a, b, relative, pieces, reach, hint) -> LocalManifold`."""

    @stage
    def pairs_kernel(slots, bodies, pieces, pairs, speculative, recycle):
        """Renew the manifolds of the pairs in `slots`.

        A pair keeps its manifold while its relative pose has changed by less than `recycle` [m] (0: never).
        A gap of up to `speculative` [m] already makes a contact point.
        Reads body_frame, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
        """
        for slot in slots:
            if not pairs.enabled[slot]:
                pairs.index[slot, POINT_COUNT] = 0
                continue
            a, b = pairs.index[slot, PIECE_A], pairs.index[slot, PIECE_B]
            relative = relative_pose(bodies, pieces.index[a, BODY], pieces.index[b, BODY])
            extent = pieces.size[b, HALF_X] + pieces.size[b, HALF_Y] + pieces.size[b, RADIUS]
            if recycle > 0.0 and may_recycle(pairs, slot, relative, extent, recycle):
                continue
            hint = pairs.index[slot, HINT]
            store_manifold(pairs, slot, manifold_of(a, b, relative, pieces, speculative, hint), relative)

    return pairs_kernel
