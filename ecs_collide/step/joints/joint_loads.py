"""Joints that bore more than their thresholds, or than they can bear, in the last step."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.joints import NUMBERS
from ecs_collide.step.notify.events import Event


def is_breaking(numbers: np.ndarray) -> bool:
    """Return True if a joint bore more than its `break_force` or `break_torque`, by its row of numbers."""
    return _exceeds(numbers, NUMBERS.BREAK_FORCE, NUMBERS.BREAK_TORQUE)


def overload_events(numbers: np.ndarray, rows: list[tuple[int, int]]) -> list[Event]:
    """Return an event for each joint above a threshold that does not break. `rows` has entity and row of each joint."""
    events: list[Event] = []
    for entity, row in rows:
        is_loaded = _exceeds(numbers[row], NUMBERS.FORCE_THRESHOLD, NUMBERS.TORQUE_THRESHOLD)
        if is_loaded and not is_breaking(numbers[row]):
            force, torque = numbers[row, [NUMBERS.FORCE, NUMBERS.TORQUE]].tolist()
            events.append(("joint_overload", (entity, force, torque)))
    return events


def _exceeds(numbers: np.ndarray, of_force: int, of_torque: int) -> bool:
    """Return True if a joint bore more than the force or the torque in two of its columns."""
    return bool(numbers[NUMBERS.FORCE] > numbers[of_force] or abs(numbers[NUMBERS.TORQUE]) > numbers[of_torque])
