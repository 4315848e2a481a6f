"""Angles of directions and directions of angles for Python, without the C library: equal bits on every machine.

Shapes and components use these. The arc tangent is that of fdlibm (Sun Microsystems, 1993,
https://www.netlib.org/fdlibm/s_atan.c). It brings t near 0 by arctan t = arctan u + arctan((t - u) / (1 + t u)) with u
of 1/2, 1, 3/2 or infinity. A polynomial in t^2 does the rest. The error is below 1 ulp.
"""

from __future__ import annotations

from math import pi, sqrt

from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, kernel

EVEN = (0.3333333333333293, 0.14285714272503466, 0.09090887133436507, 0.06661073137387531, 0.049768779946159324)
"""Coefficients of the even terms of the polynomial."""
EVEN_LAST = 0.016285820115365782
"""Last coefficient of the even terms."""
ODD = (-0.19999999999876483, -0.11111110405462356, -0.0769187620504483, -0.058335701337905735, -0.036531572744216916)
"""Coefficients of the odd terms."""


@kernel
def cosine_and_sine(angle: float):
    """Return (cos, sin) of an angle [rad]: see `cos_sin`."""
    return cos_sin(angle)


@kernel
def angle_of(x: float, y: float):
    """Return the angle of the direction (x, y), in [-pi, pi] [rad]; 0 for (0, 0)."""
    if abs(x) >= abs(y):
        turned = arc_tangent(y / x) if x != 0.0 else 0.0
        if x > 0.0 or x == 0.0:
            return turned
        return turned + pi if y >= 0.0 else turned - pi
    turned = arc_tangent(x / y)
    return 0.5 * pi - turned if y > 0.0 else -0.5 * pi - turned


@kernel
def arc_sine(sine: float):
    """Return the angle of a sine in [-1, 1], in [-pi/2, pi/2] [rad]."""
    cosine = sqrt((1.0 - sine) * (1.0 + sine))
    if abs(sine) <= cosine:
        return arc_tangent(sine / cosine)
    return 0.5 * pi - arc_tangent(cosine / sine) if sine > 0.0 else -0.5 * pi - arc_tangent(cosine / sine)


@device
def arc_tangent(tangent):
    """Return the angle [rad] of a tangent in [-1, 1]."""
    t = abs(tangent)
    if t < 0.4375:
        angle = t - find_tail(t)
    elif t < 0.6875:
        u = (2.0 * t - 1.0) / (2.0 + t)
        angle = 0.4636476090008061 - ((find_tail(u) - 2.2698777452961687e-17) - u)
    else:
        u = (t - 1.0) / (t + 1.0)
        angle = 0.7853981633974483 - ((find_tail(u) - 3.061616997868383e-17) - u)
    return angle if tangent >= 0.0 else -angle


@device
def find_tail(t):
    """Return t - arctan t for t near 0."""
    z = t * t
    w = z * z
    even = z * (EVEN[0] + w * (EVEN[1] + w * (EVEN[2] + w * (EVEN[3] + w * (EVEN[4] + w * EVEN_LAST)))))
    odd = w * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * (ODD[3] + w * ODD[4]))))
    return t * (even + odd)
