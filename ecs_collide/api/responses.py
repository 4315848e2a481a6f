"""The responses by name."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collide.common.settings import ResponseName
from ecs_collide.step.response_protocol import ContactResponse, Subsystems


def _impulse(subsystems: Subsystems) -> ContactResponse:
    from ecs_collide.step.solver.impulse_response import ImpulseResponse

    return ImpulseResponse(subsystems)


def _exact(subsystems: Subsystems) -> ContactResponse:
    from ecs_collide.exact.exact_response import ExactResponse

    return ExactResponse(subsystems)


RESPONSES: dict[ResponseName, Callable[[Subsystems], ContactResponse]] = {"impulse": _impulse, "exact": _exact}
"""Responses to contacts: impulses of a solver, or impact by impact in the order of their times.

Each module is loaded when a world needs it.
"""


def checked_name(value: object) -> ResponseName:
    """Return the name of a response. Raises TypeError or ValueError, with the value, for any other."""
    if not isinstance(value, str):
        raise TypeError(f"response must be one of {', '.join(map(repr, RESPONSES))}, got {value!r}")
    if value not in RESPONSES:
        raise ValueError(f"response must be one of {', '.join(map(repr, RESPONSES))}, got {value!r}")
    return value
