"""A world that was uninstalled, or was a fresh world for a while, is freed without a garbage collection."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.sync.body_definition import Body

DT = 1 / 60


class GamePlace:
    """A component of the game."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Switch the garbage collection off."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def new_ball(x: float, y: float) -> int:
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Circle(0.5)))


def a_pile_that_sleeps() -> None:
    physics = ec.install(gravity=(0.0, -10.0))
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
    balls = [new_ball(0.0, 0.5), new_ball(3.0, 0.5)]
    esper.process(DT)
    physics.sleep(balls[0])


def joints_and_an_attached_collider() -> None:
    ec.install(gravity=(0.0, -10.0))
    a, b = new_ball(0.0, 0.0), new_ball(2.0, 0.0)
    esper.create_entity(ec.RevoluteJoint(a, b, point=(1.0, 0.0)))
    esper.create_entity(ec.AttachedTo(a, 0.0, 1.0), ec.Collider(ec.Box(1.0, 1.0)))
    esper.add_component(b, ec.IgnoredEntities([a]))


def circles_of_exact_impacts() -> None:
    ec.install(response="exact")
    new_ball(0.0, 0.0)
    new_ball(0.9, 0.0)
    esper.create_entity(ec.Transform(5.0, 0.0), ec.Collider(ec.Circle(1.0), sensor=True))


def a_snapshot_queries_and_a_character() -> None:
    physics = ec.install(fixed_dt=DT)
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
    walker = esper.create_entity(
        ec.Transform(0.0, 2.0), ec.Collider(ec.Circle(0.5)), ec.RigidBody(ec.BodyKind.KINEMATIC)
    )
    esper.process(DT)
    snapshot = physics.snapshot()
    physics.move_and_slide(walker, (1.0, -1.0), DT)
    physics.ray_cast((0.0, 5.0), (0.0, -5.0))
    physics.restore(snapshot)


def a_component_of_the_game() -> None:
    ec.install(transform=ec.bind(GamePlace))
    esper.create_entity(GamePlace(1.0, 2.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))


SCENES: tuple[Callable[[], None], ...] = (
    a_pile_that_sleeps,
    joints_and_an_attached_collider,
    circles_of_exact_impacts,
    a_snapshot_queries_and_a_character,
    a_component_of_the_game,
)


def parts_after_steps(scene: Callable[[], None]) -> list[weakref.ref[object]]:
    """Return weak references to the parts of the world of a scene, after three steps."""
    scene()
    for _ in range(3):
        esper.process(DT)
    parts = [part for part in vars(ec.physics().pipeline).values() if hasattr(type(part), "__weakref__")]
    assert len(parts) > 20
    return [weakref.ref(part) for part in parts]


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_of_a_world_is_left_when_nothing_refers_to_it(
    scene: Callable[[], None], fresh_world: str, no_collection: None
) -> None:
    references = parts_after_steps(scene)
    ec.uninstall()
    assert [part for reference in references if (part := reference()) is not None] == []


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_left_of_a_fresh_world_that_was_not_uninstalled(
    scene: Callable[[], None], no_collection: None
) -> None:
    with ec.worlds.fresh_world():
        references = parts_after_steps(scene)
    assert [part for reference in references if (part := reference()) is not None] == []


@pytest.mark.parametrize("call", ["ground_of", "fits", "move_and_slide", "snapshot"])
def test_nothing_is_left_after_a_first_call_of_a_world_that_was_uninstalled(
    call: str, fresh_world: str, no_collection: None
) -> None:
    physics = ec.install()
    entity = new_ball(0.0, 0.0)
    esper.process(DT)
    parts = [part for part in vars(physics.pipeline).values() if hasattr(type(part), "__weakref__")]
    references = [weakref.ref(part) for part in parts]
    ec.uninstall()
    arguments = {"ground_of": (entity,), "fits": (entity,), "move_and_slide": (entity, (1.0, 0.0), DT), "snapshot": ()}
    with pytest.raises(ec.PhysicsError):
        getattr(physics, call)(*arguments[call])
    del physics, parts
    assert [part for reference in references if (part := reference()) is not None] == []


def test_a_deleted_body_is_freed(fresh_world: str, no_collection: None) -> None:
    physics = ec.install()
    entity = new_ball(0.0, 0.0)
    esper.process(DT)
    esper.delete_entity(entity)
    esper.process(DT)
    assert len(physics.entities) == 0
    assert not any(isinstance(each, Body) and each.entity == entity for each in gc.get_objects())
