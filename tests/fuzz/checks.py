"""Conditions that hold after Synchronise and after a step, whatever a game does.

Each check yields its faults, each as a short name and a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.components import BodyKind
from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.joints import WORLD
from ecs_collide.data.pairs import FREE, PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.shapes.piece import UNBOUNDED
from tests.fuzz.attached import host_of
from tests.fuzz.components import FIELDS, Spot, pose_of
from tests.fuzz.expect import BODY_TYPES, body_kind_of, can_work, is_body, joints_of
from tests.fuzz.room import Room

Wrong = Iterator[tuple[str, str]]

MOST_ASKED = 200
"""Greatest number of pairs of entities that are checked with `touching` after a step."""

Said = dict[int, tuple[Any, dict[str, Any]]]
"""The component and its fields as last written, by the id of the component."""

REMEMBERED = {kind for kind in BODY_TYPES if kind is not ec.Velocity}
"""Components that only a game changes."""


def digest(physics: ec.PhysicsWorld) -> bytes:
    """Return the bits of all state that a refused step must leave unchanged."""
    high, bodies = physics.pipeline.bodies.rows.high, physics.pipeline.bodies.arrays
    columns = (bodies.entity, bodies.pose, bodies.velocity, bodies.force, bodies.push, bodies.mass, bodies.kind)
    more = (bodies.material, bodies.motion, bodies.filter)
    joints = physics.pipeline.world_joints.joints.columns
    return b"".join(column[:high].tobytes() for column in columns + more) + b"".join(
        column[: joints.rows.high].tobytes() for column in joints.arrays
    )


def motion(physics: ec.PhysicsWorld) -> int:
    """Return a digest of all poses and velocities."""
    high, bodies = physics.pipeline.bodies.rows.high, physics.pipeline.bodies.arrays
    return hash((bodies.pose[:high].tobytes(), bodies.velocity[:high].tobytes(), bodies.entity[:high].tobytes()))


def check_bodies(room: Room, physics: ec.PhysicsWorld, said: Said) -> Wrong:
    """Check after Synchronise that the right entities have bodies, and that their rows are right."""
    bodies, members = physics.pipeline.bodies.arrays, physics.pipeline.body_sync.members
    everyone = dict(room.holders())
    holders = {entity: held for entity, held in everyone.items() if is_body(held, everyone)}
    if members.keys() != holders.keys():
        yield "members", f"the world has {sorted(members)}, esper {sorted(holders)}"
        return
    for entity, held in holders.items():
        row = members[entity].row
        if bodies.entity[row] != entity or bodies.kind[row] != body_kind_of(held):
            yield "row", f"row {row} of entity {entity} is {bodies.entity[row]}'s, of kind {bodies.kind[row]}"
        if members[entity].host.entity != host_of(entity, holders):
            yield "host", f"entity {entity} belongs to the body of {members[entity].host.entity}"
        collider = held.get(ec.Collider)
        meets = (0,) * 6 if collider is None or not collider.enabled else collider._filter
        if bodies.filter[row].tolist() != list(meets):
            yield "filter", f"entity {entity} has the filter {bodies.filter[row]}"
        for kind, column in COLUMNS:
            part = held.get(kind)
            if part is not None and not np.array_equal(getattr(bodies, column)[row], part._values(), equal_nan=True):
                yield "columns", f"entity {entity}: {column} is {getattr(bodies, column)[row]}, not {part}"
            if part is not None and kind in REMEMBERED:
                yield from _as_said(entity, part, said)


def fresh_joints(room: Room, physics: ec.PhysicsWorld) -> dict[int, bool]:
    """Return the entities with joints that the world has not taken in as they are; True for those that never worked."""
    registry = physics.pipeline.world_joints.joints.registry
    return {
        entity: joints[0]._worked_with is None
        for entity, held in room.holders()
        if (joints := joints_of(held))
        and (joints[0] is not registry.known.get(entity) or entity in registry.restructured)
    }


def working_joints(physics: ec.PhysicsWorld) -> dict[int, Joint]:
    """Return the joints that have rows."""
    joints = physics.pipeline.world_joints.joints
    return {entity: joints.registry.known[entity] for entity, _ in joints.rows}


def check_joints(room: Room, physics: ec.PhysicsWorld) -> Wrong:
    """Check after Synchronise that the right joints work, between the right rows."""
    holders, members = dict(room.holders()), physics.pipeline.body_sync.members
    due = {
        entity: joint
        for entity, held in holders.items()
        for joint in joints_of(held)
        if not joint.broken and can_work(joint, holders)
    }
    if due != working_joints(physics):
        yield "joints", f"{sorted(working_joints(physics))} work, not {sorted(due)}"
        return
    index = physics.pipeline.world_joints.joints.columns.arrays.index
    for entity, row in physics.pipeline.world_joints.joints.rows:
        joint = due[entity]
        a = members[joint.a].row
        rows = [WORLD, a] if joint.b is None else [a, members[joint.b].row]
        if index[row].tolist() != [joint.kind, *rows, entity]:
            yield "joint row", f"{index[row]} of entity {entity}, between rows {rows}"


COLUMNS = (
    (ec.Transform, "pose"),
    (ec.Velocity, "velocity"),
    (ec.Collider, "material"),
    (ec.RigidBody, "motion"),
    (ec.Force, "force"),
)


def _as_said(entity: int, part: Any, said: Said) -> Wrong:
    fields = said[id(part)][1] if id(part) in said else said.setdefault(id(part), (part, fields_of(part)))[1]
    for field, value in fields.items():
        if getattr(part, field) != value:
            yield "said", f"entity {entity}: {field} is {getattr(part, field)!r}, {value!r} was written"


def fields_of(part: Any) -> dict[str, Any]:
    """Return the present values of a component's fields."""
    return {field: getattr(part, field) for field in FIELDS[type(part).__name__]}


def check_statics(physics: ec.PhysicsWorld, before: dict[int, tuple[int, list[float]]]) -> Wrong:
    """Check after a complete step without actions that statics are where `before` has them."""
    pose, members = physics.pipeline.bodies.arrays.pose, physics.pipeline.body_sync.members
    for entity, (kind, place) in before.items():
        if kind == BodyKind.STATIC and pose[members[entity].row].tolist() != place:
            yield "static", f"entity {entity} is static and has moved to {pose[members[entity].row]}"


def check_step(physics: ec.PhysicsWorld) -> Wrong:
    """Check numbers, contacts and statistics after a complete step without actions."""
    bodies, high = physics.pipeline.bodies.arrays, physics.pipeline.bodies.rows.high
    if not np.isfinite(bodies.velocity[:high]).all():
        yield "finite", f"velocities of {bodies.entity[:high]} are {bodies.velocity[:high]}"
        return
    for entity, joint in working_joints(physics).items():
        if not np.isfinite(joint._values()).all():
            yield "joint numbers", f"entity {entity} has {joint!r}, {joint._values()}"
            return
    yield from _check_contacts(physics)
    yield from _check_statistics(physics)


def _check_contacts(physics: ec.PhysicsWorld) -> Wrong:
    contacts, bodies, members = physics.contacts, physics.pipeline.bodies.arrays, physics.pipeline.body_sync.members
    for name in ("normal", "point", "separation", "normal_impulse", "tangent_impulse", "approach_speed"):
        values = getattr(contacts, name)
        two = contacts.point_count == 2
        values = values if name == "normal" else np.concatenate((values[:, 0], values[two, 1]))
        if not np.isfinite(values).all():
            yield "contact numbers", f"{name} of {contacts.entity_a}, {contacts.entity_b}: {values}"
            return
    lengths = (contacts.normal**2).sum(axis=1)
    if (abs(lengths - 1.0) > 1e-9).any():
        yield "normals", f"contacts of {contacts.entity_a}, {contacts.entity_b} have normals {contacts.normal}"
    if contacts.normal_impulse.min(initial=0.0) < 0.0:
        yield "impulses", f"contacts pull: {contacts.normal_impulse}"
    rows = contacts.body
    entities = np.stack((contacts.entity_a, contacts.entity_b), axis=1)
    hosts = np.array([members[entity].host.entity for entity in entities.ravel().tolist() if entity in members])
    if not members.keys() >= set(entities.ravel().tolist()) or (bodies.entity[rows].ravel() != hosts).any():
        yield "contacts", f"contacts of {entities.tolist()} in rows {rows.tolist()}, members {sorted(members)}"


def _check_statistics(physics: ec.PhysicsWorld) -> Wrong:
    statistics, members = physics.statistics, physics.pipeline.body_sync.members
    bodies = physics.pipeline.bodies.arrays
    rows = np.array([member.row for member in members.values()], np.int64)
    moving, asleep = int((bodies.kind[rows] != BodyKind.STATIC).sum()), bodies.island[rows] != 0
    numbers = (statistics.bodies, statistics.moving_bodies, statistics.sleeping_bodies)
    if numbers != (len(members), moving, int(asleep.sum())):
        yield "statistics", f"{statistics} with {len(members)} bodies, {moving} moving, {asleep.sum()} asleep"
    if bodies.velocity[rows[asleep]].any():
        yield "asleep", "what sleeps has a velocity"
    stands = (bodies.kind[rows] == BodyKind.STATIC) | (asleep & (bodies.kind[rows] == BodyKind.DYNAMIC))
    if bodies.solver_row[rows[stands]].any():
        yield "solver rows", f"what stands has rows {bodies.solver_row[rows]}, bodies {bodies.entity[rows]}"


def check_touching(room: Room, physics: ec.PhysicsWorld) -> Wrong:
    """Check `touching` against the events: all pairs that touch, and some that do not."""
    entities, holders = sorted(physics.pipeline.body_sync.members), dict(room.holders())
    received = {(min(touch[1:]), max(touch[1:])) for touch in room.open}
    others = list(combinations(entities, 2))[physics.statistics.steps % 7 :: 7]
    pairs = sorted(received.union(others))
    spread = 1 + len(pairs) // MOST_ASKED
    for a, b in pairs[physics.statistics.steps % spread :: spread]:
        # The end of a deleted entity's touch comes in the next step.
        are_there = esper._dead_entities.isdisjoint((a, b, host_of(a, holders), host_of(b, holders)))
        if physics.touching(a, b) != ((a, b) in received and are_there):
            yield "touching", f"touching({a}, {b}) is {physics.touching(a, b)}, events say {sorted(room.open)}"
    for entity, held in room.holders():
        part = held.get(ec.CollidingEntities)
        partners = tuple(sorted(sum(pair) - entity for pair in received if entity in pair))
        if part is not None and part.entities != partners:
            yield "colliding", f"entity {entity}: {part} where {partners} touch it"
    lost = [touch for touch in room.open if not set(touch[1:]) <= set(entities)]
    if lost:
        yield "lost ends", f"{lost} have started, and there are only {entities}"


def check_spots(room: Room, physics: ec.PhysicsWorld) -> Wrong:
    """Check that the game's own components hold the poses of their bodies."""
    for bound in physics.pipeline.bound_components:
        for entity in bound._ours:
            spot, transform = esper.component_for_entity(entity, Spot), esper.component_for_entity(entity, ec.Transform)
            if not np.allclose(pose_of(spot), transform.pose, 1e-14, 0.0):
                yield "spot", f"entity {entity} is at {transform}, its Spot says {pose_of(spot)}"


def check_pair_boxes(room: Room, physics: ec.PhysicsWorld) -> Wrong:
    """Check that there is a pair exactly where the boxes of two pieces overlap that may collide."""
    index, pieces = physics.pipeline.pairs.arrays.index, physics.pipeline.pieces.arrays
    used = index[index[:, PAIR.ROW] != FREE]
    found = np.sort(used[:, [PAIR.PIECE_A, PAIR.PIECE_B]], axis=1)
    high = physics.pipeline.pieces.rows.high
    rows = np.flatnonzero(pieces.index[:high, PIECE.BODY] >= 0)
    box, owner, collider = pieces.box[rows], pieces.index[rows, PIECE.BODY], pieces.index[rows, PIECE.COLLIDER]
    overlap = (box[:, None, :2] <= box[None, :, 2:]).all(2)
    unbounded = np.isin(pieces.index[rows, PIECE.KIND], UNBOUNDED)
    overlap &= ~(unbounded[:, None] & unbounded)
    a, b = np.nonzero(
        np.triu(overlap & overlap.T, 1)
        & _may_meet(physics, owner, collider)
        & ~_are_connected(room, physics, owner, collider)
    )
    due = np.stack((rows[a], rows[b]), axis=1)
    found = found[np.lexsort((found[:, 1], found[:, 0]))]
    if found.shape != due.shape or (found != due).any():
        yield "pairs", f"{found.tolist()} where boxes of {due.tolist()} overlap"


def _are_connected(room: Room, physics: ec.PhysicsWorld, owner: np.ndarray, collider: np.ndarray) -> np.ndarray:
    """Return True where joints or the game keep two pieces from colliding (p, p).

    `owner` are the rows of their bodies and `collider` those of their colliders (p,).
    """
    names, result = physics.pipeline.bodies.arrays.entity, np.zeros((len(owner), len(owner)), np.bool_)
    apart = list(room.joints.connected)
    apart += [(names[a], names[b]) for a, b in physics.pipeline.ignored_pairs._pairs]
    for entity, held in room.holders():
        if ec.IgnoredEntities in held:
            apart += [(entity, other) for other in held[ec.IgnoredEntities].entities]
    for a, b in apart:
        of_a, of_b = ((names[owner] == each) | (names[collider] == each) for each in (a, b))
        result |= of_a[:, None] & of_b
    both: np.ndarray = result | result.T
    return both


def _may_meet(physics: ec.PhysicsWorld, owner: np.ndarray, collider: np.ndarray) -> np.ndarray:
    """Return True where filters, kinds and sensors let two pieces collide (p, p).

    `owner` are the rows of their bodies and `collider` those of their colliders (p,).
    """
    bodies = physics.pipeline.bodies.arrays
    layer, mask, group, sensor, detect, sensor_mask = bodies.filter[collider].T
    most = np.maximum(bodies.kind[owner][:, None], bodies.kind[owner])
    picked = (sensor_mask[:, None] & layer) != 0
    sensed = picked | ((sensor[:, None] & ~sensor) != 0)
    are_sensors = picked | picked.T | (sensor[:, None] | sensor != 0)
    received = (detect[:, None] | detect != 0) | ((sensed | sensed.T) & (most != BodyKind.STATIC))
    solid = ~are_sensors & (most == BodyKind.DYNAMIC)
    masks = ((layer[:, None] & mask) != 0) & ((layer & mask[:, None]) != 0)
    grouped = (group[:, None] == group) & (group != 0)
    meets = np.where(grouped, np.broadcast_to(group > 0, masks.shape), masks)
    result: np.ndarray = meets & (received | solid) & (owner[:, None] != owner)
    return result
