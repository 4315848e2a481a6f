"""Each component belongs to one entity of one world."""

from __future__ import annotations

from ecs_collide.components.view import View
from ecs_collide.data.native import are_all_new
from ecs_collide.errors import PhysicsError
from ecs_collide.step.sync.changed_entities import Change, Roster
from ecs_collide.step.sync.component_set import NOTHING, TYPES, Parts


def check_holders(change: Change, roster: Roster) -> None:
    """Raise PhysicsError where a component is given to two entities, or is still held elsewhere."""
    known = roster.known
    given = [_given(parts, known.get(each)) for each, parts in change.parts.items() if parts is not NOTHING]
    if not are_all_new(given, TYPES):
        _check_each_holder(change, roster)


def _given(parts: Parts, known: Parts | None) -> tuple[View | None, ...]:
    """Those of an entity's components that it did not have before, None in place of the others."""
    if known is None:
        return parts
    return tuple(None if part is old else part for part, old in zip(parts, known, strict=True))


def _check_each_holder(change: Change, roster: Roster) -> None:
    holder: dict[int, int] = {}
    for entity, parts in change.parts.items():
        for number, component in enumerate(parts):
            if component is None:
                continue
            if not isinstance(component, TYPES[number]):
                raise PhysicsError(f"entity {entity}: its {TYPES[number].__name__} is {component!r}, which is none")
            if getattr(component, "_entity", entity) is None and id(component) not in holder:  # as most that are new
                holder[id(component)] = entity
                continue
            name = type(component).__name__
            if not hasattr(component, "_entity"):
                raise PhysicsError(
                    f"entity {entity}: its {name} has no numbers yet: "
                    f"{name}.__init__ must call {TYPES[number].__name__}.__init__"
                )
            other = holder.setdefault(id(component), entity)
            if other == entity and component._entity is not None:
                held_by = component._entity
                if not roster.holds(component, held_by, number):
                    raise PhysicsError(
                        f"entity {entity}: {component!r} is still held by entity {held_by} of another world, or of "
                        f"one whose systems were removed without uninstall(): give this one a copy, "
                        f"copy.copy({name.lower()})"
                    )
                if held_by != entity and roster.will_hold(component, held_by, number, change):
                    other = held_by
            if other != entity:
                raise PhysicsError(
                    f"entities {other} and {entity} share one {name}, {component!r}: "
                    f"give each its own, copy.copy({name.lower()})"
                )
