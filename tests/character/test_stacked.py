"""Characters that stand on characters: carried in any order of calls, and held back by no ceiling but their own."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import MoveCharacters
from tests.support.characters import FALL
from tests.support.worlds import DT, Game, game, kinematic, static, transform, velocity

ONE = ec.Box(1.0, 1.0)
SETTLE = 3
"""Frames after which each knows its floor."""


class Stack:
    """Characters on top of each other, moved in an order, one by one, as arrays or by the system."""

    def __init__(self, play: Game, order: tuple[int, ...], way: str) -> None:
        self.play, self.order, self.way = play, order, way
        made = {place: kinematic(ONE, (0.0, 0.5 + place)) for place in order}
        self.men = [made[place] for place in sorted(made)]
        self.speeds = np.zeros((len(order), 2))
        self.floors: list[int | None] = [None] * len(order)
        if way == "system":
            esper.add_processor(MoveCharacters(play.physics), priority=100)
            for man in self.men:
                esper.add_component(man, ec.CharacterController())

    def walk(self, sides: dict[int, float], jump: dict[int, float] | None = None) -> None:
        """Move all for a frame, some to the side, some upwards."""
        wanted = [
            (sides.get(place, 0.0), (jump or {}).get(place, self.speeds[place, 1] - FALL * DT)) for place in self.order
        ]
        men, physics = [self.men[place] for place in self.order], self.play.physics
        results: list[tuple[Any, Any]] = []
        if self.way == "single":
            results = [(s.velocity, s.floor) for s in (physics.move_and_slide(m, v, DT) for m, v in zip(men, wanted))]
        elif self.way == "arrays":
            slides = physics.move_and_slide_all(men, wanted, DT)
            results = list(zip(slides.velocity.copy(), slides.floor.tolist()))
        controls = [esper.try_component(man, ec.CharacterController) for man in men]
        for control, speed in zip(controls, wanted):
            if control is not None:
                control.velocity = speed
        self.play.step()
        results = results or [(control.velocity, control.floor) for control in controls if control is not None]
        for place, (speed, floor) in zip(self.order, results, strict=True):
            self.speeds[place], self.floors[place] = speed, floor

    def stands(self) -> bool:
        """Return True if each stands on the one below it."""
        return self.floors[1:] == self.men[:-1]


@pytest.mark.parametrize("way", ["single", "arrays", "system"])
@pytest.mark.parametrize("order", [*permutations(range(2)), *permutations(range(3)), (2, 0, 3, 1)])
@pytest.mark.parametrize("act", ["walks", "rises", "sinks", "goes aside", "jumps"])
def test_the_lowest_carries_all_in_any_order_of_calls(way: str, order: tuple[int, ...], act: str) -> None:
    with game() as play:
        ground = kinematic(ec.Box(40.0, 1.0), (0.0, -0.5))
        stack = Stack(play, order, way)
        for _ in range(SETTLE):
            stack.walk({})
        speed = {"rises": (0.0, 1.5), "sinks": (0.0, -1.5), "goes aside": (1.5, 0.0)}.get(act, (0.0, 0.0))
        velocity(ground).linear = speed
        for frame in range(60):
            stack.walk({0: 2.0} if act == "walks" else {}, {0: 6.0} if act == "jumps" and frame == 5 else None)
            assert stack.stands()
        x, y = (2.0, 0.0) if act == "walks" else speed
        for place, man in enumerate(stack.men):
            assert transform(man).position == pytest.approx((x, y + 0.5 + place), abs=1e-5)


def test_the_upper_one_walks_on_the_lower_one_and_off_it() -> None:
    with game() as play:
        static(ec.HalfPlane())
        stack = Stack(play, (0, 1), "single")
        for _ in range(SETTLE):
            stack.walk({})
        for _ in range(20):
            stack.walk({0: -1.0, 1: 1.0})
        assert stack.stands()
        assert transform(stack.men[1]).x == pytest.approx(0.0, abs=1e-6)
        for _ in range(60):
            stack.walk({0: 0.0, 1: 2.0})
        assert transform(stack.men[1]).y == pytest.approx(0.5, abs=1e-6)


def test_a_character_that_jumps_off_a_walking_one_keeps_its_velocity() -> None:
    with game() as play:
        static(ec.HalfPlane())
        stack = Stack(play, (0, 1), "single")
        for _ in range(SETTLE):
            stack.walk({0: 3.0})
        stack.walk({0: 3.0}, {1: 5.0})
        assert stack.speeds[1] == pytest.approx((3.0, 5.0))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_wall_stops_the_upper_one_and_not_the_lower_one(order: tuple[int, ...]) -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(ec.Box(1.0, 1.0), (1.5, 1.6))
        stack = Stack(play, order, "single")
        for _ in range(SETTLE):
            stack.walk({})
        for _ in range(30):
            stack.walk({0: 2.0})
        assert transform(stack.men[0]).x == pytest.approx(1.0, abs=1e-5)
        assert transform(stack.men[1]).x == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_under_a_ceiling_the_lowest_one_jumps_no_higher_than_the_uppermost_can(order: tuple[int, ...]) -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(ec.Box(9.0, 1.0), (0.0, 3.2 + 0.5))
        stack = Stack(play, order, "single")
        for _ in range(SETTLE):
            stack.walk({})
        stack.walk({}, {0: 20.0})
        for place, man in enumerate(stack.men):
            assert transform(man).y == pytest.approx(0.7 + place, abs=1e-5)
        assert stack.speeds[0, 1] <= 0.0
        for _ in range(60):
            stack.walk({})
        assert stack.stands() and transform(stack.men[2]).y == pytest.approx(2.5, abs=1e-5)


def test_up_a_slope_under_a_ceiling_the_lower_one_stays_out_of_the_slope() -> None:
    slope, ceiling = ec.Polygon([(0.6, 0.0), (20.0, 0.0), (20.0, 10.0)]), ec.Box(40.0, 1.0)
    with game() as play:
        static(ec.HalfPlane())
        static(slope)
        static(ceiling, (0.0, 2.2 + 0.5))
        stack = Stack(play, (0, 1), "single")
        for _ in range(SETTLE):
            stack.walk({})
        for _ in range(60):
            stack.walk({0: 2.0})
            for man in stack.men:
                assert ec.distance(slope, (0.0, 0.0, 0.0), ONE, transform(man).pose) > -1e-6
                assert ec.distance(ceiling, (0.0, 2.7, 0.0), ONE, transform(man).pose) > -1e-6


def test_a_character_on_a_removed_one_falls() -> None:
    with game() as play:
        static(ec.HalfPlane())
        stack = Stack(play, (0, 1), "single")
        for _ in range(SETTLE):
            stack.walk({})
        esper.delete_entity(stack.men[0], immediate=True)
        speed = 0.0
        for _ in range(60):
            speed = play.physics.move_and_slide(stack.men[1], (0.0, speed - FALL * DT), DT).velocity[1]
            play.step()
        assert transform(stack.men[1]).y == pytest.approx(0.5, abs=1e-6)


def test_a_refused_floor_undoes_the_riders_way_as_well() -> None:
    with game() as play:
        static(ec.HalfPlane())
        ghost = static(ec.Box(1.0, 9.0), (1.2, 4.5))
        stack = Stack(play, (0, 1), "single")
        for _ in range(SETTLE):
            stack.walk({})
        slide = play.physics.move_and_slide(stack.men[0], (3.0, 0.0), 0.5, where=lambda entity: entity != ghost)
        assert slide.position[0] == pytest.approx(1.5, abs=1e-6)
        assert transform(stack.men[1]).x == pytest.approx(1.5, abs=1e-6)
