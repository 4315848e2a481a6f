"""Arrays that kernels take together: like a `NamedTuple`, but read once and not in every call.

A call with a `NamedTuple` of arrays reads the address, shape and strides of each array from Python. A world has fifty
columns and makes a dozen calls in a step, and the columns change only when they grow. So a `Bundle` has a native form,
and a kernel takes its address:

    item 0        the native form, as bytes
    item 1 ...    the fields, in order

A bundle never changes, so its native form is always valid. The arrays live as long as the bundle. Kernels read the
fields by name (`numba_types.py`).

`pose: FloatTable = rows_of(POSE)` declares how long the rows of an array are. Machine code then computes the place of
an item without reading the shape, and a bundle takes no other array.

The native form of an array is numba's (`numba.core.datamodel.models.ArrayModel`), in words of 8 bytes: owner of the
memory and owning object (both 0, as kernels count no references), number of items, bytes of an item, address, shape,
strides. A number is a word. A bundle within a bundle stands there with all its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any, ClassVar, Self, TypeAlias, dataclass_transform

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.kernels.layout import Layout

FieldValue: TypeAlias = "np.ndarray | float | Bundle"
Lengths: TypeAlias = tuple[int, ...]


def rows_of(*lengths: Layout | int) -> Any:
    """Declare the lengths of an array's axes after the first one; a layout stands for its width."""
    return tuple(length if isinstance(length, int) else length.WIDTH for length in lengths)


def plain_bundle(
    cls: type[Bundle],
    names: tuple[str, ...],
    lengths: tuple[Lengths, ...],
    args: tuple[FieldValue, ...],
    named: dict[str, FieldValue],
) -> Any:
    """Return a bundle for kernels that run as plain Python, with an empty native form."""
    missing = [name for name in names[len(args) :] if name not in named]
    if missing or len(args) + len(named) != len(names):
        raise TypeError(f"{cls!r} has the fields {names}, got {len(args)} and {tuple(named)}")
    fields = (*args, *(named[name] for name in names[len(args) :]))
    for name, declared, field in zip(names, lengths, fields, strict=True):
        if declared and np.shape(field)[1:] != declared:
            raise TypeError(f"{cls!r}: {name} must be an array with rows of {declared}, got {np.shape(field)}")
    return tuple.__new__(cls, (b"", *fields))


_make = module.loaded().new_bundle if KERNEL_MODE is KernelMode.PREBUILT else plain_bundle


@dataclass_transform(frozen_default=True, field_specifiers=(rows_of,))
class Bundle(tuple[Any, ...]):
    """A base of classes whose annotated fields are arrays, numbers or bundles."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    _lengths: ClassVar[tuple[Lengths, ...]] = ()
    """For each field what `rows_of` declares; empty where it declares nothing."""

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        cls._lengths = tuple([cls.__dict__.get(name, ()) for name in cls._fields])
        for number, name in enumerate(cls._fields, 1):
            setattr(cls, name, property(itemgetter(number)))

    def __new__(cls, *args: FieldValue, **named: FieldValue) -> Self:
        """Return a bundle of all fields, given by position or by name.

        Raises TypeError for a missing or superfluous field, for a value that kernels cannot read, and for an array with
        rows of another length than declared.
        """
        return _make(cls, cls._fields, cls._lengths, args, named)  # type: ignore[no-any-return]

    @property
    def native(self) -> bytes:
        """The native form, which kernels read; empty if they run as plain Python."""
        return self[0]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[1:])

    def _replace(self, **changed: FieldValue) -> Self:
        """Return a bundle with other values in some fields."""
        return _make(type(self), self._fields, self._lengths, (), dict(zip(self._fields, self[1:])) | changed)  # type: ignore[no-any-return]
