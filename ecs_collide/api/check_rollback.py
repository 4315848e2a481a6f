"""A check that a game plays the same frames again after a restore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import esper

from ecs_collide.api.install import physics as present_physics
from ecs_collide.errors import PhysicsError
from ecs_collide.snapshots.frame_record import FrameRecord, find_difference, record_frame
from ecs_collide.step.notify.handlers import EVENTS, off, on
from ecs_collide.validate import integer


def check_rollback(
    step: Callable[[], object], frames: int = 8, *, copy: Mapping[type, Callable[[Any], Any]] | None = None
) -> None:
    """Check that the frames of a game are the same when they are played again after a restore.

    The function takes a snapshot, calls `step` for each frame, restores the snapshot, and calls `step` again as often.
    After each frame it compares all components of all entities, the events of the physics and those that the game
    dispatches, and the arrays of the physics. At the end the world is in the state before the call.

    Args:
        step: function that plays one frame of the game, with everything that it does before and after `esper.process`.
        frames: number of frames.
        copy: functions that copy components of the game, see `PhysicsWorld.snapshot`.

    Raises PhysicsError that names the frame and the first component, event or array that differs. Frame 0 is the state
    right after the restore: a component differs there if the game changes an object that its copy shares. Give a
    function for its type with `copy`. In later frames look for values that the game keeps outside of its components,
    for random numbers, and for loops over sets.
    """
    count = integer(frames, "frames", 1, 1 << 30)
    physics = present_physics()
    snapshot = physics.snapshot(copy=copy)
    state = physics._snapshots.world_state()
    events: list[str] = []

    def play() -> Iterator[FrameRecord]:
        events.clear()
        yield record_frame(state, events)
        for _ in range(count):
            events.clear()
            step()
            yield record_frame(state, events)

    with _recorded_events(events):
        first = list(play())
        physics.restore(snapshot)
        try:
            for number, (one, other) in enumerate(zip(first, play(), strict=True)):
                difference = find_difference(state, one, other)
                if difference is not None:
                    when = f"frame {number}" if number else "frame 0, right after the restore"
                    raise PhysicsError(f"{when}: {difference}")
        finally:
            physics.restore(snapshot)


@contextmanager
def _recorded_events(events: list[str]) -> Iterator[None]:
    """Append the events of the physics, and those that the game dispatches, to a list."""
    handlers = {name: _recorder(name, events) for name in EVENTS}
    dispatch = esper.dispatch_event

    def record_and_dispatch(name: str, *arguments: Any) -> None:
        events.append(f"{name}{arguments!r}")
        dispatch(name, *arguments)

    for name, handler in handlers.items():
        on(name, handler)
    esper.dispatch_event = record_and_dispatch
    try:
        yield
    finally:
        esper.dispatch_event = dispatch
        for name, handler in handlers.items():
            off(name, handler)


def _recorder(name: str, events: list[str]) -> Callable[..., None]:
    def record(*arguments: Any) -> None:
        events.append(f"{name}{arguments!r}")

    return record
