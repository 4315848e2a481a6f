"""The changes that the documentation says are refused, worked out from esper's own tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from math import inf
from typing import Any

import ecs_collide as ec
from ecs_collide.components.joints.joint import Joint
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.step.sync.compute_masses import HEAVIEST
from ecs_collide.validate import LARGEST, LARGEST_ANGLE
from tests.fuzz.attached import can_be_part, parts_of, weigh
from tests.fuzz.components import TYPES

Held = dict[type[Any], Any]

BODY_TYPES = tuple(kind for kind in TYPES.values() if kind not in (ec.Transform, ec.AttachedTo))
COUNTED = (*TYPES.values(), Joint)
"""Components that two entities cannot share."""


def is_body(held: Held, bodies: Mapping[int, Held]) -> bool:
    """Return True if an entity takes part in the physics; an attached one does if its body exists."""
    if ec.AttachedTo in held:
        host = bodies.get(held[ec.AttachedTo].body, {})
        return ec.AttachedTo not in host and is_body(host, bodies)
    return any(kind in held for kind in BODY_TYPES)


def body_kind_of(held: Held) -> ec.BodyKind:
    if ec.AttachedTo in held:
        return ec.BodyKind.STATIC
    body = held.get(ec.RigidBody)
    if body is not None:
        kind: ec.BodyKind = body.kind
        return kind
    return ec.BodyKind.DYNAMIC if ec.Velocity in held else ec.BodyKind.STATIC


def refused(
    holders: list[tuple[int, Held]], exact: bool, fresh: Collection[int] = (), former: Collection[int] = ()
) -> set[int]:
    """Return the entities that the next step must refuse.

    `fresh` holds those with joints that the step has not seen as they are, `former` those that had bodies in the last
    step. A joint that has lost a body is not refused, only off. It lost one that it worked with, or a former one.
    """
    count = Counter(id(part) for _, held in holders for kind, part in held.items() if issubclass(kind, COUNTED))
    bodies = dict(holders)
    return {
        entity
        for entity, held in holders
        if (ec.AttachedTo in held and _is_refused_part(held, bodies, exact, former))
        or (ec.AttachedTo not in held and is_body(held, bodies) and _is_refused(held, exact, parts_of(entity, bodies)))
        or any(count[id(part)] > 1 for part in held.values())
        or _has_refused_joint(held, bodies, exact, entity in fresh, former)
        or (ec.IgnoredEntities in held and exact)
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
        and all(is_body(held, bodies) and ec.AttachedTo not in held for held in partners)
        and any(body_kind_of(held) is ec.BodyKind.DYNAMIC for held in partners)
    )


def _has_refused_joint(
    held: Held, bodies: dict[int, Held], exact: bool, is_fresh: bool, former: Collection[int]
) -> bool:
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
    return is_fresh and not _has_lost_a_body(joint, bodies, former)


def _has_lost_a_body(joint: Joint, bodies: dict[int, Held], former: Collection[int]) -> bool:
    """Return True if a joint that cannot work has lost bodies: those that it worked with, or former ones."""
    if joint.a == joint.b:
        return False
    gone = [body for body in (joint.a, joint.b) if body is not None and not is_body(bodies.get(body, {}), bodies)]
    if joint._worked_with is None:
        return gone != [] and all(body in former for body in gone)
    return all(body in former or body in joint._worked_with for body in gone)


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


def _is_refused_part(held: Held, bodies: Mapping[int, Held], exact: bool, former: Collection[int]) -> bool:
    """Return True if an attached entity cannot be one, unless its body is gone."""
    attached = held[ec.AttachedTo]
    host = bodies.get(attached.body, {})
    if not can_be_part(held) or _has_absurd_numbers(held) or ec.AttachedTo in host:
        return True
    if not is_body(host, bodies):
        return bool(attached._worked_with != attached.body) and attached.body not in former
    return exact or (body_kind_of(host) is ec.BodyKind.DYNAMIC and not held[ec.Collider].shape.is_bounded)


def _has_absurd_numbers(held: Held) -> bool:
    parts = [part for kind, part in held.items() if kind in TYPES.values()]
    if not all(abs(number) <= LARGEST for part in parts for number in part._values()):
        return True
    return ec.Transform in held and abs(held[ec.Transform].angle) > LARGEST_ANGLE


def _is_refused(held: Held, exact: bool, attached: list[Held]) -> bool:
    if ec.Transform not in held or _has_absurd_numbers(held):
        return True
    kind, collider = body_kind_of(held), held.get(ec.Collider)
    if exact and collider is not None and collider.one_way is not None:
        return True
    center = held[ec.RigidBody].center_of_mass if ec.RigidBody in held and collider is not None else None
    if exact and kind is not ec.BodyKind.STATIC and center is not None and center != (0.0, 0.0):
        return True
    if kind is ec.BodyKind.DYNAMIC:
        if collider is not None and not collider.shape.is_bounded:
            return True
        if exact and collider is not None and not _is_disk(collider.shape):
            return True
        if attached and all(part[ec.Collider].shape.is_bounded for part in attached):
            return not _weighs(*weigh(held, attached), held.get(ec.RigidBody), 1.0)
        if collider is None:
            return not _weighs(1.0, 1.0, held.get(ec.RigidBody), 1.0)
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
