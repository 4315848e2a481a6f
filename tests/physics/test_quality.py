"""Quality of the benchmark's scenes, by the benchmark's own figures: no speed-up may harm it."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from benchmarks.engines.ecs_collide_engine import EcsCollideEngine
from benchmarks.scene import State
from benchmarks.scenes import make_scene
from tests.support.own_kernels import not_plain
from tests.support.worlds import DT, game

LIMITS: dict[str, dict[str, tuple[float, float]]] = {
    "pyramid": {"deepest overlap": (0.0, 1.25), "RMS speed": (0.0, 1.0), "top sideways": (0.0, 1.0)},
    "circle_pile": {"mean overlap": (0.0, 0.9), "lost": (0.0, 0.0)},
    "gas": {"energy kept": (99.5, 100.0 + 0.1), "lost": (0.0, 0.0)},
}
"""Least and greatest value of each figure, in the benchmark's units [cm, mm/s, %]."""


@not_plain
@pytest.mark.parametrize("name", LIMITS)
def test_a_scene_of_the_benchmark(name: str) -> None:
    scene = make_scene(name)
    engine = EcsCollideEngine(scene)
    try:
        checks = [check for check in scene.checks if check.label in LIMITS[name] and not check.long]
        assert {check.label for check in checks} == set(LIMITS[name])
        (frame,) = {check.frame for check in checks}
        engine.activate()
        for _ in range(frame - 1):
            engine.step()
        before = engine.poses()
        engine.step()
        state = State(frame, engine.poses(), before, engine.velocities())
        for check in checks:
            least, greatest = LIMITS[name][check.label]
            assert least <= check.value(scene, state) <= greatest, check.label
    finally:
        engine.close()


@pytest.mark.parametrize("light", [1, 3])
def test_a_heavy_box_rests_on_light_ones(light: int) -> None:
    """A mass ratio of 100 squeezes the contacts, but the stack stands still and upright."""
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        ec.spawn(ec.HalfPlane((0.0, 1.0)), [(0.0, 0.0)], friction=0.6)
        for k in range(light + 1):
            density = 100.0 if k == light else 1.0
            ec.spawn(ec.Box(1.0, 1.0), [(0.0, 0.5 + k)], velocities=[(0.0, 0.0)], density=density, friction=0.6)
        play.step(240, dt=DT)
        assert len(esper.get_component(ec.Velocity)) == light + 1
        places, speeds = play.physics.positions[1:], play.physics.velocities[1:]
        assert np.abs(places[:, 0]).max() < 1e-3
        assert np.abs(places[:, 1] - (0.5 + np.arange(light + 1))).max() < 0.1
        assert np.abs(speeds).max() < 1e-3
