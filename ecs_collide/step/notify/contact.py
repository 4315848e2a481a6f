"""A contact in an event or in the result of a query."""

from __future__ import annotations

from dataclasses import dataclass

from ecs_collide.validate import Vector2


@dataclass(frozen=True, slots=True)
class Contact:
    """A contact between two entities, as it was in one step; it stays what it is whatever becomes of them.

    `entity_a` is the smaller id. A contact that has ended has no points and a zero normal.
    """

    entity_a: int
    entity_b: int
    normal: Vector2 = (0.0, 0.0)
    """Unit vector from A to B."""
    points: tuple[Vector2, ...] = ()
    """World positions [m], one or two."""
    separations: tuple[float, ...] = ()
    """Gap at each point before the step moved the bodies, negative where they overlap [m]."""
    normal_impulse: float = 0.0
    """Impulse along the normal in this step [N s]."""
    friction_impulse: float = 0.0
    """Impulse across the normal in this step, along (normal_y, -normal_x) on B [N s]."""
    approach_speed: float = 0.0
    """Speed along the normal at which they approached each other before the contact acted, 0 if they did not [m/s]."""

    def other(self, entity: int) -> int:
        """The entity that `entity` is in contact with. Raises ValueError where it is neither of the two."""
        if entity == self.entity_a:
            return self.entity_b
        if entity == self.entity_b:
            return self.entity_a
        raise ValueError(f"entity {entity} is not part of {self!r}")
