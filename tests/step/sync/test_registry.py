"""An unchanged world is recognised at once, whatever its size; in a changed one only what differs is adopted."""

from __future__ import annotations

from collections import Counter
from types import BuiltinFunctionType, FunctionType
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.kernels import calls
from ecs_collide.kernels.kernel import KernelMode
from ecs_collide.step import changes, sync_stage
from ecs_collide.step.broadphase import pair_finder as finder
from ecs_collide.step.sync import body_sync, watched_sets as watch
from ecs_collide.step.sync.changed_entities import EntityRegistry
from tests.support.worlds import collider, disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> list[type]:
    """Component types that `esper.get_component` was called with, one entry per call."""
    asked: list[type] = []
    real = esper.get_component

    def counting(component_type: type[Any]) -> list[tuple[int, Any]]:
        asked.append(component_type)
        return real(component_type)

    monkeypatch.setattr(esper, "get_component", counting)
    return asked


@pytest.fixture
def adoptions(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The entities of each change that was carried out."""
    carried_out: list[list[int]] = []
    real = body_sync.BodySync._write

    def recording(self: Any, plan: Any) -> None:
        carried_out.append(list(plan.change.entities))
        real(self, plan)

    monkeypatch.setattr(body_sync.BodySync, "_write", recording)
    return carried_out


@pytest.mark.parametrize("watched", [True, False])
def test_an_unchanged_world_reads_at_most_one_list_of_esper_in_a_step(
    watched: bool, lookups: list[type], adoptions: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "is_possible", lambda: watched)
    ec.install(gravity=(0, -10))
    a, b = disk(), disk(0.9)
    run(2)
    lookups.clear()
    adoptions.clear()
    transform(a).position, velocity(b).x, collider(a).friction = (0, 1), 3.0, 0.1
    run(10)
    assert lookups == ([] if watched else [ec.Transform] * 10)
    assert adoptions == []


def test_entities_without_physics_are_not_adopted(adoptions: list[list[int]]) -> None:
    ec.install()
    disk()
    run()
    adoptions.clear()
    for _ in range(3):
        esper.create_entity("a", 5)
        run()
    assert [entities for entities in adoptions if entities] == []


def test_only_differences_are_adopted(adoptions: list[list[int]]) -> None:
    ec.install()
    entities = [disk(3.0 * k) for k in range(20)]
    run()
    adoptions.clear()
    esper.delete_entity(entities[3])
    esper.remove_component(entities[5], ec.Velocity)
    esper.add_component(entities[7], ec.Collider(ec.Box(1, 1)))
    collider(entities[9]).layer = 4
    new = disk(500)
    run(3)
    assert adoptions == [[entities[3], entities[5], entities[7], entities[9], new]]


def test_the_shared_list_of_esper_is_left_alone() -> None:
    ec.install()
    disk()
    listed = esper.get_component(ec.Transform)
    before = list(listed)
    run(2)
    assert esper.get_component(ec.Transform) is listed
    assert listed == before


def test_clearing_the_cache_of_esper_changes_nothing(adoptions: list[list[int]]) -> None:
    ec.install()
    disk()
    run()
    adoptions.clear()
    for _ in range(3):
        esper.clear_cache()
        run()
    assert [entities for entities in adoptions if entities] == []


def test_replaced_components_are_seen_in_every_type() -> None:
    physics = ec.install()
    entity = disk()
    esper.add_component(entity, ec.RigidBody())
    esper.add_component(entity, ec.Force())
    run()
    row = physics.row_of(entity)
    for component in (
        ec.Velocity(1, 2, 3),
        ec.Collider(ec.Box(1, 1), friction=0.75),
        ec.RigidBody(linear_damping=0.125),
        ec.Force(1, 0, 0),
        ec.Transform(8, 9),
    ):
        old = esper.component_for_entity(entity, type(component))
        esper.add_component(entity, component)
        esper.process(0.0)
        assert old._entity is None
        assert component._entity == entity
        assert physics.row_of(entity) == row
    bodies = physics.pipeline.bodies.arrays
    assert bodies.velocity[row].tolist() == [1, 2, 3]
    assert bodies.material[row, 0] == 0.75
    assert bodies.motion[row].tolist() == [1, 0.125, 0]
    assert bodies.can_sleep[row]
    assert bodies.force[row].tolist() == [1, 0, 0]
    assert bodies.pose[row].tolist() == [8, 9, 0]


def test_a_change_holds_what_differs_alone() -> None:
    a, b = esper.create_entity(ec.Transform()), esper.create_entity(ec.Transform(), ec.Force())
    registry = EntityRegistry()
    change = registry.change()
    assert change is not None
    assert change.entities == [a, b]
    registry.accept(change)
    assert registry.change() is None
    esper.remove_component(b, ec.Force)
    esper.add_component(a, esper.component_for_entity(a, ec.Transform))
    change = registry.change()
    assert change is not None
    assert change.entities == [b]
    assert change.components[b].force is None


def counted(name: str, kernel: Any, counts: Counter[str]) -> Any:
    """The kernel, with its calls and the rows that it is given put down in `counts`."""

    def call(*arguments: Any) -> Any:
        counts[name] += 1
        for argument in arguments:
            is_scratch = argument is ec.physics().pipeline.pair_finder.tree.arrays.hits
            if isinstance(argument, np.ndarray) and argument.ndim == 1 and not is_scratch:
                counts[f"{name}: rows"] += len(argument)
        return kernel(*arguments)

    return call


def work_of_steps(tiles: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Counter[str], list[float]]:
    """Return the rows that each kernel and list of esper got in 20 steps, and the final places of the movers."""
    monkeypatch.setattr(
        calls, "KERNEL_MODE", KernelMode.PLAIN
    )  # lists of calls are run in Python, where they can be counted
    esper.switch_world(f"tiles {tiles}")
    physics = ec.install(gravity=(0, -10))
    stones = [disk(20.0 + 3.0 * k, 1.0 + k) for k in range(5)]
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(100, 1)))
    places = np.stack(np.divmod(np.arange(tiles), 250), axis=1) * (1.0, -1.0) - (20.0, 40.0)
    ec.spawn(ec.Box(1, 1), places)

    counts: Counter[str] = Counter()
    for module in (finder, changes, sync_stage):
        for name, kernel in vars(module).copy().items():
            of_package = (getattr(kernel, "__module__", None) or "").startswith("ecs_collide")
            if isinstance(kernel, BuiltinFunctionType) or (of_package and isinstance(kernel, FunctionType)):
                monkeypatch.setattr(module, name, counted(name, kernel, counts))
    run(2)
    counts.clear()
    real_get = esper.get_component

    def get(kind: type[Any]) -> list[tuple[int, Any]]:
        counts["lists"] += 1
        return real_get(kind)

    monkeypatch.setattr(esper, "get_component", get)
    run(20)
    monkeypatch.undo()
    assert physics.statistics.bodies == 6 + tiles
    assert physics.statistics.moving_bodies == 5
    counts["pairs"] = physics.statistics.pairs
    counts["contacts"] = physics.statistics.contacts
    return counts, [value for stone in stones for value in transform(stone).pose]


def test_static_tiles_far_away_add_no_work_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    few, places_few = work_of_steps(500, monkeypatch)
    many, places_many = work_of_steps(50_000, monkeypatch)
    for counts in (few, many):
        for name in ("find_new_pairs", "update_pairs", "clear_marks"):
            counts.pop(f"{name}: rows", None)  # their arrays have room for all bodies, or for what the tree finds
    assert many == few
    assert few["lists"] == 0
    assert few["update_frames: rows"] == 20 * 5
    assert places_many == places_few


@pytest.mark.parametrize("kind", [ec.Transform, ec.Velocity, ec.Collider, ec.RigidBody, ec.Force])
def test_a_class_in_place_of_a_component_is_an_error(kind: type[Any]) -> None:
    physics = ec.install()
    disk()
    run()
    state = physics.state_hash()
    entity = esper.create_entity(ec.Transform(), kind)
    name = kind.__name__
    with pytest.raises(ec.PhysicsError, match=rf"entity {entity} was given the class {name}: write {name}\(\.\.\.\)"):
        run()
    assert physics.state_hash() == state
    esper.remove_component(entity, type)
    run()


def test_other_classes_may_be_components() -> None:
    ec.install()
    esper.create_entity(int)
    run()
