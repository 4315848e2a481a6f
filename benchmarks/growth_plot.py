"""The picture of ``growth.py``: a panel for each scene, a line for each engine, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter
from PIL import Image

from benchmarks.growth import Point

COLOURS = {"ecs_collide": "#c8553d", "ecs_collide.exact": "#e0a03c", "pymunk": "#2b6cb0", "pyb2d3": "#2a9d5c"}
NAMES = {"ecs_collide.exact": "ecs_collide, exact", "pyb2d3": "Box2D v3"}
INK, GRID = "#333333", "#dddddd"
NEAREST = 1.2
"""Least ratio of the heights of two labels."""
DOTS_PER_INCH = 110


def plot_growth(points: Sequence[Point], file: Path) -> None:
    """Write the picture. Raises OSError if the file cannot be written."""
    plt.rcParams.update({"font.size": 9, "font.family": "DejaVu Sans", "axes.titlesize": 10})
    scenes = list(dict.fromkeys(point.scene for point in points))
    figure, axes = plt.subplots(
        1, len(scenes), figsize=(3.9 * len(scenes), 3.9), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    for axis, scene in zip(axes[0], scenes, strict=True):
        _draw(axis, [point for point in points if point.scene == scene])
        axis.set_title(scene, loc="left", color=INK)
        axis.set_xlabel("bodies")
    axes[0][0].set_ylabel("time of a step per body [ns]")
    content = BytesIO()
    figure.savefig(content, dpi=DOTS_PER_INCH)
    plt.close(figure)
    Image.open(content).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)


def _draw(axis: Axes, points: Sequence[Point]) -> None:
    """Draw the panel of a scene."""
    axis.set_xscale("log")
    axis.set_yscale("log")
    for ticks, subs in ((axis.xaxis, (1.0,)), (axis.yaxis, (1.0, 2.0, 5.0))):
        ticks.set_major_locator(LogLocator(subs=subs))
        ticks.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        ticks.set_minor_locator(NullLocator())
    axis.grid(True, color=GRID, lw=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    ends: list[tuple[float, int, str]] = []
    for engine in dict.fromkeys(point.engine for point in points):
        line = sorted((p.bodies, p.nanoseconds) for p in points if p.engine == engine)
        axis.plot(*zip(*line, strict=True), "o-", color=COLOURS.get(engine, INK), ms=3.5, lw=1.8)
        ends.append((line[-1][1], line[-1][0], engine))
    height = 0.0
    for end, bodies, engine in sorted(ends):
        height = max(end, NEAREST * height)
        axis.annotate(
            NAMES.get(engine, engine),
            (bodies, height),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=COLOURS.get(engine, INK),
            annotation_clip=False,
        )
