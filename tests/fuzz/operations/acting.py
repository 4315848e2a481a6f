"""Hooks between the systems, and handlers of events, that do operations."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.systems import FilterPairs
from tests.fuzz.operations.operation import Operation, nothing
from tests.fuzz.play import EVENTS, JOINT_EVENTS, Play
from tests.fuzz.room import PLACES, Raised
from tests.fuzz.shapes import Data

BEFORE_NARROWPHASE, BEFORE_RESPONSE = 2, 3
"""Places of hooks where pairs exist, and where contacts exist."""

WHERE = {"part": BEFORE_NARROWPHASE, "ask": BEFORE_NARROWPHASE, "contacts": BEFORE_RESPONSE}
"""The only place where an action has an effect; a shortened case may name others."""


def draw_deeds(rng: Random, play: Play, entities: bool) -> tuple[Data, ...]:
    """Draw the operations of a hook or a handler; a handler may also act on the event's own `entities`."""
    from tests.fuzz.operations.table import BY_NAME, NESTING, draw_operation

    deeds = []
    for _ in range(rng.randint(1, 3)):
        deed = draw_operation(rng, play, NESTING)
        if entities and BY_NAME[deed[0]].is_of_an_entity and rng.random() < 0.6:
            deed = (deed[0], rng.choice("ab"), *deed[2:])
        deeds.append(deed)
    return (*deeds, ("raise",)) if rng.random() < 0.1 else tuple(deeds)


def draw_handler(rng: Random, play: Play) -> Data:
    return rng.choice((*EVENTS, *JOINT_EVENTS, "collision_hit")), draw_deeds(rng, play, True), rng.randint(1, 4)


def handler(play: Play, name: str, deeds: tuple[Data, ...], times: int) -> None:
    """Let the current world handle an event with these operations a few times, in place of the former handler.

    There is one handler for each event, because esper calls several in no fixed order.
    """
    room = play.room
    is_new = name not in room.deeds
    room.deeds[name] = [deeds, times]
    if not is_new:
        return

    def handle(*arguments: Any) -> None:
        deeds, left = room.deeds[name]
        if left == 0 or play.is_over:
            return
        room.deeds[name] = [deeds, left - 1]
        first, before = arguments[0], play.event
        if name in JOINT_EVENTS:
            play.event = first, first
        else:
            play.event = (first.entity_a, first.entity_b) if len(arguments) == 1 else arguments
        try:
            play.act(deeds)
        finally:
            play.event = before

    room.handlers.append((name, handle))
    esper.set_handler(name, handle)


def draw_hook(rng: Random, play: Play) -> Data:
    place = rng.randrange(len(PLACES))
    divisor = rng.randint(1, 3)
    if place == BEFORE_NARROWPHASE and rng.random() < 0.8:
        return place, (rng.choice(("part", "ask")), divisor, rng.randrange(divisor)), rng.randint(1, 20)
    if place == BEFORE_RESPONSE and rng.random() < 0.8:
        column, value = rng.choice((("friction", 0.0), ("enabled", False), ("restitution", 0.5), ("friction", 3.0)))
        return place, ("contacts", column, value, divisor, rng.randrange(divisor)), rng.randint(1, 20)
    return place, ("do", draw_deeds(rng, play, False)), rng.randint(1, 3)


def add_hook(play: Play, place: int, action: Data, times: int) -> None:
    """Add a processor that acts in a few steps."""
    room, left = play.room, [times]
    name, *arguments = action
    if place != WHERE.get(name, place):
        return

    def act() -> None:
        if left[0] == 0 or play.is_over or play.room is not room:
            return
        left[0] -= 1
        ACTIONS[name](play, *arguments)

    room.hooks.append(room.add(PLACES[place], act))


def unhook(play: Play) -> None:
    for kind in play.room.hooks:
        esper.remove_processor(kind)
    play.room.hooks.clear()


def part(play: Play, divisor: int, remainder: int) -> None:
    """Disable the pairs of entities whose sum leaves a remainder."""
    physics = play.room.physics
    if physics is not None and physics.pipeline.is_under_way:
        pairs = physics.pairs
        pairs.disable((pairs.entity_a + pairs.entity_b) % divisor == remainder)
        play.room.parted.append((divisor, remainder))


class PairAsker(FilterPairs):
    """Refuses pairs of entities whose sum leaves a remainder."""

    component = ec.Collider
    divisor = remainder = 1

    def __init__(self, physics: ec.PhysicsWorld) -> None:
        super().__init__(physics)
        self.asked: list[tuple[int, int]] = []

    def may_collide(self, entity: int, other: int) -> bool:
        """Record the pair and decide."""
        self.asked.append((min(entity, other), max(entity, other)))
        return (entity + other) % self.divisor != self.remainder


def ask_about_pairs(play: Play, divisor: int, remainder: int) -> None:
    """Ask about each two entities, and refuse those whose sum leaves a remainder."""
    physics = play.room.physics
    if physics is None or not physics.pipeline.is_under_way or physics.settings.response == "exact":
        return
    asker = PairAsker(physics)
    asker.divisor, asker.remainder = divisor, remainder
    try:
        asker.run()
    except ec.PhysicsError:  # a system of this world was removed
        if not play.room.is_crippled:
            raise
        return
    if len(set(asker.asked)) < len(asker.asked):
        play.fault("asked", f"{asker.asked} repeats a pair")
    play.room.parted.append((divisor, remainder))


def edit(play: Play, column: str, value: float, divisor: int, remainder: int) -> None:
    """Write a column of the contacts of such pairs."""
    physics = play.room.physics
    if physics is None or not physics.pipeline.is_under_way:
        return
    contacts = physics.contacts
    for parted_by, left in play.room.parted:
        still = (contacts.entity_a + contacts.entity_b) % parted_by == left
        if still.any() and physics.settings.response == "impulse" and not play.room.is_crippled:
            play.fault("parted", f"entities {contacts.entity_a[still]}, {contacts.entity_b[still]} have a contact")
    which = (contacts.entity_a + contacts.entity_b) % divisor == remainder
    getattr(contacts, column)[which] = np.asarray(value)


def act_at_once(play: Play, deeds: tuple[Data, ...]) -> None:
    """Do operations now."""
    play.act(deeds)


ACTIONS: dict[str, Callable[..., None]] = {"part": part, "ask": ask_about_pairs, "contacts": edit, "do": act_at_once}


def raise_on_purpose(play: Play) -> None:
    """Raise an error that is not a fault."""
    raise Raised("on purpose")


ROWS = (
    Operation("handler", 2, draw_handler, handler, nests=False),
    Operation("hook", 2, draw_hook, add_hook, nests=False),
    Operation("unhook", 1, nothing, unhook, nests=False),
    Operation("raise", 0, nothing, raise_on_purpose),
)
