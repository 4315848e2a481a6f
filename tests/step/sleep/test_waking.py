"""Everything that a sleeping body would notice wakes it, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Broadphase, Narrowphase, Response, priority_between
from tests.step.sleep.scenes import BOX, GRAVITY, fall_asleep, stack
from tests.support.worlds import Game, dynamic, game, ground, static

KINEMATIC = ec.BodyKind.KINEMATIC


def change(component: type, **values: object) -> Callable[[Game, int], None]:
    """A deed that writes to a component."""

    def deed(play: Game, box: int) -> None:
        for name, value in values.items():
            setattr(esper.component_for_entity(box, component), name, value)

    return deed


def teleport_by_view(play: Game, box: int) -> None:
    play.physics.positions[play.physics.row_of(box)] += 30.0
    play.physics.moved([box])


DEEDS: dict[str, Callable[[Game, int], object]] = {
    "Transform": change(ec.Transform, x=0.1),
    "Velocity": change(ec.Velocity, y=3.0),
    "Force": change(ec.Force, x=20.0),
    "friction": change(ec.Collider, friction=0.1),
    "shape": change(ec.Collider, shape=ec.Circle(0.5)),
    "layer": change(ec.Collider, layer=2),
    "density": change(ec.Collider, density=2.0),
    "sensor": change(ec.Collider, sensor=True),
    "gravity_scale": change(ec.RigidBody, gravity_scale=-1.0),
    "lock": change(ec.RigidBody, lock_x=True),
    "a new Velocity": lambda play, box: esper.add_component(box, ec.Velocity(1.0, 1.0)),
    "a new Transform": lambda play, box: esper.add_component(box, ec.Transform(0.0, 3.0)),
    "apply_impulse": lambda play, box: play.physics.apply_impulse(box, (0.0, 2.0)),
    "apply_force": lambda play, box: play.physics.apply_force(box, (0.0, 50.0)),
    "wake": lambda play, box: play.physics.wake(box),
    "views and moved": teleport_by_view,
}


@pytest.mark.parametrize("name", DEEDS)
def test_changes_of_a_body_wake_its_island_and_no_other(name: str) -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        box = dynamic(BOX, (0.0, 0.5), (0.0, 0.0), ec.RigidBody(), ec.Force())
        rider, other = dynamic(BOX, (0.0, 1.5)), dynamic(BOX, (9.0, 0.5))
        fall_asleep(play, box, rider, other)
        play.step(10)
        DEEDS[name](play, box)
        play.step()
        assert play.physics.is_awake(box)
        assert play.physics.is_awake(rider)
        assert not play.physics.is_awake(other)


@pytest.mark.parametrize("name", DEEDS)
def test_a_wish_of_the_game_acts_in_the_very_next_step(name: str) -> None:
    """The sleeper goes on as one that never slept."""

    def poses(**settings: bool) -> list[tuple[float, float, float]]:
        with game(gravity=GRAVITY, **settings) as play:
            ground()
            box = dynamic(BOX, (0.0, 0.5), (0.0, 0.0), ec.RigidBody(), ec.Force())
            play.step(120)
            DEEDS[name](play, box)
            play.step(10)
            return [play.pose(box), play.velocity(box)]

    for slept, never in zip(poses(), poses(sleeping=False), strict=True):
        assert slept == pytest.approx(never, abs=1e-9)


def test_is_awake_right_after_waking_and_before_the_step() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = stack(0.0, 2)
        fall_asleep(play, *boxes)
        play.physics.wake(boxes[0])
        assert play.physics.is_awake(boxes[1])


def test_gravity_wakes_all_but_not_the_same_gravity() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = [dynamic(BOX, (3.0 * k, 0.5)) for k in range(4)]
        fall_asleep(play, *boxes)
        play.physics.gravity = GRAVITY
        play.step()
        assert play.physics.statistics.awake_bodies == 0
        play.physics.gravity = (0.0, 5.0)
        play.step(30)
        assert all(play.pose(box)[1] > 1.0 for box in boxes)


def test_a_stack_falls_when_its_bottom_is_deleted() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        low, middle, high = stack(0.0, 3)
        fall_asleep(play, low, middle, high)
        esper.delete_entity(low)
        play.step(120)
        assert play.pose(high) == pytest.approx((0.0, 1.5, 0.0), abs=0.01)
        assert play.pose(middle) == pytest.approx((0.0, 0.5, 0.0), abs=0.01)


SUPPORTS: dict[str, Callable[[Game, int], object]] = {
    "deleted": lambda play, floor: esper.delete_entity(floor),
    "moved": change(ec.Transform, x=50.0),
    "moved by the view": teleport_by_view,
    "without collider": lambda play, floor: esper.remove_component(floor, ec.Collider),
    "a sensor": change(ec.Collider, sensor=True),
    "of another layer": change(ec.Collider, mask=0),
    "smaller": change(ec.Collider, shape=ec.Box(0.1, 0.1)),
    "dynamic": lambda play, floor: esper.add_component(floor, ec.Velocity()),
}


@pytest.mark.parametrize("kinematic", [False, True])
@pytest.mark.parametrize("name", SUPPORTS)
def test_bodies_on_it_fall_when_its_support_is(name: str, kinematic: bool) -> None:
    with game(gravity=GRAVITY) as play:
        extra = [ec.RigidBody(KINEMATIC)] if kinematic and name != "dynamic" else []
        floor = static(ec.Box(8.0, 1.0), (0.0, -0.5))
        for part in extra:
            esper.add_component(floor, part)
        boxes = [*stack(-2.0, 2), *stack(2.0, 1)]
        fall_asleep(play, *boxes)
        play.step(10)
        SUPPORTS[name](play, floor)
        play.step(30)
        assert [play.pose(box)[1] < k + 0.4 for box, k in zip(boxes, (0, 1, 0), strict=True)] == [True] * 3


def test_a_static_body_put_into_a_sleeper_pushes_it_out() -> None:
    for by_teleport in (False, True):
        with game(gravity=GRAVITY) as play:
            ground()
            wall = static(ec.Box(1.0, 1.0), (50.0, 0.5))
            box, other = dynamic(BOX, (0.0, 0.5)), dynamic(BOX, (9.0, 0.5))
            fall_asleep(play, box, other)
            if by_teleport:
                esper.component_for_entity(wall, ec.Transform).position = (-0.8, 0.5)
            else:
                static(ec.Box(1.0, 1.0), (-0.8, 0.5))
            play.step(60)
            assert play.pose(box)[0] == pytest.approx(0.2, abs=0.02)
            assert not play.physics.is_awake(other)


def test_a_sleeper_leaves_a_static_sensor_that_is_moved_or_deleted() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        box = dynamic(BOX, (0.0, 0.5))
        moved, deleted = (static(ec.Circle(1.0), (0.0, 0.0), sensor=True) for _ in range(2))
        fall_asleep(play, box)
        play.events.clear()
        esper.component_for_entity(moved, ec.Transform).x = 50.0
        esper.delete_entity(deleted)
        play.step()
        assert sorted(arguments for _, name, arguments in play.events if name == "sensor_exit") == [
            (moved, box),
            (deleted, box),
        ]


def test_a_teleported_sleeper_leaves_its_contacts_and_finds_new_ones() -> None:
    with game(gravity=GRAVITY) as play:
        floor = static(ec.Box(4.0, 1.0), (0.0, -0.5))
        far = static(ec.Box(4.0, 1.0), (50.0, -0.5))
        low, high = stack(0.0, 2)
        sleeper = dynamic(BOX, (50.0, 0.5))
        fall_asleep(play, low, high, sleeper)
        esper.component_for_entity(low, ec.Transform).position = (50.0, 1.5)
        play.step()
        assert not play.physics.touching(floor, low)
        assert not play.physics.touching(low, high)
        play.step(60)
        assert play.physics.touching(low, sleeper)
        assert play.physics.touching(far, sleeper)
        assert play.pose(high)[1] == pytest.approx(0.5, abs=0.01)


def test_a_tile_that_changes_its_neighbour_wakes_bodies_there() -> None:
    """Seams: the outline under the sleeper is another when a tile comes or goes beside it."""
    with game(gravity=GRAVITY) as play:
        tiles = [static(BOX, (float(k), -0.5)) for k in range(6)]
        box = dynamic(BOX, (2.0, 0.5))
        fall_asleep(play, box)
        esper.delete_entity(tiles[4])
        play.step(5)
        esper.delete_entity(tiles[3])
        play.step(60)
        static(BOX, (3.0, -0.5))
        play.step(60)
        assert play.pose(box) == pytest.approx((2.0, 0.5, 0.0), abs=0.01)
        esper.component_for_entity(box, ec.Velocity).x = 2.0
        play.step(90)
        assert play.pose(box)[1] == pytest.approx(0.5, abs=0.01)


def test_a_pair_that_the_game_switched_off_stays_so_when_its_island_is_woken_by_a_touch() -> None:
    class OneWay(esper.Processor):
        def process(self, dt: float) -> None:
            pairs = play.physics.pairs
            pairs.disable(((pairs.entity_a == floor) & (pairs.entity_b == box)) | (pairs.entity_b == floor))

    with game(gravity=GRAVITY) as play:
        esper.add_processor(OneWay(), priority=priority_between(Broadphase, Narrowphase))
        shelf = static(ec.Box(4.0, 1.0), (0.0, -0.5))
        floor = static(ec.Box(4.0, 0.2), (0.0, 0.6))
        box = dynamic(BOX, (0.0, 0.5))
        fall_asleep(play, box)
        assert play.physics.touching(shelf, box)
        dynamic(ec.Circle(0.2), (0.0, 1.5))
        play.step(60)
        assert play.pose(box)[1] == pytest.approx(0.5, abs=0.01)


def test_bodies_woken_in_a_hook_move_in_the_next_step() -> None:
    class Kick(esper.Processor):
        def process(self, dt: float) -> None:
            play.physics.apply_impulse(box, (0.0, 1.0))

    with game(gravity=GRAVITY) as play:
        ground()
        box = dynamic(BOX, (0.0, 0.5))
        fall_asleep(play, box)
        rest = play.pose(box)
        esper.add_processor(Kick(), priority=priority_between(Narrowphase, Response))
        play.step()
        assert play.pose(box) == rest
        esper.remove_processor(Kick)
        play.step()
        assert play.pose(box)[1] > rest[1] + 0.01


def test_entities_added_and_removed_elsewhere_wake_no_body() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = stack(0.0, 3)
        fall_asleep(play, *boxes)
        for k in range(20):
            one = dynamic(BOX, (20.0 + 2.0 * k, 3.0)) if k % 2 else static(BOX, (20.0 + 2.0 * k, 30.0))
            play.step()
            if k % 3 == 0:
                esper.delete_entity(one)
                play.step()
        assert not any(map(play.physics.is_awake, boxes))


def test_uninstalling_while_all_sleep_leaves_plain_components() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = stack(0.0, 3)
        fall_asleep(play, *boxes)
        ec.uninstall()
        starts, ends = play.contacts("collision_start"), play.contacts("collision_end")
        assert len(starts) == len(ends) == 3
        assert play.pose(boxes[2])[1] == pytest.approx(2.5, abs=0.01)
        ec.install(gravity=GRAVITY)
        play.step(5)
        assert np.isfinite(play.pose(boxes[0])).all()


def test_a_body_of_several_pieces_sleeps_and_wakes_as_one() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        dumbbell = ec.Compound((ec.Circle(0.5, (-2.0, 0.0)), ec.Box(4.0, 0.2), ec.Circle(0.5, (2.0, 0.0))))
        body = dynamic(dumbbell, (0.0, 0.5), (0.0, 0.0), ec.RigidBody(linear_damping=1.0))
        chain = static(ec.Chain(((5.0, 0.0), (5.0, 1.0))))
        fall_asleep(play, body)
        ball = dynamic(ec.Circle(0.3), (-4.0, 0.5), (9.0, 0.0), ec.RigidBody(linear_damping=1.0))
        play.step(20)
        assert play.physics.is_awake(body)
        assert play.pose(body)[0] > 0.02
        assert not play.physics.touching(chain, body)
        fall_asleep(play, body, ball, steps=600)
        esper.delete_entity(body)
        play.step()
        assert len(play.contacts("collision_end")) == len(play.contacts("collision_start")) - 1


def test_a_stack_on_tiles_stands_still_when_it_is_woken_and_so_does_one_on_a_floor() -> None:
    with game(gravity=GRAVITY) as play:
        for k in range(6):
            static(BOX, (float(k), -0.5))
        static(ec.Box(3.0, 1.0), (22.0, -0.5))
        boxes = [*stack(2.5, 4), *stack(22.0, 4)]
        fall_asleep(play, *boxes)
        before = [play.pose(box) for box in boxes]
        lowest = 0.0
        for box in (boxes[0], boxes[4]):
            play.physics.wake(box)
        for _ in range(20):
            play.step()
            lowest = min(lowest, float(play.physics.velocities[:, 1].min()))
        assert lowest > -0.02
        assert [play.pose(box) for box in boxes] == [pytest.approx(pose, abs=1e-3) for pose in before]
