"""Drawing of scenes on pygame surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.draw.camera import Camera
from ecs_collide.draw.describe import scene as present_scene
from ecs_collide.draw.kept_cameras import kept_camera
from ecs_collide.draw.missing import library_missing
from ecs_collide.draw.pen import FONT_HEIGHT, Pixel, draw
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.style import DARK, Colour, Colours, Paint, Show

try:
    import pygame as library
except ImportError as error:
    raise library_missing("pygame-ce", "draw") from error

FONT_FACTOR = 1.35
"""Size of pygame's own font in heights of letters."""


def pygame(
    surface: library.Surface,
    world: PhysicsWorld | Scene | None = None,
    camera: Camera | None = None,
    *,
    show: Show | None = None,
    colours: Colours = DARK,
    paint: Paint | None = None,
    interpolated: bool = True,
    enlarged: float = 1.0,
) -> None:
    """Draw the current world, or a scene, on a surface; what is on it already stays where nothing is drawn.

        while running:
            esper.process(clock.tick(60) / 1000)
            screen.fill("black")
            draw.pygame(screen)
            pygame.display.flip()

    Args:
        surface: surface to draw on, such as the screen.
        world: physics of the current world if it is at hand, or a scene that is drawn instead.
        camera: the part of the world to show. Without one, the first call chooses a camera that fits the world, and
            later calls for surfaces of this size keep it.
        show: switches of the parts to show; a scene has its own.
        colours: colours of bodies and marks; a scene has its own.
        paint: function that returns the colour of an entity, or None for the colour of its state.
        interpolated: True for the poses between the last two steps.
        enlarged: factor by which the surface is larger than it will be shown; lines and text grow with it.
    """
    size = surface.get_size()
    if isinstance(world, Scene):
        scene, camera = world, camera or world.camera(size)
    else:
        camera = camera or kept_camera(world, size)
        scene = present_scene(
            world, show, colours, paint=paint, interpolated=interpolated, scale=camera.scale / enlarged
        )
    draw(scene, camera, PygamePen(surface, enlarged), enlarged)


class PygamePen:
    """A pen that draws on a pygame surface."""

    digits = 0

    def __init__(self, surface: library.Surface, enlarged: float = 1.0) -> None:
        """Make a pen for a surface that is larger than it will be shown by a factor."""
        self._surface, self._enlarged = surface, enlarged
        self._thin = max(1, round(enlarged))
        self._polygon, self._lines, self._circle = library.draw.polygon, library.draw.lines, library.draw.circle

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""
        self._polygon(self._surface, fill, corners)
        if edge is not None:
            self._lines(self._surface, edge, True, corners, self._thin)

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""
        self._lines(self._surface, colour, False, points, max(1, round(width * self._enlarged)))

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""
        self._circle(self._surface, fill, center, radius)
        if edge is not None:
            self._circle(self._surface, edge, center, radius, self._thin)

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""
        self._circle(self._surface, colour, center, radius * self._enlarged)

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text."""
        picture = _written(text, round(FONT_FACTOR * FONT_HEIGHT * self._enlarged), colour, halo)
        x, y = place
        if centered:
            self._surface.blit(picture, picture.get_rect(center=(x, y)))
        else:
            self._surface.blit(picture, (x, y))


@lru_cache(maxsize=8)
def _font(size: int) -> library.font.Font:
    library.font.init()
    return library.font.Font(None, size)


@lru_cache(maxsize=1024)
def _written(text: str, size: int, colour: Colour, halo: Colour) -> library.Surface:
    """Return the picture of a line of text, with a halo around the letters."""
    letters = _font(size).render(text, True, colour)
    edge = max(1, size // 16)
    picture = library.Surface((letters.get_width() + 2 * edge, letters.get_height() + 2 * edge), library.SRCALPHA)
    around = _font(size).render(text, True, halo)
    for x in (0, edge, 2 * edge):
        for y in (0, edge, 2 * edge):
            picture.blit(around, (x, y))
    picture.blit(letters, (edge, edge))
    return picture
