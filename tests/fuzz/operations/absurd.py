"""Values that make no sense: each raises an error that names its place, or the step comes out right."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from random import Random
from typing import Any

import esper

import ecs_collide as ec
from tests.fuzz import checks
from tests.fuzz.components import FIELDS, TYPES
from tests.fuzz.operations.operation import Operation, draw_label
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data

ABSURD: dict[str, Any] = {
    "nan": nan,
    "inf": inf,
    "-inf": -inf,
    "text": "1.0",
    "none": None,
    "flag": True,
    "pair": (0.0, 0.0),
    "integer": 10**400,
    "1e-320": 1e-320,
    "1e17": 1e17,
    "1e22": 1e22,
    "1e150": 1e150,
    "-1e300": -1e300,
    "1.7e308": 1.7e308,
}
"""Absurd values by name, because some of them cannot be written as a literal."""

NEVER = ("nan", "inf", "-inf", "text", "pair", "integer")
"""Names of values that no field and no argument takes."""


def draw_absurd_field(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    if label is None:
        return None
    name = rng.choice(list(FIELDS))
    return label, name, rng.choice(FIELDS[name]), rng.choice(list(ABSURD))


def absurd_field(play: Play, label: int | str, name: str, field: str, value: str) -> None:
    """Write a field; if that is accepted, make a step and empty the world."""
    entity = play.entity(label)
    part = None if entity is None else esper.try_component(entity, TYPES[name])
    if part is None or entity is None:
        return
    old, holder = getattr(part, field), part._entity
    try:
        setattr(part, field, ABSURD[value])
    except (TypeError, ValueError) as error:
        if f"{name}.{field}" not in str(error) or (holder is not None and f"entity {holder}:" not in str(error)):
            play.fault("unclear", f"{error!r} for {name}.{field} of entity {entity}")
        if getattr(part, field) != old:
            play.fault("half done", f"{name}.{field} was refused and is {getattr(part, field)!r}, was {old!r}")
        return
    if value in NEVER and (field, value) != ("center_of_mass", "pair"):
        play.fault("accepted", f"{name}.{field} = {value}")
    play.said.pop(id(part), None)
    step_and_clear(play)


def draw_column_value(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    column = rng.choice(("positions", "angles", "velocities", "angular_velocities"))
    numbers = [name for name, value in ABSURD.items() if isinstance(value, float)]
    return None if label is None else (label, column, rng.choice(numbers))


def absurd_row(play: Play, label: int | str, column: str, value: str) -> None:
    """Write a row of a view, make a step, and empty the world."""
    entity, physics = play.entity(label), play.room.physics
    if (
        entity is None
        or physics is None
        or physics.pipeline.is_under_way
        or not physics.pipeline.body_sync.is_current(entity)
    ):
        return
    getattr(physics, column)[physics.row_of(entity)] = ABSURD[value]
    physics.moved([entity])
    step_and_clear(play)


def step_and_clear(play: Play) -> None:
    """Make a step and empty the world."""
    room = play.room
    if play.depth == 0:
        room.is_wild = True
        play.process(1 / 60)
        room.is_wild = False
    if room is play.room:
        esper.clear_database()
        room.entities.clear()


def draw_argument(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label, rng.choice(list(ARGUMENTS)), rng.choice(NEVER))


ARGUMENTS: dict[str, Callable[..., object]] = {
    "impulse": lambda physics, entity, value: physics.apply_impulse(entity, (value, 0.0)),
    "impulse point": lambda physics, entity, value: physics.apply_impulse(entity, (1.0, 0.0), (0.0, value)),
    "force": lambda physics, entity, value: physics.apply_force(entity, (0.0, value)),
    "torque": lambda physics, entity, value: physics.apply_force(entity, (0.0, 0.0), torque=value),
    "gravity": lambda physics, entity, value: setattr(physics, "gravity", (value, 0.0)),
    "circle": lambda physics, entity, value: ec.Circle(value),
    "box": lambda physics, entity, value: ec.Box(1.0, value),
    "spawn": lambda physics, entity, value: ec.spawn(ec.Circle(1.0), [(0.0, 0.0), (value, 0.0)]),
}


def absurd_argument(play: Play, label: int | str, name: str, value: str) -> None:
    """Pass an argument that must be refused without any change."""
    entity, physics = play.entity(label), play.room.physics
    if entity is None or physics is None or entity not in physics.pipeline.body_sync.members:
        return
    if not physics.pipeline.is_under_way and not physics.pipeline.body_sync.is_current(entity):
        return
    before, count = checks.digest(physics), len(esper._entities)
    try:
        ARGUMENTS[name](physics, entity, ABSURD[value])
    except (TypeError, ValueError):
        if checks.digest(physics) != before or len(esper._entities) != count:
            play.fault("half done", f"{name} of {value} was refused, with something changed")
    else:
        play.fault("accepted", f"{name} of {value}")


def draw_absurd_dt(rng: Random, play: Play) -> Data:
    return (rng.choice((*NEVER, "none", "flag", "-1e300", "nothing")),)


def absurd_dt(play: Play, value: str) -> None:
    """Call a step with a value that is no time."""
    room = play.room
    if room.physics is None or room.is_crippled or play.depth or room.hooks:
        return
    if room.physics.settings.fixed_dt is not None and not isinstance(ABSURD.get(value), float):
        return  # dt_argument is then another argument of the game
    before = checks.digest(room.physics)
    esper.clear_dead_entities()
    try:
        esper.process(*(() if value == "nothing" else (ABSURD[value],)))
    except (TypeError, ValueError):
        if checks.digest(room.physics) != before:
            play.fault("half done", f"dt {value} was refused, with something changed")
    else:
        play.fault("accepted", f"dt {value}")


ROWS = (
    Operation("absurd field", 2, draw_absurd_field, absurd_field),
    Operation("absurd row", 0.5, draw_column_value, absurd_row),
    Operation("absurd argument", 1, draw_argument, absurd_argument),
    Operation("absurd dt", 0.3, draw_absurd_dt, absurd_dt),
)
