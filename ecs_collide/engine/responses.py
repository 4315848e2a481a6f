"""The responses by name: the only place that knows them all."""

from __future__ import annotations

from ecs_collide.engine.response.exact.response import ExactResponse
from ecs_collide.engine.response.impulse.response import ImpulseResponse
from ecs_collide.engine.response.socket import ContactResponse

RESPONSES: dict[str, type[ContactResponse]] = {"impulse": ImpulseResponse, "exact": ExactResponse}
"""How contacts are answered: by impulses of a solver, or impact by impact in the order of their times."""
