"""Houses of cards: leaning edges on edges, contacts of one point throughout."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, esper_world, ground

LENGTH, THICKNESS = 1.0, 0.04


def card_house(lean: float, friction: float, levels: int) -> None:
    """Pairs of cards that lean against each other [rad], with flat ones across, and one pair fewer in each level."""
    ground(friction)
    half_x = 0.5 * (LENGTH * math.cos(lean) + THICKNESS * math.sin(lean))
    half_y = 0.5 * (LENGTH * math.sin(lean) + THICKNESS * math.cos(lean))
    pitch, bottom = 4.0 * half_x + 0.02, 0.0
    for level in range(levels):
        places = [(k - 0.5 * (levels - level - 1)) * pitch for k in range(levels - level)]
        for x in places:
            for side in (-1, 1):
                card, place = ec.Box(LENGTH, THICKNESS), (x + side * half_x, bottom + half_y)
                dynamic(card, place, angle=-side * lean, friction=friction)
        bottom += 2.0 * half_y
        for x in places[:-1]:
            flat = ec.Box(pitch - 0.01, THICKNESS)
            dynamic(flat, (x + 0.5 * pitch, bottom + 0.5 * THICKNESS), friction=friction)
        bottom += THICKNESS


@pytest.mark.parametrize(("lean", "friction", "levels"), [(60.0, 0.65, 3), (67.5, 0.5, 5), (75.0, 0.65, 4)])
def test_a_house_of_cards_stands(lean: float, friction: float, levels: int) -> None:
    """The contacts that turned most kept manifolds that were out of date, and the house slid down."""
    with esper_world():
        physics = ec.install(gravity=(0.0, -9.81), sleeping=False)
        card_house(math.radians(lean), friction, levels)
        esper.process(DT)
        before = physics.positions.copy()
        for _ in range(600):
            esper.process(DT)
        assert np.abs(physics.positions - before).max() < 0.1
