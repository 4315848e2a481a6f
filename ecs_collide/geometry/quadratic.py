"""Real roots of the quadratic equation a·x² + b·x + c = 0, in ascending order.

With p = b/2 and D = p² − a·c the roots are (EQ (10) multiplied by a)

    q = −(p + sign(p)·√D),    x₁ = q/a,    x₂ = c/q

EQ (10) computes −p ± √D for both roots. If |a·c| is small beside p², one root is a difference of nearly equal numbers
and loses every digit. The sum q has terms of equal sign, and Vieta's x₁·x₂ = c/a gives the other root.

D itself cancels if the roots nearly coincide. If it would lose more than two bits, it is computed with the rounding
errors of its two products (Dekker's exact product, Kahan's discriminant), within 2 ulp. Both roots are thus accurate to
a few ulp for the given coefficients. The exact sign of D decides "no real root", which separates a grazing hit from a
near miss.

Coefficients may have any finite size. If p² or a·c could overflow or lose digits to underflow, x is scaled by a power
of two that makes |a| and |c| similar, and the equation by another.

Degenerate equations:

    a = 0        the one root −c/b of the line, then NaN
    a = b = 0    no root: (NaN, NaN); if c = 0 as well, every x is a root, which the caller must handle
"""

from __future__ import annotations

from math import copysign, frexp, inf, isfinite, ldexp, nan, sqrt

from ecs_collide.kernels.kernel import device

_SPLITTER = 134217729.0  # 2**27 + 1: splits a double into two halves of 26 bits
_LARGE = 1e150  # the square is finite, and so is a factor times the splitter
_SMALL = 1e-280  # the rounding error of a product as large as this is still a normal number


@device
def roots(a, b, c):
    """Return the real roots of a·x² + b·x + c = 0 in ascending order, NaN for each that does not exist.

    A double root is returned twice. The one root of a linear equation comes first. Coefficients must be finite. A root
    beyond the range of doubles is ±inf.
    """
    if a == 0.0:
        return (-c / b, nan) if b != 0.0 else (nan, nan)
    if c == 0.0:
        return _ascending(0.0, -b / a)
    p = 0.5 * b
    largest = max(p * p, abs(a * c))
    if largest > _SMALL and max(max(abs(a), abs(p)), abs(c)) < _LARGE:
        return _roots(a, p, c)
    return _scaled_roots(a, b, c)


@device
def is_ordinary(a, b, c):
    """Return True if the coefficients need no scaling.

    `find_falling_root` and `find_both_roots` are then as accurate as `roots`.
    """
    p = 0.5 * b
    largest = max(p * p, abs(a * c))
    return (largest > _SMALL) & (max(max(abs(a), abs(p)), abs(c)) < _LARGE)


@device
def scale_coefficients(a, b, c):
    """Return the coefficients times the power of two that brings the largest into [0.5, 1).

    The result need not be ordinary. The roots that `find_falling_root` and `find_both_roots` find between 0 and 1 are
    accurate nevertheless: digits lost to underflow move them by less than 1e-150.
    """
    exponent = -frexp(max(max(abs(a), abs(b)), abs(c)))[1]
    return times_power_of_two(a, exponent), times_power_of_two(b, exponent), times_power_of_two(c, exponent)


@device
def find_falling_root(a, b, c):
    """Return the root at which a·x² + b·x + c turns from positive to negative or touches 0, NaN if none.

    There the slope 2·a·x + b is −2√D: the smaller root for a > 0, the greater for a < 0, the only one for a = 0. The
    code has no branches, for loops over arrays. Coefficients must be ordinary or scaled.
    """
    p = 0.5 * b
    discriminant = quarter_discriminant(a, p, c)
    root = sqrt(max(0.0, discriminant))
    falls = p <= 0.0
    x = ratio(c if falls else -(p + root), root - p if falls else a)
    return x if discriminant >= 0.0 else nan


@device
def find_both_roots(a, b, c):
    """Return both roots in no order, NaN for each that does not exist.

    The code has no branches, for loops over arrays. Coefficients must be ordinary or scaled.
    """
    p = 0.5 * b
    discriminant = quarter_discriminant(a, p, c)
    q = -(p + copysign(sqrt(max(0.0, discriminant)), p))
    real = discriminant >= 0.0
    return ratio(q, a) if real else nan, ratio(c, q) if real else nan


@device
def ratio(x, y):
    """Return x/y, NaN for y = 0."""
    return x / (y if y != 0.0 else nan)


@device
def _roots(a, p, c):
    """Return the roots for nonzero a and c and p = b/2, if all products are in the safe range."""
    discriminant = quarter_discriminant(a, p, c)
    if discriminant < 0.0:
        return nan, nan
    q = -(p + copysign(sqrt(discriminant), p))
    return _ascending(q / a, c / q)


@device
def quarter_discriminant(a, p, c):
    """Return p² − a·c within 2 ulp and with the right sign; p is half of b."""
    square, product = p * p, a * c
    error = _product_error(p, p, square) - _product_error(a, c, product)
    discriminant = square - product
    return discriminant + error if 3.0 * abs(discriminant) < square + product else discriminant


@device
def _product_error(x, y, product):
    """Return the exact difference x·y − product, where product is the rounded x·y."""
    x_high = _SPLITTER * x - (_SPLITTER * x - x)
    y_high = _SPLITTER * y - (_SPLITTER * y - y)
    x_low, y_low = x - x_high, y - y_high
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


@device
def _scaled_roots(a, b, c):
    """Return the roots for nonzero a and c of any size."""
    a_exponent, b_exponent, c_exponent = frexp(a)[1], frexp(b)[1], frexp(c)[1]
    shift = (c_exponent - a_exponent) // 2  # x = 2**shift · y
    scale = -max(a_exponent + 2 * shift, c_exponent)
    if b != 0.0 and b_exponent + shift + scale > 400:
        # b² exceeds a·c by more than 2**700: each root is that of two terms of the equation.
        return _ascending(-b / a, -c / b)
    y_low, y_high = _roots(
        times_power_of_two(a, 2 * shift + scale),
        0.5 * times_power_of_two(b, shift + scale),
        times_power_of_two(c, scale),
    )
    return times_power_of_two(y_low, shift), times_power_of_two(y_high, shift)


@device
def times_power_of_two(x, exponent):
    """Return x·2**exponent, ±inf if that is too large."""
    if not isfinite(x) or x == 0.0:
        return x
    if exponent + frexp(x)[1] > 1024:
        return copysign(inf, x)
    return ldexp(x, exponent)


@device
def _ascending(x, y):
    """Return two numbers in ascending order."""
    return min(x, y), max(x, y)
