"""The two disks in a ring as an environment of PettingZoo: both players act at the same time."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

import ecs_collide as ec
from ecs_collide.demos.scene import DT
from ecs_collide.demos.sumo import RING, build, push

MOST_STEPS = 600
"""Number of steps after which a bout is truncated."""
DIRECTIONS = ((0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))
"""Direction of the push of each action; for the right player they are turned by half a revolution."""


class SumoEnv(ParallelEnv[str, np.ndarray, np.int64]):
    """Two players who push each other out of a ring. Each sees the ring from its own side."""

    metadata: dict[str, Any] = {"name": "sumo", "render_modes": []}  # noqa: RUF012 - as PettingZoo declares it

    def __init__(self) -> None:
        """Make the world."""
        self.possible_agents = ["left", "right"]
        self.agents: list[str] = []
        space = gymnasium.spaces.Box(-np.inf, np.inf, (8,), np.float32)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(len(DIRECTIONS)) for agent in self.possible_agents}
        self._batch = ec.worlds.Batch(build, 1)
        self._disks = dict(zip(self.possible_agents, self._batch.built[0]))
        self._rows = [self._batch.row_of(disk) for disk in self._disks.values()]
        self._random = np.random.default_rng(0)
        self._steps = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[np.ndarray]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[np.int64]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._batch.reset()
        self._batch.poses[0, self._rows, 1] += self._random.uniform(-1.0, 1.0, 2)
        self.agents = list(self.possible_agents)
        self._steps = 0
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, np.int64]
    ) -> tuple[dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        with self._batch.world(0):
            for agent, action in actions.items():
                x, y = DIRECTIONS[action]
                side = 1.0 if agent == "left" else -1.0
                push(self._disks[agent], side * x, side * y)
        self._batch.step(DT)
        self._steps += 1
        out = dict(zip(self.agents, np.hypot(*self._batch.poses[0, self._rows, :2].T) > RING))
        has_ended, is_late = any(out.values()), self._steps >= MOST_STEPS
        rewards = {agent: float(out[other]) - float(out[agent]) for agent, other in zip(self.agents, self.agents[::-1])}
        observations, agents = self._observe(), self.agents
        if has_ended or is_late:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(agents, has_ended),
            dict.fromkeys(agents, is_late),
            {agent: {} for agent in agents},
        )

    def close(self) -> None:
        self._batch.close()

    def _observe(self) -> dict[str, np.ndarray]:
        """Return what each player sees: its place and velocity, and those of the other, from its own side."""
        states = np.hstack((self._batch.poses[0, self._rows, :2], self._batch.velocities[0, self._rows, :2]))
        return {
            "left": states.ravel().astype(np.float32),
            "right": -states[::-1].ravel().astype(np.float32),
        }
