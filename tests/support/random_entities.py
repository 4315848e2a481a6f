"""Random entities of every shape, and the expected answers to queries, by the functions of two shapes one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import esper
import numpy as np

import ecs_collide as ec

SHAPES: tuple[Callable[[np.random.Generator], ec.Shape], ...] = (
    lambda rng: ec.Circle(rng.uniform(0.2, 1.0)),
    lambda rng: ec.Circle(rng.uniform(0.2, 0.5), (rng.uniform(-1.0, 1.0), 0.0)),
    lambda rng: ec.Box(*rng.uniform(0.3, 2.0, 2)),
    lambda rng: ec.Capsule((-0.6, 0.0), (0.5, rng.uniform(-0.5, 0.5)), rng.uniform(0.1, 0.4)),
    lambda rng: ec.Segment((-0.6, 0.0), (0.5, rng.uniform(-0.5, 0.5))),
    lambda rng: ec.Polygon(((0, 0), (2, 0), (2, 0.5), (0.5, 0.5), (0.5, rng.uniform(1, 2)), (0, 2))),
    lambda rng: ec.Sector(rng.uniform(0.5, 1.5), rng.uniform(0.4, 2.5)),
    lambda rng: ec.Bitmap(["##", "#."], rng.uniform(0.4, 0.8)),
    lambda rng: ec.Chain([(0, 0), (1, 0.3), (1.5, -0.4), (2, rng.uniform(0, 1))]),
    lambda rng: ec.Compound([ec.Circle(0.4, (0, 1)), ec.Box(0.4, 2)]),
)


Asked: TypeAlias = tuple[int, ec.Shape, ec.Transform]
"""An entity with its shape and pose."""


class Crowd:
    """Entities of every kind and shape in 24 × 24 m, a half-plane under them and a ring around them."""

    def __init__(self, rng: np.random.Generator, count: int) -> None:
        self.rng = rng
        self.shapes: dict[int, ec.Shape] = {}
        for _ in range(count):
            self.add()
        for shape, place in ((ec.HalfPlane(), (0.0, -14.0, 0.1)), (ec.Ring(30.0), (0.0, 0.0, 0.0))):
            self.shapes[esper.create_entity(ec.Transform(*place), ec.Collider(shape))] = shape

    def add(self) -> int:
        """Create a random entity; return its id."""
        rng = self.rng
        shape, kind = SHAPES[rng.integers(len(SHAPES))](rng), rng.integers(0, 3)
        layer, sensor = 1 << int(rng.integers(0, 3)), bool(rng.random() < 0.2)
        x, y = rng.uniform(-12, 12, 2)
        place = ec.Transform(x, y, rng.uniform(-7, 7))
        entity = esper.create_entity(place, ec.Collider(shape, layer=layer, sensor=sensor))
        if kind:
            x, y = rng.uniform(-8, 8, 2)
            esper.add_component(entity, ec.Velocity(x, y, rng.uniform(-3, 3)))
        if kind == 2:
            esper.add_component(entity, ec.RigidBody(ec.BodyKind.KINEMATIC))
        self.shapes[entity] = shape
        return entity

    def remove(self, entity: int) -> None:
        """Delete an entity at once."""
        esper.delete_entity(entity, immediate=True)
        del self.shapes[entity]

    def pose(self, entity: int) -> ec.Transform:
        """Return the Transform of an entity."""
        return esper.component_for_entity(entity, ec.Transform)

    def asked(
        self, mask: int, sensors: bool, ignore: tuple[int, ...], where: Callable[[int], object]
    ) -> Iterator[Asked]:
        """Yield the entities that pass the filters of a query, in the order of their ids."""
        for entity in sorted(self.shapes):
            collider = esper.component_for_entity(entity, ec.Collider)
            passes = collider.layer & mask and (sensors or not collider.sensor)
            if passes and entity not in ignore and where(entity):
                yield entity, self.shapes[entity], self.pose(entity)
