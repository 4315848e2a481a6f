"""Entities whose joints have changed since the last step."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import esper

from ecs_collide.components.joints.all_kinds import TYPES
from ecs_collide.components.joints.joint import Joint
from ecs_collide.errors import PhysicsError
from ecs_collide.kernels.calls import Condition, Empty
from ecs_collide.step.sync import watched_sets as watch


class JointWatch(watch.Watch):
    """Notes the entities that get a joint, or lose one."""

    first = TYPES[0]
    counting = Joint

    def kinds(self) -> Iterable[type]:
        return _derived()


class EveryJoint:
    """Stands in for `JointWatch` if esper cannot be watched: lists all joints in each step."""

    def __init__(self, known: dict[int, Joint]) -> None:
        self._known = known

    def changed(self) -> set[int]:
        held = chain.from_iterable(map(esper.get_component, _derived()))
        return {entity for entity, _ in held} | self._known.keys()

    def conditions(self) -> None:
        """Only looking tells."""

    def accept(self) -> None:
        """Nothing is kept."""

    def release(self) -> None:
        """Nothing is left behind."""


class JointRegistry:
    """Remembers which joint each entity held at the last step."""

    def __init__(self) -> None:
        self.known: dict[int, Joint] = {}
        self.restructured: set[int] = set()
        """Entities whose joints asked to be looked at again: other bodies or anchors."""
        self._observer = JointWatch() if watch.is_possible() else EveryJoint(self.known)
        self._is_released = False

    def may_have_changed(self) -> bool:
        """Whether anything may differ from what is known."""
        return not self._is_released and bool(self.restructured or self._observer.changed())

    def conditions(self) -> tuple[Condition, ...] | None:
        """While these hold nothing differs from what is known; None where there are no such."""
        observed = self._observer.conditions()
        return None if observed is None else (Empty(self.restructured), *observed)

    def change(self) -> dict[int, Joint | None]:
        """What entities that hold another joint than before, or one that is another now, hold; by their ids."""
        if self._is_released:
            return {}
        candidates = self._observer.changed()
        if not candidates and not self.restructured:
            return {}
        found: dict[int, Joint | None] = {}
        for entity in sorted(candidates | self.restructured):
            joint = joint_of(entity)
            if joint is not self.known.get(entity) or (joint is not None and entity in self.restructured):
                found[entity] = joint
        if not found:
            self.restructured.clear()
            self._observer.accept()
        return found

    def accept(self, change: dict[int, Joint | None]) -> None:
        """The change has been carried out."""
        for entity, joint in change.items():
            if joint is None:
                self.known.pop(entity, None)
            else:
                self.known[entity] = joint
        self.restructured.clear()
        self._observer.accept()

    def release(self) -> None:
        """Look at the esper world never again."""
        self._is_released = True
        self._observer.release()
        self.known.clear()


def _derived() -> list[type[Joint]]:
    """All kinds of joints, and a game's own classes derived from them."""
    found = list(TYPES)
    for each in found:
        found.extend(each.__subclasses__())
    return list(dict.fromkeys(found))


def joint_of(entity: int) -> Joint | None:
    """The joint that an entity holds. Raises PhysicsError where it holds two."""
    held = [one for kind in _derived() if (one := esper.try_component(entity, kind)) is not None]
    if len(held) > 1:
        names = " and ".join(type(joint).__name__ for joint in held)
        raise PhysicsError(f"entity {entity} has several joints, {names}: give each an entity of its own")
    return held[0] if held else None
