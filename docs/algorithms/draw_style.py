"""Size, colours and folder of the pictures of these pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Circle, Polygon
from PIL import Image

FIGURES = Path(__file__).parent / "figures"
DOTS_PER_INCH = 100
YES, NO, INK, ACCENT = "#2a9d5c", "#c8553d", "#333333", "#2b6cb0"
REGION_COLOURS = ("#f4cccc", "#cfe2f3", "#fff2cc", "#d9ead3", "#eeeeee", "#d9d2e9", "#fce5cd", "#d0e0e3", "#ead1dc")

plt.rcParams.update({"font.size": 9, "font.family": "DejaVu Sans", "axes.titlesize": 9})


def panels(count: int, width: float = 3.2, height: float = 2.8) -> list[Axes]:
    """Return `count` pictures side by side, without axes, with equal scales in x and y; sizes are in inches."""
    figure, axes = plt.subplots(1, count, figsize=(width * count, height), squeeze=False, layout="constrained")
    for axis in axes[0]:
        axis.set_aspect("equal")
        axis.set_axis_off()
    figure.set_dpi(DOTS_PER_INCH)
    return list(axes[0])


def store(name: str) -> None:
    """Write the picture to `figures/<name>.png` with 96 colours, which keeps the file small."""
    content = BytesIO()
    plt.savefig(content, dpi=DOTS_PER_INCH)
    plt.close()
    Image.open(content).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(
        FIGURES / f"{name}.png", optimize=True
    )


def window(axis: Axes, left: float, bottom: float, right: float, top: float) -> None:
    axis.set_xlim(left, right)
    axis.set_ylim(bottom, top)


def grid(axis: Axes, count: int = 500) -> tuple[Any, Any]:
    """Return points all over the window of the picture."""
    return np.meshgrid(np.linspace(*axis.get_xlim(), count), np.linspace(*axis.get_ylim(), count))


def colour_regions(axis: Axes, numbers: Any) -> None:
    """Paint an array of region numbers over the window."""
    extent = (*axis.get_xlim(), *axis.get_ylim())
    norm = BoundaryNorm(np.arange(-0.5, 9.0), 9)
    axis.imshow(
        numbers, origin="lower", extent=extent, cmap=ListedColormap(REGION_COLOURS), norm=norm, interpolation="nearest"
    )


def contours(
    axis: Axes,
    function: Callable[[Any, Any], Any],
    levels: Sequence[float],
    circles: Sequence[tuple[float, float, float]] = (),
) -> None:
    """Draw lines of equal signed distance: dashed if it is negative, thick at 0.

    Their numbers keep clear of circles (x, y, radius).
    """
    x, y = grid(axis, 300)
    values = function(x, y)
    lines = axis.contour(x, y, values, levels, colors="#8899aa", linewidths=0.8)
    spots: list[Any] = []
    for parts in lines.allsegs:
        spots += clearest_spot(axis, parts, circles, spots)
    axis.clabel(lines, fontsize=7, fmt="%g", manual=spots)
    axis.contour(x, y, values, [0.0], colors=ACCENT, linewidths=1.8)


def clearest_spot(axis: Axes, parts: Sequence[Any], circles: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Return the point of a curve that is farthest from the window's border, from circles and from other points."""
    points = np.concatenate([part for part in parts if len(part)] or [np.zeros((0, 2))])
    low, high = np.array((axis.get_xlim(), axis.get_ylim())).T
    room = np.minimum(points - low, high - points).min(axis=1, initial=np.inf)
    for x, y, radius in circles:
        room = np.minimum(room, np.hypot(*(points - (x, y)).T) - radius)
    for spot in others:
        room = np.minimum(room, 0.6 * np.hypot(*(points - spot).T))
    best = np.argmax(room) if len(points) else 0
    return [tuple(points[best])] if len(points) and room[best] > 0.05 * (high - low).min() else []


def circle(axis: Axes, x: float, y: float, radius: float, colour: str = INK, fill: bool = True) -> None:
    axis.add_patch(Circle((x, y), radius, facecolor=colour if fill else "none", alpha=0.25 if fill else 1.0, lw=0))
    axis.add_patch(Circle((x, y), radius, fill=False, edgecolor=colour, lw=1.4))


def polygon(axis: Axes, corners: Any, colour: str = INK, fill: bool = True, style: str = "-") -> None:
    if fill:
        axis.add_patch(Polygon(corners, facecolor=colour, alpha=0.25, lw=0))
    axis.add_patch(Polygon(corners, fill=False, edgecolor=colour, lw=1.4, ls=style))


def line(axis: Axes, start: Sequence[float], end: Sequence[float], colour: str = INK, **options: Any) -> None:
    axis.plot([start[0], end[0]], [start[1], end[1]], color=colour, **{"lw": 1.4, "solid_capstyle": "round", **options})


def dot(axis: Axes, x: Any, y: Any, colour: Any = INK, size: float = 5.0) -> None:
    axis.plot(x, y, "o", color=colour, ms=size)


def arrow(axis: Axes, start: Sequence[float], end: Sequence[float], colour: str = INK) -> None:
    axis.annotate(
        "", tuple(end), tuple(start), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.4, "shrinkA": 0}
    )


def text(axis: Axes, x: float, y: float, words: str, colour: str = INK, **options: Any) -> None:
    axis.text(x, y, words, color=colour, **{"ha": "center", "va": "center", **options})


def answer(truth: bool) -> str:
    """Return the colour for a result of a predicate."""
    return YES if truth else NO
