"""A pen for graphics cards."""

from __future__ import annotations

from collections.abc import Sequence

from ecs_collide.draw.pen import Pixel
from ecs_collide.draw.style import Colour
from ecs_collide.draw.triangles import Triangles


class TrianglePen:
    """A pen that gathers triangles and texts."""

    digits = 1

    def __init__(self) -> None:
        """Make a pen without triangles."""
        self.triangles = Triangles()
        self.texts: list[tuple[Pixel, str, Colour, bool]] = []
        """Place, text, colour, and True for a text that is centred at its place."""

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""
        self.triangles.add_polygon(corners, fill)
        if edge is not None:
            self.triangles.add_polyline([*corners, corners[0]], edge, 1.0)

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""
        self.triangles.add_polyline(points, colour, width)

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""
        if edge is not None:
            self.triangles.add_disc(center, radius + 0.5, edge)
        self.triangles.add_disc(center, radius - 0.5 * (edge is not None), fill)

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""
        self.triangles.add_disc(center, radius, colour)

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text; it has no halo."""
        self.texts.append((place, text, colour, centered))
