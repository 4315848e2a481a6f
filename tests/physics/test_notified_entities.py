"""Which colliders push each other, and which get events of an overlap: the guide's table, played."""

from __future__ import annotations

import re
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import ResponseName
from ecs_collide.components import BodyKind
from ecs_collide.systems import Broadphase, Narrowphase, Response
from tests.documents.pages import ROOT
from tests.support.events import EventLog
from tests.support.hooks import hook
from tests.support.worlds import DT, collider, esper_world, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

ROLES: dict[str, dict[str, Any]] = {"solid": {}, "sensor": {"sensor": True}, "detect": {"detect": True}}
SORTS = [(kind, role) for role in ROLES for kind in BodyKind]


def create_body_of_kind(kind: BodyKind, x: float = 0.0, **collider: Any) -> int:
    return esper.create_entity(
        ec.Transform(x, 0.0), ec.RigidBody(kind), ec.Collider(ec.Circle(0.5), density=1.0, **collider)
    )


def log_of() -> list[tuple[Any, ...]]:
    """The events so far, with the entities instead of the contact."""
    return [(name, *((args[0].entity_a, args[0].entity_b) if len(args) == 1 else args)) for name, args in LOG[-1].calls]


LOG: list[EventLog] = []


@pytest.fixture
def log() -> EventLog:
    LOG[:] = [EventLog()]
    return LOG[0]


def cell(first: tuple[BodyKind, str], second: tuple[BodyKind, str], response: ResponseName) -> str:
    """Return the events of the first entity when the second is put on top of it, and taken away again."""
    with esper_world():
        ec.install(response=response)
        log = EventLog()
        a = create_body_of_kind(first[0], 5.0, **ROLES[first[1]])
        b = create_body_of_kind(second[0], **ROLES[second[1]])
        run(2)
        transform(a).x = 0.9
        run()
        transform(a).x, transform(b).x = 5.0, 0.0
        run(2)
    names = [name for name, args in log.calls if len(args) == 1 or args[0] == a]
    assert names in ([], ["collision_start", "collision_end"], ["sensor_enter", "sensor_exit"]), log.calls
    if not names:
        return ""
    return "contact" if names[0] == "collision_start" else "overlap"


def notification_table(response: ResponseName) -> str:
    """The table of all kinds and roles, as the guide prints it."""
    heads = [f"{role} {kind.name.lower()}" for kind, role in SORTS]
    lines = ["| row reports column → | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for sort, head in zip(SORTS, heads, strict=True):
        lines.append(f"| **{head}** | " + " | ".join(cell(sort, other, response) for other in SORTS) + " |")
    return "\n".join(re.sub(" +", " ", line) for line in lines)


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_the_guide_s_table_of_events_is_true(response: ResponseName) -> None:
    assert notification_table(response) in re.sub(" +", " ", (ROOT / "docs" / "guide" / "events.md").read_text("utf-8"))


@pytest.mark.parametrize("kind", [BodyKind.STATIC, BodyKind.KINEMATIC])
@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_a_game_that_moves_everything_itself_gets_each_overlap_once(
    kind: BodyKind, response: ResponseName, log: EventLog
) -> None:
    ec.install(response=response)
    player, wall, gem = (
        create_body_of_kind(kind, -3.0, detect=True),
        create_body_of_kind(BodyKind.STATIC, 0.0),
        create_body_of_kind(kind, 3.0),
    )
    for step in range(120):
        transform(player).x = -3.0 + step / 10.0
        run()
    assert log_of() == [
        ("sensor_enter", player, wall),
        ("sensor_exit", player, wall),
        ("sensor_enter", player, gem),
        ("sensor_exit", player, gem),
    ]


def test_both_get_events_if_both_detect(log: EventLog) -> None:
    ec.install()
    a, b = (
        create_body_of_kind(BodyKind.KINEMATIC, 0.0, detect=True),
        create_body_of_kind(BodyKind.KINEMATIC, 0.5, detect=True),
    )
    run(3)
    esper.delete_entity(b)
    run()
    assert log_of() == [("sensor_enter", a, b), ("sensor_enter", b, a), ("sensor_exit", a, b), ("sensor_exit", b, a)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_static_colliders_that_are_made_in_one_place_overlap_whichever_came_first(
    order: tuple[int, int], log: EventLog
) -> None:
    ec.install()
    made = {}
    for which in order:
        made[which] = create_body_of_kind(BodyKind.STATIC, 0.3 * which, detect=which == 0)
        run()
    run(100)
    assert log_of() == [("sensor_enter", made[0], made[1])]
    transform(made[1]).x = 9.0
    run()
    assert log_of()[1:] == [("sensor_exit", made[0], made[1])]


def test_static_colliders_that_move_together_get_one_event(log: EventLog) -> None:
    ec.install()
    a, b = create_body_of_kind(BodyKind.STATIC, 0.0, detect=True), create_body_of_kind(BodyKind.STATIC, 5.0)
    half_plane = esper.create_entity(ec.Transform(0, -9), ec.Collider(ec.HalfPlane()))
    run()
    transform(a).x, transform(b).x = 20.0, 20.5
    run(2)
    transform(half_plane).y = 0.0
    run(2)
    assert log_of() == [("sensor_enter", a, b), ("sensor_enter", a, half_plane)]


def test_static_overlaps_go_on_through_the_sleep_of_others(log: EventLog) -> None:
    physics = ec.install(gravity=(0, -10))
    a, b = create_body_of_kind(BodyKind.STATIC, 20.0, detect=True), create_body_of_kind(BodyKind.STATIC, 20.5)
    floor = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(10, 1)))
    box = esper.create_entity(ec.Transform(0, 1), ec.Velocity(), ec.Collider(ec.Box(1, 1)))
    run(120)
    assert not physics.is_awake(box)
    transform(b).x = 25.0
    run()
    transform(b).x = 20.5
    run()
    assert [event for event in log_of() if floor not in event] == [
        ("sensor_enter", a, b),
        ("sensor_exit", a, b),
        ("sensor_enter", a, b),
    ]


GROUND, PLAYER, ENEMY = 1, 2, 4


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_an_enemy_stands_on_the_ground_and_notices_the_player(response: ResponseName, log: EventLog) -> None:
    ec.install(gravity=(0, -10), response=response)
    ground = esper.create_entity(ec.Transform(0, -1), ec.Collider(ec.Box(40, 1), layer=GROUND))
    enemy = create_body_of_kind(BodyKind.DYNAMIC, 0.0, layer=ENEMY, sensor_mask=PLAYER)
    player = create_body_of_kind(BodyKind.DYNAMIC, -3.0, layer=PLAYER)
    esper.add_component(player, ec.Velocity(3.0, 0.0))
    run(120)
    assert transform(player).x > 1.0, "it rolls through"
    assert abs(transform(enemy).x) < 0.05
    assert transform(enemy).y == pytest.approx(0.0, abs=0.02)
    assert log_of() == [
        ("collision_start", ground, enemy),
        ("collision_start", ground, player),
        ("sensor_enter", enemy, player),
        ("sensor_exit", enemy, player),
    ]


@pytest.mark.parametrize("asks", [True, False])
def test_a_fast_ball_crosses_an_enemy_that_is_a_sensor_to_it(asks: bool, log: EventLog) -> None:
    ec.install()
    enemy = create_body_of_kind(
        BodyKind.STATIC, 0.0, layer=ENEMY, sensor_mask=PLAYER if asks else 0, detect=not asks, sensor=not asks
    )
    ball = create_body_of_kind(BodyKind.DYNAMIC, -10.0, layer=PLAYER)
    esper.add_component(ball, ec.Velocity(1200.0, 0.0))
    run()
    assert transform(ball).x == pytest.approx(10.0)
    assert log_of() == [("sensor_enter", enemy, ball), ("sensor_exit", enemy, ball)]


@pytest.mark.parametrize("way", ["pair", "contact"])
def test_a_collider_that_detects_gets_events_of_contacts_that_a_hook_disables(way: str, log: EventLog) -> None:
    physics = ec.install()
    ghost, wall = create_body_of_kind(BodyKind.DYNAMIC, -2.0, detect=True), create_body_of_kind(BodyKind.STATIC)
    silent = create_body_of_kind(BodyKind.DYNAMIC, 2.0)
    for entity, speed in ((ghost, 2.0), (silent, -2.0)):
        esper.add_component(entity, ec.Velocity(speed))

    def let_through() -> None:
        if way == "pair":
            physics.pairs.disable(np.arange(len(physics.pairs)))
        else:
            physics.contacts.enabled[:] = False

    if way == "pair":
        hook(Broadphase, Narrowphase, let_through)
    else:
        hook(Narrowphase, Response, let_through)
    run(180)
    assert velocity(ghost).x == 2.0
    assert velocity(silent).x == -2.0
    assert log_of() == [
        ("sensor_enter", ghost, wall),
        ("sensor_enter", ghost, silent),
        ("sensor_exit", ghost, silent),
        ("sensor_exit", ghost, wall),
    ]


def test_an_overlap_that_becomes_solid_ends_before_the_contact_begins(log: EventLog) -> None:
    physics = ec.install()
    ball, wall = create_body_of_kind(BodyKind.DYNAMIC, 0.9, detect=True), create_body_of_kind(BodyKind.STATIC)
    off = [True]
    hook(Narrowphase, Response, lambda: physics.contacts.enabled.fill(not off))
    run(2)
    off.clear()
    run()
    assert log_of() == [("sensor_enter", ball, wall), ("sensor_exit", ball, wall), ("collision_start", ball, wall)]


def test_detection_may_change_at_any_time(log: EventLog) -> None:
    ec.install()
    a, b = create_body_of_kind(BodyKind.KINEMATIC), create_body_of_kind(BodyKind.KINEMATIC, 0.5)
    run()
    collider(a).detect = True
    run()
    collider(a).detect = False
    run()
    assert log_of() == [("sensor_enter", a, b), ("sensor_exit", a, b)]


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_a_collider_that_is_not_enabled_is_as_if_it_were_not_there(response: ResponseName, log: EventLog) -> None:
    physics = ec.install(response=response)
    wall, ball = create_body_of_kind(BodyKind.STATIC, 0.0), create_body_of_kind(BodyKind.DYNAMIC, 3.0)
    zone = create_body_of_kind(BodyKind.STATIC, 0.0, sensor=True, enabled=False)
    esper.add_component(ball, ec.Velocity(-3.0))
    collider(wall).enabled = False
    mass = physics.mass_of(ball)
    run(60)
    assert transform(ball).x == pytest.approx(0.0)
    assert log_of() == []
    assert physics.point_query((0.0, 0.0), sensors=True) == [ball]
    collider(ball).enabled = False
    assert physics.mass_of(ball) == mass
    collider(ball).enabled = collider(zone).enabled = True
    run()
    assert log_of() == [("sensor_enter", zone, ball)]
    collider(zone).enabled = False
    run()
    assert log_of()[1:] == [("sensor_exit", zone, ball)]
    assert transform(ball).x == pytest.approx(-2 * 3.0 * DT)


def test_two_that_both_detect_overlap_in_the_edges_of_an_outline() -> None:
    """Their mark was that of a pair without points of its own, which has another one to follow: for ever."""
    with esper_world():
        ec.install()
        log = EventLog()
        step = ec.Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)])
        esper.create_entity(ec.Transform(), ec.Collider(step, detect=True))
        esper.create_entity(ec.Transform(0.5, 0.5), ec.RigidBody(BodyKind.KINEMATIC), ec.Collider(step, detect=True))
        run(2)
    assert [name for name, _ in log.calls] == ["sensor_enter"] * 2
