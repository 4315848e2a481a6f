"""Points that several pieces give are one: welded, joined, in an order that no insertion decides, and warm started."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.contacts import contact_arrays
from ecs_collide.data.pairs import NO_CONTACT, PAIR
from ecs_collide.step.narrowphase.weld_contacts import move_row
from ecs_collide.step.narrowphase.weld_memory import WeldColumns
from tests.support.worlds import Game, dynamic, game, static

# Flush tops, and one inward corner below, so that each is cut into pieces.
FLOOR = ec.Bitmap([[1, 0, 1, 0, 1, 0, 1, 0], [1, 1, 1, 1, 1, 1, 1, 1]], 1.0)
LEGGED = ec.Polygon([(-0.5, -1.0), (-0.2, -1.0), (0.0, -0.5), (0.2, -1.0), (0.5, -1.0), (0.5, 0.0), (-0.5, 0.0)])


TOOTH = ec.Polygon([(-0.4, -1.0), (0.0, -0.5), (0.4, -1.0), (0.0, 0.0)])


def rows(play: Game) -> list[tuple[int, tuple[float, float], tuple[float, ...]]]:
    """Point count, normal and places along x of each contact."""
    contacts = play.physics.contacts
    return [
        (
            int(contacts.point_count[k]),
            tuple(contacts.normal[k].tolist()),
            tuple(sorted(contacts.point[k, : contacts.point_count[k], 0].tolist())),
        )
        for k in range(len(contacts))
    ]


@pytest.mark.parametrize("x", [2.5, 3.0, 3.2, 3.49, 3.5, 4.0])
@pytest.mark.parametrize("width", [0.6, 1.0, 2.4])
def test_a_box_on_many_pieces_has_the_two_points_of_one_floor(x: float, width: float) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(FLOOR, (0.0, -2.0))
        box = dynamic(ec.Box(width, 0.5), (x, 0.25))
        for _ in range(40):
            play.step()
            found = rows(play)
            assert sum(count for count, *_ in found) == 2
            assert sorted(place for *_, places in found for place in places) == pytest.approx(
                [x - 0.5 * width, x + 0.5 * width], abs=1e-6
            )
        assert [count for count, *_ in found] == [2], "joined"
        weight = 10.0 * width * 0.5 / 60.0
        assert play.physics.contacts.normal_impulse[0].tolist() == pytest.approx([0.5 * weight] * 2, rel=1e-3)
        assert play.pose(box)[0] == pytest.approx(x, abs=1e-9)


def slide(order: list[int]) -> tuple[bytes, np.ndarray]:
    """A box that tumbles over separate tiles, made in this order; its track to the bit."""
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        entities = [esper.create_entity() for _ in order]
        for k in order:
            for part in (ec.Transform(float(k), 0.0), ec.Collider(LEGGED, friction=0.3)):
                esper.add_component(entities[k], part)
        box = dynamic(ec.Box(0.8, 0.5), (1.0, 0.6), (2.0, 0.0), angle=0.3, angular=-1.0, friction=0.3)
        track = []
        for _ in range(120):
            play.step()
            track.append((*play.pose(box), *play.velocity(box)))
        return np.array(track).tobytes(), np.array(track)


def test_the_order_of_insertion_changes_no_bit() -> None:
    random = np.random.default_rng(1)
    first, track = slide(list(range(8)))
    assert abs(track[-1, 0] - 1.0) > 0.5
    for _ in range(4):
        again, other = slide(random.permutation(8).tolist())
        np.testing.assert_array_equal(other, track)
        assert again == first


def test_impulses_are_kept_from_piece_to_piece() -> None:
    """A box slides over seams: the sum of the normal impulses stays its weight in each step."""
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(FLOOR, (0.0, -2.0), friction=0.0)
        box = dynamic(ec.Box(0.6, 0.5), (0.5, 0.25), (3.0, 0.0), friction=0.0)
        play.step(20)
        for _ in range(100):
            play.step()
            contacts = play.physics.contacts
            total = sum(contacts.normal_impulse[k, : contacts.point_count[k]].sum() for k in range(len(contacts)))
            assert total == pytest.approx(0.3 * 10.0 / 60.0, rel=1e-3)
        assert play.velocity(box)[0] == pytest.approx(3.0, abs=1e-9)


@pytest.mark.parametrize(("friction", "joined"), [(0.3, True), (0.9, False)])
def test_points_on_tiles_of_different_material_do_not_share_a_row(friction: float, joined: bool) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(TOOTH, (0.0, 0.0), friction=0.3)
        static(TOOTH, (1.0, 0.0), friction=friction)
        dynamic(ec.Box(2.0, 0.5), (0.5, 0.25), friction=0.3)
        play.step(30)
        counts = [count for count, *_ in rows(play)]
        assert counts == ([2] if joined else [1, 1])
        if not joined:
            assert sorted(play.physics.contacts.friction.tolist()) == pytest.approx([0.3, math.sqrt(0.27)])


def test_a_corner_on_two_moving_bodies_keeps_a_contact_with_each() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(ec.HalfPlane(), (0.0, -1.0))
        legs = [dynamic(LEGGED, (float(k), 0.0)) for k in range(2)]
        box = dynamic(ec.Box(0.6, 0.5), (0.5, 0.25))
        play.step(30)
        for leg in legs:
            assert play.physics.touching(leg, box)
            assert play.physics.contacts_of(box)
        partners = {contact.other(box) for contact in play.physics.contacts_of(box)}
        assert partners == set(legs)


@pytest.mark.parametrize("gone", [0, 1])
def test_the_other_tile_carries_on_when_one_is_taken_away(gone: int) -> None:
    """One corner stands on the seam of two tiles, of which either may have the welded point."""
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        tiles = [static(LEGGED, (float(k), 0.0)) for k in range(3)]
        box = dynamic(ec.Box(1.5, 0.5), (1.25, 0.25))  # its left corner is at the seam of 0 and 1
        play.step(30)
        assert {c.entity_a for c in play.contacts("collision_start")} == set(tiles)
        esper.delete_entity(tiles[gone])
        play.step(1)
        index = play.physics.pipeline.pairs.arrays.index[play.physics.pipeline.pairs.live]
        assert (index[:, PAIR.CONTACT] >= NO_CONTACT).all(), "no pair is left welded to one that went"
        play.step(10)
        ended = [contact.entity_a for contact in play.contacts("collision_end")]
        assert ended == [tiles[gone]]
        assert play.pose(box)[1] == pytest.approx(0.25, abs=0.01)


def test_every_welded_pair_shares_the_row_of_the_one_that_has_its_points() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(FLOOR, (0.0, -2.0))
        for k in range(6):
            dynamic(ec.Box(0.9, 0.4), (0.8 + 1.1 * k, 0.2 + 0.1 * (k % 2)), angle=0.0)
        for _ in range(60):
            play.step()
            pairs, finder = play.physics.pipeline.pairs.arrays, play.physics.pipeline.contact_finder
            contact = pairs.index[play.physics.pipeline.pairs.live, PAIR.CONTACT]
            assert (contact >= NO_CONTACT).all()
            assert (contact < finder.count).all()
            # each row has an owner, and stores its slot
            for row in range(finder.count):
                assert pairs.index[finder.contacts.pair[row], PAIR.CONTACT] == row


def test_a_row_that_moves_takes_every_column_along() -> None:
    contacts = contact_arrays(3)
    welds = WeldColumns().arrays._replace(corner=np.array([(0, 0), (0, 0), (7, 8)]))
    for column in contacts:
        column[2] = np.arange(1, 1 + column[2].size).reshape(column[2].shape)
    move_row(2, 0, contacts, welds)
    for name, column in zip(contacts._fields, contacts, strict=True):
        assert np.array_equal(column[0], column[2]), name
    assert np.array_equal(welds.corner[0], welds.corner[2])
