"""The base of systems that decide which pairs collide: they act between Broadphase and Narrowphase, before contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import esper
import numpy as np

from ecs_collide.errors import PhysicsError
from ecs_collide.step.plan import NARROWPHASE
from ecs_collide.systems.system import System

if TYPE_CHECKING:
    from ecs_collide.api.world import PhysicsWorld


class FilterPairs(System):
    """A system that decides whether pairs of entities may collide.

    A game derives from it, names a `component`, and writes `may_collide`. The system calls it once in each step for any
    two entities of which one holds the component and whose boxes nearly meet. Two that may not collide pass through
    each other in this step, at any speed. They send no events, and no sensor reports one to the other, but a collider
    that detects does. `may_collide` is not called for bodies that sleep: `wake` them if their result changes.

    `esper.add_processor(Doors(physics), priority=priority_between(Broadphase, Narrowphase))` adds a system. A system
    that decides by arrays, for all pairs at once, reads `PhysicsWorld.pairs` in that place.

    Raises PhysicsError for the exact response, which has no pairs, and TypeError if there is no `component`. A step
    raises PhysicsError if the system has another place than between Broadphase and Narrowphase.
    """

    component: ClassVar[type]
    """Component of the game: `may_collide` decides pairs with an entity that holds one."""

    def __init__(self, physics: PhysicsWorld) -> None:
        super().__init__(physics)
        name, component = type(self).__name__, getattr(self, "component", None)
        if not isinstance(component, type):
            raise TypeError(f"{name}.component must be a class of components, got {component!r}")
        if self.pipeline.response.pair_stage is not None:
            raise PhysicsError(f"{name}: the exact response has no pairs; use layer, mask or group")

    def may_collide(self, entity: int, other: int) -> object:
        """Return True if two entities may collide. `entity` holds the component; if both do, it has the smaller id."""
        raise NotImplementedError

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Leave out the pairs that may not collide, in this step."""
        if not self._is_step_under_way():
            return
        holders = [entity for entity, _ in esper.get_component(self.component)]
        if not holders:
            return
        pairs = self.physics.pairs
        both = np.stack((pairs.entity_a, pairs.entity_b))
        hold = np.isin(both, holders)
        rows = np.flatnonzero(hold.any(axis=0))
        (a, b), (a_holds, b_holds) = both[:, rows], hold[:, rows]
        is_a = a_holds & (~b_holds | (a < b))
        candidates = list(zip(np.where(is_a, a, b).tolist(), np.where(is_a, b, a).tolist(), strict=True))
        allowed = {pair: bool(self.may_collide(*pair)) for pair in dict.fromkeys(candidates)}
        refused = [row for row, pair in zip(rows.tolist(), candidates, strict=True) if not allowed[pair]]
        if refused:
            pairs.disable(np.array(refused, np.int64))

    def _is_step_under_way(self) -> bool:
        """Return True before Narrowphase, False in a frame without a step. Raises PhysicsError in another place."""
        plan = self.pipeline.plan
        at = plan.at.item()
        if at != 0 and at == plan.begins[NARROWPHASE]:
            return True
        if at == 0 and self.pipeline.dt == 0.0:
            return False
        raise PhysicsError(
            f"{type(self).__name__} must run between Broadphase and Narrowphase: "
            "esper.add_processor(..., priority=priority_between(Broadphase, Narrowphase))"
        )
