"""Bodies of several pieces: two entities start to touch once and cease once, whatever their pieces do."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.physics.test_event_balance import Ledger, settle
from tests.support.worlds import DT, Game, dynamic, esper_world, game, static

ELL = ec.Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)])
ROW = ec.Bitmap([[1, 0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1, 1]][::-1], 1.0)
PLANKS = ec.Compound([(ec.Box(1.0, 1.0), (float(k), -0.5, 0.0)) for k in range(8)])
TOP = ec.Compound([(ec.Bitmap([[1, 0] * 4, [1] * 8], 1.0), (0.0, -2.0, 0.0))])
"""Eight pieces with one flush top, as a grid is cut: four columns and what lies between them."""
LINKS = ec.Chain([(float(k), 0.0) for k in range(9)])
DUMBBELL = ec.Compound([(ec.Circle(0.3), (-0.4, 0.0, 0.0)), (ec.Circle(0.3), (0.4, 0.0, 0.0)), ec.Box(0.8, 0.2)])

Told = list[tuple[str, int, int]]


@pytest.mark.parametrize("floor", [TOP, LINKS], ids=["cells", "links"])
@pytest.mark.parametrize("shape", [ec.Circle(0.3), ec.Box(0.6, 0.6), DUMBBELL], ids=["circle", "box", "dumbbell"])
def test_sliding_from_piece_to_piece_sends_no_event(floor: ec.Shape, shape: ec.Shape) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        base = static(floor, friction=0.0)
        body = dynamic(shape, (0.8, 0.301), (2.0, 0.0), friction=0.0)
        play.step(150)
        assert play.pose(body)[0] > 5.5
        assert play.named_pairs() == [("collision_start", base, body)]
        assert play.physics.touching(base, body)
        play.step(200)
        assert play.named_pairs() == [("collision_start", base, body), ("collision_end", base, body)]


PARTINGS: dict[str, Callable[[int], Any]] = {
    "delete": lambda entity: esper.delete_entity(entity),
    "delete at once": lambda entity: esper.delete_entity(entity, immediate=True),
    "remove collider": lambda entity: esper.remove_component(entity, ec.Collider),
    "replace collider": lambda entity: esper.add_component(entity, ec.Collider(ec.Circle(0.001))),
    "teleport": lambda entity: setattr(esper.component_for_entity(entity, ec.Transform), "position", (50.0, 50.0)),
    "mask": lambda entity: setattr(esper.component_for_entity(entity, ec.Collider), "mask", 0),
    "shape": lambda entity: setattr(esper.component_for_entity(entity, ec.Collider), "shape", ec.Circle(0.001)),
    "uninstall": lambda entity: ec.uninstall(),
}


@pytest.mark.parametrize("part", PARTINGS.values(), ids=PARTINGS)
@pytest.mark.parametrize("sensor", [False, True])
@pytest.mark.parametrize("which", range(2))
def test_every_way_of_parting_sends_one_start_and_one_end(part: Callable[[int], Any], sensor: bool, which: int) -> None:
    with game() as play:
        base = static(PLANKS, sensor=sensor)
        body = dynamic(DUMBBELL, (3.5, 0.29))
        play.step(2)
        start, end = ("sensor_enter", "sensor_exit") if sensor else ("collision_start", "collision_end")
        assert play.named_pairs() == [(start, base, body)]
        part((base, body)[which])
        play.step(3)
        assert play.named_pairs() == [(start, base, body), (end, base, body)]


@pytest.mark.parametrize("shape", [ec.Circle(0.3), ec.Box(0.6, 0.6), ELL, DUMBBELL, ROW])
def test_another_number_of_pieces_is_another_body(shape: ec.Shape) -> None:
    """A touch of both the old and the new shape is open once."""
    with game() as play:
        base = static(PLANKS)
        body = dynamic(DUMBBELL, (3.0, 0.295))
        play.step(2)
        esper.component_for_entity(body, ec.Collider).shape = shape
        esper.component_for_entity(body, ec.Transform).position = (3.0, -0.01)
        play.step(1)
        ledger = Ledger()
        settle(play, ledger)
        assert ledger.open == {("collision_start", base, body)}
        assert play.physics.touching(base, body)
        esper.delete_entity(base)
        play.step(1)
        settle(play, ledger)
        assert ledger.open == set()


def test_a_sensor_of_several_pieces_is_entered_and_left_once() -> None:
    with game() as play:
        sensor = static(ROW, sensor=True)
        body = dynamic(DUMBBELL, (-2.0, 1.5), (3.0, 0.0))
        play.step(240)
        assert play.named_pairs() == [("sensor_enter", sensor, body), ("sensor_exit", sensor, body)]


def test_turning_a_sensor_on_and_off_while_pieces_overlap() -> None:
    with game() as play:
        base = static(PLANKS)
        dynamic(DUMBBELL, (3.5, 0.29))
        play.step(2)
        for _ in range(3):
            esper.component_for_entity(base, ec.Collider).sensor = True
            play.step(1)
            esper.component_for_entity(base, ec.Collider).sensor = False
            play.step(1)
        names = Counter(name for name, *_ in play.named_pairs())
        assert names == {"collision_start": 4, "collision_end": 3, "sensor_enter": 3, "sensor_exit": 3}


@pytest.mark.parametrize("floor_first", [False, True])
def test_the_start_names_both_tiles_of_a_seam_with_the_normal_from_the_first(floor_first: bool) -> None:
    """One corner stands on two bodies: both get events, and each snapshot has its own two entities."""
    shape = ec.Polygon([(-1.0, -1.0), (1.0, -1.0), (1.0, 0.0), (0.5, 0.0), (0.0, -0.2), (-0.5, 0.0), (-1.0, 0.0)])
    with game(gravity=(0.0, -10.0)) as play:
        tiles = [static(shape, (2.0 * k, 0.0)) for k in range(2)] if floor_first else []
        body = dynamic(ec.Box(0.6, 0.4), (1.0, 0.205))
        tiles = tiles or [static(shape, (2.0 * k, 0.0)) for k in range(2)]
        play.step(60)
        starts = play.contacts("collision_start")
        assert sorted((c.entity_a, c.entity_b) for c in starts) == sorted((min(t, body), max(t, body)) for t in tiles)
        for contact in starts:
            upward = 1.0 if contact.entity_b == body else -1.0
            assert contact.normal == pytest.approx((0.0, upward), abs=1e-6)
            assert contact.points
        assert play.contacts("collision_end") == []
        for tile in tiles:
            assert play.physics.touching(tile, body)


def test_snapshots_of_all_pieces_have_the_normal_from_a_to_b() -> None:
    centers = {"ring": (0.0, 3.0)}
    with game(gravity=(0.0, -10.0)) as play:
        ring = static(ec.Ring(4.0, centers["ring"]))
        bodies = [
            dynamic(shape, (1.5 * k - 2.0, 2.0 + 0.8 * (k % 2)))
            for k, shape in enumerate(
                (DUMBBELL, ec.Sector(0.5, 2.2), ec.Circle(0.3), ec.Polygon([(0, 0), (1, 0), (0.3, 0.3), (0, 1)]))
            )
        ]
        for _ in range(120):
            play.step()
            for body in bodies:
                for contact in play.physics.contacts_of(body):
                    assert contact.entity_a < contact.entity_b
                    assert math.hypot(*contact.normal) == pytest.approx(1.0, abs=1e-9)
                    if contact.entity_a == ring:
                        (x, y) = contact.points[0]
                        inward = centers["ring"][0] - x, centers["ring"][1] - y
                        # two corners in one wedge of the ring share a normal, up to half a wedge off
                        slack = 0.2 if len(contact.points) == 2 else 0.05
                        assert contact.normal == pytest.approx([v / math.hypot(*inward) for v in inward], abs=slack)
        assert {c.entity_a for c in play.contacts("collision_start")} >= {ring}


MANY: tuple[ec.Shape, ...] = (
    ELL, DUMBBELL, ec.Bitmap([[1, 1], [1, 0]], 0.4), ec.Sector(0.5, 2.5), ec.Circle(0.4), ec.Box(0.8, 0.5),
    ec.Chain([(-0.5, 0.0), (0.0, 0.2), (0.5, 0.0)]), ec.ArcPolygon([(-0.5, 0.0), (0.5, 0.0)], [0.5, 0.3]),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_random_games_keep_starts_and_ends_balanced(seed: int) -> None:
    chance = random.Random(seed)
    with esper_world() as world:
        play = Game(world, ec.install(gravity=(0.0, -9.81)))
        static(ec.Ring(5.0, (0.0, 4.0)))
        static(ec.Chain([(-3.0, 1.5), (0.0, 1.0), (3.0, 1.5)]))
        ledger, bodies = Ledger(), []

        def place() -> tuple[float, float]:
            return chance.uniform(-3.0, 3.0), chance.uniform(1.0, 6.0)

        def create() -> None:
            sensor = chance.random() < 0.15
            bodies.append(dynamic(chance.choice(MANY), place(), angle=chance.uniform(-3.0, 3.0), sensor=sensor))

        for _ in range(18):
            create()
        for step in range(160):
            deed, body = chance.randrange(7), chance.choice(bodies)
            collider = esper.component_for_entity(body, ec.Collider)
            if deed == 0 and len(bodies) > 10:
                bodies.remove(body)
                esper.delete_entity(body, immediate=chance.random() < 0.5)
            elif deed == 1:
                create()
            elif deed == 2:
                collider.shape = chance.choice(MANY)
            elif deed == 3:
                collider.sensor = not collider.sensor
            elif deed == 4:
                collider.mask = chance.choice([0, ec.ALL_LAYERS])
            elif deed == 5:
                esper.component_for_entity(body, ec.Transform).position = place()
            else:
                esper.add_component(body, ec.Collider(chance.choice(MANY)))
            play.step(dt=0.0 if step % 40 == 39 else DT)
            settle(play, ledger)
            for _, a, b in ledger.open:
                assert play.physics.touching(a, b)
        assert ledger.counts["collision_start"] > 40
        assert ledger.counts["sensor_enter"] > 10
        ec.uninstall()
        settle(play, ledger)
        assert ledger.open == set()


@pytest.mark.parametrize("wall", [ec.HalfPlane((0.0, 1.0)), ec.Ring(3.0, (0.0, 3.0))], ids=["half-plane", "ring"])
@pytest.mark.parametrize("wall_first", [True, False])
def test_a_kinematic_wall_without_end_meets_static_sensors(wall: ec.Shape, wall_first: bool) -> None:
    with game(sleeping=False) as play:

        def make_wall() -> int:
            parts = ec.Transform(0, -1), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Velocity(0, 2), ec.Collider(wall)
            return esper.create_entity(*parts)

        first = make_wall() if wall_first else 0
        sensor = static(ec.Circle(0.5), sensor=True)
        entity = first or make_wall()
        play.step(10)
        assert play.named_pairs() == []
        play.step(10)
        assert play.named_pairs() == [("sensor_enter", sensor, entity)]
        esper.component_for_entity(entity, ec.Velocity).y = -2.0
        play.step(20)
        assert play.named_pairs()[1:] == [("sensor_exit", sensor, entity)]
