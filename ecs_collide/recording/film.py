"""Recordings as films."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ecs_collide.draw.camera import Camera
from ecs_collide.draw.on_pillow import pillow, save_gif
from ecs_collide.draw.style import DARK, Colours, Show
from ecs_collide.recording.fit import fit
from ecs_collide.recording.recording_data import Recording

PICTURES_PER_SECOND = 30.0
SHOW = Show(contacts=True)


def save_film(
    recording: Recording, path: str | Path, *, width: int = 640, show: Show = SHOW, colours: Colours = DARK
) -> None:
    """Write a recording as a GIF with 30 pictures a second.

    Raises ValueError for a recording without a frame.
    """
    if not len(recording):
        raise ValueError("a recording without a frame makes no film")
    camera = Camera.over(fit(recording), width, recording.y_up)
    wanted = np.arange(0.0, recording.times[-1] + 1e-9, 1.0 / PICTURES_PER_SECOND)
    frames = np.unique(np.searchsorted(recording.times, wanted - 1e-9)).tolist()
    pictures = [pillow(recording.scene(frame, show, colours, camera.scale), camera=camera) for frame in frames]
    end = float(recording.times[frames[-1]]) + 1.0 / PICTURES_PER_SECOND
    save_gif(pictures, [*recording.times[frames].tolist(), end], path)
