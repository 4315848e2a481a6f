"""A copy of the poses of all bodies."""

from __future__ import annotations

from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import kernel


@kernel
def copy_poses(poses: FloatTable, copy: FloatTable):
    """Copy poses [m, m, rad] (n, 3)."""
    for row in range(len(poses)):
        for column in range(poses.shape[1]):
            copy[row, column] = poses[row, column]
