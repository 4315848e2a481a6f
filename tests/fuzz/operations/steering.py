"""Operations of a game that moves characters, has a position component of its own, and reads touching entities."""

from __future__ import annotations

from math import inf, nan
from random import Random

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide import algorithms
from tests.fuzz.attached import Held, host_of, pose_in
from tests.fuzz.components import Spot, component, draw_component, draw_value
from tests.fuzz.expect import is_body
from tests.fuzz.operations.entities import MOST
from tests.fuzz.operations.operation import Operation, draw_label, one_label
from tests.fuzz.operations.queries import ask, has_body, is_part
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, has_back, number, point

REACH = 1e3
"""Greatest coordinate of a walk that is checked; rounding decides farther out [length units in a metre]."""
DEEP = 1e-6
"""Allowed growth of a character's penetration in a walk [length units in a metre]."""


def draw_place(rng: Random, play: Play) -> Data | None:
    if len(esper._entities) >= MOST:
        return None
    spot = (*point(rng, 3.0, play.conditions.unit), number(rng, -180.0, 180.0))
    velocity = rng.random() < 0.6
    return rng.randrange(1_000_000), spot, draw_component(rng, "Collider", play.conditions), velocity


def create_bound_entity(play: Play, new: int, spot: tuple[float, float, float], collider: Data, moves: bool) -> None:
    """Create an entity with a position component of the game's own."""
    made = component(collider)
    parts = [Spot(*spot), made, *([ec.Velocity()] if moves and made.shape.is_bounded else [])]
    play.room.entities[new] = esper.create_entity(*parts)


def draw_spot(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    field = rng.choice(("x", "y", "turn"))
    value = number(rng, -180.0, 180.0) if field == "turn" else draw_value(rng, "Transform", "x", play.conditions)
    return None if label is None else (label, field, value)


def write_spot(play: Play, label: int | str, field: str, value: float) -> None:
    entity = play.entity(label)
    spot = None if entity is None else esper.try_component(entity, Spot)
    if spot is not None:
        setattr(spot, field, value)


def watch(play: Play, label: int | str) -> None:
    """Add or remove a CollidingEntities component."""
    entity = play.entity(label)
    if entity is None:
        return
    if esper.has_component(entity, ec.CollidingEntities):
        esper.remove_component(entity, ec.CollidingEntities)
    else:
        esper.add_component(entity, ec.CollidingEntities())


def draw_friends(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    if label is None or (play.conditions.exact and rng.random() < 0.95):
        return None
    return label, tuple(draw_label(rng, play) for _ in range(rng.randrange(4))), rng.random() < 0.5


def befriend(play: Play, label: int | str, others: tuple[int | str, ...], is_new: bool) -> None:
    """Let an entity ignore some others, by a new component or a write to the present one; without others remove it."""
    entity, named = play.entity(label), [one for other in others if (one := play.entity(other)) is not None]
    if entity is None:
        return
    present = esper.try_component(entity, ec.IgnoredEntities)
    if present is not None and not named and is_new:
        esper.remove_component(entity, ec.IgnoredEntities)
    elif present is None or is_new:
        esper.add_component(entity, ec.IgnoredEntities(named))
    else:
        present.entities = named


def draw_walk(rng: Random, play: Play) -> Data | None:
    label, unit = draw_label(rng, play), play.conditions.unit
    velocity = rng.choice((point(rng, 3.0, unit), point(rng, 3.0, unit), (0.0, 0.0), (300.0 * unit, 2.0 * unit)))
    rules = {
        "up": rng.choice(((0.0, 1.0), None, (0.6, 0.8))),
        "step_height": rng.choice((0.0, 0.3 * unit)),
        "snap": rng.choice((None, 0.0)),
        "mass": rng.choice((None, 0.0, 70.0)),
        "push_force": rng.choice((None, 0.0, 500.0)),
        "brace_force": rng.choice((None, 0.0, inf)),
    }
    return None if label is None else (label, velocity, rng.choice((1 / 60, 0.0, 0.5)), tuple(rules.items()))


def walk(play: Play, label: int | str, velocity: tuple[float, float], dt: float, rules: Data) -> None:
    """Move an entity with `move_and_slide`; it must not enter anything that it was not in before."""
    entity, physics, room = play.entity(label), play.room.physics, play.room
    if entity is None or physics is None:
        return
    may_fail = not has_body(play, entity) or bool(play.refused()) or physics.pipeline.is_under_way or is_part(entity)
    collider = esper.try_component(entity, ec.Collider)
    may_fail |= collider is None or not collider.shape.is_bounded
    before = {} if may_fail else _gaps(play, entity)
    try:
        slide = physics.move_and_slide(entity, velocity, dt, **dict(rules))
    except ec.PhysicsError:
        if not may_fail:
            raise
        return
    if may_fail:
        return
    transform = esper.component_for_entity(entity, ec.Transform)
    numbers = np.array((*slide.position, *slide.velocity, *slide.floor_velocity))
    if not np.isfinite(numbers).all() or slide.position != transform.position:
        play.fault("walk", f"entity {entity} at {transform} has {slide}")
    known = {host_of(other, dict(room.holders())) for other in before}
    strangers = {hit.entity for hit in slide.hits}.union([slide.floor] if slide.floor else []) - known
    if strangers or entity in before:
        play.fault("walk", f"entity {entity} met {sorted(strangers)}, which are not in its way")
    unit = room.physics.settings.length_unit if room.physics is not None else 1.0
    if max(map(abs, transform.position)) > REACH * unit or any(gap < -DEEP * unit for gap in before.values()):
        return
    deep = {
        other: gap
        for other, gap in _gaps(play, entity).items()
        if gap < -2.0 * DEEP * unit and not _moves(physics, other)
    }
    if deep:
        play.fault("walk", f"entity {entity} is in {deep} after {slide}")


def draw_crowd_walk(rng: Random, play: Play) -> Data | None:
    labels = list(play.room.entities)
    if not labels:
        return None
    chosen = tuple(rng.choice(labels) for _ in range(rng.randrange(1, 6)))
    velocities = tuple(point(rng, 3.0, play.conditions.unit) for _ in chosen)
    return chosen, velocities, rng.choice((1 / 60, 0.5)), rng.choice((None, 0.0, 70.0))


def walk_together(
    play: Play,
    labels: tuple[int | str, ...],
    velocities: tuple[tuple[float, float], ...],
    dt: float,
    mass: float | None,
) -> None:
    """Move several entities, some of them repeatedly, with `move_and_slide_all`; many stand on each other."""
    physics, found = play.room.physics, [play.entity(label) for label in labels]
    entities = [entity for entity in found if entity is not None]
    if physics is None or len(entities) < len(labels):
        return
    colliders = [esper.try_component(entity, ec.Collider) for entity in entities]
    may_fail = bool(play.refused()) or physics.pipeline.is_under_way
    may_fail |= any(collider is None or not collider.shape.is_bounded for collider in colliders)
    may_fail |= not all(has_body(play, entity) and not is_part(entity) for entity in entities)
    try:
        slides = physics.move_and_slide_all(entities, velocities, dt, mass=mass)
    except ec.PhysicsError:
        if not may_fail:
            raise
        return
    numbers = np.hstack((slides.position, slides.velocity, slides.floor_velocity))
    if not may_fail and not np.isfinite(numbers).all():
        play.fault("walk together", f"entities {entities} have {slides}")


def _gaps(play: Play, entity: int) -> dict[int, float]:
    """Return the signed distance [m] to each other entity that is solid to this one; NaN if not from all sides."""
    everyone = dict(play.room.holders())
    bodies = {
        other: held
        for other, held in everyone.items()
        if ec.Collider in held
        and is_body(held, everyone)
        and pose_in(held, everyone) is not None
        and (other == entity or (esper.entity_exists(other) and host_of(other, everyone) != entity))
    }
    own = bodies.pop(entity)
    return {
        other: _gap(own, held, everyone)
        for other, held in bodies.items()
        if _stops(own[ec.Collider], held[ec.Collider])
    }


def _moves(physics: ec.PhysicsWorld, entity: int) -> bool:
    """Return True if an entity will move in the step, as its row says; a RigidBody moves without a Velocity too."""
    bodies, row = physics.pipeline.bodies.arrays, physics.pipeline.body_sync.members[entity].host.row
    return bool(bodies.kind[row] != ec.BodyKind.STATIC and bodies.velocity[row].any())


def _gap(own: Held, held: Held, everyone: dict[int, Held]) -> float:
    a, at_a, b, at_b = own[ec.Collider], own[ec.Transform], held[ec.Collider], pose_in(held, everyone)
    assert at_b is not None, "asked of those with a place"
    if any(each.one_way is not None or has_back(each.shape) for each in (a, b)):
        return nan  # it may be passing
    return algorithms.distance(a.shape, at_a, b.shape, at_b)


def _stops(a: ec.Collider, b: ec.Collider) -> bool:
    """Return True if two colliders are solid to each other."""
    if not (a.enabled and b.enabled) or a.sensor or b.sensor or a.sensor_mask & b.layer or b.sensor_mask & a.layer:
        return False
    if a.group == b.group != 0:
        return a.group > 0
    return bool(a.layer & b.mask and b.layer & a.mask)


def draw_drop(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, draw_label(rng, play) if rng.random() < 0.5 else None)


def drop_through(play: Play, label: int | str, platform: int | str | None) -> None:
    """Let an entity fall through one-way platforms, or one of them."""
    other = None if platform is None else play.entity(platform)
    if other is None and platform is not None:
        return
    entity = play.entity(label)
    if entity is not None and not is_part(entity) and (other is None or has_body(play, other)):
        ask(play, label, _drop_unless_static, other)


def _drop_unless_static(physics: ec.PhysicsWorld, entity: int, platform: int | None) -> None:
    try:
        physics.drop_through(entity, platform)
    except ec.PhysicsError as error:
        if f"entity {entity} is static" not in str(error):
            raise


ROWS = (
    Operation("place", 2, draw_place, create_bound_entity),
    Operation("write spot", 2, draw_spot, write_spot),
    Operation("watch", 1, one_label, watch),
    Operation("befriend", 2, draw_friends, befriend),
    Operation("walk", 3, draw_walk, walk),
    Operation("walk together", 2, draw_crowd_walk, walk_together),
    Operation("drop", 1, draw_drop, drop_through),
)
