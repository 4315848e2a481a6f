"""A planned change of bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_table import BodyTable
from ecs_collide.step.sync.changed_entities import Change


class PlannedBodies(NamedTuple):
    """A checked change: the bodies that will be added or changed, and what is written to their rows."""

    change: Change
    table: BodyTable
    formers: list[Body | None]
    """The body that each of `bodies` continues, None if it is new."""
    masses: np.ndarray
    """Rows of `body_mass` (n, 5)."""
    has_attached: bool
    """True if the world has attached colliders before or after the change."""

    @property
    def bodies(self) -> list[Body]:
        """The bodies that will be added or changed."""
        return self.table.bodies


def future_bodies(plan: PlannedBodies | None, members: Mapping[int, Body]) -> Callable[[int], Body | None]:
    """Return a function that returns the body that an entity will have once a plan is carried out, None if none."""
    if plan is None:
        return members.get
    added = {body.entity: body for body in plan.bodies}
    changed = plan.change.components.keys()
    return lambda entity: added.get(entity) if entity in changed else members.get(entity)
