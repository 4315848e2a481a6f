"""One-way platforms: bodies from the solid side stand, all others pass, and none is lifted."""

from __future__ import annotations

import math
from typing import Any

import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, collider, dynamic, game, kinematic, static

GRAVITY = (0.0, -10.0)
UP = (0.0, 1.0)
PLATFORMS = {
    "segment": (ec.Segment((-5.0, 0.0), (5.0, 0.0)), (0.0, 0.0)),
    "box": (ec.Box(10.0, 0.4), (0.0, -0.2)),
    "chain": (ec.Chain([(-5.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (5.0, 0.0)]), (0.0, 0.0)),
    "bitmap": (ec.Bitmap([[True] * 10], 1.0), (-5.0, -1.0)),
    "capsule": (ec.Capsule((-5.0, 0.0), (5.0, 0.0), 0.2), (0.0, -0.2)),
    "polygon": (ec.Polygon([(-5.0, -0.4), (5.0, -0.4), (5.0, 0.0), (-5.0, 0.0)]), (0.0, 0.0)),
    "compound": (ec.Compound([ec.Box(5.0, 0.4, (-2.5, 0.0)), ec.Box(5.0, 0.4, (2.5, 0.0))]), (0.0, -0.2)),
    "arc polygon": (ec.ArcPolygon([(-5.0, -0.4), (5.0, -0.4), (5.0, 0.0), (-5.0, 0.0)], [0.1, 0, 0, 0]), (0.0, 0.0)),
    "half-plane": (ec.HalfPlane(), (0.0, 0.0)),
}
"""Shapes whose upper side is at y = 0, and where they stand [m]."""

BODIES = {
    "box": (ec.Box(0.6, 0.6), 0.3),
    "circle": (ec.Circle(0.3), 0.3),
    "capsule": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.2), 0.4),
    "polygon": (ec.Polygon([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.1), (0.0, 0.3), (-0.3, 0.1)]), 0.3),
    "compound": (ec.Compound([ec.Box(0.6, 0.3, (0.0, -0.15)), ec.Box(0.3, 0.3, (0.0, 0.15))]), 0.3),
}
"""Bodies, and how far each reaches below its origin [m], about; what is tested is where they end."""


def create_one_way_mover(
    shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float], spin: float = 0.0
) -> int:
    return kinematic(shape, place, velocity, angular=spin, one_way=UP)


def upright(shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float] = (0.0, 0.0), **of: Any) -> int:
    """A body that does not turn."""
    return dynamic(shape, place, velocity, ec.RigidBody(lock_rotation=True), **of)


def starts(play: Game) -> list[tuple[int, ...]]:
    return [(step, *arguments[0][:2]) for step, name, arguments in play.events if name == "collision_start"]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("body", BODIES)
def test_a_falling_body_lands_and_a_jumping_one_passes_and_lands(platform: str, body: str) -> None:
    shape, below = BODIES[body]
    with game(gravity=GRAVITY) as play:
        floor, place = PLATFORMS[platform]
        static(floor, place, one_way=UP)
        faller = upright(shape, (-3.0, below + 2.0))
        jumper = upright(shape, (0.0, below - 2.0), (0.0, 9.0))
        short = upright(shape, (3.0, below - 2.0), (0.0, 6.1))  # its apex is 14 cm below where it would stand
        highest, top = -math.inf, -math.inf
        for _ in range(150):
            play.step()
            highest, top = max(highest, play.pose(jumper)[1]), max(top, play.pose(short)[1])
        assert highest == pytest.approx(below - 2.0 + 4.05, abs=0.06), "nothing brakes or lifts it on its way"
        assert top == pytest.approx(below - 2.0 + 1.86, abs=0.06)
        assert play.pose(short)[1] < -5.0, "who did not get over it falls back"
        for entity, x in ((faller, -3.0), (jumper, 0.0)):
            assert play.pose(entity)[1] == pytest.approx(below, abs=0.002)
            assert play.pose(entity)[0] == pytest.approx(x, abs=1e-3)


def test_a_body_that_stands_has_one_event_and_one_that_passes_only_those_of_detect() -> None:
    with game(gravity=GRAVITY) as play:
        floor = static(ec.Box(4.0, 0.4), (0.0, 0.0), one_way=UP, detect=True)
        jumper = upright(ec.Circle(0.3), (0.0, -2.0), (0.0, 9.0))
        play.step(150)
        assert [(name, arguments) for _, name, arguments in play.events if name.startswith("sensor")] == [
            ("sensor_enter", (floor, jumper)),
            ("sensor_exit", (floor, jumper)),
        ]
        assert len(play.contacts("collision_start")) == 1 and not play.contacts("collision_end")
        play.physics.drop_through(jumper)
        play.step(60)
        assert len(play.contacts("collision_start")) == len(play.contacts("collision_end")) == 1
        received = [name for _, name, _ in play.events if name.startswith("sensor")]
        assert received == ["sensor_enter", "sensor_exit"] * 2


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("height", [-0.45, -0.2, 0.0, 0.2, 0.45])
@pytest.mark.parametrize("speed", [1.0, 20.0])
def test_a_body_from_the_side_passes_straight_on(body: str, height: float, speed: float) -> None:
    with game() as play:
        static(ec.Box(2.0, 1.0), one_way=UP)
        entity = dynamic(BODIES[body][0], (-3.0, height), (speed, 0.0))
        for _ in range(round(6.0 / speed / DT)):
            play.step()
            assert play.velocity(entity) == pytest.approx((speed, 0.0, 0.0))
        assert play.pose(entity)[1] == pytest.approx(height)


@pytest.mark.parametrize("depth", [0.05, 0.2, 0.35])
def test_a_body_put_into_it_falls(depth: float) -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.Box(10.0, 0.4), (0.0, -0.2), one_way=UP)
        entity = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 - depth))
        play.step(12)
        assert play.pose(entity)[1] == pytest.approx(0.5 - depth - 5.0 * (12 * DT) ** 2, abs=0.02)


def test_a_body_on_a_passing_body_stays_with_it() -> None:
    with game(gravity=GRAVITY) as play:
        static(PLATFORMS["segment"][0], one_way=UP)
        below = upright(ec.Box(1.0, 0.5), (0.0, -2.0), (0.0, 8.0))
        above = upright(ec.Box(1.0, 0.5), (0.0, -1.5), (0.0, 8.0))
        play.step(200)
        assert play.pose(below)[1] == pytest.approx(0.25, abs=0.002)
        assert play.pose(above)[1] == pytest.approx(0.75, abs=0.004)


def test_a_stack_lets_its_lowest_box_drop() -> None:
    with game(gravity=GRAVITY) as play:
        static(PLATFORMS["segment"][0], one_way=UP)
        boxes = [upright(ec.Box(1.0, 1.0), (0.0, 0.5 + k)) for k in range(5)]
        play.step(90)
        assert [play.physics.is_awake(box) for box in boxes] == [False] * 5
        play.physics.drop_through(boxes[0])
        play.step(150)
        assert play.pose(boxes[0])[1] < -5.0
        assert [play.pose(box)[1] for box in boxes[1:]] == pytest.approx([0.5, 1.5, 2.5, 3.5], abs=0.01)


def test_a_drop_is_of_one_platform_or_of_all_and_does_nothing_in_the_air() -> None:
    with game(gravity=GRAVITY) as play:
        left, right = (static(ec.Box(2.0, 0.2), (x, -0.1), one_way=UP) for x in (-1.0, 1.0))
        static(ec.Box(4.0, 0.2), (0.0, -3.0), one_way=UP)
        box = upright(ec.Box(1.0, 1.0), (0.0, 0.6))
        play.physics.drop_through(box)
        play.step(30)
        assert play.pose(box)[1] == pytest.approx(0.5, abs=0.002)
        play.physics.drop_through(box, left)
        play.step(30)
        assert play.pose(box)[1] == pytest.approx(0.5, abs=0.002), "the other one holds it"
        play.physics.drop_through(box, right)
        play.physics.drop_through(box, left)
        play.step(120)
        assert play.pose(box)[1] == pytest.approx(-2.4, abs=0.002), "it stands on the next"
        with pytest.raises(ec.PhysicsError, match="no body"):
            play.physics.drop_through(12345)
        with pytest.raises(ec.PhysicsError, match=f"entity {left} is static: drop_through"):
            play.physics.drop_through(left, box)


@pytest.mark.parametrize("speed", [40.0, 300.0, 3000.0])
@pytest.mark.parametrize("platform", ["segment", "box", "chain", "capsule"])
@pytest.mark.parametrize("is_bullet", [False, True])
def test_a_bullet_passes_from_below_and_is_stopped_from_above(speed: float, platform: str, is_bullet: bool) -> None:
    floor, place = PLATFORMS[platform]
    with game() as play:
        static(floor, place, one_way=UP)
        rising, falling = (
            dynamic(ec.Circle(0.05), (x, y), (0.0, v), ec.RigidBody(bullet=is_bullet))
            for x, y, v in ((-1.3, -3.0, speed), (1.3, 3.0, -speed))
        )
        play.step(round(6.0 / speed / DT) + 6)
        assert play.velocity(rising)[:2] == pytest.approx((0.0, speed))
        assert play.pose(falling)[1] == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("angle", [0.5, -0.5, 0.5 * math.pi, math.pi])
def test_the_direction_turns_with_the_platform(angle: float) -> None:
    c, s = math.cos(angle), math.sin(angle)
    with game() as play:
        static(ec.Box(10.0, 0.4), angle=angle, one_way=UP)
        stopped = dynamic(ec.Circle(0.3), (2.0 * c - 3.0 * s, 2.0 * s + 3.0 * c), (5.0 * s, -5.0 * c))
        passing = dynamic(ec.Circle(0.3), (3.0 * s, -3.0 * c), (-5.0 * s, 5.0 * c))
        play.step(60)
        heights = [-s * x + c * y for x, y, _ in (play.pose(stopped), play.pose(passing))]
        assert heights == pytest.approx([0.5, 2.0], abs=0.01)


@pytest.mark.parametrize(("rate", "jump"), [(3.0, 13.0), (-2.0, 8.0)])
def test_a_moving_platform_carries_and_lets_pass(rate: float, jump: float) -> None:
    with game(gravity=GRAVITY) as play:
        lift = create_one_way_mover(ec.Box(10.0, 0.4), (0.0, 0.0), (0.0, rate))
        rider, jumper = upright(ec.Box(1.0, 1.0), (-2.0, 0.7)), upright(ec.Box(1.0, 1.0), (2.0, -2.0), (0.0, jump))
        play.step(240)
        height = play.pose(lift)[1]
        assert [play.pose(entity)[1] - height for entity in (rider, jumper)] == pytest.approx([0.7, 0.7], abs=0.005)


def test_a_platform_from_below_lifts_characters_straight_up() -> None:
    with game() as play:
        create_one_way_mover(ec.Box(4.0, 0.4), (0.0, -2.0), (0.0, 6.0))
        above, beside = dynamic(ec.Circle(0.3), (0.0, 0.0)), dynamic(ec.Circle(0.3), (2.28, 0.0))
        play.step(60)
        assert play.velocity(above)[1] == pytest.approx(6.0, abs=0.01)
        assert play.velocity(beside) == (0.0, 0.0, 0.0)


def test_a_turning_platform_tips_bodies_off() -> None:
    with game(gravity=GRAVITY) as play:
        create_one_way_mover(ec.Box(10.0, 0.4), (0.0, 0.0), (0.0, 0.0), 0.2)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.7), friction=0.3)
        for _ in range(90):
            play.step()
            x, y, angle = play.pose(box)
            assert -math.sin(0.0) * x + y > 0.2 or abs(x) > 4.0
        assert abs(angle) > 0.2


@pytest.mark.parametrize("body", ["box", "circle"])
@pytest.mark.parametrize("speed", [2.0, 10.0])
def test_a_body_that_slides_on_to_it_does_not_fall_through(body: str, speed: float) -> None:
    shape, below = BODIES[body]
    with game(gravity=GRAVITY) as play:
        static(ec.Box(4.0, 1.0), (-2.0, -0.5), friction=0.0)
        static(ec.Box(6.0, 1.0), (3.0, -0.5), friction=0.0, one_way=UP)
        entity = upright(shape, (-2.0, below), (speed, 0.0), friction=0.0)
        while play.pose(entity)[0] < 5.0:
            play.step()
            assert play.pose(entity)[1] == pytest.approx(below, abs=0.002)
        assert play.velocity(entity)[0] == pytest.approx(speed, rel=1e-3)


def test_a_body_of_several_pieces_does_not_hang_half_way() -> None:
    lying = ec.Compound([ec.Box(0.4, 2.0, (-0.2, 0.0)), ec.Circle(0.4, (0.2, 1.0)), ec.Circle(0.4, (0.2, -1.0))])
    with game(gravity=GRAVITY) as play:
        static(ec.Box(10.0, 0.2), one_way=UP)
        body = upright(lying, (0.0, -2.0), (0.0, 7.0))  # its upper circle comes out, the lower one does not
        highest = -math.inf
        for _ in range(150):
            play.step()
            highest = max(highest, play.pose(body)[1])
        assert 0.3 < highest < 0.6
        assert play.pose(body)[1] < -5.0


def test_a_platform_may_be_dynamic() -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.HalfPlane(), (0.0, -4.0))
        for x in (-1.8, 1.8):
            static(ec.Box(0.2, 4.0), (x, -2.0))
        board = dynamic(ec.Box(4.0, 0.2), (0.0, 0.1), one_way=UP)
        box, ball = upright(ec.Box(0.5, 0.5), (1.0, 1.0)), upright(ec.Circle(0.2), (0.0, -3.0), (0.0, 10.0))
        play.step(200)
        # to the supports below it is one-way too: they are not above it, so it passes them and lies on the ground
        assert play.pose(board)[1] < -3.0
        assert play.pose(box)[1] > play.pose(board)[1] and play.pose(ball)[1] > play.pose(board)[1]


def test_it_may_be_set_and_taken_back_at_any_time() -> None:
    with game(gravity=GRAVITY) as play:
        floor = static(ec.Box(10.0, 0.4), (0.0, -0.2))
        box = upright(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(90)
        collider(floor).one_way = (0.0, 3.0)
        assert collider(floor).one_way == (0.0, 1.0)
        play.step(90)
        assert play.pose(box)[1] == pytest.approx(0.5, abs=0.002)
        collider(floor).one_way = (0.0, -1.0)
        play.step(60)
        assert play.pose(box)[1] < -1.0


def test_the_exact_response_refuses_it() -> None:
    with game(response="exact") as play:
        static(ec.Box(10.0, 0.4), one_way=UP)
        with pytest.raises(
            ec.PhysicsError, match=r"entity 1: Collider\.one_way .* does not work with response='exact'"
        ):
            play.step()


@pytest.mark.parametrize("bad", [(0.0, 0.0), (math.nan, 1.0), (1.0,), "up", 3.0, True])
def test_a_direction_is_a_pair_of_numbers(bad: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"Collider\.one_way"):
        ec.Collider(ec.Box(1.0, 1.0), one_way=bad)
