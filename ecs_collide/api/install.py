"""`install`, `uninstall` and `physics`: add the plugin to the current esper world, remove it, and find it."""

from __future__ import annotations

import re
from threading import get_ident

import esper

from ecs_collide.api.missing_physics import record_physics, worlds_with_physics
from ecs_collide.api.responses import checked_name
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.common import user_thread
from ecs_collide.common.binding import Binding
from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.common.settings import MAX_STEPS, ResponseName, Settings
from ecs_collide.errors import PhysicsError
from ecs_collide.hints import hints_at_keywords
from ecs_collide.systems.schedule import make_room_after, priorities
from ecs_collide.systems.system import present_systems
from ecs_collide.validate import integer

OLDEST_ESPER = (3, 9)


@hints_at_keywords
def install(
    *,
    gravity: tuple[float, float] = (0.0, 0.0),
    substeps: int = 4,
    sleeping: bool = True,
    continuous: bool = True,
    response: ResponseName = "impulse",
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

    Args:
        gravity: acceleration [m/s^2]; (0, -9.81) if y points up.
        substeps: number of solver substeps in a step.
        sleeping: True to let resting bodies fall asleep, together with all bodies that they touch, until something
            happens to them.
        continuous: True to sweep fast bodies, so that they do not pass through static or kinematic bodies. A bullet
            does not pass through dynamic bodies either. Slower bodies get a contact before they overlap what they hit.
        response: "impulse", or "exact", which moves only circles and processes their impacts in the order of their
            times. It needs no substeps and no sweeps, and its bodies never sleep.
        length_unit: length units of the game in a metre, 100 for 100 pixels to a metre. It scales tolerances only.
        time_unit: time units of the game in a second, 60 for a game that counts frames. It scales tolerances only.
        fixed_dt: length of every step [s], such as 1 / 60. A frame makes as many steps as are due. None: a step is as
            long as the frame.
        max_steps: greatest number of steps in a frame with `fixed_dt`, 8 by default; further steps that are due are
            dropped.
        dt_argument: argument of `esper.process` that holds the length of the frame, a position or a keyword. With
            `fixed_dt` a frame without such a number makes one step.
        hit_speed: approach speed above which an impact raises `collision_hit` [m/s]; 1 m/s times `length_unit` by
            default.
        bounce_speed: approach speed below which nothing bounces [m/s]; 0.25 m/s times `length_unit` by default. The
            exact response has no such speed.
        sleep_speed: speed below which a body may fall asleep after half a second, if all its points are slower [m/s];
            0.05 m/s times `length_unit` by default.
        priority: esper priority of the systems. They run after processors with a higher priority and before all
            others; a game's own processors have 0 by default.
        after: processor type of the game, added before, right after which the systems run, instead of a `priority`.
        transform: binding of a component of the game in the place of `Transform`, made by `bind`. An entity with such
            a component needs only a `Collider`.
        velocity: binding of a component of the game in the place of `Velocity`, made by `bind`.

    Raises:
        PhysicsError: the current world has physics already, another thread uses physics, or esper is too old.
        TypeError: an argument has a wrong type.
        ValueError: an argument has a value that is not allowed.
    """
    check_esper()
    settings = Settings.checked(
        {
            "gravity": gravity,
            "substeps": substeps,
            "sleeping": sleeping,
            "continuous": continuous,
            "response": checked_name(response),
            "length_unit": length_unit,
            "time_unit": time_unit,
            "fixed_dt": fixed_dt,
            "max_steps": max_steps,
            "dt_argument": dt_argument,
            "hit_speed": hit_speed,
            "bounce_speed": bounce_speed,
            "sleep_speed": sleep_speed,
            "transform": transform,
            "velocity": velocity,
        }
    )
    base = integer(priority, "priority", -(1 << 31), 1 << 31)
    if after is not None and priority != 0:
        raise ValueError(f"give install either priority={priority!r} or after={after!r}, not both")
    with user_thread.lock:
        user_thread.claim("install physics")
        world = _install(settings, base, after)
        user_thread.add_world(world)
    return world


def _install(settings: Settings, base: int, after: type[esper.Processor] | None) -> PhysicsWorld:
    """Add the systems from a priority on, or after a processor, and return their physics."""
    if _find() is not None:
        raise PhysicsError(
            f"esper world {esper.current_world!r} has physics already: use physics(), or call uninstall() first"
        )
    if after is not None:
        base = make_room_after(after)
    world = PhysicsWorld(settings)
    world.pipeline.usage_warnings.check_fixed_dt(settings.fixed_dt, settings.time_unit)
    world.pipeline.usage_warnings.check_gravity(settings)
    with DelayedInterrupts():
        for system, system_priority in priorities(base).items():
            esper.add_processor(system(world), priority=system_priority)
    record_physics(esper.current_world)
    return world


def uninstall() -> None:
    """Remove the systems from the current esper world. Contacts end, and components keep their last values.

    Systems of the game that are derived from `ecs_collide.systems.System` are removed as well. Raises PhysicsError if
    the world has no physics.
    """
    if get_ident() != user_thread.user:
        user_thread.claim("uninstall physics")
    world = _find()
    if world is None:
        raise _no_physics("there is nothing to uninstall")
    with DelayedInterrupts():
        for system in list(present_systems()):
            esper.remove_processor(type(system))
            system.disconnect()
        world.pipeline.release()
    user_thread.remove_world(world)


def disconnect_physics() -> None:
    """Let the physics of the current esper world, if it has any, be freed as soon as esper deletes the world.

    Otherwise the garbage collector would have to find it. Components are not detached, and contacts do not end.
    """
    systems = list(present_systems())
    for system in systems:
        system.disconnect()
    if systems:
        systems[0].pipeline.disconnect()


def physics() -> PhysicsWorld:
    """Return the physics of the current esper world. Raises PhysicsError if there is none."""
    world = _find()
    if world is None:
        raise _no_physics("call ecs_collide.install() in it")
    return world


def _no_physics(advice: str) -> PhysicsError:
    """Return the error for an esper world without physics, which names the worlds that have it."""
    others = sorted(worlds_with_physics.intersection(esper.list_worlds()))
    where = f". install() was called in {', '.join(map(repr, others[:3]))}" if others else ""
    return PhysicsError(f"esper world {esper.current_world!r} has no physics: {advice}{where}")


def check_esper() -> None:
    """Raise PhysicsError if esper is older than the plugin needs."""
    version = str(getattr(esper, "version", "0"))
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_ESPER:
        raise PhysicsError(
            f"ecs_collide needs esper 3.9 or later, and this is esper {version}: "
            "python -m pip install --upgrade esper. docs/coming_from/esper.md says what to change in the game"
        )


def _find() -> PhysicsWorld | None:
    """Return the physics of any system that is present, since a game may have replaced some systems."""
    return next((system.physics for system in present_systems()), None)
