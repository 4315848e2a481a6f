"""Definitions of joints, checked before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import isfinite
from typing import NamedTuple

from ecs_collide.components import BodyKind
from ecs_collide.components.described import shorten_repr
from ecs_collide.components.joints.joint import Joint, Point
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.validate import LARGEST

Pose = tuple[float, float, float]
WORLD_POSE = (0.0, 0.0, 0.0)


class JointDefinition(NamedTuple):
    """A joint that can work, with its anchors."""

    entity: int
    joint: Joint
    anchor_a: Point
    anchor_b: Point
    anchor_row: tuple[float, ...]
    """Its row of `joint_anchors`, in which the world is A if there is no `b`."""
    rest: float
    """Its rest length [m] or reference angle [rad]."""


def find_fault(joint: Joint, body_of: Callable[[int], Body | None]) -> str | None:
    """Return the reason for which a joint cannot work between its future bodies; None if it can."""
    if joint.a == joint.b:
        return f"{type(joint).__name__}.a and b are both entity {joint.a}: a joint needs two bodies"
    bodies = {name: body_of(getattr(joint, name)) for name in ("a", "b") if getattr(joint, name) is not None}
    for name, body in bodies.items():
        if body is None:
            return (
                f"{type(joint).__name__}.{name} is entity {getattr(joint, name)}, which has no body: "
                "it needs a Transform and a Collider, Velocity, RigidBody or Force"
            )
        if body.host is not body:
            return (
                f"{type(joint).__name__}.{name} is entity {body.entity}, which is attached to entity "
                f"{body.host.entity}: join that body"
            )
    if not any(body is not None and body.kind is BodyKind.DYNAMIC for body in bodies.values()):
        kinds = " and ".join(
            f"{name}, entity {getattr(joint, name)}, is {body.kind.name.lower()}"
            for name, body in bodies.items()
            if body is not None
        )
        return f"{type(joint).__name__}: {kinds}: one of its bodies must be dynamic"
    return None


def has_lost_body(joint: Joint, body_of: Callable[[int], Body | None], members: Collection[int]) -> bool:
    """Return True if a joint cannot work because it lost a body: one was removed, or none is dynamic any more.

    This is no error, even if the joint is loaded in such a state. Other bodies must exist: those that it never worked
    with, and that are not among `members` either, the bodies before the change that may remove them.
    """
    if joint.a == joint.b or find_fault(joint, body_of) is None:
        return False
    missing = [body for body in (joint.a, joint.b) if body is not None and body_of(body) is None]
    worked_with = joint._worked_with
    if worked_with is None:
        return len(missing) > 0 and all(body in members for body in missing)
    return all(body in worked_with or body in members for body in missing)


def checked_definition(entity: int, joint: Joint, body_of: Callable[[int], Body | None]) -> JointDefinition:
    """Return the definition of a joint between future bodies. Raises PhysicsError if it cannot work."""
    fault = find_fault(joint, body_of) or joint._order_error() or _find_bad_pose(joint, body_of)
    if fault is None and not joint._is_sound():
        fault = (
            f"its {type(joint).__name__} has a number that is not finite or beyond {LARGEST:g}: {shorten_repr(joint)}"
        )
    if fault is not None:
        raise PhysicsError(f"entity {entity}: {fault}")
    return definition_for(entity, joint, body_of)


def _find_bad_pose(joint: Joint, body_of: Callable[[int], Body | None]) -> str | None:
    """Return a message if the pose of a body is not finite, else None: arrays take any number until a step begins."""
    for name in ("a", "b"):
        pose = _pose(getattr(joint, name), body_of)
        if not all(map(isfinite, pose)):
            return f"{type(joint).__name__}.{name} is entity {getattr(joint, name)}, whose pose is not finite: {pose}"
    return None


def definition_for(entity: int, joint: Joint, body_of: Callable[[int], Body | None]) -> JointDefinition:
    """Return the definition of a joint that can work."""
    pose_a, pose_b = _pose(joint.a, body_of), _pose(joint.b, body_of)
    anchor_a, anchor_b = _anchors(joint, pose_a, pose_b)
    axis = joint._axis()
    first, second = (anchor_b, anchor_a) if joint.b is None else (anchor_a, anchor_b)
    rest = joint._rest()
    if rest is None:
        rest = joint._present_rest(pose_a[2], pose_b[2], _outward(pose_a, anchor_a), _outward(pose_b, anchor_b))
    return JointDefinition(
        entity=entity,
        joint=joint,
        anchor_a=anchor_a,
        anchor_b=anchor_b,
        anchor_row=(*first, *second, *axis),
        rest=rest,
    )


def _pose(entity: int | None, body_of: Callable[[int], Body | None]) -> Pose:
    if entity is None:
        return WORLD_POSE
    body = body_of(entity)
    assert body is not None and body.components.transform is not None
    return body.components.transform.pose


def _anchors(joint: Joint, pose_a: Pose, pose_b: Pose) -> tuple[Point, Point]:
    """Return the local anchors: as given, or where the world point or the other anchor is."""
    a, b = joint.anchor_a, joint.anchor_b
    if a is None and b is None:
        point = joint.point if joint.point is not None else joint._default_point(pose_a, pose_b)
        if point is None:
            return (0.0, 0.0), (0.0, 0.0)
        return _inward(pose_a, point), _inward(pose_b, point)
    if a is None and b is not None:
        a = _inward(pose_a, _outward(pose_b, b)) if joint._anchors_meet else (0.0, 0.0)
    if b is None and a is not None:
        b = _inward(pose_b, _outward(pose_a, a)) if joint._anchors_meet else (0.0, 0.0)
    assert a is not None and b is not None
    return a, b


def _outward(pose: Pose, point: Point) -> Point:
    """Return a local point in world axes."""
    x, y, angle = pose
    c, s = cosine_and_sine(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def _inward(pose: Pose, point: Point) -> Point:
    """Return a world point in local axes."""
    x, y, angle = pose
    c, s = cosine_and_sine(angle)
    dx, dy = point[0] - x, point[1] - y
    return c * dx + s * dy, c * dy - s * dx
