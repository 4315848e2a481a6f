"""Planning a change of bodies: it is read and checked as a whole, before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ecs_collide.data.shape_store import ShapeStore
from ecs_collide.step.sync.attachments import Attachments, with_hosts
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_dependents import BodyDependents
from ecs_collide.step.sync.body_table import BodyTable
from ecs_collide.step.sync.changed_entities import Change, EntityRegistry
from ecs_collide.step.sync.component_owners import check_owners
from ecs_collide.step.sync.planned_masses import masses_of
from ecs_collide.step.sync.read_bodies import read_bodies


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


def plan_bodies(
    change: Change,
    registry: EntityRegistry,
    members: Mapping[int, Body],
    attachments: Attachments,
    shapes: ShapeStore,
    dependents: BodyDependents,
) -> PlannedBodies:
    """Return the plan of a change of the entities in `registry`, whose bodies are `members` so far.

    Raises PhysicsError, with nothing changed, if the change is invalid.
    """
    check_owners(change, registry)
    has_attached = attachments.concern_changes()
    if has_attached:
        change = attachments.widen(change, registry.known)
    table, without_layer = read_bodies(change, members)
    table, sums = with_hosts(table, members) if has_attached else (table, {})
    bodies = table.bodies
    _prepare_shapes(bodies, shapes)
    dependents.check_bodies(bodies)
    masses = masses_of(table, sums)
    if has_attached:
        masses[[body.host is not body for body in bodies]] = 0.0
    formers = [former_of(body, members) for body in bodies]
    new = [body for body, former in zip(bodies, formers, strict=True) if former is None]
    dependents.warn_of_new_bodies(new, without_layer)
    return PlannedBodies(change, table, formers, masses, has_attached)


def former_of(body: Body, members: Mapping[int, Body]) -> Body | None:
    """Return the body that another one continues, None if it is new."""
    former = members.get(body.entity)
    return former if former is not None and body.is_successor_of(former) else None


def future_bodies(plan: PlannedBodies | None, members: Mapping[int, Body]) -> Callable[[int], Body | None]:
    """Return a function that returns the body that an entity will have once a plan is carried out, None if none."""
    if plan is None:
        return members.get
    added = {body.entity: body for body in plan.bodies}
    changed = plan.change.components.keys()
    return lambda entity: added.get(entity) if entity in changed else members.get(entity)


def _prepare_shapes(bodies: list[Body], shapes: ShapeStore) -> None:
    """Compute the geometry of the shapes of bodies; nothing is stored yet."""
    stored = shapes.prepare([body.stored_form for body in bodies], [body.center_of_mass for body in bodies])
    for body, its in zip(bodies, stored, strict=True):
        body.stored = its
