"""Shapes from the outlines of an image.

contourpy finds the outlines by marching squares, where the value equals the threshold.

| values                                     | an outline runs                                              |
|--------------------------------------------|--------------------------------------------------------------|
| two only: a mask, an image with hard edges | along the borders of pixels                                  |
| more: an image with smooth edges           | between the middles of pixels, where the bilinear value does |

Around the image, values are as far below the threshold as the greatest one is above it. So an outline ends at the
image's border. The outlines are simplified by shapely, which keeps holes inside their polygons.
"""

from __future__ import annotations

import math
from itertools import pairwise
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.draw.missing import library_missing
from ecs_collide.from_data.pixel_frame import Origin, PixelFrame
from ecs_collide.from_data.placed import PlacedShape
from ecs_collide.from_data.shapely_geometry import NamedGeometry, place_geometry
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import flag, non_negative, real

try:
    import contourpy
    import shapely
except ImportError as error:
    raise library_missing("contourpy", "images") from error

if TYPE_CHECKING:
    from PIL.Image import Image


def from_image(
    image: str | PathLike[str] | Image | ArrayLike,
    *,
    threshold: float | None = None,
    tolerance: float = 1.0,
    smallest_area: float = 0.0,
    holes: bool = True,
    scale: float = 1.0,
    y_down: bool = False,
    origin: Origin = None,
    as_chains: bool = False,
    as_one: bool = False,
    centered: bool = False,
) -> list[PlacedShape]:
    """Return the shapes of the solid parts of an image, the largest part first; none for an empty image.

    Args:
        image: a file or an image of Pillow, of which the alpha channel counts; or an array of bools or numbers (rows,
            columns), the first row at the top.
        threshold: greatest value of an empty pixel. None for 127 of an image, 0 of bools and integers, 0.5 of floats.
        tolerance: greatest distance by which simplification moves an outline [pixels].
        smallest_area: smaller parts and holes are left out [pixels²].
        holes: False to fill all holes.
        scale: length of a pixel [m].
        y_down: True if y points down in the game.
        origin: pixel at the origin of the game, "middle", or None for a corner: the lower left one, or the upper left
            one with `y_down`.
        as_chains: True for outlines without an inside, for terrain; False for solid polygons.
        as_one: True for one shape of all parts, such as a sprite.
        centered: True to put the origin of each shape at its centroid.

    Raises:
        TypeError: `image` is none of these.
        ValueError: an image has no alpha channel, an array is empty or has not two dimensions, or a number is not
            finite or out of range.
        ImportError: contourpy, shapely or, for files, Pillow is missing.
    """
    slack, smallest = non_negative(tolerance, "tolerance"), non_negative(smallest_area, "smallest_area")
    values, level = _values(image, threshold)
    frame = PixelFrame.over((values.shape[1], values.shape[0]), scale, y_down, origin)
    name = fspath(image) if isinstance(image, str | PathLike) else "image"
    keeps_holes = flag(holes, "holes")
    found = []
    for outline in _find_parts(values, level):
        kept = [hole for hole in outline.interiors if keeps_holes and shapely.Polygon(hole).area >= smallest]
        part = shapely.Polygon(outline.exterior, kept)
        if part.area >= smallest:
            found.append(shapely.transform(shapely.simplify(part, slack), frame.place))
    found.sort(key=lambda part: part.area, reverse=True)
    given = [NamedGeometry(part, f"part {index} of {name}") for index, part in enumerate(found)]
    return place_geometry(given, as_chains=as_chains, as_one=as_one, centered=centered)


def _values(image: str | PathLike[str] | Image | ArrayLike, threshold: float | None) -> tuple[FloatArray, float]:
    """Return the values of an image (rows, columns), and the value at its outlines."""
    if isinstance(image, str | PathLike):
        values, usual = _alpha_of_file(fspath(image)), 127.0
    elif hasattr(image, "getchannel"):
        values, usual = _alpha(image, "image"), 127.0
    else:
        values = np.asarray(image)
        if values.dtype.kind not in "biuf":
            raise TypeError(f"image must be a file, an image of Pillow or an array of numbers, got {values.dtype}")
        usual = 0.5 if values.dtype.kind == "f" else 0.0
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"image must be an array of rows and columns, got one of shape {values.shape}")
    limit = usual if threshold is None else real(threshold, "threshold")
    is_whole = values.dtype.kind != "f"
    numbers = values.astype(np.float64)
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise ValueError(f"image must hold finite numbers, got {numbers[row, column]} at row {row}, column {column}")
    return numbers, math.floor(limit) + 0.5 if is_whole else limit


def _alpha_of_file(path: str) -> np.ndarray:
    """Return the alpha channel of an image file (rows, columns)."""
    try:
        from PIL import Image
    except ImportError as error:
        raise library_missing("Pillow", "images") from error
    with Image.open(path) as image:
        return _alpha(image, path)


def _alpha(image: Any, name: str) -> np.ndarray:
    """Return the alpha channel of an image of Pillow (rows, columns)."""
    if not image.has_transparency_data:
        raise ValueError(
            f"{name} has no alpha channel, its mode is {image.mode}: pass an array that is True where it is solid, "
            'such as numpy.asarray(image.convert("L")) > 127'
        )
    return np.asarray(image.convert("RGBA").getchannel("A"))


def _find_parts(values: FloatArray, level: float) -> list[shapely.Polygon]:
    """Return the parts of an image that are above a level, with their holes [pixels]."""
    greatest = float(values.max())
    if greatest <= level:
        return []
    padded = np.pad(values, 1, constant_values=2.0 * level - greatest)
    rows, columns = padded.shape
    if len(np.unique(values)) <= 2:
        # Each value counts at both borders of its pixel, so that all change happens at borders.
        padded = np.repeat(np.repeat(padded, 2, axis=0), 2, axis=1)
        y, x = (np.repeat(np.arange(-1.0, count), 2)[1:-1] for count in (rows, columns))
    else:
        y, x = np.arange(rows) - 0.5, np.arange(columns) - 0.5
    lines = contourpy.contour_generator(x, y, padded, fill_type=contourpy.FillType.OuterOffset)
    parts: list[shapely.Polygon] = []
    for corners, starts in zip(*lines.filled(level, greatest + 1.0), strict=True):
        rings = [corners[first:last] for first, last in pairwise(starts.tolist())]
        part = shapely.Polygon(rings[0], rings[1:])
        # Outlines touch themselves where pixels equal the level, and where hard edges meet at a corner.
        mended = part if part.is_valid else shapely.make_valid(part, method="structure", keep_collapsed=False)
        parts += [each for each in shapely.get_parts(mended) if isinstance(each, shapely.Polygon)]
    return parts
