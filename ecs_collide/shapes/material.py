"""Materials of the parts of a shape: what a link of a chain or a part of a compound has instead of its collider's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from ecs_collide.hints import Hinting
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes.short_repr import short_field_repr
from ecs_collide.validate import finite, non_negative

MATERIAL_VALUE = layout(
    "material of a piece",
    FRICTION="friction coefficient",
    RESTITUTION="restitution",
    SPEED="surface speed [m/s]",
    ROLLING_RESISTANCE="coefficient of rolling resistance",
)
"""Columns in the order of the attributes of `Material`."""


@dataclass(frozen=True, slots=True, repr=False)
class Material(Hinting):
    """Friction and other values of a part of a shape; None is the value of the collider.

    The rules that combine two coefficients are those of the colliders. Materials are compared by value, and any number
    of parts and shapes may share one.

    Args:
        friction: friction coefficient.
        restitution: restitution.
        surface_speed: speed of the surface [m/s], clockwise around the shape.
        rolling_resistance: rolling resistance.

    Raises:
        TypeError: a value is no number.
        ValueError: a value is not finite, or one other than `surface_speed` is negative.
    """

    friction: float | None = None
    """Friction coefficient."""
    restitution: float | None = None
    """Restitution."""
    surface_speed: float | None = None
    """Speed of the surface [m/s], clockwise around the shape."""
    rolling_resistance: float | None = None
    """Rolling resistance."""

    def __post_init__(self) -> None:
        """Check the values."""
        for each in fields(self):
            value = getattr(self, each.name)
            check = finite if each.name == "surface_speed" else non_negative
            if value is not None:
                object.__setattr__(self, each.name, check(value, f"Material.{each.name}"))

    def values(self) -> tuple[float | None, ...]:
        """Return the values in the order of `MATERIAL_VALUE`."""
        return self.friction, self.restitution, self.surface_speed, self.rolling_resistance

    def __repr__(self) -> str:
        """Return the call that makes an equal material, without values of the collider."""
        return short_field_repr(self)


def check_materials(materials: object, count: int, name: str, of_what: str) -> tuple[Material | None, ...]:
    """Return the materials of `count` parts of a shape, empty if no part has one.

    Raises TypeError for anything but materials and None, and ValueError if their number is not `count`.
    """
    if not isinstance(materials, Sequence) or isinstance(materials, str):
        raise TypeError(f"{name} must be a sequence of Material or None, got {materials!r}")
    for index, material in enumerate(materials):
        if material is not None and not isinstance(material, Material):
            raise TypeError(f"{name}[{index}] must be a Material or None, got {material!r}")
    if len(materials) not in (0, count):
        raise ValueError(f"{name} must have one entry for each of the {count} {of_what}, got {len(materials)}")
    return tuple(materials) if any(materials) else ()
