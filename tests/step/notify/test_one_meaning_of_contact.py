"""`contacts_of`, `touching` and `colliding` have one meaning of contact: two that touch, and that both exist."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Response
from tests.support.hooks import hook
from tests.support.worlds import Game, dynamic, game, kinematic, static

BOX = ec.Box(1.0, 1.0)
SHAPES: list[ec.Shape] = [
    BOX,
    ec.Circle(0.5),
    ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.5),
    ec.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)]),
    ec.Bitmap([[1, 0], [1, 1]], 0.5),
]


def check(play: Game, entities: list[int]) -> None:
    """Fail if the three calls differ for any two of some solid entities."""
    for a in entities:
        others = [contact.other(a) for contact in play.physics.contacts_of(a)]
        assert sorted(set(others)) == play.physics.colliding(a)
        for b in entities:
            assert play.physics.touching(a, b) == (b in others)


@pytest.mark.parametrize("shape", SHAPES[:4])
@pytest.mark.parametrize("gap", [0.004, 0.018])
def test_a_body_near_a_surface_has_no_contact_before_it_touches(shape: ec.Shape, gap: float) -> None:
    with game() as play:
        floor = static(ec.Box(10.0, 2.0), (0.0, -1.5 - gap))
        body = dynamic(shape)
        play.step()
        assert len(play.physics.contacts) > 0, "the speculative contact"
        check(play, [floor, body])
        assert play.physics.contacts_of(body) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_a_falling_heap_has_the_contacts_that_touch_until_it_sleeps_and_wakes(shape: ec.Shape) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        floor = static(ec.Box(20.0, 2.0), (0.0, -1.0))
        bodies = [dynamic(shape, (1.3 * (k % 3) + 0.2 * (k // 3), 1.0 + 1.3 * (k // 3))) for k in range(9)]
        for _ in range(300):
            play.step()
            check(play, [floor, *bodies])
        play.physics.wake(bodies[0])
        play.physics.is_awake(bodies[0])
        check(play, [floor, *bodies])
        play.step()
        check(play, [floor, *bodies])


def test_a_box_on_the_seam_of_two_tiles_has_each_contact_once_and_both_tiles_have_theirs() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        tiles = [static(BOX, (float(k), -0.5)) for k in range(4)]
        box = dynamic(ec.Box(1.0, 1.0), (1.5, 0.5))
        for _ in range(120):
            play.step()
            pressed = sum(contact.normal_impulse for contact in play.physics.contacts_of(box))
            contacts = play.physics.contacts
            assert pressed == sum(
                sum(contacts.normal_impulse[k, : contacts.point_count[k]]) for k in range(len(contacts))
            )
            for tile in tiles:
                named = [contact.other(tile) for contact in play.physics.contacts_of(tile)]
                assert named == play.physics.colliding(tile)


@pytest.mark.parametrize("make", [static, kinematic, dynamic])
@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("steps", [1, 200])
def test_entities_deleted_in_this_frame_are_named_no_more(
    make: Callable[..., int], immediate: bool, steps: int
) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.Box(20.0, 2.0), (0.0, -2.0))
        gone = make(BOX, (0.0, -0.5))
        box = dynamic(BOX, (0.0, 0.499))
        play.step(steps)
        assert play.physics.touching(gone, box)
        esper.delete_entity(gone, immediate=immediate)
        assert play.physics.contacts_of(box) == []
        assert play.physics.colliding(box) == []
        assert not play.physics.touching(gone, box)
        assert not play.physics.touching(box, gone)
        if not immediate:
            assert play.physics.contacts_of(gone) == []
            assert play.physics.colliding(gone) == []


def test_a_disabled_contact_is_listed_if_a_collider_detects_it() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        wall = static(ec.Box(10.0, 2.0), (0.0, -1.0), detect=True)
        ball = dynamic(ec.Circle(0.5), (0.0, 0.45))
        hook(Narrowphase, Response, lambda: play.physics.contacts.enabled.fill(False))
        play.step()
        assert play.physics.colliding(wall) == [ball]
        assert [contact.other(wall) for contact in play.physics.contacts_of(wall)] == [ball]


def test_two_worlds_keep_the_contacts_of_their_own_entities() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.Box(10.0, 2.0), (0.0, -1.0))
        ball = dynamic(ec.Circle(0.5), (0.0, 0.499))
        play.step()
        with game():
            assert len(play.physics.contacts_of(ball)) == 1, "the other world has no such entity"
