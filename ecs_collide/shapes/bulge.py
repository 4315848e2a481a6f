"""A straight edge or an arc, given by its ends and its bulge.

The bulge is b = tan(φ / 4), with φ the arc's angle: 0 is straight, 1 half a circle. If b > 0, the edge runs
counter-clockwise about its centre and bends to the right of the chord; if b < 0, it runs clockwise and bends left.
With the chord c, its half length l and the fraction f of the way:

    radius   l / |sin(φ/2)| = l (1 + b²) / (2 |b|)
    tangent  direction of c, turned by (f - 1/2) φ
    point    a + |c| sin(f φ/2) / sin(φ/2) along c, turned by (f - 1) φ/2
    centre   a + c/2 + left(c) (1 - b²) / (4 b)

Points are computed from the chord, not from the centre, which may be far away.
"""

import math
from typing import NamedTuple

from ecs_collide.geometry.angles import angle_of, arc_sine, cosine_and_sine
from ecs_collide.validate import Vector2


class BulgedEdge(NamedTuple):
    """The edge from `a` to `b` [m] with `bulge` within [-1, 1]."""

    a: Vector2
    b: Vector2
    bulge: float

    @property
    def angle(self) -> float:
        """Left turn of the edge, φ [rad]."""
        return float(4.0 * angle_of(1.0, self.bulge))

    @property
    def length(self) -> float:
        """Length of the chord [m]."""
        return math.hypot(self.b[0] - self.a[0], self.b[1] - self.a[1])

    @property
    def center(self) -> Vector2:
        """Centre of the arc [m]."""
        x, y = self.b[0] - self.a[0], self.b[1] - self.a[1]
        ratio = (1.0 - self.bulge * self.bulge) / (4.0 * self.bulge)
        return self.a[0] + 0.5 * x - ratio * y, self.a[1] + 0.5 * y + ratio * x

    @property
    def radius(self) -> float:
        """Radius of the arc [m]."""
        return 0.25 * self.length * (1.0 + self.bulge * self.bulge) / abs(self.bulge)

    def point(self, fraction: float) -> Vector2:
        """Return the point [m] at `fraction` of the edge."""
        if fraction == 1.0:
            return self.b
        length = self.length * self._chord_ratio(fraction)
        x, y = self._direction(0.5 * (fraction - 1.0) * self.angle)
        return self.a[0] + length * x, self.a[1] + length * y

    def tangent(self, fraction: float) -> Vector2:
        """Return the unit tangent at `fraction` of the edge."""
        return self._direction((fraction - 0.5) * self.angle)

    def fraction_at(self, distance: float) -> float:
        """Return the fraction of the edge whose chord is `distance` [m] long, at most `length`."""
        half_angle = 0.5 * self.angle
        ratio = distance / self.length
        return arc_sine(ratio * cosine_and_sine(half_angle)[1]) / half_angle if self.bulge else ratio

    def chord(self, fraction: float) -> float:
        """Return the length [m] of the chord of a `fraction` of the edge."""
        return self.length * self._chord_ratio(fraction)

    def _chord_ratio(self, fraction: float) -> float:
        """Return the chord of a `fraction` of the edge, in lengths of the whole chord."""
        half_angle = 0.5 * self.angle
        return cosine_and_sine(fraction * half_angle)[1] / cosine_and_sine(half_angle)[1] if self.bulge else fraction

    def _direction(self, turn: float) -> Vector2:
        """Return the chord's direction, turned by `turn` [rad]."""
        length = self.length
        x, y = (self.b[0] - self.a[0]) / length, (self.b[1] - self.a[1]) / length
        cosine, sine = cosine_and_sine(turn)
        return cosine * x - sine * y, sine * x + cosine * y
