"""The moments at which a change of bodies calls other subsystems, in order.

`step/world_dependents.py` calls those of a world.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.component_set import ComponentSet

if TYPE_CHECKING:
    from ecs_collide.step.sync.plan_bodies import PlannedBodies


class FormerBodies(Protocol):
    """Data about bodies that is kept outside the columns."""

    def forget(self, rows: list[int], entities: set[int]) -> None:
        """Drop the data of removed bodies, given by rows and by entities: new bodies may get both in the same step."""


class BodyDependents:
    """The subsystems of a world that depend on which bodies there are; here there are none.

    The methods stand in the order in which a change calls them. While a change is planned, they may raise, and then
    nothing has changed: a PhysicsError, or a warning that the game turned into an error. While it is carried out, they
    must not.

    | phase | caller | methods |
    | --- | --- | --- |
    | plan | `BodySync.plan` | `check_bodies`, `warn_of_new_bodies` |
    | | `Changes.plan`, before a step only | `check_step` |
    | carry out | `BodySync.carry_out` | `wake`, `record_changing`, `forget`, `reset`, `read_candidates` |
    """

    def add_characters(self, characters: FormerBodies) -> None:
        """Call the memory of characters from now on. It is added from above: the step imports no code of characters."""

    def check_bodies(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError if one of the bodies that will be added or changed cannot be moved."""

    def warn_of_new_bodies(self, bodies: list[Body], without_layer: dict[int, ComponentSet]) -> None:
        """Warn of likely mistakes in bodies that will be added, and in new entities that are on no layer."""

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Raise PhysicsError if a step cannot be made after a change of bodies; `plan` is None if there is none."""

    def wake(self, rows: list[int]) -> None:
        """Wake bodies, given by rows, that are about to be removed or changed, and those that rest on them."""

    def record_changing(self, entities: Iterable[int]) -> None:
        """Record the entities whose bodies are about to be added, removed or changed."""

    def forget(self, rows: list[int], entities: set[int]) -> None:
        """Drop what is kept of removed bodies, by rows or by entities: new bodies may get both in the same step."""

    def reset(self) -> None:
        """Begin again as a new world does, because the last body was removed."""

    def read_candidates(self) -> None:
        """Read which entities may have changed, before the registry of entities forgets them.

        This is called without a change as well, if components were written that are what they were.
        """
