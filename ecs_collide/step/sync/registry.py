"""Values that entities held at the last step, and the entities that may hold others now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from ecs_collide.data.state_list import list_state
from ecs_collide.native.guards import Condition, IsEmpty

T = TypeVar("T")


class Observer(Protocol):
    """Finds the entities that may have changed."""

    def changed(self) -> set[int]:
        """Return all entities that may hold something else than at the last `accept`."""

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which `changed` stays empty; None if there are none."""

    def accept(self) -> None:
        """Record the present state as known."""

    def watched_sets(self) -> dict[type, set[int]]:
        """Return the sets of esper's table that report changes, by type."""

    def release(self) -> None:
        """Detach from the esper world."""


class Registry(Generic[T]):
    """Remembers what entities hold; a derived class reads what they hold now."""

    state_list = list_state(contents="known restructured", objects="_observer", left_out="_is_released")

    def __init__(self, observe: Callable[[Mapping[int, T]], Observer]) -> None:
        self.known: dict[int, T] = {}
        """Value that each entity held at the last step; entities that held nothing are left out."""
        self.restructured: set[int] = set()
        """Entities whose components have to be read again, as after a new shape or another anchor."""
        self._is_released = False
        self._observer = observe(self.known)

    @property
    def is_released(self) -> bool:
        """True if the physics was uninstalled."""
        return self._is_released

    @property
    def candidates(self) -> set[int]:
        """All entities that may hold something else than is known."""
        return set() if self._is_released else self._observer.changed()

    def may_have_changed(self) -> bool:
        """Return True if anything may differ from what is known."""
        return not self._is_released and bool(self.restructured or self._observer.changed())

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which nothing differs from what is known; None if there are none."""
        observed = self._observer.conditions()
        return None if observed is None else (IsEmpty(self.restructured), *observed)

    def candidates_to_read(self) -> list[int]:
        """Return the entities that have to be read, ascending."""
        return [] if self._is_released else sorted(self._observer.changed() | self.restructured)

    def forget_candidates(self) -> None:
        """Record the present state of all entities as known."""
        self.restructured.clear()
        self._observer.accept()

    def record(self, held: Mapping[int, T | None], nothing: T | None = None) -> None:
        """Record what entities hold from now on, or `nothing`; then forget the candidates."""
        for entity, value in held.items():
            if value is nothing or value is None:
                self.known.pop(entity, None)
            else:
                self.known[entity] = value
        self.forget_candidates()

    def watched_sets(self) -> dict[type, set[int]]:
        """Return the sets of esper's table that report changes, by type; none if esper cannot be watched."""
        return self._observer.watched_sets()

    def detach(self) -> None:
        """Detach from the esper world for ever."""
        self._observer.release()
        self._is_released = True
