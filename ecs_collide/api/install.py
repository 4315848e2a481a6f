"""Add the plugin to the current esper world, take it out, and find it again."""

from __future__ import annotations

import re

import esper

from ecs_collide.api.responses import checked_name
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.common.binding import Binding
from ecs_collide.common.interrupts import Uninterrupted
from ecs_collide.common.settings import MAX_STEPS, Settings
from ecs_collide.errors import PhysicsError
from ecs_collide.systems.schedule import make_room_after, priorities
from ecs_collide.systems.system import present_systems
from ecs_collide.validate import integer

OLDEST_ESPER = (3, 9)


def install(
    *,
    gravity: tuple[float, float] = (0.0, 0.0),
    substeps: int = 4,
    sleeping: bool = True,
    continuous: bool = True,
    response: str = "impulse",
    length_unit: float = 1.0,
    time_unit: float = 1.0,
    fixed_dt: float | None = None,
    max_steps: int = MAX_STEPS,
    dt_argument: int | str = 0,
    hit_speed: float | None = None,
    bounce_speed: float | None = None,
    sleep_speed: float | None = None,
    priority: int = 0,
    after: type[esper.Processor] | None = None,
    transform: Binding | None = None,
    velocity: Binding | None = None,
) -> PhysicsWorld:
    """Add the ordered systems to the current esper world and return its physics.

    `gravity` [m/s^2]. `substeps`: solver substeps in a step. `sleeping`: leave alone what rests, together with all that
    it touches, until something happens to it. `continuous`: sweep fast bodies, so that none passes through what is
    static or kinematic (or through each other, where one is a bullet). `response`: "impulse", or "exact", which moves
    circles only and processes their impacts in the order of their times; it needs neither substeps nor sweeps, and
    nothing sleeps in it. `length_unit`: length units of the game in a metre (100 for a game with 100 pixels to a
    metre), and `time_unit`: time units in a second (60 for one that counts frames); they scale tolerances,
    nothing else. `fixed_dt` [s]: the length of every step. A frame, which is as long as the argument of `esper.process`
    that `dt_argument` names, a position (default: the first) or a keyword, makes as many such steps as are due, at most
    `max_steps`, and what more is due is dropped; where it has no such number it makes one. Without `fixed_dt` that
    argument is the step's length.
    `hit_speed` [m/s]: approach speed above which an impact is told by `collision_hit`; 1 m/s, times `length_unit`, if
    not given. `bounce_speed` [m/s]: approach speed under which nothing bounces, whatever its restitution; 0.25 m/s,
    times `length_unit`, if not given; the exact response has none. `sleep_speed` [m/s]: a body none of whose points has
    been faster for half a second may fall asleep; 0.05 m/s, times `length_unit`, if not given.
    `priority`: the systems run after processors with a higher esper priority, and before all others, whichever came
    first; those of the game's own processors are whole numbers, and by default 0. `after`: they run right after the
    game's processor of this type instead, which has been added before, and before all that follow it now.
    `transform`, `velocity`: what `bind` makes of components of the game's own, which then stand for `Transform` and
    `Velocity`: a `Collider` is all that their entities need.

    Raises PhysicsError where the current world has physics already and where esper is too old, TypeError or ValueError
    for a bad argument.
    """
    check_esper()
    settings = Settings.checked(
        gravity,
        substeps,
        sleeping,
        continuous,
        checked_name(response),
        length_unit,
        fixed_dt,
        dt_argument,
        hit_speed,
        bounce_speed,
        sleep_speed,
        time_unit,
        max_steps,
        transform,
        velocity,
    )
    base = integer(priority, "priority", -(1 << 31), 1 << 31)
    if _find() is not None:
        raise PhysicsError(
            f"esper world {esper.current_world!r} has physics already: use physics(), or call uninstall() first"
        )
    if after is not None:
        if priority != 0:
            raise ValueError(f"give install either priority={priority!r} or after={after!r}, not both")
        base = make_room_after(after)
    world = PhysicsWorld(settings)
    with Uninterrupted():
        for system, system_priority in priorities(base).items():
            esper.add_processor(system(world), priority=system_priority)
    return world


def uninstall() -> None:
    """Take the systems out of the current esper world; contacts end, components keep their last values.

    Systems of the game's own go too if they are derived from `ecs_collide.systems.System`.
    """
    world = physics()
    with Uninterrupted():
        for system in list(present_systems()):
            esper.remove_processor(type(system))
        world.pipeline.release()


def physics() -> PhysicsWorld:
    """The physics of the current esper world. Raises PhysicsError where there is none."""
    world = _find()
    if world is None:
        raise PhysicsError(f"esper world {esper.current_world!r} has no physics: call ecs_collide.install() in it")
    return world


def check_esper() -> None:
    """Raise PhysicsError where esper is older than what the plugin is made for."""
    version = str(getattr(esper, "version", "0"))
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_ESPER:
        raise PhysicsError(
            f"ecs_collide needs esper 3.9 or later, and this is esper {version}: "
            "python -m pip install --upgrade esper. docs/from_esper_1_and_2.md says what to change in the game"
        )


def _find() -> PhysicsWorld | None:
    """esper itself knows which world has which systems; any of them will do, for a game may have replaced some."""
    return next((system.physics for system in present_systems()), None)
