"""Queries to the physics, and direct commands to it."""

from __future__ import annotations

from random import Random
from typing import Any

import esper

import ecs_collide as ec
from tests.fuzz.attached import host_of, pose_in
from tests.fuzz.expect import is_body, refused
from tests.fuzz.operations.operation import Operation, draw_label, nothing, one_label
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, draw_shape, has_back, made, number, point

ROUNDING = 1e-9
"""Difference of the fractions of two casts that is rounding: a cast ends its search at the nearest hit so far."""
SENSIBLE = 1e5
"""Greatest coordinate at which a ray and a shape are compared; rounding decides farther out."""


def has_body(play: Play, entity: int | None) -> bool:
    """Return True if the physics must know an entity; then queries about it may not fail."""
    physics = play.room.physics
    if physics is None or entity is None or play.room.is_crippled or play.room.is_wild:
        return False
    if physics.pipeline.is_under_way:
        return entity in physics.pipeline.body_sync.members
    if refused(play.room.holders(), physics.settings.response == "exact"):
        return False
    return is_body(esper._entities[entity], esper._entities)


def ask(play: Play, label: int | str, question: Any, *arguments: Any) -> Any:
    """Call a method of the physics; a PhysicsError is right if the entity has no body.

    A ValueError is right if its Transform holds absurd numbers.
    """
    entity = play.entity(label)
    if entity is None or play.room.physics is None:
        return None
    may_fail = not has_body(play, entity)
    try:
        return question(play.room.physics, entity, *arguments)
    except ec.PhysicsError:
        if not may_fail:
            raise
    except ValueError:
        if not play.room.is_wild:
            raise
    return None


def is_part(entity: int) -> bool:
    """Return True if an entity is attached; calls for bodies refuse it."""
    return ec.AttachedTo in esper._entities.get(entity, {})


def draw_push(rng: Random, play: Play) -> Data | None:
    label, unit = draw_label(rng, play), play.conditions.unit
    place = point(rng, 3.0, unit) if rng.random() < 0.5 else None
    return None if label is None else (label, point(rng, 3.0, unit), place)


def impulse(play: Play, label: int | str, push: Any, place: Any) -> None:
    ask(play, label, ec.PhysicsWorld.apply_impulse, push, place)


def force(play: Play, label: int | str, push: Any, place: Any) -> None:
    ask(play, label, ec.PhysicsWorld.apply_force, push, place)


def look(play: Play, label: int | str) -> None:
    """Read all values of an entity that the physics offers."""
    entity = play.entity(label)
    row = ask(play, label, ec.PhysicsWorld.row_of)
    if row is None or play.room.physics is None or entity is None:
        return
    physics = play.room.physics
    if physics.entities[row] != entity:
        play.fault("row_of", f"row {row} of entity {entity} is {physics.entities[row]}'s")
    held = esper._entities[entity]
    if not physics.pipeline.is_under_way and ec.Transform in held:
        pose = (*physics.positions[row].tolist(), float(physics.angles[row]))
        if pose != held[ec.Transform].pose:
            play.fault("views", f"entity {entity} is at {pose} in the views, at {held[ec.Transform]}")
    if not physics.mass_of(entity) > 0.0:
        play.fault("mass", f"entity {entity} weighs {physics.mass_of(entity)}")
    physics.is_awake(entity)
    for contact in physics.contacts_of(entity):
        contact.other(entity)


def wake(play: Play, label: int | str) -> None:
    ask(play, label, ec.PhysicsWorld.wake)


def sleep(play: Play, label: int | str) -> None:
    """Put a body to sleep, if it is one that can."""
    entity, physics = play.entity(label), play.room.physics
    if entity is None or physics is None or not (physics.sleeping and physics.pipeline.response.sleeps):
        return
    row = ask(play, label, ec.PhysicsWorld.row_of)
    if row is not None and physics.pipeline.bodies.arrays.kind[row] == ec.BodyKind.DYNAMIC:
        physics.sleep(entity)
        if physics.is_awake(entity):
            play.fault("sleep", f"entity {entity} is awake")


def draw_pair(rng: Random, play: Play) -> Data | None:
    label, other = draw_label(rng, play), draw_label(rng, play)
    return None if label is None else (label, other)


def draw_ignored(rng: Random, play: Play) -> Data | None:
    pair = draw_pair(rng, play)
    return None if pair is None else (*pair, rng.random() < 0.6)


def ignore(play: Play, label: int | str, other: int | str, ignored: bool) -> None:
    """Let two bodies or attached colliders pass through each other, or collide again."""
    a, b, physics = play.entity(label), play.entity(other), play.room.physics
    if a is None or b is None or a == b or physics is None or physics.settings.response == "exact":
        return
    if has_body(play, a) and has_body(play, b):
        physics.ignore(a, b, ignored)


def draw_blast(rng: Random, play: Play) -> Data:
    unit = play.conditions.unit
    return point(rng, 3.0, unit), number(rng, 0.0, 3.0, unit), number(rng, -5.0, 5.0), number(rng, 0.0, 2.0, unit)


def explode(play: Play, center: tuple[float, float], radius: float, impulse: float, falloff: float) -> None:
    """Push bodies away from a point; only dynamic ones may be among them."""
    room, physics = play.room, play.room.physics
    if physics is None or room.is_crippled or room.is_wild:
        return
    may_fail = bool(refused(room.holders(), physics.settings.response == "exact"))
    try:
        pushed = physics.explode(center, radius, impulse, falloff)
    except ec.PhysicsError:
        if not may_fail:
            raise
        return
    members = physics.pipeline.body_sync.members
    kinds = physics.pipeline.bodies.arrays.kind[[members[entity].host.row for entity in pushed]]
    if (kinds != ec.BodyKind.DYNAMIC).any():
        play.fault("explode", f"{pushed} are pushed, of kinds {kinds}")


def switch_sleep(play: Play) -> None:
    """Switch sleep off, or on again."""
    if play.room.physics is not None:
        play.room.physics.sleeping = not play.room.physics.sleeping


def query_touching(play: Play, label: int | str, other: int | str) -> None:
    a, b, physics = play.entity(label), play.entity(other), play.room.physics
    if a is None or b is None or physics is None:
        return
    if physics.touching(a, b) != physics.touching(b, a):
        play.fault("touching", f"touching({a}, {b}) depends on the order")


def state_hash(play: Play) -> None:
    physics = play.room.physics
    if physics is not None and physics.state_hash() != physics.state_hash():
        play.fault("state_hash", "asking changes it")


def draw_gravity(rng: Random, play: Play) -> Data:
    return (rng.choice(((0.0, 0.0), (0.0, -10.0 * play.conditions.unit), (number(rng, -5.0, 5.0), 3.0))),)


def gravity(play: Play, value: tuple[float, float]) -> None:
    if play.room.physics is not None:
        play.room.physics.gravity = value


def queries(play: Play) -> None:
    """Check that esper's own queries agree with each other."""
    for kind in (ec.Transform, ec.Velocity):
        listed = {entity for entity, _ in esper.get_component(kind)}
        held = {entity for entity, parts in esper._entities.items() if kind in parts}
        if listed != held:
            play.fault("queries", f"get_component({kind.__name__}) gives {listed}, held by {held}")


def draw_ray(rng: Random, play: Play) -> Data:
    unit = play.conditions.unit
    return point(rng, 6.0, unit), point(rng, 6.0, unit)


def cast(play: Play, origin: tuple[float, float], end: tuple[float, float]) -> None:
    """Check that a ray through the world hits what rays against each single entity hit."""
    room, physics = play.room, play.room.physics
    if physics is None or room.is_crippled or room.is_wild:
        return
    may_fail = bool(refused(room.holders(), physics.settings.response == "exact"))
    try:
        hits = physics.ray_cast_all(origin, end, sensors=True)
        first, near = physics.ray_cast(origin, end, sensors=True), physics.nearest(origin, 3, sensors=True)
    except ec.PhysicsError:
        if not may_fail:
            raise
        return
    if first != (hits[0] if hits else None):
        play.fault("ray_cast", f"{first} is not the first of {hits}")
    if [place.distance for place in near] != sorted(place.distance for place in near):
        play.fault("nearest", f"{near} are not in order")
    if physics.pipeline.is_under_way or may_fail:
        return
    expected, holders = set(), dict(room.holders())
    for entity, held in holders.items():
        shape, pose = held.get(ec.Collider), pose_in(held, holders)
        if shape is None or pose is None or shape.layer == 0 or not shape.enabled or not esper.entity_exists(entity):
            continue
        if not (is_body(held, holders) and esper.entity_exists(host_of(entity, holders))):
            continue
        if max(map(abs, pose)) > SENSIBLE:
            return
        if ec.ray_cast(shape.shape, pose, origin, end) is not None:
            expected.add(entity)
    if {hit.entity for hit in hits} != expected:
        play.fault("ray_cast_all", f"from {origin} to {end}: {hits}, but each alone says {expected}")


def draw_motion(rng: Random, play: Play) -> Data:
    unit, turns = play.conditions.unit, [number(rng, -3.0, 3.0) for _ in range(2)]
    shape = draw_shape(rng, unit)
    return shape, (*point(rng, 6.0, unit), turns[0]), (*point(rng, 6.0, unit), turns[1])


def cast_shape(play: Play, shape: Data, start: tuple[float, ...], end: tuple[float, ...]) -> None:
    """Check that the first of all touches of a moving shape is that of a shape cast, and that all are in order."""
    room, physics, cast = play.room, play.room.physics, made(shape)
    if physics is None or room.is_crippled or room.is_wild or shape[0] in ("HalfPlane", "Ring"):
        return
    path: Any = (cast, start, end)
    try:
        hits, first = physics.shape_cast_all(*path, sensors=True), physics.shape_cast(*path, sensors=True)
    except ec.PhysicsError:
        if not refused(room.holders(), physics.settings.response == "exact"):
            raise
        return
    if (first is None) != (not hits) or (first and abs(first.fraction - hits[0].fraction) > ROUNDING):
        play.fault("shape_cast", f"{first} is not the first of {hits}")
    order = [(hit.fraction, hit.entity) for hit in hits]
    if order != sorted(order) or len({entity for _, entity in order}) < len(order):
        play.fault("shape_cast_all", f"{hits} are not in order, or not each once")
    at_start = set(physics.shape_query(cast, path[1], sensors=True))
    hit_at_start = {hit.entity for hit in hits if hit.fraction == 0.0}
    missed = at_start - hit_at_start
    solid = {entity for entity in missed if not has_back(esper.component_for_entity(entity, ec.Collider).shape)}
    if solid or not hit_at_start <= at_start:
        play.fault("shape_cast_all", f"{hits} at the start, but {at_start} overlap the shape there")


def draw_layers(rng: Random, play: Play) -> Data:
    size = 6.0 * play.conditions.unit
    return (-size, -size, size, size), rng.choice((1, 2, 3, 4, 1 << 62)), rng.choice((1, 2, 6, ec.ALL_LAYERS))


def query_with_layer(play: Play, box: tuple[float, float, float, float], layer: int, mask: int) -> None:
    """Check that a query with a layer leaves out those that a query without one finds and that do not meet it."""
    room, physics = play.room, play.room.physics
    if physics is None or room.is_crippled or room.is_wild:
        return
    try:
        found, of_all = physics.aabb_query(box, layer=layer, mask=mask), physics.aabb_query(box, sensors=True)
    except ec.PhysicsError:
        if not refused(room.holders(), physics.settings.response == "exact"):
            raise
        return
    filters, members = physics.pipeline.bodies.arrays.filter, physics.pipeline.body_sync.members
    expected = []
    for entity in of_all:
        own_layer, own_mask, _, sensor, _, sensor_mask = filters[members[entity].row].tolist()
        if own_layer & mask and own_mask & layer and not sensor and not sensor_mask & layer:
            expected.append(entity)
    if found != expected:
        play.fault("layer", f"layer {layer} and mask {mask} find {found}, not {expected}")


ROWS = (
    Operation("cast", 3, draw_ray, cast),
    Operation("cast a shape", 2, draw_motion, cast_shape),
    Operation("query with a layer", 1, draw_layers, query_with_layer),
    Operation("impulse", 4, draw_push, impulse),
    Operation("force", 2, draw_push, force),
    Operation("look", 4, one_label, look),
    Operation("wake", 1, one_label, wake),
    Operation("sleep", 1, one_label, sleep),
    Operation("ignore", 1, draw_ignored, ignore),
    Operation("explode", 1, draw_blast, explode),
    Operation("switch sleep", 1, nothing, switch_sleep),
    Operation("touching", 2, draw_pair, query_touching),
    Operation("state hash", 1, nothing, state_hash),
    Operation("gravity", 1, draw_gravity, gravity),
    Operation("queries", 1, nothing, queries),
)
