"""Pictures of demos: the colours, trails, labels and threads of `Paint`. tests/draw tests how shapes are drawn."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.demos.picture import Photographer
from ecs_collide.demos.scene import Demo, Paint, View

RED, GREEN = (200, 40, 40), (40, 200, 40)


class EmptyDemo(Demo):
    view = View(-4.0, -2.0, 4.0, 2.0)


@pytest.fixture
def photographer(fresh_world: str) -> Photographer:
    ec.install()
    return Photographer(EmptyDemo())


def picture_of(scene: draw.Scene) -> np.ndarray:
    """Return the picture of a scene as colours of pixels (160, 320, 3)."""
    return np.asarray(draw.pillow(scene, width=320))


def colour_at(picture: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    return tuple(picture[round(40 * (2.0 - y)), round(40 * (x + 4.0))].tolist())


def test_bodies_have_the_colours_of_their_paint(photographer: Photographer) -> None:
    esper.create_entity(ec.Transform(-2.0), ec.Collider(ec.Box(1.0, 1.0)), Paint(RED))
    esper.create_entity(ec.Transform(0.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)), Paint(GREEN))
    esper.create_entity(ec.Transform(2.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    picture = picture_of(photographer.photograph(0.0, "", 40.0))
    assert picture.shape == (160, 320, 3)
    assert [colour_at(picture, x, 0.2) for x in (-2.0, 0.0, 2.0)] == [RED, GREEN, (88, 176, 224)]


def test_a_photographed_body_keeps_its_colour(photographer: Photographer) -> None:
    paint = Paint(RED)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)), paint)
    scene = photographer.photograph(0.0, "", 40.0)
    paint.colour = GREEN
    assert colour_at(picture_of(scene), 0.0, 0.0) == RED


def test_a_shape_without_a_collider_is_drawn_pale_and_behind_the_solid(photographer: Photographer) -> None:
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)), Paint(GREEN))
    esper.create_entity(ec.Transform(0.5, 0.0), Paint(RED, shape=ec.Box(1.0, 1.0)))
    picture = picture_of(photographer.photograph(0.0, "", 40.0))
    assert colour_at(picture, 0.2, 0.2) == GREEN
    red, green, blue = colour_at(picture, 0.7, 0.2)
    assert EmptyDemo.background[0] < red < RED[0] and abs(green - blue) < 20


def test_a_trail_fades_and_ends_at_a_teleport(photographer: Photographer) -> None:
    body = esper.create_entity(
        ec.Transform(-1.0, 0.0), ec.Velocity(), ec.Collider(ec.Circle(0.1)), Paint(RED, trail=1.0)
    )
    place = esper.component_for_entity(body, ec.Transform)
    for k in range(6):
        place.x = -1.0 + 0.4 * k
        scene = photographer.photograph(0.1 * k, "", 40.0)
    first, *_, last = (stroke.colour[0] for stroke in scene.strokes)
    assert EmptyDemo.background[0] < first < last < RED[0]
    assert colour_at(picture_of(scene), 0.0, 0.0) != EmptyDemo.background
    place.x = 3.0
    picture = picture_of(photographer.photograph(0.6, "", 40.0))
    assert colour_at(picture, 0.0, 0.0) == colour_at(picture, 2.0, 0.0) == EmptyDemo.background


def test_labels_threads_and_caption_are_drawn(photographer: Photographer) -> None:
    esper.create_entity(ec.Transform(0.0, -1.0), Paint(RED, label="III", thread=(0.0, 1.5)))
    scene = photographer.photograph(0.0, "a caption", 40.0)
    picture = picture_of(scene)
    assert colour_at(picture, 0.0, 0.5) != EmptyDemo.background
    assert [tuple(label) for label in scene.labels] == [(0.0, -1.0, "III")]
    assert picture[110:130, 150:170].min(axis=2).max() > 140  # thin bright letters
    assert scene.text == [("a caption", "")]
    assert picture[:30, :100].min(axis=2).max() > 140
