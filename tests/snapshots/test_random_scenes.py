"""Random scenes of the fuzzer play the same frames after a restore: here, in a new world, and in another process."""

from __future__ import annotations

import pytest

from tests.snapshots.random_scenes import plays_again

SCENES = 24
OF_ANOTHER_PROCESS = 4
"""Every so many scenes are played in another process."""


@pytest.mark.parametrize("seed", [*range(SCENES), 1136, 1414, 1545])
def test_a_restored_scene_plays_the_same_frames(seed: int) -> None:
    if plays_again(seed, in_another_process=seed % OF_ANOTHER_PROCESS == 0) is None:
        pytest.skip("the case has left no world to take a snapshot of")
