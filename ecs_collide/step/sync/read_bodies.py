"""Reading the components of changed entities."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC, KINEMATIC, STATIC
from ecs_collide.kernels.simd import lane_array
from ecs_collide.native import read_components
from ecs_collide.step.sync import component_columns as of_component
from ecs_collide.step.sync.body_definition import Body, check_body
from ecs_collide.step.sync.body_table import BodyTable
from ecs_collide.step.sync.changed_entities import Change
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS
from ecs_collide.step.sync.component_set import NOTHING, ComponentSet

KINDS = STATIC, KINEMATIC, DYNAMIC


def read_bodies(change: Change, members: Mapping[int, Body]) -> tuple[BodyTable, dict[int, ComponentSet]]:
    """Return the bodies of a change, and the components of new entities that are on no layer.

    Most of the latter have no collider, or a disabled one.
    """
    held = {entity: components for entity, components in change.components.items() if components is not NOTHING}
    integers = lane_array((len(held), INTEGERS.WIDTH), np.int64)
    numbers = lane_array((len(held), NUMBERS.WIDTH))
    wrong = read_components(list(held.values()), integers, numbers)
    if wrong >= 0:
        check_body(*list(held.items())[wrong])
    kinds = integers[:, INTEGERS.KIND].tolist()
    bodies = [
        Body(entity, components, KINDS[kind])
        for (entity, components), kind in zip(held.items(), kinds, strict=True)
        if kind != of_component.NO_BODY
    ]
    without_layer, layers = {}, integers[:, INTEGERS.FILTER].tolist()
    if 0 in layers:
        without_layer = {
            entity: components
            for (entity, components), layer in zip(held.items(), layers, strict=True)
            if layer == 0 and entity not in members
        }
    if len(bodies) < len(held):
        has_body = integers[:, INTEGERS.KIND] != of_component.NO_BODY
        integers, numbers = integers[has_body], numbers[has_body]
    return BodyTable(bodies, integers, numbers), without_layer
