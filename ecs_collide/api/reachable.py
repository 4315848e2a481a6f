"""Pairs and contacts that fast bodies may reach within the step, for hooks."""

from __future__ import annotations

from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.plan import NARROWPHASE, RESPONSE


def find_reachable(pipeline: Pipeline) -> bool:
    """Find what fast bodies may reach in the step under way, if a hook may disable it now; return True if so.

    A hook may do so between Broadphase and Response.
    """
    at, begins = pipeline.plan.at.item(), pipeline.plan.begins
    if not at or at not in (begins[NARROWPHASE], begins[RESPONSE]) or pipeline.state.is_pause:
        return False
    with DelayedInterrupts():
        if pipeline.response.find_reachable(at == begins[RESPONSE]):
            pipeline.state.is_list_current = False
    return True
