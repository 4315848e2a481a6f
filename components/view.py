"""Base of all components: numbers of their own, or a row in a column of a physics world."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from ecs_collide.components.described import Described
from ecs_collide.native import Numbers

T = TypeVar("T")


class View(Described, Numbers):
    """A component whose numbers a game may read and write at any time, before, during and after its adoption.

    An adopted component reads and writes the world's column directly, so nothing is copied in a frame. A component that
    is removed from its entity keeps its last values, from the next step on.

    Components are compared by identity, as esper's entities hold them: two components with equal values are not equal.

    A game may derive classes from a component; esper finds instances under their own type.
    """

    __slots__ = ()
    class_count: ClassVar[int] = 0
    """Number of component classes, including a game's own; each new class raises it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1
        kinds = [kind.__name__ for kind in cls.__mro__ if View in kind.__bases__]
        if len(kinds) > 1:
            raise TypeError(f"{cls.__name__} cannot be a {' and a '.join(kinds)} at once: make a component for each")

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what `copy` and `pickle` need: copies hold the present values and belong to no entity.

        Attributes and slots of a subclass are copied as well; its `__init__` is not called.
        """
        state = object.__getstate__(self)
        attributes, slots = state if isinstance(state, tuple) else (state, {})
        own = getattr(Numbers, "__slots__", ())
        more = {k: v for k, v in slots.items() if k not in own}
        return _detached, (type(self), self._stands_in, *self._values()), (attributes, more)


_classes_of: dict[type, tuple[int, tuple[type, ...]]] = {}
"""Results of `classes_of`, each with the number of component classes at that time."""


def classes_of(base: type[T]) -> tuple[type[T], ...]:
    """Return a component class and all classes that are derived from it, the class itself first."""
    count, found = _classes_of.get(base, (-1, ()))
    if count != View.class_count:
        listed = [base]
        for each in listed:
            listed.extend(each.__subclasses__())
        found = tuple(dict.fromkeys(listed))
        _classes_of[base] = View.class_count, found
    return found


def _detached(kind: type[View], stands_in: bool, *numbers: float) -> View:
    """Return a component with these numbers and no entity."""
    view = kind.__new__(kind)
    view._init_numbers(*numbers)
    view._stands_in = stands_in
    return view
