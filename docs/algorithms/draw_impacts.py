"""Draw the figures of responses.md from the functions themselves."""

from __future__ import annotations

import math

import numpy as np
from draw_style import ACCENT, INK, NO, YES, arrow, circle, dot, line, panels, store, text, window

from ecs_collide.algorithms import (
    bounce_off_each_other,
    bounce_off_static,
    separate_circles_about_midpoint,
    separate_circles_by_inverse_mass,
)

PALE = "#b8c4d0"


def draw_separation() -> None:
    """Draw an overlap resolved in both forms. A has a third of B's radius and a ninth of its mass."""
    a, ra, b, rb = (0.0, 0.0), 0.6, (1.5, 0.5), 1.8
    wa, wb = 1.0 / ra**2, 1.0 / rb**2
    solved = {
        "about the midpoint (CC)": separate_circles_about_midpoint(*a, ra, *b, rb),
        "by inverse mass": separate_circles_by_inverse_mass(*a, ra, wa, *b, rb, wb),
    }
    for axis, (title, found) in zip(panels(2, 3.8, 2.9), solved.items()):
        window(axis, -1.7, -1.6, 4.6, 2.9)
        for (x, y), radius, end in ((a, ra, found[:2]), (b, rb, found[2:])):
            circle(axis, x, y, radius, PALE)
            circle(axis, *end, radius, ACCENT, fill=False)
            if math.hypot(end[0] - x, end[1] - y) > 0.05:
                arrow(axis, (x, y), end, NO)
            dot(axis, x, y, INK, 3.5)
        if title.startswith("about"):
            middle = 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])
            dot(axis, *middle, YES, 4.0)
            text(axis, middle[0] + 0.25, middle[1] - 0.25, "m", YES)
        axis.set_title(title)
    store("impact_separation")


def draw_static() -> None:
    """Draw the bounce of a ball off a fixed circle: elastic, with restitution 0.5, and with CC's printed w_y."""
    static, radius_static, radius = (0.0, 0.0), 1.2, 0.6
    angle = math.radians(65.0)
    reach = radius_static + radius
    x, y = reach * math.cos(angle), reach * math.sin(angle)
    v = (1.2, -1.9)
    nx, ny = -math.cos(angle), -math.sin(angle)
    printed = v[0] - 2.0 * (v[0] * nx + v[1] * ny) * nx, 0.0 - 2.0 * (v[0] * nx + v[1] * ny) * ny
    (axis,) = panels(1, 4.2, 3.3)
    window(axis, -1.6, -1.3, 4.2, 3.9)
    circle(axis, *static, radius_static, PALE)
    circle(axis, x, y, radius, ACCENT)
    line(axis, static, (x, y), PALE, ls=":")
    arrow(axis, (x - v[0], y - v[1]), (x, y), INK)
    text(axis, x - v[0] - 0.15, y - v[1] + 0.12, "v")
    for restitution, colour, word in ((1.0, YES, "e = 1"), (0.5, ACCENT, "e = 0.5"), (0.0, "#7a5cb0", "e = 0")):
        w = bounce_off_static(x, y, *v, *static, restitution)
        arrow(axis, (x, y), (x + w.vx, y + w.vy), colour)
        text(axis, x + w.vx + 0.42, y + w.vy + 0.05, word, colour)
    arrow(axis, (x, y), (x + printed[0], y + printed[1]), NO)
    text(axis, x + printed[0], y + printed[1] + 0.17, "as printed", NO)
    store("impact_static")


def draw_dynamic() -> None:
    """Draw an impact of 2 kg on 1 kg: velocities before, after, and after as printed, from each centre."""
    angle, mass_a, mass_b = math.radians(20.0), 2.0, 1.0
    ra, rb = 0.7, 0.5
    n = math.cos(angle), math.sin(angle)
    a, b = (0.0, 0.0), ((ra + rb) * n[0], (ra + rb) * n[1])
    v_a, v_b = (1.6, 0.2), (-0.5, 0.9)
    right = bounce_off_each_other(*a, *v_a, 1.0 / mass_a, *b, *v_b, 1.0 / mass_b, 1.0)
    p = 2.0 * ((v_a[0] - v_b[0]) * n[0] + (v_a[1] - v_b[1]) * n[1]) / (mass_a + mass_b)
    printed = (v_a[0] - p * mass_a * n[0], v_a[1] - p * mass_a * n[1])
    printed += (v_b[0] + p * mass_b * n[0], v_b[1] + p * mass_b * n[1])
    axes = panels(3, 2.9, 3.0)
    for axis, title, velocities, colour in zip(
        axes, ("before", "after", "after, as printed"), ((*v_a, *v_b), right, printed), (INK, YES, NO)
    ):
        window(axis, -1.9, -1.9, 4.0, 2.6)
        v = np.array(velocities).reshape(2, 2)
        masses = np.array((mass_a, mass_b))
        for place, radius, velocity, name in ((a, ra, v[0], "2 kg"), (b, rb, v[1], "1 kg")):
            circle(axis, *place, radius, PALE)
            arrow(axis, place, (place[0] + velocity[0], place[1] + velocity[1]), colour)
            text(axis, place[0] + 0.1, place[1] - radius - 0.2, name, fontsize=7)
        momentum = (masses[:, None] * v).sum(axis=0)
        energy = 0.5 * float((masses * (v**2).sum(axis=1)).sum())
        axis.set_title(title)
        text(axis, 1.0, -1.35, f"momentum ({momentum[0]:.2f}, {momentum[1]:.2f}) N·s", fontsize=8)
        text(axis, 1.0, -1.7, f"energy {energy:.2f} J", fontsize=8)
    store("impact_dynamic")


if __name__ == "__main__":
    draw_separation()
    draw_static()
    draw_dynamic()
