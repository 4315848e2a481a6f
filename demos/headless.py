"""Playing a demo without a window, as fast as possible, with an optional picture file and the check at the end."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Run

if TYPE_CHECKING:
    from PIL.Image import Image

    from ecs_collide.demos.picture import Drawn

WIDTH = 720
OVERSAMPLING = 3
COLOURS = 96
"""Number of colours in a GIF, besides the transparent one."""
LAST_PICTURE = 1500
"""Duration of the last picture of a GIF [ms]."""
SUFFIXES = (".gif", ".png")


def play(run: Run, frames: int, out: Path | None) -> str:
    """Play `frames` steps, write `out` and return a report as lines of text.

    A .gif shows every `steps_per_picture`-th step, a .png the last.
    """
    camera = None if out is None else Camera(run, moving=out.suffix == ".gif")
    progress = Progress(f"{run.name}: step", frames)
    for frame in range(frames):
        run.step()
        if camera is not None:
            camera.look(last=frame == frames - 1)
        progress.show(frame + 1)
    progress.end()
    lines = [f"{run.name}: {frames} steps, {frames * DT:.1f} s"]
    if camera is not None and out is not None:
        lines.append(f"  picture   {camera.write(out)}")
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


class Camera:
    """A recorder of a run; pictures are drawn afterwards, so that they do not slow the steps."""

    def __init__(self, run: Run, moving: bool) -> None:
        from ecs_collide.demos import picture

        self._picture = picture
        self._run = run
        self._moving = moving
        self._photographs: list[tuple[list[Drawn], float, str]] = []

    def look(self, last: bool) -> None:
        """Record the present state if it will be drawn."""
        if last or self._run.frame % self._run.demo.steps_per_picture == 0:
            self._photographs.append((self._picture.photograph(), self._run.frame * DT, self._run.caption()))

    def write(self, out: Path) -> str:
        """Write the file; return its name, size and number of frames as text."""
        import pygame
        from PIL import Image

        painter = self._picture.Painter(self._run.demo, WIDTH, OVERSAMPLING)
        progress = Progress(f"drawing {out}: frame", len(self._photographs))
        frames = []
        for k, photograph in enumerate(self._photographs):
            surface = painter.draw(*photograph)
            frames.append(Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB")))
            progress.show(k + 1)
        progress.end()
        if self._moving:
            _write_gif(frames, [round(100.0 * time) for _, time, _ in self._photographs], out)
        else:
            frames[-1].save(out, optimize=True)
        width, height = frames[-1].size
        count = f"{len(frames)} frames, " if self._moving else ""
        return f"{out} ({width} x {height}, {count}{out.stat().st_size / 1e6:.1f} MB)"


def _write_gif(frames: list[Image], times: list[int], out: Path) -> None:
    """Write a looping GIF; `times` are in hundredths of a second, the unit of GIF.

    All frames share one palette, made from a few of them, so that colours do not flicker. Only the differences to the
    frame before are stored; the rest is transparent.
    """
    from PIL import Image

    samples = frames[:: max(1, len(frames) // 6)]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for k, sample in enumerate(samples):
        sheet.paste(sample, (0, k * height))
    palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2)
    pictures = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    seen, changes, starts = np.asarray(pictures[0]), [pictures[0]], [times[0]]
    for picture, time in zip(pictures[1:], times[1:], strict=True):
        now = np.asarray(picture)
        if (now == seen).all():
            continue
        change = Image.fromarray(np.where(now == seen, np.uint8(COLOURS), now))
        change.putpalette(palette.getpalette() or [])
        changes.append(change)
        starts.append(time)
        seen = now
    durations = [10 * (then - time) for time, then in pairwise([*starts, times[-1]])]
    durations[-1] += LAST_PICTURE
    changes[0].save(
        out,
        save_all=True,
        append_images=changes[1:],
        duration=durations,
        loop=0,
        optimize=False,
        disposal=1,
        transparency=COLOURS,
    )


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
