"""Sine and cosine without the C library: equal bits on every machine.

Cody and Waite's method reduces the angle to r in [-pi/4, pi/4], with pi/2 in three parts (exact for the first 2**20
quadrants or so). Taylor polynomials then give sin r and cos r; their first omitted terms are below 3e-17.
"""

from __future__ import annotations

from math import floor

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import round_down, select

TWO_OVER_PI = 0.6366197723675814
HALF_PI_HIGH = 1.5707963267341256  # the first 33 bits of pi/2
HALF_PI_MIDDLE = 6.077100506303966e-11  # the next 33 bits
HALF_PI_LOW = 2.0222662487959506e-21  # the rest
SMALL = 0.785
"""Greatest angle that certainly lies in the quadrant about 0 [rad]: pi/4 less a margin for rounding."""


@device
def cos_sin(angle):
    """Return (cos, sin) of an angle [rad], within 2 ulp for |angle| < 1e6."""
    turns = angle * TWO_OVER_PI
    quadrant = floor(turns + 0.5) if turns >= 0.0 else -floor(0.5 - turns)
    r = remainder(angle, quadrant)
    z = r * r
    c, s = cosine_series(z), sine_series(r, z)
    turn = int(quadrant) & 3
    if turn == 0:
        return c, s
    if turn == 1:
        return -s, c
    if turn == 2:
        return -c, -s
    return s, -c


@device
def cos_sin_lanes(angle):
    """Return the vectors (cos, sin) of a vector of angles [rad], with the bits of `cos_sin`."""
    turns = angle * TWO_OVER_PI
    quadrant = select(turns >= 0.0, round_down(turns + 0.5), -round_down(0.5 - turns))
    r = remainder(angle, quadrant)
    z = r * r
    c, s = cosine_series(z), sine_series(r, z)
    turn = quadrant - 4.0 * round_down(0.25 * quadrant)
    odd = ((turn > 0.5) & (turn < 1.5)) | (turn > 2.5)
    c, s = select(odd, s, c), select(odd, c, s)
    return select((turn > 0.5) & (turn < 2.5), -c, c), select(turn > 1.5, -s, s)


@device
def cos_sin_small_lanes(angle):
    """Return the vectors (cos, sin) of angles that are at most `SMALL` [rad], with the bits of `cos_sin`.

    Such angles need no reduction.
    """
    z = angle * angle
    return cosine_series(z), sine_series(angle, z)


@device
def remainder(angle, quadrant):
    """Return the angle less `quadrant` quarter turns [rad]; arguments are numbers or vectors."""
    high, middle = angle - quadrant * HALF_PI_HIGH, quadrant * HALF_PI_MIDDLE
    r = high - middle
    return r - (quadrant * HALF_PI_LOW - ((high - r) - middle))  # includes the rounding error of the subtraction


@device
def sine_series(r, z):
    """Return sin r, with z = r^2; arguments are numbers or vectors."""
    return r * (
        1.0
        + z
        * (
            -1.0 / 6.0
            + z
            * (
                1.0 / 120.0
                + z
                * (
                    -1.0 / 5040.0
                    + z
                    * (
                        1.0 / 362880.0
                        + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0)))
                    )
                )
            )
        )
    )


@device
def cosine_series(z):
    """Return the cosine of the square root of z; z is a number or a vector."""
    return 1.0 + z * (
        -0.5
        + z
        * (
            1.0 / 24.0
            + z
            * (
                -1.0 / 720.0
                + z
                * (
                    1.0 / 40320.0
                    + z
                    * (
                        -1.0 / 3628800.0
                        + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0)))
                    )
                )
            )
        )
    )
