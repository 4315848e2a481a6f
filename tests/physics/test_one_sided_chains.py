"""One-sided chains: bodies stand on the right side of their links, and pass from the left."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from random import Random

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, game, kinematic, static, transform

GRAVITY = (0.0, -10.0)
FLOOR = ec.Chain([(8.0, 0.0), (3.0, 0.0), (0.0, 0.0), (-3.0, 0.0), (-8.0, 0.0)], one_sided=True)
BODIES = {
    "box": (ec.Box(0.6, 0.6), 0.3),
    "circle": (ec.Circle(0.3), 0.3),
    "capsule": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.2), 0.4),
    "polygon": (ec.Polygon([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.1), (0.0, 0.3), (-0.3, 0.1)]), 0.3),
    "compound": (ec.Compound([ec.Box(0.6, 0.3, (0.0, -0.15)), ec.Box(0.3, 0.3, (0.0, 0.15))]), 0.3),
    "rod": (ec.Segment((-0.3, 0.0), (0.3, 0.0)), 0.0),
    "arcs": (ec.ArcPolygon([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)], [0.0, 0.3, 0.3, 0.3]), 0.3),
}
"""Bodies, and how far each reaches below its origin [m]."""
UPRIGHT = ec.RigidBody(lock_rotation=True)

Places = Sequence[tuple[float, float]]


def create_ground(kind: str, shape: ec.Shape = FLOOR) -> int:
    return static(shape) if kind == "static" else kinematic(shape)


def create_upright(shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float] = (0.0, 0.0)) -> int:
    return dynamic(shape, place, velocity, ec.RigidBody(lock_rotation=True))


@pytest.mark.parametrize("kind", ["static", "kinematic"])
@pytest.mark.parametrize("body", BODIES)
def test_bodies_land_in_front_and_pass_from_behind(body: str, kind: str) -> None:
    shape, below = BODIES[body]
    with game(gravity=GRAVITY) as play:
        create_ground(kind)
        faller, fast = create_upright(shape, (-4.0, 2.0)), create_upright(shape, (-2.0, 40.0), (0.0, -150.0))
        jumper, short = create_upright(shape, (0.0, -2.0), (0.0, 9.0)), create_upright(shape, (4.0, -2.0), (0.0, 6.2))
        arrow = create_upright(shape, (2.0, -40.0), (0.0, 150.0))
        highest, top = -math.inf, -math.inf
        for _ in range(240):
            play.step()
            highest, top = max(highest, play.pose(jumper)[1]), max(top, play.pose(short)[1])
        assert highest == pytest.approx(-2.0 + 4.05, abs=0.08), "nothing brakes or lifts it on its way"
        assert top == pytest.approx(-2.0 + 1.92, abs=0.08)
        assert play.pose(short)[1] < -10.0, "it did not come out, and falls back"
        assert play.pose(arrow)[1] > 400.0
        for entity, x in ((faller, -4.0), (jumper, 0.0), (fast, -2.0)):
            assert play.pose(entity)[1] == pytest.approx(below, abs=0.003)
            assert play.pose(entity)[0] == pytest.approx(x, abs=1e-3)


@pytest.mark.parametrize("speed", [0.3, 1.0, 4.0, 25.0, 70.0])
@pytest.mark.parametrize("body", BODIES)
def test_a_body_from_behind_keeps_its_velocity(body: str, speed: float) -> None:
    with game() as play:
        static(FLOOR)
        mover = dynamic(BODIES[body][0], (0.1, -0.8), (0.2 * speed, speed), angular=0.3)
        center = play.physics.center_of_mass_of(mover)[1]
        steps = round(1.6 / speed * 60)
        play.step(steps)
        assert play.velocity(mover) == pytest.approx((0.2 * speed, speed, 0.3), abs=1e-9)
        assert play.physics.center_of_mass_of(mover)[1] == pytest.approx(center + steps * DT * speed, abs=1e-9)
        # A body may send an event if it passes by more than its size in a step, but nothing pushes it.
        assert all(contact.normal_impulse == 0.0 for contact in play.contacts("collision_start"))
        assert speed > 1.0 or not play.contacts("collision_start")


def test_a_loop_listed_counter_clockwise_is_an_island_and_one_listed_clockwise_a_room() -> None:
    corners = [(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]
    with game(gravity=GRAVITY) as play:
        static(ec.Chain(corners, loop=True, one_sided=True))
        static(ec.Chain(corners[::-1], loop=True, one_sided=True), (20.0, 0.0))
        outside, inside = dynamic(ec.Box(0.5, 0.5), (0.0, 5.0)), dynamic(ec.Box(0.5, 0.5), (0.0, 0.0))
        above, within = dynamic(ec.Circle(0.3), (19.0, 5.0)), dynamic(ec.Circle(0.3), (21.0, 0.0))
        play.step(150)
        assert play.pose(outside)[1] == pytest.approx(3.25, abs=0.01)
        assert play.pose(inside)[1] < -10.0
        assert play.pose(above)[1] == pytest.approx(-2.7, abs=0.01), "it fell through the ceiling of the room"
        assert play.pose(within)[1] == pytest.approx(-2.7, abs=0.01)


def hills(rng: Random, count: int, loop: bool = False) -> list[tuple[float, float]]:
    """Return random points of ground from right to left, 40 m wide, with slopes of up to 45 degrees."""
    points, y = [], 0.0
    for k in range(count + 1):
        x = 20.0 - 40.0 * k / count
        points.append((x, y))
        y += rng.uniform(-1.0, 1.0) * rng.choice((0.0, 0.3, 0.9)) * 40.0 / count
    return points


def drop_bodies(shape: ec.Chain, seed: int, steps: int = 240) -> list[tuple[float, float]]:
    """Drop random bodies on a chain; return where they are afterwards."""
    rng = Random(seed)
    with game(gravity=GRAVITY) as play:
        static(shape, friction=0.3)
        kinds = [each for each, _ in BODIES.values()]
        fallen = [
            dynamic(rng.choice(kinds), (x, 12.0 + rng.uniform(0.0, 4.0)), (rng.uniform(-3.0, 3.0), rng.uniform(-9, 0)))
            for x in range(-14, 15, 2)
        ]
        play.step(steps)
        return [play.pose(each)[:2] for each in fallen]


def height_over(points: Places, x: float) -> float:
    """Return the height of a polyline at x [m]."""
    for (right, high), (left, low) in itertools.pairwise(points):
        if left <= x <= right:
            return low + (high - low) * (x - left) / (right - left)
    return -math.inf


@pytest.mark.parametrize("seed", range(8))
def test_no_body_sinks_through_random_hills(seed: int) -> None:
    points = hills(Random(seed), 30)
    for x, y in drop_bodies(ec.Chain(points, one_sided=True), seed):
        assert y > height_over(points, x) - 0.02 or abs(x) > 19.5


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("count", [7, 40, 150])
def test_nothing_catches_a_body_that_slides_along(body: str, count: int) -> None:
    """A body slides without friction over flat links and keeps its speed and height."""
    shape, below = BODIES[body]
    points = [(30.0 - 60.0 * k / count, 0.0) for k in range(count + 1)]
    with game(gravity=GRAVITY) as play:
        static(ec.Chain(points, one_sided=True), friction=0.0)
        slider = dynamic(shape, (-25.0, below), (12.0, 0.0), friction=0.0)
        for _ in range(220):
            play.step()
            vx, vy, spin = play.velocity(slider)
            assert (vx, spin) == pytest.approx((12.0, 0.0), abs=1e-3)
            assert abs(vy) < (0.2 if body == "rod" else 1e-3), "a rod settles at first"
            assert play.pose(slider)[1] == pytest.approx(below, abs=0.006)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_an_end_is_a_ledge_and_a_ghost_vertex_continues_it(side: float) -> None:
    """A ball falls beside an end: a ledge throws it aside, and a ghost vertex lets it fall."""
    for ghosts, is_ledge in (((None, None), True), (((6.0, 0.0), (-6.0, 0.0)), False)):
        with game(gravity=GRAVITY) as play:
            static(ec.Chain([(2.0, 0.0), (-2.0, 0.0)], one_sided=True, ghosts=ghosts))
            ball = dynamic(ec.Circle(0.3), (2.2 * side, 1.0))
            play.step(60)
            assert play.pose(ball)[1] < -1.0
            assert (abs(play.velocity(ball)[0]) > 0.5) == is_ledge


def test_chains_with_ghosts_of_each_other_are_one_ground() -> None:
    points = [(12.0 - 24.0 * k / 12, 0.0) for k in range(13)]
    with game(gravity=GRAVITY) as play:
        static(ec.Chain(points[:7], one_sided=True, ghosts=(None, points[7])), friction=0.0)
        static(ec.Chain(points[6:], one_sided=True, ghosts=(points[5], None)), (0.0, 0.0), friction=0.0, group=3)
        slider = dynamic(ec.Box(0.5, 0.5), (-10.0, 0.25), (8.0, 0.0), friction=0.0)
        for _ in range(140):
            play.step()
            assert play.velocity(slider) == pytest.approx((8.0, 0.0, 0.0), abs=1e-3)


def test_other_static_shapes_continue_an_end() -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.Chain([(0.0, 0.0), (-4.0, 0.0), (-10.0, 0.0)], one_sided=True), friction=0.0)
        static(ec.Box(10.0, 1.0), (5.0, -0.5), friction=0.0)
        right = dynamic(ec.Box(0.5, 0.5), (-8.0, 0.25), (6.0, 0.0), friction=0.0, group=-1)
        left = dynamic(ec.Circle(0.25), (8.0, 0.25), (-6.0, 0.0), friction=0.0, group=-1)
        for _ in range(120):
            play.step()
        assert play.velocity(right) == pytest.approx((6.0, 0.0, 0.0), abs=1e-3)
        assert play.velocity(left) == pytest.approx((-6.0, 0.0, 0.0), abs=1e-3)
        assert play.pose(right)[1] == pytest.approx(0.25, abs=0.006)
        assert play.pose(left)[1] == pytest.approx(0.25, abs=0.006)


@pytest.mark.parametrize("speed", [0.3, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("shape", [ec.Box(0.5, 0.5), ec.Circle(0.25)], ids=["box", "circle"])
def test_a_body_slides_on_to_a_block_on_whose_top_the_chain_goes_on(shape: ec.Shape, speed: float) -> None:
    with game(gravity=GRAVITY) as play:
        static(ec.Chain([(0.0, 0.0), (-4.0, 0.0), (-10.0, 0.0)], one_sided=True), friction=0.0)
        static(ec.Box(10.0, 1.0), (5.0, -0.5), friction=0.0)
        body = dynamic(shape, (-0.6, 0.25), (speed, 0.0), friction=0.0)
        for _ in range(int(90.0 / speed)):
            play.step()
            assert play.velocity(body) == pytest.approx((speed, 0.0, 0.0), abs=1e-3)
        assert play.pose(body)[0] > 0.5


def test_the_back_covers_no_tile() -> None:
    """A chain whose front looks down lies on the top of a tile, which stays solid."""
    with game(gravity=GRAVITY) as play:
        static(ec.Chain([(-3.0, 0.0), (3.0, 0.0)], one_sided=True))
        static(ec.Box(6.0, 1.0), (0.0, -0.5))
        for shape, x in ((ec.Box(0.5, 0.5), -1.0), (ec.Circle(0.25), 1.0)):
            dynamic(shape, (x, 1.0))
        play.step(90)
        heights = [transform(entity).y for entity, _ in esper.get_component(ec.Velocity)]
        assert heights == pytest.approx([0.25, 0.25], abs=0.006)


def dynamic_cup(play: Game, *, inside: bool) -> int:
    """Create a dynamic cup, open at the top, that is solid on its inside or on its outside."""
    outline = [(-1.5, 1.0), (-1.0, -0.5), (1.0, -0.5), (1.5, 1.0)]
    return dynamic(ec.Chain(outline[::-1] if inside else outline, one_sided=True), (0.0, 3.0), density=5.0)


def test_a_dynamic_chain_meets_ground_with_its_front_only() -> None:
    for floor in (ec.HalfPlane(), ec.Box(30.0, 2.0, (0.0, -1.0)), FLOOR):
        for inside in (False, True):
            with game(gravity=GRAVITY) as play:
                static(floor)
                cup = dynamic_cup(play, inside=inside)
                play.step(120)
                y = play.pose(cup)[1]
                assert y < -3.0 if inside else y == pytest.approx(0.5, abs=0.02)


def test_a_dynamic_chain_carries_bodies_in_front_of_it() -> None:
    with game(gravity=GRAVITY) as play:
        cup = dynamic_cup(play, inside=True)
        esper.add_component(cup, ec.RigidBody(gravity_scale=0.0, lock_rotation=True, mass=1000.0))
        ball, box = dynamic(ec.Circle(0.3), (0.3, 4.0)), dynamic(ec.Box(0.4, 0.4), (-0.4, 4.5))
        play.step(120)
        bottom = play.pose(cup)[1] - 0.5
        assert play.pose(ball)[1] == pytest.approx(bottom + 0.3, abs=0.02)
        assert play.pose(box)[1] > bottom + 0.18


@pytest.mark.parametrize("speed", [3.0, 60.0, 300.0])
def test_bullets_and_fast_kinematic_chains(speed: float) -> None:
    """A kinematic chain that moves up carries a body in front of it, and passes one behind it."""
    with game() as play:
        lift = kinematic(ec.Chain([(2.0, 0.0), (-2.0, 0.0)], one_sided=True), (0.0, 0.0), (0.0, speed))
        front, behind = dynamic(ec.Box(0.5, 0.5), (0.5, 3.0)), dynamic(ec.Box(0.5, 0.5), (-0.5, -3.0))
        bullet = dynamic(ec.Circle(0.1), (1.5, 30.0), (0.0, -speed), ec.RigidBody(bullet=True))
        rising = dynamic(ec.Circle(0.1), (-1.5, -30.0), (0.0, 3.0 * speed), ec.RigidBody(bullet=True))
        play.step(60)
        place = play.pose(lift)[1]
        assert play.pose(front)[1] > place
        assert play.pose(bullet)[1] > place
        assert play.pose(behind) == pytest.approx((-0.5, -3.0, 0.0), abs=1e-6)
        assert play.pose(rising)[1] == pytest.approx(-30.0 + 3.0 * speed, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_fast_bodies_in_a_room_stay_there(seed: int) -> None:
    rng = Random(seed)
    count = rng.randint(5, 14)
    angles = [2.0 * math.pi * k / count for k in range(count)]
    reach = [rng.uniform(5.0, 9.0) for _ in angles]
    points = [(r * math.cos(a), -r * math.sin(a)) for a, r in zip(angles, reach, strict=True)]
    with game() as play:
        static(ec.Chain(points, loop=True, one_sided=True), restitution=1.0, friction=0.0)
        shapes = [shape for name, (shape, _) in BODIES.items() if name != "compound"]
        flying = [
            dynamic(
                rng.choice(shapes), (rng.uniform(-2, 2), rng.uniform(-2, 2)), (rng.uniform(-80, 80), 70.0), group=-1
            )
            for _ in range(12)
        ]
        play.step(300)
        for each in flying:
            assert math.hypot(*play.pose(each)[:2]) < 9.5


def test_the_exact_response_stops_balls_in_front_only() -> None:
    with game(response="exact", gravity=GRAVITY) as play:
        static(FLOOR, restitution=0.5)
        ball = dynamic(ec.Circle(0.3), (0.0, 2.0), restitution=0.5)
        jumper = dynamic(ec.Circle(0.3), (2.0, -2.0), (0.0, 9.0))
        short = dynamic(ec.Circle(0.3), (-2.0, -2.0), (0.0, 4.0))
        highest = -math.inf
        for _ in range(300):
            play.step()
            highest = max(highest, play.pose(jumper)[1])
        assert highest == pytest.approx(2.05, abs=0.04)
        assert play.pose(ball)[1] == pytest.approx(0.3, abs=1e-3)
        assert play.pose(jumper)[1] == pytest.approx(0.3, abs=1e-3)
        assert play.pose(short)[1] < -10.0


def test_rays_and_shape_casts_hit_the_front_only() -> None:
    with game() as play:
        floor = static(FLOOR, angle=0.0)
        physics = play.physics
        down, up = physics.ray_cast((1.0, 2.0), (1.0, -2.0)), physics.ray_cast((1.0, -2.0), (1.0, 2.0))
        assert down is not None and down.entity == floor and down.normal == (0.0, 1.0)
        assert up is None
        for shape, below in BODIES.values():
            hit = physics.shape_cast(shape, (1.0, 2.0, 0.0), (1.0, -2.0, 0.0))
            assert hit is not None and hit.fraction == pytest.approx((2.0 - below) / 4.0, abs=1e-6)
            assert physics.shape_cast(shape, (1.0, -2.0, 0.0), (1.0, 2.0, 0.0)) is None
            assert physics.shape_cast_all(shape, (1.0, -2.0, 0.0), (1.0, 2.0, 0.0)) == []
            assert physics.shape_query(shape, (1.0, 0.1, 0.0)) == ([floor] if below > 0.0 else [])
            assert physics.shape_query(shape, (1.0, -0.1, 0.0)) == ([floor] if below > 0.0 else [])
        assert physics.ray_cast_all((1.0, -2.0), (1.0, 2.0)) == []


def test_sensors_find_the_line_from_both_sides() -> None:
    with game() as play:
        floor = static(FLOOR)
        sensors = [kinematic(ec.Circle(0.5), (0.0, y), sensor=True) for y in (-0.3, 0.3)]
        play.step(2)
        found = {(arguments[0], arguments[1]) for _, name, arguments in play.events if name == "sensor_enter"}
        assert found == {(sensor, floor) for sensor in sensors}


@pytest.mark.parametrize("shape", [ec.Capsule((0.0, -0.5), (0.0, 0.5), 0.3), ec.Box(0.6, 1.6)], ids=["capsule", "box"])
def test_a_character_stands_walks_and_jumps_through(shape: ec.Shape) -> None:
    with game() as play:
        static(ec.Chain([(8.0, 0.0), (2.0, 0.0), (0.0, 1.0), (-2.0, 1.0), (-8.0, 0.0)], one_sided=True))
        hero = kinematic(shape, (6.0, 2.0))
        velocity = (0.0, 0.0)
        for _ in range(60):
            play.physics.move_and_slide(hero, (0.0, -5.0), DT)
            play.step()
        assert play.pose(hero)[1] == pytest.approx(0.8, abs=1e-3)
        for _ in range(180):
            slide = play.physics.move_and_slide(hero, (-3.0, -5.0), DT)
            play.step()
            assert slide.on_floor
        assert play.pose(hero)[0] == pytest.approx(-3.0, abs=0.3)
        # From below through the roof, and back down on it.
        transform(hero).position = (-1.0, -3.0)
        velocity, highest = (0.0, 11.0), -math.inf
        for _ in range(180):
            slide = play.physics.move_and_slide(hero, velocity, DT)
            velocity = (slide.velocity[0], slide.velocity[1] - 10.0 / 60.0)
            play.step()
            highest = max(highest, play.pose(hero)[1])
        assert highest == pytest.approx(-3.0 + 6.05, abs=0.15)
        assert play.pose(hero)[1] == pytest.approx(1.8, abs=1e-3)


def test_a_rising_chain_lifts_a_character_that_stands_on_it() -> None:
    with game() as play:
        kinematic(ec.Chain([(2.0, 0.0), (-2.0, 0.0)], one_sided=True), (0.0, 0.0), (0.0, 4.0))
        hero = kinematic(ec.Box(0.6, 1.6), (0.0, 1.0))
        for _ in range(60):
            play.physics.move_and_slide(hero, (0.0, -5.0), DT)
            play.step()
        assert play.pose(hero)[1] == pytest.approx(4.0 + 0.8, abs=0.1)


def compare_with_two_sided(points: Places, drop: Callable[[], list[int]]) -> None:
    """Compare bodies on a one-sided chain with those on a two-sided one, which all stay in front."""
    ends = []
    for one_sided in (True, False):
        with game(gravity=GRAVITY) as play:
            static(ec.Chain(points, one_sided=one_sided))
            dropped = drop()
            play.step(60)
            ends.append([play.pose(each) for each in dropped])
    for one, other in zip(*ends, strict=True):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_in_front_it_acts_as_a_two_sided_chain(seed: int) -> None:
    """Circles roll over gentle hills, where no corner has a back."""
    rng = Random(seed)
    points = [(10.0 - k, rng.uniform(0.0, 0.3)) for k in range(21)]
    compare_with_two_sided(points, lambda: [dynamic(ec.Circle(0.4), (x, 2.0), (1.0, 0.0)) for x in range(-6, 7, 2)])


def test_parts_of_a_compound_continue_each_other() -> None:
    """A box and a one-sided chain make one ground, and a chain that looks down hides nothing of the box below it."""
    floor = ec.Chain([(0.0, 0.0), (-4.0, 0.0), (-10.0, 0.0)], one_sided=True)
    roof = ec.Chain([(1.0, 0.0), (9.0, 0.0)], one_sided=True)
    shape = ec.Compound([floor, (ec.Box(10.0, 1.0), (5.0, -0.5, 0.0)), roof])
    with game(gravity=GRAVITY) as play:
        static(shape, friction=0.0)
        right = dynamic(ec.Box(0.5, 0.5), (-8.0, 0.25), (6.0, 0.0), friction=0.0, group=-1)
        left = dynamic(ec.Circle(0.25), (8.0, 0.25), (-6.0, 0.0), friction=0.0, group=-1)
        jumper = dynamic(ec.Circle(0.25), (-9.0, -2.0), (0.0, 9.0))
        for _ in range(130):
            play.step()
        assert play.velocity(right) == pytest.approx((6.0, 0.0, 0.0), abs=1e-3)
        assert play.velocity(left) == pytest.approx((-6.0, 0.0, 0.0), abs=1e-3)
        assert [play.pose(each)[1] for each in (right, left, jumper)] == pytest.approx([0.25] * 3, abs=0.006)


@pytest.mark.parametrize("kind", ["static", "kinematic"])
def test_a_chain_that_is_moved_by_the_game_keeps_its_front(kind: str) -> None:
    """The chain turns upside down below a resting body, which then falls through it."""
    with game(gravity=GRAVITY) as play:
        chain = create_ground(kind, ec.Chain([(2.0, 0.0), (-2.0, 0.0)], one_sided=True))
        box = dynamic(ec.Box(0.5, 0.5), (0.0, 0.3))
        play.step(90)
        assert play.pose(box)[1] == pytest.approx(0.25, abs=0.006)
        transform(chain).angle = math.pi
        play.step(60)
        assert play.pose(box)[1] < -1.0
