"""The two disks in a ring as an environment of PettingZoo."""

from __future__ import annotations

import warnings

import numpy as np
from pettingzoo.test import parallel_api_test

from ecs_collide.demos.sumo_env import SumoEnv


def test_the_checker_of_pettingzoo_accepts_it() -> None:
    env = SumoEnv()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        parallel_api_test(env, num_cycles=700)
    env.close()


def test_who_is_pushed_out_loses() -> None:
    env = SumoEnv()
    first, _ = env.reset(seed=4)
    assert first["left"][0] < 0 and first["right"][0] < 0  # each sees itself on the left
    again, _ = env.reset(seed=4)
    assert np.array_equal(first["left"], again["left"])
    while env.agents:
        _, rewards, terminated, truncated, _ = env.step({"left": np.int64(1), "right": np.int64(0)})  # it walks out
    assert rewards == {"left": -1.0, "right": 1.0}
    assert terminated == {"left": True, "right": True} and truncated == {"left": False, "right": False}
    env.close()
