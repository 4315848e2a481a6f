"""A copy of the poses of all bodies."""

from __future__ import annotations

from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import kernel


@kernel
def copy_poses(poses: FloatTable, copy: FloatTable):
    """Copy poses [m, m, rad] (n, 3)."""
    for row in range(len(poses)):
        for column in range(poses.shape[1]):
            copy[row, column] = poses[row, column]


@kernel
def copy_listed_poses(rows: Ints, count: Ints, poses: FloatTable, copy: FloatTable):
    """Copy the poses [m, m, rad] (n, 3) of the rows that are listed, see `DirtyRows`."""
    for k in range(count[0]):
        for column in range(poses.shape[1]):
            copy[rows[k], column] = poses[rows[k], column]
