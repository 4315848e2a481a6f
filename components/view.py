"""What all components share: numbers that are their own, or a row in a column of a physics world."""

from __future__ import annotations

from typing import Any, ClassVar

from ecs_collide.components.described import Described
from ecs_collide.data.native import Numbers


class View(Described, Numbers):
    """A component whose numbers can be read and written at any time, before, during and after its adoption.

    Reading or writing an adopted component reads or writes the world's column: nothing is copied per frame. When
    the component is removed from its entity it takes its last values with it at the next step.

    A game may derive classes of its own from a component, which esper then finds under their own type.
    """

    __slots__ = ()
    class_count: ClassVar[int] = 0
    """How many classes a step has to look for, a game's own too: with each it is another number."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1
        kinds = [kind.__name__ for kind in cls.__mro__ if View in kind.__bases__]
        if len(kinds) > 1:
            raise TypeError(f"{cls.__name__} cannot be a {' and a '.join(kinds)} at once: make a component for each")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are detached: they hold the present values and belong to no entity.

        What a subclass holds besides, in slots or not, goes along; its `__init__` is not called.
        """
        state = object.__getstate__(self)
        attributes, slots = state if isinstance(state, tuple) else (state, {})
        own = getattr(Numbers, "__slots__", ())
        more = {k: v for k, v in slots.items() if k not in own}
        return _detached, (type(self), self._stands_in, *self._values()), (attributes, more)


def _detached(kind: type[View], stands_in: bool, *numbers: float) -> View:
    """A component with these numbers and nothing else, yet."""
    view = kind.__new__(kind)
    view._hold(*numbers)
    view._stands_in = stands_in
    return view
