"""Types of the arrays that kernels take: type of item and number of axes, all C-contiguous.

Kernels annotate parameters with them, and a `Bundle` its fields; `signature.py` reads the annotations. A type checker
takes them for numpy arrays. All but `Float...In` may be written.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np


class Axes(NamedTuple):
    """The number of axes of an array; `may_be_read_only` if a kernel only reads it."""

    number: int
    may_be_read_only: bool = False


Floats: TypeAlias = Annotated[np.ndarray, np.float64, Axes(1)]
FloatTable: TypeAlias = Annotated[np.ndarray, np.float64, Axes(2)]
FloatCube: TypeAlias = Annotated[np.ndarray, np.float64, Axes(3)]
FloatsIn: TypeAlias = Annotated[np.ndarray, np.float64, Axes(1, may_be_read_only=True)]
FloatTableIn: TypeAlias = Annotated[np.ndarray, np.float64, Axes(2, may_be_read_only=True)]
FloatCubeIn: TypeAlias = Annotated[np.ndarray, np.float64, Axes(3, may_be_read_only=True)]
Ints: TypeAlias = Annotated[np.ndarray, np.int64, Axes(1)]
IntTable: TypeAlias = Annotated[np.ndarray, np.int64, Axes(2)]
IntCube: TypeAlias = Annotated[np.ndarray, np.int64, Axes(3)]
HalfInts: TypeAlias = Annotated[np.ndarray, np.int32, Axes(1)]
HalfIntTable: TypeAlias = Annotated[np.ndarray, np.int32, Axes(2)]
Flags: TypeAlias = Annotated[np.ndarray, np.bool_, Axes(1)]
FlagTable: TypeAlias = Annotated[np.ndarray, np.bool_, Axes(2)]
