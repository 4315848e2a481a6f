"""The extension module that is built from `c_sources/`."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np

from ecs_collide.native.default_component import DefaultComponent

T = TypeVar("T")
P = TypeVar("P", bound=tuple[float, ...])

class ColumnRef:
    """A reference to a column of numbers, through which the components of a world read and write their rows.

    When the column grows, only its `ColumnRef` is updated, and no component is touched.
    """

    width: int
    """Numbers of a row, 1 to 32."""

    def __init__(self, width: int) -> None: ...
    def set_arrays(self, column: np.ndarray, marks: np.ndarray, marked: np.ndarray, count: np.ndarray) -> None:
        """Refer to a column (n, width) from now on, and mark rows that are written as `DirtyRows` does."""

class Numbers:
    """The base of all components: up to 32 numbers.

    A class may have a set `_keywords`. A call with other keywords goes to its `_check_keywords`, which may raise.
    """

    _stands_in: bool
    """True if it was added beside a component of a game's own, or is a copy of one that was."""
    @property
    def _entity(self) -> int | None:
        """The entity that the component belongs to, as far as a world has seen."""
    @property
    def _changed(self) -> set[int] | None:
        """The world's set of entities that changed in more than numbers."""
    def _init_plain(self, *numbers: Any) -> bool:
        """Initialise detached with these numbers if they are floats and ints up to 1e15; return True if so."""
    def _init_numbers(self, *numbers: float) -> None:
        """Initialise detached with these numbers."""
    def _init_from(self, default: DefaultComponent, *values: Any) -> None:
        """Initialise as a default component, and write those of the values that differ from its own."""
    def _values(self) -> list[float]:
        """Return the component's numbers."""
    def _is_sound(self) -> bool:
        """Return True if all numbers are finite and within `LARGEST`."""
    def _store(self, offset: int, number: float) -> None:
        """Write one number without a check."""
    def _detach(self) -> None:
        """Keep the last values and leave the world."""
    def _claim(self, entity: int, changed: set[int]) -> None:
        """Belong to an entity; changes in more than numbers add it to `changed`."""

class Field(Generic[T]):
    """One number of a component.

    A float or an int from `lowest` to `largest` is written unchanged, and so is the object `standard`. Anything else is
    written as `check(value, name)` returns it. `wrap` converts the number when it is read; with `wrap`, every value is
    checked.
    """

    def __init__(
        self,
        offset: int,
        check: Callable[[Any, str], T],
        lowest: float = ...,
        largest: float = ...,
        standard: T | None = None,
        wrap: Callable[[float], T] | None = None,
    ) -> None: ...
    def __set_name__(self, owner: type, name: str) -> None: ...
    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> T: ...
    def __set__(self, view: Any, value: T) -> None: ...

class Fields(Generic[P]):
    """Two to four numbers of a component as a tuple; without `check` they cannot be written."""

    def __init__(self, offset: int, count: int, check: Callable[[Any, str], P] | None = None) -> None: ...
    def __set_name__(self, owner: type, name: str) -> None: ...
    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> P: ...
    def __set__(self, view: Any, value: P) -> None: ...

class Value(Generic[T]):
    """A value of a component that is stored outside the columns. Writing it has the entity's body made again.

    It is stored in the slot of its name with a `_` before it. The objects `standard` are written unchanged, anything
    else as `check(value, name)` returns it.
    """

    def __init__(self, check: Callable[[Any, str], T], *standard: T) -> None: ...
    def __set_name__(self, owner: type, name: str) -> None: ...
    @overload
    def __get__(self, view: None, kind: type) -> Self: ...
    @overload
    def __get__(self, view: Numbers, kind: type) -> T: ...
    def __set__(self, view: Any, value: T) -> None: ...

class Item(Value[T]):
    """A `Value` in a slot's tuple, at a place. Components with equal values share the tuple."""

    def __init__(self, slot: str, place: int, check: Callable[[Any, str], T], *standard: T) -> None: ...

def adopt(
    columns: tuple[ColumnRef | None, ...],
    components: list[Any],
    rows: list[int],
    entities: list[int],
    changed: set[int],
) -> None:
    """Connect components with entities and their rows, and copy the components' numbers there.

    For each entity `components` has a tuple with one component for each of the columns, or None. A row of -1 means that
    the entity's components keep their numbers, and so do those whose column is None. Changes in more than numbers add
    an entity to `changed` from now on.
    """

def detach(components: list[Any]) -> None:
    """Disconnect components from their rows, with their last values.

    Each of `components` is the tuple of an entity, with None for absent ones.
    """

def read_numbers(
    objects: list[Any], paths: tuple[tuple[str, ...], ...], out: np.ndarray, which: np.ndarray | None = None
) -> bool:
    """Read the number at each path of each object into `out` (objects, paths); return True if all are floats.

    `which` (objects, paths) bool selects numbers. If neighbouring paths differ in their last names only, the objects
    before these may be read once. The list must not change meanwhile. All arrays are C-contiguous.

    Raises whatever reading an attribute raises, and TypeError for a value that is no number.
    """

def write_numbers(
    objects: list[Any], paths: tuple[tuple[str, ...], ...], values: np.ndarray, which: np.ndarray | None = None
) -> None:
    """Write a number of `values` (objects, paths) to each path of each object; `which` (same shape) selects numbers."""

def read_components(components: list[Any], integers: np.ndarray, numbers: np.ndarray) -> int:
    """Write the values of entities' components to `integers` (n, 10) and `numbers` (n, 7).

    Each of `components` is a tuple of a Transform, a Velocity, a Collider, a RigidBody, a Force and an AttachedTo, or
    None in place of an absent one.

    Returns the place of the first entity that has a number which is not sound, or components that do not go
    together, such as a Collider without a Transform; later entities are not read. Returns -1 if all are in order.
    """

def make_contacts(kind: type[T], members: tuple[Any, ...], records: np.ndarray, numbers: np.ndarray) -> list[T]:
    """Return a new object of a class for each row of two C-contiguous tables, `records` (k, 7) and `numbers` (k, 11).

    `members` are the slots of the twelve fields of `Contact`. They are written without a call of `__init__`.
    """

def are_all_new(components: list[Any], before: list[Any], types: Sequence[type]) -> bool:
    """Return True if each component has its type and its numbers, belongs to no entity, and stands only once.

    `before` has the components that each entity had before, or None. Components that it still has are not looked at.
    """

def make_guard(conditions: tuple[tuple[Any, ...], ...]) -> Callable[[], bool]:
    """Return a function that returns True while all conditions hold, see `guards.py`."""

def plain_points(value: object) -> tuple[tuple[float, float], ...] | None:
    """Return a list or tuple of plain pairs as a tuple of pairs of floats, and None for another value.

    A plain pair is a tuple of two floats or ints that are at most `LARGEST`.
    """
