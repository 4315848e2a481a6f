"""Draw the figures of lines_and_segments.md from the functions themselves."""

from __future__ import annotations

import math

from draw_style import ACCENT, INK, NO, YES, answer, arrow, circle, contours, dot, line, panels, store, text, window

from ecs_collide.algorithms import (
    circle_segment_overlap,
    closest_point_on_line,
    closest_point_on_segment,
    line_circle_intersection,
    line_distance,
    line_line_intersection,
    line_points,
    line_through,
    segment_circle_intersection,
    segment_segment_intersection,
)

A, B = (-1.4, -0.6), (1.2, 0.4)


def along(start: tuple[float, float], end: tuple[float, float], u: float) -> tuple[float, float]:
    return start[0] + u * (end[0] - start[0]), start[1] + u * (end[1] - start[1])


def draw_closest_points() -> None:
    functions = {"closest_point_on_line": closest_point_on_line, "closest_point_on_segment": closest_point_on_segment}
    for axis, (name, function) in zip(panels(2, 3.8), functions.items()):
        window(axis, -2.8, -2.1, 2.8, 2.0)
        if function is closest_point_on_line:
            line(axis, along(A, B, -2.0), along(A, B, 3.0), "#999999", lw=1.0)
        line(axis, A, B, lw=2.2)
        for letter, (x, y) in (("a", A), ("b", B)):
            dot(axis, x, y)
            text(axis, x + 0.05, y - 0.28, letter)
        for x, y in ((-2.1, 0.9), (-0.6, 1.4), (0.9, -1.1), (1.6, 1.5), (-1.9, -1.5), (2.3, -0.4)):
            closest = function(x, y, *A, *B)
            line(axis, (x, y), (closest.x, closest.y), ACCENT, lw=1.0, ls=":")
            dot(axis, x, y, INK, 4.0)
            dot(axis, closest.x, closest.y, ACCENT, 4.0)
            text(axis, x, y + (0.22 if y > closest.y else -0.22), f"u={closest.u:.2f}", ACCENT, fontsize=7)
        axis.set_title(name)
    store("closest_points")


def draw_circle_segment() -> None:
    (axis,) = panels(1, 5.6, 2.4)
    window(axis, -4.2, -1.8, 4.4, 1.9)
    a, b = (-2.0, 0.0), (2.0, 0.0)
    line(axis, a, b, lw=2.2)
    for x, y, radius in (
        (-3.2, 0.4, 0.9),
        (-1.2, 0.8, 0.8),
        (0.6, -0.8, 0.5),
        (1.0, 0.2, 0.6),
        (2.8, -0.6, 1.0),
        (3.3, 1.1, 0.6),
    ):
        closest = closest_point_on_segment(x, y, *a, *b)
        circle(axis, x, y, radius, answer(circle_segment_overlap(x, y, radius, *a, *b)))
        line(axis, (x, y), (closest.x, closest.y), lw=1.0, ls=":")
        dot(axis, x, y, size=2.5)
        dot(axis, closest.x, closest.y, ACCENT, 3.5)
    store("circle_segment")


def draw_circle_line() -> None:
    cases = (
        ("line_circle_intersection", line_circle_intersection, (-0.4, -0.9), (0.5, -0.1)),
        ("segment_circle_intersection", segment_circle_intersection, (-2.0, 0.9), (0.4, -0.3)),
        ("segment_circle_intersection", segment_circle_intersection, (0.3, -0.4), (1.7, 1.2)),
    )
    for axis, (name, function, p, q) in zip(panels(3, 2.9, 2.9), cases):
        window(axis, -2.2, -1.7, 2.2, 1.8)
        circle(axis, 0.0, 0.0, 1.3)
        if function is line_circle_intersection:
            line(axis, along(p, q, -3.0), along(p, q, 4.0), "#999999", lw=1.0)
        line(axis, p, q, lw=2.2)
        for letter, (x, y) in (("P", p), ("Q", q)):
            dot(axis, x, y)
            text(axis, x + 0.05, y - 0.28, letter)
        hit = function(*p, *q, 0.0, 0.0, 1.3)
        assert hit is not None
        for u, x, y, word in ((*hit[:3], "enter"), (*hit[3:], "leave")):
            if u is not None and x is not None and y is not None:
                dot(axis, x, y, ACCENT)
                text(axis, 0.45 * x, 0.45 * y + 0.32, f"u_{word}\n{u:.2f}", ACCENT, fontsize=7)
        axis.set_title(name)
    store("circle_line")


def draw_line_line() -> None:
    for axis, (a, b) in zip(
        panels(2, 3.2),
        (((-1.5, -0.8, 0.0, 0.0), (0.4, -1.2, 0.7, -0.4)), ((-1.5, -0.8, 0.5, 0.2), (-1.0, 0.3, 0.2, 0.9))),
    ):
        window(axis, -2.2, -1.7, 2.2, 1.7)
        for name, colour, (px, py, qx, qy) in (("PQ", INK, a), ("RS", ACCENT, b)):
            line(axis, along((px, py), (qx, qy), -5.0), along((px, py), (qx, qy), 7.0), "#999999", lw=1.0)
            line(axis, (px, py), (qx, qy), colour, lw=2.2)
            for letter, x, y in ((name[0], px, py), (name[1], qx, qy)):
                dot(axis, x, y, colour)
                text(axis, x + 0.1, y - 0.25, letter, colour)
        meeting = line_line_intersection(*a, *b)
        if meeting:
            dot(axis, meeting.x, meeting.y, YES, 7.0)
            text(
                axis,
                meeting.x - 0.75,
                meeting.y + 0.3,
                f"u_a={meeting.u_a:.2f}\nu_b={meeting.u_b:.2f}",
                YES,
                fontsize=7,
            )
        else:
            axis.set_title("parallel: None", color=NO)
    store("line_line")


def draw_segment_segment() -> None:
    cases = (
        ("crossing", (-1.2, -0.9, 1.2, 0.9), (-1.0, 1.0, 0.8, -1.2)),
        ("an end on the other", (-1.3, -0.4, 1.3, -0.4), (0.3, -0.4, -0.6, 1.2)),
        ("on one line: an interval", (-1.3, -0.65, 0.5, 0.25), (1.3, 0.65, -0.3, -0.15)),
        ("apart", (-1.2, -1.0, -0.2, 0.9), (0.1, -0.9, 1.2, 0.6)),
    )
    for axis, (name, a, b) in zip(panels(4, 2.3, 2.4), cases):
        window(axis, -1.7, -1.6, 1.7, 1.6)
        meeting = segment_segment_intersection(*a, *b)
        line(axis, a[:2], a[2:], INK, lw=2.0)
        line(axis, b[:2], b[2:], ACCENT, lw=2.0)
        for letters, colour, start, end in (("PQ", INK, a[:2], a[2:]), ("RS", ACCENT, b[:2], b[2:])):
            past = 0.25 / math.dist(start, end)
            for letter, spot, place in ((letters[0], start, -past), (letters[1], end, 1.0 + past)):
                dot(axis, *spot, colour, 4.0)
                x, y = along(start, end, place)
                text(axis, x, y - 0.12, letter, colour, fontsize=8)
        if meeting:
            line(axis, (meeting.x, meeting.y), (meeting.x_end, meeting.y_end), YES, lw=4.5, alpha=0.7)
            dot(axis, [meeting.x, meeting.x_end], [meeting.y, meeting.y_end], YES, 6.0)
            words = f"u_a={meeting.u_a:.2f}, u_b={meeting.u_b:.2f}"
            if meeting.u_a_end != meeting.u_a:
                words += f"\nto {meeting.u_a_end:.2f} and {meeting.u_b_end:.2f}"
            text(axis, 0.0, -1.45, words, YES, fontsize=7)
        else:
            text(axis, 0.0, -1.45, "None", NO, fontsize=7)
        axis.set_title(name)
    store("segment_segment")


def draw_line_forms() -> None:
    (axis,) = panels(1, 4.6, 3.4)
    window(axis, -3.0, -2.0, 3.0, 2.4)
    p, q = (-1.2, 0.5), (1.4, 1.3)
    equation = line_through(*p, *q)
    contours(axis, lambda x, y: line_distance(x, y, *equation), [-2.0, -1.0, 1.0])
    arrow(axis, p, q)
    middle = along(p, q, 0.5)
    arrow(axis, middle, (middle[0] + equation.a, middle[1] + equation.b), ACCENT)
    text(axis, middle[0] + equation.a + 0.35, middle[1] + equation.b - 0.2, "(a, b)", ACCENT)
    origin, further = line_points(*equation)[:2], line_points(*equation)[2:]
    line(axis, (0.0, 0.0), origin, "#999999", ls=":")
    dot(axis, 0.0, 0.0, "#999999")
    text(axis, 0.1, -0.25, "origin", "#777777", fontsize=7)
    for letter, (x, y) in (("P", p), ("Q", q)):
        dot(axis, x, y)
        text(axis, x + 0.05, y - 0.3, letter)
    dot(axis, *origin, YES)
    dot(axis, *further, YES)
    text(axis, 0.65, 0.35, "line_points(a, b, c)", YES, fontsize=7)
    assert math.isclose(line_distance(*origin, *equation), 0.0, abs_tol=1e-15)
    axis.set_title(f"a={equation.a:.3f}  b={equation.b:.3f}  c={equation.c:.3f}")
    store("line_forms")


if __name__ == "__main__":
    draw_closest_points()
    draw_circle_segment()
    draw_circle_line()
    draw_line_line()
    draw_segment_segment()
    draw_line_forms()
