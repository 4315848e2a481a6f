"""The substep for which joint rows are written."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device


class TreeSubstep(NamedTuple):
    """A substep of the joint trees."""

    near: float
    """Distance from a limit below which the limit is a row [m]."""
    push_out_speed: float
    """Greatest speed at which the projection closes the overstep of a limit [m/s]."""
    fastest_turn: float
    """Fastest rotation by which a joint is put right [rad/s]."""
    closing_rate: float
    """Rate at which the rows of touched trees close their gaps [1/s]."""
    h: float
    """Length [s]."""
    remaining: float
    """Time that is left until the end of the step [s]."""
    is_projection: bool
    """True while positions are projected: springs do not count then."""


@device
def substep_before(tolerances, h, remaining):
    """Return the substep in which velocities are solved next, with so much of the step left [s]."""
    return TreeSubstep(
        near=tolerances.speculative,
        push_out_speed=tolerances.push_out_speed,
        fastest_turn=tolerances.fastest_turn,
        closing_rate=tolerances.closing_rate,
        h=h,
        remaining=remaining,
        is_projection=False,
    )


@device
def substep_after(tolerances, h, remaining):
    """Return the substep in which bodies have been moved and are projected, with so much of the step left [s]."""
    return TreeSubstep(
        near=tolerances.speculative,
        push_out_speed=tolerances.push_out_speed,
        fastest_turn=tolerances.fastest_turn,
        closing_rate=tolerances.closing_rate,
        h=h,
        remaining=remaining,
        is_projection=True,
    )
