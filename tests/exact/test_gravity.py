"""Under gravity and forces balls fly on parabolas: energy and heights are kept, whatever the step's length."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.exact_world import ExactWorld

G = 9.81


def height_energy(world: ExactWorld) -> np.ndarray:
    """Energy of each ball [J/kg], above y = 0."""
    energy: np.ndarray = 0.5 * (world.velocities**2).sum(axis=1) + G * world.places[:, 1]
    return energy


@pytest.mark.parametrize("dt", [1 / 30, 1 / 60])
@pytest.mark.parametrize("height", [0.2, 1.0, 5.0])
def test_a_lossless_ball_keeps_its_energy_over_a_thousand_bounces(height: float, dt: float) -> None:
    world = ExactWorld((0.0, -G))
    world.add_balls([(0.0, height + 0.5)], [(0.3, 0.0)])
    world.add_obstacle(ec.HalfPlane(), restitution=1.0)
    before, impacts = height_energy(world) - 0.5 * G, 0
    while impacts < 1000:
        world.step(1, dt)
        impacts += world.solver.impacts
    assert abs((height_energy(world) - 0.5 * G) / before - 1.0).max() <= 1e-11


@pytest.mark.parametrize("restitution", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("dt", [1 / 30, 1 / 60, 1 / 240])
def test_each_apex_is_the_square_of_the_restitution_lower(restitution: float, dt: float) -> None:
    world = ExactWorld((0.0, -G))
    world.add_balls([(0.0, 2.5)], [(0.0, 0.0)], 0.5, 1.0, restitution)
    world.add_obstacle(ec.HalfPlane())
    bounces = 0
    while 2.0 * restitution ** (2 * bounces) > 2.0 * G * (2.0 * dt) ** 2:
        world.step(1, dt)
        bounces += world.solver.impacts
        apex = (height_energy(world)[0] - 0.5 * G) / G
        assert apex == pytest.approx(2.0 * restitution ** (2 * bounces), rel=1e-10)
    world.step(round(3.0 / dt), dt)
    assert not world.velocities.any()
    assert world.places[0, 1] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_gas_under_gravity_keeps_its_energy_for_a_minute(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = ExactWorld((0.0, -G))
    grid = np.array([(x, y) for x in np.arange(8) + 0.6 for y in np.arange(8) + 0.6])[:60]
    world.add_balls(grid, rng.normal(0.0, 3.0, (60, 2)), 0.3)
    world.add_box((0.0, 0.0), (10.0, 10.0))
    before = height_energy(world).sum()
    world.step(3600)
    assert abs(height_energy(world).sum() / before - 1.0) <= 1e-12
    assert world.deepest_overlap() <= 1e-9
    assert world.solver.cap_hits == 0


OBSTACLES = [
    (ec.Circle(3.0), (0.0, -3.0)),
    (ec.Ring(4.0), (0.0, 2.0)),
    (ec.Chain(((4.0, 2.0), (2.0, -1.0), (-1.5, -1.0), (-4.0, 2.0))), (0.0, 0.0)),
    (ec.Bitmap([[1, 0, 0, 1], [1, 1, 1, 1]], 1.5), (-3.0, -2.0)),
    (ec.ArcPolygon(((-4.0, -2.0), (4.0, -2.0), (4.0, 1.0), (-4.0, 1.0)), (0.0, 0.0, -0.4, 0.0)), (0.0, -1.0)),
]


@pytest.mark.parametrize(("shape", "place"), OBSTACLES, ids=lambda value: type(value).__name__)
def test_energy_is_kept_on_corners_and_on_arcs_from_both_sides(shape: ec.Shape, place: tuple[float, float]) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        world = ExactWorld((0.0, -G))
        world.add_balls([(rng.uniform(-1.0, 1.0), 3.0)], [(rng.normal(0.0, 0.3), 0.0)], 0.25)
        world.add_obstacle(shape, place, restitution=1.0)
        before, impacts = height_energy(world), 0
        for _ in range(600):
            world.step()
            impacts += world.solver.impacts
        assert impacts >= 1
        assert np.abs(height_energy(world) / before - 1.0).max() <= 1e-11


def test_balls_that_are_pulled_in_different_ways_meet_where_their_parabolas_do() -> None:
    world = ExactWorld((0.0, -G))
    world.add_balls([(0.0, 1.0), (0.0, 3.0)], [(0.0, 0.0), (0.0, 0.0)], 0.5, [1.0, 2.0])
    bodies = world.columns.bodies.arrays
    bodies.motion[world.rows[0], 0] = 0.0
    world.step(1, 1.0)
    time = np.sqrt(2.0 / G)  # to fall by 1 m
    speed = G * time
    low, high = world.velocities[:, 1]
    assert low == pytest.approx(-4.0 / 3.0 * speed, rel=1e-12)
    assert high == pytest.approx(-speed / 3.0 - G * (1.0 - time), rel=1e-12)
    assert world.solver.impacts == 1


def test_a_force_bends_the_way_within_a_step() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.0)], [(10.0, 0.0)], 0.5, 2.0)
    world.columns.bodies.arrays.force[world.rows[0], 1] = -8.0
    world.add_obstacle(ec.Box(2.0, 1.0), (10.0, -3.0), restitution=1.0)
    world.step(1, 1.2)  # falls by 2 m in the first second, onto the box
    assert world.solver.impacts == 1
    assert world.velocities[0].tolist() == pytest.approx([10.0, 4.0 - 4.0 * 0.2], rel=1e-12)


def test_a_ball_that_lies_is_pushed_along_the_floor() -> None:
    for restitution in (1.0, 0.6):
        world = ExactWorld((0.0, -G))
        world.add_balls([(0.0, 0.5), (-0.6, -9.0)], np.zeros((2, 2)), 0.5, 1.0, restitution)
        world.add_obstacle(ec.HalfPlane())
        world.step(5)
        assert not world.velocities[0].any()
        world.columns.bodies.arrays.pose[world.rows[1], :2] = (-3.0, 0.5)
        world.velocities = [(0.0, 0.0), (6.0, 0.0)]
        world.step(60)
        assert world.velocities[0, 0] == pytest.approx(3.0 * (1.0 + restitution), rel=1e-9)
        assert world.places[0, 1] == pytest.approx(0.5, abs=1e-8)


def test_a_ball_that_slides_along_a_wall_falls_like_any_other() -> None:
    world = ExactWorld((0.0, -G))
    world.add_balls([(0.5, 2.5)], [(0.0, 0.0)], 0.5, 1.0, 0.8)
    world.add_obstacle(ec.HalfPlane())
    world.add_obstacle(ec.HalfPlane((1, 0)))
    bounces = 0
    for _ in range(200):
        world.step()
        bounces += world.solver.impacts
        assert (height_energy(world)[0] - 0.5 * G) / G == pytest.approx(2.0 * 0.64**bounces, rel=1e-10)
        assert world.places[0, 0] == 0.5
    assert bounces >= 3


def test_a_small_ball_does_not_fall_through_a_thin_floor_in_long_steps() -> None:
    rng = np.random.default_rng(1)
    for restitution in (0.0, 0.3, 1.0):
        world = ExactWorld((0.0, -G))
        world.add_balls(
            np.column_stack((np.linspace(-3.0, 3.0, 60), rng.uniform(0.02, 1.0, 60))),
            rng.normal(0.0, 1.0, (60, 2)) * (0.1, 1.0),
            0.004,
            1.0,
            restitution,
        )
        world.add_obstacle(ec.Segment((-99.0, 0.0), (99.0, 0.0)), restitution=restitution)
        for _ in range(150):
            world.step(1, 1 / 30)
            assert world.places[:, 1].min() >= 0.004 - 1e-4


def test_a_lossless_ball_that_lies_still_stays_there() -> None:
    world = ExactWorld((0.0, -G))
    world.add_balls([(0.0, 0.5), (0.0, 1.5)], np.zeros((2, 2)))
    world.add_obstacle(ec.HalfPlane(), restitution=1.0)
    for _ in range(120):
        world.step()
        assert world.solver.impacts == 0
    assert np.abs(world.velocities).max() <= 1e-9
