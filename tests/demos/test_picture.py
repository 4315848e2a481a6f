"""Pictures show every kind of shape, in the right place and colour."""

from __future__ import annotations

from collections.abc import Iterator

import esper
import numpy as np
import pygame
import pytest

import ecs_collide as ec
from ecs_collide.demos.picture import BAR_HEIGHT, Painter, photograph
from ecs_collide.demos.scene import Demo, Paint, View

RED, GREEN = (200, 40, 40), (40, 200, 40)


class EmptyDemo(Demo):
    view = View(-4.0, -2.0, 4.0, 2.0)


@pytest.fixture(autouse=True)
def picture_world() -> Iterator[None]:
    before = esper.current_world
    esper.switch_world("picture")
    yield
    esper.switch_world(before)
    esper.delete_world("picture")


def draw_picture(time: float = 0.0, painter: Painter | None = None) -> pygame.Surface:
    painter = painter or Painter(EmptyDemo(), 320, 2)
    return painter.draw(photograph(), time, "a caption")


def colour_at(picture: pygame.Surface, x: float, y: float) -> tuple[int, int, int]:
    red, green, blue, _ = picture.get_at((round(40 * (x + 4.0)), round(40 * (2.0 - y))))
    return red, green, blue


@pytest.mark.parametrize(
    "shape",
    [
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
        ec.Compound([(ec.Box(0.4, 0.4), (0.0, 0.4, 0.0)), (ec.Box(0.4, 0.4), (0.0, 0.8, 0.0))]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_a_shape_is_drawn_at_its_pose(shape: ec.Shape) -> None:
    # A quarter turn takes what lies above the entity to its left.
    esper.create_entity(ec.Transform(1.0, 0.5, 1.5707963267948966), ec.Collider(shape), Paint(RED))
    picture = draw_picture()
    assert colour_at(picture, 0.4 if isinstance(shape, ec.Segment) else 0.45, 0.5) in (RED, (120, 24, 24))
    assert colour_at(picture, 1.7, 0.5) == EmptyDemo.background
    assert picture.get_size() == (320, 160 + BAR_HEIGHT)


def test_no_seam_shows_between_the_pieces_of_a_shape() -> None:
    shapes = (
        ec.Bitmap([[1, 1, 0], [1, 1, 1]], 0.5),
        ec.Compound([ec.Box(1.0, 1.0, center=(0.5, 0.5)), ec.Box(0.5, 0.5, center=(1.25, 0.75))]),
        ec.Polygon([(0, 0), (1, 0), (1, 0.5), (1.5, 0.5), (1.5, 1), (0, 1)]),
    )
    for k, shape in enumerate(shapes):
        esper.create_entity(ec.Transform(2.0 * k - 3.0, -0.5), ec.Velocity(), ec.Collider(shape), Paint(RED))
    picture = draw_picture()
    for k in range(len(shapes)):
        colours = {colour_at(picture, 2.0 * k - 3.0 + x, 0.25) for x in np.linspace(0.1, 1.4, 40)}
        colours |= {colour_at(picture, 2.0 * k - 2.5, y) for y in np.linspace(-0.4, 0.4, 40)}
        assert colours == {RED}


def test_a_radius_line_shows_how_a_circle_is_turned() -> None:
    esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.Circle(1.5)), Paint(RED))
    picture = draw_picture()
    assert colour_at(picture, 0.7, 0.0) != RED
    assert colour_at(picture, 0.0, 0.7) == colour_at(picture, -0.7, 0.0) == RED


def test_a_photographed_body_keeps_its_colour() -> None:
    paint = Paint(RED)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)), paint)
    things = photograph()
    paint.colour = GREEN
    assert colour_at(Painter(EmptyDemo(), 320, 2).draw(things, 0.0, ""), 0.0, 0.0) == RED


def test_a_shape_without_a_collider_is_drawn_pale_and_behind_the_solid() -> None:
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)), Paint(GREEN))
    esper.create_entity(ec.Transform(0.5, 0.0), Paint(RED, shape=ec.Box(1.0, 1.0)))
    picture = draw_picture()
    assert colour_at(picture, 0.2, 0.2) == GREEN
    red, green, blue = colour_at(picture, 0.7, 0.2)
    assert EmptyDemo.background[0] < red < RED[0] and abs(green - blue) < 20


def test_moving_bodies_stand_before_static_ones() -> None:
    esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)), Paint(RED))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(3.0, 3.0)), Paint(GREEN))
    picture = draw_picture()
    assert colour_at(picture, 0.2, 0.2) == RED
    assert colour_at(picture, 1.0, 0.2) == GREEN


def test_a_trail_fades_and_ends_at_a_teleport() -> None:
    body = esper.create_entity(
        ec.Transform(-1.0, 0.0), ec.Velocity(), ec.Collider(ec.Circle(0.1)), Paint(RED, trail=1.0)
    )
    painter = Painter(EmptyDemo(), 320, 2)
    place = esper.component_for_entity(body, ec.Transform)
    for k in range(6):
        place.x = -1.0 + 0.4 * k
        picture = draw_picture(0.1 * k, painter)
    assert colour_at(picture, 0.0, 0.0) != EmptyDemo.background
    place.x = 3.0
    picture = draw_picture(0.6, painter)
    assert colour_at(picture, 0.0, 0.0) == colour_at(picture, 2.0, 0.0) == EmptyDemo.background


def test_labels_threads_and_caption_are_drawn() -> None:
    esper.create_entity(ec.Transform(0.0, -1.0), Paint(RED, label="III", thread=(0.0, 1.5)))
    picture = draw_picture()
    assert colour_at(picture, 0.0, 0.5) != EmptyDemo.background
    around = [picture.get_at((x, y))[:3] for x in range(150, 170) for y in range(110, 130)]
    assert min(max(around)) > 200  # white letters
    bar = {picture.get_at((x, 160 + BAR_HEIGHT // 2))[:3] for x in range(100)}
    assert len(bar) > 3


def test_a_pixel_has_its_place_in_the_world() -> None:
    painter = Painter(EmptyDemo(), 320, 2)
    assert painter.place(0, 0) == (-4.0, 2.0)
    assert painter.place(200, 100) == (1.0, -0.5)
