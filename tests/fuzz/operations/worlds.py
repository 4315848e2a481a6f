"""Operations that make steps, and that create and delete worlds."""

from __future__ import annotations

from random import Random
from typing import Any

import esper

import ecs_collide as ec
from tests.fuzz.components import BINDING
from tests.fuzz.cramped import cramped
from tests.fuzz.operations.operation import Operation, nothing
from tests.fuzz.play import Play
from tests.fuzz.room import Raised, Room
from tests.fuzz.shapes import Data

NAMES = ("fuzz 0", "fuzz 1", "fuzz 2")


def draw_dt(rng: Random, play: Play) -> Data:
    dt = rng.choice((1 / 60, 1 / 60, 1 / 60, 1 / 60, 1 / 30, 0.0, 1e-12, 1e-300, 0.5, 5.0, rng.uniform(0.001, 0.05)))
    return dt, rng.choices((1, 5, 40), (90, 8, 2))[0]


def step(play: Play, dt: float, count: int) -> None:
    play.count += count - 1
    for _ in range(count):
        if not play.faults:
            play.process(dt)


def cramp(play: Play) -> None:
    """Create cramped worlds from now on."""
    play.endings.enter_context(cramped())


def draw_install(rng: Random, play: Play) -> Data:
    unit = play.conditions.unit
    settings = {
        "gravity": rng.choice(((0.0, -10.0 * unit), (0.0, 0.0), (3.0 * unit, 8.0 * unit))),
        "response": "exact" if play.conditions.exact else "impulse",
        "sleeping": rng.random() < 0.7,
        "continuous": rng.random() < 0.8,
        "substeps": rng.choice((1, 2, 4, 4)),
        "length_unit": unit,
        "fixed_dt": rng.choice((None, None, None, 1 / 60)),
        "transform": rng.choice((None, None, None, "Spot")),
    }
    return (tuple(settings.items()),)


def install_in_room(play: Play, settings: Data) -> None:
    room = play.room
    room.is_shuffled = True
    given = dict(settings)
    if given.get("transform") is not None:
        given["transform"] = BINDING
    if room.physics is None:
        room.physics = ec.install(**given)
        return
    try:
        ec.install(**given)
    except ec.PhysicsError:
        return
    if not room.is_crippled:
        play.fault("install", "a second physics was installed in the same world")


def uninstall(play: Play) -> None:
    room = play.room
    if room.physics is not None:
        room.is_shuffled, room.physics, room.joints = True, None, room.joints.uninstalled()
        play.depth += 1
        try:
            ec.uninstall()
        except ec.PhysicsError:
            if not room.is_crippled:
                raise
        except Raised:
            pass
        finally:
            play.depth -= 1


def draw_switch(rng: Random, play: Play) -> Data:
    return (rng.choice(NAMES),)


def switch(play: Play, name: str) -> None:
    esper.switch_world(name)
    assert play.room.name == name
    play.room.is_shuffled = True


def clear(play: Play) -> None:
    esper.clear_database()
    play.room.entities.clear()
    play.room.is_wild = False


def delete_world(play: Play, name: str) -> None:
    if name == esper.current_world or name not in esper.list_worlds():
        return
    esper.delete_world(name)
    room: Any = play.rooms.pop(name, None)
    if isinstance(room, Room):
        play.attic.append(room)


ROWS = (
    Operation("step", 45, draw_dt, step),
    Operation("cramp", 0, nothing, cramp, nests=False),
    Operation("install", 1, draw_install, install_in_room),
    Operation("uninstall", 0.4, nothing, uninstall),
    Operation("switch", 1, draw_switch, switch, nests=False),
    Operation("clear", 0.4, nothing, clear),
    Operation("delete world", 0.3, draw_switch, delete_world),
)
