"""Entities whose joints have changed since the last step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

import esper

from ecs_collide.components.joints.all_kinds import TYPES
from ecs_collide.components.joints.joint import Joint
from ecs_collide.errors import PhysicsError
from ecs_collide.step.joints.joint_kinds import joint_kinds
from ecs_collide.step.sync import watched_sets as watch
from ecs_collide.step.sync.registry import Registry


class JointWatch(watch.Watch):
    """Records the entities that get a joint, or lose one."""

    first = TYPES[0]
    counting = Joint

    def kinds(self) -> Iterable[type]:
        """Return the classes of joints, those of a game included."""
        return joint_kinds()


class JointList:
    """Stands in for `JointWatch` if esper cannot be watched: lists all joints in each step."""

    def __init__(self, known: Mapping[int, Joint]) -> None:
        self._known = known

    def changed(self) -> set[int]:
        """Return all entities that hold a joint now or held one before."""
        held = chain.from_iterable(map(esper.get_component, joint_kinds()))
        return {entity for entity, _ in held} | self._known.keys()

    def conditions(self) -> None:
        """Return None: only a list of all joints shows what has changed."""

    def watched_sets(self) -> dict[type, set[int]]:
        """Return no sets: esper's own ones report nothing."""
        return {}

    def accept(self) -> None:
        """Do nothing: nothing is kept."""

    def release(self) -> None:
        """Do nothing: the esper world holds nothing of it."""


class JointRegistry(Registry[Joint]):
    """Remembers which joint each entity held at the last step."""

    def __init__(self) -> None:
        super().__init__(lambda known: JointWatch() if watch.is_possible() else JointList(known))

    def change(self) -> dict[int, Joint | None]:
        """Return the joint, or None, of each entity whose joint was replaced or changed in structure, by their ids."""
        candidates = self.candidates_to_read()
        found: dict[int, Joint | None] = {}
        for entity in candidates:
            joint = joint_of(entity)
            if joint is not self.known.get(entity) or (joint is not None and entity in self.restructured):
                found[entity] = joint
        if candidates and not found:
            self.forget_candidates()
        return found

    def accept(self, change: dict[int, Joint | None]) -> None:
        """Record a change that has been carried out."""
        self.record(change)

    def release(self) -> None:
        """Detach from the esper world for ever."""
        self.detach()
        self.known.clear()


def joint_of(entity: int) -> Joint | None:
    """Return the joint of an entity, None if it has none. Raises PhysicsError if it has several."""
    try:
        components: tuple[object, ...] = esper.components_for_entity(entity)
    except KeyError:
        return None
    held = [component for component in components if isinstance(component, Joint)]
    if len(held) > 1:
        names = " and ".join(type(joint).__name__ for joint in held)
        raise PhysicsError(f"entity {entity} has several joints, {names}: give each an entity of its own")
    return held[0] if held else None
