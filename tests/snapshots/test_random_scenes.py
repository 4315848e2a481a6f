"""Random scenes of the fuzzer play the same frames after a restore: here, in a new world, and in another process."""

from __future__ import annotations

from multiprocessing import get_context

import pytest

import ecs_collide as ec
from tests.snapshots.random_scenes import RandomScene, drive, replay_from_bytes, settings_of

SCENES = 24
OF_ANOTHER_PROCESS = 4
"""Every so many scenes are played in another process."""


@pytest.mark.parametrize("seed", [*range(SCENES), 1136, 1414, 1545])
def test_a_restored_scene_plays_the_same_frames(seed: int) -> None:
    scene = RandomScene(seed)
    with scene.played():
        physics = scene.physics
        if physics is None:
            pytest.skip("the case has left no world with physics")
        try:
            snapshot = physics.snapshot()
        except ec.PhysicsError as error:
            assert "within a step" in str(error)  # the case broke off its last step
            pytest.skip("the case ended within a step")
        data, settings = bytes(snapshot), settings_of(physics)
        first = drive(physics, seed)
        for again in (snapshot, snapshot, ec.Snapshot.from_bytes(data)):
            physics.restore(again)
            assert drive(physics, seed) == first
    replay = data, settings, scene.is_cramped, seed
    if seed % OF_ANOTHER_PROCESS:
        assert replay_from_bytes(*replay) == first
    else:
        with get_context("spawn").Pool(1) as pool:
            assert pool.apply(replay_from_bytes, replay) == first
