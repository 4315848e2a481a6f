"""Queries and calls name the entity of the collider; pushes act on its body."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, floor, game, kinematic, static


class WingedShip:
    """A ship with a solid wing and a sensor around it."""

    def __init__(self, play: Game) -> None:
        self.play = play
        self.physics = play.physics
        self.hull = dynamic(ec.Box(2, 1), layer=1)
        self.wing = esper.create_entity(ec.AttachedTo(self.hull, 0, 2), ec.Collider(ec.Box(1, 2), layer=2))
        self.radar = esper.create_entity(
            ec.AttachedTo(self.hull, 3, 0), ec.Collider(ec.Circle(1), sensor=True, layer=4)
        )
        play.step()


@pytest.fixture
def winged() -> Iterator[WingedShip]:
    with game() as play:
        yield WingedShip(play)


def test_rays_name_the_collider_that_they_hit(winged: WingedShip) -> None:
    hit = winged.physics.ray_cast((-5, 2), (5, 2))
    assert hit is not None and hit.entity == winged.wing and hit.point == pytest.approx((-0.5, 2))
    assert [hit.entity for hit in winged.physics.ray_cast_all((0, 5), (0, -5))] == [winged.wing, winged.hull]
    through = winged.physics.ray_cast_all((-5, 0), (9, 0), sensors=True)
    assert [hit.entity for hit in through] == [winged.hull, winged.radar]
    assert winged.physics.ray_cast((-5, 2), (5, 2), ignore=[winged.wing]) is None
    assert winged.physics.ray_cast((0, 5), (0, -5), mask=1).entity == winged.hull  # type: ignore[union-attr]


def test_overlaps_and_nearest_name_the_collider(winged: WingedShip) -> None:
    assert winged.physics.point_query((0, 2.5)) == [winged.wing]
    assert winged.physics.point_query((3, 0.5), sensors=True) == [winged.radar]
    assert winged.physics.aabb_query((-9, -9, 9, 9), sensors=True) == sorted([winged.hull, winged.wing, winged.radar])
    assert winged.physics.shape_query(ec.Circle(0.5), (0, 3.2, 0)) == [winged.wing]
    near = winged.physics.nearest((0, 5), 3, sensors=True)
    assert [each.entity for each in near] == [winged.wing, winged.hull, winged.radar]
    cast = winged.physics.shape_cast(ec.Circle(0.25), (0, 6, 0), (0, -6, 0))
    assert cast is not None and cast.entity == winged.wing


def test_queries_find_parts_of_a_body_that_was_moved_since_the_step(winged: WingedShip) -> None:
    esper.component_for_entity(winged.hull, ec.Transform).x = 100.0
    assert winged.physics.point_query((100, 2.5)) == [winged.wing]
    assert winged.physics.point_query((0, 2.5)) == []


def test_places_of_parts_follow_a_body_that_was_moved_since_the_step(winged: WingedShip) -> None:
    place, physics, wing = esper.component_for_entity(winged.hull, ec.Transform), winged.physics, winged.wing
    place.position, place.angle = (100.0, 0.0), math.pi / 2
    assert physics.to_world(wing, (0, 1)) == pytest.approx((97, 0))
    assert physics.to_local(wing, (97, 0)) == pytest.approx((0, 1))
    assert physics.aabb_of(wing) == pytest.approx((97, -0.5, 99, 0.5))
    (out,) = physics.ray_cast_all((98, 0), (90, 0), inside="exit")
    assert out.entity == wing and out.point == pytest.approx((97, 0))
    guest = kinematic(ec.Circle(0.1), (97.5, 0))
    assert not physics.fits(guest) and physics.fits(guest, position=(0, 2.5))
    assert physics.fits(wing, position=(0, 2)) and not physics.fits(guest, position=(97.05, 0.45))


def test_a_blast_pushes_a_part_by_its_present_width(winged: WingedShip) -> None:
    place, physics = esper.component_for_entity(winged.hull, ec.Transform), winged.physics
    place.position, place.angle = (100.0, 0.0), math.pi / 2
    assert physics.explode((90, 0), 20, 1.0, mask=2) == [winged.wing]
    assert physics.momentum()[0] == pytest.approx(1.0)


def test_parts_of_a_body_that_was_deleted_since_the_step_are_neither_found_nor_touched(winged: WingedShip) -> None:
    wall = static(ec.Box(1, 1), (0, 3.4))
    winged.play.step()
    assert winged.physics.touching(winged.wing, wall)
    esper.delete_entity(winged.hull)
    assert winged.physics.point_query((0, 2.5)) == []
    assert winged.physics.ray_cast((-5, 2), (5, 2), sensors=True) is None
    assert not winged.physics.touching(winged.wing, wall)
    assert winged.physics.colliding(wall) == []


def test_pushes_on_a_part_push_its_body(winged: WingedShip) -> None:
    winged.physics.apply_impulse(winged.wing, (3, 0), (0, 2))
    winged.play.step()
    x, _, spin = winged.play.velocity(winged.hull)
    assert x == pytest.approx(3 / winged.physics.mass_of(winged.hull))
    assert spin < 0
    assert winged.physics.velocity_at(winged.wing, (0, 2)) == winged.physics.velocity_at(winged.hull, (0, 2))
    assert winged.physics.mass_of(winged.wing) == winged.physics.mass_of(winged.hull) == pytest.approx(4)
    assert winged.physics.center_of_mass_of(winged.radar) == winged.physics.center_of_mass_of(winged.hull)


def test_explosions_push_a_body_by_each_of_its_solid_parts(winged: WingedShip) -> None:
    pushed = winged.physics.explode((0, 6), 10, 1)
    assert pushed == [winged.wing, winged.hull]
    assert winged.play.velocity(winged.hull)[1] == pytest.approx(-(1 + 2) / 4, rel=0.2)


def test_contacts_of_and_touching_are_those_of_each_collider() -> None:
    with game(gravity=(0, -10)) as play:
        left, right = (static(ec.Box(1, 1), (x, -0.5)) for x in (-1.5, 1.5))
        bridge = dynamic(ec.Box(1.5, 0.2), (-1.2, 0.1))
        end = esper.create_entity(ec.AttachedTo(bridge, 2.4, 0), ec.Collider(ec.Box(1.5, 0.2)))
        play.step(20)
        assert play.physics.touching(bridge, left) and play.physics.touching(end, right)
        assert not play.physics.touching(bridge, right) and not play.physics.touching(end, left)
        (contact,) = play.physics.contacts_of(end)
        assert {contact.entity_a, contact.entity_b} == {right, end}
        assert {contact.body_a, contact.body_b} == {right, bridge}
        view = play.physics.contacts
        assert set(view.body_a) | set(view.body_b) == {left, right, bridge}
        assert set(view.entity_a) | set(view.entity_b) == {left, right, bridge, end}


def test_ground_of_a_body_is_the_part_that_it_stands_on() -> None:
    with game(gravity=(0, -10)) as play:
        lift = esper.create_entity(
            ec.Transform(0, -3), ec.Velocity(0.5), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.2, 0.2))
        )
        deck = esper.create_entity(ec.AttachedTo(lift, 0, 3), ec.Collider(ec.Box(9, 0.2), friction=1))
        box = dynamic(ec.Box(1, 1), (0, 0.6), friction=1)
        play.step(60)
        ground = play.physics.ground_of(box)
        assert ground is not None and ground.entity == deck
        assert ground.velocity == pytest.approx((0.5, 0))
        assert play.velocity(box)[0] == pytest.approx(0.5, abs=0.01)


def test_characters_stand_on_parts_and_their_results_name_the_body() -> None:
    with game(gravity=(0, -10)) as play:
        rock = static(ec.Box(1, 1), (0, -3))
        ledge = esper.create_entity(ec.AttachedTo(rock, 0, 3), ec.Collider(ec.Box(9, 0.2)))
        gate = esper.create_entity(ec.AttachedTo(rock, 3, 4), ec.Collider(ec.Box(0.2, 2), mask=8))
        hero = esper.create_entity(
            ec.Transform(0, 1), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.5, 1), layer=1)
        )
        play.step()
        for _ in range(60):
            slide = play.physics.move_and_slide(hero, (4, -5), DT)
            play.step()
        assert slide.on_floor and slide.floor == rock
        assert play.pose(hero)[1] == pytest.approx(0.6, abs=0.02)
        assert play.pose(hero)[0] > 3.5, "the mask of the gate lets the hero through"
        assert play.physics.colliding(ledge) == [] and play.physics.colliding(gate) == []


def test_a_character_carries_a_sensor_and_a_shield_that_does_not_stop_it() -> None:
    with game(gravity=(0, -10)) as play:
        floor()
        hero = esper.create_entity(
            ec.Transform(0, 0.5), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.5, 1))
        )
        esper.create_entity(ec.AttachedTo(hero, 0.5, 0), ec.Collider(ec.Box(0.2, 1)))
        reach = esper.create_entity(ec.AttachedTo(hero, 1, 0), ec.Collider(ec.Circle(1), sensor=True))
        enemy = static(ec.Box(0.5, 1), (5, 0.5))
        play.step()
        seen = []
        for _ in range(100):
            slide = play.physics.move_and_slide(hero, (3, -1), DT)
            play.step()
            seen.append(enemy in play.physics.colliding(reach))
        assert slide.on_wall and play.pose(hero)[0] == pytest.approx(4.5, abs=0.02)
        first = seen.index(True)
        assert all(seen[first:]) and 50 < first < 60, "the sensor reaches the enemy 2.75 m from the start"


def test_a_body_fits_where_only_its_own_parts_are(winged: WingedShip) -> None:
    assert winged.physics.fits(winged.hull, ec.Box(2, 4))
    static(ec.Box(1, 1), (0, -2))
    assert not winged.physics.fits(winged.hull, ec.Box(2, 4))
