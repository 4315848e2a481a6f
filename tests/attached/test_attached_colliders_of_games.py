"""Attached colliders as games use them: feet of a player, shield of a ship, hit box of a sword, a deck, a roof."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, floor, game, static

DT = 1 / 60


@pytest.fixture(name="play")
def game_under_gravity() -> Iterator[Game]:
    with game(gravity=(0, -10)) as world:
        yield world


def attach(body: int, shape: ec.Shape, x: float = 0.0, y: float = 0.0, angle: float = 0.0, **collider: object) -> int:
    """Create an entity whose collider is attached to a body."""
    return esper.create_entity(ec.AttachedTo(body, x, y, angle), ec.Collider(shape, **collider))  # type: ignore[arg-type]


def player_with_feet(x: float = 0.0, y: float = 1.0) -> tuple[int, int]:
    """Create a player with a sensor at its feet; return both entities."""
    body = dynamic(ec.Box(0.6, 1), (x, y), (0, 0), ec.RigidBody(lock_rotation=True))
    return body, attach(body, ec.Box(0.5, 0.1), 0, -0.5, sensor=True)


def test_feet_tell_whether_a_player_stands_and_do_not_change_how_it_moves(play: Game) -> None:
    floor()
    body, feet = player_with_feet(y=3)
    plain = dynamic(ec.Box(0.6, 1), (5, 3), (0, 0), ec.RigidBody(lock_rotation=True))
    on_ground = []
    for _ in range(90):
        play.step()
        on_ground.append(bool(play.physics.colliding(feet)))
        assert play.pose(body)[1] == play.pose(plain)[1]
        assert play.velocity(body) == play.velocity(plain)
    assert play.physics.mass_of(body) == play.physics.mass_of(plain)
    first = on_ground.index(True)
    assert 30 < first < 60
    assert all(on_ground[first:]), "feet of a player that stands never leave the ground"
    enters = [(sensor, other) for name, sensor, other in play.named_pairs() if name == "sensor_enter"]
    assert len(enters) == 1 and enters[0][0] == feet


def test_feet_do_not_detect_their_own_player(play: Game) -> None:
    body, feet = player_with_feet()
    esper.component_for_entity(feet, ec.Collider).detect = True
    play.step(5)
    assert play.physics.colliding(feet) == []
    assert not play.physics.touching(body, feet)


def test_jumping_off_and_landing_again_give_one_exit_and_one_enter(play: Game) -> None:
    ground = floor()
    body, feet = player_with_feet(y=0.5)
    play.step(10)
    esper.component_for_entity(body, ec.Velocity).y = 4.0
    play.step(90)
    its = [(name, a, b) for name, a, b in play.named_pairs() if name.startswith("sensor")]
    assert its == [("sensor_enter", feet, ground), ("sensor_exit", feet, ground), ("sensor_enter", feet, ground)]


def test_colliding_entities_of_a_part_are_its_own(play: Game) -> None:
    ground = floor()
    body, feet = player_with_feet(y=0.5)
    for entity in (body, feet, ground):
        esper.add_component(entity, ec.CollidingEntities())
    play.step(5)
    touched = {each: esper.component_for_entity(each, ec.CollidingEntities).entities for each in (body, feet, ground)}
    assert touched == {body: (ground,), feet: (ground,), ground: (body, feet)}


SHIP, SHOT, SHIELD = 1, 2, 4


def ship_with_shield() -> tuple[int, int]:
    """Create a ship that shots pass and a shield in front of it that reflects them; return both entities."""
    ship = dynamic(ec.Box(1, 1), layer=SHIP, mask=SHIP)
    return ship, attach(ship, ec.Box(0.2, 2), 1, 0, layer=SHIELD, mask=SHOT, restitution=1.0, friction=0.0)


def test_a_shield_has_a_filter_and_a_material_of_its_own() -> None:
    with game() as play:
        ship, shield = ship_with_shield()
        shot = dynamic(ec.Circle(0.1), (4, 0), (-10, 0), layer=SHOT, mask=SHIELD, friction=0.0)
        behind = dynamic(ec.Circle(0.1), (-4, 0.2), (10, 0), layer=SHOT, mask=SHIELD)
        play.step(60)
        starts = play.contacts("collision_start")
        first = next(contact for contact in starts if shot in (contact.entity_a, contact.entity_b))
        assert (first.entity_a, first.entity_b) == (shield, shot)
        assert (first.body_a, first.body_b) == (ship, shot)
        assert first.normal == pytest.approx((1, 0))
        assert play.velocity(shot)[0] > 5, "a shield with restitution 1 throws the shot back"
        assert all(ship not in (contact.entity_a, contact.entity_b) for contact in starts), "shots pass the ship itself"
        hit_from_behind = [contact for contact in starts if behind in (contact.entity_a, contact.entity_b)]
        assert hit_from_behind and hit_from_behind[0].normal[0] == pytest.approx(-1)


def test_a_hit_on_a_shield_pushes_the_ship_and_keeps_the_momentum() -> None:
    with game() as play:
        ship, shield = ship_with_shield()
        shot = dynamic(ec.Circle(0.3), (4, 0.5), (-8, 0), layer=SHOT, mask=SHIELD)
        before = play.physics.momentum(), play.physics.angular_momentum()
        play.step(60)
        assert play.velocity(ship)[0] < -0.1 and play.velocity(ship)[2] != 0
        assert play.physics.momentum() == pytest.approx(before[0], abs=1e-9)
        assert play.physics.angular_momentum() == pytest.approx(before[1], abs=1e-6)
        assert play.physics.momentum(shield) == play.physics.momentum(ship), "an attached collider stands for its body"
        assert play.velocity(shot)[0] > 0


def test_a_shield_that_breaks_ends_its_contacts_and_the_ship_goes_on(play: Game) -> None:
    ground = floor()
    ship = dynamic(ec.Box(1, 1), (0, 0.7))
    shield = attach(ship, ec.Box(1, 0.2), 0, -0.6)
    play.step(30)
    assert play.physics.colliding(shield) == [ground] and play.physics.colliding(ship) == []
    esper.delete_entity(shield)
    play.step(60)
    pairs = [each for each in play.named_pairs() if each[0].startswith("collision_") and each[0] != "collision_hit"]
    assert pairs == [
        ("collision_start", ground, shield),
        ("collision_end", ground, shield),
        ("collision_start", ground, ship),
    ]
    ended = play.contacts("collision_end")[0]
    assert (ended.body_a, ended.body_b) == (ground, ship)
    assert play.physics.mass_of(ship) == pytest.approx(1.0)
    assert play.pose(ship)[1] == pytest.approx(0.5, abs=0.01)


def test_a_deleted_body_takes_its_parts_out_of_the_world_until_they_get_another(play: Game) -> None:
    ground = floor()
    ship = dynamic(ec.Box(1, 1), (0, 0.5))
    shield = attach(ship, ec.Box(0.2, 1), 1, 0)
    alarm = attach(ship, ec.Circle(2), sensor=True)
    play.step(10)
    assert play.physics.touching(shield, ground) and play.physics.touching(alarm, ground)
    esper.delete_entity(ship)
    play.step(3)
    ends = sorted(each for each in play.named_pairs() if each[0] in ("collision_end", "sensor_exit"))
    assert ends == [("collision_end", ground, ship), ("collision_end", ground, shield), ("sensor_exit", alarm, ground)]
    assert {each.body_b for each in play.contacts("collision_end")} == {ship}
    assert play.physics.point_query((1, 0.5)) == []
    with pytest.raises(ec.PhysicsError, match=f"entity {shield} has no body: entity {ship}, to which it is attached"):
        play.physics.mass_of(shield)
    other = dynamic(ec.Box(1, 1), (5, 0.5))
    esper.component_for_entity(shield, ec.AttachedTo).body = other
    play.step(2)
    assert play.physics.point_query((6, 0.5)) == [shield]
    assert play.physics.touching(shield, ground)


def test_a_sword_hits_each_enemy_once_while_it_swings() -> None:
    with game() as play:
        knight = dynamic(ec.Circle(0.5))
        sword = attach(knight, ec.Box(2, 0.1), 1.5, 0, sensor=True)
        enemies = [static(ec.Circle(0.2), (2 * math.cos(a), 2 * math.sin(a))) for a in (0.4, 0.8, 1.2)]
        far = static(ec.Circle(0.2), (-2, 0))
        blade = esper.component_for_entity(sword, ec.AttachedTo)
        for k in range(60):
            turn = 1.5 * k / 60
            blade.x, blade.y, blade.angle = 1.5 * math.cos(turn), 1.5 * math.sin(turn), turn
            play.step()
        events = [(name, b) for name, a, b in play.named_pairs() if name.startswith("sensor") and a == sword]
        assert [b for name, b in events if name == "sensor_enter"] == enemies
        assert [b for name, b in events if name == "sensor_exit"] == enemies
        assert far not in [b for _, b in events]


def test_a_sword_that_rests_on_an_enemy_goes_on_hitting_it_while_it_is_moved() -> None:
    with game() as play:
        knight = dynamic(ec.Circle(0.5))
        sword = attach(knight, ec.Box(2, 0.5), 1.5, 0, sensor=True)
        enemy = static(ec.Circle(0.5), (2, 0))
        for k in range(20):
            esper.component_for_entity(sword, ec.AttachedTo).y = 0.01 * k
            play.step()
        its = [each for each in play.named_pairs() if each[0].startswith("sensor")]
        assert its == [("sensor_enter", sword, enemy)]


def test_a_sword_sees_what_a_turning_knight_passes_in_one_step() -> None:
    with game() as play:
        knight = dynamic(ec.Circle(0.5), (0, 0), (120, 0))
        attach(knight, ec.Box(0.2, 4), 0, 0, sensor=True)
        pole = static(ec.Box(0.1, 0.1), (1, 1.5))
        play.step(2)
        names = [each[0] for each in play.named_pairs() if pole in each]
        assert names == ["sensor_enter", "sensor_exit"]


def test_the_transform_of_a_part_follows_its_body(play: Game) -> None:
    floor()
    box = dynamic(ec.Box(1, 1), (0, 2), angle=0.5, angular=3.0)
    hat = attach(box, ec.Circle(0.2), 0, 0.7, 0.25, sensor=True)
    esper.add_component(hat, ec.Transform())
    play.step(1)
    for _ in range(60):
        play.step()
        x, y, angle = play.pose(box)
        place = x - 0.7 * math.sin(angle), y + 0.7 * math.cos(angle), angle + 0.25
        assert play.pose(hat) == pytest.approx(place, abs=1e-12)
        assert play.physics.to_world(hat, (0, 0)) == pytest.approx(place[:2], abs=1e-12)


def test_a_part_that_is_attached_elsewhere_is_there(play: Game) -> None:
    box = dynamic(ec.Box(1, 1), (0, 2))
    hat = attach(box, ec.Circle(0.2), 0, 0.7, sensor=True)
    esper.add_component(hat, ec.Transform())
    play.step()
    esper.add_component(hat, ec.AttachedTo(box, 0.3, -0.7))
    for _ in range(2):
        play.step()
        x, y, _ = play.pose(box)
        assert play.pose(hat) == pytest.approx((x + 0.3, y - 0.7, 0.0), abs=1e-9)


def test_a_part_of_a_sleeping_body_wakes_it_when_it_is_hit(play: Game) -> None:
    ground = floor()
    body = dynamic(ec.Box(1, 1), (0, 0.5))
    wing = attach(body, ec.Box(1, 0.2), 1, 0)
    play.step(120)
    assert not play.physics.is_awake(body) and not play.physics.is_awake(wing)
    assert play.physics.touching(body, ground)
    ball = dynamic(ec.Circle(0.2), (1.2, 3))
    play.step(60)
    assert play.physics.is_awake(wing) and play.physics.touching(wing, ball)
    assert play.contacts("collision_start")[-1].body_a == body


@pytest.mark.parametrize(("name", "value"), [("shape", ec.Box(2, 0.2)), ("friction", 0.1), ("density", 3.0)])
def test_writing_the_collider_of_a_part_wakes_its_body(play: Game, name: str, value: object) -> None:
    floor()
    body = dynamic(ec.Box(1, 1), (0, 0.5))
    wing = attach(body, ec.Box(1, 0.2), 1, 0)
    play.step(120)
    assert not play.physics.is_awake(body)
    setattr(esper.component_for_entity(wing, ec.Collider), name, value)
    play.step()
    assert play.physics.is_awake(body)


def test_what_rests_on_a_part_of_a_static_body_wakes_when_that_becomes_slippery(play: Game) -> None:
    rock = static(ec.Box(1, 1), (0, -3))
    slope = attach(rock, ec.Box(9, 0.2), 0, 3, 0.3)
    box = dynamic(ec.Box(1, 1), (0, 0.8), angle=0.3)
    play.step(120)
    assert not play.physics.is_awake(box)
    esper.component_for_entity(slope, ec.Collider).friction = 0.0
    play.step(30)
    assert play.physics.is_awake(box) and play.velocity(box)[0] < -0.5


def test_a_part_of_a_fast_body_stops_at_a_wall_and_a_bullet_at_a_part() -> None:
    with game() as play:
        ship = dynamic(ec.Circle(0.2), (0, 0), (300, 0))
        spear = attach(ship, ec.Box(3, 0.1), 1.7, 0)
        wall = static(ec.Box(0.1, 4), (20, 0))
        play.step(30)
        assert play.physics.to_world(spear, (1.5, 0))[0] < 20.1
        shot = dynamic(ec.Circle(0.05), (18, 10), (0, -2000), ec.RigidBody(bullet=True))
        play.step(2)
        pairs = [each[1:] for each in play.named_pairs() if each[0] == "collision_start"]
        assert pairs == [(spear, wall), (spear, shot)]


def test_a_one_way_part_lets_through_from_below_and_bears_from_above(play: Game) -> None:
    lift = esper.create_entity(
        ec.Transform(0, 2), ec.Velocity(), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.2, 0.2))
    )
    roof = attach(lift, ec.Box(4, 0.2), 0, 1, math.pi, one_way=(0, -1))
    ball = dynamic(ec.Circle(0.2), (1.5, 1), (0, 10))
    play.step(120)
    assert play.pose(ball)[1] == pytest.approx(3.3, abs=0.02)
    assert play.physics.colliding(roof) == [ball]
    play.physics.drop_through(ball)
    play.step(30)
    assert play.pose(ball)[1] < 2.8


def test_a_conveyor_as_a_part_carries_what_lies_on_it(play: Game) -> None:
    machine = static(ec.Box(1, 1), (0, -3))
    attach(machine, ec.Box(20, 0.2), 0, 3, friction=1.0, surface_speed=2.0)
    box = dynamic(ec.Box(0.5, 0.5), (0, 0.4), friction=1.0)
    play.step(120)
    assert play.velocity(box)[0] == pytest.approx(2.0, abs=0.02)
