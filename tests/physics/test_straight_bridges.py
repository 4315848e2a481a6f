"""Joints that bear thousands of times the weight of what they join: bridges without slack, and rings with loads."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, transform

PLANK = 1.0
"""Length of a plank [m]."""


def create_straight_bridge(count: int, y: float = 0.0, torque: float = 0.0) -> tuple[list[int], list[ec.RevoluteJoint]]:
    """Create a bridge exactly as long as the distance of its ends; return its planks and joints."""
    planks = [dynamic(ec.Box(PLANK, 0.25), (PLANK * (k + 0.5), y), friction=0.6) for k in range(count)]
    left, right = (-PLANK / 2, 0.0), (PLANK / 2, 0.0)
    rust: dict[str, Any] = {"max_motor_torque": torque}
    joints = [ec.RevoluteJoint(planks[0], anchor_a=left, anchor_b=(0.0, y), **rust)]
    joints += [
        ec.RevoluteJoint(planks[k + 1], planks[k], anchor_a=left, anchor_b=right, **rust) for k in range(count - 1)
    ]
    joints.append(ec.RevoluteJoint(planks[-1], anchor_a=right, anchor_b=(PLANK * count, y), **rust))
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


@pytest.mark.parametrize("torque", [0.0, 0.3])
@pytest.mark.parametrize("rods", [(8, 11), (5, 15), (0, 19), (3, 6, 9, 12, 15)])
def test_two_straight_bridges_that_rods_tie_together_come_to_rest(rods: tuple[int, ...], torque: float) -> None:
    """Joint loops. The pull of their joints would swing the planks further than a substep can follow."""
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        upper, joints = create_straight_bridge(20, 2.0, torque)
        lower, others = create_straight_bridge(20, 0.0, torque)
        for k in rods:
            esper.create_entity(ec.DistanceJoint(upper[k], lower[k]))
        play.step(300)
        for _ in range(60):
            play.step(1)
            assert play.physics.kinetic_energy() < 0.05
            assert max(joint.gap for joint in joints + others) < 0.1e-3
        assert min(transform(plank).y for plank in lower) > -0.1


@pytest.mark.parametrize("links", [12, 30])
def test_a_ring_of_light_links_swings_with_a_load_of_five_hundred_times_their_mass(links: int) -> None:
    radius = 0.3 * links / (2 * pi)
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        places = [(radius * cos(2 * pi * k / links), radius * sin(2 * pi * k / links)) for k in range(links)]
        balls = [dynamic(ec.Circle(0.1), place, mask=0) for place in places]
        load = dynamic(ec.Circle(0.1), (0.0, -radius - 0.3), (8.0, 0.0), density=500.0, mask=0)
        middles = [
            (radius * cos(2 * pi * (k + 0.5) / links), radius * sin(2 * pi * (k + 0.5) / links)) for k in range(links)
        ]
        joints = [ec.RevoluteJoint(balls[k], balls[(k + 1) % links], point=middles[k]) for k in range(links)]
        top, bottom = balls[links // 4], balls[3 * links // 4]
        joints.append(ec.RevoluteJoint(top, point=transform(top).position))
        joints.append(ec.RevoluteJoint(bottom, load, point=(0.0, -radius - 0.15)))
        for joint in joints:
            esper.create_entity(joint)
        for _ in range(300):
            play.step(1)
            assert max(joint.gap for joint in joints) < 0.02
