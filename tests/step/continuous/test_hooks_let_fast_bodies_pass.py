"""A hook that disables contacts or pairs lets fast bodies pass at full speed, and stops no others."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Broadphase, Narrowphase, Response, System
from tests.support.hooks import hook
from tests.support.worlds import DT, Game, dynamic, game, kinematic, static

SPEEDS = [5.0, 8.0, 15.0, 50.0, 100.0, 300.0]
PHASES = 7
STRIP = ec.Box(0.1, 4.0)
CHAIN = ec.Chain([(0.0, -2.0), (0.02, 0.0), (0.0, 2.0)])

WALLS: dict[str, Callable[[float], int]] = {
    "static box": lambda x: static(STRIP, (x, 0.0)),
    "static segment": lambda x: static(ec.Segment((0.0, -2.0), (0.0, 2.0)), (x, 0.0)),
    "static chain": lambda x: static(CHAIN, (x, 0.0)),
    "static bitmap": lambda x: static(ec.Bitmap([[1], [1], [1], [1]], 1.0), (x, -2.0)),
    "static sector": lambda x: static(ec.Sector(1.0, 2.0), (x, 0.0)),
    "kinematic box": lambda x: kinematic(STRIP, (x, 0.0)),
    "kinematic box that moves": lambda x: kinematic(STRIP, (x, 0.0), (-7.0, 0.0)),
    "kinematic box that turns": lambda x: kinematic(STRIP, (x, 0.0), angular=9.0),
    "dynamic box": lambda x: dynamic(STRIP, (x, 0.0)),
    "dynamic capsule": lambda x: dynamic(ec.Capsule((0.0, -2.0), (0.0, 2.0), 0.1), (x, 0.0)),
    "dynamic chain": lambda x: dynamic(CHAIN, (x, 0.0)),
    "dynamic bullet": lambda x: dynamic(STRIP, (x, 0.0), (-3.0, 0.0), ec.RigidBody(bullet=True)),
}
BODIES: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.1),
    "box": ec.Box(0.2, 0.1),
    "segment": ec.Segment((-0.1, -0.03), (0.1, 0.03)),
    "polygon": ec.Polygon([(-0.1, -0.1), (0.2, 0.0), (-0.1, 0.1)]),
    "two circles": ec.Compound([(ec.Circle(0.1), (0.0, 0.2, 0.0)), (ec.Circle(0.1), (0.0, -0.2, 0.0))]),
}
WAYS: dict[str, tuple[type[System], type[System]]] = {
    "pairs": (Broadphase, Narrowphase),
    "contacts": (Narrowphase, Response),
}


def let_pass(play: Game, way: str, *bodies: int) -> None:
    """Disable the pairs or the contacts of some bodies in every step."""

    def disable() -> None:
        view = play.physics.pairs if way == "pairs" else play.physics.contacts
        passes = np.isin(view.entity_a, bodies) | np.isin(view.entity_b, bodies)
        if way == "pairs":
            play.physics.pairs.disable(passes)
        else:
            play.physics.contacts.enabled[passes] = False

    hook(*WAYS[way], disable)


def assert_free_flight(play: Game, body: int, velocity: tuple[float, float], steps: int) -> None:
    """Fail if a body does not fly straight on in some steps without gravity."""
    x, y, _ = play.pose(body)
    for k in range(1, steps + 1):
        play.step()
        there = play.pose(body)[:2]
        assert there == pytest.approx((x + k * DT * velocity[0], y + k * DT * velocity[1]), abs=1e-9)
    assert play.velocity(body)[:2] == velocity


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("wall", WALLS)
def test_a_fast_bullet_passes_three_walls_as_if_there_were_none(wall: str, speed: float, way: str) -> None:
    for phase in range(PHASES):
        with game() as play:
            for k in range(3):
                WALLS[wall](1.5 * k)
            ball = dynamic(
                ec.Circle(0.1), (-2.0 - phase * speed * DT / PHASES, 0.3), (speed, 0.0), ec.RigidBody(bullet=True)
            )
            let_pass(play, way, ball)
            assert_free_flight(play, ball, (speed, 0.0), 3 + int(8.0 / (speed * DT)))
            assert play.events == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("gap", [0.01, 0.3])
def test_a_fast_ball_passes_two_tiles_that_share_its_contact(gap: float, way: str) -> None:
    with game() as play:
        for x in (-0.5, 0.5):
            static(ec.Box(1.0, 1.0), (x, -0.5))
        ball = dynamic(ec.Circle(0.1), (0.0, 0.1 + gap), (0.0, -90.0))
        let_pass(play, way, ball)
        assert_free_flight(play, ball, (0.0, -90.0), 3)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("angular", [0.0, 25.0])
@pytest.mark.parametrize("shape", BODIES)
def test_a_body_of_any_shape_passes(shape: str, angular: float, way: str) -> None:
    for velocity in ((60.0, 0.0), (90.0, 20.0), (40.0, -60.0), (210.0, 0.0)):
        with game() as play:
            static(STRIP)
            static(ec.HalfPlane((-1.0, 0.3)), (3.0, 0.0))
            static(ec.Ring(4.0), (0.0, 0.0))
            kinematic(STRIP, (1.0, 0.0), (2.0, 0.0))
            body = dynamic(BODIES[shape], (-2.0, 0.1), velocity, angular=angular)
            let_pass(play, way, body)
            assert_free_flight(play, body, velocity, 12)
            assert play.events == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_door_stops_the_one_without_a_key(speed: float, way: str) -> None:
    with game() as play:
        door = static(ec.Box(0.1, 9.0))
        guest, thief = (dynamic(ec.Circle(0.1), (-1.7, y), (speed, 0.0)) for y in (-2.0, 2.0))
        let_pass(play, way, guest)
        assert_free_flight(play, guest, (speed, 0.0), 5 + int(2.0 / (speed * DT)))
        assert play.pose(thief)[0] < 0.0
        assert {name for _, name, _ in play.events} >= {"collision_start"}
        named = {frozenset((contact.entity_a, contact.entity_b)) for contact in play.contacts("collision_start")}
        assert named == {frozenset((door, thief))}


@pytest.mark.parametrize("way", WAYS)
def test_a_ball_that_bounces_between_walls_passes_a_door_on_its_way_back_too(way: str) -> None:
    with game() as play:
        for x in (-3.0, 3.0):
            static(ec.Box(0.2, 9.0), (x, 0.0), restitution=1.0, friction=0.0)
        door = static(ec.Box(0.1, 9.0), (2.6, 0.0))
        ball = dynamic(ec.Circle(0.1), (-1.0, 0.0), (100.0, 0.0), restitution=1.0, friction=0.0)
        let_pass_only = [door, ball]

        def disable() -> None:
            view = play.physics.pairs if way == "pairs" else play.physics.contacts
            passes = np.isin(view.entity_a, let_pass_only) & np.isin(view.entity_b, let_pass_only)
            if way == "pairs":
                play.physics.pairs.disable(passes)
            else:
                play.physics.contacts.enabled[passes] = False

        hook(*WAYS[way], disable)
        for _ in range(60):
            before, speed = play.pose(ball)[0], play.velocity(ball)[0]
            play.step()
            after = play.pose(ball)[0]
            moved = abs(after - before) == pytest.approx(100.0 * DT, abs=1e-6)
            at_a_wall = abs(abs(after) - 2.8) < 0.02
            assert moved or at_a_wall, "it stops nowhere but at the walls"
            assert abs(speed) == pytest.approx(100.0, rel=1e-6)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("detecting", ["wall", "ball"])
def test_a_collider_that_detects_reports_a_fast_body_that_passes_within_a_step(detecting: str, way: str) -> None:
    with game() as play:
        wall = static(STRIP, detect=detecting == "wall")
        ball = dynamic(ec.Circle(0.1), (-1.0, 0.0), (150.0, 0.0), detect=detecting == "ball")
        let_pass(play, way, ball)
        play.step(3)
        received = (wall, ball) if detecting == "wall" else (ball, wall)
        assert [event[1:] for event in play.events] == [("sensor_enter", received), ("sensor_exit", received)]


@pytest.mark.parametrize("way", WAYS)
def test_a_pendulum_swings_through_a_wall(way: str) -> None:
    heights = []
    for has_wall in (False, True):
        with game(gravity=(0.0, -10.0), substeps=8) as play:
            pivot = static(ec.Circle(0.05), (0.0, 0.0), sensor=True)
            bob = dynamic(ec.Circle(0.1), (3.0, 0.0), (0.0, -40.0))
            esper.create_entity(ec.RevoluteJoint(pivot, bob, point=(0.0, 0.0)))
            if has_wall:
                static(STRIP, (0.0, -3.0))
            let_pass(play, way, bob)
            play.step(60)
            heights.append(play.pose(bob))
    assert heights[0] == heights[1]


@pytest.mark.parametrize("way", WAYS)
def test_a_hook_that_reads_and_disables_nothing_changes_no_bit(way: str) -> None:
    hashes = []
    for is_hooked in (False, True):
        with game(gravity=(0.0, -10.0)) as play:
            static(ec.Box(30.0, 1.0), (0.0, -0.5), friction=0.4)
            for x in (-4.0, 4.0):
                static(ec.Segment((0.0, 0.0), (0.0, 5.0)), (x, 0.0), restitution=0.9)
            kinematic(ec.Box(2.0, 0.2), (0.0, 2.0), angular=7.0)
            for k in range(40):
                body = ec.RigidBody(bullet=k % 3 == 0)
                velocity = 80.0 * math.sin(k), 50.0 * math.cos(3.0 * k)
                dynamic(BODIES["circle" if k % 2 else "box"], (0.15 * k - 3.0, 3.0 + k % 5), velocity, body)
            if is_hooked:
                hook(*WAYS[way], lambda: play.physics.pairs if way == "pairs" else play.physics.contacts)
            play.step(120)
            hashes.append(play.physics.state_hash())
    assert hashes[0] == hashes[1]


def test_contacts_that_a_fast_body_may_reach_say_where_it_would_touch() -> None:
    seen: list[tuple[set[int], tuple[float, ...], tuple[float, ...], float]] = []
    with game() as play:
        wall = static(STRIP)
        ball = dynamic(ec.Circle(0.1), (-1.15, 0.5), (120.0, 0.0))

        def look() -> None:
            view = play.physics.contacts
            for k in range(len(view)):
                x, y = view.normal[k].tolist()
                if view.entity_a[k] == ball:
                    x, y = -x, -y
                separation = float(view.separation[k, 0])
                seen.append(
                    ({int(view.entity_a[k]), int(view.entity_b[k])}, (x, y), tuple(view.point[k, 0]), separation)
                )

        hook(Narrowphase, Response, look)
        play.step()
        assert len(play.physics.contacts) == 0, "after the step there is no such contact"
    ((entities, normal, point, separation),) = seen
    assert entities == {wall, ball}
    assert normal == pytest.approx((-1.0, 0.0), abs=1e-9)
    assert separation == pytest.approx(1.0, abs=1e-3)
    assert point == pytest.approx((-0.55, 0.5), abs=1e-3)
    assert seen[0][3] > 0.0


def test_a_slow_world_has_only_the_contacts_at_hand() -> None:
    counts = []
    with game() as play:
        static(STRIP)
        dynamic(ec.Circle(0.1), (-0.3, 0.0), (1.0, 0.0))
        hook(Narrowphase, Response, lambda: counts.append(len(play.physics.contacts)))
        play.step(5)
    assert counts == [0] * 5


def test_one_step_without_the_hook_stops_the_ball_again() -> None:
    with game() as play:
        static(STRIP, (0.0, 0.0))
        static(STRIP, (4.0, 0.0))
        ball = dynamic(ec.Circle(0.1), (-1.0, 0.0), (150.0, 0.0))
        left = [1]

        def once() -> None:
            if left:
                left.pop()
                play.physics.contacts.enabled[:] = False

        hook(Narrowphase, Response, once)
        play.step(1)
        assert play.pose(ball)[0] == pytest.approx(1.5)
        play.step(1)
        assert play.pose(ball)[0] < 4.0


def test_pairs_that_one_hook_disables_have_no_contacts_for_the_next_hook() -> None:
    counts = []
    with game() as play:
        static(STRIP)
        ball = dynamic(ec.Circle(0.1), (-1.0, 0.0), (150.0, 0.0))
        let_pass(play, "pairs", ball)
        hook(Narrowphase, Response, lambda: counts.append(len(play.physics.contacts)))
        play.step(3)
    assert counts == [0, 0, 0]
