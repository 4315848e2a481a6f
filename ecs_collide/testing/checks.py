"""Checks of simulations; their errors name entities and give figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import esper

from ecs_collide.algorithms import distance
from ecs_collide.components import Collider
from ecs_collide.errors import PhysicsError

if TYPE_CHECKING:
    from ecs_collide.testing.simulation import GameEvent, GameSimulation

REST = 0.2
"""Time for which an entity at rest must not move [s]."""


def run_until(simulation: GameSimulation, predicate: Callable[[], object], timeout: float, what: str) -> float:
    """Make steps until a condition is true; see `GameSimulation.run_until`."""
    __tracebackhide__ = True
    start = simulation.time
    while not predicate():
        if has_passed(simulation, start, timeout):
            name = getattr(predicate, "__name__", repr(predicate))
            fails(
                f"{what or ('the condition' if name == '<lambda>' else name)} is not true after {timeout:g} s"
                f"{places(simulation)}"
            )
        simulation.step()
    return simulation.time - start


def assert_touching(simulation: GameSimulation, a: int, b: int, timeout: float) -> float:
    """Check that two entities touch; see `GameSimulation.assert_touching`."""
    __tracebackhide__ = True
    start = simulation.time
    while not are_touching(simulation, a, b):
        if has_passed(simulation, start, timeout):
            within = f" within {timeout:g} s" if timeout > 0.0 else ""
            fails(
                f"{simulation.describe(a)} and {simulation.describe(b)} do not touch{within}, at "
                f"{simulation.time:.2f} s: {distance_in_words(simulation, a, b)}"
                + "".join(touched_by(simulation, entity) for entity in (a, b))
            )
        simulation.step()
    return simulation.time - start


def assert_never_touching(simulation: GameSimulation, a: int, b: int, seconds: float) -> None:
    """Check that two entities have not touched and do not; see `GameSimulation.assert_never_touching`."""
    __tracebackhide__ = True
    start = simulation.time
    while True:
        touches = [
            event
            for event in simulation.events
            if event.name in ("collision_start", "sensor_enter") and {a, b} == set(event.entities)
        ]
        if touches or are_touching(simulation, a, b):
            when = f"touched at {touches[0].time:.2f} s{place_of(touches[0])}" if touches else "touch"
            fails(f"{simulation.describe(a)} and {simulation.describe(b)} {when}{places(simulation, a, b)}")
        if has_passed(simulation, start, seconds):
            return
        simulation.step()


def assert_comes_to_rest(
    simulation: GameSimulation, entities: Sequence[int], timeout: float, speed: float | None
) -> float:
    """Make steps until entities are at rest; see `GameSimulation.assert_comes_to_rest`."""
    __tracebackhide__ = True
    start, still_since = simulation.time, simulation.time
    while True:
        moving = [entity for entity in entities or movable(simulation) if exceeds_speed(simulation, entity, speed)]
        if moving:
            still_since = simulation.time
        elif simulation.time - still_since >= REST - 1e-9:
            return simulation.time - start
        if has_passed(simulation, start, timeout):
            late = moving or [entity for entity in entities if esper.entity_exists(entity)]
            fails(
                f"not at rest after {timeout:g} s{places(simulation, *late[:8])}"
                + (f"\n  and {len(late) - 8} more" if len(late) > 8 else "")
            )
        simulation.step()


def assert_passes(simulation: GameSimulation, entity: int, x: float | None, y: float | None, timeout: float) -> float:
    """Make steps until an entity passes a line; see `GameSimulation.assert_passes`."""
    __tracebackhide__ = True
    if (x is None) == (y is None):
        raise ValueError(f"give one of x and y, the line to pass, got x={x} and y={y}")
    axis, line = (0, x) if x is not None else (1, y)
    assert line is not None
    name, start = simulation.describe(entity), simulation.time
    first = farthest = simulation.position(entity)[axis]
    while True:
        if not esper.entity_exists(entity):
            fails(
                f"{name} was deleted at {simulation.time:.2f} s, before it passed {'xy'[axis]} = {line:g}: "
                f"it came as far as {farthest:.3f}"
            )
        now = simulation.position(entity)[axis]
        if (now > line) != (first > line):
            return simulation.time - start
        farthest = min(farthest, now) if first > line else max(farthest, now)
        if has_passed(simulation, start, timeout):
            fails(
                f"{name} did not pass {'xy'[axis]} = {line:g} within {timeout:g} s: from {first:.3f} it came as far "
                f"as {farthest:.3f}{places(simulation, entity)}"
            )
        simulation.step()


def fails(message: str) -> None:
    """Raise AssertionError, even under `python -O`."""
    __tracebackhide__ = True
    raise AssertionError(message)


def has_passed(simulation: GameSimulation, start: float, seconds: float) -> bool:
    """Return True if a time [s] has passed since a moment, to half a step."""
    return simulation.time - start > seconds - 0.5 * simulation.dt


def are_touching(simulation: GameSimulation, a: int, b: int) -> bool:
    """Return True if two entities that exist touch or overlap."""
    return esper.entity_exists(a) and esper.entity_exists(b) and simulation.physics.touching(a, b)


def movable(simulation: GameSimulation) -> list[int]:
    """Return the entities of all bodies that can move."""
    physics = simulation.physics
    return [
        entity
        for entity in physics.entities.tolist()
        if entity != 0 and physics.pipeline.bodies.arrays.kind[physics.row_of(entity)] != 0
    ]


def exceeds_speed(simulation: GameSimulation, entity: int, speed: float | None) -> bool:
    """Return True if an entity that exists is faster than a speed, or turns faster than it over a length unit."""
    physics = simulation.physics
    if not esper.entity_exists(entity):
        return False
    limit = physics.settings.sleep_speed if speed is None else speed
    row = physics.row_of(entity)  # first, as it may make the views longer
    angular = physics.angular_velocities.item(row)
    return simulation.speed(entity) > limit or abs(angular) * physics.settings.length_unit > limit


def distance_in_words(simulation: GameSimulation, a: int, b: int) -> str:
    """Return the distance of two entities in words, or that they have none."""
    gone = [entity for entity in (a, b) if not esper.entity_exists(entity)]
    if gone:
        return f"entity {gone[0]} does not exist"
    for entity in (a, b):
        if not esper.has_component(entity, Collider):
            return f"entity {entity} has no Collider"
    shapes = [esper.component_for_entity(entity, Collider).shape for entity in (a, b)]
    if not any(shape.is_bounded for shape in shapes):
        return "both are unbounded"
    poses = [simulation.pose(entity) for entity in (a, b)]
    return f"their distance is {distance(shapes[0], poses[0], shapes[1], poses[1]):.3f}"


def touched_by(simulation: GameSimulation, entity: int) -> str:
    """Return what touches an entity, as a line of an error."""
    if not esper.entity_exists(entity):
        return ""
    try:
        others = simulation.physics.colliding(entity)
    except PhysicsError as error:
        return f"\n  {error}"
    names = ", ".join(map(simulation.describe, others)) or "nothing"
    return f"\n  {simulation.describe(entity)} at {written(simulation.position(entity))} is touched by {names}"


def places(simulation: GameSimulation, *entities: int) -> str:
    """Return places and speeds of entities as lines of an error; those of all that have names by default."""
    lines = []
    for entity in entities or simulation.names:
        if not esper.entity_exists(entity):
            lines.append(f"{simulation.describe(entity)} does not exist any more")
            continue
        try:
            place, speed = simulation.position(entity), simulation.speed(entity)
        except PhysicsError:
            continue  # a joint, or anything else without a body
        lines.append(f"{simulation.describe(entity)} at {written(place)}, speed {speed:.3f}")
    return "".join(f"\n  {line}" for line in lines)


def place_of(event: GameEvent) -> str:
    """Return the place of a contact in words, "" for an overlap."""
    return f" at {written(event.contact.points[0])}" if event.name == "collision_start" else ""


def written(place: tuple[float, float]) -> str:
    """Return a place with three digits."""
    return f"({place[0]:.3f}, {place[1]:.3f})"
