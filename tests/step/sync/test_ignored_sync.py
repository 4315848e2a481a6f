"""Entities that pass through each other because a component says so."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from itertools import count
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.changes import PlannedChanges
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync import watched_sets
from tests.support.worlds import DT, Game, dynamic, game, static

BALL = ec.Circle(0.5)


class Friends(ec.IgnoredEntities):
    """A game's own."""


def ignored(entity: int) -> ec.IgnoredEntities:
    return esper.component_for_entity(entity, ec.IgnoredEntities)


def balls_in_one_place(play: Game, count: int = 2) -> list[int]:
    """Create balls in one place that stay there, since nothing but contacts would push them."""
    return [dynamic(BALL, (0.01 * k, 0.0)) for k in range(count)]


def resting(play: Game) -> tuple[int, int]:
    """Create a floor and a ball that has fallen asleep on it."""
    ground, ball = static(ec.HalfPlane()), dynamic(BALL, (0.0, 0.5))
    play.step(120)
    assert not play.physics.is_awake(ball)
    return ground, ball


def touching(play: Game) -> set[frozenset[int]]:
    """Return the pairs of entities that touch now."""
    contacts = play.physics.contacts
    return {frozenset(pair) for pair in zip(contacts.entity_a.tolist(), contacts.entity_b.tolist(), strict=True)}


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("is_attached", [True, False])
def test_static_entities_that_detect_each_other_can_be_ignored(is_attached: bool, at_once: bool) -> None:
    with game() as play:
        detector, other = static(ec.Circle(0.5), detect=True), static(ec.Circle(0.4))
        found = ec.CollidingEntities()
        esper.add_component(detector, found)
        holder = esper.create_entity(ec.Transform(), ec.RigidBody(kind=ec.BodyKind.STATIC))
        part = esper.create_entity(ec.AttachedTo(holder), ec.Collider(ec.Circle(0.3)))
        named, names, left = (detector, holder, other) if is_attached else (detector, other, part)
        if not at_once:
            play.step()
        esper.add_component(names, ec.IgnoredEntities([named]))
        play.step()
        assert found.entities == (left,)


@pytest.mark.parametrize("holder", [0, 1, 2])
@pytest.mark.parametrize("kind", [ec.IgnoredEntities, Friends])
@pytest.mark.parametrize("shape", [BALL, ec.Box(1.0, 1.0), ec.Compound([BALL, ec.Box(1.0, 0.2)])])
def test_it_is_enough_that_one_names_the_other(shape: ec.Shape, kind: type[ec.IgnoredEntities], holder: int) -> None:
    with game() as play:
        a, b = dynamic(shape, (-2.0, 0.0), (3.0, 0.0)), dynamic(shape, (2.0, 0.0), (-3.0, 0.0))
        wall = static(ec.Box(1.0, 9.0), (4.0, 0.0))
        if holder in (0, 2):
            esper.add_component(a, kind([b]))
        if holder in (1, 2):
            esper.add_component(b, kind([a]))
        play.step(120)
        assert play.pose(b)[0] < -1.0
        assert {each[1:] for each in play.named_pairs()} == {(a, wall)}


def test_fast_bodies_and_sensors_pass_too() -> None:
    with game() as play:
        bullet = dynamic(ec.Circle(0.1), (0.0, 0.0), (500.0, 0.0), ec.RigidBody(bullet=True))
        wall = static(ec.Box(0.1, 4.0), (3.0, 0.0))
        sensor = static(ec.Box(1.0, 4.0), (2.0, 0.0), sensor=True)
        esper.add_component(bullet, ec.IgnoredEntities([wall, sensor]))
        play.step(3)
        assert play.velocity(bullet) == (500.0, 0.0, 0.0) and play.events == []


def test_all_parts_of_a_ragdoll_may_share_a_list() -> None:
    with game() as play:
        parts = balls_in_one_place(play, 5)
        limbs = ec.IgnoredEntities(parts)
        for part in parts:
            esper.add_component(part, limbs)
        stranger = dynamic(BALL, (0.02, 0.3))
        play.step(2)
        assert touching(play) == {frozenset((stranger, part)) for part in parts}
        limbs.entities = ()
        play.step()
        assert len(touching(play)) == 15


Change = Callable[[int, int], object]
TAKE_BACK: dict[str, Change] = {
    "an empty list": lambda ball, ground: setattr(ignored(ball), "entities", []),
    "no component": lambda ball, ground: esper.remove_component(ball, ec.IgnoredEntities),
    "another component": lambda ball, ground: esper.add_component(ball, ec.IgnoredEntities()),
}


@pytest.mark.parametrize("take_back", TAKE_BACK)
@pytest.mark.parametrize("asks_between", [False, True])
def test_a_contact_ends_and_wakes_and_begins_again(take_back: str, asks_between: bool) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ground, ball = resting(play)
        esper.add_component(ball, ec.IgnoredEntities([ground]))
        if asks_between:
            play.physics.point_query((0.0, 0.0))
        play.step(10)
        assert play.pose(ball)[1] < 0.45
        TAKE_BACK[take_back](ball, ground)
        if asks_between:
            play.physics.point_query((0.0, 0.0))
        play.step()
        started, ended = ("collision_start", ground, ball), ("collision_end", ground, ball)
        assert [each for each in play.named_pairs() if each[0].startswith("collision_s")] == [started, started]
        assert play.named_pairs()[-2:] == [ended, started]


def test_an_entity_is_ignored_as_soon_as_it_has_a_body_and_again_after_it_had_none() -> None:
    with game() as play:
        a, later = dynamic(BALL), esper.create_entity(ec.Transform())
        esper.add_component(a, ec.IgnoredEntities([later]))
        play.step()
        for _ in range(2):
            esper.add_component(later, ec.Collider(BALL))
            play.step()
            assert touching(play) == set()
            esper.remove_component(later, ec.Collider)
            play.step()
        assert ignored(a).entities == (later,)


@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("asks_between", [False, True])
def test_a_deleted_entity_leaves_the_list_and_a_later_one_with_its_id_is_met(
    monkeypatch: pytest.MonkeyPatch, immediate: bool, asks_between: bool
) -> None:
    with game() as play:
        a, b, c = balls_in_one_place(play, 3)
        esper.add_component(a, ec.IgnoredEntities([b, c]))
        play.step()
        esper.delete_entity(b, immediate=immediate)
        if asks_between:
            play.physics.point_query((0.0, 0.0))
        play.step()
        assert ignored(a).entities == (c,)
        monkeypatch.setattr(esper, "_entity_count", count(b))
        assert dynamic(BALL) == b
        play.step()
        assert frozenset((a, b)) in touching(play) and frozenset((a, c)) not in touching(play)


def test_an_entity_that_takes_the_id_of_an_ignored_one_in_the_same_frame_is_met() -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        esper.add_component(a, ec.IgnoredEntities([b]))
        play.step()
        for kind in (ec.Transform, ec.Velocity, ec.Collider):
            esper.remove_component(b, kind)
        for new in (ec.Transform(), ec.Velocity(), ec.Collider(BALL)):
            esper.add_component(b, new)
        play.step()
        assert touching(play) == {frozenset((a, b))}
        assert ignored(a).entities == ()


def test_an_entity_that_changes_one_component_after_the_other_stays_on_the_list() -> None:
    with game() as play:
        holder, other = balls_in_one_place(play)
        esper.add_component(holder, ec.IgnoredEntities([other]))
        play.step()
        for part in (ec.Velocity(), ec.Transform(0.01, 0.0), ec.Collider(BALL)):
            esper.add_component(other, part)
            play.step()
        assert ignored(holder).entities == (other,)
        assert play.pose(other) == (0.01, 0.0, 0.0)


def test_a_world_that_is_loaded_in_one_frame_keeps_its_lists() -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        esper.add_component(a, ec.IgnoredEntities([b]))
        play.step()
        saved = pickle.dumps([esper.components_for_entity(entity) for entity in (a, b)])
        esper.clear_database()
        assert [esper.create_entity(*components) for components in pickle.loads(saved)] == [a, b]
        play.step()
        assert touching(play) == set()
        assert ignored(a).entities == (b,)


def test_the_rows_of_bodies_that_are_gone_are_free_for_others() -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        esper.add_component(a, ec.IgnoredEntities([b]))
        play.step()
        rows = {play.physics.row_of(entity) for entity in (a, b)}
        for entity in (a, b):
            esper.delete_entity(entity, immediate=True)
        c, d = balls_in_one_place(play)
        assert {play.physics.row_of(entity) for entity in (c, d)} == rows
        play.step()
        assert touching(play) == {frozenset((c, d))}


def test_it_counts_beside_joints_and_calls() -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        joint = esper.create_entity(ec.DistanceJoint(a, b, length=0.01))
        play.physics.ignore(a, b)
        esper.add_component(a, ec.IgnoredEntities([b]))
        ends: tuple[Callable[[], object], ...] = (
            lambda: esper.delete_entity(joint),
            lambda: play.physics.ignore(a, b, ignored=False),
            lambda: setattr(ignored(a), "entities", ()),
        )
        for end in ends:
            play.step()
            assert touching(play) == set()
            end()
        play.step()
        assert touching(play) == {frozenset((a, b))}


def test_lists_that_nothing_writes_leave_steps_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        esper.add_component(a, ec.IgnoredEntities([b]))
        play.step(5)
        slow: list[float] = []
        plan_changes = Pipeline._plan_changes

        def plan_slowly(pipeline: Pipeline, dt: float) -> PlannedChanges | None:
            slow.append(dt)
            return plan_changes(pipeline, dt)

        monkeypatch.setattr(Pipeline, "_plan_changes", plan_slowly)
        play.step(5)
        assert slow == []
        ignored(a).entities = []
        play.step()
        assert len(slow) == 1 and touching(play) == {frozenset((a, b))}


def test_it_works_if_esper_cannot_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_sets, "is_possible", lambda: False)
    with game() as play:
        a, b = balls_in_one_place(play)
        play.step()
        for _ in range(2):
            esper.add_component(a, ec.IgnoredEntities([b]))
            play.step()
            assert touching(play) == set()
            esper.remove_component(a, ec.IgnoredEntities)
            play.step()
            assert touching(play) == {frozenset((a, b))}


@pytest.mark.parametrize("way", ["object", "bytes", "without entities"])
def test_snapshots_return_to_the_list_of_their_time(way: str) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ground, ball = resting(play)
        esper.add_component(ball, ec.IgnoredEntities())
        play.step()

        def states(steps: int) -> list[str]:
            found = []
            for _ in range(steps):
                play.step()
                found.append(play.physics.state_hash())
            return found

        def save() -> Any:
            taken = play.physics.snapshot(entities=way != "without entities")
            return ec.Snapshot.from_bytes(bytes(taken)) if way == "bytes" else taken

        at_rest = save()
        resting_on = states(5)
        ignored(ball).entities = [ground]
        play.step(3)
        falling = save()
        falls_on = states(5)
        for _ in range(2):
            play.physics.restore(falling)
            ignored(ball).entities = ignored(ball).entities if way != "without entities" else [ground]
            assert states(5) == falls_on
            play.physics.restore(at_rest)
            if way == "without entities":
                ignored(ball).entities = []
            assert ignored(ball).entities == ()
            assert states(5) == resting_on


def test_worlds_have_their_own() -> None:
    with game() as first:
        a, b = balls_in_one_place(first)
        esper.add_component(a, ec.IgnoredEntities([b]))
        first.step()
        with game() as second:
            c, d = balls_in_one_place(second)
            assert (c, d) == (a, b)
            second.step()
            assert touching(second) == {frozenset((c, d))}
        first.step()
        assert touching(first) == set()


def check_refused(play: Game, message: str) -> None:
    """Fail unless steps are refused with a message and change nothing."""
    before = play.physics.state_hash()
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=message):
            play.step()
    assert play.physics.state_hash() == before


def test_an_entity_that_never_existed_is_a_warning_and_leaves_the_list(
    new_warnings: Callable[[], list[str]],
) -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        play.step()
        esper.add_component(a, ec.IgnoredEntities([b, 999]))
        esper.process(DT)
        assert new_warnings() == [f"entity {a}: its IgnoredEntities names entity 999, which does not exist"]
        assert ignored(a).entities == (b,) and touching(play) == set()
        ignored(a).entities = [998, b]
        play.step()
        assert new_warnings() == [] and ignored(a).entities == (b,)


def test_a_warning_that_is_an_error_comes_before_any_change() -> None:
    with game(gravity=(0.0, -10.0)) as play, warnings.catch_warnings():
        warnings.simplefilter("error", ec.PhysicsWarning)
        a, b = balls_in_one_place(play)
        play.step()
        esper.add_component(a, ec.IgnoredEntities([b, 999]))
        before = play.physics.state_hash()
        with pytest.raises(ec.PhysicsWarning, match="names entity 999"):
            play.step()
        assert play.physics.state_hash() == before and ignored(a).entities == (b, 999)


Ignore = Callable[[Game, int, int, bool], None]


def ignore_by_call(play: Game, a: int, b: int, is_ignored: bool) -> None:
    play.physics.ignore(a, b, is_ignored)


def ignore_by_name(play: Game, a: int, b: int, is_ignored: bool) -> None:
    if not esper.has_component(a, ec.IgnoredEntities):
        esper.add_component(a, ec.IgnoredEntities())
    names = set(ignored(a).entities)
    ignored(a).entities = names | {b} if is_ignored else names - {b}


WAYS = pytest.mark.parametrize("ignore", [ignore_by_call, ignore_by_name])


def body_with_a_part() -> tuple[int, int]:
    """Create a body at (0, 0) and a collider that is attached to it at (3, 0)."""
    body = dynamic(BALL, (0.0, 0.0))
    return body, esper.create_entity(ec.AttachedTo(body, 3.0, 0.0), ec.Collider(BALL))


@WAYS
@pytest.mark.parametrize("is_swapped", [False, True])
def test_an_attached_collider_passes_alone(is_swapped: bool, ignore: Ignore) -> None:
    with game() as play:
        body, part = body_with_a_part()
        rod = static(ec.Box(9.0, 0.1))
        pair = (rod, part) if is_swapped else (part, rod)
        play.step()
        assert touching(play) == {frozenset((body, rod)), frozenset((part, rod))}
        ignore(play, *pair, True)
        play.step()
        assert touching(play) == {frozenset((body, rod))}
        assert play.named_pairs()[-1] == ("collision_end", *sorted((part, rod)))
        ignore(play, *pair, False)
        play.step()
        assert touching(play) == {frozenset((body, rod)), frozenset((part, rod))}


@WAYS
def test_two_attached_colliders_pass_each_other_and_their_bodies_do_not(ignore: Ignore) -> None:
    with game() as play:
        (a, part_a), (b, part_b) = body_with_a_part(), body_with_a_part()
        ignore(play, part_a, part_b, True)
        play.step()
        assert touching(play) == {frozenset((a, b))}


@WAYS
def test_a_collider_still_passes_when_its_body_collides_again(ignore: Ignore) -> None:
    with game() as play:
        body, part = body_with_a_part()
        rod = static(ec.Box(9.0, 0.1))
        for one in (body, part):
            ignore(play, one, rod, True)
        play.step()
        assert touching(play) == set()
        ignore(play, body, rod, False)
        play.step()
        assert touching(play) == {frozenset((body, rod))}
        ignore(play, body, rod, True)
        play.step()
        for one in (body, part):
            ignore(play, one, rod, False)
        play.step()
        assert touching(play) == {frozenset((body, rod)), frozenset((part, rod))}
        assert play.physics.statistics.pairs == 2


@WAYS
def test_a_sleeping_body_falls_as_its_attached_feet_ignore_the_ground(ignore: Ignore) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ground = static(ec.HalfPlane())
        body = dynamic(ec.Box(0.2, 0.2), (0.0, 1.5))
        feet = esper.create_entity(ec.AttachedTo(body, 0.0, -1.0), ec.Collider(ec.Box(2.0, 1.0)))
        play.step(120)
        assert not play.physics.is_awake(body)
        ignore(play, feet, ground, True)
        play.step(60)
        assert play.pose(body)[1] == pytest.approx(0.1, abs=0.01)


@WAYS
def test_a_fast_part_sweeps_past_what_it_ignores(ignore: Ignore) -> None:
    with game() as play:
        body = dynamic(ec.Circle(0.1), (0.0, 0.0), (300.0, 0.0))
        part = esper.create_entity(ec.AttachedTo(body, 0.0, 1.0), ec.Collider(ec.Circle(0.1)))
        wall = static(ec.Box(0.1, 1.0), (10.0, 1.0))
        ignore(play, part, wall, True)
        play.step(10)
        assert play.pose(body)[0] == pytest.approx(50.0) and play.events == []


def test_an_ignored_body_stays_ignored_when_it_is_attached_and_detached() -> None:
    with game() as play:
        a, b = balls_in_one_place(play)
        esper.add_component(a, ec.IgnoredEntities([b]))
        play.step()
        esper.remove_component(b, ec.Velocity)
        esper.add_component(b, ec.AttachedTo(dynamic(ec.Circle(0.1), (9.0, 0.0)), -9.0, 0.0))
        play.step()
        assert touching(play) == set()
        esper.remove_component(b, ec.AttachedTo)
        play.step()
        assert touching(play) == set()
        ignored(a).entities = []
        play.step()
        assert touching(play) == {frozenset((a, b))}


def test_the_exact_response_refuses_it() -> None:
    with game(response="exact") as play:
        a, b = dynamic(BALL), dynamic(BALL, (3.0, 0.0))
        play.step()
        esper.add_component(a, ec.IgnoredEntities([b]))
        check_refused(play, f"entity {a} has an IgnoredEntities: the exact response has no ignored pairs")


def test_the_component_alone() -> None:
    made = ec.IgnoredEntities([5, 3, 5])
    assert made.entities == (3, 5)
    assert repr(made) == "IgnoredEntities(entities=(3, 5))"
    assert repr(Friends()) == "Friends(entities=())"
    for twin in (copy.copy(made), pickle.loads(pickle.dumps(made))):
        assert twin.entities == (3, 5) and twin is not made
    made.entities = {9}
    assert made.entities == (9,)
    with pytest.raises(TypeError, match=r"IgnoredEntities\.entities must be entities, got 5: write \[5\] for one"):
        ec.IgnoredEntities(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Friends\.entities must be an integer, got 'a'"):
        Friends(["a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"IgnoredEntities\.entities must lie between 0"):
        made.entities = [-1]
    assert made.entities == (9,)
