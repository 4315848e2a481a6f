"""Errors of components and joints that cannot belong to an entity."""

from __future__ import annotations

from ecs_collide.components.described import shorten_repr
from ecs_collide.errors import PhysicsError


def without_numbers(entity: int, component: object, base: str) -> PhysicsError:
    """Return the error of a component whose class has not called `__init__` of its base class, which `base` names."""
    name = type(component).__name__
    return PhysicsError(f"entity {entity}: its {name} has no numbers yet: {name}.__init__ must call {base}")


def shared(first: int, second: int, component: object, word: str) -> PhysicsError:
    """Return the error of a component that two entities hold; `word` stands for it in the advice."""
    return PhysicsError(
        f"entities {first} and {second} share one {type(component).__name__}, which belongs to one entity only. "
        f"Give each its own, copy.copy({word}): {shorten_repr(component)}"
    )


def of_another_world(entity: int, holder: int, component: object, word: str) -> PhysicsError:
    """Return the error of a component that still belongs to an entity of another world."""
    return PhysicsError(
        f"entity {entity}: its {type(component).__name__} still belongs to entity {holder} of another world, or of one "
        f"whose systems were removed without uninstall(). Give this entity a copy, copy.copy({word}): "
        f"{shorten_repr(component)}"
    )
