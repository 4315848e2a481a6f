"""The mass of a character, and the forces by which it pushes dynamic bodies and withstands theirs."""

from __future__ import annotations

from math import hypot, inf, isfinite
from typing import NamedTuple

from ecs_collide.common.settings import Settings
from ecs_collide.components.character_controller import checked_brace
from ecs_collide.data.shape_store import GEOMETRY
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.validate import non_negative

USUAL_GRAVITY = 10.0
"""Gravity that decides how strong characters are in a world without gravity [length units in a metre / s^2]."""


class Strength(NamedTuple):
    """Mass of a character [kg], greatest force of its pushes [N], and force by which it withstands those of others.

    None stands for the usual values.
    """

    mass: float | None
    push_force: float | None
    brace_force: float | None


USUAL = Strength(None, None, None)


def checked_strength(mass: float | None, push_force: float | None, brace_force: float | None) -> Strength:
    """Return the strength of a character. Raises TypeError or ValueError, naming the argument."""
    if mass is None and push_force is None and brace_force is None:
        return USUAL
    return Strength(
        None if mass is None else non_negative(mass, "mass"),
        None if push_force is None else non_negative(push_force, "push_force"),
        None if brace_force is None else checked_brace(brace_force, "brace_force"),
    )


def strength_of(member: Body, strength: Strength, settings: Settings) -> tuple[float, float, float]:
    """Return mass [kg], greatest push [N] and brace [N]: by default the mass of the body, and its weight for both."""
    mass, push_force, brace_force = strength
    if mass is None:
        mass = member.components.rigid_body.mass if member.components.rigid_body is not None else None
    if mass is None:
        assert member.stored is not None and member.components.collider is not None
        mass = float(member.stored.geometry[GEOMETRY.AREA]) * member.components.collider.density
    if not isfinite(mass):
        return 0.0, 0.0, inf
    weight = mass * (hypot(*settings.gravity) or USUAL_GRAVITY * settings.length_unit / settings.time_unit**2)
    return mass, weight if push_force is None else push_force, weight if brace_force is None else brace_force
