"""Row 18."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import SectorRegion, sector_circle_distance, sector_circle_overlap, sector_region
from tests.algorithms.reference import Array, Truth, check_reach, coordinates, segments

DEGREE = math.pi / 180.0
BANDS = [(0.0, 45.0), (45.0, 90.0), (90.0, 180.0)]
ARC_POINTS = 2000


def exact_distance(x: Array, y: Array, radius: Array, alpha: Array, beta: Array) -> Array:
    """Signed distance from a sector at the origin, by the angle of the point and shapely's segments."""
    zero = np.zeros_like(x)
    a = segments(zero, zero, radius * np.cos(beta - alpha), radius * np.sin(beta - alpha))
    b = segments(zero, zero, radius * np.cos(beta + alpha), radius * np.sin(beta + alpha))
    point = shapely.points(x, y)
    edges: Array = np.minimum(shapely.distance(a, point), shapely.distance(b, point))
    past_arc: Array = np.hypot(x, y) - radius
    off = np.abs((np.arctan2(y, x) - beta + np.pi) % (2.0 * np.pi) - np.pi)
    return np.where(off <= alpha, np.maximum(past_arc, -edges), edges)


def printed_overlap(px: Array, py: Array, rp: Array, r: Array, alpha: Array, beta: Array, as_printed: bool) -> Truth:
    """SC's conditions with the apex at the origin; `as_printed` keeps region 1's `Px2 + Px2`."""
    cosine, sine = np.cos(beta - alpha), np.sin(beta - alpha)
    px1, py1 = px * cosine + py * sine, py * cosine - px * sine
    in_region_1 = (px1 >= 0.0) & (py1 >= 0.0) & (py1 <= px1 * np.tan(2.0 * alpha))
    square = px * px + px * px if as_printed else px * px + py * py
    hit = in_region_1 & (square <= (r + rp) ** 2)
    ax, ay = r * np.cos(beta - alpha), r * np.sin(beta - alpha)
    bx, by = r * np.cos(alpha + beta), r * np.sin(alpha + beta)
    for x, y in ((bx, by), (ax, ay), (0.0, 0.0)):
        hit |= (px - x) ** 2 + (py - y) ** 2 <= rp * rp
    cosine, sine = np.cos(alpha + beta + np.pi), np.sin(alpha + beta + np.pi)
    px2, py2 = (px - ax) * cosine + (py - ay) * sine, (py - ay) * cosine - (px - ax) * sine
    hit |= (px2 >= 0.0) & (px2 <= r) & (py2 >= 0.0) & (py2 <= rp)
    cosine, sine = np.cos(alpha + beta), np.sin(alpha + beta)
    px3, py3 = px * cosine + py * sine, py * cosine - px * sine
    hit |= (px3 >= 0.0) & (px3 <= r) & (py3 >= 0.0) & (py3 <= rp)
    return hit


def sampled_sectors(radius: Array, alpha: Array, beta: Array) -> Array:
    """Polygons (n, ARC_POINTS + 1, 2) inscribed in sectors at the origin; their arcs are at most 1.3e-6 R too low."""
    turns = beta[:, np.newaxis] + alpha[:, np.newaxis] * np.linspace(-1.0, 1.0, ARC_POINTS)
    arc = radius[:, np.newaxis, np.newaxis] * np.stack((np.cos(turns), np.sin(turns)), -1)
    return np.concatenate((np.zeros((len(radius), 1, 2)), arc), axis=1)


@pytest.mark.parametrize(
    ("x", "y", "region"),
    [
        (2.0, 0.0, SectorRegion.ARC),
        (0.5, 0.0, SectorRegion.ARC),
        (1.0, 1.5, SectorRegion.CORNER_B),
        (1.0, -1.5, SectorRegion.CORNER_A),
        (-1.0, 0.3, SectorRegion.APEX),
        (0.2, -0.4, SectorRegion.EDGE_A),
        (0.2, 0.4, SectorRegion.EDGE_B),
        (0.0, 0.0, SectorRegion.ARC),
    ],
)
def test_six_regions(x: float, y: float, region: SectorRegion) -> None:
    assert sector_region(x, y, 0.0, 0.0, 1.0, 30.0 * DEGREE, 0.0) is region
    turned = (x * math.cos(2.0) - y * math.sin(2.0) + 5.0, x * math.sin(2.0) + y * math.cos(2.0) - 3.0)
    if (x, y) != (0.0, 0.0):
        assert sector_region(*turned, 5.0, -3.0, 1.0, 30.0 * DEGREE, 2.0) is region


def test_touching_the_arc() -> None:
    assert sector_circle_overlap(3.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.5, 0.0), "SC: <="
    assert not sector_circle_overlap(3.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.5, 0.0, touching=False)


def test_semicircle_and_quarter_circle() -> None:
    assert sector_circle_distance(-2.0, 0.0, 0.5, 0.0, 0.0, 1.0, 90.0 * DEGREE, 0.0) == pytest.approx(1.5)
    assert sector_circle_distance(-1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 45.0 * DEGREE, 45.0 * DEGREE) == pytest.approx(
        math.sqrt(2.0)
    )


def test_in_the_mouth_of_a_reflex_sector() -> None:
    pac_man = (0.0, 0.0, 2.0, 135.0 * DEGREE, 180.0 * DEGREE)
    assert not sector_circle_overlap(1.0, 0.0, 0.7, *pac_man)
    assert sector_circle_overlap(1.0, 0.0, math.sqrt(0.5) + 1e-12, *pac_man)
    assert sector_circle_distance(-1.0, 0.0, 0.0, *pac_man) == pytest.approx(-1.0), "inside, the apex is closest"


def test_the_whole_disk_has_no_edges() -> None:
    assert sector_circle_distance(-0.5, 0.0, 0.0, 0.0, 0.0, 1.0, math.pi, 0.0) == -0.5
    assert sector_region(-0.5, 0.0, 0.0, 0.0, 1.0, math.pi, 0.0) is SectorRegion.ARC


def test_a_sector_without_radius_is_its_apex() -> None:
    angles = np.linspace(-3.0, 3.0, 50)
    for half_angle in (1e-300, 0.5, 2.0, math.pi):
        distance = sector_circle_distance(
            2.0 * np.cos(angles), 2.0 * np.sin(angles), 0.5, 0.0, 0.0, 0.0, half_angle, 1.0
        )
        assert np.abs(distance - 1.5).max() < 1e-15


@pytest.mark.parametrize("half_angle", [0.0, -0.1, 3.2, math.nan])
def test_impossible_half_angles(half_angle: float) -> None:
    with pytest.raises(ValueError, match="half_angle must be"):
        sector_region(0.0, 0.0, 0.0, 0.0, 1.0, half_angle, 0.0)


@pytest.mark.parametrize("band", BANDS)
def test_random_cases_against_the_angle_of_the_point(band: tuple[float, float]) -> None:
    rng = np.random.default_rng(24)
    x, y, ox, oy, beta = coordinates(rng, 5)
    radius, alpha = rng.uniform(0.1, 4.0, len(x)), rng.uniform(*band, len(x)) * DEGREE + 1e-9
    distance = exact_distance(x - ox, y - oy, radius, alpha, beta)
    found = sector_circle_distance(x, y, 0.25, ox, oy, radius, alpha, beta)
    assert np.abs(found - (distance - 0.25)).max() < 1e-13
    check_reach(
        lambda reach, touching: sector_circle_overlap(x, y, reach, ox, oy, radius, alpha, beta, touching),
        distance,
        rng,
    )


@pytest.mark.parametrize("band", BANDS)
def test_random_regions_name_the_closest_feature(band: tuple[float, float]) -> None:
    rng = np.random.default_rng(25)
    x, y, beta = coordinates(rng, 3)
    radius, alpha = rng.uniform(0.1, 4.0, len(x)), rng.uniform(*band, len(x)) * DEGREE + 1e-6
    region = sector_region(x, y, 0.0, 0.0, radius, alpha, beta)
    outside = exact_distance(x, y, radius, alpha, beta) > 0.0
    corners = {
        SectorRegion.CORNER_B: (radius * np.cos(beta + alpha), radius * np.sin(beta + alpha)),
        SectorRegion.CORNER_A: (radius * np.cos(beta - alpha), radius * np.sin(beta - alpha)),
        SectorRegion.APEX: (np.zeros_like(x), np.zeros_like(x)),
    }
    distance = sector_circle_distance(x, y, 0.0, 0.0, 0.0, radius, alpha, beta)
    for corner, (cx, cy) in corners.items():
        there = outside & (region == corner)
        assert np.abs(np.hypot(x - cx, y - cy) - distance)[there].max(initial=0.0) < 1e-13
        elsewhere = outside & (region != corner)
        assert (np.hypot(x - cx, y - cy) > distance - 1e-13)[elsewhere].all()
    for edge, corner in ((SectorRegion.EDGE_A, SectorRegion.CORNER_A), (SectorRegion.EDGE_B, SectorRegion.CORNER_B)):
        zero = np.zeros_like(x)
        from_edge = shapely.distance(segments(zero, zero, *corners[corner]), shapely.points(x, y))
        assert np.abs(from_edge - distance)[outside & (region == edge)].max() < 1e-13
    past_arc = np.hypot(x, y) - radius
    assert np.abs(past_arc - distance)[outside & (region == SectorRegion.ARC)].max() < 1e-13


@pytest.mark.parametrize(
    ("band", "as_printed", "square_corrected"),
    [(BANDS[0], 0.038, 0.012), (BANDS[1], 0.089, 0.090), (BANDS[2], 0.177, 0.167)],
)
def test_how_often_the_printed_formula_is_wrong(
    band: tuple[float, float], as_printed: float, square_corrected: float
) -> None:
    """Against a dense sampling. The page's 1 %, 9 % and 17 % take the obvious misprint in region 1 as corrected."""
    rng = np.random.default_rng(26)
    count = 12_000
    alpha, beta = rng.uniform(*band, count) * DEGREE + 1e-3, rng.uniform(-np.pi, np.pi, count)
    alpha = np.minimum(alpha, math.pi - 1e-3)
    radius, reach = rng.uniform(0.5, 2.0, count), rng.uniform(0.05, 1.0, count)
    x, y = rng.uniform(-3.0, 3.0, (2, count))
    distance = np.empty(count)
    for part in np.array_split(np.arange(count), 40):
        sampled = shapely.polygons(sampled_sectors(radius[part], alpha[part], beta[part]))
        distance[part] = shapely.distance(sampled, shapely.points(x[part], y[part]))
    clear = np.abs(distance - reach) > 1e-5
    assert clear.sum() >= 10_000
    truth = distance <= reach
    ours = sector_circle_overlap(x, y, reach, 0.0, 0.0, radius, alpha, beta)
    assert np.array_equal(ours[clear], truth[clear]), "corrected: 0 %"
    for literal, expected in ((True, as_printed), (False, square_corrected)):
        wrong = float((printed_overlap(x, y, reach, radius, alpha, beta, literal) != truth)[clear].mean())
        assert wrong == pytest.approx(expected, abs=0.01)
