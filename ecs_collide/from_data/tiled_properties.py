"""Arguments of colliders from the custom properties of a Tiled map.

| property                                             | value                                                        |
|------------------------------------------------------|--------------------------------------------------------------|
| `layer`, `mask`, `sensor_mask`                       | a number, or names of `collision_layers` with commas between |
| `one_way`                                            | `up`, `down`, `left` or `right`; true is `up`, false no side |
| `sensor`, `detect`, `enabled`                        | true or false                                                |
| `density`, `friction`, `restitution`, `group`,       | a number                                                     |
| `surface_speed`, `rolling_resistance`                |                                                              |
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

from ecs_collide.components import ALL_LAYERS
from ecs_collide.from_data.tiled_file import Properties
from ecs_collide.validate import Vector2, integer

CollisionLayers: TypeAlias = Mapping[str, int] | type[Flag] | None
"""Bits of collision layers by name, or an enumeration of them."""

BITS = ("layer", "mask", "sensor_mask")
PLAIN = (
    "density",
    "detect",
    "enabled",
    "friction",
    "group",
    "restitution",
    "rolling_resistance",
    "sensor",
    "surface_speed",
)

DIRECTIONS: dict[str, Vector2] = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
"""Directions on the screen, where y points down."""


def bits_by_name(layers: CollisionLayers) -> Mapping[str, int]:
    """Return the bits of collision layers by name.

    Raises:
        TypeError: `layers` is neither a mapping nor an enumeration, or a value is no integer.
        ValueError: a value has no bit of a layer.
    """
    if layers is None:
        return {}
    if isinstance(layers, type) and issubclass(layers, Flag):
        layers = {name: member.value for name, member in layers.__members__.items()}
    if not isinstance(layers, Mapping):
        raise TypeError(f'collision_layers must be bits by name, such as {{"wall": 1}}, or a Flag, got {layers!r}')
    return {name: integer(bits, f"collision_layers[{name!r}]", 0, ALL_LAYERS) for name, bits in layers.items()}


def collider_arguments(properties: Properties, layers: Mapping[str, int], y_down: bool) -> dict[str, Any]:
    """Return the arguments of a `Collider` that are among custom properties.

    Args:
        properties: custom properties.
        layers: bits of collision layers by name.
        y_down: True if y points down in the game.

    Raises:
        TypeError: a layer is neither a number nor a name.
        ValueError: a name or a direction is unknown.
    """
    found = {name: properties[name] for name in PLAIN if name in properties}
    found |= {name: _bits(properties[name], name, layers) for name in BITS if name in properties}
    if "one_way" in properties:
        found["one_way"] = _direction(properties["one_way"], y_down)
    return found


def _bits(value: object, name: str, layers: Mapping[str, int]) -> int:
    """Return the bits of layers that a property gives as a number or by names."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise TypeError(f"the property {name} must be an integer or names of collision layers, got {value!r}")
    names = [each.strip() for each in value.split(",")]
    for each in names:
        if each not in layers:
            known = ", ".join(layers) or "none: pass collision_layers"
            raise ValueError(f"the property {name} has the unknown collision layer {each!r}; known are {known}")
    return reduce(or_, (layers[each] for each in names))


def _direction(value: object, y_down: bool) -> Vector2 | None:
    """Return the direction that a property gives, in the axes of the game."""
    if value is False:
        return None
    name = "up" if value is True else value
    if not isinstance(name, str) or name not in DIRECTIONS:
        raise ValueError(f"the property one_way must be true, false, {', '.join(DIRECTIONS)}, got {value!r}")
    x, y = DIRECTIONS[name]
    return x, y if y_down else -y
