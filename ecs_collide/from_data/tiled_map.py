"""Shapes of the layers of a Tiled map.

| in the map                                            | shapes                                                      |
|-------------------------------------------------------|-------------------------------------------------------------|
| cells of a tile layer that are solid                  | a `Bitmap` for each set of equal properties of their tiles  |
| cells whose tile has shapes in the collision editor   | the shapes of the tile, in each of the cells                |
| objects of an object layer                            | a shape for each, unless it is a point or text              |

A cell is solid if the custom property `solid` of its tile is true. If the tile has none, that of its layer counts. A
tile with shapes in the collision editor has these instead, unless one rectangle covers the whole tile. If `solid` is
false, a tile or an object has no shape.

Layers inherit the properties of their group, and tiles and objects those of their layer. Cells and tile objects have
those of their tile. Each may set its own. Hidden layers and objects count, since collision layers are often hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ecs_collide.components import Collider
from ecs_collide.from_data.named_errors import name_errors
from ecs_collide.from_data.pixel_frame import Origin, PixelFrame, map_linearly
from ecs_collide.from_data.placed import Marker, PlacedShape
from ecs_collide.from_data.tiled_file import MapLayer, MapObject, MapSource, Properties, Tile, TiledFile
from ecs_collide.from_data.tiled_forms import (
    CornerForm,
    EllipseForm,
    is_area,
    is_whole_tile,
    object_form,
    shape_of_form,
    shape_of_tile,
    turn_matrix,
)
from ecs_collide.from_data.tiled_properties import CollisionLayers, bits_by_name, collider_arguments
from ecs_collide.shapes import Bitmap, Box, Shape
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import positive

SOLID = "solid"
"""Property of tiles, layers and objects that have a shape."""


def from_tiled(
    source: MapSource,
    *,
    only: Collection[str] | None = None,
    collision_layers: CollisionLayers = None,
    tolerance: float = 0.25,
    scale: float = 1.0,
    y_down: bool = False,
    origin: Origin = None,
) -> list[PlacedShape]:
    """Return the shapes of a map of Tiled, in the order of its layers.

    Objects keep their names and custom properties. Some properties become arguments of colliders, such as `layer`,
    `sensor` and `one_way`: see `tiled_properties.py`.

    Args:
        source: a .tmx file, or the `pytmx.TiledMap` that a game has read from it.
        only: names of the Tiled layers to read, None for all.
        collision_layers: bits of collision layers by the names that the map gives them, or an enumeration of them.
        tolerance: greatest distance of an ellipse from its polygon [pixels].
        scale: length of a pixel [m].
        y_down: True if y points down in the game.
        origin: pixel at the origin of the game, "middle", or None for a corner: the lower left one, or the upper left
            one with `y_down`.

    Raises:
        OSError: the file cannot be read.
        TypeError, ValueError: the file is no map or of a kind that is not supported, a layer is missing, or an object
            or a property is invalid. The error names the object, the layer and the file.
        ImportError: pytmx is missing.
    """
    slack = positive(tolerance, "tolerance")
    file = TiledFile(source)
    frame = PixelFrame.over(file.size, scale, y_down, origin)
    maker = _ShapeMaker(file, frame, bits_by_name(collision_layers), slack * frame.scale)
    result: list[PlacedShape] = []
    for layer in file.layers(only):
        result += (*maker.cells(layer), *maker.objects(layer))
    return result


def tiled_points(
    source: MapSource,
    *,
    only: Collection[str] | None = None,
    scale: float = 1.0,
    y_down: bool = False,
    origin: Origin = None,
) -> list[Marker]:
    """Return the point objects of a map of Tiled, such as the places where things begin.

    See `from_tiled` for the arguments and errors.
    """
    file = TiledFile(source)
    frame = PixelFrame.over(file.size, scale, y_down, origin)
    found = []
    for layer in file.layers(only):
        for item in layer.objects:
            if "point" in item.tags:
                x, y = frame.place(layer.offset + np.array((item.data.x, item.data.y))).tolist()
                properties = {**layer.properties, **item.properties}
                found.append(Marker((x, y, frame.angle(item.data.rotation)), item.name, properties))
    return found


class _Kind(NamedTuple):
    """Solid cells of a layer whose tiles have equal properties."""

    properties: Properties
    """Custom properties of layer and tile."""
    mask: np.ndarray
    """True for the cells, the top row first (rows, columns)."""
    where: str
    """Name for error messages."""


class _ShapeMaker(NamedTuple):
    """A maker of the shapes of layers."""

    file: TiledFile
    frame: PixelFrame
    bits: Mapping[str, int]
    """Bits of collision layers by name."""
    tolerance: float
    """Greatest distance of an ellipse from its polygon [m]."""

    def objects(self, layer: MapLayer) -> Iterator[PlacedShape]:
        """Yield the shapes of an object layer."""
        for item in layer.objects:
            if not is_area(item):
                continue
            tile = self.file.tile(item.data.gid) if item.data.gid else None
            properties = {**layer.properties, **(tile.properties if tile else {}), **item.properties}
            if _is_solid(properties, True, item.where):
                with name_errors(item.where):
                    shape, pose = self._placed_tile(layer, item, tile) if tile else self._placed_object(layer, item)
                yield self._placed(shape, pose, item.name, properties, item.where)

    def cells(self, layer: MapLayer) -> Iterator[PlacedShape]:
        """Yield the solid cells of a tile layer as bitmaps, and then the shapes of its other tiles."""
        kinds: dict[str, _Kind] = {}
        others = []
        for gid in np.unique(layer.cells[layer.cells != 0]).tolist():
            tile, mask = self.file.tile(gid), layer.cells == gid
            properties = {**layer.properties, **tile.properties}
            where = f"{tile.where}, in {layer.where}"
            if not _is_solid(properties, bool(tile.objects), where):
                continue
            if not tile.objects or self._is_covered(tile):
                key = repr(sorted(item for item in tile.properties.items() if item[0] != SOLID))
                kind = kinds.setdefault(key, _Kind(properties, mask, where))
                kind.mask[mask] = True
            elif (shape := shape_of_tile(tile, self.frame.matrix, self.tolerance)) is not None:
                model = self._placed(shape, (0.0, 0.0, 0.0), layer.name, properties, where)
                cells = np.argwhere(mask).tolist()
                others += [replace(model, pose=self._middle_of_cell(tile, layer, row, column)) for row, column in cells]
        for kind in kinds.values():
            yield self._bitmap(kind, layer)
        yield from others

    def _is_covered(self, tile: Tile) -> bool:
        """Return True if the shape of a tile is a whole cell that a bitmap can hold."""
        return self._has_squares and is_whole_tile(tile) and bool((tile.size == self.file.cell).all())

    @property
    def _has_squares(self) -> bool:
        """True if the cells of the map are squares."""
        return bool(self.file.cell[0] == self.file.cell[1])

    def _bitmap(self, kind: _Kind, layer: MapLayer) -> PlacedShape:
        """Return solid cells as a bitmap, with its pose at the corner with the smallest x and y."""
        if not self._has_squares:
            width, height = self.file.cell.tolist()
            raise ValueError(
                f"{kind.where}: solid cells must be squares, but those of the map are {width:g} x {height:g} pixels: "
                "draw a rectangle around the tile in Tiled's collision editor instead"
            )
        size = float(self.file.cell[0])
        height = 0.0 if self.frame.y_down else size * len(kind.mask)
        x, y = self.frame.place(layer.offset + np.array((0.0, height))).tolist()
        mask = kind.mask if self.frame.y_down else kind.mask[::-1]
        shape = Bitmap(mask, size * self.frame.scale)
        return self._placed(shape, (x, y, 0.0), layer.name, kind.properties, kind.where)

    def _middle_of_cell(self, tile: Tile, layer: MapLayer, row: int, column: int) -> tuple[float, float, float]:
        """Return the pose of the middle of a tile, which stands on the lower left corner of its cell."""
        corner = np.array((column, row + 1.0)) * self.file.cell
        middle = layer.offset + tile.offset + corner + tile.size * (0.5, -0.5)
        x, y = self.frame.place(middle).tolist()
        return x, y, 0.0

    def _placed_object(self, layer: MapLayer, item: MapObject) -> tuple[Shape, tuple[float, float, float]]:
        """Return the shape and pose of an object without a tile.

        The origin of a rectangle or an ellipse is its middle, that of a polygon or a polyline the object's position.
        """
        data, form = item.data, object_form(item)
        corner = np.array((data.x, data.y))
        size = np.array((data.width, data.height), np.float64)
        if isinstance(form, CornerForm) and item.tags & {"polygon", "polyline"}:
            shape = shape_of_form(form, self.frame.matrix, np.zeros(2), self.tolerance)
            return shape, self._pose(layer, item, corner, np.zeros(2))
        pose = self._pose(layer, item, corner, 0.5 * size)
        if isinstance(form, EllipseForm):
            middle = map_linearly(-form.center, self.frame.matrix)
            return shape_of_form(form, self.frame.matrix, middle, self.tolerance), pose
        width, height = (size * self.frame.scale).tolist()
        return Box(width, height), pose

    def _placed_tile(self, layer: MapLayer, item: MapObject, tile: Tile) -> tuple[Shape, tuple[float, float, float]]:
        """Return the shape and pose of an object that shows a tile: the shapes of the tile, or else a box.

        Such an object turns about its lower left corner, which pytmx moves to the upper left one by default.
        """
        data = item.data
        size = np.array((data.width or tile.size[0], data.height or tile.size[1]), np.float64)
        corner = np.array((data.x, data.y + (data.height if self.file.map.invert_y else 0.0)))
        pose = self._pose(layer, item, corner, size * (0.5, -0.5))
        drawn = np.abs(map_linearly(tile.size, tile.flips))
        shape = shape_of_tile(tile, map_linearly(np.diag(size / drawn), self.frame.matrix), self.tolerance)
        if shape is None:
            width, height = (size * self.frame.scale).tolist()
            shape = Box(width, height)
        return shape, pose

    def _pose(
        self, layer: MapLayer, item: MapObject, pivot: FloatArray, middle: FloatArray
    ) -> tuple[float, float, float]:
        """Return the pose of a point `middle` [pixels] from the point about which an object turns."""
        turn = item.data.rotation
        x, y = self.frame.place(layer.offset + pivot + map_linearly(middle, turn_matrix(turn))).tolist()
        return x, y, self.frame.angle(turn)

    def _placed(
        self, shape: Shape, pose: tuple[float, float, float], name: str, properties: Properties, where: str
    ) -> PlacedShape:
        """Return a placed shape, with the arguments of its collider checked."""
        with name_errors(where):
            arguments: dict[str, Any] = collider_arguments(properties, self.bits, self.frame.y_down)
            Collider(shape, **arguments)
        return PlacedShape(shape, pose, name, properties, arguments)


def _is_solid(properties: Properties, usual: bool, where: str) -> bool:
    """Return the property `solid`, or the usual value if there is none."""
    value = properties.get(SOLID, usual)
    if not isinstance(value, bool):
        raise TypeError(f"{where}: the property {SOLID} must be true or false, a bool in Tiled, got {value!r}")
    return value
