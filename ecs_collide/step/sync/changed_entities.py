"""What has changed among the entities since the last step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from ecs_collide.components.view import View
from ecs_collide.kernels.calls import Condition, Empty
from ecs_collide.step.sync import watched_sets as watch
from ecs_collide.step.sync.compare_entities import Comparison
from ecs_collide.step.sync.component_set import NOTHING, Held, Parts, are_same, classes, parts_of


class Change(NamedTuple):
    """The entities that differ from what was known, in order of their ids, and what they hold now."""

    parts: dict[int, Parts]

    @property
    def entities(self) -> list[int]:
        return list(self.parts)


class Observer(Protocol):
    """Finds out who may have changed."""

    def changed(self) -> set[int]:
        """Entities that may hold something else than at the last `accept`; none is left out."""

    def conditions(self) -> tuple[Condition, ...] | None:
        """While these hold there is nothing in `changed`; None where there are no such."""

    def held_by(self, entity: int) -> Held:
        """The components of an entity of the current esper world, none where there is no such entity."""

    def accept(self) -> None:
        """What has changed so far is known."""

    def release(self) -> None:
        """Let go of the esper world."""


class Roster:
    """Remembers who held what at the last step."""

    def __init__(self, bound: Iterable[type] = ()) -> None:
        self.known: dict[int, Parts] = {}
        """What each entity held, but for those that held nothing."""
        self.restructured: set[int] = set()
        """Entities whose components asked to be looked at again (a new shape, another kind, ...)."""
        self._is_released = False
        self._observer: Observer = watch.Watch(bound) if watch.is_possible() else Comparison(self.known, bound)
        self.followers: list[Callable[[set[int]], None]] = []
        """Called with the candidates before they are forgotten."""

    @property
    def candidates(self) -> set[int]:
        """The entities that may hold something else than is known; none is left out."""
        return set() if self._is_released else self._observer.changed()

    def held_by(self, entity: int) -> Held:
        """The components of an entity of the current esper world, none where there is no such entity."""
        return self._observer.held_by(entity)

    def may_have_changed(self) -> bool:
        """Whether anything may differ from what is known."""
        return not self._is_released and bool(self.restructured or self._observer.changed())

    def conditions(self) -> tuple[Condition, ...] | None:
        """While these hold nothing differs from what is known; None where there are no such."""
        observed = self._observer.conditions()
        return None if observed is None else (Empty(self.restructured), *observed)

    def change(self) -> Change | None:
        """What differs from what is known, or None; nothing is remembered before `accept`."""
        if self._is_released:
            return None
        candidates = self._observer.changed()
        if not candidates and not self.restructured:
            return None
        found = self._found_among(candidates | self.restructured)
        if found:
            return Change(found)
        self._forget_candidates()
        return None

    def _forget_candidates(self) -> None:
        for follower in self.followers:
            follower(self.candidates)
        self._observer.accept()

    def _found_among(self, candidates: set[int]) -> dict[int, Parts]:
        """What those of some entities hold that hold something else than is known, or are to be looked at again."""
        found, kinds, held_by = {}, classes(), self._observer.held_by
        for entity in sorted(candidates):
            parts = parts_of(entity, held_by(entity), kinds)
            if not are_same(parts, self.known.get(entity, NOTHING)) or entity in self.restructured:
                found[entity] = parts
        return found

    def accept(self, change: Change) -> None:
        """The change has been carried out."""
        for entity, parts in change.parts.items():
            if parts is NOTHING:
                self.known.pop(entity, None)
            else:
                self.known[entity] = parts
        self.restructured.clear()
        self._forget_candidates()

    def release(self) -> Change:
        """Look at the esper world never again; return the change that takes everything away."""
        self._observer.release()
        self._is_released = True
        return Change(dict.fromkeys(sorted(self.known), NOTHING))

    def will_hold(self, component: View, entity: int, number: int, change: Change) -> bool:
        """Whether `entity` holds this very component as the given one of its parts once a change is carried out."""
        return change.parts.get(entity, self.known.get(entity, NOTHING))[number] is component

    def holds(self, component: View, entity: int, number: int) -> bool:
        """Whether, at the last step, `entity` held this very component as the given one of its parts."""
        return self.known.get(entity, NOTHING)[number] is component
