"""Names of the bodies to which attached colliders belong."""

from __future__ import annotations

from ecs_collide.data.state_list import list_state


class HostNames:
    """The entity whose body each attached collider names, now and before the changes of this step."""

    state_list = list_state(contents="now before")

    def __init__(self) -> None:
        self.now: dict[int, int] = {}
        """Entity of the body by the entity of the collider; colliders that are not attached are left out."""
        self.before: dict[int, int] = {}
        """Entity of the former body of each collider that was attached, moved or removed since the last events."""

    def body_of(self, entity: int) -> int:
        """Return the entity of the body that an entity's collider belongs to: itself, unless it is attached."""
        return self.now.get(entity, entity)

    def former_body_of(self, entity: int) -> int:
        """Return the entity of the body that the collider belonged to when the last step ended."""
        return self.before.get(entity, self.now.get(entity, entity))

    def put(self, entity: int, body: int | None) -> int | None:
        """Set the body of a collider, None for one that is not attached; return the body that it named before."""
        former = self.now.pop(entity, None)
        if former != body:
            self.before.setdefault(entity, entity if former is None else former)
        if body is not None:
            self.now[entity] = body
        return former
