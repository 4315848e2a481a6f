"""A hundred bodies at once, and state changes of many of them from one step to the next.

Lists start with room for some dozens. A stale reference to a list that has moved to a longer array shows only if that
list alone grew. So many bodies become kinematic, sensors or bullets in their rows, or get rows that others have left. A
few cases are crowded; small ones are quicker, so there are more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import esper

import ecs_collide as ec
from tests.fuzz.components import Spot
from tests.fuzz.operations.entities import add, delete_entity, delete_now, remove_component, write
from tests.fuzz.operations.joints import join, unjoin
from tests.fuzz.operations.operation import Operation, nothing
from tests.fuzz.operations.steering import watch
from tests.fuzz.operations.worlds import step
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, draw_disk, draw_shape, made, number, point

COUNTS = (40, 70, 100, 150)
MOST = 200
"""Greatest number of entities in a crowded world."""
LABELS = 1_000
"""Distance of the first labels of two crowds; they begin above all other labels."""
RESTING = 45
"""Number of steps of 1/60 s in which resting bodies fall asleep."""

Deed = Callable[[Play, int], None]
"""A change of the entity with a label."""


def draw_states(rng: Random, exact: bool) -> tuple[str, ...]:
    """Draw a few states for the crowds of a case, so that many bodies share one, and two states that end them."""
    states = [name for name in STATES if not (exact and name == "joined")]
    return (*rng.sample(states, 2), rng.choice(("gone", "gone now")), rng.choice(("static", "dynamic")))


def draw_crowd(rng: Random, play: Play) -> Data | None:
    """Draw bodies in rows, from flush to far apart."""
    count, unit = rng.choice(COUNTS), play.conditions.unit
    if len(esper._entities) + count > MOST:
        return None
    if play.conditions.exact:
        shape = draw_disk(rng, unit)
    elif rng.random() < 0.8:
        shape = rng.choice((("Box", unit, unit), ("Circle", 0.5 * unit)))
    else:
        shape, count = draw_shape(rng, unit), COUNTS[1]
    base = LABELS * rng.randrange(LABELS, LABELS * LABELS)
    rows = (*point(rng, 3.0, unit), number(rng, 1.0, 4.0, unit), rng.choice((1, 10, 20, MOST)))
    state = rng.choice(play.conditions.crowds[:2]) if rng.random() < 0.7 else None
    return base, count, shape, rows, play.room.is_bound, made(shape).is_bounded and rng.random() < 0.8, state


def create_crowd(
    play: Play, base: int, count: int, shape: Data, rows: Data, is_bound: bool, moves: bool, state: str | None
) -> None:
    """Create bodies with labels from `base` on; `rows` holds the first place, the distance and the bodies in a row."""
    x, y, spacing, columns = rows
    for k in range(count):
        at = x + k % columns * spacing, y + k // columns * spacing
        parts = [Spot(at[0], -at[1], 0.0) if is_bound else ec.Transform(*at), ec.Collider(made(shape))]
        play.room.entities[base + k] = esper.create_entity(*parts, *([ec.Velocity()] if moves else []))
    if state is not None:
        turn(play, base, 0, count, 1, state)


def draw_turn(rng: Random, play: Play) -> Data | None:
    bases = sorted({label // LABELS for label in play.room.entities if label >= LABELS * LABELS})
    if not bases:
        return None
    every, state = rng.choice((1, 1, 1, 2, 3)), rng.choice(play.conditions.crowds)
    return LABELS * rng.choice(bases), rng.choice((0, 0, 30)), rng.choice(COUNTS), every, state


def turn(play: Play, base: int, start: int, count: int, every: int, state: str) -> None:
    """Change the state of the bodies of a crowd that are left, or of some of them."""
    for label in range(base + start, base + start + count, every):
        if play.entity(label) is not None:
            STATES[state](play, label)


def rest(play: Play) -> None:
    step(play, 1 / 60, RESTING)


def _with(*parts: Data) -> Deed:
    """Return a change that adds components to an entity."""

    def give(play: Play, label: int) -> None:
        for part in parts:
            add(play, label, part)

    return give


def _written(field: str, value: Any) -> Deed:
    """Return a change that writes a field of an entity's Collider."""
    return lambda play, label: write(play, label, "Collider", field, value)


def _static(play: Play, label: int) -> None:
    for name in ("RigidBody", "Velocity"):
        remove_component(play, label, name)


def _joined(play: Play, label: int) -> None:
    """Join an entity to the next one of the crowd; it holds the joint."""
    if play.entity(label + 1) is not None:
        join(play, label, label, "RevoluteJoint", label, label + 1, ())


def _free(play: Play, label: int) -> None:
    """Enable a collider, solid from all sides."""
    for field, value in (("enabled", True), ("sensor", False), ("one_way", None)):
        write(play, label, "Collider", field, value)


STATES: dict[str, Deed] = {
    "static": _static,
    "dynamic": _with(("RigidBody", ()), ("Velocity", ())),
    "kinematic": _with(("RigidBody", (("kind", 1),)), ("Velocity", (("x", 0.5),))),
    "bullet": _with(("RigidBody", (("bullet", True),)), ("Velocity", (("y", 3.0),))),
    "fast": _with(("Velocity", (("x", 500.0),))),
    "pushed": _with(("Force", (("x", 1.0),))),
    "sensor": _written("sensor", True),
    "told": _written("detect", True),
    "one way": _written("one_way", (0.0, 1.0)),
    "belt": _written("surface_speed", 1.0),
    "off": _written("enabled", False),
    "free": _free,
    "watched": watch,
    "joined": _joined,
    "parted": unjoin,
    "gone": delete_entity,
    "gone now": delete_now,
}
"""States that a crowd may change to."""

ROWS = (
    Operation("crowd", 10, draw_crowd, create_crowd),
    Operation("turn", 25, draw_turn, turn),
    Operation("rest", 1, nothing, rest, nests=False),
)
"""Operations of crowded cases only."""
