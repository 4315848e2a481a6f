"""What an entity collides with, and how."""

from __future__ import annotations

from math import hypot
from typing import Any

from ecs_collide.components.combine import Combine
from ecs_collide.components.view import View
from ecs_collide.data.native import Field, Item, Part
from ecs_collide.data.standard import standard
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, finite, flag, integer, member, non_negative, vector2

ALL_LAYERS = (1 << 63) - 1
"""A mask that collides with every layer, of which there are 63."""


def _shape(value: object, name: str) -> Shape:
    if not isinstance(value, Shape):
        raise TypeError(f"{name} must be a shape such as Circle(0.5), got {value!r}")
    return value


def _rule(value: object, name: str) -> Combine:
    return member(value, name, Combine)


def _rule_of(number: float) -> Combine:
    return Combine(int(number))


def _bits(value: object, name: str) -> int:
    return integer(value, name, 0, ALL_LAYERS)


def checked_mask(value: object, name: str) -> int:
    """Return a mask; 64 ones, or the complement of some layers as a negative number, mean what they do elsewhere."""
    bits = integer(value, name, -1 - ALL_LAYERS, 2 * ALL_LAYERS + 1)
    if bits != 0 and bits & ALL_LAYERS == 0:
        raise ValueError(f"{name} must hold one of the 63 layers, 1 to 1 << 62, or be 0, got {value}")
    return bits & ALL_LAYERS


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
    """A shape and its material; everything may be changed later.

    `density` [kg/m^2, kg/m for a Segment] makes the mass. `friction` and `restitution` combine with the other
    collider's by geometric mean and by maximum, unless a rule is given. A restitution above 1 is a bumper's: it drives
    the two apart, up to 1,000 length units a second. A `sensor` notices overlaps and answers none, and so does one with
    a `sensor_mask` towards the layers in it, whatever it is to others. One that `detect`s is told, by `sensor_enter`,
    of everything that it overlaps without pushing it, whatever the kinds of the two. Without `enabled` it is as if it
    were not there; a body keeps its mass.

    One with a `one_way` direction, in its own axes, is solid only to what comes from the side to which that points;
    what came from elsewhere passes until it is outside again, and `PhysicsWorld.drop_through` lets fall what stands on
    it. Its surface carries what touches it at `surface_speed` [m/s], clockwise around the shape, as far as friction
    can; those of two add up. `rolling_resistance` is a torque against rolling of up to so many times the contact's
    force and the radius; of two the greater counts.

    Two colliders meet
    if each one's `layer` bits are in the other's `mask`; a shared `group` other than 0 decides alone: positive meets,
    negative does not. There are layers 1, 2, 4, ... up to 1 << 62, and a mask may be the complement of some: ~2 is all
    of them but the second. Bits above are no layer's, and a mask does without them.
    """

    __slots__ = (
        "_density",
        "_enabled",
        "_filter",
        "_one_way",
        "_shape",
        "_surface",
    )

    shape = Part(_shape)
    density = Part(non_negative, 1.0)
    friction = Field(0, non_negative, 0.0)
    restitution = Field(1, non_negative, 0.0)
    friction_rule = Field(2, _rule, standard=Combine.USUAL, wrap=_rule_of)
    restitution_rule = Field(3, _rule, standard=Combine.USUAL, wrap=_rule_of)
    layer = Item("_filter", 0, _bits, 1)
    mask = Item("_filter", 1, checked_mask, ALL_LAYERS)
    group = Item("_filter", 2, _group, 0)
    sensor = Item("_filter", 3, flag, False, True)
    detect = Item("_filter", 4, flag, False, True)
    sensor_mask = Item("_filter", 5, checked_mask, 0)
    enabled = Part(flag, True, False)
    one_way = Part(_direction, None)
    surface_speed = Item("_surface", 0, finite, 0.0)
    rolling_resistance = Item("_surface", 1, non_negative, 0.0)

    _filter: tuple[int, ...]
    """The row of `body_filter`, if it is enabled."""
    _surface: tuple[float, float]
    """The row of `body_surface`."""

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
        self._start_as(
            STANDARD,
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

    def _arguments(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "density": self.density,
            "friction": self.friction,
            "restitution": self.restitution,
            "sensor": self.sensor,
            "layer": self.layer,
            "mask": self.mask,
            "group": self.group,
            "detect": self.detect,
            "sensor_mask": self.sensor_mask,
            "enabled": self.enabled,
            "one_way": self.one_way,
            "surface_speed": self.surface_speed,
            "rolling_resistance": self.rolling_resistance,
            "friction_rule": self.friction_rule,
            "restitution_rule": self.restitution_rule,
        }


STANDARD = standard(Collider, 0.5, 0.0, 0.0, 0.0, _filter=(0,) * 6, _surface=(0.0, 0.0))
