"""SVG pictures of scenes, for files, notebooks and pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ecs_collide.draw.camera import Camera
from ecs_collide.draw.pen import FONT_HEIGHT, Pixel, draw
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.style import Colour, css_colour


def svg(scene: Scene, camera: Camera, title: str) -> str:
    """Return a scene as the text of an SVG picture.

    Args:
        scene: description of the world.
        camera: size of the picture, and the part of the world that it shows.
        title: description of the picture for readers that cannot see it.
    """
    width, height = camera.size
    pen = SvgPen()
    if scene.colours.background is not None:
        pen.elements.append(f'<rect width="{width}" height="{height}" fill="{css_colour(scene.colours.background)}"/>')
    draw(scene, camera, pen)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" stroke-linejoin="round" stroke-linecap="round" fill="none"><title>{escape(title)}</title>'
        f"{''.join(pen.elements)}</svg>"
    )


class SvgPen:
    """A pen whose strokes are elements of an SVG picture."""

    digits = 1

    def __init__(self) -> None:
        """Make a pen for an empty picture."""
        self.elements: list[str] = []
        """Elements, the lowest first."""

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""
        line = f' stroke="{css_colour(edge)}"' if edge else ""
        self.elements.append(f'<path d="M{_joined(corners)}z" fill="{css_colour(fill)}"{line}/>')

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""
        thick = f' stroke-width="{width:g}"' if width != 1.0 else ""
        self.elements.append(f'<path d="M{_joined(points)}" stroke="{css_colour(colour)}"{thick}/>')

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""
        line = f' stroke="{css_colour(edge)}"' if edge else ""
        x, y = center
        self.elements.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{css_colour(fill)}"{line}/>')

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""
        self.disc(center, radius, colour, None)

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text."""
        x, y = place
        anchor = 'text-anchor="middle" dominant-baseline="central"' if centered else 'dominant-baseline="hanging"'
        around = f'stroke="{css_colour(halo)}" stroke-width="3" paint-order="stroke"'
        self.elements.append(
            f'<text x="{x:g}" y="{y:g}" {anchor} font-family="sans-serif" font-size="{FONT_HEIGHT:g}" '
            f'xml:space="preserve" fill="{css_colour(colour)}" {around}>{escape(text)}</text>'
        )


def _joined(points: Sequence[Pixel]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
