"""Entities, components and shapes of a world, as a snapshot keeps them.

Snapshots share one `Structure` as long as no entity, component or shape is added, removed or replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import esper

from ecs_collide.data.shape_store import StoredShape
from ecs_collide.errors import PhysicsError
from ecs_collide.native import Numbers
from ecs_collide.snapshots import esper_tables as of_esper
from ecs_collide.snapshots.component_forms import ChangingComponent, Form, form_of
from ecs_collide.step.pipeline import Pipeline


class OwnComponent(NamedTuple):
    """A component of ours, and the values of its slots."""

    component: Any
    form: Form
    values: tuple[Any, ...]


class ShapeUse(NamedTuple):
    """The use of a stored shape: its number of colliders, and the rows of its pieces."""

    users: int
    forms: tuple[int, ...]


UNUSED = ShapeUse(0, ())


class Structure:
    """Entities, components and shapes of a world at one time."""

    def __init__(self, pipeline: Pipeline, has_entities: bool) -> None:
        """Read the structure of the present world."""
        self.entities = of_esper.read_entities() if has_entities else None
        """Table of esper's entities; None if the snapshot leaves entities out."""
        self.held = _own_by_entity()
        """Components of ours that each entity holds."""
        self.changing = list(_changing_components(self.entities or {}))
        """Components that any code may change."""
        own = {id(each): each for each in _own_components(pipeline, self.held)}
        self.own = [
            OwnComponent(each, form, form.read_values(each)) for each in own.values() for form in (form_of(type(each)),)
        ]
        """Components of ours."""
        with_row = {id(each) for each in _components_with_row(pipeline)}
        self.loose: list[Any] = [each for key, each in own.items() if key not in with_row]
        """Components of ours without a row, which hold their numbers themselves."""
        shapes = pipeline.body_sync.shapes.stored_shapes()
        self.shapes = {each: ShapeUse(each.users, each.forms) for each in shapes}
        """Use of each stored shape."""

    def check_owners(self, pipeline: Pipeline) -> None:
        """Raise PhysicsError if a component belongs to another world by now."""
        ours = pipeline.body_sync.registry.restructured, pipeline.world_joints.joints.registry.restructured
        for component, *_ in self.own:
            changed = component._changed
            if changed is not None and changed is not ours[0] and changed is not ours[1]:
                raise PhysicsError(
                    f"entity {component._entity}: its {type(component).__name__} belongs to another world now, so the "
                    "snapshot cannot be restored. Give that world a copy, copy.copy(component)"
                )

    def check_held(self) -> None:
        """Raise PhysicsError if an entity holds other components of ours now than in this structure."""
        present = _own_by_entity()
        for entity in sorted({*present, *self.held}):
            now, then = present.get(entity, {}), self.held.get(entity, {})
            other = [kind for kind in {**then, **now} if now.get(kind) is not then.get(kind)]
            if other:
                raise PhysicsError(
                    f"entity {entity}: its {other[0].__name__} is not that of the snapshot, which leaves entities out. "
                    "Take snapshots with entities=True"
                )

    def write_values_and_uses(self, present_shapes: Iterable[StoredShape]) -> None:
        """Write the values of slots to the components, and the use of shapes."""
        for component, form, values in self.own:
            form.write_values(component, values)
        for stored in present_shapes:
            stored.users, stored.forms = self.shapes.get(stored, UNUSED)


def _own_by_entity() -> of_esper.Entities:
    """Return the components of ours that each entity of esper holds, by type."""
    found = {}
    for entity, held in esper._entities.items():
        own = {kind: one for kind, one in held.items() if isinstance(one, Numbers)}
        if own:
            found[entity] = own
    return found


def _own_components(pipeline: Pipeline, held: of_esper.Entities) -> Iterator[Any]:
    """Yield the components of ours that the registry has or that entities hold, some of them twice."""
    for known in pipeline.body_sync.registry.known.values():
        yield from (component for component in known if component is not None)
    yield from pipeline.world_joints.joints.registry.known.values()
    for own in held.values():
        yield from own.values()


def _components_with_row(pipeline: Pipeline) -> Iterator[Any]:
    """Yield the components whose numbers are rows of columns."""
    known, joints = pipeline.body_sync.registry.known, pipeline.world_joints.joints
    for entity in pipeline.body_sync.members:
        yield from known.get(entity, ())
    for entity, _ in joints.rows:
        yield joints.registry.known[entity]


def _changing_components(entities: of_esper.Entities) -> Iterator[ChangingComponent]:
    """Yield the components of entities that any code may change."""
    for entity, held in entities.items():
        for kind, one in held.items():
            form = form_of(type(one))
            if form.may_change:
                yield ChangingComponent(entity, kind, one, form)
