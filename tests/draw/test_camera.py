"""Cameras: from world to pixels and back, y up and y down."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide import draw


@pytest.mark.parametrize(("y_up", "top"), [(True, 4.0), (False, -2.0)])
def test_the_upper_left_corner_of_the_view_is_pixel_zero(y_up: bool, top: float) -> None:
    camera = draw.Camera((300, 300), (1.0, 1.0), 50.0, y_up)
    assert camera.view == (-2.0, -2.0, 4.0, 4.0)
    assert camera.to_pixels(np.array((-2.0, top))).tolist() == [0.0, 0.0]
    assert camera.to_world(0.0, 0.0) == (-2.0, top)


@pytest.mark.parametrize("y_up", [True, False])
def test_the_way_back_ends_where_it_began(y_up: bool) -> None:
    camera = draw.Camera((640, 360), (3.0, -2.0), 17.0, y_up)
    x, y = camera.to_pixels(np.array((1.25, 7.5))).tolist()
    assert camera.to_world(x, y) == pytest.approx((1.25, 7.5))


@pytest.mark.parametrize("y_up", [True, False])
def test_zoom_keeps_the_point_under_the_mouse(y_up: bool) -> None:
    camera = draw.Camera((640, 360), (3.0, -2.0), 17.0, y_up)
    before = camera.to_world(100.0, 50.0)
    camera.zoom(3.0, 100.0, 50.0)
    assert camera.scale == 51.0
    assert camera.to_world(100.0, 50.0) == pytest.approx(before)


@pytest.mark.parametrize("y_up", [True, False])
def test_pan_moves_the_world_with_the_mouse(y_up: bool) -> None:
    camera = draw.Camera((640, 360), (3.0, -2.0), 17.0, y_up)
    before = camera.to_world(100.0, 50.0)
    camera.pan(20.0, -30.0)
    assert camera.to_world(120.0, 20.0) == pytest.approx(before)


def test_a_camera_that_fits_shows_all_of_a_box() -> None:
    camera = draw.Camera.fit((400, 100), draw.ViewBox(0.0, 0.0, 4.0, 2.0))
    assert camera.view == (-2.0, 0.0, 6.0, 2.0)
    assert draw.Camera.over(draw.ViewBox(0.0, 0.0, 4.0, 2.0), 400).size == (400, 200)
    assert draw.Camera.over(draw.ViewBox(0.0, 0.0, 100.0, 0.1), 400).size == (400, 120)
    assert draw.Camera.over(draw.ViewBox(0.0, 0.0, 0.1, 100.0), 400).size == (400, 500)


def test_a_camera_without_pixels_or_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Camera\.size must be at least 1 by 1 pixel, got \(0, 9\)"):
        draw.Camera((0, 9))
    with pytest.raises(ValueError, match=r"Camera\.scale must be above 0, got -1\.0"):
        draw.Camera((9, 9), scale=-1.0)
    with pytest.raises(ValueError, match="factor"):
        draw.Camera((9, 9)).zoom(0.0, 1.0, 1.0)
