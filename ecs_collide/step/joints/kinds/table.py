"""The kinds of joints: the one place that knows them all. Numbers are those of `components/joints/kinds.py`."""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device
from ecs_collide.step.joints.kinds.distance import place_distance
from ecs_collide.step.joints.kinds.loose import place_loose
from ecs_collide.step.joints.kinds.prismatic import place_prismatic
from ecs_collide.step.joints.kinds.revolute import place_revolute
from ecs_collide.step.joints.kinds.weld import place_weld
from ecs_collide.step.joints.kinds.wheel import place_wheel


@device
def place_rows(kind, field, here):
    """Write the rows of eight joints of one kind to a block."""
    if kind == kinds.REVOLUTE:
        place_revolute(field, here)
    elif kind == kinds.WELD:
        place_weld(field, here)
    elif kind == kinds.DISTANCE:
        place_distance(field, here)
    elif kind == kinds.PRISMATIC:
        place_prismatic(field, here)
    elif kind == kinds.WHEEL:
        place_wheel(field, here)
    else:
        place_loose(field, here)
