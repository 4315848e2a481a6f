"""Changed entities by esper's sets and by its lists: both find the same after any action of a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.components.view import View
from ecs_collide.step.sync import watched_sets as watch
from ecs_collide.step.sync.changed_entities import Change, EntityRegistry
from ecs_collide.step.sync.compare_entities import Comparison
from ecs_collide.step.sync.component_set import TYPES
from tests.support.worlds import disk, run

pytestmark = pytest.mark.usefixtures("fresh_world")


class OwnTransform(ec.Transform):
    pass


class SubclassedTransform(OwnTransform):
    pass


class SubclassedVelocity(ec.Velocity):
    pass


def components() -> list[Any]:
    """One of each kind, and two that are none of ours."""
    own: list[Any] = [
        OwnTransform(),
        SubclassedTransform(),
        SubclassedVelocity(),
        ec.Transform(),
        ec.Velocity(),
        ec.Force(),
        ec.RigidBody(),
    ]
    return [*own, ec.Collider(ec.Circle(1.0)), "label", 5]


def is_free_for(entity: int, component: Any) -> bool:
    """Return True if an entity has no component of another class that counts as the same."""
    kind = next((kind for kind in TYPES if isinstance(component, kind)), object)
    held: tuple[Any, ...] = esper.components_for_entity(entity)
    return not any(isinstance(other, kind) and type(other) is not type(component) for other in held)


class RandomGame:
    """Does random things in one esper world; two rosters watch it, each in its own way."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.install()

    def install(self) -> None:
        self.received, self.compared = EntityRegistry(), EntityRegistry()
        self.compared._observer = Comparison(self.compared.known)

    def entity(self) -> int | None:
        alive = sorted(esper._entities.keys() - esper._dead_entities)
        return self.random.choice(alive) if alive else None

    def create(self) -> None:
        chosen = self.random.sample(components(), self.random.randrange(5))
        entity = esper.create_entity()
        for component in chosen:
            if is_free_for(entity, component):
                esper.add_component(entity, component)

    def add(self) -> None:
        entity, component = self.entity(), self.random.choice(components())
        if entity is not None and is_free_for(entity, component):
            esper.add_component(entity, component)

    def remove(self) -> None:
        entity = self.entity()
        held: tuple[Any, ...] = () if entity is None else esper.components_for_entity(entity)
        if entity is not None and held:
            esper.remove_component(entity, type(self.random.choice(held)))

    def try_to_remove(self) -> None:
        entity = self.entity()
        if entity is not None:
            esper.try_remove_component(entity, self.random.choice((ec.Velocity, SubclassedVelocity, OwnTransform)))

    def put_back(self) -> None:
        """Add an object again that is there already, which is no change."""
        entity = self.entity()
        held: tuple[Any, ...] = () if entity is None else esper.components_for_entity(entity)
        for component in held:
            if entity is not None and isinstance(component, View):
                esper.remove_component(entity, type(component))
                esper.add_component(entity, component)

    def delete(self) -> None:
        entity = self.entity()
        if entity is not None:
            esper.delete_entity(entity, immediate=self.random.random() < 0.5)

    def empty_a_type(self) -> None:
        kind = self.random.choice((ec.Transform, ec.Velocity, OwnTransform, SubclassedVelocity, ec.Force))
        for entity, _ in list(esper.get_component(kind)):
            esper.remove_component(entity, kind)

    def finish_deletion(self) -> None:
        esper.clear_dead_entities()

    def clear(self) -> None:
        if self.random.random() < 0.2:
            esper.clear_database()

    def look_elsewhere(self) -> None:
        """Another world has the same ids."""
        here = esper.current_world
        esper.switch_world("elsewhere")
        esper.create_entity(ec.Transform(), SubclassedVelocity())
        esper.switch_world(here)

    def derive(self) -> None:
        """A class that was not there before; an entity of it takes the place of another type in esper's table."""
        entity = self.entity()
        if entity is not None and self.random.random() < 0.2:
            esper.delete_entity(entity, immediate=True)
            esper.create_entity(type("Late", (ec.Velocity,), {})())

    def change(self) -> Change | None:
        """Return the changes that both registries report."""
        received, compared = self.received.change(), self.compared.change()
        assert (received and received.entities) == (compared and compared.entities)
        if received is None or compared is None:
            return None
        for ours, theirs in zip(received.components.values(), compared.components.values(), strict=True):
            assert all(component is other for component, other in zip(ours, theirs, strict=True))
        return received

    def accept(self) -> None:
        change = self.change()
        if change is not None:
            self.received.accept(change)
            self.compared.accept(change)


OPERATIONS: tuple[Callable[[RandomGame], None], ...] = (
    RandomGame.create,
    RandomGame.create,
    RandomGame.create,
    RandomGame.add,
    RandomGame.add,
    RandomGame.remove,
    RandomGame.try_to_remove,
    RandomGame.put_back,
    RandomGame.delete,
    RandomGame.empty_a_type,
    RandomGame.finish_deletion,
    RandomGame.clear,
    RandomGame.look_elsewhere,
    RandomGame.derive,
)


@pytest.mark.parametrize("seed", range(20))
def test_sets_report_what_lists_show(seed: int) -> None:
    game = RandomGame(seed)
    for _ in range(60):
        for operation in game.random.choices(OPERATIONS, k=game.random.randrange(8)):
            operation(game)
        if game.random.random() < 0.7:
            game.accept()
        else:
            game.change()  # refused: the next one holds it still
        if game.random.random() < 0.05:
            game.received.release()
            game.install()


def test_this_esper_can_be_watched() -> None:
    assert watch.is_possible()


def silent(self: watch.WatchedSet, entity: int) -> None:
    set.add(self, entity)


OTHER_ESPERS = {
    "tells nothing of what is added": (watch.WatchedSet, "add", silent),
    "does not use its table": (esper, "add_component", lambda entity, component: None),
    "has no table": (watch, "esper", SimpleNamespace(current_world="", switch_world=str, delete_world=str)),
}


@pytest.mark.parametrize("name", OTHER_ESPERS)
def test_an_esper_that_cannot_be_watched_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*OTHER_ESPERS[name])
    before = esper.list_worlds()
    assert not watch.is_possible.__wrapped__()
    assert esper.list_worlds() == before


@pytest.mark.parametrize("watched", [True, False])
def test_physics_is_the_same_in_both_ways(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "is_possible", lambda: watched)
    physics = ec.install(gravity=(0, -10))
    disks = [disk(1.5 * k) for k in range(4)]
    run()
    esper.delete_entity(disks[0])
    esper.add_component(disks[1], ec.Collider(ec.Box(1, 1)))
    esper.remove_component(disks[2], ec.Velocity)
    run()
    assert physics.entities.tolist() == [0, *disks[1:]]
    esper.clear_database()
    esper.create_entity(ec.Transform(), ec.Force())
    run()
    assert physics.entities.tolist() == [1]


def test_uninstall_leaves_plain_sets_behind() -> None:
    ec.install()
    disk()
    run()
    assert type(esper._components[ec.Transform]) is watch.WatchedSet
    ec.uninstall()
    assert {type(entities) for entities in esper._components.values()} == {set}
    assert ec.Force not in esper._components


@pytest.mark.parametrize("as_expected", [True, False])
@pytest.mark.parametrize("installed", [True, False])
def test_entities_created_many_at_once_are_as_those_created_one_by_one(
    as_expected: bool, installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not as_expected:
        monkeypatch.setattr(watch, "is_possible", lambda: False)
    if installed:
        ec.install()
    first = esper.create_entity()
    assert esper.get_component(ec.Transform) == []  # esper's cache of it is stale afterwards
    parts: list[list[Any]] = [
        [ec.Transform(float(k)) for k in range(3)],
        [ec.Collider(ec.Circle(1.0)) for _ in range(3)],
    ]
    entities = watch.create_entities(parts)
    assert entities == [first + 1, first + 2, first + 3]
    assert watch.create_entities([[], []]) == []
    for entity, own in zip(entities, zip(*parts, strict=True), strict=True):
        assert list(esper.components_for_entity(entity)) == list(own)
    assert [entity for entity, _ in esper.get_components(ec.Transform, ec.Collider)] == entities
    assert esper.create_entity() == first + 4
    if installed:
        run()
        assert sorted(ec.physics().entities.tolist()) == entities
    esper.delete_entity(entities[0], immediate=True)
    assert [entity for entity, _ in esper.get_component(ec.Collider)] == entities[1:]
