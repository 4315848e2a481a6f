"""The bytes of snapshots: what they bring to another process, and which bytes are refused."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.kernels import module
from ecs_collide.snapshots import snapshot_bytes
from tests.support.worlds import disk, floor, run

pytestmark = pytest.mark.usefixtures("fresh_world")


class Name:
    def __init__(self, text: Any) -> None:
        self.text = text


@pytest.fixture(autouse=True)
def fresh_identity() -> Iterator[None]:
    yield
    snapshot_bytes._identity.cache_clear()


def pile_with_snapshots(count: int) -> ec.PhysicsWorld:
    physics = ec.install(gravity=(0, -10))
    floor()
    for k in range(count):
        esper.create_entity(
            ec.Transform(1.05 * (k % 20), 1.0 + 1.1 * (k // 20)),
            ec.Velocity(),
            ec.Collider(ec.Box(1, 1) if k % 2 else ec.Circle(0.5)),
        )
    run(60)
    return physics


def test_bytes_bring_a_world_back_after_uninstall() -> None:
    physics = pile_with_snapshots(20)
    esper.create_entity(Name("box"), ec.CollidingEntities())
    before, entities = physics.state_hash(), sorted(esper._entities)
    data = bytes(physics.snapshot())
    run(60)
    after = physics.state_hash()
    ec.uninstall()
    esper.clear_database()
    physics = ec.install(gravity=(1, 1))
    disk(0, 0), disk(5, 0)
    run()
    physics.restore(ec.Snapshot.from_bytes(data))
    assert physics.state_hash() == before
    assert sorted(esper._entities) == entities
    assert physics.gravity == (0.0, -10.0)
    ((_, name),) = esper.get_component(Name)
    assert name.text == "box"
    run(60)
    assert physics.state_hash() == after


def test_a_snapshot_can_be_pickled() -> None:
    physics = pile_with_snapshots(3)
    before = physics.state_hash()
    snapshot = pickle.loads(pickle.dumps(physics.snapshot()))
    run(5)
    physics.restore(snapshot)
    assert physics.state_hash() == before


def test_200_bodies_take_at_most_300_kilobytes() -> None:
    assert len(bytes(pile_with_snapshots(200).snapshot())) <= 300_000


def test_bytes_hold_the_state_of_the_snapshot_and_not_that_of_now() -> None:
    physics = pile_with_snapshots(2)
    (ball, *_) = (entity for entity, _ in esper.get_component(ec.Velocity))
    name = Name("before")
    esper.add_component(ball, name)
    collider = esper.component_for_entity(ball, ec.Collider)
    snapshot = physics.snapshot()
    before = physics.state_hash()
    name.text, collider.friction, collider.layer = "after", 0.9, 4
    esper.component_for_entity(ball, ec.Transform).x = 77.0
    run(3)
    physics.restore(ec.Snapshot.from_bytes(bytes(snapshot)))
    assert physics.state_hash() == before
    assert esper.component_for_entity(ball, Name).text == "before"
    restored = esper.component_for_entity(ball, ec.Collider)
    assert (restored.friction, restored.layer) == (0.5, 1)


def test_every_changed_missing_or_added_byte_is_refused_and_nothing_changes() -> None:
    physics = pile_with_snapshots(3)
    data = bytes(physics.snapshot())
    run()
    before, rng = physics.state_hash(), Random(1)
    for place in [*range(snapshot_bytes.HEADER.size), *(rng.randrange(len(data)) for _ in range(300))]:
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.randrange(8)
        with pytest.raises(ec.PhysicsError):
            ec.Snapshot.from_bytes(bytes(damaged))
    for size in (0, 1, 7, 8, snapshot_bytes.HEADER.size, len(data) // 2, len(data) - 1):
        with pytest.raises(ec.PhysicsError):
            ec.Snapshot.from_bytes(data[:size])
    with pytest.raises(ec.PhysicsError, match="bytes in place of"):
        ec.Snapshot.from_bytes(data + b"\0")
    assert physics.state_hash() == before


def test_bytes_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(pile_with_snapshots(1).snapshot())
    snapshot_bytes._identity.cache_clear()
    monkeypatch.setattr(ec, "__version__", "9.8.7")
    with pytest.raises(ec.PhysicsError, match=r"of version 0\.1\.0 of ecs_collide, and this is 9\.8\.7"):
        ec.Snapshot.from_bytes(data)


def test_bytes_of_other_kernels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(pile_with_snapshots(1).snapshot())
    snapshot_bytes._identity.cache_clear()
    monkeypatch.setattr(module, "code_digest", lambda: "other")
    with pytest.raises(ec.PhysicsError, match="other kernels"):
        ec.Snapshot.from_bytes(data)


def test_bytes_of_another_format_are_refused() -> None:
    data = bytearray(bytes(pile_with_snapshots(1).snapshot()))
    data[8] = 77
    with pytest.raises(ec.PhysicsError, match="format 77, and this version of the package reads 1"):
        ec.Snapshot.from_bytes(bytes(data))


def test_only_bytes_are_read() -> None:
    with pytest.raises(TypeError, match="bytes, got str"):
        ec.Snapshot.from_bytes("snapshot")  # type: ignore[arg-type]


def test_a_component_that_cannot_be_pickled_is_named() -> None:
    physics = pile_with_snapshots(1)
    entity = esper.create_entity(Name(lambda: 1))
    with pytest.raises(ec.PhysicsError, match=f"entity {entity}: its Name cannot be pickled"):
        bytes(physics.snapshot())


def test_a_snapshot_without_entities_has_no_bytes() -> None:
    with pytest.raises(ec.PhysicsError, match="entities=True"):
        bytes(pile_with_snapshots(1).snapshot(entities=False))


def test_a_class_that_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    physics = pile_with_snapshots(1)
    esper.create_entity(Name("x"))
    data = bytes(physics.snapshot())
    monkeypatch.delattr(f"{__name__}.Name")
    with pytest.raises(ec.PhysicsError, match="cannot be unpickled"):
        ec.Snapshot.from_bytes(data)
