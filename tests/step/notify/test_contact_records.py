"""The contacts of events and of `contacts_of` are those of the arrays, with the smaller entity as A."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, fields

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.native import make_contacts
from ecs_collide.step.notify.contact import contacts_from
from ecs_collide.step.notify.contact_records import RECORD, RECORD_NUMBERS
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.handlers import ContactEvent
from tests.support.worlds import Game, dynamic, game, static


def reference(contacts: ContactView, row: int) -> ec.Contact:
    """Return the contact in a row, read number by number from the arrays."""
    a, b = contacts.entity_a.item(row), contacts.entity_b.item(row)
    sides = [
        (a, contacts.body_a.item(row), contacts.part_a.item(row)),
        (b, contacts.body_b.item(row), contacts.part_b.item(row)),
    ]
    (a, body_a, part_a), (b, body_b, part_b) = sorted(sides)
    sign = 1.0 if contacts.entity_a[row] == a else -1.0
    count = contacts.point_count.item(row)
    x, y = (sign * contacts.normal[row]).tolist()
    return ec.Contact(
        entity_a=a,
        entity_b=b,
        normal=(x, y),
        points=tuple((px, py) for px, py in contacts.point[row, :count].tolist()),
        separations=tuple(contacts.separation[row, :count].tolist()),
        normal_impulse=sum(contacts.normal_impulse[row, :count].tolist()),
        friction_impulse=sum(contacts.tangent_impulse[row, :count].tolist()),
        approach_speed=max(0.0, *contacts.approach_speed[row, :count].tolist()),
        body_a=body_a,
        body_b=body_b,
        part_a=part_a,
        part_b=part_b,
    )


def row_of(contacts: ContactView, contact: ec.Contact) -> int:
    """Return the only row of the two entities of a contact."""
    entities = np.sort(np.column_stack((contacts.entity_a, contacts.entity_b)), axis=1)
    (row,) = np.flatnonzero((entities == (contact.entity_a, contact.entity_b)).all(axis=1)).tolist()
    assert isinstance(row, int)
    return row


def mixed_scene() -> list[int]:
    """Create a floor, two walls and different bodies that fall, some before the floor and some after it."""
    chain = ec.Chain([(-9.0, 6.0), (-6.0, 0.0), (6.0, 0.0), (9.0, 6.0)])
    shapes: list[ec.Shape] = [ec.Circle(0.4), ec.Box(0.8, 0.6), ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.3)]
    entities = [dynamic(shapes[k % 3], (1.1 * k - 4.0, 1.0 + 0.3 * (k % 4)), (0.0, -4.0)) for k in range(8)]
    entities.append(static(chain))
    entities += [dynamic(shapes[k % 3], (1.1 * k - 4.0, 2.5 + 0.3 * (k % 4)), (3.0, -4.0)) for k in range(8)]
    part = ec.AttachedTo(entities[0], 0.0, 0.5)
    entities.append(esper.create_entity(part, ec.Collider(ec.Circle(0.2))))
    return entities


def check_events(play: Game, name: ContactEvent) -> int:
    """Compare the contacts of an event with the arrays for 60 steps; return their number."""
    seen: list[ec.Contact] = []

    def compare(contact: ec.Contact) -> None:
        contacts = play.physics.contacts
        row = row_of(contacts, contact)
        assert contact == reference(contacts, row) == contacts.snapshot(row)
        assert [type(value) for value in astuple(contact)] == [
            type(value) for value in astuple(reference(contacts, row))
        ]
        seen.append(contact)

    ec.on(name, compare)
    play.step(60)
    return len(seen)


@pytest.mark.parametrize("name", ["collision_start", "collision_hit"])
def test_events_have_the_contacts_of_the_arrays(name: ContactEvent) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        mixed_scene()
        assert check_events(play, name) > 20


@pytest.mark.parametrize("name", ["collision_start", "collision_hit"])
def test_so_have_events_of_the_exact_response(name: ContactEvent) -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        static(ec.Box(10.0, 1.0), (0.0, -0.5))
        for k in range(6):
            dynamic(ec.Circle(0.4), (1.0 * k - 3.0, 1.0 + 0.2 * k), (0.0, -3.0), restitution=0.5)
        assert check_events(play, name) >= 6


def test_contacts_of_lists_the_touching_rows_of_an_entity_in_order() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        entities = mixed_scene()
        for _ in range(90):
            play.step()
            contacts = play.physics.contacts
            every = [reference(contacts, row) for row in range(len(contacts))]
            for entity in entities:
                touched = play.physics.colliding(entity)
                of_entity = [each for each in every if entity in (each.entity_a, each.entity_b)]
                expected = [each for each in of_entity if each.other(entity) in touched]
                assert play.physics.contacts_of(entity) == expected


def test_stored_contacts_are_those_of_the_step_in_which_bodies_fell_asleep() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        entities = [static(ec.Box(20.0, 1.0)), *(dynamic(ec.Box(1.0, 1.0), (0.0, 1.0 + k)) for k in range(3))]
        before: dict[int, list[ec.Contact]] = {}
        while play.physics.is_awake(entities[-1]):
            before = {entity: play.physics.contacts_of(entity) for entity in entities}
            play.step()
            assert play.physics.statistics.steps < 300
        for entity in entities:
            found = play.physics.contacts_of(entity)
            assert [each.other(entity) for each in found] == [each.other(entity) for each in before[entity]]
            assert all(each.normal_impulse > 0.0 for each in found)


@pytest.mark.parametrize("first", [True, False])
def test_the_points_of_a_seam_have_a_normal_from_the_named_tile(first: bool) -> None:
    """A box on two tiles: both pairs may share a contact row, and the box is A in one pair and B in the other."""
    with game(gravity=(0.0, -10.0)) as play:
        tiles = [static(ec.Box(1.0, 1.0), (float(k), 0.0)) for k in range(3)]
        box = dynamic(ec.Box(2.2, 1.0), (1.0, 1.0))
        tiles += [static(ec.Box(1.0, 1.0), (float(k), 0.0)) for k in range(3, 6)]
        play.step(10)
        touched = [(tile, each) for tile in tiles for each in play.physics.contacts_of(tile)]
        assert len({tile for tile, _ in touched}) >= 2
        for tile, each in touched:
            assert each.normal[1] == pytest.approx(1.0 if each.entity_a == tile else -1.0)
            assert each.other(tile) == box


def a_record() -> tuple[np.ndarray, np.ndarray]:
    """Return a record of a contact with one point."""
    records, numbers = np.zeros((1, RECORD.WIDTH), np.int64), np.zeros((1, RECORD_NUMBERS.WIDTH))
    records[0, [RECORD.ENTITY_A, RECORD.ENTITY_B, RECORD.POINT_COUNT]] = 3, 2**40, 1
    numbers[0] = np.arange(RECORD_NUMBERS.WIDTH)
    return records, numbers


def test_a_record_becomes_a_contact() -> None:
    (made,) = contacts_from(*a_record())
    expected = ec.Contact(3, 2**40, (0.0, 1.0), ((2.0, 3.0),), (6.0,), 8.0, 9.0, 10.0)
    assert [getattr(made, field.name) for field in fields(made)][:8] == [
        getattr(expected, field.name) for field in fields(expected)
    ][:8]
    assert (made.body_a, made.body_b, made.part_a, made.part_b) == (0, 0, 0, 0)


def spoil_count(records: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a record with three points."""
    records[0, RECORD.POINT_COUNT] = 3
    return records, numbers


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (spoil_count, "a contact of 3 points"),
        (lambda records, numbers: (records[:, :-1].copy(), numbers), "rows of 7 integers and of 11 numbers"),
        (lambda records, numbers: (records, numbers[:0]), "rows of 7 integers and of 11 numbers"),
    ],
)
def test_a_wrong_record_is_refused(
    spoil: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]], error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        contacts_from(*spoil(*a_record()))


@pytest.mark.parametrize("members", [(), (1,) * 12, (vars(ec.Contact)["normal"],) * 11])
def test_members_that_are_no_slots_are_refused(members: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="12 slots of a class"):
        make_contacts(ec.Contact, members, *a_record())
