"""What all components share: numbers that live in a list of their own, or in a column of a physics world."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from ecs_collide.columns.cells import Cells, flat_view
from ecs_collide.validate import LARGEST, finite

T = TypeVar("T")


class View:
    """A component whose numbers can be read and written at any time, before, during and after its adoption.

    Reading or writing an adopted component reads or writes the world's column: nothing is copied per frame. When
    the component is removed from its entity it takes its last values with it at the next step.

    A game may derive classes of its own from a component, which esper then finds under their own type.
    """

    __slots__ = ("_at", "_cells", "_changed", "_entity")
    class_count: ClassVar[int] = 0
    """How many classes have been derived from it, by a game too."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1
        kinds = [kind.__name__ for kind in cls.__mro__ if View in kind.__bases__]
        if len(kinds) > 1:
            raise TypeError(f"{cls.__name__} cannot be a {' and a '.join(kinds)} at once: make a component for each")

    def __init__(self, values: list[float]) -> None:
        self._cells = Cells(values, len(values))
        self._at = 0
        self._entity: int | None = None
        """The entity that holds the component, as far as a world has seen."""
        self._changed: set[int] | None = None
        """The world's set of entities whose structure changed."""

    def _attach(self, cells: Cells, row: int) -> None:
        """Look at a world's row from now on; its numbers are there already."""
        self._cells, self._at = cells, row * cells.width

    def _claim(self, entity: int, changed: set[int]) -> None:
        """Belong to an entity; structural changes are put down in `changed`."""
        self._entity = entity
        self._changed = changed

    def _values(self) -> list[float]:
        """The component's numbers, wherever they are."""
        return list(self._cells.values[self._at : self._at + self._cells.width])

    def _read(self, offset: int) -> float:
        return self._cells.values[self._at + offset]

    def _write(self, offset: int, value: float, field: str) -> None:
        if type(value) is not float or not -LARGEST <= value <= LARGEST:
            value = self._checked(finite, value, field)
        self._cells.write(self._at + offset, value)

    def _checked(self, check: Callable[[Any, str], T], value: Any, field: str) -> T:
        """The value as `check` accepts it; its error names the entity too, where it is known."""
        try:
            return check(value, f"{type(self).__name__}.{field}")
        except (TypeError, ValueError) as error:
            if self._entity is None:
                raise
            raise type(error)(f"entity {self._entity}: {error}") from None

    def _restructured(self) -> None:
        """Tell the world that more than a number has changed."""
        if self._changed is not None and self._entity is not None:
            self._changed.add(self._entity)

    def _arguments(self) -> dict[str, Any]:
        """The arguments that would make an equal component."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._arguments().items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are detached: they hold the present values and belong to no entity.

        What a subclass holds besides, in slots or not, goes along; its `__init__` is not called.
        """
        state = object.__getstate__(self)
        attributes, slots = state if isinstance(state, tuple) else (None, state)
        own = {"_cells": Cells(self._values(), self._cells.width), "_at": 0, "_entity": None, "_changed": None}
        return copyreg.__newobj__, (type(self),), (attributes, {**slots, **own})  # type: ignore[attr-defined]


def detach(parts: Sequence[View], cells: Cells) -> None:
    """Let components of one kind take their last values along and let go of the world, whose `cells` they look at."""
    if not parts:
        return
    column = np.asarray(cells.values).reshape(-1, cells.width)
    own = Cells(flat_view(column[[part._at // cells.width for part in parts]]), cells.width)
    for row, part in enumerate(parts):
        part._cells, part._at = own, row * cells.width
        part._entity = part._changed = None
