"""Pictures and films of scenes with Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.draw.camera import Camera
from ecs_collide.draw.describe import scene as present_scene
from ecs_collide.draw.missing import library_missing
from ecs_collide.draw.pen import FONT_HEIGHT, Pixel, draw
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.style import Colour

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise library_missing("Pillow", "draw") from error

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont as BitmapFont

OVERSAMPLING = 2
"""Factor by which pictures are drawn larger before they are scaled down, which makes edges smooth."""
GIF_COLOURS = 96
"""Number of colours in a GIF, without the transparent one."""
LAST_PICTURE = 1500
"""Duration of the last picture of a GIF [ms]."""
PALETTE_SAMPLES = 6
"""Number of pictures of a film from which its colours are chosen."""


def pillow(
    scene: PhysicsWorld | Scene | None = None,
    width: int = 640,
    camera: Camera | None = None,
    oversampling: int = OVERSAMPLING,
) -> Image.Image:
    """Return a picture of a scene as a Pillow image.

    Args:
        scene: description of the world; None, or the physics of the current world, for that world.
        width: width of the picture [pixels]; its height follows from the scene.
        camera: the part of the world to show; it sets the size as well. None to fit the scene.
        oversampling: factor by which the picture is drawn larger, to be scaled down afterwards.
    """
    scene = scene if isinstance(scene, Scene) else present_scene(scene)
    camera = camera or Camera.over(scene.fit(), width, scene.y_up)
    pen = PillowPen(camera, scene.colours.background or (0, 0, 0), oversampling)
    draw(scene, pen.camera, pen, oversampling)
    return pen.finished()


class PillowPen:
    """A pen that draws on a Pillow image, larger than the picture will be."""

    digits = 1

    def __init__(self, camera: Camera, background: Colour, oversampling: int) -> None:
        """Make a pen for an empty picture."""
        width, height = camera.size
        size = width * oversampling, height * oversampling
        self.camera = Camera(size, camera.center, camera.scale * oversampling, camera.y_up)
        """Camera of the enlarged picture."""
        self._size, self._factor = camera.size, oversampling
        self._image = Image.new("RGB", size, background)
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        """Return the picture in its final size."""
        return self._image.reduce(self._factor) if self._factor > 1 else self._image

    def polygon(self, corners: Sequence[Pixel], fill: Colour, edge: Colour | None) -> None:
        """Fill a polygon, and draw a line around it."""
        self._draw.polygon([(x, y) for x, y in corners], fill)
        if edge is not None:
            self.polyline([*corners, corners[0], corners[1]], edge, 1.0)

    def polyline(self, points: Sequence[Pixel], colour: Colour, width: float) -> None:
        """Draw lines from point to point."""
        self._draw.line([(x, y) for x, y in points], colour, max(1, round(width * self._factor)), "curve")

    def disc(self, center: Pixel, radius: float, fill: Colour, edge: Colour | None) -> None:
        """Fill a circle, and draw a line around it."""
        x, y = center
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill, edge, self._factor if edge else 0)

    def dot(self, center: Pixel, radius: float, colour: Colour) -> None:
        """Fill a small circle."""
        self.disc(center, radius * self._factor, colour, None)

    def text(self, place: Pixel, text: str, colour: Colour, halo: Colour, centered: bool) -> None:
        """Write a line of text."""
        x, y = place
        self._draw.text(
            (x, y),
            text,
            colour,
            _font(FONT_HEIGHT * self._factor),
            "mm" if centered else "la",
            stroke_width=self._factor,
            stroke_fill=halo,
        )


@lru_cache(maxsize=8)
def _font(height: float) -> FreeTypeFont | BitmapFont:
    return ImageFont.load_default(height)


def save_gif(pictures: Sequence[Image.Image], times: Sequence[float], path: str | Path) -> None:
    """Write a film that begins anew after its last picture.

    All pictures share one palette, made from a few of them, so that colours do not flicker. Only the differences to the
    picture before are stored; the rest is transparent.

    Args:
        pictures: the pictures, all of one size.
        times: time of each picture, and of the end, so one more [s]. GIF has hundredths of a second.
        path: file to write.

    Raises ValueError without a picture, or if the number of times is wrong.
    """
    if not pictures:
        raise ValueError("a film needs at least one picture")
    if len(times) != len(pictures) + 1:
        raise ValueError(f"{len(pictures)} pictures need {len(pictures) + 1} times, the last for the end: {len(times)}")
    hundredths = [round(100.0 * time) for time in times]
    samples = pictures[:: max(1, len(pictures) // PALETTE_SAMPLES)]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for k, sample in enumerate(samples):
        sheet.paste(sample, (0, k * height))
    palette = sheet.quantize(GIF_COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2)
    reduced = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    seen, changes, starts = np.asarray(reduced[0]), [reduced[0]], [hundredths[0]]
    for picture, time in zip(reduced[1:], hundredths[1:-1], strict=True):
        now = np.asarray(picture)
        if (now == seen).all():
            continue
        change = Image.fromarray(np.where(now == seen, np.uint8(GIF_COLOURS), now))
        change.putpalette(palette.getpalette() or [])
        changes.append(change)
        starts.append(time)
        seen = now
    durations = [10 * (then - time) for time, then in pairwise([*starts, hundredths[-1]])]
    durations[-1] += LAST_PICTURE
    changes[0].save(
        path,
        save_all=True,
        append_images=changes[1:],
        duration=durations,
        loop=0,
        optimize=False,
        disposal=1,
        transparency=GIF_COLOURS,
    )
