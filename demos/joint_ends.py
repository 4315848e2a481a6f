"""Anchors of joints as their components define them, for drawing and for gaps."""

from __future__ import annotations

from math import cos, dist, sin

import esper

import ecs_collide as ec
from ecs_collide.components.joints import Joint

KINDS = (ec.RevoluteJoint, ec.WeldJoint, ec.DistanceJoint, ec.PrismaticJoint, ec.WheelJoint, ec.TargetJoint)
"""Joints with anchors; a friction joint only brakes."""


def ends_of(joint: Joint) -> list[tuple[float, float]]:
    """Return the anchors of a joint in the world [m], that of `a` first; empty before it is adopted."""
    ends = []
    for entity, anchor in ((joint.a, joint.anchor_a), (joint.b, joint.anchor_b)):
        if anchor is None:
            return []
        x, y, angle = (0.0, 0.0, 0.0) if entity is None else esper.component_for_entity(entity, ec.Transform).pose
        c, s = cos(angle), sin(angle)
        ends.append((x + c * anchor[0] - s * anchor[1], y + s * anchor[0] + c * anchor[1]))
    return [ends[0], joint.target] if isinstance(joint, ec.TargetJoint) else ends


def gap(joint: Joint) -> float:
    """Return the distance of the two sides of a joint [m]."""
    a, b = ends_of(joint)
    return dist(a, b)
