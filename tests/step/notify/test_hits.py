"""collision_hit: one for each impact faster than the threshold, in both responses."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.step.notify.hits import fastest_hits
from ecs_collide.step.notify.list_hits import hit_rows, select_hits
from ecs_collide.systems import Narrowphase, Response, priority_between
from tests.support.events import EventLog
from tests.support.worlds import dynamic, game, static

RESPONSES = pytest.mark.parametrize("response", ["impulse", "exact"])


@RESPONSES
def test_a_ball_that_falls_without_bounce_hits_once(response: str) -> None:
    with game(response=response, gravity=(0.0, -10.0)) as play:
        listener = EventLog("collision_hit")
        floor = static(ec.HalfPlane())
        ball = dynamic(ec.Circle(0.5), (0.0, 2.5))
        play.step(120)
        (hit,) = listener.contacts
        assert (hit.entity_a, hit.entity_b) == (floor, ball)
        assert hit.approach_speed == pytest.approx(np.sqrt(2.0 * 10.0 * 2.0), rel=0.05)
        assert hit.normal == pytest.approx((0.0, 1.0))
        assert hit.points[0] == pytest.approx((0.0, 0.0), abs=0.2)
        assert hit.normal_impulse > 0.0


@RESPONSES
@pytest.mark.parametrize("offset", np.linspace(0.0, 0.2, 9).tolist())
@pytest.mark.parametrize("speed", [3.0, 9.0])
def test_it_hits_once_from_any_distance(response: str, offset: float, speed: float) -> None:
    """Soft contacts may leave a part of the approach to the next step."""
    with game(response=response) as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane())
        dynamic(ec.Box(1.0, 1.0) if response == "impulse" else ec.Circle(0.5), (0.0, 1.0 + offset), (0.0, -speed))
        play.step(30)
        assert [hit.approach_speed for hit in listener.contacts] == [pytest.approx(speed)]


@RESPONSES
def test_a_bouncing_ball_hits_at_each_bounce_until_it_is_slow(response: str) -> None:
    with game(response=response, gravity=(0.0, -10.0), hit_speed=1.5) as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane())
        dynamic(ec.Circle(0.5), (0.0, 3.0), restitution=0.7)
        play.step(300)
        speeds = [hit.approach_speed for hit in listener.contacts]
        assert len(speeds) in (4, 5)  # 7.1, 4.9, 3.5, 2.4 and maybe 1.7
        assert all(0.6 <= b / a <= 0.8 for a, b in pairwise(speeds))
        assert min(speeds) > 1.5


@RESPONSES
def test_a_ball_between_two_walls_hits_both_in_turn(response: str) -> None:
    with game(response=response) as play:
        listener = EventLog("collision_hit")
        floor = static(ec.HalfPlane(), restitution=1.0)
        roof = static(ec.HalfPlane((0.0, -1.0), -1.3), restitution=1.0)
        ball = dynamic(ec.Circle(0.5), (0.0, 0.65), (0.0, -18.0), restitution=1.0)
        play.step(20)
        received = [(hit.entity_a, hit.entity_b) for hit in listener.contacts]
        assert len(received) >= (18 if response == "exact" else 9)  # the impulse response bounces in each second step
        assert all(a != b for a, b in pairwise(received))
        assert set(received) == {(floor, ball), (roof, ball)}


@RESPONSES
def test_resting_and_slow_contacts_make_no_hit(response: str) -> None:
    with game(response=response, gravity=(0.0, -10.0)) as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane())
        dynamic(ec.Circle(0.5), (0.0, 0.5))
        dynamic(ec.Circle(0.5), (3.0, 0.5))
        slow = dynamic(ec.Circle(0.5), (4.2, 0.5), (-0.9, 0.0))
        play.step(60)
        assert play.velocity(slow)[0] > -0.9
        assert listener.contacts == []


@RESPONSES
def test_hits_come_after_starts_in_order_of_the_entities(response: str) -> None:
    with game(response=response) as play:
        order: list[tuple[Any, ...]] = []

        def on_start(contact: ec.Contact) -> None:
            order.append(("start", contact.entity_a, contact.entity_b))

        def on_hit(contact: ec.Contact) -> None:
            order.append(("hit", contact.entity_a, contact.entity_b))

        esper.set_handler("collision_start", on_start)
        esper.set_handler("collision_hit", on_hit)
        wall = static(ec.HalfPlane((1.0, 0.0)))
        balls = [dynamic(ec.Circle(0.5), (0.51, 3.0 * k), (-5.0, 0.0)) for k in range(3)]
        play.step()
        assert order == [(kind, wall, ball) for kind in ("start", "hit") for ball in balls]


def test_bodies_of_several_pieces_hit_once_with_the_largest_speed() -> None:
    with game() as play:
        listener = EventLog("collision_hit")
        planks = static(ec.Compound([(ec.Box(1.0, 1.0), (float(k), -0.5, 0.0)) for k in range(8)]))
        pair = ec.Compound([(ec.Circle(0.3), (-0.8, 0.0, 0.0)), (ec.Circle(0.3), (0.8, 0.0, 0.0))])
        body = dynamic(pair, (3.5, 0.301), (0.0, -4.0), angular=1.0)
        play.step(4)
        (hit,) = listener.contacts
        assert (hit.entity_a, hit.entity_b) == (planks, body)
        assert hit.approach_speed == pytest.approx(4.0 + 0.8, rel=0.02)


def test_several_impacts_in_a_step_give_one_event_of_the_largest() -> None:
    with game(response="exact") as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane(), restitution=0.5)
        static(ec.HalfPlane((0.0, -1.0), -1.1), restitution=0.5)
        dynamic(ec.Circle(0.5), (0.0, 0.55), (0.0, -80.0), restitution=0.5)
        play.step()
        assert play.physics.statistics.impacts == 3
        assert [hit.approach_speed for hit in listener.contacts] == [pytest.approx(80.0), pytest.approx(40.0)]


@RESPONSES
def test_all_of_many_hits_in_one_step_are_sent(response: str) -> None:
    with game(response=response) as play:
        listener = EventLog("collision_hit")
        floor = static(ec.HalfPlane())
        balls = [dynamic(ec.Circle(0.5), (2.0 * k, 0.51), (0.0, -5.0)) for k in range(200)]
        play.step()
        assert [(hit.entity_a, hit.entity_b) for hit in listener.contacts] == [(floor, ball) for ball in balls]


@RESPONSES
def test_a_step_of_no_length_repeats_no_hit(response: str) -> None:
    with game(response=response) as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane())
        dynamic(ec.Circle(0.5), (0.0, 0.51), (0.0, -5.0))
        play.step()
        play.step(3, dt=0.0)
        assert len(listener.contacts) == 1


@RESPONSES
def test_the_threshold_counts_in_the_games_own_unit(response: str) -> None:
    def hits(speed: float, **settings: Any) -> int:
        with game(response=response, **settings) as play:
            listener = EventLog("collision_hit")
            unit = settings.get("length_unit", 1.0)
            static(ec.HalfPlane())
            dynamic(ec.Circle(0.5 * unit), (0.0, 0.505 * unit), (0.0, -speed))
            play.step(2)
            return len(listener.contacts)

    assert [hits(speed) for speed in (0.9, 1.1)] == [0, 1]
    assert [hits(speed, hit_speed=3.0) for speed in (2.9, 3.1)] == [0, 1]
    assert [hits(speed, length_unit=100.0) for speed in (90.0, 110.0)] == [0, 1]


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_a_bad_threshold_is_refused(value: float, fresh_world: str) -> None:
    with pytest.raises(ValueError, match="hit_speed must be a positive finite number"):
        ec.install(hit_speed=value)
    with pytest.raises(TypeError, match="hit_speed must be a positive finite number, got 'fast'"):
        ec.install(hit_speed="fast")  # type: ignore[arg-type]


def test_a_contact_that_a_hook_switches_off_hits_nothing() -> None:
    class Ghost(esper.Processor):
        def process(self, *args: Any) -> None:
            ec.physics().contacts.enabled[:] = False

    with game() as play:
        listener = EventLog("collision_hit")
        static(ec.HalfPlane())
        dynamic(ec.Circle(0.5), (0.0, 0.51), (0.0, -5.0))
        esper.add_processor(Ghost(), priority=priority_between(Narrowphase, Response))
        play.step(3)
        assert listener.contacts == []


@pytest.mark.parametrize("listens", [True, False])
def test_without_a_handler_no_hit_is_looked_for(listens: bool) -> None:
    with game() as play:
        static(ec.HalfPlane())
        dynamic(ec.Circle(0.5), (0.0, 0.51), (0.0, -5.0))
        listener = EventLog("collision_hit" if listens else "collision_end")
        play.step(3)
        assert bool(play.physics.pipeline.contact_events._hits._rows.hits.any()) is listens
        assert len(listener.contacts) == listens


def fastest(entities: np.ndarray, numbers: np.ndarray, contacts: np.ndarray) -> list[int]:
    """Return the contact of the fastest hit of each two entities; then the least point and the least row count."""
    pairs = zip(entities.tolist(), numbers.tolist(), contacts.tolist(), strict=True)
    ordered = sorted((pair, -speed, x, y, row) for pair, (speed, x, y), row in pairs)
    first = {tuple(pair): row for pair, _, _, _, row in reversed(ordered)}
    return [row for _, row in sorted(first.items())]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 60, 500])
def test_the_fastest_hit_of_a_pair_does_not_depend_on_the_order(count: int) -> None:
    rng = np.random.default_rng(count)
    entities = np.sort(rng.integers(1, 4, (count, 2)), axis=1)
    numbers = rng.integers(1, 4, (count, 3)).astype(float)
    contacts = np.arange(count)
    for _ in range(5):
        order = rng.permutation(count)
        found = fastest_hits(entities[order], numbers[order], contacts[order])
        assert found.tolist() == fastest(entities, numbers, contacts)


def new_hits(memory: tuple[np.ndarray, np.ndarray], *entities: tuple[int, int]) -> list[int]:
    """Return the numbers of the pairs of entities that are new hits after those in a memory."""
    rows = hit_rows(9)
    for k, (a, b) in enumerate(entities):
        rows.hits[k] = a, b, k, k
    found: list[int] = rows.new[: select_hits(len(entities), rows, *memory)].tolist()
    return found


def test_a_pair_that_hit_in_the_last_step_is_no_new_hit() -> None:
    memory = np.zeros((9, 2), np.int64), np.zeros(1, np.int64)
    assert new_hits(memory, (2, 9), (1, 3), (1, 2), (3, 4)) == [2, 1, 0, 3]
    assert new_hits(memory, (3, 4), (1, 2), (2, 3), (1, 2), (9, 9)) == [2, 4]
    assert new_hits(memory, (1, 3), (2, 3)) == [0]
    assert new_hits(memory) == []
    assert new_hits(memory, (2, 3)) == [0]
