"""Contact points on the surface of either body."""

from __future__ import annotations

from itertools import product
from math import cos, pi, sin

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Response
from tests.support.hooks import hook
from tests.support.worlds import dynamic, floor, game, static

SHAPES: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.5),
    "box": ec.Box(1.0, 0.8),
    "capsule": ec.Capsule((-0.4, 0.0), (0.4, 0.1), 0.2),
    "polygon": ec.Polygon([(-0.5, -0.5), (0.6, -0.4), (0.1, 0.6)]),
    "compound": ec.Compound([ec.Circle(0.3, (0.0, 0.3)), ec.Box(1.0, 0.4)]),
    "segment": ec.Segment((-0.5, 0.0), (0.5, 0.1)),
    "sector": ec.Sector(0.7, 1.5),
    "bitmap": ec.Bitmap(["##", "#."], 0.5),
    "chain": ec.Chain([(-0.6, 0.0), (0.0, 0.1), (0.6, -0.1)]),
}
DOT = 1e-9
"""Radius of the circle that stands for a point [m]."""


def depth(shape: ec.Shape, pose: tuple[float, float, float], point: np.ndarray) -> float:
    """Return how deep a point is in a shape [m], negative outside."""
    return -DOT - ec.distance(shape, pose, ec.Circle(DOT), (*point.tolist(), 0.0))


@pytest.mark.parametrize(("a", "b"), list(product(SHAPES, SHAPES)))
def test_each_point_lies_on_its_surface(a: str, b: str) -> None:
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(6):
        with game() as play:
            turn, direction = rng.uniform(-pi, pi, 2).tolist()
            pose_a, far = (0.0, 0.0, rng.uniform(-pi, pi)), (3.0 * cos(direction), 3.0 * sin(direction), turn)
            near = ec.closest_points(SHAPES[a], pose_a, SHAPES[b], far)
            way = near.distance + rng.uniform(-0.01, 0.02)
            pose_b = far[0] - way * near.normal[0], far[1] - way * near.normal[1], turn
            first = dynamic(SHAPES[a], angle=pose_a[2])
            dynamic(SHAPES[b], pose_b[:2], angle=turn)
            play.step()
            contacts = play.physics.contacts
            for k, j in product(range(len(contacts)), range(2)):
                if j >= contacts.point_count[k]:
                    continue
                seen += 1
                on_a, on_b, middle = (points[k, j] for points in (contacts.points_a, contacts.points_b, contacts.point))
                assert 0.5 * (on_a + on_b) == pytest.approx(middle, abs=1e-12)
                assert (on_b - on_a) @ contacts.normal[k] == pytest.approx(contacts.separation[k, j], abs=1e-12)
                is_deepest = contacts.separation[k, j] == min(contacts.separation[k, : contacts.point_count[k]])
                on_first, on_second = (on_a, on_b) if contacts.entity_a[k] == first else (on_b, on_a)
                for name, pose, point in ((a, pose_a, on_first), (b, pose_b, on_second)):
                    # the other point of a round shape that is not flush may lie in it, never outside
                    assert -1e-7 < depth(SHAPES[name], pose, point) < (1e-7 if is_deepest else 0.03)
    assert seen > 0


def test_events_and_calls_carry_them_for_the_lesser_entity_as_a() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ball = dynamic(ec.Circle(0.5), (0.3, 0.499))
        ground = floor()
        play.step()
        (start,) = play.contacts("collision_start")
        (now,) = play.physics.contacts_of(ground)
        assert (start.entity_a, start.entity_b) == (ball, ground)
        for contact in (start, now):
            (on_ball,), (on_ground,) = contact.points_a, contact.points_b
            assert on_ball == pytest.approx((0.3, -0.001))
            assert on_ground == pytest.approx((0.3, 0.0))


def test_views_and_contacts_have_the_same_names_for_their_points_and_impulses() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        floor()
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5), (1.0, 0.0))
        play.step()
        view, (contact,) = play.physics.contacts, play.physics.contacts_of(box)
        assert view.points.tolist() == view.point.tolist() == [[[*point] for point in contact.points]]
        assert view.separations.tolist() == view.separation.tolist() == [[*contact.separations]]
        assert view.friction_impulse.sum() == view.tangent_impulse.sum() == pytest.approx(contact.friction_impulse)
        assert contact.tangent_impulse == contact.friction_impulse != 0.0


def test_a_hook_finds_them_on_the_bodies_where_these_are() -> None:
    with game() as play:
        static(ec.Box(1.0, 9.0), (2.0, 0.0))
        box = dynamic(ec.Box(1.0, 1.0), (0.9, 0.0), (5.0, 0.0))
        places: list[list[tuple[float, float]]] = []

        def look() -> None:
            contacts = play.physics.contacts
            if len(contacts):
                points = contacts.points_a if contacts.entity_a[0] == box else contacts.points_b
                places.append([play.physics.to_local(box, tuple(point)) for point in points[0].tolist()])

        hook(Narrowphase, Response, look)
        play.step(10)
        assert places
        for corners in places:
            assert sorted(corners) == [pytest.approx((0.5, -0.5)), pytest.approx((0.5, 0.5))]


def test_a_contact_that_has_ended_has_none() -> None:
    contact = ec.Contact(1, 2)
    assert contact.points_a == contact.points_b == ()


@pytest.mark.parametrize("wall", [ec.Box(1.0, 9.0), ec.Circle(0.5)])
def test_the_exact_response_gives_the_place_of_the_impact(wall: ec.Shape) -> None:
    with game(response="exact") as play:
        static(wall, (2.0, 0.0))
        dynamic(ec.Circle(0.25), velocity=(50.0, 0.0), restitution=1.0)
        play.step(3)
        (hit,) = play.contacts("collision_start")
        for (point,) in (hit.points_a, hit.points_b):
            assert point == pytest.approx((1.5, 0.0), abs=1e-9)
