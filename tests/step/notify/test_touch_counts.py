"""Touches of bodies of several pieces, against counts that are kept from step to step."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR, SIDES
from ecs_collide.step.notify.touch_counts import Touch, find_changed_touches
from tests.support.worlds import dynamic, game, static

SLOTS = 60


def draw_touch(random: Random) -> Touch:
    """Return a pair of few entities, the smaller one first, and a way of touching."""
    a, b = sorted(random.sample(range(1, 6), 2))
    return a, b, random.choice((of_pair.COLLIDES, of_pair.A_SENSES, of_pair.B_SENSES))


def pairs_that_touch(touches: list[Touch | None], random: Random) -> Any:
    """Return pairs with these touches, some of them with the larger entity as A."""
    index, sides = np.zeros((SLOTS, PAIR.WIDTH), np.int64), np.zeros((SIDES.WIDTH, SLOTS), np.int64)
    mirrored = {of_pair.A_SENSES: of_pair.B_SENSES, of_pair.B_SENSES: of_pair.A_SENSES}
    for slot, touch in enumerate(touches):
        if touch is not None:
            a, b, way = touch
            if random.random() < 0.5:
                a, b, way = b, a, mirrored.get(way, way)
            index[slot, [PAIR.ENTITY_A, PAIR.ENTITY_B, PAIR.TOUCHING]] = a, b, way
            sides[:2, slot] = 1, 2
        elif random.random() < 0.5:  # a slot that is free, with a rest of its last pair
            index[slot, [PAIR.ENTITY_A, PAIR.ENTITY_B, PAIR.TOUCHING]] = draw_touch(random)
    return SimpleNamespace(index=index, sides=sides)


@pytest.mark.parametrize("seed", range(20))
def test_entities_touch_from_the_first_touch_of_pieces_to_the_last(seed: int) -> None:
    random = Random(seed)
    touches: list[Touch | None] = [None] * SLOTS
    counts: Counter[Touch] = Counter()
    for _ in range(60):
        gone = random.choice((0, 0, random.randrange(1, 6)))
        removed: list[Touch] = []
        parted: list[Touch] = []
        started: list[Touch] = []
        for slot, touch in enumerate(touches):
            if touch is not None and gone in touch[:2]:
                removed.append(touch)
                touches[slot] = None
            elif touch is not None and random.random() < 0.4:
                parted.append(touch)
                touches[slot] = None
            elif touch is None and random.random() < 0.1:
                started.append(draw_touch(random))
                touches[slot] = started[-1]
        before = set(+counts)
        counts.subtract(removed)
        over = before - set(+counts)
        left = set(+counts)
        counts.subtract(parted)
        counts.update(started)
        over |= left - set(+counts)
        new = set(+counts) - left
        changed = find_changed_touches(removed, parted, started, pairs_that_touch(touches, random))
        assert sorted(changed.ended) == sorted(over)
        assert {started[place] for place in changed.started} == new
        assert all(started.index(started[place]) == place for place in changed.started)


def test_a_listener_that_comes_late_hears_each_end_once() -> None:
    """Nothing was counted before it came."""
    ell = ec.Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)])
    with game(gravity=(0.0, -10.0)) as play:
        tables = [static(ec.Chain([(float(k), 0.0) for k in range(9)]), (20.0 * n, 0.0)) for n in range(3)]
        bodies = [dynamic(ell, (20.0 * n + 3.0, 0.0)) for n in range(3)]
        play.step(30)
        received: list[tuple[int, int]] = []
        ec.on("collision_end", lambda contact: received.append((contact.entity_a, contact.entity_b)))
        play.step(10)
        assert not received
        for body in bodies:
            play.physics.apply_impulse(body, (0.0, 20.0))
        play.step(30)
        assert sorted(received) == sorted(zip(tables, bodies, strict=True))
