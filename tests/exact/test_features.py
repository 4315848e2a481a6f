"""Impacts of a ball with each kind of obstacle, against closed forms."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.exact_world import ExactWorld

STEP = 1.0
"""All impacts of a test happen within one step of this length [s]."""


def hit(
    shape: ec.Shape,
    place: tuple[float, float],
    velocity: tuple[float, float],
    radius: float = 0.5,
    restitution: float = 1.0,
    at: tuple[float, float] = (0.0, 0.0),
    angle: float = 0.0,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Place and velocity of a ball after one step, and how often it hit the shape."""
    world = ExactWorld()
    world.add_balls([place], [velocity], radius, 1.0, restitution)
    world.add_obstacle(shape, at, angle, restitution)
    world.step(1, STEP)
    return world.places[0].copy(), world.velocities[0].copy(), world.solver.impacts


SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))

FROM_ABOVE = [
    (ec.HalfPlane(), 0.0),
    (ec.Segment((-3.0, 0.0), (3.0, 0.0)), 0.0),
    (ec.Segment((3.0, 0.0), (-3.0, 0.0)), 0.0),
    (ec.Capsule((-3.0, 0.0), (3.0, 0.0), 0.25), 0.25),
    (ec.Box(2.0, 2.0), 1.0),
    (ec.Polygon(SQUARE), 1.0),
    (ec.Circle(1.5), 1.5),
    (ec.Chain(((3.0, 0.0), (0.0, 0.0), (-3.0, 0.0))), 0.0),
    (ec.Sector(2.0, pi / 2, direction=pi / 2), 2.0),
    (ec.Sector(2.0, 2.5, direction=pi / 2), 2.0),
]


@pytest.mark.parametrize(("shape", "top"), FROM_ABOVE, ids=lambda value: str(value)[:24])
def test_a_ball_from_above_turns_back_at_the_top(shape: ec.Shape, top: float) -> None:
    start, speed = top + 3.5, 7.0
    place, velocity, impacts = hit(shape, (0.0, start), (0.0, -speed))
    time = (start - 0.5 - top) / speed
    assert impacts >= 1
    assert np.allclose(velocity, (0.0, speed), rtol=0.0, atol=1e-12)
    assert np.allclose(place, (0.0, top + 0.5 + speed * (STEP - time)), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -2.9])
def test_obstacles_may_be_turned_and_put_anywhere(angle: float) -> None:
    c, s = cos(angle), sin(angle)

    def turned(x: float, y: float) -> tuple[float, float]:
        return 5.0 + c * x - s * y, -3.0 + s * x + c * y

    for shape, top in FROM_ABOVE:
        start = turned(0.0, top + 3.5)
        place, velocity, _ = hit(shape, start, (7.0 * s, -7.0 * c), at=(5.0, -3.0), angle=angle)
        assert np.allclose(velocity, (-7.0 * s, 7.0 * c), rtol=0.0, atol=1e-11)
        assert np.allclose(place, turned(0.0, top + 0.5 + 7.0 - 3.0), rtol=0.0, atol=1e-11)


def test_a_corner_turns_a_ball_along_the_line_of_centres() -> None:
    # The centre comes down 0.3 to the right of the corner (1, 1), so the normal is (0.6, 0.8).
    _, velocity, impacts = hit(ec.Box(2.0, 2.0), (1.3, 4.0), (0.0, -5.0))
    assert impacts == 1
    assert np.allclose(velocity, (2.0 * 4.0 * 0.6, -5.0 + 2.0 * 4.0 * 0.8), rtol=0.0, atol=1e-12)


def test_the_end_of_a_segment_is_a_corner() -> None:
    _, velocity, impacts = hit(ec.Segment((-3.0, 0.0), (0.0, 0.0)), (0.3, 3.0), (0.0, -5.0))
    assert impacts == 1
    assert np.allclose(velocity, (4.8, 1.4), rtol=0.0, atol=1e-12)


def test_a_ball_that_misses_a_corner_by_a_hair_is_not_turned() -> None:
    place, velocity, impacts = hit(ec.Box(2.0, 2.0), (1.5 + 1e-9, 4.0), (0.0, -8.0))
    assert impacts == 0
    assert velocity.tolist() == [0.0, -8.0]
    assert place.tolist() == [1.5 + 1e-9, -4.0]


def test_a_ball_in_a_ring_bounces_from_side_to_side() -> None:
    # Along a diameter of a ring of radius 2 the centre of a ball of radius 0.5 has 1.5 to each side.
    place, velocity, impacts = hit(ec.Ring(2.0), (0.0, 0.0), (15.0, 0.0))
    assert impacts == 5
    assert np.allclose(velocity, (-15.0, 0.0), rtol=0.0, atol=1e-11)
    assert np.allclose(place, 0.0, rtol=0.0, atol=1e-11)


def test_a_bullet_in_a_ring_stays_in_it_and_keeps_its_angle() -> None:
    world = ExactWorld()
    world.add_balls([(0.9, 0.0)], [(300.0, 400.0)], 0.1)
    world.add_obstacle(ec.Ring(1.1), restitution=1.0)
    impacts = 0
    for _ in range(60):
        world.step()
        impacts += world.solver.impacts
        assert np.hypot(*world.places[0]) <= 1.0 + 1e-12
    x, y = world.places[0]
    vx, vy = world.velocities[0]
    assert impacts > 250
    assert abs(np.hypot(vx, vy) / 500.0 - 1.0) < 1e-12
    assert abs((x * vy - y * vx) / (0.9 * 400.0) - 1.0) < 1e-9  # angular momentum about the centre


def test_a_ball_slides_along_a_ring_without_end_and_without_losing_speed() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, -1.0)], [(20.0, -5.0)], 0.5, 1.0, 0.3)
    world.add_obstacle(ec.Ring(1.5), restitution=0.3)
    world.step(60)
    speed = np.hypot(*world.velocities[0])
    world.step(300)
    assert world.solver.cap_hits == 0
    assert 3 <= world.solver.impacts < 100
    assert abs(np.hypot(*world.velocities[0]) / speed - 1.0) < 1e-9
    assert np.hypot(*world.places[0]) <= 1.0 + 1e-9


def test_a_bank_that_bends_inwards_sends_a_ball_to_its_focus_line() -> None:
    bank = ec.ArcPolygon(((-2.0, -3.0), (2.0, -3.0), (2.0, 0.0), (-2.0, 0.0)), (0.0, 0.0, -1.0, 0.0))
    # The top edge is a semicircle of radius 2 around the origin, bent into the solid.
    place, velocity, impacts = hit(bank, (0.0, 1.0), (0.0, -5.0), radius=0.5)
    assert impacts == 1
    assert np.allclose(velocity, (0.0, 5.0), rtol=0.0, atol=1e-9)
    assert np.allclose(place, (0.0, -1.5 + 5.0 - 2.5), rtol=0.0, atol=1e-9)
    _, velocity, _ = hit(bank, (0.9, 1.0), (0.0, -4.0), radius=0.5)
    normal = np.array((-0.9, sqrt(1.5**2 - 0.81))) / 1.5
    assert np.allclose(velocity, (0.0, -4.0) - 2.0 * normal * (-4.0 * normal[1]), rtol=0.0, atol=1e-9)


def test_a_row_of_tiles_is_one_floor() -> None:
    world = ExactWorld()
    world.add_balls([(0.25, 3.0)], [(40.0, -30.0)], 0.5)
    for k in np.random.default_rng(0).permutation(50):
        world.add_obstacle(ec.Box(1.0, 1.0), (float(k), -0.5), restitution=1.0)
    world.columns.update()
    world.step(60)
    assert np.allclose(world.velocities, (40.0, 30.0), rtol=0.0, atol=1e-12)
    assert np.allclose(world.places, (0.25 + 40.0, 0.5 + 30.0 - 2.5), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("thickness", [0.0, 0.1])
@pytest.mark.parametrize("wall_speed", [0.0, -30.0])
@pytest.mark.parametrize("slope", [0.0, 1.0, 20.0])
def test_200_circles_at_up_to_1000_radii_a_step_never_pass_a_thin_wall(
    thickness: float, wall_speed: float, slope: float
) -> None:
    speeds = np.geomspace(0.5, 1000.0, 200) * 0.1 * 60.0
    ys = np.arange(200.0) * 0.5
    world = ExactWorld()
    directions = np.array((1.0, slope)) / np.hypot(1.0, slope)
    world.add_balls(np.column_stack((-np.full(200, 2.0), ys)), speeds[:, None] * directions, 0.1)
    for filter_row in world.rows:
        world.columns.bodies.arrays.filter[filter_row, 2] = -1  # they do not meet each other
    length = 30_000.0
    shape = ec.Segment((0.0, -length), (0.0, length)) if thickness == 0.0 else ec.Box(thickness, 2.0 * length)
    world.add_obstacle(shape, restitution=1.0, velocity=(wall_speed, 0.0) if wall_speed else None)
    for step in range(1, 200):
        world.step()
        wall = wall_speed * step / 60.0
        assert (world.places[:, 0] <= wall - 0.5 * thickness - 0.1 + 1e-9).all()
    fast = speeds * directions[0] - wall_speed > 1.0
    assert (world.velocities[fast, 0] < 0.0).all()


def test_bullets_head_on_never_pass_each_other() -> None:
    world = ExactWorld()
    count = 100
    speeds = np.geomspace(1.0, 10_000.0, count)
    ys = np.arange(count) * 1.0
    world.add_balls(np.column_stack((-np.full(count, 3.0), ys)), np.column_stack((speeds, 0 * speeds)), 0.1)
    world.add_balls(np.column_stack((np.full(count, 3.0), ys)), np.column_stack((-speeds, 0 * speeds)), 0.1)
    world.step(240)
    left, right = world.places[:count, 0], world.places[count:, 0]
    assert (right - left >= 0.2 - 1e-9).all()
    assert np.allclose(world.velocities[:count, 0], -speeds, rtol=1e-12)


def test_a_ball_between_two_closing_walls_reaches_the_cap_and_it_is_counted() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.0)], [(1.0, 0.0)], 0.5)
    for x, speed in ((-1.0, 30.0), (1.0, -30.0)):
        world.add_obstacle(ec.Segment((x, -2.0), (x, 2.0)), velocity=(speed, 0.0), restitution=1.0)
    world.step()
    assert world.solver.cap_hits == 1
