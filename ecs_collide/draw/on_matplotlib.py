"""Drawing of scenes in matplotlib axes, in world units, for plots."""

from __future__ import annotations

from typing import Any

import numpy as np

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.draw.describe import scene as present_scene
from ecs_collide.draw.missing import library_missing
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.scene_parts import LAYERS, ON_TOP, Paths
from ecs_collide.draw.style import LIGHT, Colour

try:
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
except ImportError as error:
    raise library_missing("matplotlib", "plots") from error

NOTHING = (0.0, 0.0, 0.0, 0.0)
THIN = 0.8
"""Width of edges [points]."""
Rgba = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""Colours of fill, edge and lines of a body, from 0 to 1."""


def matplotlib(axes: Any, scene: PhysicsWorld | Scene | None = None) -> Any:
    """Draw a scene in matplotlib axes, set their limits to it, and return the axes.

    Args:
        axes: `matplotlib.axes.Axes`.
        scene: description of the world; None, or the physics of the current world, for that world in light colours.
    """
    scene = scene if isinstance(scene, Scene) else present_scene(scene, colours=LIGHT)
    tones = [(_rgb(each.fill), _rgb(each.edge), _rgb(each.line)) for each in scene.tones]
    for layer in range(LAYERS):
        for paths, has_edge in ((scene.solids, True), (scene.areas, False)):
            its, points = _of_layer(paths, tones, layer)
            fills = [fill for fill, _, _ in its]
            edges = [edge if has_edge else NOTHING for _, edge, _ in its]
            axes.add_collection(
                PolyCollection(points, facecolors=fills, edgecolors=edges, linewidths=THIN, zorder=layer)
            )
        for paths, part, width in ((scene.edges, 1, THIN), (scene.lines, 2, 2.0 * THIN)):
            its, points = _of_layer(paths, tones, layer)
            colours_of = [tone[part] for tone in its]
            axes.add_collection(LineCollection(points, colors=colours_of, linewidths=width, zorder=layer + 0.1))
        _add_discs(axes, scene, tones, layer)
    colours, marks = scene.colours, scene.marks
    segments: list[tuple[Any, Colour]] = [
        (scene.joints.limits, colours.limit),
        (scene.joints.ends if scene.show.joints else (), colours.joint),
        (marks.paths, colours.velocity),
        *(([stroke.points], stroke.colour) for stroke in scene.strokes),
    ]
    for lines, colour in segments:
        axes.add_collection(LineCollection(list(lines), colors=[_rgb(colour)], linewidths=1.0, zorder=ON_TOP))
    if scene.show.contacts and len(scene.contacts.point):
        axes.scatter(*scene.contacts.point.T, s=9, color=_rgb(colours.contact), zorder=ON_TOP)
    if scene.show.normals and len(scene.contacts.point):
        axes.quiver(
            *scene.contacts.point.T,
            *scene.contacts.normal.T,
            color=_rgb(colours.normal),
            angles="xy",
            width=0.003,
            zorder=ON_TOP,
        )
    for x, y, text in scene.labels:
        axes.text(x, y, text, ha="center", va="center", color=_rgb(colours.text), clip_on=True, zorder=ON_TOP + 1)
    left, low, right, high = scene.fit()
    axes.set(xlim=(left, right), ylim=(low, high) if scene.y_up else (high, low), aspect="equal")
    if colours.background is not None:
        axes.set_facecolor(_rgb(colours.background))
    return axes


def _add_discs(axes: Any, scene: Scene, tones: list[Rgba], layer: int) -> None:
    """Draw the discs of a layer with their spokes."""
    discs = scene.discs
    rows = np.flatnonzero(discs.of.layer == layer)
    if not len(rows):
        return
    center, radius, angle = discs.center[rows], discs.radius[rows], discs.angle[rows]
    its = [tones[tone] for tone in discs.of.tone[rows].tolist()]
    axes.add_collection(
        EllipseCollection(
            2.0 * radius,
            2.0 * radius,
            np.zeros(len(rows)),
            units="xy",
            offsets=center,
            offset_transform=axes.transData,
            facecolors=[fill for fill, _, _ in its],
            edgecolors=[edge for _, edge, _ in its],
            linewidths=THIN,
            zorder=layer + 0.1,
        )
    )
    ends = center + radius[:, None] * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    spokes = np.stack((center, ends), axis=1)
    axes.add_collection(
        LineCollection(list(spokes), colors=[edge for _, edge, _ in its], linewidths=THIN, zorder=layer + 0.2)
    )


def _of_layer(paths: Paths, tones: list[Rgba], layer: int) -> tuple[list[Rgba], list[np.ndarray]]:
    """Return the tones and the points of the polygons or polylines of a layer."""
    rows = np.flatnonzero(paths.of.layer == layer)
    points = [paths.points[paths.starts[row] : paths.starts[row + 1]] for row in rows.tolist()]
    return [tones[tone] for tone in paths.of.tone[rows].tolist()], points


def _rgb(colour: Colour | None) -> tuple[float, ...]:
    return NOTHING if colour is None else tuple(part / 255.0 for part in colour)
