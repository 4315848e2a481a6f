"""Order of the numbers of small matrices in arrays."""

from __future__ import annotations

from ecs_collide.kernels.layout import layout

SYMMETRIC = layout(
    "symmetric matrix",
    XX="first number of the diagonal",
    YY="second number of the diagonal",
    ZZ="third number of the diagonal",
    XY="number beside the diagonal",
    XZ="number beside the diagonal",
    YZ="number beside the diagonal",
)
