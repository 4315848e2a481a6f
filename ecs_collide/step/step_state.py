"""The numbers of the step that is under way, for all stages."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.settings import Settings
from ecs_collide.common.tolerances import SHORTEST_SUBSTEP
from ecs_collide.data.state_list import list_state

NO_TIME = np.zeros(1)


class StepState:
    """The settings and the length of the step that is under way, or was the last."""

    state_list = list_state(
        values="settings had_response is_unanswered",
        arrays="length has_worked",
        renewed={"is_list_current": False},
        left_out="restores",
    )

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.length = np.zeros(1)
        """Length of the step [s] (1,), which kernels read."""
        self.has_worked = np.zeros(1, np.int64)
        """1 if Python worked in this step before its events are gathered, else 0 (1,)."""
        self.is_list_current = False
        """True while the columns are those that the list of calls was built from."""
        self.restores = 0
        """Number of snapshots that were restored."""
        self.had_response = True
        """True if the world's own response ran in the last complete step."""
        self.is_unanswered = False
        """True if Notify has found that no response ran in this step."""

    @property
    def look_ahead(self) -> np.ndarray:
        """Time within which approaching pairs get a contact [s] (1,): a step, or 0 without continuous collision."""
        return self.length if self.settings.continuous else NO_TIME

    @property
    def dt(self) -> float:
        """Length of the step [s]."""
        return self.length.item()

    @property
    def is_pause(self) -> bool:
        """True if the step is too short to move anything."""
        return self.dt / self.settings.substeps < SHORTEST_SUBSTEP
