"""Drawing of a scene with the five operations of a pen, which each backend has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ecs_collide.common.gc_pause import GcPause
from ecs_collide.draw.camera import Camera
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.scene_parts import LAYERS, ON_TOP, Paths
from ecs_collide.draw.shape_outline import clip_to
from ecs_collide.draw.style import Colour, Tones

Pixel = Sequence[float]
"""x and y from the upper left corner."""

NORMAL_LENGTH = 14.0
"""Length of a line along a normal [pixels]."""
IMPULSE_LENGTH = 56.0
"""Length of the line of the largest impulse of a scene [pixels]."""
AXIS_LENGTH = 12.0
"""Length of an x axis [pixels]; a y axis has 2/3 of it."""
DOT = 2.5
"""Radius of a dot [pixels]."""
LEAST_SPOKE = 4.0
"""Radius above which a disc has an edge and a spoke [pixels]."""
FARTHEST = 20_000.0
"""Largest coordinate that a backend gets [pixels]."""
TEXT_MARGIN = 8.0
"""Distance of the text in the corner from the borders [pixels]."""
LINE_HEIGHT = 15.0
"""Distance of its lines [pixels]."""
COLUMN = 84.0
"""Distance of values from their names [pixels]."""
DARK_HALO, LIGHT_HALO = (16, 18, 24), (250, 250, 247)
"""Colours around bright and around dark letters."""
BRIGHT = 384
"""Sum of red, green and blue above which a colour is bright."""
FONT_HEIGHT = 12.0
"""Height of letters [pixels]."""


class Pen(Protocol):
    """The operations of a backend, in pixels from the upper left corner. Widths and radii are those of a plain screen.

    A backend that draws enlarged, to scale the picture down afterwards, enlarges widths and the radii of dots.
    """

    digits: int
    """Digits after the point of all pixels: 0 for whole ones."""

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text, with a halo around the letters: around a point, or to the right of it and below."""


def draw(scene: Scene, camera: Camera, pen: Pen, enlarged: float = 1.0) -> None:
    """Draw a scene, the lowest layer first; the background is up to the caller.

    Args:
        scene: description of the world.
        camera: the part of the world to show.
        pen: the operations of a backend.
        enlarged: factor by which the picture is larger than it will be shown.
    """
    with GcPause():  # thousands of lists of pixels, which live for a moment, would start the collector
        _draw(_Canvas(scene, camera, pen, enlarged), pen)


def _draw(canvas: _Canvas, pen: Pen) -> None:
    scene, enlarged = canvas.scene, canvas.enlarged
    canvas.draw_strokes(-1)
    solids, areas = canvas.visible(scene.solids, True), canvas.visible(scene.areas, True)
    edges, lines = canvas.visible(scene.edges, False), canvas.visible(scene.lines, False)
    discs = canvas.visible_discs()
    for layer in range(LAYERS):
        for corners, tones in solids[layer]:
            if tones.fill is not None:
                pen.polygon(corners, tones.fill, tones.edge)
        for corners, tones in areas[layer]:
            if tones.fill is not None:
                pen.polygon(corners, tones.fill, None)
        for corners, tones in edges[layer]:
            if tones.edge is not None:
                pen.polyline(corners, tones.edge, 1.0)
        for corners, tones in lines[layer]:
            if tones.line is not None:
                pen.polyline(corners, tones.line, 2.0)
        for center, radius, spoke, tones in discs[layer]:
            if tones.fill is None:
                continue
            is_large = radius >= LEAST_SPOKE * enlarged
            pen.disc(center, radius, tones.fill, tones.edge if is_large else None)
            if is_large and tones.edge is not None:
                pen.polyline((center, spoke), tones.edge, 1.0)
        canvas.draw_strokes(layer)
    canvas.draw_marks()
    canvas.draw_strokes(ON_TOP)
    canvas.draw_labels()


class _Canvas:
    """A scene in the pixels of a camera."""

    def __init__(self, scene: Scene, camera: Camera, pen: Pen, enlarged: float) -> None:
        self.scene, self.enlarged = scene, enlarged
        self._camera, self._pen = camera, pen

    def _listed(self, points: np.ndarray) -> list[list[float]]:
        """Return the pixels of points of the world (k, 2), rounded as the pen needs them."""
        return self._rounded(np.clip(self._camera.to_pixels(points), -FARTHEST, FARTHEST))

    def _rounded(self, pixels: np.ndarray) -> list[list[float]]:
        if self._pen.digits == 0:
            whole: list[list[float]] = np.rint(pixels).astype(np.int64).tolist()
            return whole
        parts: list[list[float]] = np.round(pixels, self._pen.digits).tolist()
        return parts

    def visible(self, paths: Paths, is_closed: bool) -> list[list[tuple[list[list[float]], Tones]]]:
        """Return the polygons or polylines of each layer that the picture shows: pixels and tones."""
        layers: list[list[tuple[list[list[float]], Tones]]] = [[] for _ in range(LAYERS)]
        if paths.number == 0:
            return layers
        pixels = self._camera.to_pixels(paths.points)
        low, high = np.minimum.reduceat(pixels, paths.starts[:-1]), np.maximum.reduceat(pixels, paths.starts[:-1])
        is_seen = ((high >= 0.0) & (low <= self._camera.size)).all(axis=1)
        is_far = (low < -FARTHEST).any(axis=1) | (high > FARTHEST).any(axis=1)
        listed = self._rounded(np.clip(pixels, -FARTHEST, FARTHEST))
        ends = paths.starts.tolist()
        tones = [self.scene.tones[k] for k in paths.of.tone.tolist()]
        layer_of = paths.of.layer.tolist()
        for k in np.flatnonzero(is_seen & ~is_far).tolist():
            layers[layer_of[k]].append((listed[ends[k] : ends[k + 1]], tones[k]))
        for k in np.flatnonzero(is_seen & is_far).tolist():
            for part in self._clipped(pixels[ends[k] : ends[k + 1]], is_closed):
                layers[layer_of[k]].append((self._rounded(part), tones[k]))
        return layers

    def _clipped(self, pixels: np.ndarray, is_closed: bool) -> list[np.ndarray]:
        """Return the parts in and around the picture of a polygon, or of each bit of a polyline."""
        width, height = self._camera.size
        window = (-width, -height, 2 * width, 2 * height)
        bits = [pixels] if is_closed else list(np.stack((pixels[:-1], pixels[1:]), axis=1))
        return [part for bit in bits if len(part := clip_to(bit, *window)) > 1 + is_closed]

    def visible_discs(self) -> list[list[tuple[list[float], float, list[float], Tones]]]:
        """Return the discs of each layer that the picture shows: centre, radius, end of the spoke, and tones."""
        layers: list[list[tuple[list[float], float, list[float], Tones]]] = [[] for _ in range(LAYERS)]
        discs, camera = self.scene.discs, self._camera
        center, radius = camera.to_pixels(discs.center), discs.radius * camera.scale
        spoke = discs.center + discs.radius[:, None] * np.stack((np.cos(discs.angle), np.sin(discs.angle)), axis=1)
        is_seen = ((center + radius[:, None] >= 0.0) & (center - radius[:, None] <= camera.size)).all(axis=1)
        rows = np.flatnonzero(is_seen)
        for middle, its_radius, end, tone, layer in zip(
            self._listed(discs.center[rows]),
            radius[rows].tolist(),
            self._listed(spoke[rows]),
            discs.of.tone[rows].tolist(),
            discs.of.layer[rows].tolist(),
            strict=True,
        ):
            layers[layer].append((middle, its_radius, end, self.scene.tones[tone]))
        return layers

    def draw_strokes(self, layer: int) -> None:
        """Draw the polylines of a game's own that lie on a layer."""
        for stroke in self.scene.strokes:
            if stroke.layer == layer:
                self._pen.polyline(self._listed(stroke.points), stroke.colour, stroke.width)

    def draw_marks(self) -> None:
        """Draw boxes, joints, contacts, velocities, axes and centres of mass, as far as they are shown."""
        scene, colours, show = self.scene, self.scene.colours, self.scene.show
        for left, low, right, high in scene.marks.boxes.tolist():
            corners = np.array(((left, low), (right, low), (right, high), (left, high), (left, low)))
            self._pen.polyline(self._listed(corners), colours.bounds, 1.0)
        for limit in scene.joints.limits:
            self._pen.polyline(self._listed(limit), colours.limit, 1.0)
        if show.joints:
            for ends in scene.joints.ends:
                self._segment(ends, colours.joint, DOT)
        for path in scene.marks.paths:
            self._segment(path, colours.velocity)
        for x, y, angle in scene.marks.axes.tolist():
            axis = AXIS_LENGTH * self._unit * np.array((np.cos(angle), np.sin(angle)))
            origin = np.array((x, y))
            self._segment(np.stack((origin, origin + axis)), colours.axis_x)
            self._segment(np.stack((origin, origin + axis[::-1] * (-2 / 3, 2 / 3))), colours.axis_y)
        for center in self._listed(scene.marks.centers):
            self._pen.dot(center, DOT, colours.axis_x)
        self._draw_contacts()

    @property
    def _unit(self) -> float:
        """Length of a pixel of a plain screen in the world [m]."""
        return self.enlarged / self._camera.scale

    def _draw_contacts(self) -> None:
        contacts, colours, show = self.scene.contacts, self.scene.colours, self.scene.show
        if show.impulses and len(contacts.impulse) and (most := contacts.impulse.max()) > 0.0:
            reach = (IMPULSE_LENGTH * self._unit / most * contacts.impulse)[:, None] * contacts.normal
            for start, end in zip(self._listed(contacts.point), self._listed(contacts.point + reach), strict=True):
                self._pen.polyline((start, end), colours.impulse, 3.0)
        if show.normals:
            reach = NORMAL_LENGTH * self._unit * contacts.normal
            for start, end in zip(self._listed(contacts.point), self._listed(contacts.point + reach), strict=True):
                self._pen.polyline((start, end), colours.normal, 1.0)
        if show.contacts:
            for point in self._listed(contacts.point):
                self._pen.dot(point, DOT, colours.contact)

    def _segment(self, ends: np.ndarray, colour: Colour, dots: float = 0.0) -> None:
        """Draw a line between two points of the world (2, 2), with dots at its ends."""
        listed = self._listed(ends)
        self._pen.polyline(listed, colour, 1.0)
        if dots:
            for end in listed:
                self._pen.dot(end, dots, colour)

    def draw_labels(self) -> None:
        """Write the text at entities, and that in the corner."""
        labels, colours = self.scene.labels, self.scene.colours
        colour = colours.text
        halo = DARK_HALO if sum(colour) > BRIGHT else LIGHT_HALO
        width, height = self._camera.size
        places = self._listed(np.array([(label.x, label.y) for label in labels]).reshape(-1, 2))
        for place, label in zip(places, labels, strict=True):
            if 0.0 <= place[0] <= width and 0.0 <= place[1] <= height:
                self._pen.text(place, label.text, colour, halo, centered=True)
        margin, line = TEXT_MARGIN * self.enlarged, LINE_HEIGHT * self.enlarged
        for k, (name, value) in enumerate(self.scene.text):
            y = margin + k * line
            self._pen.text((margin, y), name, colour, halo, centered=False)
            self._pen.text((margin + COLUMN * self.enlarged, y), value, colour, halo, centered=False)
