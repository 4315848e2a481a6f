"""Gaps of joints, computed from the components alone, to check what the engine does."""

from __future__ import annotations

from math import cos, dist, sin

import esper

import ecs_collide as ec
from ecs_collide.components.joints import Joint


def gap(joint: Joint) -> float:
    """Return the distance of the two anchors of a joint [m]."""
    ends = []
    for entity, anchor in ((joint.a, joint.anchor_a), (joint.b, joint.anchor_b)):
        assert anchor is not None, "anchors of a joint are known after its first step"
        x, y, angle = (0.0, 0.0, 0.0) if entity is None else esper.component_for_entity(entity, ec.Transform).pose
        c, s = cos(angle), sin(angle)
        ends.append((x + c * anchor[0] - s * anchor[1], y + s * anchor[0] + c * anchor[1]))
    return dist(*ends)
