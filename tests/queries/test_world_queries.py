"""Queries of a world against the functions of two shapes, applied to every entity."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, sin
from typing import Any, TypeAlias

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Notify, Response, priority_between
from ecs_collide.validate import Vector2
from tests.support.random_entities import Asked, Crowd
from tests.support.worlds import dynamic, game, static

Pose: TypeAlias = tuple[float, float, float]

POINT = ec.Circle(1e-12)
CASTED = (ec.Circle(0.4), ec.Box(0.6, 0.3), ec.Capsule((-0.3, 0), (0.3, 0), 0.1), ec.Sector(0.5, 1.0))


class Asker:
    """Asks a world and every entity of it the same, with random filters."""

    def __init__(self, physics: ec.PhysicsWorld, crowd: Crowd) -> None:
        self.physics, self.crowd, self.rng = physics, crowd, crowd.rng

    def ask(self, rounds: int) -> None:
        rng = self.rng
        for _ in range(rounds):
            filters: dict[str, Any] = {
                "mask": int(rng.integers(1, 8)),
                "sensors": bool(rng.random() < 0.5),
                "ignore": tuple(rng.choice(list(self.crowd.shapes), 2).tolist()),
                "where": (lambda entity: True) if rng.random() < 0.5 else (lambda entity: entity % 3 != 0),
            }
            entities = list(self.crowd.asked(**filters))
            (x, y), (u, v) = rng.uniform(-15, 15, (2, 2)).tolist()
            start, end = (x, y), (u, v)
            self.rays(entities, start, end, filters)
            self.places(entities, start, filters)
            self.nearest(entities, start, filters)
            self.shape_cast(entities, (*start, rng.uniform(-3, 3)), (*end, rng.uniform(-3, 3)), filters)

    def rays(self, entities: list[Asked], start: Vector2, end: Vector2, filters: dict[str, Any]) -> None:
        hits = [(entity, ec.ray_cast(shape, pose, start, end)) for entity, shape, pose in entities]
        expected = sorted((hit.fraction, entity, hit) for entity, hit in hits if hit)
        found = self.physics.ray_cast_all(start, end, **filters)
        assert [hit.entity for hit in found] == [entity for _, entity, _ in expected]
        for hit, (fraction, _, other) in zip(found, expected, strict=True):
            assert hit.fraction == pytest.approx(fraction, abs=1e-9)
            assert (*hit.point, *hit.normal) == pytest.approx((*other.point, *other.normal), abs=1e-6)
        assert self.physics.ray_cast(start, end, **filters) == (found[0] if found else None)
        many = self.physics.ray_casts([start, end], [end, start], **filters)
        assert many.entity[0] == (found[0].entity if found else 0)
        assert many.fraction[0] == pytest.approx(found[0].fraction if found else np.nan, abs=0.0, nan_ok=True)
        exits = [ec.ray_cast(shape, pose, start, end, inside="exit") for _, shape, pose in entities]
        left = self.physics.ray_cast_all(start, end, inside="exit", **filters)
        assert [hit.fraction for hit in left] == pytest.approx(sorted(hit.fraction for hit in exits if hit), abs=1e-8)
        holding = self.physics.point_query(start, **filters)
        skipped = self.physics.ray_cast_all(start, end, inside="skip", **filters)
        assert [hit.entity for hit in skipped] == [hit.entity for hit in found if hit.entity not in holding]

    def places(self, entities: list[Asked], place: Vector2, filters: dict[str, Any]) -> None:
        rng, (x, y) = self.rng, place
        holding = [entity for entity, shape, pose in entities if ec.overlap(shape, pose, POINT, (*place, 0))]
        assert self.physics.point_query(place, **filters) == holding
        box, at = ec.Box(*rng.uniform(0.1, 5, 2)), (x, y, rng.uniform(-4, 4))
        met = [entity for entity, shape, there in entities if ec.overlap(shape, there, box, at)]
        assert self.physics.shape_query(box, at, **filters) == met
        half_x, half_y = rng.uniform(0, 3, 2).tolist()
        upright = ec.Box(2 * half_x, 2 * half_y)
        met = [entity for entity, shape, there in entities if ec.overlap(shape, there, upright, (*place, 0))]
        assert self.physics.aabb_query((x - half_x, y - half_y, x + half_x, y + half_y), **filters) == met

    def nearest(self, entities: list[Asked], place: Vector2, filters: dict[str, Any]) -> None:
        rng = self.rng
        count, reach = int(rng.integers(1, 6)), float(rng.choice([np.inf, 1.0, 3.0]))
        distances = [(max(0, ec.distance(shape, pose, POINT, (*place, 0))), e) for e, shape, pose in entities]
        expected = sorted(pair for pair in distances if pair[0] <= reach)[:count]
        found = self.physics.nearest(place, count, reach, **filters)
        assert [near.entity for near in found] == [entity for _, entity in expected]
        for near, (distance, entity) in zip(found, expected, strict=True):
            assert near.distance == pytest.approx(distance, abs=1e-9)
            assert np.hypot(near.point[0] - place[0], near.point[1] - place[1]) == pytest.approx(distance, abs=1e-9)
            at_point = ec.distance(self.crowd.shapes[entity], self.crowd.pose(entity), POINT, (*near.point, 0))
            assert at_point <= 1e-9

    def shape_cast(self, entities: list[Asked], start: Pose, end: Pose, filters: dict[str, Any]) -> None:
        cast = CASTED[self.rng.integers(len(CASTED))]
        still = ((shape, pose) for _, shape, pose in entities)
        times = [ec.time_of_impact(shape, pose, pose, cast, start, end) for shape, pose in still]
        first = min((time for time in times if time is not None), default=None)
        hit = self.physics.shape_cast(cast, start, end, **filters)
        assert (hit.fraction if hit else None) == pytest.approx(first, abs=1e-8)
        if hit and hit.fraction > 0.0:
            x, y, angle = (a + hit.fraction * (b - a) for a, b in zip(start, end, strict=True))
            for shape, pose in ((self.crowd.shapes[hit.entity], self.crowd.pose(hit.entity)), (cast, (x, y, angle))):
                assert ec.distance(shape, pose, POINT, (*hit.point, 0)) == pytest.approx(0.0, abs=1e-6)


def first_met(physics: ec.PhysicsWorld, start: tuple[float, float], end: tuple[float, float], **filters: Any) -> ec.Hit:
    """Return the hit of a ray that must hit something."""
    hit = physics.ray_cast(start, end, **filters)
    assert hit is not None
    return hit


@pytest.mark.parametrize("seed", range(3))
def test_a_world_answers_what_each_entity_alone_would(seed: int) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        crowd = Crowd(np.random.default_rng(seed), 40)
        asker = Asker(play.physics, crowd)
        asker.ask(4)  # before the first step
        for _ in range(6):
            play.step()
            asker.ask(3)
        for entity in list(crowd.shapes)[:10]:
            crowd.pose(entity).position = tuple(crowd.rng.uniform(-10, 10, 2).tolist())
        asker.ask(4)
        crowd.remove(list(crowd.shapes)[3])
        changed = list(crowd.shapes)[7]
        crowd.shapes[changed] = ec.Box(3.0, 1.0)
        esper.component_for_entity(changed, ec.Collider).shape = crowd.shapes[changed]
        for _ in range(70):  # more rows than there is room for
            crowd.add()
        asker.ask(4)
        play.step(60)
        asker.ask(4)


def test_queries_change_no_bit_of_later_steps() -> None:
    hashes = []
    for is_asked in (False, True):
        with game(gravity=(0.0, -10.0)) as play:
            crowd = Crowd(np.random.default_rng(5), 60)
            for _ in range(40):
                play.step()
                if is_asked:
                    play.physics.ray_casts((0.0, 0.0), crowd.rng.uniform(-15, 15, (20, 2)))
                    play.physics.nearest((0.0, 0.0), 5)
            hashes.append(play.physics.state_hash())
    assert hashes[0] == hashes[1]


def test_the_exact_response_has_equal_queries() -> None:
    with game(response="exact") as play:
        wall = static(ec.Box(1.0, 9.0), (5.0, 0.0))
        ball = dynamic(ec.Circle(0.5), (0.0, 0.0), (1.0, 0.0))
        for _ in range(3):
            play.step()
            x, _, _ = play.pose(ball)
            assert first_met(play.physics, (-4.0, 0.0), (6.0, 0.0)).fraction == pytest.approx((x - 0.5 + 4.0) / 10.0)
            assert first_met(play.physics, (x + 1.0, 0.0), (6.0, 0.0)).entity == wall


def test_sleeping_bodies_are_found_and_stay_asleep() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(90)
        assert first_met(play.physics, (-5.0, 0.5), (5.0, 0.5)).entity == box
        assert not play.physics.is_awake(box)


def test_of_two_that_are_met_at_one_place_the_lower_id_counts() -> None:
    with game() as play:
        first, second = static(ec.Box(1.0, 1.0)), static(ec.Box(1.0, 1.0))
        assert first_met(play.physics, (-5.0, 0.1), (5.0, 0.1)).entity == first
        assert [hit.entity for hit in play.physics.ray_cast_all((-5.0, 0.1), (5.0, 0.1))] == [first, second]
        hit = play.physics.shape_cast(ec.Circle(0.2), (-5.0, 0.1, 0.0), (5.0, 0.1, 0.0))
        assert hit is not None and hit.entity == first


def test_a_tile_is_hit_at_a_covered_side_if_the_covering_tile_is_filtered_out() -> None:
    with game() as play:
        static(ec.Box(1.0, 1.0), (0.0, 0.0), layer=1)
        behind = static(ec.Box(1.0, 1.0), (1.0, 0.0), layer=2)
        play.step()
        hit = first_met(play.physics, (-5.0, 0.0), (5.0, 0.0), mask=2)
        assert (hit.entity, hit.normal) == (behind, (-1.0, 0.0))
        assert hit.fraction == pytest.approx(0.55)


def test_colliding_agrees_with_touching() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        floor, box = static(ec.HalfPlane()), dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        zone = static(ec.Circle(2.0), sensor=True)
        far = static(ec.Box(1.0, 1.0), (9.0, 3.0))
        play.step(5)
        assert play.physics.colliding(box) == [floor, zone]
        assert play.physics.colliding(zone) == [box]
        assert play.physics.colliding(far) == []
        play.step(90)  # it sleeps
        assert play.physics.colliding(box) == [floor, zone]


def test_a_hook_between_two_systems_sees_the_present_state() -> None:
    seen = []

    class Look(esper.Processor):
        def process(self, dt: float) -> None:
            seen.append(first_met(ec.physics(), (-5.0, 0.0), (5.0, 0.0)).point[0])

    with game() as play:
        ball = dynamic(ec.Circle(0.5), (0.0, 0.0), (6.0, 0.0))
        esper.add_processor(Look(), priority=priority_between(Narrowphase, Response))
        play.step()
        esper.remove_processor(Look)
        esper.add_processor(Look(), priority=priority_between(Response, Notify))
        play.step()
        assert seen == pytest.approx([-0.5, play.pose(ball)[0] - 0.5])


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda world: world.ray_cast((0, 0), (1, float("nan"))), ValueError, r"end\[1\] must be a finite number"),
        (lambda world: world.ray_cast("ab", (1, 0)), TypeError, "origin must be a pair of numbers"),
        (
            lambda world: world.ray_cast((0, 0), (1, 0), inside="out"),
            ValueError,
            'inside must be one of .*"out"|inside',
        ),
        (lambda world: world.ray_cast((0, 0), (1, 0), mask="all"), TypeError, "mask must be an integer"),
        (lambda world: world.ray_cast((0, 0), (1, 0), sensors=1), TypeError, "sensors must be True or False"),
        (lambda world: world.ray_cast((0, 0), (1, 0), where=3), TypeError, "where must be a function"),
        (lambda world: world.ray_cast((0, 0), (1, 0), ignore=3), TypeError, "ignore must be entities, got 3"),
        (lambda world: world.ray_casts([(0, 0)] * 2, [(1, 0)] * 3), ValueError, "equally many, got 2 and 3"),
        (lambda world: world.ray_casts([1, 2, 3], [(1, 0)]), ValueError, r"origins must be points.*\(3,\)"),
        (lambda world: world.ray_casts([(0, np.inf)], [(1, 0)]), ValueError, "origins must be finite"),
        (lambda world: world.shape_cast(ec.HalfPlane(), (0, 0, 0), (1, 0, 0)), ValueError, "shape must be bounded"),
        (lambda world: world.shape_query(3, (0, 0, 0)), TypeError, r"shape must be a shape such as Circle.*, got 3"),
        (lambda world: world.aabb_query((1, 0, 0, 1)), ValueError, "no minimum above its maximum"),
        (lambda world: world.nearest((0, 0), 0), ValueError, "count must lie between 1"),
        (lambda world: world.nearest((0, 0), 1, -1.0), ValueError, "reach must be a non-negative"),
        (lambda world: world.colliding(7), ec.PhysicsError, "entity 7 has no body"),
    ],
)
def test_bad_arguments_are_named(ask: Callable[[ec.PhysicsWorld], object], error: type[Exception], words: str) -> None:
    with game() as play, pytest.raises(error, match=words):
        ask(play.physics)


def test_an_error_in_the_game_s_own_function_leaves_the_next_question_whole() -> None:
    with game() as play:
        box = static(ec.Box(1.0, 1.0))
        with pytest.raises(ZeroDivisionError):
            play.physics.ray_cast((-5.0, 0.0), (5.0, 0.0), ignore=[box], where=lambda entity: 1 / 0)
            play.physics.ray_cast((-5.0, 0.0), (5.0, 0.0), where=lambda entity: 1 / 0)
        assert first_met(play.physics, (-5.0, 0.0), (5.0, 0.0)).entity == box


def test_the_game_s_own_function_may_ask_a_question_itself() -> None:
    with game() as play:
        world = play.physics
        boxes = [static(ec.Box(1.0, 1.0), (3.0 * k, 0.0)) for k in range(4)]

        def is_third(entity: int) -> bool:
            assert world.shape_cast(ec.Circle(0.1), (0.0, 5.0, 0.0), (0.0, -5.0, 0.0)) is not None
            return first_met(world, (-5.0, 0.0), (20.0, 0.0)).entity == boxes[0] and entity == boxes[2]

        start, end = (-5.0, 0.0), (20.0, 0.0)
        for _ in range(2):
            assert first_met(world, start, end, ignore=boxes[:1], where=is_third).entity == boxes[2]
            hit = world.shape_cast(ec.Circle(0.1), (*start, 0.0), (*end, 0.0), ignore=boxes[:1], where=is_third)
            assert hit is not None and (hit.entity, hit.normal) == (boxes[2], (-1.0, 0.0))
            assert world.point_query((0.0, 0.0), where=lambda entity: bool(world.nearest((9.0, 0.0)))) == boxes[:1]


def test_an_empty_world_answers_nothing() -> None:
    with game() as play:
        world = play.physics
        assert world.ray_cast((0, 0), (1, 0)) is None
        assert world.ray_cast_all((0, 0), (1, 0)) == []
        assert world.ray_casts((0, 0), np.zeros((0, 2))).entity.shape == (0,)
        assert world.point_query((0, 0)) == world.aabb_query((-1, -1, 1, 1)) == []
        assert world.nearest((0, 0)) == []
        assert world.shape_cast(ec.Circle(1), (0, 0, 0), (1, 0, 0)) is None


def test_queries_skip_entities_that_esper_will_delete() -> None:
    with game() as play:
        gone, left = static(ec.Circle(1.0)), static(ec.Circle(1.0), (5.0, 0.0))
        play.step()
        esper.delete_entity(gone)
        physics = play.physics
        assert physics.point_query((0.0, 0.0)) == []
        assert physics.aabb_query((-9.0, -9.0, 9.0, 9.0)) == [left]
        hit = physics.ray_cast((-3.0, 0.0), (9.0, 0.0))
        assert hit is not None
        assert hit.entity == left
        assert [near.entity for near in physics.nearest((0.0, 0.0), count=2)] == [left]
        esper.create_entity()  # the query before has left no entity hidden
        esper._dead_entities.discard(gone)
        assert physics.point_query((0.0, 0.0)) == [gone]


HALF_PIPE = ec.ArcPolygon([(-7, 0), (-7, -8), (7, -8), (7, 0), (5, 0), (-5, 0)], [0, 0, 0, 0, -1, 0])
"""A block with a half circle of radius 5 around (0, 0) cut out of its top."""


@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize(("x", "y"), [(1.0, -3.0), (0.3, -4.9), (-2.0, -1.0), (3.0, -2.0)])
def test_in_a_hollow_the_nearest_point_and_a_cast_circles_normal_are_its_own(x: float, y: float, angle: float) -> None:
    with game() as play:
        static(HALF_PIPE, (20.0, 3.0), angle=angle)
        c, s, distance = cos(angle), sin(angle), hypot(x, y)
        out_x, out_y = (c * x - s * y) / distance, (s * x + c * y) / distance
        place = (20.0 + distance * out_x, 3.0 + distance * out_y)
        (near,) = play.physics.nearest(place)
        assert near.distance == pytest.approx(5.0 - distance)
        assert near.point == pytest.approx((20.0 + 5.0 * out_x, 3.0 + 5.0 * out_y))
        end = (20.0 + 6.0 * out_x, 3.0 + 6.0 * out_y, 0.0)
        hit = play.physics.shape_cast(ec.Circle(0.5), (20.0 + 0.1 * out_y, 3.0 - 0.1 * out_x, 0.0), end)
        assert hit is not None
        radial_x, radial_y = hit.point[0] - 20.0, hit.point[1] - 3.0
        assert hypot(radial_x, radial_y) == pytest.approx(5.0, abs=1e-7)
        assert hit.normal == pytest.approx((-radial_x / 5.0, -radial_y / 5.0), abs=1e-7)
