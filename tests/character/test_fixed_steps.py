"""Characters in a world with `fixed_dt`: they move once a step, at any frame rate, and are interpolated like bodies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.systems import BeforeStep, MoveCharacters
from tests.support.characters import FALL, character
from tests.support.worlds import DT, Game, game, kinematic, static, transform

rates = pytest.mark.parametrize("rate", [30, 60, 144])


class Walk(BeforeStep):
    """A player's decision in each step: to the side at a speed, and gravity."""

    side = 0.0
    steps = 0

    def before_step(self, dt: float) -> None:
        """Write the velocity of each character."""
        self.steps += 1
        for _, control in esper.get_component(ec.CharacterController):
            control.velocity = (self.side, control.velocity[1] - FALL * dt)


def create_walk(play: Game) -> tuple[int, ec.CharacterController, Walk]:
    control, walk = ec.CharacterController(), Walk(play.physics)
    esper.add_processor(walk, priority=110)
    esper.add_processor(MoveCharacters(play.physics), priority=100)
    return character(ec.Box(0.6, 1.7), 0.5, 0.85, control), control, walk


@rates
@pytest.mark.parametrize("speed", [(0.0, -2.0), (0.0, 2.0), (2.0, 0.0)])
def test_a_lift_never_loses_it_and_pictures_show_both_together(rate: int, speed: tuple[float, float]) -> None:
    with game(fixed_dt=DT) as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2), speed)
        man, control, _ = create_walk(play)
        for frame in range(2 * rate):
            esper.process(1.0 / rate)
            if play.physics.statistics.steps == 0:
                continue
            assert control.on_floor and control.floor == lift
            x, y, _ = play.physics.interpolated_pose(man)
            lift_x, lift_y, _ = play.physics.interpolated_pose(lift)
            assert (x - lift_x, y - lift_y) == pytest.approx((0.5, 1.05), abs=1e-6), frame


@rates
def test_it_goes_as_far_as_its_steps_say_and_decides_once_in_each(rate: int) -> None:
    with game(fixed_dt=DT) as play:
        static(ec.HalfPlane())
        man, _, walk = create_walk(play)
        walk.side = 3.0
        for _ in range(rate):
            esper.process(1.0 / rate)
        assert walk.steps == play.physics.statistics.steps
        assert transform(man).x == pytest.approx(0.5 + 3.0 * DT * walk.steps, abs=1e-9)


@rates
def test_its_pictures_move_evenly(rate: int) -> None:
    with game(fixed_dt=DT) as play:
        static(ec.HalfPlane())
        man, _, walk = create_walk(play)
        walk.side, places = 3.0, []
        for _ in range(rate):
            esper.process(1.0 / rate)
            places.append(play.physics.interpolated_pose(man)[0])
        ways = [after - before for before, after in pairwise(places[8:])]
        assert ways == pytest.approx([3.0 / rate] * len(ways), abs=1e-9)


@rates
def test_a_game_that_moves_it_once_a_frame_keeps_it_on_a_lift_as_well(rate: int) -> None:
    with game(fixed_dt=DT) as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2), (0.0, -2.0))
        man, fall, lost = character(ec.Box(0.6, 1.7), 0.0, 0.85), 0.0, 0
        for _ in range(2 * rate):
            slide = play.physics.move_and_slide(man, (0.0, fall - FALL / rate), 1.0 / rate)
            fall = slide.velocity[1]
            lost += slide.floor != lift
            esper.process(1.0 / rate)
        assert lost == 0


def test_without_a_fixed_dt_it_runs_once_a_frame_with_the_scaled_time() -> None:
    with game() as play:
        lengths = []

        class Listen(BeforeStep):
            def before_step(self, dt: float) -> None:
                lengths.append(dt)

        esper.add_processor(Listen(play.physics), priority=100)
        play.step(2)
        play.physics.time_scale = 0.5
        play.step()
    assert lengths == pytest.approx([DT, DT, 0.5 * DT])


def test_a_pause_and_an_error_leave_the_next_step_whole() -> None:
    with game(fixed_dt=DT) as play:
        static(ec.HalfPlane())
        man, control, _ = create_walk(play)
        control.step_height = -1.0
        with pytest.raises(ValueError, match=rf"entity {man}: CharacterController.step_height"):
            esper.process(DT)
        control.step_height = 0.0
        esper.process(DT)
        assert control.on_floor


@pytest.mark.parametrize("fixed_dt", [DT, None])
def test_a_character_in_a_pause_still_touches_what_it_touched(fixed_dt: float | None) -> None:
    with game(fixed_dt=fixed_dt) as play:
        static(ec.HalfPlane())
        static(ec.Box(1.0, 4.0), (2.0, 2.0))
        control = ec.CharacterController(velocity=(3.0, -1.0))
        character(ec.Box(0.6, 1.0), 1.0, 0.5, control)
        esper.add_processor(MoveCharacters(play.physics), priority=100)
        play.step(10)
        for scale in (1.0, 0.0, 0.0, 1.0):
            play.physics.time_scale = scale
            control.velocity = 3.0, -1.0
            play.step()
            assert (control.on_floor, control.on_wall) == (True, True)


@pytest.mark.parametrize("priority", [0, 0.5])
def test_a_system_after_the_physics_would_never_run_and_is_an_error(priority: Any) -> None:
    with game(fixed_dt=DT) as play:
        man = character(ec.Box(0.6, 1.7), 0.0, 0.0, ec.CharacterController(velocity=(1.0, 0.0)))
        movers = MoveCharacters(play.physics)
        esper.add_processor(movers, priority=priority)
        with pytest.raises(ec.PhysicsError, match=r"MoveCharacters must run before the physics: .*priority=100\)"):
            esper.process(DT)
        esper.remove_processor(MoveCharacters)
        esper.add_processor(movers, priority=100)
        play.step()
        assert transform(man).x > 0.0


def test_a_system_whose_init_forgets_the_physics_says_what_to_call() -> None:
    class Forgetful(BeforeStep):
        def __init__(self) -> None:
            self.speed = 1.0

    with game() as play:
        forgetful = Forgetful()
        esper.add_processor(forgetful, priority=100)
        with pytest.raises(ec.PhysicsError, match=r"Forgetful\.__init__ must call super\(\)\.__init__\(physics\)"):
            play.step()
        assert not hasattr(forgetful, "sped")
        esper.remove_processor(Forgetful)
        play.step()


class Once(BeforeStep):
    """A deed before one step, after characters have moved for it."""

    def __init__(self, physics: ec.PhysicsWorld, deed: Callable[[], object]) -> None:
        super().__init__(physics)
        self.deeds = [deed]
        esper.add_processor(self, priority=90)

    def before_step(self, dt: float) -> None:
        """Do it."""
        if self.deeds:
            self.deeds.pop()()


def walk_in_tenths(play: Game) -> int:
    """Create a character that walks 1 m in each step, and make two steps."""
    esper.add_processor(MoveCharacters(play.physics), priority=100)
    man = character(ec.Box(0.6, 1.7), 0.0, 0.0, ec.CharacterController(velocity=(10.0, 0.0)))
    play.step(2, 0.1)
    return man


def test_bodies_made_between_its_motion_and_the_step_leave_its_picture_as_it_is() -> None:
    with game(fixed_dt=0.1) as play:
        man = walk_in_tenths(play)
        Once(play.physics, lambda: [kinematic(ec.Circle(0.1), (0.0, 9.0 + k)) for k in range(300)])
        play.step(1, 0.15)
        assert play.physics.interpolated_pose(man)[0] == pytest.approx(2.5)


def test_a_body_in_the_row_of_a_character_that_was_deleted_after_its_motion_is_shown_where_it_is() -> None:
    with game(fixed_dt=0.1) as play:
        man, made = walk_in_tenths(play), list[int]()

        def exchange() -> None:
            esper.delete_entity(man, immediate=True)
            made.append(kinematic(ec.Box(1.0, 1.0), (50.0, 0.0)))

        Once(play.physics, exchange)
        play.step(1, 0.15)
        assert play.physics.interpolated_pose(made[0]) == (50.0, 0.0, 0.0)
