"""Components as plain data, (name, ((field, value), ...)), drawn at random, and created from that."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import ecs_collide as ec
from ecs_collide.step.sync.bound_components import stands_in
from tests.fuzz.shapes import Data, draw_disk, draw_shape, made, number, point

TYPES: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (ec.Transform, ec.Velocity, ec.Collider, ec.RigidBody, ec.Force, ec.AttachedTo)
}


class Spot:
    """A position component of a game's own, in degrees and with y down."""

    def __init__(self, x: float, y: float, turn: float) -> None:
        self.x, self.y, self.turn = x, y, turn


BINDING = ec.bind(Spot, angle="turn", degrees=True, y_down=True)


def pose_of(spot: Spot) -> tuple[float, float, float]:
    """Return the pose of a Spot in the engine's terms."""
    return spot.x, -spot.y, -math.radians(spot.turn)


def with_transform(held: dict[type[Any], Any], added: ec.Transform | None) -> dict[type[Any], Any]:
    """Return an entity's components, with the Transform that its Spot and Collider add, or without that `added`."""
    if Spot in held and ec.Collider in held:
        own = held.get(ec.Transform)
        counts = own is not None and (own is added or not stands_in(own))
        return held if counts else {**held, ec.Transform: ec.Transform(*pose_of(held[Spot]))}
    if held.get(ec.Transform) is added:
        return {kind: part for kind, part in held.items() if kind is not ec.Transform}
    return held


class Conditions:
    """The settings that all worlds of a case share."""

    def __init__(self, unit: float = 1.0, exact: bool = False, crowds: tuple[str, ...] = ()) -> None:
        self.unit = unit
        """Length units in a metre."""
        self.exact = exact
        """True if circles of the exact response are drawn."""
        self.crowds = crowds
        """Components that a crowd may change to in such a case, in which worlds are small otherwise."""


def value(field: str, data: Any) -> Any:
    """Return the value of a field; shapes and enumerations are plain data in a case."""
    if field == "shape":
        return made(data)
    if field == "kind":
        return ec.BodyKind(data)
    if field.endswith("_rule"):
        return ec.Combine(data)
    return data


def component(data: Data) -> Any:
    """Create a component from its data."""
    name, fields = data
    return TYPES[name](**{field: value(field, given) for field, given in fields})


def draw_value(rng: Random, name: str, field: str, at: Conditions) -> Any:
    """Draw a legal value for a component's field."""
    unit = at.unit
    match name, field:
        case _, "shape":
            return draw_disk(rng, unit) if at.exact and rng.random() < 0.8 else draw_shape(rng, unit)
        case "Transform", "angle":
            return rng.choice((0.0, 0.0, math.pi / 2.0, number(rng, -4.0, 4.0)))
        case "Transform", _:
            return number(rng, -3.0, 3.0, unit)
        case "Velocity", "angular":
            return 0.0 if at.exact else number(rng, -8.0, 8.0)
        case "Velocity", _:
            return rng.choice((0.0, number(rng, -3.0, 3.0, unit), number(rng, -3.0, 3.0, unit), 200.0 * unit))
        case "Force", _:
            return number(rng, -5.0, 5.0, unit)
        case _, "density":
            return rng.choice((1.0, 1.0, number(rng, 0.1, 5.0), 0.0 if rng.random() < 0.1 else 1.0))
        case _, "restitution":
            return rng.choice((0.0, 0.5, 1.0))
        case _, "surface_speed":
            return rng.choice((0.0, number(rng, -3.0, 3.0, unit)))
        case _, "rolling_resistance":
            return rng.choice((0.0, 0.1, 2.0))
        case _, "friction":
            return rng.choice((0.0, 0.5, 2.0))
        case _, "sensor":
            return rng.random() < 0.6
        case _, "one_way":
            return None if at.exact and rng.random() < 0.9 else rng.choice((None, (0.0, 1.0), (0.6, 0.8), (-1.0, 0.0)))
        case _, "surface_speed":
            return rng.choice((0.0, number(rng, -3.0, 3.0, unit)))
        case _, "rolling_resistance":
            return rng.choice((0.0, 0.1, 3.0))
        case _, "enabled":
            return rng.random() < 0.7
        case _, "layer" | "mask" | "sensor_mask":
            return rng.choice((1, 1, 2, 3, 0, ec.ALL_LAYERS))
        case _, "group":
            return rng.choice((0, 0, 1, -1, 2))
        case _, "friction_rule" | "restitution_rule":
            return rng.randrange(len(ec.Combine))
        case _, "kind":
            return rng.choice((0, 1, 2, 2, 2))
        case _, "mass" | "inertia":
            return rng.choice((None, None, number(rng, 0.1, 10.0)))
        case _, "center_of_mass":
            return rng.choice((None, point(rng, 0.5, unit)))
        case _, "sleep_speed" | "max_speed" | "max_angular_speed":
            return rng.choice((None, number(rng, 0.01, 3.0)))
        case _, "gravity_scale":
            return rng.choice((1.0, 0.0, -1.0))
        case _, "linear_damping" | "angular_damping":
            return rng.choice((0.0, 0.5, 100.0))
        case _:
            return rng.random() < 0.3


FIELDS = {
    "Transform": ("x", "y", "angle"),
    "Velocity": ("x", "y", "angular"),
    "Force": ("x", "y", "torque"),
    "Collider": (
        "shape",
        "density",
        "friction",
        "restitution",
        "sensor",
        "layer",
        "mask",
        "group",
        "detect",
        "sensor_mask",
        "enabled",
        "one_way",
        "surface_speed",
        "rolling_resistance",
        "surface_speed",
        "rolling_resistance",
        "friction_rule",
        "restitution_rule",
    ),
    "RigidBody": (
        "kind",
        "mass",
        "inertia",
        "gravity_scale",
        "linear_damping",
        "angular_damping",
        "lock_x",
        "lock_y",
        "lock_rotation",
        "bullet",
        "can_sleep",
        "center_of_mass",
        "sleep_speed",
        "max_speed",
        "max_angular_speed",
    ),
}


def draw_component(rng: Random, name: str, at: Conditions) -> Data:
    """Draw a component with some of its fields given, Transform and Velocity with all."""
    fields = FIELDS[name]
    if name in ("Collider", "RigidBody"):
        fields = fields[:1] + tuple(rng.sample(fields[1:], rng.choice((0, 0, 1, 3))))
    if name == "Collider" and rng.random() < 0.15:
        fields = tuple(dict.fromkeys((*fields, "sensor")))
    return name, tuple((field, draw_value(rng, name, field, at)) for field in fields)


def draw_entity(rng: Random, at: Conditions) -> tuple[Data, ...]:
    """Draw the components of a new entity, nearly always with a Transform."""
    x, y = point(rng, 3.0, at.unit)
    parts: list[Data] = []
    if rng.random() < 0.98:
        parts.append(("Transform", (("x", x), ("y", y), ("angle", draw_value(rng, "Transform", "angle", at)))))
    for name, chance in (("Velocity", 0.75), ("Collider", 0.95), ("RigidBody", 0.3), ("Force", 0.1)):
        if rng.random() < chance:
            parts.append(draw_component(rng, name, at))
    return tuple(sorted(_possible(parts)))


def _possible(parts: list[Data]) -> list[Data]:
    """Return components without the Velocity if a shape without bounds would have one."""
    shapes = [fields[0][1] for name, fields in parts if name == "Collider"]
    if shapes and not made(shapes[0]).is_bounded:
        return [part for part in parts if part[0] not in ("Velocity", "RigidBody")]
    return parts
