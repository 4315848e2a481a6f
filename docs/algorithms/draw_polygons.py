"""Draw the figures of polygons.md from the functions themselves."""

from __future__ import annotations

import numpy as np
from draw_style import (
    ACCENT,
    INK,
    NO,
    YES,
    answer,
    arrow,
    circle,
    colour_regions,
    contours,
    grid,
    line,
    panels,
    polygon,
    store,
    text,
    window,
)

from ecs_collide.algorithms import (
    PolygonFeature,
    axis_of_least_penetration,
    boxes_overlap,
    circle_polygon_distance,
    circle_polygon_overlap,
    polygon_region,
    polygons_overlap,
    simple_polygons_overlap,
)


def box(x_min: float, y_min: float, x_max: float, y_max: float) -> list[tuple[float, float]]:
    return [(x_min, y_min), (x_max, y_min), (x_max, y_max), (x_min, y_max)]


def draw_boxes_overlap() -> None:
    cases = (
        ("apart in y: the sentence says yes", (0.0, 0.0, 1.2, 0.8), (0.5, 1.2, 1.8, 1.8)),
        ("touching", (0.0, 0.0, 1.0, 1.2), (1.0, 0.5, 1.9, 1.7)),
        ("a cross", (0.0, 0.6, 2.0, 1.2), (0.7, 0.0, 1.3, 1.8)),
    )
    for axis, (name, a, b) in zip(panels(3, 2.7, 2.4), cases):
        window(axis, -0.3, -0.55, 2.3, 2.0)
        both = [boxes_overlap(*a, *b, touching) for touching in (True, False)]
        polygon(axis, box(*a), answer(both[0]))
        polygon(axis, box(*b), answer(both[1]))
        text(axis, 1.0, -0.35, f"touching=True: {both[0]}, False: {both[1]}", fontsize=7)
        axis.set_title(name)
    store("boxes_overlap")


def draw_separating_axis() -> None:
    a = np.array([(-1.6, -0.6), (0.2, -0.9), (0.7, 0.2), (-0.3, 1.0), (-1.5, 0.6)])
    triangle = np.array([(0.0, 0.0), (1.7, -0.2), (1.0, 1.3)])
    for axis, shift in zip(panels(2, 4.0, 3.9), ((0.1, -0.4), (1.0, -0.1))):
        b = triangle + np.array(shift)
        best = axis_of_least_penetration(a, b)
        normal, apart = np.array((best.x, best.y)), best.separation > 0.0
        assert polygons_overlap(a, b) is not apart
        window(axis, -2.5, -3.7, 3.2, 1.5)
        polygon(axis, a, INK)
        polygon(axis, b, ACCENT)
        if not apart:
            polygon(axis, b - best.separation * normal, ACCENT, fill=False, style="--")
            corner = b[np.argmin(b @ normal)]
            arrow(axis, corner, corner - best.separation * normal, NO)
        tangent = np.array((normal[1], -normal[0]))
        base = tangent * (2.0 if tangent[1] < 0.0 else -2.0)
        line(axis, base - 2.5 * normal, base + 3.2 * normal, "#aaaaaa", lw=0.8)
        for corners, colour, lift in ((a, INK, 0.0), (b, ACCENT, 0.12)):
            ends = np.array((np.min(corners @ normal), np.max(corners @ normal)))
            side = base * (1.0 + lift)
            line(axis, side + ends[0] * normal, side + ends[1] * normal, colour, lw=4.0, alpha=0.8)
            for end in ends:
                corner = corners[np.argmin(np.abs(corners @ normal - end))]
                line(axis, corner, side + end * normal, colour, lw=0.7, ls=":")
        axis.set_title(
            f"axis ({best.x:.2f}, {best.y:.2f}), separation {best.separation:.2f}", color=NO if apart else YES
        )
    store("separating_axis")


def draw_simple_polygons() -> None:
    bar = np.array(box(-1.4, -0.4, 1.4, 0.4))
    horseshoe = np.array(
        [(-1.4, -1.2), (1.4, -1.2), (1.4, 1.2), (0.8, 1.2), (0.8, -0.6), (-0.8, -0.6), (-0.8, 1.2), (-1.4, 1.2)]
    )
    cases = (
        ("a cross: no point inside", bar, bar[:, ::-1]),
        ("in the gap", horseshoe, np.array(box(-0.5, -0.3, 0.5, 0.9))),
        ("fits exactly: touching", horseshoe, np.array(box(-0.8, -0.6, 0.8, 1.2))),
        ("twice the same", horseshoe, horseshoe),
    )
    for axis, (name, a, b) in zip(panels(4, 2.3, 2.4), cases):
        window(axis, -1.7, -2.2, 1.7, 1.6)
        both = [simple_polygons_overlap(a, b, touching) for touching in (True, False)]
        polygon(axis, a, INK)
        polygon(axis, b, ACCENT, style="--" if a is b else "-")
        text(axis, 0.0, -1.75, f"touching=True: {both[0]}", answer(both[0]), fontsize=7)
        text(axis, 0.0, -2.05, f"touching=False: {both[1]}", answer(both[1]), fontsize=7)
        axis.set_title(name)
    store("simple_polygons")


def draw_polygon_regions() -> None:
    """Draw the region of every point on the left, and the distance with circles against it on the right."""
    corners = np.array([(-1.6, -0.9), (0.9, -1.1), (1.7, 0.3), (0.2, 0.1), (-0.6, 1.2)])
    regions, distances = panels(2, 4.0, 3.4)
    for axis in (regions, distances):
        window(axis, -2.9, -2.3, 2.9, 2.4)
    x, y = grid(regions, 400)
    found = polygon_region(x, y, corners)
    of_feature = {PolygonFeature.INSIDE: 4, PolygonFeature.EDGE: 1, PolygonFeature.CORNER: 0}
    colour_regions(regions, np.vectorize(of_feature.__getitem__)(found.feature))
    for k, (start, end) in enumerate(zip(corners, np.roll(corners, -1, axis=0))):
        outwards = np.array((end[1] - start[1], start[0] - end[0])) / np.hypot(*(end - start))
        text(regions, *(0.5 * (start + end) + 0.35 * outwards), f"edge {k}", ACCENT, fontsize=7)
        text(regions, *(1.25 * start), str(k), fontsize=8)
    polygon(regions, corners, INK)
    regions.set_title("polygon_region: edges blue, corners red")

    circles = [(-2.1, 1.4, 0.5), (1.0, 1.25, 0.75), (-0.3, -0.4, 0.3), (2.2, -1.3, 0.6)]
    levels = [-0.6, -0.3, 0.3, 0.6, 0.9]
    contours(distances, lambda x, y: circle_polygon_distance(x, y, 0.0, corners), levels, circles)
    for place in circles:
        circle(distances, *place, answer(circle_polygon_overlap(*place, corners)))
    distances.set_title("circle_polygon_distance of points, and circles")
    store("polygon_regions")


if __name__ == "__main__":
    draw_polygon_regions()
    draw_boxes_overlap()
    draw_separating_axis()
    draw_simple_polygons()
