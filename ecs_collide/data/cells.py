"""What components are made of: numbers that are their own until a world adopts them, then a row of one of its columns.

`_cells.c` does the same in C; this is what it means, and what serves where it was not built.
"""

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar, cast, overload

import numpy as np

from ecs_collide.validate import LARGEST, LARGEST_ANGLE, finite

T = TypeVar("T")
P = TypeVar("P", bound=tuple[float, ...])

Check = Callable[[Any, str], Any]
"""From a value and its name to the value in the form in which it is kept; raises TypeError or ValueError."""


class Cells:
    """A column of a world, as its components look at it.

    When the column grows, only its `Cells` is told to look elsewhere: no component is touched.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        """Numbers of a row."""
        self.values: MutableSequence[float] = []

    def look_at(self, column: np.ndarray, marks: np.ndarray, marked: np.ndarray, count: np.ndarray) -> None:
        """Look at a column (n, width) from now on, and mark who was written as `DirtyRows` does."""
        self.values = cast(MutableSequence[float], memoryview(column.data).cast("B").cast("d"))
        self._marks, self._marked, self._count = marks, marked, count

    def mark(self, at: int) -> None:
        """Put down that the row at this place was written."""
        row = at // self.width
        if not self._marks[row]:
            self._marks[row] = True
            self._marked[self._count[0]] = row
            self._count[0] += 1


def adopt(
    columns: Sequence[Cells],
    parts: Sequence[Sequence[Any]],
    rows: Sequence[int],
    entities: Sequence[int],
    changed: set[int],
) -> None:
    """Let components belong to their entities and look at the entities' rows, and bring their numbers there.

    Of each entity `parts` has one component for each of the columns, or None. A row of -1 is none: such an entity's
    components keep their numbers. Structural changes are put down in `changed` from now on.
    """
    for own, row, entity in zip(parts, rows, entities, strict=True):
        for cells, view in zip(columns, own, strict=True):
            if view is None:
                continue
            if row >= 0:
                at = row * cells.width
                cells.values[at : at + cells.width] = np.array(view._values()).data
                view._cells, view._at = cells, at
            view._claim(entity, changed)


def detach(parts: Sequence[Sequence[Any]]) -> None:
    """Let the components of entities take their last values along and let go of the world."""
    for own in parts:
        for view in own:
            if view is not None:
                view._detach()


class Standard(NamedTuple):
    """A component as it is made without arguments: a new one begins as its copy, which takes a tenth of writing all."""

    view: Any
    names: tuple[str, ...]
    """What its class is made with, in order."""
    values: tuple[Any, ...]
    """What each of these is where it is not given; `NOT_GIVEN` where it always is."""
    slot_count: int


NOT_GIVEN = object()

PLAIN = (float, int)
"""What is known to be a number; a bool, for example, is of a kind of its own."""


def standard(kind: Any, *numbers: float, **shared: tuple[Any, ...]) -> Standard:
    """What stands for a class whose arguments are called as its fields are; `shared` are the slots of its `Item`s."""
    make = kind.__init__
    code, given = make.__code__, make.__defaults__ or ()
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(zip(names[code.co_argcount - 1 - len(given) :], given)) | make.__kwdefaults__
    view = kind.__new__(kind)
    view._hold(*numbers)
    for name, value in (shared | defaults).items():
        setattr(view, name, value)
    return Standard(view, names, tuple(defaults.get(name, NOT_GIVEN) for name in names), len(kind.__slots__))


class Numbers:
    """The base of all components."""

    __slots__ = ("_at", "_cells", "_changed", "_entity", "_own", "_stands_in")

    def _take(self, *numbers: Any) -> bool:
        """Begin with these numbers, detached, if they are floats and ints of a size that is good for everything."""
        if not all(type(number) in PLAIN and abs(number) <= LARGEST_ANGLE for number in numbers):
            return False
        self._hold(*(float(number) + 0.0 for number in numbers))  # -0.0 becomes 0.0
        return True

    def _hold(self, *numbers: float) -> None:
        """Begin with these numbers, detached."""
        self._own: MutableSequence[float] = list(numbers)
        self._cells: Cells | None = None
        self._at = 0
        self._entity: int | None = None
        """The entity that holds the component, as far as a world has seen."""
        self._changed: set[int] | None = None
        """The world's set of entities whose structure changed."""
        self._stands_in = False
        """Whether it was added beside a component of a game's own, or is a copy of one that was."""

    def _start_as(self, standard: Standard, *values: Any) -> None:
        """Begin as a standard component, but for those of the values that are others."""
        view, names, usual, _ = standard
        self._hold(*view._values())
        for slot in type(view).__slots__:
            if hasattr(view, slot):
                setattr(self, slot, getattr(view, slot))
        for name, value, before in zip(names, values, usual, strict=True):
            if value is not before:
                setattr(self, name, value)

    def _values(self) -> list[float]:
        """The component's numbers, wherever they are."""
        return list(self._row()[self._at : self._at + len(self._own)])

    def _is_sound(self) -> bool:
        """Whether all numbers are finite and within `LARGEST`."""
        return all(abs(value) <= LARGEST for value in self._values())

    def _detach(self) -> None:
        """Take the last values along and let go of the world."""
        stands_in = self._stands_in
        self._hold(*self._values())
        self._stands_in = stands_in

    def _claim(self, entity: int, changed: set[int]) -> None:
        """Belong to an entity; structural changes are put down in `changed`."""
        self._entity = entity
        self._changed = changed

    def _row(self) -> MutableSequence[float]:
        return self._own if self._cells is None else self._cells.values

    def _store(self, offset: int, *numbers: float) -> None:
        row = self._row()
        for k, number in enumerate(numbers, self._at + offset):
            row[k] = number
        if self._cells is not None:
            self._cells.mark(self._at)


class Field(Generic[T]):
    """One number of a component.

    A float or an int from `lowest` to `largest` is taken as it is, and so is the object `standard`; whatever else is
    written is what `check` makes of it. `wrap` turns the number into what is read; where there is one, no number is a
    value.
    """

    def __init__(
        self,
        offset: int,
        check: Callable[[Any, str], T],
        lowest: float = -LARGEST,
        largest: float = LARGEST,
        standard: T | None = None,
        wrap: Callable[[float], T] | None = None,
    ) -> None:
        self._offset, self._check, self._lowest, self._largest = offset, check, lowest, largest
        self._standard, self._wrap = standard, wrap

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> T: ...
    def __get__(self, view: Numbers | None, kind: type) -> Self | T:
        if view is None:
            return self
        number = view._row()[view._at + self._offset]
        return cast(T, number) if self._wrap is None else self._wrap(number)

    def __set__(self, view: Any, value: T) -> None:
        number = cast(float, value)
        is_standard = self._standard is not None and value is self._standard
        is_plain = self._wrap is None and type(number) in PLAIN and self._lowest <= number <= self._largest
        if is_standard or is_plain:
            number = float(number)
        else:
            number = float(view._checked(cast(Check, self._check), value, self._name))
            if not abs(number) <= LARGEST:
                number = view._checked(finite, number, self._name)
        view._store(self._offset, number if self._check is finite else number + 0.0)  # -0.0 becomes 0.0


class Fields(Generic[P]):
    """Several numbers of a component as a tuple; without `check` they cannot be written."""

    def __init__(self, offset: int, count: int, check: Callable[[Any, str], P] | None = None) -> None:
        self._offset, self._count, self._check = offset, count, check

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> P: ...
    def __get__(self, view: Numbers | None, kind: type) -> Self | P:
        if view is None:
            return self
        at = view._at + self._offset
        return cast(P, tuple(view._row()[at : at + self._count]))

    def __set__(self, view: Any, value: P) -> None:
        if self._check is None:
            raise AttributeError("cannot be written")
        view._store(self._offset, *view._checked(self._check, value, self._name))


class Part(Generic[T]):
    """A value of a component that is no number of a column; the body is looked at again where it is written.

    It is kept in the slot of its name with a `_` before it. The object `standard` is taken as it is, whatever else is
    written is what `check` makes of it.
    """

    def __init__(self, check: Callable[[Any, str], T], *standard: T) -> None:
        self._check, self._standard = check, standard

    def __set_name__(self, owner: type, name: str) -> None:
        self._name, self._slot = name, f"_{name}"

    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> T: ...
    def __get__(self, view: Numbers | None, kind: type) -> Self | T:
        return self if view is None else getattr(view, self._slot)

    def __set__(self, view: Any, value: T) -> None:
        is_standard = any(value is standard for standard in self._standard)
        self._keep(view, value if is_standard else view._checked(self._check, value, self._name))
        if view._changed is not None and view._entity is not None:
            view._changed.add(view._entity)

    def _keep(self, view: Any, value: T) -> None:
        setattr(view, self._slot, value)


class Item(Part[T]):
    """The same, but kept in a slot's tuple beside others, which all components share that begin alike."""

    def __init__(self, slot: str, place: int, check: Callable[[Any, str], T], *standard: T) -> None:
        super().__init__(check, *standard)
        self._tuple, self._place = slot, place

    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> T: ...
    def __get__(self, view: Numbers | None, kind: type) -> Self | T:
        return self if view is None else cast(T, getattr(view, self._tuple)[self._place])

    def _keep(self, view: Any, value: T) -> None:
        items, place = getattr(view, self._tuple), self._place
        setattr(view, self._tuple, (*items[:place], value, *items[place + 1 :]))
