"""Shapes of the layers of maps of Tiled."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntFlag
from pathlib import Path

import esper
import pytest
import pytmx
import shapely

import ecs_collide as ec
from ecs_collide.from_data import PlacedShape, from_tiled, tiled_points, to_shapely

TILES = """
 <tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 <tile id="1"><objectgroup id="2"><object id="1" x="0" y="16"><polygon points="0,0 16,-16 16,0"/></object>
 </objectgroup></tile>
 <tile id="2"><objectgroup id="2"><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
 <tile id="3"><properties><property name="hot" type="bool" value="true"/>
  <property name="solid" type="bool" value="true"/></properties></tile>
 <tile id="4"><objectgroup id="2"><object id="1" x="4" y="0" width="4" height="8" rotation="90"/>
  <object id="2" x="8" y="8" width="8" height="8"><ellipse/></object></objectgroup></tile>
 <tile id="5"><properties><property name="solid" type="bool" value="false"/></properties></tile>
"""
"""Tiles 1 to 6 of a map: solid, a slope, a whole rectangle, hot, two shapes, and never solid."""
DIAGONAL, VERTICAL, HORIZONTAL = 1 << 29, 1 << 30, 1 << 31
"""Flips of a tile in a file."""

TiledMapFile = Callable[..., Path]


@pytest.fixture(name="tmx")
def tiled_map_file(tmp_path: Path) -> TiledMapFile:
    """Return a function that writes layers to a map of 4 x 3 tiles of 16 pixels."""

    def write(*layers: str, tiles: str = TILES, attributes: str = "", height: int = 16) -> Path:
        path = tmp_path / "level.tmx"
        path.write_text(
            f'<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="{height}" '
            f'{attributes}><tileset firstgid="1" name="set" tilewidth="16" tileheight="{height}" tilecount="8" '
            f'columns="8"><image source="set.png" width="128" height="{height}"/>{tiles}</tileset>'
            f"{''.join(layers)}</map>",
            "utf-8",
        )
        return path

    return write


def tile_layer(rows: str, properties: str = "", attributes: str = "") -> str:
    """Return a tile layer of 4 x 3 tiles; rows have blanks between, and a slash behind each but the last."""
    csv = ",\n".join(",".join(row.split()) for row in rows.split("/"))
    return (
        f'<layer id="1" name="ground" width="4" height="3" {attributes}>{properties}'
        f'<data encoding="csv">{csv}</data></layer>'
    )


def object_layer(objects: str, properties: str = "", name: str = "things", attributes: str = "") -> str:
    """Return an object layer."""
    return f'<objectgroup id="2" name="{name}" {attributes}>{properties}{objects}</objectgroup>'


def custom(**values: object) -> str:
    """Return custom properties."""
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    return "<properties>{}</properties>".format(
        "".join(
            f'<property name="{name}" type="{kinds[type(value)]}" '
            f'value="{str(value).lower() if isinstance(value, bool) else value}"/>'
            for name, value in values.items()
        )
    )


def drawn(part: PlacedShape) -> shapely.Geometry:
    """Return a shape at its place."""
    return to_shapely(part.shape, part.pose, tolerance=1e-6)


def _polygon(*corners: tuple[float, float]) -> shapely.Geometry:
    return shapely.Polygon(corners)


def differs(part: PlacedShape, geometry: shapely.Geometry) -> float:
    """Return the area by which a shape at its place differs from geometry [m²]."""
    return float(drawn(part).symmetric_difference(geometry).area)


def test_solid_tiles_are_a_bitmap_of_the_whole_layer(tmx: TiledMapFile) -> None:
    (part,) = from_tiled(tmx(tile_layer("0 0 0 1 / 0 3 0 0 / 1 1 1 1")))
    assert part.shape == ec.Bitmap(["...#", ".#..", "####"][::-1], 16.0)
    assert (part.pose, part.name) == ((0.0, 0.0, 0.0), "ground")


def test_with_y_down_rows_and_places_are_those_of_the_file(tmx: TiledMapFile) -> None:
    file = tmx(tile_layer("0 0 0 1 / 0 3 0 0 / 1 1 1 1", attributes='offsetx="8" offsety="4"'))
    (down,) = from_tiled(file, y_down=True)
    assert down.shape == ec.Bitmap(["...#", ".#..", "####"], 16.0)
    assert down.pose == (8.0, 4.0, 0.0)
    (up,) = from_tiled(file, scale=1 / 16)
    assert up.shape == ec.Bitmap(["...#", ".#..", "####"][::-1], 1.0)
    assert up.pose == (0.5, -0.25, 0.0)
    (middle,) = from_tiled(file, scale=1 / 16, origin="middle")
    assert middle.pose == (-1.5, -1.75, 0.0)


def test_the_property_solid_of_a_layer_counts_for_tiles_without_their_own(tmx: TiledMapFile) -> None:
    (solid,) = from_tiled(tmx(tile_layer("7 6 0 0 / 0 0 0 0 / 0 0 0 8", custom(solid=True))))
    assert solid.shape == ec.Bitmap(["#...", "....", "...#"][::-1], 16.0)
    assert from_tiled(tmx(tile_layer("7 6 0 0 / 0 0 0 0 / 0 0 0 8"))) == []
    assert from_tiled(tmx(tile_layer("2 3 0 0 / 0 0 0 0 / 0 0 0 7", custom(solid=False)))) == []


def test_tiles_of_different_properties_are_bitmaps_of_their_own(tmx: TiledMapFile) -> None:
    hot, plain = from_tiled(tmx(tile_layer("0 0 0 0 / 4 0 0 4 / 1 1 1 1")))
    assert plain.shape == ec.Bitmap(["....", "....", "####"][::-1], 16.0)
    assert hot.shape == ec.Bitmap(["....", "#..#", "...."][::-1], 16.0)
    assert "hot" not in plain.properties and hot.properties["hot"] is True


def test_shapes_of_the_collision_editor_stand_in_each_cell(tmx: TiledMapFile) -> None:
    first, second = from_tiled(tmx(tile_layer("2 0 0 0 / 0 0 0 0 / 0 0 0 2")))
    assert first.shape is second.shape
    assert differs(first, _polygon((0, 32), (16, 32), (16, 48))) < 1e-9
    assert differs(second, _polygon((48, 0), (64, 0), (64, 16))) < 1e-9


@pytest.mark.parametrize(
    ("flips", "corners"),
    [
        (HORIZONTAL, [(0, 0), (16, 16), (0, 16)]),
        (VERTICAL, [(0, 0), (16, 16), (16, 0)]),
        (DIAGONAL, [(16, 0), (0, 16), (16, 16)]),
        (HORIZONTAL | VERTICAL, [(0, 0), (16, 0), (0, 16)]),
        (DIAGONAL | HORIZONTAL, [(0, 0), (16, 16), (0, 16)]),
        (DIAGONAL | VERTICAL, [(0, 0), (16, 0), (16, 16)]),
        (DIAGONAL | HORIZONTAL | VERTICAL, [(0, 0), (16, 0), (0, 16)]),
    ],
)
def test_tiles_are_flipped_and_turned(tmx: TiledMapFile, flips: int, corners: list[tuple[float, float]]) -> None:
    """Tiled flips along the diagonal first; the corners are in pixels, y down."""
    (part,) = from_tiled(tmx(tile_layer(f"{2 | flips} 0 0 0 / 0 0 0 0 / 0 0 0 0")), y_down=True)
    assert differs(part, _polygon(*corners)) < 1e-9


def test_a_tile_may_have_several_shapes(tmx: TiledMapFile) -> None:
    (part,) = from_tiled(tmx(tile_layer("0 0 0 0 / 5 0 0 0 / 0 0 0 0")), y_down=True)
    assert isinstance(part.shape, ec.Compound)
    turned = shapely.box(-4, 16, 4, 20)
    disk = shapely.Point(12, 28).buffer(4, quad_segs=256)
    assert differs(part, turned.union(disk)) < 0.01


def test_objects_of_tiles_in_the_map_s_own_tileset_are_no_objects_of_the_map(tmx: TiledMapFile) -> None:
    """pytmx lists them among the layers."""
    file = tmx(tile_layer("0 0 0 0 / 0 0 0 0 / 0 0 0 0"), object_layer('<object id="5" x="0" y="0"><point/></object>'))
    assert sum(isinstance(layer, pytmx.TiledObjectGroup) for layer in pytmx.TiledMap(str(file)).layers) == 4
    assert from_tiled(file) == []


OBJECTS = {
    "box": '<object id="1" x="16" y="16" width="16" height="8"/>',
    "turned box": '<object id="1" x="16" y="16" width="16" height="8" rotation="30"/>',
    "circle": '<object id="1" x="16" y="16" width="8" height="8"><ellipse/></object>',
    "turned circle": '<object id="1" x="16" y="16" width="8" height="8" rotation="90"><ellipse/></object>',
    "ellipse": '<object id="1" x="16" y="16" width="16" height="8" rotation="-30"><ellipse/></object>',
    "polygon": '<object id="1" x="16" y="16" rotation="45"><polygon points="0,0 8,0 8,8 4,2"/></object>',
}


def expected(kind: str) -> shapely.Geometry:
    """Return the geometry of an object in pixels, y down, by shapely's own rotation about its position."""
    outline = {
        "box": shapely.box(16, 16, 32, 24),
        "circle": shapely.Point(20, 20).buffer(4, quad_segs=512),
        "ellipse": shapely.affinity.scale(shapely.Point(24, 20).buffer(1, quad_segs=512), 8, 4),
        "polygon": _polygon((16, 16), (24, 16), (24, 24), (20, 18)),
    }[kind.rpartition(" ")[2]]
    degrees = {"turned box": 30, "turned circle": 90, "ellipse": -30, "polygon": 45}.get(kind, 0)
    return shapely.affinity.rotate(outline, degrees, origin=(16, 16))


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("y_down", [False, True])
def test_objects_are_shapes_at_their_places(tmx: TiledMapFile, kind: str, y_down: bool) -> None:
    (part,) = from_tiled(tmx(object_layer(OBJECTS[kind])), y_down=y_down, tolerance=1e-4)
    whole = expected(kind) if y_down else shapely.transform(expected(kind), lambda points: (0, 48) + points * (1, -1))
    assert differs(part, whole) < 0.01
    assert isinstance(part.shape, ec.Box if "box" in kind else ec.Circle if "circle" in kind else ec.Polygon)


def test_boxes_and_ellipses_have_their_origin_in_the_middle(tmx: TiledMapFile) -> None:
    (box,) = from_tiled(tmx(object_layer(OBJECTS["turned box"])), scale=0.5)
    assert box.shape == ec.Box(8.0, 4.0)
    turn = math.radians(30.0)
    x = 16.0 + 8.0 * math.cos(turn) - 4.0 * math.sin(turn)
    y = 16.0 + 8.0 * math.sin(turn) + 4.0 * math.cos(turn)
    assert box.pose == pytest.approx((0.5 * x, 0.5 * (48.0 - y), -turn))


def test_polylines_are_chains(tmx: TiledMapFile) -> None:
    open_line = '<object id="1" x="8" y="8"><polyline points="0,0 8,8 16,8"/></object>'
    ring = '<object id="2" x="8" y="8"><polyline points="0,0 8,8 16,8 0,0"/></object>'
    shapes = [(part.shape, part.pose) for part in from_tiled(tmx(object_layer(open_line + ring)))]
    assert shapes == [
        (ec.Chain([(0, 0), (8, -8), (16, -8)]), (8.0, 40.0, 0.0)),
        (ec.Chain([(0, 0), (8, -8), (16, -8)], loop=True), (8.0, 40.0, 0.0)),
    ]


@pytest.mark.parametrize("invert_y", [True, False])
def test_tile_objects_have_the_shape_of_their_tile_stretched_to_their_size(tmx: TiledMapFile, invert_y: bool) -> None:
    """A tile object stands on its position, unless pytmx is set otherwise, and turns about it."""
    objects = (
        '<object id="1" gid="2" x="16" y="32" width="32" height="16"/>'
        '<object id="2" gid="1" x="0" y="48" width="8" height="4" rotation="90"/>'
        f'<object id="3" gid="{5 | HORIZONTAL}" x="0" y="16" width="32" height="16"/>'
    )
    file = pytmx.TiledMap(str(tmx(object_layer(objects))), invert_y=invert_y)
    slope, box, stretched = from_tiled(file, y_down=True, tolerance=1e-3)
    assert differs(slope, _polygon((16, 32), (48, 32), (48, 16))) < 1e-9
    assert box.shape == ec.Box(8.0, 4.0)
    assert differs(box, shapely.box(0, 48, 4, 56)) < 1e-9
    ellipse = shapely.affinity.scale(shapely.Point(8, 12).buffer(1, quad_segs=256), 8, 4)
    assert differs(stretched, shapely.box(24, 0, 40, 4).union(ellipse)) < 0.1


def test_points_are_markers_and_text_is_nothing(tmx: TiledMapFile) -> None:
    objects = (
        '<object id="3" name="start" type="spawn" x="8" y="12" rotation="90">'
        f"{custom(team='red')}<point/></object>"
        '<object id="4" x="0" y="0" width="40" height="8"><text>welcome</text></object>'
    )
    file = tmx(object_layer(objects, attributes='offsetx="2"'))
    assert from_tiled(file) == []
    (start,) = tiled_points(file)
    assert start.name == "start"
    assert start.properties == {"id": 3, "type": "spawn", "team": "red"}
    assert start.pose == pytest.approx((10.0, 36.0, -0.5 * math.pi))
    (down,) = tiled_points(file, y_down=True, scale=0.5)
    assert down.pose == pytest.approx((5.0, 6.0, 0.5 * math.pi))


class Layer(IntFlag):
    wall = 1
    player = 2
    ghost = 4


@pytest.mark.parametrize("layers", [Layer, {"wall": 1, "player": 2, "ghost": 4}])
def test_properties_become_arguments_of_colliders(tmx: TiledMapFile, layers: type[IntFlag] | dict[str, int]) -> None:
    values = custom(layer="ghost", mask="wall, player", sensor=True, friction=0.25, density=2.0, hp=7)
    (part,) = from_tiled(
        tmx(object_layer(f'<object id="9" name="door" x="0" y="0" width="8" height="8">{values}</object>')),
        collision_layers=layers,
    )
    assert part.name == "door"
    assert part.properties["hp"] == 7 and part.properties["id"] == 9
    transform, collider = part.components(friction=0.9, restitution=0.5)
    assert transform.pose == (4.0, 44.0, 0.0)
    assert (collider.layer, collider.mask, collider.sensor) == (4, 3, True)
    assert (collider.friction, collider.restitution, collider.density) == (0.25, 0.5, 2.0)


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (True, (0, 1), (0, -1)),
        ("up", (0, 1), (0, -1)),
        ("down", (0, -1), (0, 1)),
        ("left", (-1, 0), (-1, 0)),
        ("right", (1, 0), (1, 0)),
        (False, None, None),
    ],
)
def test_one_way_is_a_direction_on_the_screen(tmx: TiledMapFile, value: object, up: object, down: object) -> None:
    file = tmx(object_layer('<object id="1" x="0" y="0" width="8" height="8"/>', custom(one_way=value)))
    assert from_tiled(file)[0].components()[1].one_way == up
    assert from_tiled(file, y_down=True)[0].components()[1].one_way == down


def test_properties_of_groups_layers_and_tiles_are_passed_on(tmx: TiledMapFile) -> None:
    ice = '<tile id="0"><properties><property name="friction" type="float" value="0"/></properties></tile>'
    objects = (
        '<object id="1" x="0" y="0" width="8" height="8"/><object id="2" gid="1" x="0" y="16" width="8" height="8"/>'
    )
    inner = object_layer(objects, custom(restitution=0.5), attributes='offsety="2"')
    file = tmx(f'<group id="7" name="g" offsetx="16">{custom(friction=0.25, layer=2)}{inner}</group>', tiles=ice)
    plain, icy = from_tiled(file, y_down=True)
    assert plain.collider == {"friction": 0.25, "restitution": 0.5, "layer": 2}
    assert icy.collider == {"friction": 0.0, "restitution": 0.5, "layer": 2}
    assert plain.pose == (20.0, 6.0, 0.0)


def test_only_the_layers_that_are_given_are_read(tmx: TiledMapFile) -> None:
    box = OBJECTS["box"]
    file = tmx(object_layer(box, name="walls"), object_layer(box, name="zones"))
    assert len(from_tiled(file)) == 2
    assert len(from_tiled(file, only=["zones"])) == 1
    with pytest.raises(ValueError, match=r"level\.tmx has no layer 'zone'"):
        from_tiled(file, only=["zone"])


def test_a_game_may_pass_the_map_that_it_has_read_and_its_tilesets_may_be_files(tmx: TiledMapFile) -> None:
    file = tmx(tile_layer("2 0 0 0 / 0 0 0 0 / 1 0 0 3"))
    text = file.read_text()
    start, end = text.index("<tileset"), text.index("</tileset>") + len("</tileset>")
    tileset = text[start:end].replace(' firstgid="1"', "")
    (file.parent / "sets").mkdir()
    (file.parent / "sets" / "set.tsx").write_text(tileset)
    other = file.with_name("other.tmx")
    other.write_text(text[:start] + '<tileset firstgid="1" source="sets/set.tsx"/>' + text[end:])
    shapes = [part.shape for part in from_tiled(file)]
    assert len(shapes) == 2
    assert [part.shape for part in from_tiled(pytmx.TiledMap(str(other)))] == shapes


@pytest.mark.usefixtures("fresh_world")
def test_a_ball_rolls_over_tiles_and_a_slope_without_a_stop(tmx: TiledMapFile) -> None:
    ec.install(gravity=(0.0, -10.0))
    for part in from_tiled(tmx(tile_layer(f"0 0 0 0 / {2 | HORIZONTAL} 0 0 0 / 1 1 3 1")), scale=1 / 16):
        esper.create_entity(*part.components())
    ball = esper.create_entity(ec.Transform(0.3, 2.6), ec.Velocity(), ec.Collider(ec.Circle(0.2)))
    place = esper.component_for_entity(ball, ec.Transform)
    for _ in range(300):
        esper.process(1 / 60)
        if place.x > 3.9:
            break
        assert place.y > 1.19 or place.x > 3.8
    assert place.x > 3.8


class Position:
    """A component of a game in pixels, with y down and an angle that turns clockwise on the screen."""

    def __init__(self, x: float, y: float, turn: float) -> None:
        self.x, self.y, self.turn = x, y, turn


@pytest.mark.usefixtures("fresh_world")
def test_a_bound_component_takes_the_pixels_of_the_map(tmx: TiledMapFile) -> None:
    physics = ec.install(transform=ec.bind(Position, angle="turn", y_down=True))
    (part,) = from_tiled(tmx(object_layer(OBJECTS["turned box"])), origin=(0, 0))
    x, y, angle = part.pose
    entity = esper.create_entity(Position(x, -y, -angle), ec.Collider(part.shape))
    esper.process(1 / 60)
    assert esper.component_for_entity(entity, Position).turn == pytest.approx(math.radians(30.0))
    left, top, right, bottom = expected("turned box").bounds
    low_x, low_y, high_x, high_y = physics.aabb_of(entity)
    assert (low_x, -high_y, high_x, -low_y) == pytest.approx((left, top, right, bottom))


HALF = '<object id="3" name="sill" x="0" y="0" width="8" height="8">{}</object>'


@pytest.mark.parametrize(
    ("layers", "settings", "error", "said"),
    [
        (
            [object_layer('<object id="4" name="dot" x="0" y="0"/>')],
            {},
            ValueError,
            r"object 4 'dot' in layer 'things' of .*level\.tmx: its size must be positive, got 0 x 0: delete it, or",
        ),
        (
            [object_layer('<object id="4" x="0" y="0"><polygon points="0,0 8,8 8,0 0,8"/></object>')],
            {},
            ValueError,
            r"object 4 in layer 'things' of .*: Polygon.vertices must not intersect itself",
        ),
        (
            [object_layer('<object id="4" x="0" y="0" width="8" height="4"><capsule/></object>')],
            {},
            ValueError,
            "object 4 in layer 'things' of .*: capsules are not supported",
        ),
        (
            [object_layer(HALF.format(custom(layer="player")))],
            {"collision_layers": {"ghost": 4}},
            ValueError,
            "object 3 'sill' in .*: the property layer has the unknown collision layer 'player'; known are ghost",
        ),
        (
            [object_layer(HALF.format(custom(mask="player")))],
            {},
            ValueError,
            "unknown collision layer 'player'; known are none: pass collision_layers",
        ),
        (
            [object_layer(HALF.format(custom(layer=0.5)))],
            {},
            TypeError,
            "object 3 'sill' .*: the property layer must be an integer or names of collision layers, got 0.5",
        ),
        (
            [object_layer(HALF.format(custom(sensor="yes")))],
            {},
            TypeError,
            "object 3 'sill' .*: Collider.sensor must be True or False, got 'yes'",
        ),
        (
            [object_layer(HALF.format(custom(friction=-1.0)))],
            {},
            ValueError,
            "object 3 'sill' .*: Collider.friction must be a non-negative finite number, got -1.0",
        ),
        (
            [object_layer(HALF.format(custom(one_way="upwards")))],
            {},
            ValueError,
            "object 3 'sill' .*: the property one_way must be true, false, up, down, left, right, got 'upwards'",
        ),
        (
            [tile_layer("7 0 0 0 / 0 0 0 0 / 0 0 0 0", custom(solid="yes"))],
            {},
            TypeError,
            "tile 6 of tileset 'set' .*, in layer 'ground' of .*: the property solid must be true or false, .*'yes'",
        ),
        (
            [tile_layer("0 0 0 0 / 0 0 0 0 / 0 0 0")],
            {},
            ValueError,
            "layer 'ground' of .* must have 4 x 3 cells: save the map in Tiled again",
        ),
        ([], {"only": "walls"}, TypeError, r"only must hold names, such as \['walls'\], or be None, got 'walls'"),
        ([], {"collision_layers": ["a"]}, TypeError, r"collision_layers must be bits by name, .* got \['a'\]"),
        ([], {"collision_layers": {"a": 0.5}}, TypeError, r"collision_layers\['a'\] must be an integer, got 0.5"),
        ([], {"tolerance": 0.0}, ValueError, "tolerance must be a positive finite number, got 0.0"),
    ],
)
def test_bad_data_are_named(
    tmx: TiledMapFile, layers: list[str], settings: dict[str, object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        from_tiled(tmx(*layers), **settings)  # type: ignore[arg-type]


def test_a_bad_shape_of_a_tile_is_named(tmx: TiledMapFile) -> None:
    tiles = '<tile id="4"><objectgroup id="2"><object id="7" x="0" y="0"/></objectgroup></tile>'
    with pytest.raises(ValueError, match=r"object 7 in tile 4 of tileset 'set' of .*: its size must be positive"):
        from_tiled(tmx(tile_layer("5 0 0 0 / 0 0 0 0 / 0 0 0 0"), tiles=tiles))


def test_solid_cells_must_be_squares(tmx: TiledMapFile) -> None:
    file = tmx(tile_layer("1 0 0 0 / 0 0 0 0 / 0 0 0 0"), height=8)
    with pytest.raises(ValueError, match="solid cells must be squares, but those of the map are 16 x 8 pixels: draw a"):
        from_tiled(file)
    whole = '<tile id="0"><objectgroup id="2"><object id="1" x="0" y="0" width="16" height="8"/></objectgroup></tile>'
    (part,) = from_tiled(tmx(tile_layer("1 0 0 0 / 0 0 0 0 / 0 0 0 0"), height=8, tiles=whole), y_down=True)
    assert differs(part, shapely.box(0, 0, 16, 8)) < 1e-9


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ('infinite="1"', r"level\.tmx is infinite, which pytmx does not read: untick Infinite in Map"),
        ('orientation="isometric"', r"level\.tmx is isometric: only orthogonal maps"),
    ],
)
def test_maps_of_other_kinds_are_refused(tmx: TiledMapFile, attributes: str, said: str) -> None:
    file = tmx()
    file.write_text(file.read_text().replace('orientation="orthogonal"', attributes))
    with pytest.raises(ValueError, match=said):
        from_tiled(file)


def test_bad_files_are_refused(tmx: TiledMapFile, tmp_path: Path) -> None:
    (tmp_path / "a.tmx").write_text("<map")
    (tmp_path / "b.tmx").write_text("<tileset/>")
    with pytest.raises(ValueError, match=r"a\.tmx is no XML"):
        from_tiled(tmp_path / "a.tmx")
    with pytest.raises(ValueError, match=r"b\.tmx is no map of Tiled: its first element is <tileset>"):
        from_tiled(tmp_path / "b.tmx")
    with pytest.raises(FileNotFoundError):
        from_tiled(tmp_path / "missing.tmx")
    with pytest.raises(TypeError, match=r"a map must be a \.tmx file or a pytmx\.TiledMap, got 3"):
        from_tiled(3)
    template = object_layer('<object id="1" template="crate.tx" x="0" y="0"/>')
    with pytest.raises(ValueError, match=r"level\.tmx has objects from templates, which pytmx does not read: detach"):
        from_tiled(tmx(template))
    xml_tiles = '<layer id="1" name="old" width="4" height="3"><data><tile gid="1"/></data></layer>'
    with pytest.raises(ValueError, match=r"pytmx cannot read .*level\.tmx: XML tile elements are no longer supported"):
        from_tiled(tmx(xml_tiles))
    file = tmx('<tileset firstgid="9" source="no.tsx"/>')
    with pytest.raises(ValueError, match=r"pytmx cannot read .*level\.tmx: Cannot find tileset file no\.tsx"):
        from_tiled(file)
