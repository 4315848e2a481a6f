"""Systems of a game that decide for few pairs whether they collide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Broadphase, FilterPairs, Narrowphase, Notify, Response, priority_between
from tests.support.hooks import hook
from tests.support.worlds import DT, Game, dynamic, game, static

BALL = ec.Circle(0.5)


class Door:
    """A component of the game."""


class Doors(FilterPairs):
    """A door that lets some pass."""

    component = Door

    def __init__(self, physics: ec.PhysicsWorld) -> None:
        super().__init__(physics)
        self.guests: set[int] = set()
        self.asked: list[tuple[int, int]] = []

    def may_collide(self, entity: int, other: int) -> bool:
        self.asked.append((entity, other))
        return other not in self.guests


def doors(play: Game, priority: float | None = None) -> Doors:
    """Add the system in its place, or with another priority."""
    made = Doors(play.physics)
    place: Any = priority_between(Broadphase, Narrowphase) if priority is None else priority
    esper.add_processor(made, priority=place)
    return made


@pytest.mark.parametrize("settings", [{}, {"fixed_dt": DT / 2}])
@pytest.mark.parametrize("speed", [5.0, 300.0])
def test_a_door_lets_guests_pass_at_full_speed_and_stops_others(speed: float, settings: dict[str, Any]) -> None:
    with game(**settings) as play:
        door = static(ec.Box(0.2, 9.0), (3.0, 0.0))
        esper.add_component(door, Door())
        guest, thief = (dynamic(BALL, (0.0, y), (speed, 0.0)) for y in (-2.0, 2.0))
        doors(play).guests.add(guest)
        play.step(60)
        assert play.pose(guest)[0] == pytest.approx(speed * 60 * DT)
        assert play.pose(thief)[0] < 3.0
        assert {each[1:] for each in play.named_pairs()} == {(door, thief)}


def test_it_asks_once_a_step_for_each_two_and_never_for_pairs_without_the_component() -> None:
    with game() as play:
        compound = ec.Compound([(BALL, (0.0, 0.2 * k, 0.0)) for k in range(4)])
        door = static(compound)
        esper.add_component(door, Door())
        crowd = [dynamic(compound, (0.1 * k, 0.0)) for k in range(4)]
        system = doors(play)
        play.step(3)
        assert sorted(system.asked) == sorted(3 * [(door, other) for other in crowd])


def test_of_two_holders_the_lesser_id_comes_first() -> None:
    with game() as play:
        first, second, third = (dynamic(BALL, (0.1 * k, 0.0)) for k in range(3))
        esper.add_component(third, Door())
        esper.add_component(second, Door())
        system = doors(play)
        play.step()
        assert sorted(system.asked) == [(second, first), (second, third), (third, first)]


def test_contacts_end_with_a_refusal_and_begin_with_a_permission() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        floor, ball = static(ec.HalfPlane()), dynamic(BALL, (0.0, 0.5))
        esper.add_component(floor, Door())
        system = doors(play)
        play.step(3)
        system.guests.add(ball)
        play.step(3)
        assert play.pose(ball)[1] < 0.5
        system.guests.clear()
        play.step()
        named = [each[0] for each in play.named_pairs()]
        assert named == ["collision_start", "collision_end", "collision_start"]


@pytest.mark.parametrize("sensing", [{"sensor": True}, {"detect": True}])
def test_a_sensor_reports_no_refused_pair_and_a_collider_that_detects_does(sensing: dict[str, Any]) -> None:
    with game() as play:
        zone, ball = static(ec.Box(2.0, 2.0), **sensing), dynamic(BALL)
        esper.add_component(zone, Door())
        doors(play).guests.add(ball)
        play.step()
        expected = [("sensor_enter", zone, ball)] if "detect" in sensing else []
        assert play.named_pairs() == expected


def test_an_attached_collider_is_asked_about_by_its_own_entity() -> None:
    with game() as play:
        body, wall = dynamic(BALL), static(BALL, (1.2, 0.0))
        shield = esper.create_entity(ec.AttachedTo(body, 0.5), ec.Collider(BALL), Door())
        system = doors(play)
        system.guests.add(wall)
        play.step()
        assert system.asked == [(shield, wall)]
        assert play.named_pairs() == []


def test_sleeping_bodies_are_not_asked_about_until_they_wake() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        floor, ball = static(ec.HalfPlane()), dynamic(BALL, (0.0, 0.5))
        esper.add_component(floor, Door())
        system = doors(play)
        play.step(120)
        assert not play.physics.is_awake(ball)
        system.asked.clear()
        system.guests.add(ball)
        play.step(5)
        assert system.asked == []
        play.physics.wake(ball)
        play.step(5)
        assert play.pose(ball)[1] < 0.5


def test_it_agrees_with_a_hook_on_the_arrays_to_the_last_bit() -> None:
    hashes = []
    for way in ("system", "arrays"):
        with game(gravity=(0.0, -10.0)) as play:
            static(ec.HalfPlane())
            rng = np.random.default_rng(3)
            made = [dynamic(ec.Box(0.6, 0.6), tuple(rng.uniform(0.0, 6.0, 2).tolist())) for _ in range(40)]
            ghosts = made[::5]
            if way == "system":
                for ghost in ghosts:
                    esper.add_component(ghost, Door())
                doors(play).guests.update(made)
            else:

                def disable(play: Game = play, ghosts: list[int] = ghosts, made: list[int] = made) -> None:
                    pairs = play.physics.pairs
                    of_ghost = np.isin(pairs.entity_a, ghosts) | np.isin(pairs.entity_b, ghosts)
                    pairs.disable(of_ghost & np.isin(pairs.entity_a, made) & np.isin(pairs.entity_b, made))

                hook(Broadphase, Narrowphase, disable)
            play.step(90)
            hashes.append(play.physics.state_hash())
    assert hashes[0] == hashes[1]


def test_frames_without_a_step_and_without_holders_ask_nothing() -> None:
    with game(fixed_dt=0.1) as play:
        door, ball = static(BALL), dynamic(BALL)
        system = doors(play)
        play.step(4, dt=0.03)
        assert system.asked == []
        esper.add_component(door, Door())
        play.step(1, dt=0.03)
        assert system.asked == []
        play.step(1, dt=0.24)
        assert system.asked == [(door, ball)] * 2


@pytest.mark.parametrize(
    "place",
    [
        lambda: priority_between(Narrowphase, Response),
        lambda: priority_between(Response, Notify),
        lambda: 10.0,
        lambda: -10.0,
    ],
)
def test_another_place_is_an_error(place: Callable[[], float]) -> None:
    with game() as play:
        static(BALL)
        doors(play, place())
        with pytest.raises(ec.PhysicsError, match="Doors must run between Broadphase and Narrowphase"):
            play.step(2)


def test_an_error_of_the_game_ends_the_step_and_the_next_one_asks_again() -> None:
    class Locked(FilterPairs):
        component = Door
        broken = True

        def may_collide(self, entity: int, other: int) -> bool:
            if self.broken:
                raise KeyError("lock")
            return True

    with game(gravity=(0.0, -10.0)) as play:
        floor, ball = static(ec.HalfPlane()), dynamic(BALL, (0.0, 0.5))
        esper.add_component(floor, Door())
        system = Locked(play.physics)
        esper.add_processor(system, priority=priority_between(Broadphase, Narrowphase))
        with pytest.raises(KeyError, match="lock"):
            play.step()
        assert play.pose(ball) == (0.0, 0.5, 0.0)
        system.broken = False
        play.step(30)
        assert play.pose(ball)[1] == pytest.approx(0.5, abs=0.01)
        ec.uninstall()
        assert esper.get_processor(Locked) is None


def test_what_it_cannot_do_is_an_error() -> None:
    class Nothing(FilterPairs):
        pass

    class Text(FilterPairs):
        component = "door"  # type: ignore[assignment]

    class Silent(FilterPairs):
        component = Door

    with game() as play:
        with pytest.raises(TypeError, match=r"Nothing\.component must be a class of components, got None"):
            Nothing(play.physics)
        with pytest.raises(TypeError, match=r"Text\.component must be a class of components, got 'door'"):
            Text(play.physics)
        static(BALL)
        door = dynamic(BALL)
        esper.add_component(door, Door())
        esper.add_processor(Silent(play.physics), priority=priority_between(Broadphase, Narrowphase))
        with pytest.raises(NotImplementedError):
            play.step()
    with game(response="exact") as play, pytest.raises(ec.PhysicsError, match="Doors: the exact response has no pairs"):
        Doors(play.physics)
