"""Floors that consist of attached colliders: flush ones have no seams, unless they collide with other things."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game


def tiles(kind: ec.BodyKind, count: int, **collider: object) -> int:
    """Create a row of flush tiles with the top at y = 0, a body with the others attached to it."""
    tile = ec.Box(1, 1)
    body = esper.create_entity(ec.Transform(0, -0.5), ec.RigidBody(kind), ec.Collider(tile, friction=0))
    for k in range(1, count):
        esper.create_entity(ec.AttachedTo(body, k, 0), ec.Collider(tile, friction=0, **collider))  # type: ignore[arg-type]
    return body


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
@pytest.mark.parametrize(
    "shape", [ec.Box(0.5, 0.5), ec.Circle(0.25), ec.Polygon([(-0.3, -0.25), (0.3, -0.25), (0, 0.3)])]
)
def test_nothing_trips_on_a_row_of_tiles_that_are_parts_of_one_body(kind: ec.BodyKind, shape: ec.Shape) -> None:
    with game(gravity=(0, -10)) as play:
        tiles(kind, 12)
        slider = dynamic(shape, (0, 0.2501), (4, 0), friction=0)
        for _ in range(120):
            play.step()
            assert abs(play.pose(slider)[1] - 0.25) < 0.002
            assert play.velocity(slider)[0] == pytest.approx(4, abs=1e-6)
        assert play.pose(slider)[0] > 7.5


def test_a_tile_with_another_filter_does_not_hide_the_flank_of_its_neighbour() -> None:
    with game() as play:
        body = esper.create_entity(ec.Transform(0, 0), ec.Collider(ec.Box(1, 1)))
        esper.create_entity(ec.AttachedTo(body, 1, 0), ec.Collider(ec.Box(1, 1), layer=2))
        ball = dynamic(ec.Circle(0.2), (4, 0), (-3, 0), mask=1)
        play.step(120)
        assert play.pose(ball)[0] == pytest.approx(0.7, abs=0.01), "it passes the tile of layer 2 and stops at the body"


def test_a_sensor_does_not_hide_the_flank_of_its_neighbour() -> None:
    with game() as play:
        body = esper.create_entity(ec.Transform(0, 0), ec.Collider(ec.Box(1, 1)))
        esper.create_entity(ec.AttachedTo(body, 1, 0), ec.Collider(ec.Box(1, 1), sensor=True))
        ball = dynamic(ec.Circle(0.2), (4, 0), (-3, 0))
        play.step(120)
        assert play.pose(ball)[0] == pytest.approx(0.7, abs=0.01)
