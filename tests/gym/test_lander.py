"""The lander as environments of Gymnasium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ecs_collide as ec
from ecs_collide.demos import lander_env
from ecs_collide.demos.lander import START_HEIGHT, build, fire, steer_down
from ecs_collide.demos.scene import DT

COUNT = 6


@pytest.fixture
def single() -> Iterator[lander_env.LanderEnv]:
    env = lander_env.LanderEnv()
    yield env
    env.close()


@pytest.fixture
def vector() -> Iterator[lander_env.LanderVectorEnv]:
    env = lander_env.LanderVectorEnv(COUNT)
    yield env
    env.close()


def pilot(observation: np.ndarray) -> int:
    """Return the action of the autopilot."""
    x, y, vx, vy, angle, turn = observation[:6].tolist()
    speed = lander_env.SPEED
    return steer_down(START_HEIGHT * x, START_HEIGHT * y, (speed * vx, speed * vy, turn), angle)


@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
def test_the_checker_of_gymnasium_accepts_it(single: lander_env.LanderEnv) -> None:
    check_env(single, skip_render_check=True)


def fly(env: lander_env.LanderEnv, seed: int) -> tuple[float, bool, list[Any]]:
    """Fly an episode; return the sum of its rewards, True if it was truncated, and all observations."""
    observation, _ = env.reset(seed=seed)
    total, seen = 0.0, [observation]
    while True:
        observation, reward, terminated, truncated, _ = env.step(np.int64(pilot(observation)))
        total += reward
        seen.append(observation)
        if terminated or truncated:
            return total, truncated, seen


def test_an_autopilot_lands_and_a_seed_repeats_its_flight(single: lander_env.LanderEnv) -> None:
    first = [fly(single, seed) for seed in range(3)]
    assert all(total > 100 and not truncated for total, truncated, _ in first)
    again = [fly(single, seed) for seed in range(3)]
    for (_, _, seen), (_, _, once_more) in zip(first, again):
        assert np.array_equal(seen, once_more)


def test_a_lander_without_engines_is_lost(single: lander_env.LanderEnv) -> None:
    single.reset(seed=1)
    for _ in range(300):
        _, reward, terminated, _, _ = single.step(np.int64(0))
        if terminated:
            break
    assert terminated and reward == -100


def test_an_ended_episode_begins_again_in_the_next_step(vector: lander_env.LanderVectorEnv) -> None:
    observations, _ = vector.reset(seed=3)
    assert observations.shape == (COUNT, 8) and vector.observation_space.contains(observations)
    ended = np.zeros(COUNT, bool)
    begun = 0
    for _ in range(400):
        observations, rewards, terminated, truncated, _ = vector.step(np.zeros(COUNT, int))
        assert not truncated.any()
        assert not terminated[ended].any() and not rewards[ended].any()
        heights = observations[ended, 1]
        assert np.all(heights == heights[:1]) and np.all(heights > 0.8)
        begun += int(ended.sum())
        ended = terminated
    assert begun >= COUNT


def test_an_episode_is_truncated_after_its_most_steps(
    vector: lander_env.LanderVectorEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lander_env, "MOST_STEPS", 5)
    vector.reset(seed=3)
    found = [vector.step(np.zeros(COUNT, int))[3].all() for _ in range(12)]
    assert found == [False] * 4 + [True] + [False] * 5 + [True, False]


def test_a_vector_makes_the_flights_of_single_worlds(vector: lander_env.LanderVectorEnv) -> None:
    vector.reset(seed=3)
    flights = vector._flights
    start = flights.batch.velocities.copy()
    for _ in range(60):
        vector.step(np.full(COUNT, 2))
    later = flights.batch.poses[4].copy()
    with ec.worlds.Batch(build, 1, [4]) as alone:
        alone.velocities[0] = start[4]
        for _ in range(60):
            fire(
                alone.velocities[:, flights._hull],
                alone.poses[:, flights._hull, 2],
                np.array([2]),
                flights._inertia,
                DT,
            )
            alone.step(DT)
        assert np.array_equal(alone.poses[0], later)
