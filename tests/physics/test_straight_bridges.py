"""Bridges without slack: their joints bear thousands of times the planks' weight, and boxes fall on them."""

from __future__ import annotations

from random import Random

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, transform

PLANK = 1.0
"""Length of a plank [m]."""


def create_straight_bridge(count: int) -> tuple[list[int], list[ec.RevoluteJoint]]:
    """Create a bridge exactly as long as the distance of its ends; return its planks and joints."""
    planks = [dynamic(ec.Box(PLANK, 0.25), (PLANK * (k + 0.5), 0.0), friction=0.6) for k in range(count)]
    left, right = (-PLANK / 2, 0.0), (PLANK / 2, 0.0)
    joints = [ec.RevoluteJoint(planks[0], anchor_a=left, anchor_b=(0.0, 0.0))]
    joints += [ec.RevoluteJoint(planks[k + 1], planks[k], anchor_a=left, anchor_b=right) for k in range(count - 1)]
    joints.append(ec.RevoluteJoint(planks[-1], anchor_a=right, anchor_b=(PLANK * count, 0.0)))
    for joint in joints:
        esper.create_entity(joint)
    return planks, joints


@pytest.mark.parametrize(("count", "seed"), [(60, 2), (70, 1), (90, 1), (120, 3), (200, 0)])
def test_a_straight_bridge_holds_boxes_that_fall_on_it(count: int, seed: int) -> None:
    """In an elastic bridge the sag grows as the square root of the gaps: 1 mm in each of 90 joints are 1.7 m."""
    random = Random(seed)
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        planks, joints = create_straight_bridge(count)
        for _ in range(8):
            place = random.uniform(2.0, count - 2.0), random.uniform(1.0, 5.0)
            dynamic(ec.Box(random.uniform(0.5, 2.0), random.uniform(0.5, 2.0)), place, friction=0.6)
        play.step(100)
        for _ in range(200):
            play.step(1)
            assert max(joint.gap for joint in joints) < 0.5e-3
        assert min(transform(plank).y for plank in planks) > -0.02 * count


@pytest.mark.parametrize("load", [10.0, 100.0, 300.0])
def test_a_straight_bridge_bears_a_box_of_many_times_a_planks_mass(load: float) -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        _, joints = create_straight_bridge(40)
        box = dynamic(ec.Box(1.0, 1.0), (20.0, 0.625), density=0.25 * load, friction=0.6)
        for _ in range(300):
            play.step(1)
            assert max(joint.gap for joint in joints) < 0.2e-3
        assert transform(box).y > 0.5
