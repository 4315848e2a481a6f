"""Characters and one-way platforms: through from below and from the side, on them from above, and down again."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from ecs_collide.systems import MoveCharacters
from tests.support.worlds import DT, Game, game, kinematic, static

UP = (0.0, 1.0)
SHELVES: dict[str, Callable[[], int]] = {
    "box": lambda: static(ec.Box(10.0, 0.4), (0.0, -0.2), one_way=UP),
    "segment": lambda: static(ec.Segment((-5.0, 0.0), (5.0, 0.0)), one_way=UP),
    "chain": lambda: static(ec.Chain([(-5.0, 0.0), (0.0, 0.0), (5.0, 0.0)]), one_way=UP),
    "bitmap": lambda: static(ec.Bitmap([[True] * 10], 1.0), (-5.0, -1.0), one_way=UP),
}
shelves = pytest.mark.parametrize("shelf", SHELVES)


def create_player(x: float, y: float, shape: ec.Shape | None = None) -> int:
    return esper.create_entity(
        ec.Transform(x, y), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(shape or ec.Box(0.6, 1.0))
    )


def move_player(play: Game, player: int, x: float, y: float, drop_through: bool = False) -> ec.Slide:
    return play.physics.move_and_slide(player, (x, y), DT, drop_through=drop_through)


@shelves
@pytest.mark.parametrize("shape", [ec.Box(0.6, 1.0), ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.3), ec.Circle(0.5)])
def test_it_jumps_through_and_lands_exactly(shelf: str, shape: ec.Shape) -> None:
    with game() as play:
        floor = SHELVES[shelf]()
        player, y, highest = create_player(0.1, -2.0, shape), 8.0, -9.0
        for _ in range(120):
            y -= 10.0 * DT
            slide = move_player(play, player, 0.0, y)
            y, highest = slide.velocity[1], max(highest, slide.position[1])
            assert not slide.on_ceiling and not slide.on_wall
            play.step()
        assert highest == pytest.approx(-2.0 + 3.2 - 0.5 * 8.0 * DT, abs=0.01)
        assert slide.floor == floor and slide.position == pytest.approx((0.1, 0.5), abs=1e-6)


@shelves
def test_it_stands_walks_and_drops(shelf: str) -> None:
    with game() as play:
        floor = SHELVES[shelf]()
        player = create_player(-3.0, 0.5)
        for _ in range(60):
            slide = move_player(play, player, 3.0, -1.0)
        assert slide.on_floor and slide.position == pytest.approx((0.0, 0.5), abs=1e-6)
        for k in range(20):
            slide = move_player(play, player, 0.0, -1.0, drop_through=k == 0)
            assert not slide.on_floor
        assert slide.floor is None and floor and slide.position == pytest.approx((0.0, 0.5 - 20 * DT), abs=1e-6)


@shelves
@pytest.mark.parametrize("height", [-0.4, 0.0, 0.4])
@pytest.mark.parametrize("speed", [3.0, 3000.0])
def test_it_passes_from_the_side_and_at_any_speed_from_below(shelf: str, height: float, speed: float) -> None:
    with game() as play:
        SHELVES[shelf]()
        player = create_player(-8.0, height)
        slide = play.physics.move_and_slide(player, (speed, 0.0), 12.0 / speed)
        assert slide.position == pytest.approx((4.0, height), abs=1e-6) and not slide.hits
        rising, falling = create_player(0.0, -4.0), create_player(1.0, 4.0)
        assert play.physics.move_and_slide(rising, (0.0, speed), 8.0 / speed).position[1] == pytest.approx(4.0)
        assert play.physics.move_and_slide(falling, (0.0, -speed), 8.0 / speed).position[1] == pytest.approx(0.5)


def test_a_lift_that_is_one_way_carries_up_and_down_also_after_a_frame_without_a_move() -> None:
    for rate in (2.0, -2.0):
        with game() as play:
            lift = esper.create_entity(
                ec.Transform(0.0, -0.2),
                ec.Velocity(0.0, rate),
                ec.RigidBody(ec.BodyKind.KINEMATIC),
                ec.Collider(ec.Box(4.0, 0.4), one_way=UP),
            )
            player = create_player(0.0, 0.5)
            for k in range(119):
                if k % 40 != 39:
                    slide = move_player(play, player, 0.0, -4.0)
                play.step()
            assert slide.floor == lift
            assert play.pose(player)[1] - play.pose(lift)[1] == pytest.approx(0.7, abs=1e-6)


def test_a_controller_drops_while_drop_through_is_set() -> None:
    with game() as play:
        for y in (0.0, -2.0, -4.0):
            static(ec.Box(4.0, 0.2), (0.0, y - 0.1), one_way=UP)
        controller = ec.CharacterController(velocity=(0.0, 0.0))
        player = esper.create_entity(
            ec.Transform(0.0, 0.5), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.6, 1.0)), controller
        )
        esper.add_processor(MoveCharacters(play.physics), priority=100)
        stood = []
        for step in range(240):
            x, y = controller.velocity
            controller.velocity, controller.drop_through = (x, y - 10.0 * DT), step in (30, 150)
            play.step()
            stood.append(play.pose(player)[1] if controller.on_floor else None)
        assert [stood[k] for k in (29, 149, 239)] == pytest.approx([0.5, -1.5, -3.5], abs=1e-6)
        assert controller.drop_through is False


def test_a_value_that_is_no_flag_is_refused() -> None:
    with game() as play:
        player = create_player(0.0, 0.0)
        with pytest.raises(TypeError, match="drop_through must be True or False, got 1"):
            play.physics.move_and_slide(player, (0.0, 0.0), DT, drop_through=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", [3.0, 4.0, 5.0])
@pytest.mark.parametrize("phase", range(0, 60, 3))
def test_a_passenger_stays_on_a_lift_that_brakes_while_another_character_lands_on_it(phase: int, rate: float) -> None:
    with game() as play:
        turn = math.pi * phase / 30.0
        height = 0.8 * math.sin(turn)
        lift = kinematic(ec.Box(2.0, 0.3), (0.0, height), one_way=UP)
        lower, upper = create_player(0.0, height + 0.76, ec.Box(0.6, 1.2)), create_player(0.2, 4.0, ec.Box(0.6, 1.2))
        falling = {upper: 0.0, lower: 0.0}
        for frame in range(180):
            play.physics.move_to(lift, (0.0, 0.8 * math.sin(rate * frame * DT + turn)))
            for player in falling:  # the upper one first: it is in the way when the lift raises the lower one
                jumps = player == upper and frame % 60 == 50
                slide = move_player(play, player, 0.0, 8.0 if jumps else falling[player] - 20.0 * DT)
                falling[player] = slide.velocity[1]
            play.step()
            assert play.pose(lower)[1] > play.pose(lift)[1] + 0.6
