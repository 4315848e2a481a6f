"""The demo that plays in a browser: it runs in Pyodide, and `player.js` draws what it returns."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ecs_collide.demos.catalogue import load
from ecs_collide.demos.picture import Photographer, camera_of
from ecs_collide.demos.scene import DT, Keys, Run
from ecs_collide.draw.pen import Pixel, draw
from ecs_collide.draw.style import Colour, css_colour

WIDTH = 900
"""Width of the canvas [pixels]."""


class CanvasPen:
    """A pen whose strokes are a list: the name of a function of `player.js`, and its arguments."""

    digits = 1

    def __init__(self) -> None:
        self.strokes: list[tuple[object, ...]] = []

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""
        self.strokes.append(("polygon", _numbers(corners), css_colour(fill), edge and css_colour(edge)))

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""
        self.strokes.append(("polyline", _numbers(points), css_colour(colour), width))

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""
        self.strokes.append(("disc", *map(float, center), float(radius), css_colour(fill), edge and css_colour(edge)))

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""
        self.disc(center, radius, colour, None)

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text."""
        self.strokes.append(("text", *map(float, place), text, css_colour(colour), css_colour(halo), centered))


class Player:
    """A demo that is played; one at a time."""

    def __init__(self, name: str) -> None:
        make = load(name)
        self.keys_help = make.keys_help
        self.run = Run(name, make)
        self.run.__enter__()
        self.camera = camera_of(self.run.demo, WIDTH)
        self.photographer = Photographer(self.run.demo)

    def end(self) -> None:
        """Delete the demo's world."""
        self.run.__exit__()

    def frame(self, steps: int, walk: float, jump: bool, x: float | None, y: float | None) -> str:
        """Make some steps and return the picture behind them as JSON: its size, background and strokes.

        Args:
            steps: number of steps of 1/60 s.
            walk: -1 for a key to the left, 1 for a key to the right.
            jump: True while a key for jumps is down.
            x: place of the mouse on the canvas [pixels]; None beside it.
            y: likewise.
        """
        pointer = None if x is None or y is None else self.camera.to_world(x, y)
        for _ in range(steps):
            self.run.step(Keys(walk, jump, pointer) if self.keys_help else None)
        pen = CanvasPen()
        picture = self.photographer.photograph(self.run.frame * DT, self.run.caption(), self.camera.scale)
        draw(picture, self.camera, pen)
        return json.dumps([self.camera.size, css_colour(self.run.demo.background), pen.strokes])


def _numbers(points: Sequence[Pixel]) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in points]
