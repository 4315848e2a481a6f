"""`record`: a block of a game that writes a recording of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ecs_collide.draw.style import Label
from ecs_collide.recording.recorder import Recorder
from ecs_collide.recording.recording_data import checked_path


@contextmanager
def record(
    path: str | Path,
    *,
    keep: int | None = None,
    contacts: bool = True,
    events: bool = True,
    label: Label | None = None,
    title: str = "",
    view: tuple[float, float, float, float] | None = None,
    y_up: bool | None = None,
) -> Iterator[Recorder]:
    """Record each step of the current esper world in a `with` block, and write the file at its end.

        with ec.record("run.html"):
            for _ in range(600):
                esper.process(1 / 60)

    The file is written too if the block raises an error.

    Args:
        path: file to write: a page that plays (.html), a film (.gif), or arrays for numpy (.npz).
        keep: number of the last frames to keep; None for all.
        contacts: True to record contact points.
        events: True to record the events of the physics.
        label: function that returns the name of an entity, "" for none.
        title: title of a page; by default the name of the file.
        view: box of the world that is shown at first: left, least y, right, largest y [m]; None to fit the bodies.
        y_up: True if y points up in pictures; None (default) for up unless gravity points to larger y.

    Raises ValueError for another suffix, FileNotFoundError if the folder of the file does not exist, ImportError for a
    film without Pillow, and PhysicsError if the current esper world has no physics. All are raised before the block.
    """
    path = checked_path(path)
    if path.suffix == ".gif":
        from ecs_collide.recording import film as film  # to see now that Pillow is there
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(path.parent)!r} for the recording {path.name!r}")
    recorder = Recorder(keep=keep, contacts=contacts, events=events, label=label).attach()
    try:
        yield recorder
    finally:
        recorder.detach()
        recorder.save(path, title=title or path.stem, view=view, y_up=y_up)
