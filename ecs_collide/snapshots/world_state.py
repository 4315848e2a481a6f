"""Read and write the state of a world, as the `StateList` of each class names it.

`WorldState` finds the objects once. To read is to copy all arrays into one string of bytes, and the contents of the
containers. To write is to put them back into the same arrays and containers, so that prepared calls, views of
components and watched sets stay valid. An array that has another size by now is replaced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from io import BytesIO
from math import prod
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.data.state_list import StateList
from ecs_collide.kernels.simd import lane_array

COPIES: dict[type, Callable[[Any], Any]] = {dict: dict, set: set, list: list, deque: list}
"""Functions that copy the contents of a container, by the base class of the container."""

LeafForm: TypeAlias = tuple[int, ...] | float
"""Shape of an array, or a number, in a tuple of arrays."""


class StateImage(NamedTuple):
    """The state of a world at one time, in the order of `WorldState`."""

    values: list[Any]
    contents: list[Any]
    groups: list[dict[Any, Any]]
    data: bytes
    """Contents of all arrays."""
    forms: list[LeafForm]
    """Shapes of the arrays, and the numbers that stand between them in tuples."""
    in_use: list[int]
    """Number of rows of those arrays of which only the first rows are in use."""


class Holder:
    """An attribute that holds an array or a tuple of arrays, and the arrays in it."""

    __slots__ = ("arrays", "attribute", "fields", "forms", "owner", "seen")

    def __init__(self, owner: Any, attribute: str, fields: tuple[str, ...] | None) -> None:
        self.owner = owner
        self.attribute = attribute
        self.fields = fields
        """Names of the fields that are kept; None for a single array."""
        self.seen: Any = None
        """Object that `arrays` were read from."""
        self.arrays: list[np.ndarray] = []
        self.forms: list[LeafForm] = []
        """Shapes of the arrays, and the numbers between them."""

    def renew(self) -> bool:
        """List the present arrays; return True if any may have been replaced."""
        present = getattr(self.owner, self.attribute)
        if present is self.seen:
            return False
        kept = present if self.fields is None else tuple(getattr(present, name) for name in self.fields)
        leaves = list(_leaves_of(kept))
        self.arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
        self.forms = [leaf.shape if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
        self.seen = present
        return True

    def names(self) -> list[str]:
        """Return the names of the arrays."""
        present = getattr(self.owner, self.attribute)
        if self.fields is None:
            return list(_names_of(present, self.attribute))
        return [name for field in self.fields for name in _names_of(getattr(present, field), field)]

    def reshape(self, forms: Iterator[LeafForm]) -> None:
        """Replace the arrays by ones of the next forms, filled with zeros, unless they have these already."""
        wanted = [next(forms) for _ in self.forms]
        if wanted != self.forms:
            present, leaves = getattr(self.owner, self.attribute), iter(wanted)
            if self.fields is None:
                made = _with_forms(present, leaves)
            else:
                made = present._replace(**{name: _with_forms(getattr(present, name), leaves) for name in self.fields})
            setattr(self.owner, self.attribute, made)


class WorldState:
    """The objects and attributes that hold the state of a world, in a fixed order."""

    def __init__(self, *roots: Any) -> None:
        self.objects = list(_objects_of(roots))
        """Path and object of each `StateList`."""
        lists: list[tuple[Any, StateList]] = [(owner, owner.state_list) for _, owner in self.objects]
        self._values = [(owner, each.values, attrgetter(*each.values)) for owner, each in lists if each.values]
        self._containers = [(owner, name) for owner, each in lists for name in each.contents]
        self._copies = [_copy_function(getattr(owner, name)) for owner, name in self._containers]
        self._groups = [(owner, name) for owner, each in lists for name in each.groups]
        self._renewed = [(owner, name, value) for owner, each in lists for name, value in each.renewed]
        self._reconnected = [owner.reconnect for owner, _ in lists if hasattr(owner, "reconnect")]
        whole, partly = [], []
        for owner, each in lists:
            counts = dict(each.in_use)
            for attribute, fields in _holders_of(owner, each):
                holder = Holder(owner, attribute, fields)
                if attribute in counts:
                    partly.append((holder, counts[attribute]))
                else:
                    whole.append(holder)
        self._whole: list[Holder] = whole
        self._partly: list[tuple[Holder, str]] = partly
        self._holders = [*whole, *(holder for holder, _ in partly)]
        self._arrays: list[Any] = []
        """Arrays of `_whole`."""
        self._forms: list[LeafForm] = []
        """Forms of all arrays."""

    def read(self) -> StateImage:
        """Return a copy of the present state."""
        self._list_arrays()
        in_use = [getattr(holder.owner, name) for holder, name in self._partly]
        return StateImage(
            values=[read(owner) for owner, _, read in self._values],
            contents=[
                copy(getattr(owner, name)) for copy, (owner, name) in zip(self._copies, self._containers, strict=True)
            ],
            groups=[{key: type(one)(one) for key, one in getattr(owner, name).items()} for owner, name in self._groups],
            data=b"".join([*self._arrays, *self._first_rows(in_use)]),
            forms=self._forms,
            in_use=in_use,
        )

    def fits(self, image: StateImage) -> bool:
        """Return True if an image has the objects of this world."""
        self._list_arrays()
        if image.forms is self._forms:
            return True
        return (
            len(image.values) == len(self._values)
            and len(image.contents) == len(self._containers)
            and len(image.groups) == len(self._groups)
            and len(image.in_use) == len(self._partly)
            and [isinstance(form, tuple) for form in image.forms] == [isinstance(form, tuple) for form in self._forms]
            and self._size_of(image) == len(image.data)
        )

    def write(self, image: StateImage) -> None:
        """Make an image the present state. The image is not changed, and can be written again."""
        for (owner, names, _), saved in zip(self._values, image.values, strict=True):
            for name, value in zip(names, saved if len(names) > 1 else (saved,), strict=True):
                setattr(owner, name, value)
        for (owner, name), saved in zip(self._containers, image.contents, strict=True):
            refill(getattr(owner, name), saved)
        for (owner, name), saved in zip(self._groups, image.groups, strict=True):
            refill(getattr(owner, name), {key: type(one)(one) for key, one in saved.items()})
        for owner, name, value in self._renewed:
            setattr(owner, name, value)
        self.write_arrays(image)  # after the renewed values, which it reads as it reconnects the objects

    def write_arrays(self, image: StateImage) -> None:
        """Write the arrays of an image."""
        self._list_arrays()
        if self._forms is not image.forms and self._forms != image.forms:
            forms = iter(image.forms)
            for holder in self._holders:
                holder.reshape(forms)
            self._list_arrays()
        read_into = BytesIO(image.data).readinto
        for array in (*self._arrays, *self._first_rows(image.in_use)):
            read_into(array)
        for reconnect in self._reconnected:
            reconnect()

    def contents_in(self, image: StateImage, owner: Any, name: str) -> Any:
        """Return the contents that a container has in an image."""
        return image.contents[self._containers.index((owner, name))]

    def _list_arrays(self) -> None:
        """List the present arrays, if any was replaced since they were listed."""
        if any([holder.renew() for holder in self._holders]):
            self._arrays = [array for holder in self._whole for array in holder.arrays]
            self._forms = [form for holder in self._holders for form in holder.forms]

    def _first_rows(self, in_use: list[int]) -> list[Any]:
        """Return the first rows of the arrays in `_partly`."""
        return [
            array[:count] for (holder, _), count in zip(self._partly, in_use, strict=True) for array in holder.arrays
        ]

    def _size_of(self, image: StateImage) -> int:
        """Return the number of bytes that the arrays of an image have in this world."""
        shapes = iter([form for form in image.forms if isinstance(form, tuple)])
        size = sum(prod(next(shapes)) * array.dtype.itemsize for array in self._arrays)
        for (holder, _), count in zip(self._partly, image.in_use, strict=True):
            size += sum(prod((count, *next(shapes)[1:])) * array.dtype.itemsize for array in holder.arrays)
        return int(size)

    def find_difference(self, one: StateImage, other: StateImage) -> str | None:
        """Return the name of the first array, or other value, that differs between two images; None if none does."""
        if one.forms != other.forms or one.in_use != other.in_use:
            return self._name_of(one.forms, other.forms)
        shapes = iter([form for form in one.forms if isinstance(form, tuple)])
        counts = [None] * len(self._whole) + one.in_use
        start = 0
        for holder, count in zip(self._holders, counts, strict=True):
            for name, array in zip(holder.names(), holder.arrays, strict=True):
                shape = next(shapes)
                stop = start + prod(shape if count is None else (count, *shape[1:])) * array.dtype.itemsize
                if one.data[start:stop] != other.data[start:stop]:
                    return f"{self._path_of(holder.owner)}{name}"
                start = stop
        for (owner, names, _), a, b in zip(self._values, one.values, other.values, strict=True):
            for name, its, others in zip(names, *((a, b) if len(names) > 1 else ((a,), (b,))), strict=True):
                if not _are_equal(its, others):
                    return f"{self._path_of(owner)}{name}"
        return None

    def _name_of(self, one: list[LeafForm], other: list[LeafForm]) -> str:
        """Return the name of the first attribute whose forms differ."""
        start = 0
        for holder in self._holders:
            stop = start + len(holder.forms)
            if one[start:stop] != other[start:stop]:
                return f"{self._path_of(holder.owner)}{holder.attribute}"
            start = stop
        return f"{self._path_of(self._partly[0][0].owner)}{self._partly[0][0].attribute}"

    def _path_of(self, owner: Any) -> str:
        """Return the path of an object, with a dot behind it."""
        path = next(path for path, each in self.objects if each is owner)
        return f"{path}." if path else ""


def refill(container: Any, contents: Any) -> None:
    """Replace the contents of a container, without the methods of its own class."""
    if isinstance(container, dict):
        dict.clear(container)
        dict.update(container, contents)
    elif isinstance(container, set):
        set.clear(container)
        set.update(container, contents)
    else:
        container.clear()
        container.extend(contents)


def _objects_of(roots: tuple[Any, ...], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and object of some objects, and of the objects that their lists name."""
    for root in roots:
        yield path, root
        for name in root.state_list.objects:
            owner = getattr(root, name)
            below = f"{path}.{name}" if path else name
            if isinstance(owner, list):
                for number, one in enumerate(owner):
                    yield from _objects_of((one,), f"{below}[{number}]")
            else:
                yield from _objects_of((owner,), below)


def _holders_of(owner: Any, listed: StateList) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield each attribute of an object that holds arrays, with the names of the fields that are kept."""
    fields: dict[str, list[str]] = {}
    for name in listed.arrays:
        attribute, _, field = name.partition(".")
        if field:
            fields.setdefault(attribute, []).append(field)
        elif hasattr(getattr(owner, attribute), "_fields"):
            every = getattr(owner, attribute)._fields
            fields[attribute] = [each for each in every if f"{attribute}.{each}" not in listed.left_out]
        else:
            yield attribute, None
    for attribute, names in fields.items():
        yield attribute, tuple(names)


def _copy_function(container: Any) -> Callable[[Any], Any]:
    return next(copy for kind, copy in COPIES.items() if isinstance(container, kind))


def _leaves_of(value: Any) -> Iterator[np.ndarray | float]:
    """Yield the arrays and numbers of a tuple of arrays, and of the tuples in it."""
    if isinstance(value, tuple):
        for each in value:
            yield from _leaves_of(each)
    else:
        yield value


def _names_of(value: Any, name: str) -> Iterator[str]:
    """Yield the names of the arrays in an array or a tuple of arrays."""
    if isinstance(value, np.ndarray):
        yield name
    elif isinstance(value, tuple):
        fields = getattr(value, "_fields", range(len(value)))
        for field, each in zip(fields, value, strict=True):
            yield from _names_of(each, f"{name}.{field}")


def _are_equal(a: Any, b: Any) -> bool:
    """Return True if two values of a state are equal."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_are_equal, a, b))
    return bool(a == b)


def _with_forms(value: Any, forms: Iterator[LeafForm]) -> Any:
    """Return a tuple of arrays with arrays and numbers of the next forms in the place of its own."""
    if isinstance(value, tuple):
        return type(value)(*(_with_forms(each, forms) for each in value))
    form = next(forms)
    return lane_array(form, value.dtype) if isinstance(form, tuple) else form
