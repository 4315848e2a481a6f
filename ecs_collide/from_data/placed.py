"""Shapes and points with their places: the results of the functions of this room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ecs_collide.components import Collider, Transform
from ecs_collide.shapes import Shape
from ecs_collide.shapes.compound import PartPose


@dataclass(frozen=True)
class PlacedShape:
    """A shape from data, with its place in the world."""

    shape: Shape
    """Shape in its own axes [m]."""
    pose: PartPose = (0.0, 0.0, 0.0)
    """Position [m] and angle [rad] of the shape in the world."""
    name: str = ""
    """Name in the data, empty if there is none."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Properties in the data, for the game."""
    collider: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the `Collider` that the data give, such as a layer of a Tiled map."""

    def components(self, **collider: Any) -> tuple[Transform, Collider]:
        """Return a new Transform and a new Collider for an entity.

        Args:
            collider: arguments of the `Collider`; those that the data give take their place.
        """
        return Transform(*self.pose), Collider(self.shape, **{**collider, **self.collider})


@dataclass(frozen=True)
class Marker:
    """A point from data: a place without a shape."""

    pose: PartPose
    """Position [m] and angle [rad] in the world."""
    name: str = ""
    """Name in the data, empty if there is none."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Properties in the data, for the game."""
