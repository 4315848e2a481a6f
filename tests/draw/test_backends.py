"""Backends: all draw the same scene, each in its own way."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import esper
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image, ImageDraw, ImageSequence

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.draw import kept_cameras
from ecs_collide.draw.pen import draw as draw_with
from ecs_collide.draw.triangle_pen import TrianglePen
from tests.support.processes import run_script
from tests.support.worlds import disk, dynamic, floor, run, static

RED, GREEN = (200, 40, 40), (40, 200, 40)
BACKGROUND = draw.DARK.background
CAMERA = draw.Camera((320, 160), (0.0, 0.0), 40.0)

Pixels = np.ndarray
"""Red, green and blue of each pixel (height, width, 3)."""


def drawn_by_pygame(scene: draw.Scene, camera: draw.Camera) -> Pixels:
    import pygame

    surface = pygame.Surface(camera.size)
    surface.fill(scene.colours.background or (0, 0, 0))
    draw.pygame(surface, scene, camera)
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def drawn_by_pillow(scene: draw.Scene, camera: draw.Camera) -> Pixels:
    return np.asarray(draw.pillow(scene, camera=camera))


def drawn_as_triangles(scene: draw.Scene, camera: draw.Camera) -> Pixels:
    """Draw the triangles of pyglet's pen with Pillow, since a graphics card may be missing."""
    pen = TrianglePen()
    draw_with(scene, camera, pen)
    points, colours = pen.triangles.arrays()
    image = Image.new("RGB", camera.size, scene.colours.background)
    brush = ImageDraw.Draw(image)
    for corners, colour in zip(points.reshape(-1, 3, 2).tolist(), colours[::3, :3].tolist(), strict=True):
        brush.polygon([(x, y) for x, y in corners], tuple(colour))
    return np.asarray(image)


Backend = Callable[[draw.Scene, draw.Camera], Pixels]
BACKENDS: list[Backend] = [drawn_by_pygame, drawn_by_pillow, drawn_as_triangles]


def pixel_at(pixels: Pixels, camera: draw.Camera, x: float, y: float) -> tuple[int, ...]:
    column, row = camera.to_pixels(np.array((x, y))).tolist()
    return tuple(pixels[round(row), round(column)].tolist())


SHAPES = [
    ec.Circle(0.5, center=(0.0, 0.6)),
    ec.Box(0.6, 0.8, center=(0.0, 0.6)),
    ec.Capsule((0.0, 0.2), (0.0, 1.0), 0.2),
    ec.Polygon([(-0.3, 0.3), (0.3, 0.3), (0.0, 1.2)]),
    ec.Polygon([(-0.1, 0.3), (0.1, 0.3), (0.0, 0.9)], radius=0.2),
    ec.Segment((0.0, 0.1), (0.0, 1.2)),
    ec.HalfPlane(normal=(0.0, -1.0), offset=-0.2),
    ec.Sector(1.2, 0.4, direction=1.57),
    ec.Ring(0.6, center=(0.0, -0.7)),
    ec.Chain([(0.0, 0.1), (0.0, 0.7), (0.2, 1.2)]),
    ec.ArcPolygon([(-0.3, 0.3), (0.3, 0.3), (0.3, 0.9), (-0.3, 0.9)], [-0.3, 0.0, 1.0, 0.0]),
    ec.Bitmap([[0, 0, 0], [1, 1, 1]], 0.5),
    ec.Compound([ec.Box(0.6, 0.5, center=(0.0, 0.5)), ec.Circle(0.3, center=(0.0, 0.9))]),
]


@pytest.mark.parametrize("y_up", [True, False], ids=["y up", "y down"])
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_every_shape_stands_where_its_body_is(fresh_world: str, shape: ec.Shape, backend: Backend, y_up: bool) -> None:
    ec.install()
    static(shape, (-1.5, -0.5), angle=-0.5 * np.pi)
    camera = draw.Camera((320, 160), (0.0, 0.0), 40.0, y_up)
    pixels = backend(draw.scene(paint=lambda entity: RED, y_up=y_up), camera)
    places = [(-1.5 + x, -0.5 + y) for x in (0.35, 0.45, 0.55) for y in (-0.1, -0.025, 0.0, 0.025)]
    middle = {pixel_at(pixels, camera, *place) for place in places}
    assert RED in middle
    assert pixel_at(pixels, camera, -1.5 - 0.4, -0.5) == BACKGROUND or isinstance(shape, ec.Bitmap)
    assert pixel_at(pixels, camera, 3.5, 1.5) == BACKGROUND or not shape.is_bounded


@pytest.mark.parametrize("backend", BACKENDS)
def test_moving_bodies_stand_before_static_ones_and_solids_before_sensors(fresh_world: str, backend: Backend) -> None:
    ec.install()
    dynamic(ec.Box(1.0, 1.0))
    static(ec.Box(3.0, 3.0), sensor=True)
    wall = static(ec.Box(2.0, 2.0))
    dynamic(ec.Box(4.0, 0.4), sensor=True)
    pixels = backend(draw.scene(paint=lambda entity: {1: RED, wall: GREEN}.get(entity)), CAMERA)
    assert pixel_at(pixels, CAMERA, 0.0, 0.1) == RED
    assert pixel_at(pixels, CAMERA, 0.8, 0.6) == GREEN
    pale = pixel_at(pixels, CAMERA, 1.25, 1.0)
    assert BACKGROUND is not None and BACKGROUND[0] < pale[0] < 240
    assert pixel_at(pixels, CAMERA, 1.7, 0.0) == pixel_at(pixels, CAMERA, 0.8, 0.0) == pale


@pytest.mark.parametrize("backend", BACKENDS)
def test_solids_of_several_pieces_are_filled_without_seams(fresh_world: str, backend: Backend) -> None:
    ec.install()
    shapes = (
        ec.Bitmap([[1, 1, 0], [1, 1, 1]], 0.5),
        ec.Compound([ec.Box(1.0, 1.0, center=(0.5, 0.5)), ec.Box(0.5, 0.5, center=(1.25, 0.75))]),
        ec.Polygon([(0, 0), (1, 0), (1, 0.5), (1.5, 0.5), (1.5, 1), (0, 1)]),
    )
    for k, shape in enumerate(shapes):
        dynamic(shape, (2.0 * k - 3.0, -0.5))
    pixels = backend(draw.scene(paint=lambda entity: RED), CAMERA)
    for k in range(len(shapes)):
        colours = {pixel_at(pixels, CAMERA, 2.0 * k - 3.0 + x, 0.25) for x in np.linspace(0.1, 1.4, 40)}
        colours |= {pixel_at(pixels, CAMERA, 2.0 * k - 2.5, y) for y in np.linspace(-0.4, 0.4, 40)}
        assert colours == {RED}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_spoke_shows_how_a_circle_is_turned(fresh_world: str, backend: Backend) -> None:
    ec.install()
    static(ec.Circle(1.5), angle=0.5 * np.pi)
    pixels = backend(draw.scene(paint=lambda entity: RED), CAMERA)
    spoke = {pixel_at(pixels, CAMERA, x, 0.7) for x in (-0.02, 0.0, 0.02)}
    assert spoke != {RED}
    assert pixel_at(pixels, CAMERA, 0.7, 0.0) == pixel_at(pixels, CAMERA, -0.7, 0.0) == RED


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_half_plane_fills_its_side_at_any_scale(fresh_world: str, backend: Backend) -> None:
    ec.install()
    floor()
    for scale in (0.5, 40.0, 5000.0):
        camera = draw.Camera((320, 160), (0.0, 0.0), scale)
        pixels = backend(draw.scene(paint=lambda entity: RED), camera)
        assert (pixels[100:, :] == RED).all() or scale < 1.0
        assert tuple(pixels[120, 160]) == RED
        assert (pixels[:70] == BACKGROUND).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_marks_have_their_colours(fresh_world: str, backend: Backend) -> None:
    ec.install(gravity=(0.0, -9.81))
    floor()
    dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
    esper.create_entity(ec.DistanceJoint(dynamic(ec.Circle(0.2), (2.0, 1.0)), anchor_b=(3.0, 1.0)))
    run()
    pixels = backend(draw.scene(show=draw.Show(contacts=True, normals=True)), CAMERA)
    assert pixel_at(pixels, CAMERA, 0.5, 0.0) == draw.DARK.contact
    assert any(is_near(pixel_at(pixels, CAMERA, 2.6, y), draw.DARK.joint) for y in (0.98, 1.0, 1.02))
    assert any(is_near(pixel_at(pixels, CAMERA, 0.5 + x, 0.2), draw.DARK.normal) for x in (-0.025, 0.0, 0.025))
    plain = backend(draw.scene(show=draw.Show(joints=False)), CAMERA)
    assert not is_near(pixel_at(plain, CAMERA, 0.5, 0.0), draw.DARK.contact)
    assert pixel_at(plain, CAMERA, 2.6, 1.0) == BACKGROUND


def is_near(colour: tuple[int, ...], wanted: draw.Colour) -> bool:
    return max(abs(a - b) for a, b in zip(colour, wanted, strict=True)) < 110


def test_none_hides_a_state_and_leaves_the_background_as_it_is(fresh_world: str) -> None:
    import pygame

    ec.install()
    static(ec.Box(1.0, 1.0))
    disk(2.0)
    surface = pygame.Surface((320, 160))
    surface.fill(GREEN)
    draw.pygame(surface, camera=CAMERA, colours=draw.Colours(static=None))
    assert surface.get_at((160, 80))[:3] == GREEN
    assert surface.get_at((240, 70))[:3] == draw.DARK.dynamic


def test_a_window_keeps_the_camera_that_the_first_frame_chose(fresh_world: str) -> None:
    import pygame

    physics = ec.install()
    surface = pygame.Surface((320, 160))
    draw.pygame(surface, physics)  # nothing is there yet
    disk(0.0)
    draw.pygame(surface, physics)
    chosen = kept_cameras.kept_camera(physics, (320, 160))
    assert chosen.center == (0.0, 0.0)
    disk(50.0)
    draw.pygame(surface)
    assert kept_cameras.kept_camera(None, (320, 160)) is chosen
    assert kept_cameras.kept_camera(None, (640, 160)).center[0] == pytest.approx(25.0)


def test_an_svg_is_well_formed_and_names_what_it_shows(fresh_world: str) -> None:
    ec.install()
    for shape in SHAPES:
        static(shape)
    run()
    label = "<b> & 'c'"
    scene = draw.scene(show=draw.Show(labels=lambda entity: label, statistics=True, bounds=True, axes=True))
    root = ElementTree.fromstring(scene.svg(300, title="a < b"))
    assert root.attrib["width"] == "300"
    assert root[0].text == "a < b"
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert label in texts and "bodies" in texts


def test_physics_and_scenes_show_themselves_in_a_notebook(fresh_world: str) -> None:
    physics = ec.install()
    disk()
    assert physics._repr_svg_() == draw.scene()._repr_svg_()
    assert "<circle" in physics._repr_svg_()


@pytest.mark.parametrize(("y_up", "limits"), [(True, (-1.0, 1.0)), (False, (1.0, -1.0))])
def test_matplotlib_draws_in_world_units(fresh_world: str, y_up: bool, limits: tuple[float, float]) -> None:
    figure = Figure()
    ec.install()
    static(ec.Box(1.0, 1.0))
    disk(2.0)
    scene = draw.scene(show=draw.Show.everything(), view=(-1.0, -1.0, 3.0, 1.0), y_up=y_up)
    axes = draw.matplotlib(figure.add_subplot(), scene)
    assert (axes.get_xlim(), axes.get_ylim()) == ((-1.0, 3.0), limits)
    figure.canvas.draw_idle()
    figure.savefig(Path("/dev/null") if sys.platform != "win32" else "nul", format="png")


def test_a_film_shows_each_picture_for_its_time(tmp_path: Path) -> None:
    pictures = [Image.new("RGB", (20, 10), (60 * k, 0, 200)) for k in range(3)]
    draw.save_gif([pictures[0], pictures[0], *pictures[1:]], [0.0, 0.1, 0.3, 0.4, 0.5], tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as film:
        frames = ImageSequence.Iterator(film)
        shown = [(frame.info["duration"], frame.convert("RGB").getpixel((5, 5))) for frame in frames]
    assert shown == [(300, (0, 0, 200)), (100, (60, 0, 200)), (1600, (120, 0, 200))]
    with pytest.raises(ValueError, match="at least one picture"):
        draw.save_gif([], [0.0], tmp_path / "film.gif")
    with pytest.raises(ValueError, match="3 pictures need 4 times"):
        draw.save_gif(pictures, [0.0, 0.1], tmp_path / "film.gif")


@pytest.mark.parametrize(
    ("module", "name", "library", "extra"),
    [
        ("pygame", "pygame", "pygame-ce", "draw"),
        ("PIL", "pillow", "Pillow", "draw"),
        ("matplotlib", "matplotlib", "matplotlib", "plots"),
        ("pyglet", "Pyglet", "pyglet", "pyglet"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(module: str, name: str, library: str, extra: str) -> None:
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from ecs_collide import draw\n"
        "print(draw.scene.__name__)\n"
        f"try:\n    draw.{name}\nexcept ImportError as error:\n    print(error)"
    )
    assert run_script(script).splitlines() == [
        "scene",
        f'{library} is not installed: pip install "ecs_collide[{extra}]"',
    ]


PYGLET = """
import pyglet, sys
pyglet.options["headless"] = True
try:
    window = pyglet.window.Window(320, 160)
except Exception as error:
    print("no window:", error)
    sys.exit()
import ecs_collide as ec, esper
from ecs_collide import draw
import numpy as np
RED = (200, 40, 40)
esper.switch_world("pyglet")
ec.install()
esper.create_entity(ec.Transform(1.0, 1.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
camera, show = draw.Camera((320, 160), scale=40.0), draw.Show(statistics=True)
painter = draw.Pyglet(window, camera, show=show, paint=lambda entity: RED)
for count in range(3):
    window.clear()
    painter.draw()
    data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
    pixels = np.frombuffer(data.get_data("RGB", 320 * 3), np.uint8).reshape(160, 320, 3)[::-1]
    print(*(np.abs(pixels[40, column].astype(int) - RED).max() < 9 for column in (200, 280)), pixels[120, 200].max())
    esper.create_entity(ec.Transform(3.0, 1.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
"""


def test_pyglet_draws_in_a_window() -> None:
    said = run_script(PYGLET).splitlines()
    if said and said[0].startswith("no window:"):
        pytest.skip(f"pyglet opens no window on this machine: {said[0]}")
    assert said == ["True False 0", "True True 0", "True True 0"]


def test_a_camera_in_the_place_of_the_world_is_an_error_that_says_what_to_do(fresh_world: str) -> None:
    import pygame

    ec.install()
    disk()
    with pytest.raises(TypeError, match="pass a camera as camera="):
        draw.pygame(pygame.Surface(CAMERA.size), CAMERA)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "picture",
    [
        lambda *world: draw.pillow(*world).tobytes(),
        lambda *world: draw.matplotlib(Figure().add_subplot(), *world).dataLim,
    ],
)
def test_pictures_take_the_physics_as_pygame_does(fresh_world: str, picture: Callable[..., object]) -> None:
    physics = ec.install()
    disk(1.0)
    assert str(picture(physics)) == str(picture())
    with pytest.raises(TypeError, match=r"pass a camera as camera="):
        picture(CAMERA)
