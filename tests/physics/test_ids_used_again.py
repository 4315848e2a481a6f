"""An entity whose id was another one's before is new, though it comes in the step in which the other goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import Game, floor, game, kinematic

LIFT = 3.0


@pytest.fixture
def falling_world() -> Iterator[Game]:
    with game(gravity=(0.0, -10.0)) as opened:
        yield opened


def create_lift(x: float = 0.0, y: float = LIFT) -> int:
    return kinematic(ec.Box(1, 1), (x, y))


def create_ball(y: float, *more: object, x: float = 0.0, speed: float = 0.0) -> int:
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(0, speed), ec.Collider(ec.Circle(0.5)), *more)


def exchanged(entity: int, *components: object) -> int:
    """Replace an entity by another one with its id and other components."""
    former: tuple[object, ...] = esper.components_for_entity(entity)
    for component in former:
        esper.remove_component(entity, type(component))
    for component in components:
        esper.add_component(entity, component)
    return entity


def test_it_is_not_sent_to_the_target_of_a_former_entity(falling_world: Game) -> None:
    lift = create_lift()
    falling_world.step()
    falling_world.physics.move_to(lift, (50, 50))
    esper.clear_database()
    assert create_lift() == lift
    falling_world.step()
    assert falling_world.pose(lift) == (0.0, LIFT, 0.0)


def test_it_is_not_stopped_by_the_arrival_of_a_former_entity(falling_world: Game) -> None:
    lift = create_lift()
    falling_world.step()
    falling_world.physics.move_to(lift, (0, LIFT + 1))
    falling_world.step()
    speed = falling_world.velocity(lift)
    esper.clear_database()
    assert create_lift() == lift
    esper.component_for_entity(lift, ec.Velocity).x, esper.component_for_entity(lift, ec.Velocity).y = speed[:2]
    falling_world.step(2)
    assert falling_world.velocity(lift) == speed


def test_it_is_not_sent_if_another_body_has_its_row(falling_world: Game) -> None:
    lift = create_lift()
    falling_world.step()
    falling_world.physics.move_to(lift, (50, 50))
    row = falling_world.physics.row_of(lift)
    esper.delete_entity(lift, immediate=True)
    other = create_lift()
    assert falling_world.physics.row_of(other) == row
    falling_world.step()
    assert falling_world.pose(other) == (0.0, LIFT, 0.0)


def test_it_is_not_pushed_in_further_steps_of_the_frame() -> None:
    with game(fixed_dt=0.01) as opened:
        pushed = create_ball(0, ec.CollidingEntities())
        create_ball(0.9)
        opened.step(dt=0.01)
        log = EventLog("collision_end", hear=lambda name, arguments: restart())

        def restart() -> None:
            esper.clear_database()
            assert create_ball(50) == pushed

        opened.physics.apply_force(pushed, (1e4, 0))
        opened.step(dt=0.05)
        assert log and opened.pose(pushed) == (0.0, 50.0, 0.0)


def test_it_is_drawn_where_it_is_and_not_on_the_others_way() -> None:
    with game(fixed_dt=0.1) as opened:
        moving = create_ball(0, speed=10)
        opened.step(dt=0.15)
        assert opened.physics.interpolated_pose(moving)[1] == pytest.approx(0.5)
        esper.clear_database()
        assert create_ball(1.0) == moving
        assert opened.physics.interpolated_pose(moving) == (0.0, 1.0, 0.0)
        assert opened.physics.interpolated_poses[opened.physics.row_of(moving)].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_the_others_contact_ends_and_its_own_begins(response: str) -> None:
    with game(response=response, gravity=(0, -10)) as opened:
        first, second = floor(), create_ball(0.5)
        opened.step(2)
        assert [name for _, name, _ in opened.events] == ["collision_start"]
        exchanged(second, ec.Transform(0, 0.5), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        opened.step(2)
        received = [
            (step, name, arguments[0].entity_a, arguments[0].entity_b) for step, name, arguments in opened.events
        ]
        assert received[1:] == [(2, "collision_end", first, second), (2, "collision_start", first, second)]


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_nothing_is_left_to_end_when_the_physics_goes(response: str) -> None:
    with game(response=response, gravity=(0, -10)) as opened:
        floor()
        second = create_ball(0.5)
        opened.step(2)
        exchanged(second, ec.Transform(0, 0.5), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        assert opened.physics.row_of(second) >= 0, "it is brought in between two steps"
        assert not opened.physics.touching(1, second)
        ec.uninstall()
        assert [name for _, name, _ in opened.events] == ["collision_start", "collision_end"]


def test_its_own_hit_is_sent_if_the_other_hit_just_before(falling_world: Game) -> None:
    floor()
    second = create_ball(0.5, speed=-20)
    log = EventLog("collision_hit")
    falling_world.step()
    assert len(log.calls) == 1
    exchanged(second, ec.Transform(0, 0.5), ec.Velocity(0, -20), ec.Collider(ec.Circle(0.5)))
    falling_world.step()
    assert len(log.calls) == 2


def alone(make: Callable[[], int], steps: int) -> list[tuple[float, float, float]]:
    """The poses of what is made in a new world."""
    with game(gravity=(0, -10)) as opened:
        one = make()
        poses = []
        for _ in range(steps):
            opened.step()
            poses.append(opened.pose(one))
    return poses


def sunk_ball() -> int:
    floor()
    return create_ball(0.2)


def flat_box() -> int:
    esper.create_entity(ec.Transform(0, -1), ec.Collider(ec.Polygon([(-9, -1), (9, -1), (9, 1), (0, 1), (-9, 1)])))
    return esper.create_entity(ec.Transform(0, 0.49), ec.Velocity(), ec.Collider(ec.Polygon(STAR)))


STAR = [(-0.5, -0.5), (0, -0.3), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]


@pytest.mark.parametrize("make", [sunk_ball, flat_box])
def test_it_moves_as_in_a_new_world(falling_world: Game, make: Callable[[], int]) -> None:
    make()
    falling_world.step(60)
    esper.clear_database()
    one = make()
    poses = []
    for _ in range(5):
        falling_world.step()
        poses.append(falling_world.pose(one))
    assert poses == alone(make, 5)


def test_a_static_successor_with_a_velocity_warns(falling_world: Game) -> None:
    one = floor()
    falling_world.step()
    exchanged(one, ec.Transform(0, 0), ec.Velocity(1, 0), ec.RigidBody(ec.BodyKind.STATIC), ec.Collider(ec.Circle(1)))
    with pytest.warns(ec.PhysicsWarning, match="its Velocity does not move it"):
        falling_world.step()
