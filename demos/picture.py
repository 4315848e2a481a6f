"""The current esper world of a demo as a scene to draw: with the colours, trails, labels and threads of its `Paint`."""

from __future__ import annotations

from collections import deque
from math import dist

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.demos.scene import Colour, Demo, Paint
from ecs_collide.draw import Colours, Ghost, Label, Scene, Show, Stroke
from ecs_collide.draw.style import mixed

STATIC: Colour = (70, 76, 92)
PALETTE: tuple[Colour, ...] = (
    (236, 112, 96),
    (240, 180, 88),
    (122, 192, 112),
    (88, 176, 224),
    (168, 136, 224),
    (232, 136, 184),
)
THREAD: Colour = (120, 126, 144)
STRIP = 28
"""Height of the strip for the caption [pixels]."""
UNDER_ALL, UNDER_MOVING = -1, 1
"""Layers of threads and of trails."""
FARTHEST = 0.1
"""Distance that an entity moves between two pictures without a teleport, in widths of the view."""


def camera_of(demo: Demo, width: int) -> draw.Camera:
    """Return the camera of a demo's pictures: its view, and a strip above it for the caption."""
    camera = draw.Camera.over(draw.ViewBox(*demo.view), width)
    (x, y), (width, height) = camera.center, camera.size
    return draw.Camera((width, height + STRIP), (x, y + 0.5 * STRIP / camera.scale), camera.scale)


class Photographer:
    """A maker of scenes of a demo's world, which keeps the trails of entities."""

    def __init__(self, demo: Demo) -> None:
        self._view, self._shows_joints = demo.view, demo.shows_joints
        self._colours = Colours(background=demo.background, static=STATIC)
        self._trails: dict[int, deque[tuple[float, float, float]]] = {}
        """Times [s] and places [m] of each entity with a trail."""

    def photograph(self, time: float, caption: str, scale: float) -> Scene:
        """Return the present world as a scene.

        Args:
            time: time since the demo began [s].
            caption: text in the corner.
            scale: pixels to a metre of the picture.
        """
        paints = dict(esper.get_component(Paint))
        moving = {entity for entity, _ in esper.get_component(ec.Velocity)}

        def colour(entity: int) -> Colour | None:
            paint = paints.get(entity)
            if paint is not None:
                return paint.colour
            return PALETTE[entity % len(PALETTE)] if entity in moving else None

        bodies = {entity for entity, _ in esper.get_component(ec.Collider)}
        places = {entity: place.pose for entity, (place, _) in esper.get_components(ec.Transform, Paint)}
        ghosts = [
            Ghost(paint.shape, places[entity], entity)
            for entity, paint in paints.items()
            if paint.shape is not None and entity in places and entity not in bodies
        ]
        scene = draw.scene(
            show=Show(joints=self._shows_joints),
            colours=self._colours,
            paint=colour,
            ghosts=ghosts,
            scale=scale,
            y_up=True,
            view=self._view,
        )
        scene.text = [(caption, "")]
        for entity, (x, y, _) in places.items():
            paint = paints[entity]
            if paint.label:
                scene.labels.append(Label(x, y, paint.label))
            if paint.thread is not None:
                scene.strokes.append(Stroke(np.array((paint.thread, (x, y))), THREAD, layer=UNDER_ALL))
            if paint.trail:
                scene.strokes += self._trail(entity, time, (x, y), paint)
        return scene

    def _trail(self, entity: int, time: float, place: tuple[float, float], paint: Paint) -> list[Stroke]:
        """Return the trail of an entity, which fades into the background."""
        trail = self._trails.setdefault(entity, deque())
        if trail and dist(trail[-1][1:], place) > FARTHEST * (self._view.right - self._view.left):
            trail.clear()  # it was teleported
        trail.append((time, *place))
        while trail[0][0] < time - paint.trail:
            trail.popleft()
        points = np.array(trail)[:, 1:]
        background = self._colours.background or (0, 0, 0)
        return [
            Stroke(points[k - 1 : k + 1], mixed(background, paint.colour, 0.6 * k / len(points)), 2.0, UNDER_MOVING)
            for k in range(1, len(points))
        ]
