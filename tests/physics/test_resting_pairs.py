"""Each shape comes to rest on each other one: it does not sink in or tremble, and has one start event."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

SLOP = 0.005
MILLIMETRE = 0.001
DROP = 0.02  # m, which makes an impact of 0.6 m/s

# A flat or round underside, and how far it lies below the origin.
DROPPED: dict[str, tuple[ec.Shape, float]] = {
    "circle": (ec.Circle(0.5), 0.5),
    "segment": (ec.Segment((-0.6, 0.0), (0.6, 0.0)), 0.0),
    "capsule": (ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.3), 0.3),
    "box": (ec.Box(1.0, 0.6), 0.3),
    "polygon": (ec.Polygon([(-0.5, -0.3), (0.5, -0.3), (0.6, 0.2), (0.0, 0.4), (-0.6, 0.2)]), 0.3),
    "rounded polygon": (ec.Polygon([(-0.4, -0.2), (0.4, -0.2), (0.0, 0.3)], radius=0.15), 0.35),
}
# A flat or round top, and how far it lies above the origin.
STRUCK: dict[str, tuple[ec.Shape, float]] = {
    "circle": (ec.Circle(3.0), 3.0),
    "segment": (ec.Segment((-3.0, 0.0), (3.0, 0.0)), 0.0),
    "capsule": (ec.Capsule((-3.0, 0.0), (3.0, 0.0), 0.5), 0.5),
    "box": (ec.Box(6.0, 1.0), 0.5),
    "polygon": (ec.Polygon([(-2.0, -1.0), (2.0, -1.0), (3.0, 0.0), (2.0, 0.6), (-2.0, 0.6), (-3.0, 0.0)]), 0.6),
    "rounded polygon": (ec.Polygon([(0.0, -2.0), (2.5, 0.5), (-2.5, 0.5)], radius=0.25), 0.75),
    "half-plane": (ec.HalfPlane(), 0.0),
}

PAIRS = [(dropped, struck) for dropped in DROPPED for struck in STRUCK if not dropped == struck == "segment"]
each_pair = pytest.mark.parametrize(("dropped", "struck"), PAIRS)


def create_dropped_pair(dropped: str, struck: str, *, dropped_first: bool = False) -> tuple[int, int, float]:
    """Make the two; return (dropped entity, struck entity, height of the dropped one where it just touches)."""
    falling, below = DROPPED[dropped]
    support, above = STRUCK[struck]
    place = 0.0, above + below + DROP
    if dropped_first:
        body = dynamic(falling, place)
        return body, static(support), above + below
    base = static(support)
    return dynamic(falling, place), base, above + below


@each_pair
def test_it_comes_to_rest(dropped: str, struck: str) -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        body, base, height = create_dropped_pair(dropped, struck)
        play.step(600)
        sunk = height - play.pose(body)[1]
        assert -1e-4 < sunk < SLOP + MILLIMETRE
        assert play.physics.touching(body, base)
        poses = []
        for _ in range(120):
            play.step()
            poses.append(play.pose(body))
            assert math.hypot(*play.velocity(body)[:2]) < MILLIMETRE
        assert np.ptp(poses, axis=0).max() < 0.1 * MILLIMETRE
        assert abs(play.pose(body)[0]) < 5.0 * MILLIMETRE


def test_a_segment_rests_on_a_segment() -> None:
    """Two lines without thickness: once they overlap, it is not to be seen which side one is on."""
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        body, base, _ = create_dropped_pair("segment", "segment")
        play.step(600)
        assert play.physics.touching(body, base)
        assert play.pose(body)[1] > -(SLOP + MILLIMETRE)


@each_pair
def test_the_contact_is_sent_once(dropped: str, struck: str) -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        body, base, _ = create_dropped_pair(dropped, struck)
        play.step(240)
        (start,) = play.contacts("collision_start")
        assert play.contacts("collision_end") == []
        assert {start.entity_a, start.entity_b} == {body, base}
        assert start.normal == pytest.approx((0.0, 1.0), abs=1e-3)  # from the first, the base, up
        esper.delete_entity(body)
        play.step()
        (end,) = play.contacts("collision_end")
        assert (end.entity_a, end.entity_b) == (start.entity_a, start.entity_b)


@each_pair
def test_the_order_of_creation_does_not_matter(dropped: str, struck: str) -> None:
    def fall(dropped_first: bool) -> tuple[list[int], tuple[float, float], np.ndarray]:
        with game(gravity=(0.0, -9.81), sleeping=False) as play:
            body, base, _ = create_dropped_pair(dropped, struck, dropped_first=dropped_first)
            poses = []
            for _ in range(90):
                play.step()
                poses.append(play.pose(body))
            (start,) = play.contacts("collision_start")
            assert (start.entity_a, start.entity_b) == (min(body, base), max(body, base))
            sign = -1.0 if dropped_first else 1.0
            normal = sign * start.normal[0], sign * start.normal[1]
            return [step for step, *_ in play.events], normal, np.array(poses)

    steps, normal, poses = fall(dropped_first=False)
    swapped_steps, swapped_normal, swapped_poses = fall(dropped_first=True)
    assert steps == swapped_steps
    assert normal == pytest.approx(swapped_normal, abs=1e-9)
    np.testing.assert_allclose(poses, swapped_poses, rtol=0.0, atol=3.0 * MILLIMETRE)  # manifolds are mirrored


@each_pair
def test_a_tilted_one_does_not_sink_in_either(dropped: str, struck: str) -> None:
    """The body may tumble and roll off; as long as it touches, it hardly overlaps."""
    falling, _ = DROPPED[dropped]
    support, above = STRUCK[struck]
    tilt = 0.5
    (piece,) = falling.pieces()
    lowest = float((math.sin(tilt) * piece.vertices[:, 0] + math.cos(tilt) * piece.vertices[:, 1]).min()) - piece.radius
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        static(support, friction=0.8)
        dynamic(falling, (0.1, above - lowest + DROP), angle=tilt, friction=0.8)
        deepest = 0.0
        for _ in range(180):
            play.step()
            contacts = play.physics.contacts
            for k in range(len(contacts)):
                deepest = min(deepest, *contacts.separation[k, : contacts.point_count[k]].tolist())
        assert deepest > -0.03  # a side may come down at 3 m/s, and a contact looks 2 cm ahead
