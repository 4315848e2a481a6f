"""Sleep changes no outcome: the same bits in any order, balanced events, the same state of rest."""

from __future__ import annotations

import random
from itertools import combinations

import esper
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import ecs_collide as ec
from ecs_collide.common.tolerances import SLEEP_TIME
from ecs_collide.step.sleep.islands import find_sleepers, island_scratch
from tests.physics.test_event_balance import Ledger, Mayhem, settle
from tests.step.sleep.scenes import GRAVITY, fall_asleep
from tests.support.worlds import Game, dynamic, esper_world, game, ground

SHAPES: tuple[ec.Shape, ...] = (ec.Box(1.0, 0.8), ec.Circle(0.4), ec.Polygon([(-0.5, -0.4), (0.6, -0.4), (0.0, 0.5)]))


def create_ground_and_walls() -> None:
    ground(0.8)
    for x, normal in ((-4.0, (1.0, 0.0)), (4.0, (-1.0, 0.0))):
        esper.create_entity(ec.Transform(x, 0.0), ec.Collider(ec.HalfPlane(normal)))


def heap_components(k: int) -> list[object]:
    random_numbers = np.random.default_rng(k)
    x, y = random_numbers.uniform(-3.0, 3.0), 0.5 + 1.1 * (k // 4)
    collider = ec.Collider(SHAPES[k % 3], friction=0.8)
    return [ec.Transform(x, y, 0.3 * k), ec.Velocity(), collider, ec.RigidBody(angular_damping=2.0)]


def hashes_of_shot_heap(seed: int | None) -> list[str]:
    """Hashes of a heap that comes to rest, is shot at, and comes to rest again."""
    with game(gravity=GRAVITY) as play:
        create_ground_and_walls()
        for k in range(24):
            components = heap_components(k)
            if seed is not None:
                random.Random(seed + k).shuffle(components)
            esper.create_entity(*components)
        hashes, asleep = [], []
        for round_number in range(3):
            for _ in range(30):
                play.step(10)
                hashes.append(play.physics.state_hash())
                asleep.append(play.physics.statistics.sleeping_bodies)
            dynamic(ec.Circle(0.2), (0.0, 12.0), (0.5 * round_number, -10.0))
        assert max(asleep) >= 20
        assert len(set(asleep)) > 1
        return hashes


def test_the_order_of_components_changes_no_bit() -> None:
    expected = hashes_of_shot_heap(None)
    assert hashes_of_shot_heap(None) == hashes_of_shot_heap(5) == expected


def test_the_hash_depends_on_the_time_that_a_body_has_been_at_rest() -> None:
    with game() as play:
        body = dynamic(ec.Circle(0.5))
        play.step(5)
        before = play.physics.state_hash()
        play.step()
        assert play.physics.state_hash() != before
        fall_asleep(play, body)
        before = play.physics.state_hash()
        play.step()
        assert play.physics.state_hash() == before


@pytest.mark.parametrize("seed", range(3))
def test_the_books_balance_where_bodies_find_the_time_to_fall_asleep(seed: int) -> None:
    with esper_world() as world:
        play = Game(world, ec.install(gravity=GRAVITY))
        create_ground_and_walls()
        mayhem, ledger = Mayhem(seed), Ledger()
        slept = 0
        for step in range(1500):
            if step < 20 or step % 60 == 0:
                mayhem.interfere()
            play.step()
            settle(play, ledger)
            slept += play.physics.statistics.sleeping_bodies
            if step % 10 == 0:
                for _, a, b in ledger.open:
                    assert play.physics.touching(a, b)
        assert slept > 2000
        assert ledger.counts["collision_start"] > 100
        ec.uninstall()
        settle(play, ledger)
        assert ledger.open == set()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=4, unique_by=lambda one: one[0]))
def test_the_state_of_rest_is_the_same_as_without_sleep(towers: list[tuple[int, int]]) -> None:
    """Towers fall by a little and come to rest; a stone drops on each of them when all sleep."""

    def rest(sleeping: bool) -> np.ndarray:
        with game(gravity=GRAVITY, sleeping=sleeping) as play:
            ground(0.8)
            boxes = [
                dynamic(ec.Box(1.0, 1.0), (2.0 * x, 0.55 + 1.05 * k), friction=0.8)
                for x, height in towers
                for k in range(height)
            ]
            play.step(90)
            assert not sleeping or play.physics.statistics.awake_bodies == 0
            boxes += [dynamic(ec.Box(0.5, 0.5), (2.0 * x, height + 0.4), friction=0.8) for x, height in towers]
            play.step(120)
            assert not sleeping or play.physics.statistics.awake_bodies == 0
            return np.array([play.pose(box) for box in boxes])

    assert rest(True) == pytest.approx(rest(False), abs=2e-3)


def test_waking_makes_no_energy() -> None:
    """A heap that is woken again and again stays where it is."""
    with game(gravity=GRAVITY) as play:
        create_ground_and_walls()
        heap = [
            esper.create_entity(*heap_components(k)) for k in range(1, 25)
        ]  # from 0 on, one ends balanced on a corner
        fall_asleep(play, *heap, steps=900)
        heights = [play.pose(body)[1] for body in heap]
        fastest = 0.0
        for _ in range(10):
            fall_asleep(play, *heap)
            for body in heap:
                play.physics.wake(body)
            for _ in range(10):
                play.step()
                fastest = max(fastest, float(np.abs(play.physics.velocities).max()))
        assert fastest < 0.05
        assert [play.pose(body)[1] for body in heap] == pytest.approx(heights, abs=0.01)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_islands_against_plain_sets(data: st.DataObject) -> None:
    """Random contacts among bodies of all kinds, against islands grown set by set."""
    count = data.draw(st.integers(2, 9))
    kinds = [data.draw(st.sampled_from(list(ec.BodyKind))) for _ in range(count)]
    ready = [data.draw(st.booleans()) for _ in range(count)]
    links = [
        (a, b)
        for a, b in combinations(range(count), 2)
        if ec.BodyKind.DYNAMIC in (kinds[a], kinds[b]) and data.draw(st.integers(0, 3)) == 0
    ]
    with game(gravity=GRAVITY) as play:
        for kind in kinds:
            body = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(kind), mask=0)
            assert body
        play.step()
        world = play.physics
        bodies, finder = world.pipeline.bodies.arrays, world.pipeline.contact_finder
        rows = np.array([world.row_of(entity) for entity in sorted(world.pipeline.body_sync.members)])
        bodies.rest_time[rows] = np.where(ready, SLEEP_TIME, 0.0)
        for k, (a, b) in enumerate(links):
            finder.contacts.body[k] = rows[[a, b]]
        finder.contacts.enabled[: len(links)] = True
        asleep, span = island_scratch(len(bodies.kind)), world.pipeline.bodies.span
        awake, joints = world.pipeline.sleepers.awake, world.pipeline.sleepers.links()
        touching = world.pipeline.tolerances._replace(touch=0.0)
        found = find_sleepers(awake, bodies, span, finder.contacts, len(links), joints, GRAVITY, touching, 1.0, asleep)
        sleeping = set(asleep.asleep[:found].tolist())

    islands = [{k} for k in range(count) if kinds[k] is ec.BodyKind.DYNAMIC]
    for a, b in links:
        if kinds[a] is kinds[b] is ec.BodyKind.DYNAMIC:
            touched = [island for island in islands if a in island or b in island]
            islands = [island for island in islands if island not in touched] + [set().union(*touched)]
    expected = {k for k in range(count) if kinds[k] is ec.BodyKind.KINEMATIC and ready[k]}
    for island in islands:
        others = {b if a in island else a for a, b in links if (a in island) != (b in island)}
        if others and all(ready[k] or kinds[k] is ec.BodyKind.STATIC for k in island | others):
            expected |= island
    assert sleeping == {int(rows[k]) for k in expected}
