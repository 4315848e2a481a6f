"""Playing a demo without a window, as fast as possible, with an optional picture file and the check at the end."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.demos.scene import DT, Run

WIDTH = 720
OVERSAMPLING = 3
"""Factor by which pictures are drawn larger and then scaled down, which makes edges smooth."""
SUFFIXES = (".gif", ".png")


def play(run: Run, frames: int, out: Path | None) -> str:
    """Play `frames` steps, write `out` and return a report as lines of text.

    A .gif shows every `steps_per_picture`-th step, a .png the last.
    """
    film = None if out is None else Filming(run, moving=out.suffix == ".gif")
    progress = Progress(f"{run.name}: step", frames)
    for frame in range(frames):
        run.step()
        if film is not None:
            film.look(last=frame == frames - 1)
        progress.show(frame + 1)
    progress.end()
    lines = [f"{run.name}: {frames} steps, {frames * DT:.1f} s"]
    if film is not None and out is not None:
        lines.append(f"  picture   {film.write(out)}")
    statistics = ec.physics().statistics
    measured = min(120, len(run.milliseconds))
    lines += [
        f"  bodies    {statistics.bodies}, of which {statistics.moving_bodies} can move",
        f"  contacts  {statistics.contacts} in the last step, {run.most_contacts} at most",
        f"  step      {run.step_time:.3f} ms (median of {measured})",
    ]
    if run.failure is not None:
        lines.append(f"  FAILED    {run.failure}")
    else:
        lines.append(f"  result    {run.result or f'not checked: that takes {run.demo.frames} steps'}")
    return "\n".join(lines)


class Filming:
    """A recorder of a run; pictures are drawn afterwards, so that they do not slow the steps."""

    def __init__(self, run: Run, moving: bool) -> None:
        from ecs_collide.demos.picture import Photographer, camera_of

        self._run, self._moving = run, moving
        self._camera = camera_of(run.demo, WIDTH)
        self._photographer = Photographer(run.demo)
        self._scenes: list[tuple[draw.Scene, float]] = []
        """Scenes with their times [s]."""

    def look(self, last: bool) -> None:
        """Record the present state if it will be drawn."""
        if last or self._run.frame % self._run.demo.steps_per_picture == 0:
            time = self._run.frame * DT
            scene = self._photographer.photograph(time, self._run.caption(), self._camera.scale)
            self._scenes.append((scene, time))

    def write(self, out: Path) -> str:
        """Write the file; return its name, size and number of frames as text."""
        scenes = self._scenes if self._moving else self._scenes[-1:]
        progress = Progress(f"drawing {out}: frame", len(scenes))
        pictures = []
        for scene, _ in scenes:
            pictures.append(draw.pillow(scene, camera=self._camera, oversampling=OVERSAMPLING))
            progress.show(len(pictures))
        progress.end()
        width, height = self._camera.size
        if self._moving:
            times = [time for _, time in scenes]
            draw.save_gif(pictures, [*times, times[-1] + DT], out)
        else:
            pictures[-1].save(out, optimize=True)
        frames = f"{len(pictures)} frames, " if self._moving else ""
        return f"{out} ({width} x {height}, {frames}{out.stat().st_size / 1e6:.1f} MB)"


class Progress:
    """A progress line on standard error, for runs of more than a second."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._interval = 0.2 if sys.stderr.isatty() else 5.0
        self._due = monotonic() + max(1.0, self._interval)
        self._shown = False

    def show(self, done: int) -> None:
        """Print the number of finished steps, unless it was printed a moment ago."""
        if monotonic() < self._due:
            return
        self._due = monotonic() + self._interval
        self._shown = True
        line = f"{self._what} {done} of {self._total}"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Remove the line."""
        if self._shown and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
