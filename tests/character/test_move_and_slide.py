"""Characters against closed forms: where they end, how fast they are then, and what they stand on."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import MoveCharacters
from tests.support.worlds import DT, dynamic, game, kinematic, static, transform

EXACT = 1e-6
SHAPES = {
    "box": (ec.Box(1.0, 1.0), 0.5),
    "circle": (ec.Circle(0.5), 0.5),
    "capsule": (ec.Capsule((0.0, -0.3), (0.0, 0.3), 0.2), 0.5),
    "polygon": (ec.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.2), (0.0, 0.5), (-0.5, 0.2)]), 0.5),
}
"""Shapes of characters, and how far each reaches below its origin [m]."""

shapes = pytest.mark.parametrize("name", SHAPES)


def slope(angle: float) -> ec.Polygon:
    """A slope that rises to the right from the origin."""
    return ec.Polygon([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0 * math.tan(angle))])


def near(found: tuple[float, ...], *expected: float) -> bool:
    return found == pytest.approx(expected, abs=EXACT)


@shapes
@pytest.mark.parametrize("origin", [(0.0, 0.0), (1e6, -1e6)])
def test_it_falls_on_a_floor_and_slides_on(name: str, origin: tuple[float, float]) -> None:
    shape, below = SHAPES[name]
    with game() as play:
        x, y = origin
        floor = static(ec.Box(1000.0, 2.0), (x, y - 1.0))
        player = kinematic(shape, (x, y + below + 3.0))
        slide = play.physics.move_and_slide(player, (2.0, -10.0), 1.0)
        assert near(slide.position, x + 2.0, y + below) and near(slide.velocity, 2.0, 0.0)
        assert (slide.on_floor, slide.on_wall, slide.on_ceiling, slide.floor) == (True, False, False, floor)
        (hit,) = slide.hits
        assert hit.entity == floor and hit.fraction == pytest.approx(0.3, abs=EXACT) and near(hit.normal, 0.0, 1.0)
        assert play.pose(player)[:2] == slide.position


@shapes
def test_it_stops_at_a_wall_and_at_a_ceiling(name: str) -> None:
    shape, _ = SHAPES[name]
    with game() as play:
        wall, ceiling = static(ec.Box(2.0, 20.0), (6.0, 0.0)), static(ec.Box(20.0, 2.0), (0.0, 6.0))
        player = kinematic(shape, (0.0, 0.0))
        half = 0.2 if name == "capsule" else 0.5
        slide = play.physics.move_and_slide(player, (10.0, 10.0), 1.0)
        assert near(slide.position, 5.0 - half, 4.5) and near(slide.velocity, 0.0, 0.0)
        assert (slide.on_floor, slide.on_wall, slide.on_ceiling, slide.floor) == (False, True, True, None)
        assert {hit.entity for hit in slide.hits} == {wall, ceiling}


@pytest.mark.parametrize("angle", [0.1, 0.5, math.pi / 4])
def test_a_velocity_towards_a_slope_is_projected_on_it(angle: float) -> None:
    with game() as play:
        static(ec.HalfPlane())
        ramp = static(slope(angle))
        start = -0.5 * math.tan(angle / 2.0) - 1.0  # a metre before it touches the slope
        player = kinematic(ec.Circle(0.5), (start, 0.5))
        slide = play.physics.move_and_slide(player, (4.0, 0.0), 1.0)
        along = 3.0 * math.cos(angle)
        assert near(slide.position, start + 1.0 + along * math.cos(angle), 0.5 + along * math.sin(angle))
        assert near(slide.velocity, 4.0 * math.cos(angle) ** 2, 0.0)
        assert (slide.on_floor, slide.on_wall, slide.floor) == (True, False, ramp)


def test_a_slope_that_is_too_steep_is_a_wall_and_lifts_no_character() -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(slope(1.0))
        start = -0.5 * math.tan(0.5) - 1.0
        player = kinematic(ec.Circle(0.5), (start, 0.5))
        slide = play.physics.move_and_slide(player, (4.0, -1.0), 1.0)
        assert near(slide.position, start + 1.0, 0.5) and near(slide.velocity, 0.0, 0.0)
        assert slide.on_floor and slide.on_wall


def test_it_slides_down_steep_slopes_and_stays_on_others() -> None:
    for angle, slides in ((0.6, False), (1.0, True)):
        with game() as play:
            static(slope(angle))
            c, s = math.cos(angle), math.sin(angle)
            at = (20.0 - 0.5 * s, 20.0 * math.tan(angle) + 0.5 * c)
            player = kinematic(ec.Circle(0.5), at)
            for _ in range(100):
                slide = play.physics.move_and_slide(player, (0.0, -1.0), 0.01)
            assert slide.on_floor != slides
            down = s if slides else 0.0  # the speed along the slope
            assert near(slide.position, at[0] - down * c, at[1] - down * s)


def test_it_follows_the_ground_down_unless_it_jumps() -> None:
    angle = 0.5
    with game() as play:
        static(ec.Polygon([(0.0, 0.0), (100.0, -100.0 * math.tan(angle)), (0.0, -100.0)]))
        static(ec.Box(10.0, 2.0), (-5.0, -1.0))
        player = kinematic(ec.Box(0.6, 1.0), (-1.0, 0.5))
        for _ in range(30):
            slide = play.physics.move_and_slide(player, (6.0, -0.1), DT)
            assert slide.on_floor
        assert slide.position[0] > 1.5
        assert slide.position[1] == pytest.approx(0.5 - math.tan(angle) * (slide.position[0] - 0.3), abs=EXACT)
        slide = play.physics.move_and_slide(player, (0.0, 3.0), DT)
        assert not slide.on_floor and near(slide.velocity, 0.0, 3.0)


@pytest.mark.parametrize("speed", [1e2, 1e4, 1e6])
def test_nothing_is_passed_through_at_any_speed(speed: float) -> None:
    with game() as play:
        wall = static(ec.Segment((0.0, -9.0), (0.0, 9.0)))
        player = kinematic(ec.Circle(0.5), (-50.0, 0.0))
        slide = play.physics.move_and_slide(player, (speed, 0.0), 1.0)
        assert near(slide.position, -0.5, 0.0) and slide.hits[0].entity == wall


@shapes
@pytest.mark.parametrize("offset", [0.0, 0.37, 1e6])
def test_seams_of_tiles_trip_no_body(name: str, offset: float) -> None:
    shape, below = SHAPES[name]
    with game() as play:
        for k in range(30):
            static(ec.Box(1.0, 1.0), (offset + k, -0.5))
        player = kinematic(shape, (offset, below))
        for k in range(200):
            slide = play.physics.move_and_slide(player, (7.3, -0.2), DT)
            assert near(slide.position, offset + 7.3 * DT * (k + 1), below) and slide.on_floor and not slide.on_wall
            assert near(slide.velocity, 7.3, 0.0)


def test_a_shaft_of_tiles_is_fallen_through_along_its_wall() -> None:
    with game() as play:
        for k in range(20):
            static(ec.Box(1.0, 1.0), (1.0, -float(k)))
        player = kinematic(ec.Box(1.0, 1.0), (0.0, 0.0))
        for k in range(100):
            slide = play.physics.move_and_slide(player, (1.0, -9.0), DT)
            assert near(slide.position, 0.0, -9.0 * DT * (k + 1)) and near(slide.velocity, 0.0, -9.0)
            assert slide.on_wall and not slide.on_floor


@pytest.mark.parametrize("velocity", [(3.0, 0.0), (0.0, 2.0), (-1.0, -2.5), (50.0, 0.0)])
def test_it_goes_with_what_it_stands_on(velocity: tuple[float, float]) -> None:
    with game() as play:
        lift = kinematic(ec.Box(4.0, 1.0), (0.0, 0.0), velocity)
        player = kinematic(ec.Capsule((0.0, -0.3), (0.0, 0.3), 0.2), (1.0, 1.0))
        for k in range(60):
            slide = play.physics.move_and_slide(player, (0.0, -0.2), DT)
            play.step()
            assert slide.on_floor and slide.floor == lift
            assert near(slide.floor_velocity, *velocity) and near(slide.velocity, 0.0, 0.0)
            time = DT * (k + 1)
            assert near(play.pose(player)[:2], 1.0 + velocity[0] * time, 1.0 + velocity[1] * time)
        slide = play.physics.move_and_slide(player, (1.0, 6.0), DT)  # what jumps off takes its speed along
        assert not slide.on_floor and near(slide.velocity, 1.0 + velocity[0], 6.0 + velocity[1])


@pytest.mark.parametrize("moves", ["kinematic", "dynamic"])
def test_a_fast_platform_does_not_carry_it_through_a_wall(moves: str) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        cart, place, speed = ec.Box(6.0, 1.0), (0.0, 0.5), (90.0, 0.0)
        if moves == "kinematic":
            kinematic(cart, place, speed)
        else:
            dynamic(cart, place, speed)
        wall = static(ec.Box(0.01, 2.0), (1.505, 2.5))
        dynamic(ec.Circle(0.5), (300.0, 300.0), (0.0, -500.0))
        player = kinematic(ec.Box(1.0, 1.0), (0.0, 1.5))
        slide = play.physics.move_and_slide(player, (0.0, 0.0), DT)
        assert near(slide.position, 1.0, 1.5) and slide.hits[0].entity == wall and slide.on_wall


def test_a_moving_wall_pushes_it_and_never_passes_it() -> None:
    with game() as play:
        kinematic(ec.Box(1.0, 4.0), (-3.0, 0.0), (60.0, 0.0))
        player = kinematic(ec.Circle(0.5), (0.0, 0.0))
        slide = play.physics.move_and_slide(player, (0.0, 0.0), 0.1)
        assert near(slide.position, 4.0, 0.0) and slide.on_wall


def test_steps_are_gone_up_as_far_as_they_are_low_enough() -> None:
    for name, (shape, below) in SHAPES.items():
        with game() as play:
            static(ec.HalfPlane())
            for k in range(4):
                static(ec.Box(20.0, 0.3), (11.0 + k, 0.15 + 0.3 * k))
            static(ec.Box(2.0, 3.0), (9.0, 1.5))
            player = kinematic(shape, (0.0, below))
            for _ in range(300):
                slide = play.physics.move_and_slide(player, (3.0, -0.2), DT, step_height=0.35)
            half = 0.2 if name == "capsule" else 0.5
            assert near(slide.position, 8.0 - half, 1.2 + below), name
            assert slide.on_floor and slide.on_wall
        with game() as play:
            static(ec.HalfPlane())
            static(ec.Box(20.0, 0.9), (11.0, 0.45))
            player = kinematic(ec.Box(1.0, 1.0), (0.0, 0.5))
            slide = play.physics.move_and_slide(player, (3.0, 0.0), 1.0, step_height=0.8)
            assert near(slide.position, 0.5, 0.5)


def test_a_character_that_overlaps_at_the_start_is_put_outside() -> None:
    with game() as play:
        static(ec.Box(10.0, 1.0), (0.0, -0.5))
        player = kinematic(ec.Box(1.0, 1.0), (0.0, 0.3))
        slide = play.physics.move_and_slide(player, (0.0, 0.0), DT)
        assert near(slide.position, 0.0, 0.5) and slide.on_floor


@pytest.mark.parametrize("x", [0.0, 0.48, 0.52, 1.0])
def test_out_of_a_row_of_tiles_it_is_put_straight_up(x: float) -> None:
    with game() as play:
        for k in range(-3, 4):
            static(ec.Box(1.0, 1.0), (float(k), -0.5))
        player = kinematic(ec.Box(1.0, 1.0), (x, 0.3))
        assert near(play.physics.move_and_slide(player, (0.0, 0.0), DT).position, x, 0.5)


@pytest.mark.parametrize("name", ["box", "circle", "capsule"])
@pytest.mark.parametrize("turned", [False, True])
def test_deep_in_several_tiles_it_finds_the_room_that_is_near(name: str, turned: bool) -> None:
    shape, _ = SHAPES[name]
    tile = ec.Box(1.0, 1.0)
    rng = np.random.default_rng(15)
    with game() as play:
        places = [(x, y) for x in range(20) for y in range(20) if x % 5 and rng.random() < 0.6]
        tiles = [(float(x), float(y), rng.uniform(0.0, 6.0) if turned else 0.0) for x, y in places]
        for x, y, angle in tiles:
            static(tile, (x, y), angle=angle)
        for x, y in rng.uniform(0.0, 19.0, (60, 2)).tolist():
            player = kinematic(shape, (x, y))
            slide = play.physics.move_and_slide(player, (0.0, 0.0), DT, snap=0.0)
            esper.delete_entity(player, immediate=True)
            assert min(ec.distance(tile, pose, shape, (*slide.position, 0.0)) for pose in tiles) > -EXACT
            assert math.dist(slide.position, (x, y)) < 4.0


def test_without_a_velocity_it_stays() -> None:
    with game() as play:
        static(ec.HalfPlane())
        player, flyer = kinematic(ec.Circle(0.5), (0.0, 0.5)), kinematic(ec.Circle(0.5), (3.0, 5.0))
        for _ in range(10):
            assert play.physics.move_and_slide(player, (0.0, 0.0), DT).on_floor
            assert not play.physics.move_and_slide(flyer, (0.0, 0.0), DT).on_floor
        assert near(play.pose(player), 0.0, 0.5, 0.0) and play.pose(flyer) == (3.0, 5.0, 0.0)


def test_it_passes_sensors_and_what_its_filters_let_through() -> None:
    with game() as play:
        static(ec.Box(1.0, 9.0), (3.0, 0.0), sensor=True)
        static(ec.Box(1.0, 9.0), (5.0, 0.0), layer=2)
        static(ec.Box(1.0, 9.0), (7.0, 0.0), group=-3)
        left_out, wall = static(ec.Box(1.0, 9.0), (9.0, 0.0)), static(ec.Box(1.0, 9.0), (11.0, 0.0))
        crate = dynamic(ec.Box(1.0, 1.0), (13.0, 0.0))
        player = kinematic(ec.Circle(0.5), (0.0, 0.0), mask=~2, group=-3)
        slide = play.physics.move_and_slide(player, (20.0, 0.0), 1.0, ignore=[left_out])
        assert [hit.entity for hit in slide.hits] == [wall] and near(slide.position, 10.0, 0.0)
        slide = play.physics.move_and_slide(player, (20.0, 0.0), 1.0, where=lambda entity: entity != wall)
        assert [hit.entity for hit in slide.hits] == [crate] and near(slide.position, 12.0, 0.0)


def test_several_stop_at_each_other() -> None:
    with game() as play:
        static(ec.HalfPlane())
        players = [kinematic(ec.Box(1.0, 1.0), (2.0 * k, 0.5)) for k in range(4)]
        for _ in range(60):
            slides = play.physics.move_and_slide_all(players, [(3.0, -1.0), (0, -1), (0, -1), (-3.0, -1.0)], DT)
            play.step()
        assert slides.position[:, 0] == pytest.approx([1.0, 2.0, 4.0, 5.0], abs=EXACT)
        assert slides.on_floor.all() and slides.on_wall.tolist() == [True, False, False, True]


def test_many_at_once_fare_as_one_by_one() -> None:
    ends = []
    for at_once in (True, False):
        rng = np.random.default_rng(5)
        with game() as play:
            for x, y, angle in rng.uniform(-12.0, 12.0, (60, 3)):
                static(ec.Box(2.0, 0.7), (x, y), angle=angle)
            players = [kinematic(ec.Circle(0.3), tuple(place)) for place in rng.uniform(-12.0, 12.0, (20, 2)).tolist()]
            for _ in range(20):
                wanted = rng.uniform(-9.0, 9.0, (20, 2))
                if at_once:
                    play.physics.move_and_slide_all(players, wanted, 0.1)
                else:
                    for player, velocity in zip(players, wanted.tolist(), strict=True):
                        play.physics.move_and_slide(player, tuple(velocity), 0.1)
                play.step()
            ends.append([play.pose(player) for player in players])
    assert ends[0] == ends[1]


ARGUMENTS: dict[str, Any] = {
    "up": (1.0, 1.0),
    "max_slope": 0.3,
    "step_height": 0.3,
    "snap": 0.0,
    "drop_through": True,
    "mask": 1,
    "mass": 500.0,
    "push_force": 900.0,
    "brace_force": 0.0,
}


def ends_of_walks(at_once: bool, arguments: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Walk over a slope, a stair, a platform, a layer, a plank and against crates, and return where all end."""
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        static(ec.Polygon([(0.0, -0.2), (3.0, -0.2), (1.5, 0.75)]), (1.0, 0.0))
        static(ec.Box(9.0, 0.4), (15.5, 0.0))
        static(ec.Box(9.0, 0.2), (30.0, 2.0), one_way=(0.0, 1.0))
        static(ec.Box(1.0, 9.0), (42.0, 0.0), layer=2)
        crates = [dynamic(ec.Box(1.0, 1.0), (x, y), density=20.0) for x, y in ((52.0, 0.5), (60.0, 0.5), (62.0, 2.5))]
        esper.component_for_entity(crates[1], ec.Velocity).x = -8.0
        plank = dynamic(ec.Box(6.0, 0.2), (70.0, 2.0), density=20.0)
        esper.create_entity(ec.PrismaticJoint(plank, axis=(0.0, 1.0), hertz=2.0, damping_ratio=0.5))
        places = (0.0, 0.5), (10.0, 0.5), (28.0, 2.6), (40.0, 0.5), (50.0, 0.5), (58.0, 0.5), (70.0, 2.6)
        walkers = [kinematic(ec.Box(1.0, 1.0), place) for place in places]
        for _ in range(60):
            wanted = [(3.0, 0.0), *[(3.0, -2.0)] * 5, (0.0, -2.0)]
            if at_once:
                play.physics.move_and_slide_all(walkers, wanted, DT, **arguments)
            else:
                for walker, velocity in zip(walkers, wanted, strict=True):
                    play.physics.move_and_slide(walker, velocity, DT, **arguments)
            play.step()
        return [play.pose(entity) for entity in (*walkers, *crates, plank)]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_many_at_once_take_the_arguments_of_one(name: str) -> None:
    arguments = {name: ARGUMENTS[name]}
    assert ends_of_walks(True, arguments) == ends_of_walks(False, arguments) != ends_of_walks(False, {})


@pytest.mark.parametrize("seed", range(4))
def test_it_never_ends_in_anything_however_it_is_moved(seed: int) -> None:
    rng = np.random.default_rng(seed)
    forms = [
        ec.Box(2.0, 0.7),
        ec.Circle(0.8),
        ec.Capsule((-0.6, 0.0), (0.6, 0.0), 0.3),
        ec.Polygon([(0, 0), (2, 0), (1, 1)]),
    ]
    with game() as play:
        placed = [(forms[k % 4], tuple(rng.uniform(-12.0, 12.0, 3).tolist())) for k in range(70)]
        for shape, (x, y, angle) in placed:
            static(shape, (x, y), angle=angle)
        own, _ = SHAPES[list(SHAPES)[seed]]
        free = (0.0, 30.0)
        player = kinematic(own, free)
        for _ in range(60):
            before = play.pose(player)
            wanted = (-before[0] + rng.uniform(-8.0, 8.0), -before[1] + rng.uniform(-8.0, 8.0))
            slide = play.physics.move_and_slide(player, wanted, 1.0)
            pose = (*slide.position, 0.0)
            assert min(ec.distance(shape, there, own, pose) for shape, there in placed) > -EXACT
            ways = [ec.time_of_impact(shape, there, there, own, before, pose) for shape, there in placed]
            if not slide.hits:
                assert near(slide.position, before[0] + wanted[0], before[1] + wanted[1]) or slide.on_floor
                assert slide.on_floor or all(time is None or time == 0.0 for time in ways)


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 4.0])
def test_seen_from_above_it_slides_along_every_wall(turn: float) -> None:
    c, s = math.cos(turn), math.sin(turn)
    with game() as play:
        static(ec.Box(40.0, 2.0), (s, -c), angle=turn)  # its upper side goes through the origin
        player = kinematic(ec.Circle(0.5), (-1.5 * s, 1.5 * c))
        slide = play.physics.move_and_slide(player, (3.0 * c + 4.0 * s, 3.0 * s - 4.0 * c), 1.0, up=None)
        assert near(slide.position, 3.0 * c - 0.5 * s, 3.0 * s + 0.5 * c) and near(slide.velocity, 3.0 * c, 3.0 * s)
        assert slide.on_wall and not slide.on_floor and not slide.on_ceiling


def test_the_system_moves_entities_with_a_controller() -> None:
    with game() as play:
        esper.add_processor(MoveCharacters(play.physics), priority=100)
        floor = static(ec.HalfPlane())
        player = kinematic(ec.Box(1.0, 1.0), (0.0, 0.6))
        control = ec.CharacterController(velocity=(3.0, 0.0))
        esper.add_component(player, control)
        for _ in range(60):
            control.velocity = (3.0, control.velocity[1] - 10.0 * DT)
            play.step()
        assert control.on_floor and not control.on_wall and control.floor == floor
        assert near(control.velocity, 3.0, 0.0) and near(play.pose(player), 3.0, 0.5, 0.0)
        control.max_slope = 3.0
        with pytest.raises(ValueError, match=rf"entity {player}: CharacterController.max_slope must lie between"):
            play.step()


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda world, one: world.move_and_slide(99, (0, 0), DT), ec.PhysicsError, "entity 99 has no shape to move"),
        (lambda world, one: world.move_and_slide(one, (0, np.nan), DT), ValueError, r"velocity\[1\] must be a finite"),
        (lambda world, one: world.move_and_slide(one, (0, 0), -1.0), ValueError, "dt must be a non-negative"),
        (lambda world, one: world.move_and_slide(one, (0, 0), DT, up=(0, 0)), ValueError, r"up must not be \(0, 0\)"),
        (lambda world, one: world.move_and_slide(one, (0, 0), DT, step_height=-1), ValueError, "step_height must be"),
        (lambda world, one: world.move_and_slide(1, (0, 0), DT), ec.PhysicsError, "entity 1 has an unbounded shape"),
        (lambda world, one: world.move_and_slide_all([one], np.zeros((2, 2)), DT), ValueError, "equally many"),
    ],
)
def test_bad_arguments_are_named(ask: Any, error: type[Exception], words: str) -> None:
    with game() as play:
        static(ec.HalfPlane())
        one = kinematic(ec.Box(1.0, 1.0), (0.0, 5.0))
        with pytest.raises(error, match=words):
            ask(play.physics, one)
        assert play.pose(one) == (0.0, 5.0, 0.0)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("velocity", (0.0, np.nan), ValueError),
        ("up", (0, 0), ValueError),
        ("up", "north", TypeError),
        ("up", (0.0,), ValueError),
        ("max_slope", 3.0, ValueError),
        ("step_height", -1.0, ValueError),
        ("snap", -1.0, ValueError),
        ("drop_through", 1, TypeError),
        ("mask", 1 << 64, ValueError),
        ("mass", -1.0, ValueError),
        ("push_force", np.inf, ValueError),
        ("brace_force", -np.inf, ValueError),
    ],
)
def test_a_bad_argument_of_a_controller_is_named_when_it_is_made(name: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=rf"CharacterController\.{name}"):
        ec.CharacterController(**{name: value})


@pytest.mark.parametrize("degrees", [46.0, 50.0, 54.0, 70.0])
def test_in_the_corner_of_a_floor_and_a_slope_too_steep_it_is_on_the_floor(degrees: float) -> None:
    with game() as play:
        static(ec.Box(40.0, 2.0), (0.0, -1.0))
        static(
            ec.Polygon(
                [(0.0, 0.0), (3.0 * math.cos(math.radians(degrees)), 3.0 * math.sin(math.radians(degrees))), (9.0, 0.0)]
            )
        )
        man = kinematic(ec.Capsule((0.0, -0.3), (0.0, 0.3), 0.3), (-1.0, 0.6))
        fall, floors = 0.0, []
        for _ in range(120):
            slide = play.physics.move_and_slide(man, (3.0, fall - 20.0 * DT), DT)
            fall = slide.velocity[1]
            floors.append(slide.on_floor)
            play.step()
        assert all(floors[1:])
        assert transform(man).y == pytest.approx(0.6, abs=1e-6)


@pytest.mark.parametrize("unit", [1.0, 32.0])
@pytest.mark.parametrize("height", [0.1, 0.3, 0.5, 1.0])
def test_a_step_just_as_high_as_allowed_is_gone_up_and_a_higher_one_is_not(height: float, unit: float) -> None:
    for most, goes_up in ((height, True), (0.999 * height, False)):
        with game(length_unit=unit) as play:
            static(ec.Box(100.0 * unit, 2.0 * unit), (0.0, -unit))
            static(ec.Box(6.0 * unit, height * unit), (5.0 * unit, 0.5 * height * unit))
            man = kinematic(ec.Box(0.6 * unit, 1.2 * unit), (0.0, 0.6 * unit))
            fall = 0.0
            for _ in range(60):
                velocity = (3.0 * unit, fall - 20.0 * unit * DT)
                fall = play.physics.move_and_slide(man, velocity, DT, step_height=most * unit).velocity[1]
                play.step()
            assert (transform(man).x > 2.0 * unit) is goes_up


@pytest.mark.parametrize("speed", [300.0, 3000.0])
def test_a_fall_that_a_slope_turns_aside_stops_at_the_wall_there(speed: float) -> None:
    with game() as play:
        static(ec.Polygon([(-1.0, 1.0), (1.0, -1.0), (1.0, -2.0), (-1.0, -2.0)]))
        static(ec.Box(0.1, 20.0), (2.0, 0.0))
        static(ec.Box(20.0, 1.0), (0.0, -3.0))
        man = kinematic(ec.Circle(0.3), (0.0, 3.0))
        slide = play.physics.move_and_slide(man, (0.0, -speed), DT, up=None)
        assert slide.position[0] <= 1.65 + 1e-6 and slide.position[1] >= -2.2 - 1e-6
