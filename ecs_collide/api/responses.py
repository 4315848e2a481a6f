"""The responses by name."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collide.common.settings import ResponseName
from ecs_collide.step.response_protocol import ContactResponse, WorldParts


def _impulse(parts: WorldParts) -> ContactResponse:
    from ecs_collide.step.solver.impulse_response import ImpulseResponse

    return ImpulseResponse(parts)


def _exact(parts: WorldParts) -> ContactResponse:
    from ecs_collide.exact.exact_response import ExactResponse

    return ExactResponse(parts)


RESPONSES: dict[ResponseName, Callable[[WorldParts], ContactResponse]] = {"impulse": _impulse, "exact": _exact}
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
