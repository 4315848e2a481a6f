"""Maps of Tiled, as pytmx reads them, with what pytmx leaves out.

pytmx decodes the tiles, and reads tilesets, objects and properties. It does not say whether an object is an ellipse or
a point, and it ignores groups. So the same file is read as XML, too, and the two are walked side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from ecs_collide.draw.missing import library_missing
from ecs_collide.from_data.named_errors import checked_names
from ecs_collide.shapes.piece import FloatArray

try:
    import pytmx
except ImportError as error:
    raise library_missing("pytmx", "tiled") from error

Properties: TypeAlias = Mapping[str, Any]
"""Custom properties of a layer, tile or object, by name."""

MapSource: TypeAlias = "str | PathLike[str] | pytmx.TiledMap"
"""A .tmx file, or the map that pytmx has read from it."""

OWN_KEYS = {"id", "width", "height", "frames", "colliders", "source", "trans", "probability", "terrain"}
"""Keys that pytmx puts among the properties of a tile."""


class MapObject(NamedTuple):
    """An object of an object layer or of a tile."""

    data: pytmx.TiledObject
    """Object as pytmx reads it."""
    properties: Properties
    """Its id, its class as `type` if it has one, and its custom properties."""
    name: str
    """Name, empty if it has none."""
    tags: frozenset[str]
    """Tags in its element: "ellipse", "point", "text", "polygon", "polyline", "capsule"."""
    where: str
    """Name for error messages."""


class MapLayer(NamedTuple):
    """A tile layer or an object layer."""

    name: str
    """Name, empty if it has none."""
    offset: FloatArray
    """Offset of the layer, with those of its groups [pixels] (2,)."""
    properties: Properties
    """Custom properties of its groups and of itself."""
    cells: NDArray[np.int64]
    """Numbers of the tiles in the cells, 0 for none, the top row first (rows, columns); empty for an object layer."""
    objects: tuple[MapObject, ...]
    """Objects, none for a tile layer."""
    where: str
    """Name for error messages."""


class Tile(NamedTuple):
    """A tile of a tileset."""

    size: FloatArray
    """Width and height [pixels] (2,)."""
    offset: FloatArray
    """Offset at which the tileset is drawn [pixels] (2,)."""
    properties: Properties
    """Custom properties of the tile."""
    objects: tuple[MapObject, ...]
    """Shapes of Tiled's collision editor."""
    flips: FloatArray
    """Matrix of the tile's flips and quarter turns (2, 2), for row vectors."""
    where: str
    """Name for error messages."""


class TiledFile:
    """A map, with its layers and tiles."""

    def __init__(self, source: MapSource) -> None:
        """Read a map.

        Raises:
            OSError: the file cannot be read.
            TypeError: `source` is neither a path nor a map of pytmx.
            ValueError: the file is no map, or a map of a kind that is not supported.
        """
        if isinstance(source, pytmx.TiledMap):
            if not source.filename:
                raise ValueError("the map of pytmx must have been read from a file: write pytmx.TiledMap(path)")
            self.path = str(source.filename)
        elif isinstance(source, str | PathLike):
            self.path = fspath(source)
        else:
            raise TypeError(f"a map must be a .tmx file or a pytmx.TiledMap, got {source!r}")
        self._root = self._parse(Path(self.path))
        self.map = source if isinstance(source, pytmx.TiledMap) else self._load()
        self._flags = dict(each for numbers in self.map.gidmap.values() for each in numbers)
        """Flips of each tile, by the number that pytmx has given it."""
        self._tile_nodes = self._find_tile_nodes()
        self._tiles: dict[int, Tile] = {}

    @property
    def cell(self) -> FloatArray:
        """Width and height of a cell [pixels] (2,)."""
        return np.array((self.map.tilewidth, self.map.tileheight), np.float64)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the map [pixels]."""
        return float(self.map.width * self.map.tilewidth), float(self.map.height * self.map.tileheight)

    def _parse(self, path: Path) -> ElementTree.Element:
        """Return the root of an XML file, after a check that it holds a supported map."""
        try:
            root = ElementTree.fromstring(path.read_bytes())
        except ElementTree.ParseError as error:
            raise ValueError(f"{path} is no XML: {error}") from None
        if root.tag != "map":
            raise ValueError(f"{path} is no map of Tiled: its first element is <{root.tag}>")
        if (orientation := root.get("orientation", "orthogonal")) != "orthogonal":
            raise ValueError(f"{path} is {orientation}: only orthogonal maps have square cells in rows and columns")
        if root.get("infinite", "0") != "0":
            raise ValueError(f"{path} is infinite, which pytmx does not read: untick Infinite in Map > Map Properties")
        if root.find(".//object[@template]") is not None:
            raise ValueError(f"{path} has objects from templates, which pytmx does not read: detach them in Tiled")
        return root

    def _load(self) -> pytmx.TiledMap:
        """Return the map as pytmx reads it."""
        try:
            return pytmx.TiledMap(self.path)
        except OSError:
            raise
        except Exception as error:  # pytmx raises plain exceptions
            raise ValueError(f"pytmx cannot read {self.path}: {error or repr(error)}") from error

    def layers(self, only: Collection[str] | None) -> Iterator[MapLayer]:
        """Yield the tile layers and object layers in the order of the file.

        Args:
            only: names of the layers, None for all.

        Raises:
            ValueError: a layer of `only` is missing.
        """
        # Objects of tiles are in the same lists if the tileset is part of the file.
        tiles = [each for each in self.map.layers if isinstance(each, pytmx.TiledTileLayer)]
        objects = [each for each in self.map.layers if isinstance(each, pytmx.TiledObjectGroup)]
        groups = [each for each in self.map.layers if isinstance(each, pytmx.pytmx.TiledGroupLayer)]
        read = dict(zip(self._root.iterfind(".//layer"), tiles, strict=True))
        read |= dict(zip(self._root.iterfind(".//objectgroup"), objects, strict=True))
        read |= dict(zip(self._root.iterfind(".//group"), groups, strict=True))
        wanted = checked_names(only, "only")
        missing = set(wanted or ())
        for node, offset, parents in _walk(self._root, np.zeros(2), ()):
            data = read[node]
            properties: dict[str, Any] = {}
            for each in (*(read[parent] for parent in parents), data):
                properties |= each.properties
            if wanted is not None and data.name not in wanted:
                continue
            missing.discard(data.name)
            where = f"layer {data.name!r} of {self.path}"
            if node.tag == "layer" and [len(row) for row in data.data] != [data.width] * data.height:
                raise ValueError(f"{where} must have {data.width} x {data.height} cells: save the map in Tiled again")
            cells = np.array(data.data if node.tag == "layer" else np.zeros((0, 0)), np.int64)
            content = self._objects(data, node, where) if node.tag == "objectgroup" else ()
            yield MapLayer(data.name or "", offset, properties, cells, content, where)
        if missing:
            raise ValueError(f"{self.path} has no layer {min(missing)!r}")

    def tile(self, gid: int) -> Tile:
        """Return the tile with a number that pytmx has given it."""
        if gid not in self._tiles:
            self._tiles[gid] = self._read_tile(gid)
        return self._tiles[gid]

    def _read_tile(self, gid: int) -> Tile:
        """Return a tile, with its flips."""
        tileset, number = self.map.get_tileset_from_gid(gid), self.map.tiledgidmap[gid]
        read = self.map.get_tile_properties_by_gid(gid) or {}
        node = self._tile_nodes.get(number)
        group = None if node is None else node.find("objectgroup")
        where = f"tile {number - tileset.firstgid} of tileset {tileset.name!r} of {self.path}"
        size = read.get("width") or tileset.tilewidth, read.get("height") or tileset.tileheight
        flags = self._flags[gid]
        flips = np.eye(2)
        if flags.flipped_diagonally:
            flips = flips[::-1]
        flips = flips * (-1.0 if flags.flipped_horizontally else 1.0, -1.0 if flags.flipped_vertically else 1.0)
        return Tile(
            np.array(size, np.float64),
            np.array(tileset.offset, np.float64),
            {key: value for key, value in read.items() if key not in OWN_KEYS},
            () if group is None else self._objects(read["colliders"], group, where),
            flips,
            where,
        )

    def _find_tile_nodes(self) -> dict[int, ElementTree.Element]:
        """Return the elements of tiles with shapes, by their numbers in the file."""
        found = {}
        for node in self._root.iterfind("tileset"):
            source = node.get("source")
            inside = node if source is None else ElementTree.parse(Path(self.path).parent / source).getroot()
            for tile in inside.iterfind("tile"):
                if tile.find("objectgroup") is not None:
                    found[int(node.get("firstgid", 1)) + int(tile.get("id", 0))] = tile
        return found

    def _objects(self, group: pytmx.TiledObjectGroup, node: ElementTree.Element, where: str) -> tuple[MapObject, ...]:
        """Return the objects of an object layer or of a tile."""
        return tuple(
            MapObject(
                data,
                _object_properties(data),
                data.name or "",
                frozenset(child.tag for child in element),
                f"object {data.id}{f' {data.name!r}' if data.name else ''} in {where}",
            )
            for data, element in zip(group, node.iterfind("object"), strict=True)
        )


def _object_properties(data: pytmx.TiledObject) -> dict[str, Any]:
    """Return the id, the class and the custom properties of an object."""
    # pytmx copies the properties of its tile, and more, to an object that shows one.
    custom = {key: value for key, value in data.properties.items() if not (data.gid and key in OWN_KEYS)}
    kind = data.type or vars(data).get("class")
    return {"id": data.id, **({"type": kind} if kind else {}), **custom}


def _walk(
    node: ElementTree.Element, offset: FloatArray, parents: tuple[ElementTree.Element, ...]
) -> Iterator[tuple[ElementTree.Element, FloatArray, tuple[ElementTree.Element, ...]]]:
    """Yield the elements of layers, with their offsets [pixels] and their groups, the outermost first."""
    for child in node:
        if child.tag not in ("group", "layer", "objectgroup"):
            continue
        moved = offset + np.array((child.get("offsetx", 0.0), child.get("offsety", 0.0)), np.float64)
        if child.tag == "group":
            yield from _walk(child, moved, (*parents, child))
        else:
            yield child, moved, parents
