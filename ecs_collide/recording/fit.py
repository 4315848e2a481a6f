"""The box of the world that pictures of a recording show."""

from __future__ import annotations

import numpy as np

from ecs_collide.draw.camera import ViewBox
from ecs_collide.draw.scene_description import EMPTY_VIEW
from ecs_collide.recording.recording_data import Recording

FRAMES = 12
"""Number of frames whose bodies decide what pictures show."""
OUTLIERS = 10.0
"""Percentage of these frames that do not count on each side: a body that falls out of the world must not shrink it."""


def fit(recording: Recording) -> ViewBox:
    """Return the view box of a recording, or one around the bodies of some of its frames."""
    if recording.view is not None:
        return ViewBox(*recording.view)
    if not len(recording):
        return EMPTY_VIEW
    frames = np.linspace(0, len(recording) - 1, min(len(recording), FRAMES)).astype(int).tolist()
    views = np.array([recording.scene(frame).fit() for frame in frames])
    low = np.percentile(views[:, :2], OUTLIERS, axis=0)
    high = np.percentile(views[:, 2:], 100.0 - OUTLIERS, axis=0)
    return ViewBox(*low.tolist(), *high.tolist())
