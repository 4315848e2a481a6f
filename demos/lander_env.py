"""The lander as environments of Gymnasium: a single one, and a vector of many on a batch of worlds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import ecs_collide as ec
from ecs_collide.demos.lander import REST_HEIGHT, START_HEIGHT, Inertia, build, fire
from ecs_collide.demos.scene import DT

MOST_STEPS = 1000
"""Number of steps after which an episode is truncated."""
REACH = 12.0
"""Distance from the middle at which an episode ends [m]."""
SPEED = 3.0
"""Greatest speed at the start in each direction [m/s]."""
REST_SPEED = 0.05
"""Speed below which a lander on both legs has landed [m/s]."""
HARDEST = 8.0
"""Impulse in one step that a leg does not survive [N s]."""
OBSERVATION_SPACE = gymnasium.spaces.Box(-np.inf, np.inf, (8,), np.float32)
"""Place, velocity, angle and angular velocity of the hull, in units of about 1, and 1 for each leg with contact."""
ACTION_SPACE = gymnasium.spaces.Discrete(4)
"""No engine, the left one, the main one, the right one."""
FUEL = np.array([0.0, 0.03, 0.3, 0.03])
"""Cost of a step of each action."""


class Flights:
    """The flights of a batch of landers: observations, rewards and ends as arrays with one row for each lander."""

    def __init__(self, count: int, seeds: Iterable[int] | None) -> None:
        """Make the worlds; the seeds decide the ground."""
        self.batch = ec.worlds.Batch(build, count, seeds)
        lander = self.batch.built[0]
        self._hull = self.batch.row_of(lander.hull)
        self._legs = [self.batch.row_of(leg) for leg in lander.legs]
        with self.batch.world(0) as physics:
            self._inertia = Inertia(physics.mass_of(lander.hull), physics.inertia_of(lander.hull))
        self._impulses = np.zeros((count, len(self.batch.poses[0])))
        self._potential = np.zeros(count)

    def begin(self, mask: np.ndarray, random: np.random.Generator) -> None:
        """Begin new flights of the landers in a mask (n,) bool, with random speeds."""
        self.batch.reset(mask)
        speeds = random.uniform(-SPEED, SPEED, (len(mask), 2))[mask]
        for row in (self._hull, *self._legs):
            self.batch.velocities[mask, row, :2] = speeds
        self._impulses[mask] = 0.0
        self._potential[mask] = self._find_potential(self.observe())[mask]

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Make a step and return observations (n, 8), rewards (n,) and True for each flight that ended (n,)."""
        batch = self.batch
        fire(batch.velocities[:, self._hull], batch.poses[:, self._hull, 2], actions, self._inertia, DT)
        batch.step(DT)
        self._impulses = batch.contact_impulses()
        observations = self.observe()
        potential = self._find_potential(observations)
        rewards = potential - self._potential - FUEL[actions]
        self._potential = potential
        has_crashed = (self._impulses[:, self._hull] > 0) | (self._impulses[:, self._legs] > HARDEST).any(axis=1)
        is_lost = has_crashed | (abs(batch.poses[:, self._hull, 0]) > REACH)
        is_slow = (abs(batch.velocities[:, self._hull]) < REST_SPEED).all(axis=1)
        has_landed = is_slow & (self._impulses[:, self._legs] > 0).all(axis=1) & ~is_lost
        rewards[has_landed], rewards[is_lost] = 100.0, -100.0
        return observations, rewards, has_landed | is_lost

    def observe(self) -> np.ndarray:
        """Return the observations (n, 8) float32."""
        pose, velocity = self.batch.poses[:, self._hull], self.batch.velocities[:, self._hull]
        place = (pose[:, :2] - (0.0, REST_HEIGHT)) / START_HEIGHT
        touches = self._impulses[:, self._legs] > 0
        columns = (place, velocity[:, :2] / SPEED, pose[:, 2:], velocity[:, 2:], touches)
        return np.concatenate(columns, axis=1).astype(np.float32)

    @staticmethod
    def _find_potential(observations: np.ndarray) -> np.ndarray:
        """Return how well landers are under way (n,): close to the pad, slow, upright, with legs on the ground."""
        place = np.hypot(*observations[:, :2].T)
        velocity = np.hypot(*observations[:, 2:4].T)
        touches = observations[:, 6] + observations[:, 7]
        potential: np.ndarray = -100.0 * place - 50.0 * velocity - 100.0 * abs(observations[:, 4]) + 10.0 * touches
        return potential.astype(float)


class LanderEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A lander that has to come down on its pad."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, ground: int = 0) -> None:
        """Make the world; a number chooses the ground."""
        self.observation_space, self.action_space = OBSERVATION_SPACE, ACTION_SPACE
        self._flights = Flights(1, [ground])
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self._flights.begin(np.ones(1, bool), self.np_random)
        self._steps = 0
        return self._flights.observe()[0], {}

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        observations, rewards, ended = self._flights.step(np.array([action]))
        self._steps += 1
        return observations[0], float(rewards[0]), bool(ended[0]), self._steps >= MOST_STEPS, {}

    def close(self) -> None:
        self._flights.batch.close()


class LanderVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many landers. A lander whose episode has ended begins a new one in the next step."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(self, num_envs: int = 1) -> None:
        """Make the worlds; each has a ground of its own."""
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = OBSERVATION_SPACE, ACTION_SPACE
        self.observation_space = batch_space(OBSERVATION_SPACE, num_envs)
        self.action_space = batch_space(ACTION_SPACE, num_envs)
        self._flights = Flights(num_envs, None)
        self._steps = np.zeros(num_envs, int)
        self._ended = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, bool))
        self._ended[:] = False
        return self._flights.observe(), {}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        observations, rewards, terminated = self._flights.step(np.asarray(actions))
        self._steps += 1
        truncated = self._steps >= MOST_STEPS
        if self._ended.any():
            self._begin(self._ended)
            observations = self._flights.observe()
            rewards[self._ended], terminated[self._ended], truncated[self._ended] = 0.0, False, False
        self._ended = terminated | truncated
        return observations, rewards, terminated, truncated, {}

    def close_extras(self, **kwargs: Any) -> None:
        self._flights.batch.close()

    def _begin(self, mask: np.ndarray) -> None:
        """Begin new episodes of the landers in a mask."""
        self._flights.begin(mask, self.np_random)
        self._steps[mask] = 0
