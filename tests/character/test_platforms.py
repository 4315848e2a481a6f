"""Platforms driven in every way: a character never leaves them, and keeps its place on them."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, Walker, character
from tests.support.worlds import DT, Game, game, kinematic, transform, velocity

THICK = 0.2
"""Half the thickness of the platforms [m]."""
PATHS: dict[str, Callable[[float], tuple[float, float]]] = {
    "up": lambda t: (0.0, 2.0 * t),
    "down": lambda t: (0.0, -2.0 * t),
    "aside": lambda t: (2.0 * t, 0.0),
    "round": lambda t: (math.sin(2.0 * t), 1.0 - math.cos(2.0 * t)),
    "with halts": lambda t: (0.0, 2.0 * min(t, 0.5) + 2.0 * max(0.0, t - 1.0)),
}
SLIP = {"velocity": 1e-6, "move_to": 1e-6, "dynamic": 3e-3, "move_to afterwards": 2.0 * DT + 1e-6, "Transform": 1e-6}
"""Greatest distance of a character from its place, in the frame in which a platform changes its speed [m]."""


def platform(drive: str) -> int:
    if drive != "dynamic":
        return kinematic(ec.Box(6.0, 2.0 * THICK), (0.0, -THICK))
    heavy = ec.Collider(ec.Box(6.0, 2.0 * THICK), density=50.0)
    body = ec.RigidBody(lock_rotation=True, gravity_scale=0.0)
    return esper.create_entity(ec.Transform(0.0, -THICK), ec.Velocity(), heavy, body)


def send(play: Game, lift: int, drive: str, here: tuple[float, float], there: tuple[float, float]) -> None:
    """Send a platform from one place to another within a frame."""
    if drive in ("velocity", "dynamic"):
        velocity(lift).linear = ((there[0] - here[0]) / DT, (there[1] - here[1]) / DT)
    elif drive == "Transform":
        transform(lift).position = (there[0], there[1] - THICK)
    else:
        play.physics.move_to(lift, (there[0], there[1] - THICK))


@pytest.mark.parametrize("drive", SLIP)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", ["box", "capsule"])
def test_a_platform_that_slept_takes_it_along_whichever_way_it_is_driven(drive: str, path: str, body: str) -> None:
    with game() as play:
        lift = platform(drive)
        walker = Walker(play, character(BODIES[body], 0.5, BELOW[body]))
        walker.walk(0.0, 40)
        offsets = []
        for frame in range(120):
            here, there = PATHS[path](frame * DT), PATHS[path]((frame + 1) * DT)
            if drive != "move_to afterwards":
                send(play, lift, drive, here, there)
            walker.move(0.0)
            assert walker.slide.floor == lift
            if drive == "move_to afterwards":
                send(play, lift, drive, here, there)
            play.step()
            x, y = transform(walker.entity).x - transform(lift).x, transform(walker.entity).y - transform(lift).y
            offsets.append(math.dist((x, y), (0.5, BELOW[body] + THICK)))
        assert walker.in_air == 0
        assert max(offsets) < SLIP[drive]
        assert offsets[-1] < (2e-3 if drive == "move_to afterwards" else 1e-6)


def test_a_lift_that_is_sent_no_further_stops_with_it() -> None:
    with game() as play:
        lift = platform("move_to")
        walker = Walker(play, character(BODIES["box"], 0.5, BELOW["box"]))
        walker.walk(0.0, 40)
        for frame in range(40):
            if frame < 20:
                play.physics.move_to(lift, (0.0, 2.0 * DT * (frame + 1) - THICK))
            walker.move(0.0)
            play.step()
            gap = transform(walker.entity).y - transform(lift).y - BELOW["box"] - THICK
            assert gap == pytest.approx(0.0, abs=1e-6)


def test_a_sleeping_lift_does_not_pass_over_it_in_its_first_frame() -> None:
    with game() as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2))
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85))
        walker.walk(0.0, 60)
        velocity(lift).y = 30.0
        assert walker.walk(0.0, 1).position[1] == pytest.approx(0.85 + 30.0 * DT, abs=1e-6)


@pytest.mark.parametrize("side", [2.0, -2.0])
def test_a_platform_that_tilts_and_goes_aside_takes_a_box_along(side: float) -> None:
    with game() as play:
        lift = kinematic(ec.Box(8.0, 0.4), (0.0, -0.2), (side, 0.0), angular=0.05)
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.5, 0.85))
        walker.walk(0.0, 120)
        assert walker.in_air == 0 and walker.slide.floor == lift
        assert transform(walker.entity).x - transform(lift).x == pytest.approx(0.5, abs=0.1)  # it stays upright


def test_a_character_on_a_sinking_board_jumps_from_its_present_height() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        board = esper.create_entity(
            ec.Transform(0.0, -0.1), ec.Velocity(), ec.Collider(ec.Box(4.0, 0.2)), ec.RigidBody(lock_rotation=True)
        )
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85))
        walker.walk(0.0, 30)  # the board falls, and it with the board
        assert walker.in_air == 0 and walker.slide.floor == board
        fall = velocity(board).y
        assert fall == pytest.approx(-10.0 * 0.5, abs=0.4)  # the character bore on it when the fall began
        walker.move(0.0, jump=9.0)
        assert not walker.slide.on_floor and walker.slide.velocity[1] == pytest.approx(9.0 + fall, abs=0.2)


def test_a_platform_that_is_put_elsewhere_leaves_it_behind() -> None:
    with game() as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2))
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85))
        walker.walk(0.0, 10)
        transform(lift).position = (0.0, 5.0)
        slide = walker.walk(0.0, 2)
        assert slide.position[0] == 0.0 and slide.position[1] < 0.85


def test_a_character_that_is_moved_is_not_taken_back_to_its_floor() -> None:
    with game() as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2))
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85))
        walker.walk(0.0, 10)
        velocity(lift).y = 1.0
        transform(walker.entity).position = (20.0, 7.0)
        assert not walker.walk(0.0, 3).on_floor
        assert transform(walker.entity).x == 20.0 and transform(walker.entity).y < 7.0


def test_a_floor_that_was_removed_leaves_its_row_to_a_body_that_is_no_floor() -> None:
    with game() as play:
        lift = kinematic(ec.Box(6.0, 0.4), (0.0, -0.2))
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85))
        walker.walk(0.0, 10)
        esper.delete_entity(lift, immediate=True)
        kinematic(ec.Box(1.0, 1.0), (0.05, -9.0), (3.0, 0.0))
        assert walker.walk(0.0, 5).position[0] == 0.0
        assert not walker.slide.on_floor
