"""Operations that attach colliders to bodies, move them there, and let them go."""

from __future__ import annotations

from random import Random

import esper

import ecs_collide as ec
from tests.fuzz.attached import NO_PART
from tests.fuzz.components import component, draw_component
from tests.fuzz.operations.entities import MOST
from tests.fuzz.operations.operation import Operation, draw_label
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, number, point


def draw_place_on_body(rng: Random, play: Play) -> Data:
    """Draw a place on a body: x, y and angle."""
    return (*point(rng, 1.0, play.conditions.unit), rng.choice((0.0, number(rng, -4.0, 4.0))))


def draw_part(rng: Random, play: Play) -> Data | None:
    body = draw_label(rng, play)
    if body is None or len(esper._entities) >= MOST or (play.conditions.exact and rng.random() < 0.95):
        return None
    collider = draw_component(rng, "Collider", play.conditions)
    return rng.randrange(1_000_000), body, draw_place_on_body(rng, play), collider, rng.random() < 0.4


def create_part(play: Play, new: int, body: int | str, place: Data, collider: Data, has_transform: bool) -> None:
    """Create an entity whose collider is attached to a body."""
    host = play.entity(body)
    if host is None:
        return
    more = [ec.Transform()] if has_transform else []
    play.room.entities[new] = esper.create_entity(ec.AttachedTo(host, *place), component(collider), *more)


def draw_attach(rng: Random, play: Play) -> Data | None:
    label, body = draw_label(rng, play), draw_label(rng, play)
    if label is None or (play.conditions.exact and rng.random() < 0.95):
        return None
    return label, body, draw_place_on_body(rng, play), rng.random() < 0.9


def attach_entity(play: Play, label: int | str, body: int | str, place: Data, takes_off: bool) -> None:
    """Attach an entity to another one, or to itself; take off what it may not have then, or leave that."""
    entity, host = play.entity(label), play.entity(body)
    if entity is None or host is None:
        return
    for kind in NO_PART:
        if takes_off and kind in esper._entities[entity]:
            play.room.loose.append(esper.remove_component(entity, kind))
    esper.add_component(entity, ec.AttachedTo(host, *place))


def draw_shift(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    field = rng.choice(("x", "y", "angle", "body"))
    value = draw_label(rng, play) if field == "body" else number(rng, -2.0, 2.0)
    return None if label is None else (label, field, value)


def shift(play: Play, label: int | str, field: str, value: float) -> None:
    """Write a field of an entity's AttachedTo."""
    entity = play.entity(label)
    part = None if entity is None else esper.try_component(entity, ec.AttachedTo)
    if part is not None:
        setattr(part, field, play.room.entities.get(int(value), 0) if field == "body" else value)


def draw_release(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, rng.random() < 0.7, point(rng, 3.0, play.conditions.unit))


def release(play: Play, label: int | str, moves: bool, place: tuple[float, float]) -> None:
    """Let an attached collider go as a body of its own."""
    entity = play.entity(label)
    part = None if entity is None else esper.try_component(entity, ec.AttachedTo)
    if entity is None or part is None:
        return
    play.room.loose.append(esper.remove_component(entity, ec.AttachedTo))
    if ec.Transform not in esper._entities[entity]:
        esper.add_component(entity, ec.Transform(*place))
    collider = esper.try_component(entity, ec.Collider)
    if moves and collider is not None and collider.shape.is_bounded:
        esper.add_component(entity, ec.Velocity(1.0, 0.0, 0.5))


ROWS = (
    Operation("part", 6, draw_part, create_part),
    Operation("attach", 3, draw_attach, attach_entity),
    Operation("shift", 5, draw_shift, shift),
    Operation("release", 3, draw_release, release),
)
