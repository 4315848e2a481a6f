"""Friction between two bodies acts where A's point is, on both of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, transform, velocity

TURN = 2.0  # of the table [rad/s]


def on_the_table(strength: float, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Return place and velocity of a puck of 1 kg after some time, from small explicit steps."""
    h = 1.0 / 24_000
    place, speed = np.array([2.0, 0.0]), np.zeros(2)
    for _ in range(round(seconds / h)):
        sliding = TURN * np.array([-place[1], place[0]]) - speed
        pace = float(np.hypot(*sliding))
        speed = speed + h * sliding * (min(strength / pace, 1.0 / h) if pace else 1.0)
        place = place + h * speed
    return place, speed


@pytest.mark.parametrize("strength", [0.5, 5.0])
def test_a_puck_on_a_table_that_turns(strength: float) -> None:
    with game() as play:
        kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
        table = esper.create_entity(
            ec.Transform(), ec.Velocity(0.0, 0.0, TURN), kinematic, ec.Collider(ec.Circle(5.0), sensor=True)
        )
        free = ec.RigidBody(mass=1.0, lock_rotation=True, can_sleep=False)
        puck = dynamic(ec.Circle(0.1), (2.0, 0.0), (0.0, 0.0), free, mask=0)
        esper.create_entity(ec.FrictionJoint(puck, table, max_force=strength))
        play.step(120)
        place, speed = on_the_table(strength, 2.0)
        assert transform(puck).position == pytest.approx(tuple(place), abs=0.02)
        assert velocity(puck).linear == pytest.approx(tuple(speed), abs=2e-3)


@pytest.mark.parametrize("anchors", [{}, {"anchor_a": (0.0, 0.0), "anchor_b": (0.0, 0.0)}, {"point": (0.5, 0.0)}])
@pytest.mark.parametrize("turned_round", [False, True])
def test_two_bodies_that_brake_each_other_keep_what_they_turn_with(
    anchors: Mapping[str, Any], turned_round: bool
) -> None:
    with game() as play:
        a = dynamic(ec.Circle(0.1), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=1.0, inertia=0.1), mask=0)
        b = dynamic(ec.Circle(0.1), (1.0, 0.0), (0.0, 2.0), ec.RigidBody(mass=1.0, inertia=0.1), mask=0)
        velocity(a).angular = 1.0
        esper.create_entity(ec.FrictionJoint(*((b, a) if turned_round else (a, b)), max_force=2.0, **anchors))

        def angular_momentum() -> float:
            return sum(
                transform(one).x * velocity(one).y - transform(one).y * velocity(one).x + 0.1 * velocity(one).angular
                for one in (a, b)
            )

        before = angular_momentum()
        play.step(60)
        assert angular_momentum() == pytest.approx(before, abs=1e-12)
        assert velocity(b).y - velocity(a).y < 0.5
        assert velocity(a).x + velocity(b).x == pytest.approx(0.0, abs=1e-12)
        assert velocity(a).y + velocity(b).y == pytest.approx(2.0, abs=1e-12)
