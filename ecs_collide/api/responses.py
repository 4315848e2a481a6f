"""The responses by name: the only place that knows them all."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collide.step.response_protocol import ContactResponse, WorldParts


def _impulse(parts: WorldParts) -> ContactResponse:
    from ecs_collide.step.solver.impulse_response import ImpulseResponse

    return ImpulseResponse(parts)


def _exact(parts: WorldParts) -> ContactResponse:
    from ecs_collide.exact.exact_response import ExactResponse

    return ExactResponse(parts)


RESPONSES: dict[str, Callable[[WorldParts], ContactResponse]] = {"impulse": _impulse, "exact": _exact}
"""How contacts are answered: by impulses of a solver, or impact by impact in the order of their times.

Each is loaded when a world asks for it.
"""


def checked_name(value: object) -> str:
    """The name of a response, or a TypeError or ValueError that tells the value."""
    if not isinstance(value, str):
        raise TypeError(f"response must be one of {', '.join(map(repr, RESPONSES))}, got {value!r}")
    if value not in RESPONSES:
        raise ValueError(f"response must be one of {', '.join(map(repr, RESPONSES))}, got {value!r}")
    return value
