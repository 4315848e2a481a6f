"""The description of a world for drawing, which every backend draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ecs_collide.draw.camera import Camera, ViewBox
from ecs_collide.draw.scene_parts import BodyMarks, ContactMarks, Discs, JointMarks, Label, Paths, Stroke
from ecs_collide.draw.style import Colours, Show, Tones

MARGIN = 0.06
"""Margin around the bodies in a picture that fits them, in parts of its longer side."""
AROUND = 0.6
"""Part of the longer side of the moving bodies' box up to which still bodies around it are shown."""
EMPTY_VIEW = ViewBox(left=-1.0, low=-1.0, right=1.0, high=1.0)


@dataclass
class Scene:
    """A world at one moment, in world units; it stays the same while the world moves on."""

    show: Show
    colours: Colours
    y_up: bool
    """True if the y axis of the world points up in pictures."""
    tones: list[Tones]
    """Colours of things; the first are those of the states."""
    solids: Paths
    """Closed polygons, counter-clockwise, each with an edge all around."""
    areas: Paths
    """Closed polygons, counter-clockwise, without edges of their own: parts of bodies that have several."""
    edges: Paths
    """Polylines along the surface of such bodies."""
    lines: Paths
    """Polylines of parts without thickness."""
    discs: Discs
    contacts: ContactMarks
    joints: JointMarks
    marks: BodyMarks
    labels: list[Label]
    text: list[tuple[str, str]]
    """Names and values in the corner of the picture."""
    strokes: list[Stroke]
    """Polylines of a game's own, drawn on top of the layer that each names."""
    moving_box: ViewBox | None
    """Box around the bodies that move [m]; None without any."""
    still_box: ViewBox | None
    """Box around bounded bodies that do not move [m]; None without any."""
    view: ViewBox | None = None
    """Box of the world that pictures show if no other one is given; None to fit the bodies."""

    def fit(self) -> ViewBox:
        """Return the box of the world to show: the moving bodies, and still ones near them."""
        if self.view is not None:
            return self.view
        box = self.moving_box or self.still_box
        if box is None:
            return EMPTY_VIEW
        if self.moving_box is not None and self.still_box is not None:
            around, still = box.grown(AROUND), self.still_box
            inside = ViewBox(*np.clip(still, [*around[:2]] * 2, [*around[2:]] * 2).tolist())
            if inside.left < inside.right or inside.low < inside.high:
                box = ViewBox(
                    left=min(box.left, inside.left),
                    low=min(box.low, inside.low),
                    right=max(box.right, inside.right),
                    high=max(box.high, inside.high),
                )
        if max(box.right - box.left, box.high - box.low) == 0.0:
            return ViewBox(*np.add(box, (-1.0, -1.0, 1.0, 1.0)).tolist())
        return box.grown(MARGIN)

    def camera(self, size: tuple[int, int]) -> Camera:
        """Return the camera of a picture of a given size that fits the scene."""
        return Camera.fit(size, self.fit(), self.y_up)

    def svg(self, width: int = 640, camera: Camera | None = None, title: str = "a physics scene") -> str:
        """Return the scene as an SVG picture.

        Args:
            width: width of the picture [pixels]; its height follows from the scene.
            camera: the part of the world to show; it sets the size as well. None to fit the scene.
            title: description of the picture for readers that cannot see it.
        """
        from ecs_collide.draw.on_svg import svg  # pictures in a window need no SVG

        return svg(self, camera or Camera.over(self.fit(), width, self.y_up), title)

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return self.svg()
