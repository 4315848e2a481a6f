"""Shapes from the outlines of images."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageDraw

import ecs_collide as ec
from ecs_collide.from_data import PlacedShape, from_image, to_shapely

RING = np.array([[1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]], np.bool_)


def _union(parts: list[PlacedShape]) -> shapely.Geometry:
    """Return the union of shapes at their places."""
    return shapely.union_all([to_shapely(part.shape, part.pose) for part in parts])


def pixels_of(mask: np.ndarray) -> shapely.Geometry:
    """Return the union of the solid pixels of a mask, with y up."""
    height = len(mask)
    boxes = [shapely.box(x, height - y - 1, x + 1, height - y) for y, x in np.argwhere(mask).tolist()]
    return shapely.union_all(boxes)


def test_a_mask_has_outlines_along_the_borders_of_its_pixels() -> None:
    (part,) = from_image(RING, tolerance=0.0)
    assert _union([part]).equals(shapely.box(0, 1, 4, 5).difference(shapely.box(1, 2, 3, 4)))


def test_y_points_up_from_the_lower_left_corner_or_down_from_the_upper_left_one() -> None:
    corner = np.zeros((3, 5), np.bool_)
    corner[0, 4] = True
    assert _union(from_image(corner, tolerance=0.0)).bounds == (4.0, 2.0, 5.0, 3.0)
    assert _union(from_image(corner, tolerance=0.0, y_down=True)).bounds == (4.0, 0.0, 5.0, 1.0)
    assert _union(from_image(corner, tolerance=0.0, scale=0.5)).bounds == (2.0, 1.0, 2.5, 1.5)
    assert _union(from_image(corner, tolerance=0.0, origin="middle")).bounds == (1.5, 0.5, 2.5, 1.5)
    assert _union(from_image(corner, tolerance=0.0, origin=(4, 1), y_down=True)).bounds == (0.0, -1.0, 1.0, 0.0)


@given(arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_a_mask_is_the_union_of_its_pixels(mask: np.ndarray) -> None:
    assert _union(from_image(mask, tolerance=0.0)).symmetric_difference(pixels_of(mask)).area < 1e-9


@given(arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 4)))
def test_each_pixel_above_the_threshold_is_inside(values: np.ndarray) -> None:
    """Outlines pass between middles of pixels, which are inside if and only if their value is above the threshold."""
    solid = _union(from_image(values, threshold=2, tolerance=0.0))
    for (row, column), value in np.ndenumerate(values):
        assert solid.contains(shapely.Point(column + 0.5, len(values) - row - 0.5)) == (value > 2)


@given(arrays(np.bool_, st.tuples(st.integers(8, 16), st.integers(8, 16))), st.floats(0.0, 2.0))
def test_simplification_moves_outlines_by_the_tolerance_at_most(mask: np.ndarray, tolerance: float) -> None:
    solid, pixels = _union(from_image(mask, tolerance=tolerance)), pixels_of(mask)
    assert solid.difference(pixels.buffer(tolerance + 1e-6)).area < 1e-9
    assert pixels.difference(solid.buffer(2.0 * tolerance + 1e-6)).area < 1e-9


def smooth_disk(radius: float) -> Image.Image:
    """Return an image of a disk with smooth edges."""
    image = Image.new("L", (640, 640))
    ImageDraw.Draw(image).ellipse((320 - 16 * radius, 320 - 16 * radius, 320 + 16 * radius, 320 + 16 * radius), 255)
    alpha = image.resize((40, 40), Image.Resampling.BOX)
    return Image.merge("LA", (Image.new("L", (40, 40)), alpha))


def test_smooth_edges_are_found_between_pixels() -> None:
    (part,) = from_image(smooth_disk(12.3), tolerance=0.05, origin="middle")
    assert part.shape.mass_properties().area == pytest.approx(np.pi * 12.3**2, rel=5e-3)
    boundary = to_shapely(part.shape).exterior
    assert boundary.hausdorff_distance(shapely.Point(0, 0).buffer(12.3, quad_segs=64).exterior) < 0.15


def test_files_and_images_are_read_by_their_alpha_channel(tmp_path: Path) -> None:
    image = smooth_disk(9.0)
    image.save(tmp_path / "disk.png")
    from_file, from_memory = from_image(tmp_path / "disk.png"), from_image(image)
    assert [part.shape for part in from_file] == [part.shape for part in from_memory]
    paletted = Image.new("P", (4, 3))
    paletted.info["transparency"] = 0
    paletted.putpalette([0, 0, 0, 255, 0, 0])
    paletted.putpixel((1, 1), 1)
    assert _union(from_image(paletted, tolerance=0.0)).equals(shapely.box(1, 1, 2, 2))


def test_small_parts_and_holes_are_left_out() -> None:
    mask = np.zeros((20, 20), np.bool_)
    mask[2:12, 2:12] = True
    mask[4:6, 4:6] = False
    mask[15, 15] = True
    assert _union(from_image(mask, tolerance=0.0)).area == 97.0
    assert _union(from_image(mask, tolerance=0.0, smallest_area=1.5)).area == 96.0
    assert _union(from_image(mask, tolerance=0.0, smallest_area=5.0)).area == 100.0
    assert _union(from_image(mask, tolerance=0.0, holes=False)).area == 101.0


def test_parts_are_chains_or_one_shape_as_requested() -> None:
    mask = np.array([[1, 1, 0, 1], [1, 1, 0, 1]])
    assert [type(part.shape) for part in from_image(mask)] == [ec.Polygon, ec.Polygon]
    assert [part.shape.loop for part in from_image(mask, as_chains=True) if isinstance(part.shape, ec.Chain)] == [
        True,
        True,
    ]
    (whole,) = from_image(mask, as_one=True, tolerance=0.0)
    assert whole.shape.mass_properties().area == pytest.approx(6.0)
    assert [part.pose[:2] for part in from_image(mask, centered=True, tolerance=0.0)] == [(1.0, 1.0), (3.5, 1.0)]


def test_the_largest_part_comes_first() -> None:
    mask = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 0]], np.bool_)
    areas = [part.shape.mass_properties().area for part in from_image(mask, tolerance=0.0)]
    assert areas == pytest.approx([3.0, 2.0, 1.0])


def test_an_empty_image_has_no_shapes() -> None:
    assert from_image(np.zeros((3, 3))) == []


@pytest.mark.parametrize(
    ("image", "settings", "error", "said"),
    [
        (Image.new("RGB", (3, 3)), {}, ValueError, "image has no alpha channel, its mode is RGB: pass an array"),
        (np.zeros((3, 3, 4)), {}, ValueError, r"rows and columns, got one of shape \(3, 3, 4\)"),
        (np.zeros((0, 3)), {}, ValueError, r"got one of shape \(0, 3\)"),
        ([[1.0, np.nan]], {}, ValueError, "image must hold finite numbers, got nan at row 0, column 1"),
        ([["a"]], {}, TypeError, "image must be a file, an image of Pillow or an array of numbers, got <U1"),
        (RING, {"tolerance": -1.0}, ValueError, "tolerance must be a non-negative finite number, got -1.0"),
        (RING, {"scale": 0.0}, ValueError, "scale must be a positive finite number, got 0.0"),
        (RING, {"origin": "center"}, ValueError, r'origin must be a pixel \(x, y\), "middle" or None, got \'center\''),
        (RING, {"y_down": "no"}, TypeError, "y_down must be True or False, got 'no'"),
        (RING, {"threshold": np.inf}, ValueError, "threshold must be a finite number, got inf"),
    ],
)
def test_bad_images_are_refused(image: object, settings: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        from_image(image, **settings)  # type: ignore[arg-type]


def test_a_file_without_alpha_is_named(tmp_path: Path) -> None:
    Image.new("RGB", (3, 3)).save(tmp_path / "plain.png")
    with pytest.raises(ValueError, match=r"plain\.png has no alpha channel"):
        from_image(tmp_path / "plain.png")
    with pytest.raises(FileNotFoundError):
        from_image(tmp_path / "missing.png")
