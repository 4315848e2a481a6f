"""Shapes from the paths of SVG files."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, strategies as st
from svgelements import CubicBezier, QuadraticBezier

import ecs_collide as ec
from ecs_collide.from_data import PlacedShape, from_svg, to_shapely
from ecs_collide.from_data.flatten_curves import flatten_segment

SvgFile = Callable[..., Path]


@pytest.fixture(name="svg")
def svg_file(tmp_path: Path) -> SvgFile:
    """Return a function that writes elements to an SVG file of 100 x 80 pixels."""

    def write(content: str, attributes: str = 'width="100" height="80"') -> Path:
        path = tmp_path / "drawing.svg"
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{content}</svg>', "utf-8")
        return path

    return write


def _area(part: PlacedShape) -> float:
    return part.shape.mass_properties().area


def bounds_of(part: PlacedShape) -> tuple[float, ...]:
    bounds: tuple[float, ...] = to_shapely(part.shape, part.pose).bounds
    return bounds


@pytest.mark.parametrize(
    ("element", "area", "bounds"),
    [
        ('<rect x="10" y="20" width="30" height="5"/>', 150.0, (10, 55, 40, 60)),
        ('<circle cx="50" cy="40" r="10"/>', math.pi * 100.0, (40, 30, 60, 50)),
        ('<ellipse cx="50" cy="40" rx="10" ry="5"/>', math.pi * 50.0, (40, 35, 60, 45)),
        ('<polygon points="0,0 10,0 10,10"/>', 50.0, (0, 70, 10, 80)),
        ('<path d="M0,0 h10 v10 h-10 z"/>', 100.0, (0, 70, 10, 80)),
        ('<path d="M0 0 C 0 20 20 20 20 0 Z"/>', 240.0, (0, 65, 20, 80)),
        ('<path d="M0 0 Q 10 20 20 0 Z"/>', 400.0 / 3.0, (0, 70, 20, 80)),
        ('<path d="M10 0 A 10 10 0 0 1 10 20 Z"/>', math.pi * 50.0, (10, 60, 20, 80)),
        ('<rect width="20" height="10" rx="3"/>', 200.0 - (4.0 - math.pi) * 9.0, (0, 70, 20, 80)),
        ('<polyline points="0,0 10,0 10,10 0,0"/>', 50.0, (0, 70, 10, 80)),
        ('<g transform="translate(50 40) rotate(90)"><rect width="10" height="4"/></g>', 40.0, (46, 30, 50, 40)),
        (
            '<g transform="scale(2)"><g transform="skewX(45)"><rect width="5" height="5"/></g></g>',
            100.0,
            (0, 70, 20, 80),
        ),
        ('<defs><rect id="r" width="4" height="6"/></defs><use href="#r" x="10" y="10"/>', 24.0, (10, 64, 14, 70)),
        (
            '<symbol id="s"><rect width="4" height="6"/></symbol><use href="#s" x="10" y="10"/>',
            24.0,
            (10, 64, 14, 70),
        ),
    ],
)
def test_closed_elements_are_polygons(svg: SvgFile, element: str, area: float, bounds: tuple[float, ...]) -> None:
    (part,) = from_svg(svg(element), tolerance=1e-4)
    assert isinstance(part.shape, ec.Polygon)
    assert _area(part) == pytest.approx(area, rel=1e-4)
    assert bounds_of(part) == pytest.approx(bounds, abs=1e-3)


def test_open_elements_are_chains(svg: SvgFile) -> None:
    file = svg('<line x2="10" y2="5"/><polyline points="0,0 5,0 5,5"/><path d="M0 0 L4 0 M10 10 L20 10 L20 20"/>')
    shapes = [part.shape for part in from_svg(file)]
    assert shapes == [
        ec.Chain([(0, 80), (10, 75)]),
        ec.Chain([(0, 80), (5, 80), (5, 75)]),
        ec.Chain([(0, 80), (4, 80)]),
        ec.Chain([(10, 70), (20, 70), (20, 60)]),
    ]


def test_a_path_may_have_closed_and_open_parts(svg: SvgFile) -> None:
    closed, line = from_svg(svg('<path id="both" d="M0 0 h10 v10 z M20 0 h10"/>'))
    assert _area(closed) == 50.0 and isinstance(line.shape, ec.Chain)
    assert closed.name == line.name == "both"


NESTED = "M0 0 h30 v30 h-30 z M5 5 h20 v20 h-20 z M10 10 h10 v10 h-10 z"
CLOCKWISE_HOLE = "M0 0 h30 v30 h-30 z M5 5 v20 h20 v-20 z"
PENTAGRAM = "M50 0 L79 90 L2 35 L98 35 L21 90 Z"


@pytest.mark.parametrize(
    ("data", "rule", "areas"),
    [
        (NESTED, "nonzero", [900.0]),
        (NESTED, "evenodd", [500.0, 100.0]),
        (CLOCKWISE_HOLE, "nonzero", [500.0]),
        (CLOCKWISE_HOLE, "evenodd", [500.0]),
        ("M0 0 h10 v10 h-10 z M5 0 h10 v10 h-10 z", "nonzero", [150.0]),
        ("M0 0 h10 v10 h-10 z M5 0 h10 v10 h-10 z", "evenodd", [50.0, 50.0]),
    ],
)
def test_holes_follow_the_fill_rule(svg: SvgFile, data: str, rule: str, areas: list[float]) -> None:
    parts = from_svg(svg(f'<g style="fill-rule:{rule}"><path d="{data}"/></g>'))
    assert sorted(map(_area, parts), reverse=True) == pytest.approx(areas)


def test_a_path_that_crosses_itself_is_filled_in_its_middle_unless_by_evenodd(svg: SvgFile) -> None:
    (star,) = from_svg(svg(f'<path d="{PENTAGRAM}"/>'))
    tips = from_svg(svg(f'<path fill-rule="evenodd" d="{PENTAGRAM}"/>'))
    assert isinstance(star.shape, ec.Polygon) and len(star.shape.vertices) == 10
    assert len(tips) == 5
    assert _area(star) > 1.2 * sum(map(_area, tips))


def test_names_are_ids_and_properties_are_attributes(svg: SvgFile) -> None:
    first, second = from_svg(svg('<rect id="a" class="wall" width="3" height="3" data-hp="7"/><circle r="2"/>'))
    assert (first.name, second.name) == ("a", "")
    assert first.properties["class"] == "wall" and first.properties["data-hp"] == "7"


def test_only_the_ids_that_are_given_are_read(svg: SvgFile) -> None:
    file = svg('<rect id="art" width="3" height="0.0"/><rect id="hull" width="4" height="4"/><path id="x" d="M0 0z"/>')
    assert [part.name for part in from_svg(file, ids=["hull"])] == ["hull"]
    with pytest.raises(ValueError, match=r"drawing\.svg has no visible path, rect, circle, \.\.\. with the id 'hul'"):
        from_svg(file, ids=["hul", "hull"])


def test_what_is_not_drawn_is_left_out(svg: SvgFile) -> None:
    rect = '<rect width="3" height="3"/>'
    hidden = [
        f'<g display="none">{rect}</g>',
        f'<g style="display:none">{rect}</g>',
        f"<defs>{rect}</defs><symbol>{rect}</symbol><mask>{rect}</mask><marker>{rect}</marker>",
        f"<clipPath>{rect}</clipPath><pattern>{rect}</pattern>",
        '<text x="3">text</text><image href="a.png" width="3" height="3"/><rect width="0" height="3"/>',
    ]
    assert from_svg(svg("".join(hidden))) == []


@pytest.mark.parametrize(
    ("attributes", "settings", "bounds"),
    [
        ('width="50" height="40" viewBox="0 0 100 80"', {}, (0, 35, 5, 40)),
        ('width="1in" height="1in"', {}, (0, 86, 10, 96)),
        ('viewBox="0 0 100 80"', {}, (0, 70, 10, 80)),
        ('width="100" height="80"', {"scale": 0.1}, (0, 7, 1, 8)),
        ('width="100" height="80"', {"y_down": True}, (0, 0, 10, 10)),
        ('width="100" height="80"', {"origin": (10, 10)}, (-10, 0, 0, 10)),
        ('width="100" height="80"', {"origin": "middle", "y_down": True}, (-50, -40, -40, -30)),
    ],
)
def test_units_and_axes(svg: SvgFile, attributes: str, settings: dict[str, object], bounds: tuple[float, ...]) -> None:
    (part,) = from_svg(svg('<rect width="10" height="10"/>', attributes), **settings)  # type: ignore[arg-type]
    assert bounds_of(part) == pytest.approx(bounds, abs=1e-6)


def test_shapes_may_be_chains_one_shape_or_centered(svg: SvgFile) -> None:
    file = svg('<rect x="10" width="10" height="10"/><rect x="50" width="20" height="10"/>')
    assert all(isinstance(part.shape, ec.Chain) for part in from_svg(file, as_chains=True))
    assert [part.pose for part in from_svg(file, centered=True)] == [(15.0, 75.0, 0.0), (60.0, 75.0, 0.0)]
    (whole,) = from_svg(file, as_one=True, centered=True)
    assert whole.pose == pytest.approx((45.0, 75.0, 0.0))
    assert _area(whole) == pytest.approx(300.0)


points = st.complex_numbers(max_magnitude=100.0)


@given(st.tuples(points, points, points, points), st.sampled_from((1.0, 0.1, 0.01)))
def test_curves_stay_within_the_tolerance(controls: tuple[complex, ...], tolerance: float) -> None:
    for curve in (CubicBezier(*controls), QuadraticBezier(*controls[:3])):
        line = [(controls[0].real, controls[0].imag), *flatten_segment(curve, tolerance)]
        polyline = shapely.LineString([*line, line[-1]])
        places = [curve.point(fraction) for fraction in np.linspace(0.0, 1.0, 101)]
        farthest = max(polyline.distance(shapely.Point(place.x, place.y)) for place in places)
        assert farthest <= tolerance * (1.0 + 1e-6) + 1e-9


def test_a_coarse_tolerance_gives_few_corners(svg: SvgFile) -> None:
    file = svg('<circle cx="50" cy="40" r="10"/>')
    counts = []
    for tolerance in (1.0, 0.1, 0.01):
        (part,) = from_svg(file, tolerance=tolerance)
        assert isinstance(part.shape, ec.Polygon)
        counts.append(len(part.shape.vertices))
    assert counts == [8, 24, 72]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('<path id="p" d="M0 0 L10 0 foo"/>', r"path 'p' of .*drawing\.svg has invalid data: d='M0 0 L10 0 foo'"),
        ('<path id="p" d="L10 0 L 3 3 z"/>', r"path 'p' of .*drawing\.svg has invalid data: d='L10 0 L 3 3 z'"),
        ('<path id="p" d="M0 0 h10 z"/>', r"path 'p' of .*drawing\.svg: a closed part must have three different corn"),
        ('<path id="p" d="M0 0 h10 h10 z"/>', r"path 'p' of .*drawing\.svg: .* all points lie on one line"),
        ("<rect", r"drawing\.svg is no XML"),
    ],
)
def test_bad_paths_are_named(svg: SvgFile, content: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_svg(svg(content))


def test_bad_files_and_arguments_are_refused(svg: SvgFile, tmp_path: Path) -> None:
    (tmp_path / "page.svg").write_text("<html/>")
    with pytest.raises(ValueError, match=r"page\.svg is no SVG: its first element is <html>"):
        from_svg(tmp_path / "page.svg")
    with pytest.raises(FileNotFoundError):
        from_svg(tmp_path / "missing.svg")
    with pytest.raises(TypeError, match=r"ids must hold names, such as \['hull'\], or be None, got 'hull'"):
        from_svg(svg(""), ids="hull")
    with pytest.raises(ValueError, match="tolerance must be a positive finite number, got 0"):
        from_svg(svg(""), tolerance=0)
    with pytest.raises(ValueError, match="has neither height nor viewBox: pass the origin in pixels"):
        from_svg(svg("", ""))
    assert bounds_of(from_svg(svg('<rect width="1" height="1"/>', ""), origin=(0, 0))[0]) == (0.0, -1.0, 1.0, 0.0)
