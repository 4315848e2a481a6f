"""The changes that the documentation says are refused, worked out from esper's own tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from math import inf
from typing import Any

import ecs_collide as ec
from ecs_collide.components.joints.joint import Joint
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.step.sync.compute_masses import HEAVIEST
from ecs_collide.validate import LARGEST, LARGEST_ANGLE
from tests.fuzz.components import TYPES

Held = dict[type[Any], Any]

BODY_TYPES = tuple(TYPES.values())[1:]
COUNTED = (*TYPES.values(), Joint)
"""Components that two entities cannot share."""


def is_body(held: Held) -> bool:
    """Return True if an entity takes part in the physics."""
    return any(kind in held for kind in BODY_TYPES)


def body_kind_of(held: Held) -> ec.BodyKind:
    body = held.get(ec.RigidBody)
    if body is not None:
        kind: ec.BodyKind = body.kind
        return kind
    return ec.BodyKind.DYNAMIC if ec.Velocity in held else ec.BodyKind.STATIC


def refused(holders: list[tuple[int, Held]], exact: bool, fresh: Collection[int] = ()) -> set[int]:
    """Return the entities that the next step must refuse.

    `fresh` holds those with joints that the step has not seen as they are. A joint that has worked and has lost a
    body is not refused, only off.
    """
    count = Counter(id(part) for _, held in holders for kind, part in held.items() if issubclass(kind, COUNTED))
    bodies = dict(holders)
    return {
        entity
        for entity, held in holders
        if (is_body(held) and _is_refused(held, exact))
        or any(count[id(part)] > 1 for part in held.values())
        or _has_refused_joint(held, bodies, exact, entity in fresh)
    }


def joints_of(held: Held) -> list[Joint]:
    """Return the joints that an entity holds: one, or none."""
    return [part for part in held.values() if isinstance(part, Joint)]


def can_work(joint: Joint, bodies: dict[int, Held]) -> bool:
    """Return True if a joint has two bodies, or one and the world, that can be joined."""
    named = [joint.a] if joint.b is None else [joint.a, joint.b]
    partners = [bodies.get(entity, {}) for entity in named]
    return (
        joint.a != joint.b
        and all(map(is_body, partners))
        and any(body_kind_of(held) is ec.BodyKind.DYNAMIC for held in partners)
    )


def _has_refused_joint(held: Held, bodies: dict[int, Held], exact: bool, is_fresh: bool) -> bool:
    joints = joints_of(held)
    if not joints:
        return False
    if exact or len(joints) > 1:
        return True
    (joint,) = joints
    if joint.broken:
        return False
    if can_work(joint, bodies):
        return is_disordered(joint)
    return is_fresh and not _has_lost_a_body(joint, bodies)


def _has_lost_a_body(joint: Joint, bodies: dict[int, Held]) -> bool:
    """Return True if a joint that cannot work has worked, with bodies that it still names or with others that exist."""
    if joint._worked_with is None or joint.a == joint.b:
        return False
    named = zip((joint.a, joint.b), joint._worked_with, strict=True)
    return all(body in (None, before) or is_body(bodies.get(body, {})) for body, before in named)


def is_disordered(joint: Any) -> bool:
    """Return True if the limits of a joint are out of order, or if it has two kinds of springs."""
    if isinstance(joint, SpringJoint) and joint.hertz > 0.0 and (joint.stiffness > 0.0 or joint.damping > 0.0):
        return True
    if isinstance(joint, ec.WeldJoint) and joint.linear_hertz > 0.0:
        return joint.linear_stiffness > 0.0 or joint.linear_damping > 0.0
    if isinstance(joint, ec.DistanceJoint):
        return joint.min_length > joint.max_length
    if isinstance(joint, ec.RevoluteJoint | ec.PrismaticJoint | ec.WheelJoint):
        return joint.lower > joint.upper
    return False


def _is_refused(held: Held, exact: bool) -> bool:
    if ec.Transform not in held:
        return True
    parts = [part for kind, part in held.items() if kind in TYPES.values()]
    if not all(abs(number) <= LARGEST for part in parts for number in part._values()):
        return True
    if abs(held[ec.Transform].angle) > LARGEST_ANGLE:
        return True
    kind, collider = body_kind_of(held), held.get(ec.Collider)
    if exact and collider is not None and collider.one_way is not None:
        return True
    center = held[ec.RigidBody].center_of_mass if ec.RigidBody in held and collider is not None else None
    if exact and kind is not ec.BodyKind.STATIC and center is not None and center != (0.0, 0.0):
        return True
    if kind is ec.BodyKind.DYNAMIC:
        if collider is None:
            return not _weighs(1.0, 1.0, held.get(ec.RigidBody), 1.0)
        if not collider.shape.is_bounded or (exact and not _is_disk(collider.shape)):
            return True
        area, second_moment = _size(collider.shape)
        return not _weighs(area, second_moment, held.get(ec.RigidBody), collider.density)
    turns = ec.Velocity in held and held[ec.Velocity].angular != 0.0
    return (
        exact
        and kind is ec.BodyKind.KINEMATIC
        and turns
        and collider is not None
        and not collider.sensor
        and not _is_disk(collider.shape)
    )


def _is_disk(shape: ec.Shape) -> bool:
    return isinstance(shape, ec.Circle) and shape.center == (0.0, 0.0)


def _weighs(area: float, second_moment: float, body: ec.RigidBody | None, density: float) -> bool:
    """Return True if mass and inertia are numbers that can be divided by."""
    mass, inertia = density * area, density * second_moment
    if body is not None and body.mass is not None:
        mass, inertia = body.mass, body.mass * second_moment / area
    if body is not None and body.inertia is not None:
        inertia = body.inertia
    return all(0.0 < number <= HEAVIEST and 1.0 / number < inf for number in (mass, inertia))


@lru_cache(maxsize=4096)
def _size(shape: ec.Shape) -> tuple[float, float]:
    properties = shape.mass_properties()
    return properties.area, properties.second_moment
