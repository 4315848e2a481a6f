"""Operations that create, change and delete entities and components."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import esper

import ecs_collide as ec
from tests.fuzz.components import (
    FIELDS,
    TYPES,
    component,
    draw_component,
    draw_entity,
    draw_value,
    value,
)
from tests.fuzz.operations.operation import Operation, draw_label, nothing, one_label
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, draw_disk, draw_shape, made, number, point

MOST = 14
"""Greatest number of entities in a world; small worlds make many cases."""


def draw_create(rng: Random, play: Play) -> Data | None:
    if len(esper._entities) >= MOST:
        return None
    return rng.randrange(1_000_000), draw_entity(rng, play.conditions)


def create(play: Play, new: int, parts: tuple[Data, ...]) -> None:
    play.room.entities[new] = esper.create_entity(*map(component, parts))


def draw_spawn(rng: Random, play: Play) -> Data | None:
    count = rng.randint(0, 4)
    if len(esper._entities) + count > MOST:
        return None
    unit = play.conditions.unit
    shape = draw_disk(rng, unit) if play.conditions.exact else draw_shape(rng, unit)
    positions = tuple(point(rng, 3.0, unit) for _ in range(count))
    velocity = point(rng, 3.0, unit) if made(shape).is_bounded and rng.random() < 0.8 else None
    labels = tuple(rng.randrange(1_000_000) for _ in range(count))
    return labels, shape, positions, velocity


def spawn(play: Play, labels: tuple[int, ...], shape: Data, positions: Data, velocity: Any) -> None:
    entities = ec.spawn(made(shape), positions, velocities=velocity)
    play.room.entities.update(zip(labels, entities))


def draw_row_of_bodies(rng: Random, play: Play) -> Data | None:
    """Draw a row of flush static tiles, or a pile of boxes."""
    count, unit = rng.randint(2, 5), play.conditions.unit
    if len(esper._entities) + count > MOST or play.conditions.exact:
        return None
    shape = rng.choice((("Box", unit, unit), ("Segment", (-0.5 * unit, 0.0), (0.5 * unit, 0.0))))
    is_pile = shape[0] == "Box" and rng.random() < 0.5
    step = (0.0, unit) if is_pile else (unit, 0.0)
    return tuple(rng.randrange(1_000_000) for _ in range(count)), shape, point(rng, 2.0, unit), step, is_pile


def create_row(play: Play, labels: tuple[int, ...], shape: Data, first: Data, step: Data, moves: bool) -> None:
    for k, label in enumerate(labels):
        parts = [ec.Transform(first[0] + k * step[0], first[1] + k * step[1]), ec.Collider(made(shape))]
        play.room.entities[label] = esper.create_entity(*parts, *([ec.Velocity()] if moves else []))


def draw_floor(rng: Random, play: Play) -> Data | None:
    return (rng.randrange(1_000_000), number(rng, -4.0, -1.0, play.conditions.unit))


def create_floor(play: Play, new: int, height: float) -> None:
    play.room.entities[new] = esper.create_entity(ec.Transform(0.0, height), ec.Collider(ec.HalfPlane()))


def draw_map(rng: Random, play: Play) -> Data | None:
    if len(esper._entities) >= MOST:
        return None
    columns = rng.randint(3, 9)
    rows = tuple(bytes(int(rng.random() < 0.8) for _ in range(columns)) for _ in range(rng.randint(2, 6)))
    unit = play.conditions.unit
    return rng.randrange(1_000_000), (b"\1" * columns, *rows), number(rng, 0.2, 0.8, unit), point(rng, 2.0, unit)


def create_map(play: Play, new: int, rows: tuple[bytes, ...], cell: float, place: tuple[float, float]) -> None:
    play.room.entities[new] = esper.create_entity(ec.Transform(*place), ec.Collider(ec.Bitmap(rows, cell)))


def draw_dig(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, rng.randrange(6), rng.randrange(9))


def dig(play: Play, label: int | str, row: int, column: int) -> None:
    """Remove or fill a cell of a bitmap."""
    entity = play.entity(label)
    part = None if entity is None else esper.try_component(entity, ec.Collider)
    if part is None or not isinstance(part.shape, ec.Bitmap):
        return
    rows = [bytearray(line) for line in part.shape.mask]
    line = rows[row % len(rows)]
    line[column % len(line)] ^= 1
    if any(map(any, rows)):
        part.shape = ec.Bitmap(tuple(map(bytes, rows)), part.shape.cell_size)
        if id(part) in play.said:
            play.said[id(part)][1]["shape"] = part.shape


def delete_entity(play: Play, label: int | str) -> None:
    entity = play.entity(label)
    if entity is not None:
        esper.delete_entity(entity)


def delete_now(play: Play, label: int | str) -> None:
    entity = play.entity(label)
    if entity is not None and entity not in esper._dead_entities:  # else esper itself fails later
        esper.delete_entity(entity, immediate=True)


def mend(play: Play) -> None:
    """Delete the entities that the next step would refuse."""
    for entity in sorted(play.refused()):
        if entity not in esper._dead_entities:
            esper.delete_entity(entity, immediate=True)


def draw_add(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, draw_component(rng, rng.choice(list(FIELDS)), play.conditions))


def add(play: Play, label: int | str, part: Data) -> None:
    entity = play.entity(label)
    if entity is not None:
        esper.add_component(entity, component(part))


def draw_kind(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    if label is None:
        return None
    name = "Transform" if rng.random() < 0.05 else rng.choice(("Velocity", "Collider", "RigidBody", "Force"))
    return label, name


def remove_component(play: Play, label: int | str, name: str) -> None:
    entity = play.entity(label)
    if entity is not None and TYPES[name] in esper._entities[entity]:
        play.room.loose.append(esper.remove_component(entity, TYPES[name]))


def draw_reuse(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None or not play.room.loose else (label, rng.randrange(8))


def reuse(play: Play, label: int | str, number: int) -> None:
    """Add a component that was removed from this entity or another one."""
    entity, loose = play.entity(label), play.room.loose
    if entity is not None and loose:
        esper.add_component(entity, loose.pop(number % len(loose)))


def draw_two(rng: Random, play: Play) -> Data | None:
    label, other = draw_label(rng, play), draw_label(rng, play)
    return None if label is None else (label, other, rng.choice(list(FIELDS)), rng.random() < 0.2)


def copy_over(play: Play, label: int | str, other: int | str, name: str, is_shared: bool) -> None:
    """Give an entity a copy of another one's component, or the component itself, which is refused."""
    entity, source = play.entity(label), play.entity(other)
    if entity is None or source is None or TYPES[name] not in esper._entities[source]:
        return
    part = esper._entities[source][TYPES[name]]
    esper.add_component(entity, part if is_shared else copy.copy(part))


def draw_field(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    if label is None:
        return None
    name = rng.choice(list(FIELDS))
    field = rng.choice(FIELDS[name])
    return label, name, field, draw_value(rng, name, field, play.conditions)


def write(play: Play, label: int | str, name: str, field: str, data: Any) -> None:
    entity = play.entity(label)
    part = None if entity is None else esper.try_component(entity, TYPES[name])
    if part is None:
        return
    setattr(part, field, value(field, data))
    if id(part) in play.said:
        play.said[id(part)][1][field] = value(field, data)


def draw_teleport(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, point(rng, 3.0, play.conditions.unit))


def teleport(play: Play, label: int | str, place: tuple[float, float]) -> None:
    entity = play.entity(label)
    transform = None if entity is None else esper.try_component(entity, ec.Transform)
    if transform is not None:
        transform.position = place


def draw_view(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    column = rng.choice(("positions", "angles", "velocities", "angular_velocities"))
    unit = 1.0 if column.startswith("angu") or column == "angles" else play.conditions.unit
    return None if label is None else (label, column, number(rng, -3.0, 3.0, unit))


def write_row(play: Play, label: int | str, column: str, amount: float) -> None:
    """Write through the world's arrays, as vectorised game logic does."""
    entity, physics = play.entity(label), play.room.physics
    if entity is None or physics is None or entity not in physics.pipeline.body_sync.members:
        return
    is_exact, turns = physics.settings.response == "exact", column == "angular_velocities"
    if is_exact and turns and not esper.has_component(entity, ec.Velocity):
        return  # a kinematic body may not turn there, and the model has no spin but the component's
    if not (physics.pipeline.is_under_way or physics.pipeline.body_sync.is_current(entity)):
        return  # to say that it was written would bring the changes in, which may be refused
    getattr(physics, column)[physics.pipeline.body_sync.members[entity].row] = amount
    physics.moved([entity])


ROWS = (
    Operation("create", 12, draw_create, create),
    Operation("spawn", 2, draw_spawn, spawn),
    Operation("row", 1, draw_row_of_bodies, create_row),
    Operation("floor", 1, draw_floor, create_floor),
    Operation("map", 1, draw_map, create_map),
    Operation("dig", 4, draw_dig, dig),
    Operation("delete", 5, one_label, delete_entity),
    Operation("delete now", 3, one_label, delete_now),
    Operation("mend", 1, nothing, mend),
    Operation("add", 5, draw_add, add),
    Operation("remove", 4, draw_kind, remove_component),
    Operation("reuse", 2, draw_reuse, reuse),
    Operation("copy", 1, draw_two, copy_over),
    Operation("write", 14, draw_field, write),
    Operation("teleport", 4, draw_teleport, teleport),
    Operation("write row", 2, draw_view, write_row),
)
