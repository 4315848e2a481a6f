"""Every step is bounded, whatever the restitution and wherever the balls were put; nothing passes at the bound."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.exact.impact_limit import PATIENCE, SQUEEZE_CAP, STEP_CAP
from tests.support.exact_world import ExactWorld

GRAVITIES = ((0.0, 0.0), (0.0, -9.81))


def run_with_bound(world: ExactWorld, steps: int, most: int) -> int:
    """Make steps of at most so many impacts; return how often a ball reached the cap."""
    caps = 0
    for _ in range(steps):
        world.step()
        caps += world.solver.cap_hits
        assert world.solver.impacts <= most
        assert len(world.solver.records[0]) <= most
        assert np.isfinite(world.places).all() and np.isfinite(world.velocities).all()
    return caps


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("width", [0.7000002, 0.7, 0.698, 0.6, 0.3])
def test_a_ball_in_a_slot_of_its_own_width_slides_on_along_it(width: float, gravity: tuple[float, float]) -> None:
    world = ExactWorld(gravity)
    world.add_balls([(0.0, 0.0)], [(1.0, 0.5)], 0.35)
    for side in (-1.0, 1.0):
        world.add_obstacle(ec.Box(40.0, 1.0), (0.0, side * (0.5 + 0.5 * width)), restitution=1.0)
    caps = run_with_bound(world, 60, STEP_CAP + 2 * PATIENCE)
    assert caps == 1
    assert world.places[0, 0] == pytest.approx(1.0)
    assert abs(world.places[0, 1]) <= 0.02
    assert world.velocities[0].tolist() == pytest.approx([1.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("place", [(1.05, 1.05), (1.06, 1.05), (1.0, 1.0), (1.3, 1.05), (0.5, 0.5)])
def test_a_ball_put_into_a_lossless_bitmap_stays_in_its_hole(place: tuple[float, float]) -> None:
    world = ExactWorld()
    world.add_balls([place], [(1.0, 0.3)], 0.35)
    world.add_obstacle(ec.Bitmap([[1, 1, 1], [1, 0, 1], [1, 1, 1]], 0.7), restitution=1.0)
    assert run_with_bound(world, 60, 3 * (SQUEEZE_CAP + PATIENCE)) >= 1
    assert np.abs(world.places[0] - 1.05).max() <= 0.01


def test_a_restitution_above_1_kicks_like_a_bumper_up_to_a_speed() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 1.0), (5.0, 1.0)], [(0.0, -3.0), (0.0, -3000.0)], 0.25, 1.0, 1.5)
    world.add_obstacle(ec.HalfPlane())
    world.step(30)
    assert world.velocities[:, 1].tolist() == [4.5, 3000.0]
    world.add_obstacle(ec.HalfPlane((0, -1), -2.0))
    caps = run_with_bound(world, 600, 100)
    assert caps == 0
    assert np.abs(world.velocities[:, 1]).tolist() == pytest.approx([1000.0, 3000.0])
    assert (np.abs(world.places[:, 1] - 1.0) <= 0.75 + 1e-9).all()


def test_bumpers_that_leave_a_ball_no_room_are_bounded() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.35)], [(1.0, 3.0)], 0.35, 1.0, 1.5)
    world.add_obstacle(ec.HalfPlane())
    world.add_obstacle(ec.HalfPlane((0, -1), -0.7))
    assert run_with_bound(world, 60, 400) == 1
    assert world.places[0].tolist() == pytest.approx([1.0, 0.35])


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("speed", [20.0, 200.0, 2000.0])
@pytest.mark.parametrize("overlap", [0.0, 0.001, 0.05, 0.2])
def test_a_ball_that_another_one_drives_along_the_inside_of_a_ring_does_not_leave_it(
    overlap: float, speed: float, restitution: float, gravity: tuple[float, float]
) -> None:
    for along in (0.0, 5.0, -30.0):
        world = ExactWorld(gravity)
        world.add_balls([(0.0, overlap - 3.5)], [(along, 0.0)], 0.5, 1.0, restitution)
        world.add_balls([(0.3, -1.0)], [(0.0, -speed)], 0.5, 1.0, restitution)
        world.add_obstacle(ec.Ring(4.0 - overlap), restitution=restitution)
        for _ in range(4):
            world.step()
            assert np.hypot(*world.places.T).max() <= 3.5 + 0.01


@pytest.mark.parametrize("speed", [1e6, 1e12])
def test_absurd_speeds_are_bounded(speed: float) -> None:
    world = ExactWorld((0.0, -9.81))
    world.add_balls([(0.0, 1.0)], [(0.0, speed)], 0.25)
    world.add_box((-1.0, 0.0), (1.0, 2.0))
    run_with_bound(world, 4, STEP_CAP + 2 * PATIENCE)
    assert abs(world.places[0, 1] - 1.0) <= 0.75 + 1e-9


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("angle", [0.3, 1.2, 1.5])
def test_a_ball_that_falls_into_a_wedge_stays_in_it(angle: float, restitution: float) -> None:
    world = ExactWorld((0.0, -9.81))
    world.add_balls([(0.0, 3.0)], [(0.1, -1.0)], 0.2, 1.0, restitution)
    normals = [(side * np.sin(angle), np.cos(angle)) for side in (-1.0, 1.0)]
    for normal in normals:
        world.add_obstacle(ec.HalfPlane(normal, 0.0), restitution=restitution)
    for _ in range(120):
        run_with_bound(world, 1, STEP_CAP)
        assert all(world.places[0] @ normal >= 0.15 for normal in normals)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0, 1.3])
def test_two_walls_that_close_on_a_ball_do_not_hang(restitution: float) -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.1)], [(0.0, 0.0)], 0.3, 1.0, restitution)
    for side in (-1.0, 1.0):
        world.add_obstacle(ec.Box(6.0, 1.0), (0.0, side * 1.0), velocity=(0.0, -2.0 * side), restitution=restitution)
    assert run_with_bound(world, 30, 3_000) >= 1


@pytest.mark.parametrize("gap", [0.0, 1e-4, 0.01])
@pytest.mark.parametrize("restitution", [0.0, 0.05])
def test_a_rack_that_is_hit_and_hardly_bounces_keeps_its_momentum_at_the_cap(restitution: float, gap: float) -> None:
    world = ExactWorld()
    side = 0.5 + 0.25 * gap
    rack = [(2.0 * row * side * 0.75**0.5, (2 * k - row) * side) for row in range(4) for k in range(row + 1)]
    world.add_balls([*rack, (-2.0, 0.0)], [*([(0.0, 0.0)] * len(rack)), (8.0, 0.0)], 0.5, 1.0, restitution)
    energies = [world.energy]
    caps = 0
    for _ in range(60):
        world.step()
        caps += world.solver.cap_hits
        energies.append(world.energy)
    assert caps >= 1
    assert world.velocities.sum(axis=0).tolist() == pytest.approx([8.0, 0.0], abs=1e-12)
    assert (np.diff(energies) <= 1e-12).all()
    assert 8.0**2 / 2 / 11 <= energies[-1] <= 5.0  # the least is that of one lump
    assert world.deepest_overlap() <= 1e-9
