"""Components of a game's own classes, derived from ours: esper keys by the exact class, and physics sees them all."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import disk, run

pytestmark = pytest.mark.usefixtures("fresh_world")


class TilePosition(ec.Transform):
    """Has an attribute of its own, and takes other arguments."""

    def __init__(self, tile: tuple[int, int]) -> None:
        super().__init__(*tile)
        self.tile = tile


class Grid(TilePosition):
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__((1, 2))
        self.name = name


class OwnVelocity(ec.Velocity):
    pass


class Hull(ec.Collider):
    pass


class OwnRigidBody(ec.RigidBody):
    pass


class Engine(ec.Force):
    pass


def test_every_component_may_be_of_a_subclass() -> None:
    physics = ec.install(gravity=(0, -10))
    ship = esper.create_entity(
        TilePosition((3, 4)), OwnVelocity(0, 6), Hull(ec.Circle(1)), OwnRigidBody(mass=2, gravity_scale=0), Engine(8)
    )
    run(60)
    assert esper.component_for_entity(ship, TilePosition).position == pytest.approx((3 + 2 * 241 / 240, 10))
    assert esper.component_for_entity(ship, OwnVelocity).linear == pytest.approx((4, 6))
    assert physics.mass_of(ship) == 2
    esper.component_for_entity(ship, OwnRigidBody).mass = 4
    run()
    assert physics.mass_of(ship) == 4


def test_subclasses_and_components_meet() -> None:
    physics = ec.install()
    a = esper.create_entity(TilePosition((0, 0)), Hull(ec.Circle(1)))
    b = esper.create_entity(Grid("b"), OwnVelocity(), ec.Collider(ec.Circle(2)))
    c = disk(2, 3)
    run()
    assert physics.touching(a, b)
    assert physics.touching(b, c)


def test_a_subclass_comes_goes_and_is_replaced() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Velocity(1, 0), ec.Collider(ec.Circle(1)))
    run()
    esper.remove_component(entity, ec.Velocity)
    esper.add_component(entity, OwnVelocity(0, 5))
    run()
    assert physics.velocities[physics.row_of(entity)].tolist() == [0, 5]
    esper.remove_component(entity, OwnVelocity)
    run()
    assert not physics.is_awake(entity), "static"
    esper.add_component(entity, OwnVelocity(0, 7))
    physics.apply_impulse(entity, (0, 0))
    assert physics.velocities[physics.row_of(entity)].tolist() == [0, 7], "asked before the step"


def test_an_entity_that_has_a_component_and_a_subclass_of_it_is_refused() -> None:
    physics = ec.install()
    entity = disk(1, 1)
    run()
    esper.add_component(entity, Grid("g"))
    state = physics.state_hash()
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=rf"entity {entity} has two .* Transform and Grid: remove"):
            run()
    assert physics.state_hash() == state
    esper.remove_component(entity, ec.Transform)
    run()
    assert physics.positions[physics.row_of(entity)].tolist() == [1, 2]


def test_errors_name_the_class_that_the_game_wrote() -> None:
    ec.install()
    entity = esper.create_entity(OwnVelocity())
    with pytest.raises(ec.PhysicsError, match=f"entity {entity} has a OwnVelocity but no Transform"):
        run()
    esper.add_component(entity, place := TilePosition((1, 2)))
    run()
    with pytest.raises(ValueError, match=rf"entity {entity}: TilePosition\.x must be a finite number"):
        place.x = float("nan")


def test_a_subclass_that_forgets_the_numbers_is_named() -> None:
    class Absent(ec.Velocity):
        def __init__(self) -> None:
            pass

    ec.install()
    entity = esper.create_entity(ec.Transform(), Absent())
    with pytest.raises(ec.PhysicsError, match=rf"entity {entity}: its Absent .*must call super\(\).__init__"):
        run()


def test_one_class_cannot_be_two_components() -> None:
    with pytest.raises(TypeError, match="Both cannot be a Transform and a Velocity at once"):
        type("Both", (TilePosition, ec.Velocity), {})


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
def test_copies_of_a_subclass_keep_what_is_its_own(duplicate: Any) -> None:
    ec.install()
    grid = Grid("level")
    for _ in range(2):  # detached, then adopted
        twin = duplicate(grid)
        assert (type(twin), twin.name, twin.tile, twin.position) == (Grid, "level", (1, 2), (1.0, 2.0))
        assert twin._entity is None
        if grid._entity is None:
            esper.create_entity(grid, ec.Velocity())
            run()
    twin.x = 9.0
    assert grid.x == 1.0


def test_equal_components_of_a_subclass_are_still_two(events: list[tuple[Any, ...]]) -> None:
    @dataclass
    class Marked(ec.Transform):
        name: str

        def __post_init__(self) -> None:
            super().__init__()

    ec.install()
    entity, other = esper.create_entity(Marked("a"), ec.Collider(ec.Circle(1)), ec.Velocity()), disk()
    run()
    esper.add_component(entity, Marked("a"))
    run()
    assert [name for name, *_ in events] == ["collision_start", "collision_end", "collision_start"]
    assert other == entity + 1
