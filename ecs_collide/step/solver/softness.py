"""A soft contact is a damped spring that is always stable: Catto, "Soft Constraints", GDC 2011.

With angular frequency w, damping ratio z and substep h,
    bias rate     = w / (2 z + h w)            fraction of the overlap removed in a second
    mass scale    = h w (2 z + h w) / (1 + h w (2 z + h w))
    softening     = 1 / mass scale             what the effective mass' inverse k is multiplied by
The accumulated impulse x then answers k softening x = -(v_n + bias - k x_old): what softening adds to k pulls x back
to zero.
"""

from math import pi
from typing import NamedTuple

from ecs_collide.common import tolerances as tuning
from ecs_collide.kernels.kernel import device


class Softness(NamedTuple):
    """The three factors above."""

    bias_rate: float
    mass_scale: float
    softening: float


@device
def softness(hertz, damping_ratio, h):
    """The factors of a spring of `hertz` [1/s] in a substep of `h` [s]."""
    omega = 2.0 * pi * hertz
    a = 2.0 * damping_ratio + h * omega
    b = h * omega * a
    return Softness(omega / a, b / (1.0 + b), (1.0 + b) / b)


@device
def contact_softness(h, contact_hertz):
    """Factors for contacts between moving bodies, and for contacts with something immovable, twice as stiff.

    `h` is the length of a substep [s], and `contact_hertz` how stiff they are where that is short enough [1/s].
    """
    hertz = min(contact_hertz, 0.25 / h)
    return softness(hertz, tuning.CONTACT_DAMPING_RATIO, h), softness(2.0 * hertz, tuning.CONTACT_DAMPING_RATIO, h)
