"""The shape of an entity, its material, and the filters of its collisions."""

from __future__ import annotations

from enum import Enum, Flag
from math import hypot

from ecs_collide.components.combine import Combine
from ecs_collide.components.view import View
from ecs_collide.data.bodies import FILTER, MATERIAL, RULE, SURFACE
from ecs_collide.errors import warn
from ecs_collide.native import Field, Item, Value
from ecs_collide.native.default_component import default_component
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, finite, flag, integer, member, non_negative, vector2

ALL_LAYERS = (1 << 63) - 1
"""Mask of all 63 layers."""


def _shape(value: object, name: str) -> Shape:
    if not isinstance(value, Shape):
        made = f": write {value.__name__}(...)" if isinstance(value, type) and issubclass(value, Shape) else ""
        raise TypeError(f"{name} must be a shape such as Circle(0.5), got {value!r}{made}")
    return value


def _rule(value: object, name: str) -> Combine:
    return member(value, name, Combine)


MASKS = ("layer", "mask", "sensor_mask")
"""Attributes that are bits."""


def _bits(value: object, name: str) -> int:
    """Return the bits of layers; warn if a member of an enumeration that is no Flag has several."""
    bits = integer(value, name, 0, ALL_LAYERS)
    if bits.bit_count() > 1 and isinstance(value, Enum) and not isinstance(value, Flag):
        layers = " and ".join(_list_layers(bits).split(" | "))
        warn(
            f"Collider.layer {value!r} is {bits}, the bits of the layers {layers}: "
            f"derive {type(value).__name__} from enum.IntFlag, or number its layers 1, 2, 4, 8, ..."
        )
    return bits


def checked_mask(value: object, name: str) -> int:
    """Return a mask of layers.

    64 ones, and a negative number (the complement of some layers), are reduced to the 63 layers.
    """
    bits = integer(value, name, -1 - ALL_LAYERS, 2 * ALL_LAYERS + 1)
    if bits != 0 and bits & ALL_LAYERS == 0:
        raise ValueError(f"{name} must hold one of the 63 layers, 1 to 1 << 62, or be 0, got {value}")
    return bits & ALL_LAYERS


def show_layers(bits: int) -> str:
    """Return the expression of single layers that makes a mask: "1 | 2" for 3, "ALL_LAYERS & ~2" for a complement."""
    if bits == ALL_LAYERS:
        return "ALL_LAYERS"
    others = ALL_LAYERS & ~bits
    if bits.bit_count() <= others.bit_count():
        return _list_layers(bits)
    excepted = _list_layers(others)
    return f"ALL_LAYERS & ~{excepted if excepted.isdigit() else f'({excepted})'}"


def _list_layers(bits: int) -> str:
    """Return single layers with "|" between; those above 1 << 9 as shifts."""
    layers = [str(1 << k) if k < 10 else f"1 << {k}" for k in range(bits.bit_length()) if bits >> k & 1]
    return " | ".join(layers) if layers else "0"


def _direction(value: object, name: str) -> Vector2 | None:
    if value is None:
        return None
    x, y = vector2(value, name)
    size = hypot(x, y)
    if size == 0.0:
        raise ValueError(f"{name} must be a direction or None, got {value!r}")
    return x / size + 0.0, y / size + 0.0


def _group(value: object, name: str) -> int:
    return integer(value, name, -(1 << 62), 1 << 62)


class Collider(View):
    """Shape, material and collision filters of an entity; a game may change all attributes at any time.

    Two colliders collide if the `layer` of each is in the `mask` of the other. A shared `group` other than 0 decides
    alone: positive collides, negative does not. Layers are 1, 2, 4, ... up to 1 << 62, such as the members of an
    `enum.IntFlag`. A sum is several layers: 3 is 1 and 2. A mask may be a complement, such as ~2 for all layers but the
    second.
    """

    __slots__ = (
        "_density",
        "_enabled",
        "_filter",
        "_one_way",
        "_rule",
        "_shape",
        "_surface",
    )

    shape = Value(_shape)
    """Shape in the axes of the entity."""
    density = Value(non_negative, 1.0)
    """Density [kg/m^2, kg/m for a Segment], from which the mass follows unless the RigidBody gives one."""
    friction = Field(MATERIAL.FRICTION, non_negative, 0.0)
    """Friction coefficient; the geometric mean of both colliders counts unless `friction_rule` differs."""
    restitution = Field(MATERIAL.RESTITUTION, non_negative, 0.0)
    """Restitution; the maximum of both colliders counts unless `restitution_rule` differs.

    A value above 1 makes a bumper, which drives the other body away at up to 1,000 length units a second.
    """
    friction_rule = Item("_rule", RULE.FRICTION, _rule, *Combine)
    """Rule that combines the friction of two colliders."""
    restitution_rule = Item("_rule", RULE.RESTITUTION, _rule, *Combine)
    """Rule that combines the restitution of two colliders."""
    layer = Item("_filter", FILTER.LAYER, _bits, 1)
    """Layers of the collider, as bits: 1, 2, 4, 8, ...; 3 is the layers 1 and 2, as the representation shows."""
    mask = Item("_filter", FILTER.MASK, checked_mask, ALL_LAYERS)
    """Layers with which the collider collides, as bits."""
    group = Item("_filter", FILTER.GROUP, _group, 0)
    """Group: two colliders of one group above 0 always collide, of one group below 0 never; 0 is no group."""
    sensor = Item("_filter", FILTER.SENSOR, flag, False, True)
    """True for a collider that detects overlaps and never pushes."""
    detect = Item("_filter", FILTER.DETECT, flag, False, True)
    """True for a collider that `sensor_enter` reports with every entity that it overlaps without pushing it.

    Unlike a plain sensor, it also detects static entities and other sensors.
    """
    sensor_mask = Item("_filter", FILTER.SENSOR_MASK, checked_mask, 0)
    """Layers towards which the collider acts as a sensor, as bits."""
    enabled = Value(flag, True, False)
    """False for a collider that acts as if it were absent; the body keeps its mass."""
    one_way = Value(_direction, None)
    """Direction, in the axes of the entity, to the only side that is solid; None if all sides are.

    A body from another side passes until it is outside again. `PhysicsWorld.drop_through` lets a body on it fall.
    """
    surface_speed = Item("_surface", SURFACE.SPEED, finite, 0.0)
    """Speed of the surface [m/s], clockwise around the shape, which carries bodies as far as friction can.

    The speeds of two touching surfaces add up.
    """
    rolling_resistance = Item("_surface", SURFACE.ROLLING_RESISTANCE, non_negative, 0.0)
    """Rolling resistance: the torque against rolling is up to this times contact force and radius.

    The greater value of two colliders counts.
    """

    _filter: tuple[int, ...]
    """Row of `body_filter` while the collider is enabled."""
    _rule: tuple[Combine, ...]
    """Row of `body_rule`."""
    _surface: tuple[float, ...]
    """Row of `body_surface`."""

    def __init__(
        self,
        shape: Shape,
        *,
        density: float = 1.0,
        friction: float = 0.5,
        restitution: float = 0.0,
        sensor: bool = False,
        layer: int = 1,
        mask: int = ALL_LAYERS,
        group: int = 0,
        detect: bool = False,
        sensor_mask: int = 0,
        enabled: bool = True,
        one_way: Vector2 | None = None,
        surface_speed: float = 0.0,
        rolling_resistance: float = 0.0,
        friction_rule: Combine = Combine.USUAL,
        restitution_rule: Combine = Combine.USUAL,
    ) -> None:
        self._init_from(
            DEFAULT,
            shape,
            density,
            friction,
            restitution,
            sensor,
            layer,
            mask,
            group,
            detect,
            sensor_mask,
            enabled,
            one_way,
            surface_speed,
            rolling_resistance,
            friction_rule,
            restitution_rule,
        )

    def _show(self, name: str, value: object) -> str:
        return show_layers(value) if name in MASKS and isinstance(value, int) else super()._show(name, value)


DEFAULT = default_component(
    Collider,
    MATERIAL.WIDTH,
    _filter=(0,) * FILTER.WIDTH,
    _rule=(Combine.USUAL,) * RULE.WIDTH,
    _surface=(0.0,) * SURFACE.WIDTH,
)
