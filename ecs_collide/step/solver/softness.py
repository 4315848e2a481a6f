"""A soft contact is a damped spring that is always stable: Catto, "Soft Constraints", GDC 2011.

With angular frequency w, damping ratio z and substep h,

    bias rate     = w / (2 z + h w)                             fraction of the overlap that is removed in a second
    mass scale    = h w (2 z + h w) / (1 + h w (2 z + h w))     factor of the effective mass
    softening     = 1 / mass scale                              factor of the inverse effective mass k

The accumulated impulse x solves k softening x = -(v_n + bias - k x_old). The part that softening adds to k pulls x
back to zero.
"""

from math import pi
from typing import NamedTuple

from ecs_collide.common import tolerances as tuning
from ecs_collide.kernels.kernel import device


class Softness(NamedTuple):
    """Factors of a soft contact."""

    bias_rate: float
    """Fraction of the overlap that is removed in a second [1/s]."""
    mass_scale: float
    """Factor of the effective mass."""
    softening: float
    """Factor of the inverse effective mass."""


@device
def softness(hertz, damping_ratio, h):
    """Return the factors of a spring of `hertz` [1/s] in a substep of `h` [s]."""
    omega = 2.0 * pi * hertz
    a = 2.0 * damping_ratio + h * omega
    b = h * omega * a
    return Softness(omega / a, b / (1.0 + b), (1.0 + b) / b)


@device
def contact_softness(h, contact_hertz):
    """Return the factors for contacts of two movable bodies, and for contacts with an immovable body.

    The latter are twice as stiff. `h` is the length of a substep [s]. `contact_hertz` is the stiffness [1/s], which is
    limited to what a substep of that length can resolve.
    """
    hertz = min(contact_hertz, 0.25 / h)
    return softness(hertz, tuning.CONTACT_DAMPING_RATIO, h), softness(2.0 * hertz, tuning.CONTACT_DAMPING_RATIO, h)
