"""What an entity collides with, and how."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.combine import Combine
from ecs_collide.components.view import View
from ecs_collide.shapes import Shape
from ecs_collide.validate import flag, integer, member, non_negative

ALL_LAYERS = (1 << 63) - 1
"""A mask that collides with every layer, of which there are 63."""


class Collider(View):
    """A shape and its material; everything may be changed later.

    `density` [kg/m^2, kg/m for a Segment] makes the mass. `friction` and `restitution` combine with the other
    collider's by geometric mean and by maximum, unless a rule is given. A restitution above 1 is a bumper's: it drives
    the two apart, up to 1,000 length units a second. A `sensor` notices overlaps and answers none. Two colliders meet
    if each one's `layer` bits are in the other's `mask`; a shared `group` other than 0 decides alone: positive meets,
    negative does not. There are layers 1, 2, 4, ... up to 1 << 62, and a mask may be the complement of some: ~2 is all
    of them but the second. Bits above are no layer's, and a mask does without them.
    """

    __slots__ = ("_density", "_group", "_layer", "_mask", "_sensor", "_shape")

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
        friction_rule: Combine = Combine.USUAL,
        restitution_rule: Combine = Combine.USUAL,
    ) -> None:
        super().__init__([0.0, 0.0, 0.0, 0.0])
        self.shape = shape
        self.density = density
        self.friction = friction
        self.restitution = restitution
        self.sensor = sensor
        self.layer = layer
        self.mask = mask
        self.group = group
        self.friction_rule = friction_rule
        self.restitution_rule = restitution_rule

    @property
    def shape(self) -> Shape:
        return self._shape

    @shape.setter
    def shape(self, value: Shape) -> None:
        self._shape = self._checked(_shape, value, "shape")
        self._restructured()

    @property
    def density(self) -> float:
        return self._density

    @density.setter
    def density(self, value: float) -> None:
        self._density = self._checked(non_negative, value, "density")
        self._restructured()

    @property
    def friction(self) -> float:
        return self._read(0)

    @friction.setter
    def friction(self, value: float) -> None:
        self._write(0, self._checked(non_negative, value, "friction"), "friction")

    @property
    def restitution(self) -> float:
        return self._read(1)

    @restitution.setter
    def restitution(self, value: float) -> None:
        self._write(1, self._checked(non_negative, value, "restitution"), "restitution")

    @property
    def friction_rule(self) -> Combine:
        return Combine(int(self._read(2)))

    @friction_rule.setter
    def friction_rule(self, value: Combine) -> None:
        self._write(2, float(self._checked(_rule, value, "friction_rule")), "friction_rule")

    @property
    def restitution_rule(self) -> Combine:
        return Combine(int(self._read(3)))

    @restitution_rule.setter
    def restitution_rule(self, value: Combine) -> None:
        self._write(3, float(self._checked(_rule, value, "restitution_rule")), "restitution_rule")

    @property
    def sensor(self) -> bool:
        return self._sensor

    @sensor.setter
    def sensor(self, value: bool) -> None:
        self._sensor = self._checked(flag, value, "sensor")
        self._restructured()

    @property
    def layer(self) -> int:
        return self._layer

    @layer.setter
    def layer(self, value: int) -> None:
        self._layer = self._checked(_bits, value, "layer")
        self._restructured()

    @property
    def mask(self) -> int:
        return self._mask

    @mask.setter
    def mask(self, value: int) -> None:
        self._mask = self._checked(_mask, value, "mask")
        self._restructured()

    @property
    def group(self) -> int:
        return self._group

    @group.setter
    def group(self, value: int) -> None:
        self._group = self._checked(_group, value, "group")
        self._restructured()

    def _filter(self) -> tuple[int, int, int, int]:
        """The row of `body_filter`."""
        return self._layer, self._mask, self._group, int(self._sensor)

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
            "friction_rule": self.friction_rule,
            "restitution_rule": self.restitution_rule,
        }


def _shape(value: object, name: str) -> Shape:
    if not isinstance(value, Shape):
        raise TypeError(f"{name} must be a shape such as Circle(0.5), got {value!r}")
    return value


def _rule(value: object, name: str) -> Combine:
    return member(value, name, Combine)


def _bits(value: object, name: str) -> int:
    return integer(value, name, 0, ALL_LAYERS)


def _mask(value: object, name: str) -> int:
    """64 ones, or the complement of some layers as a negative number, mean what they do elsewhere."""
    bits = integer(value, name, -1 - ALL_LAYERS, 2 * ALL_LAYERS + 1)
    if bits != 0 and bits & ALL_LAYERS == 0:
        raise ValueError(f"{name} must hold one of the 63 layers, 1 to 1 << 62, or be 0, got {value}")
    return bits & ALL_LAYERS


def _group(value: object, name: str) -> int:
    return integer(value, name, -(1 << 62), 1 << 62)
