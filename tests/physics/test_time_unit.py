"""A game with other units of length and time behaves, to the bit, as the same game in metres and seconds.

The units are powers of two, so that rounding is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, game


class Scale(NamedTuple):
    """Units in which scenes in metres and seconds are written."""

    length: float
    """Length units in a metre."""
    time: float
    """Time units in a second."""

    @property
    def speed(self) -> float:
        return self.length / self.time

    @property
    def torque(self) -> float:
        return self.speed**2

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.length * x, self.length * y

    def box(self, width: float, height: float) -> ec.Box:
        return ec.Box(self.length * width, self.length * height)

    def disk(self, radius: float) -> ec.Circle:
        return ec.Circle(self.length * radius)

    def body(
        self,
        shape: ec.Shape,
        place: tuple[float, float],
        velocity: Any = (0.0, 0.0),
        density: float = 1.0,
        **named: Any,
    ) -> int:
        collider = ec.Collider(shape, density=density / self.length**2, **named)
        entity = esper.create_entity(ec.Transform(*self.place(*place)), collider)
        if velocity is not None:
            esper.add_component(entity, ec.Velocity(self.speed * velocity[0], self.speed * velocity[1]))
        return entity


def mixed_pile(scale: Scale) -> None:
    for k in range(20):
        shape = scale.box(1.0, 0.8) if k % 2 else scale.disk(0.45)
        place = 1.1 * (k % 4) + 0.03 * k, 0.6 + 1.15 * (k // 4)
        scale.body(shape, place, restitution=0.1 * (k % 3), rolling_resistance=0.02)


def bridge_that_falls(scale: Scale) -> None:
    """A heavy ball at the end of a chain swings into a stack."""
    link = None
    for k in range(12):
        before, link = link, scale.body(scale.box(0.5, 0.1), (0.25 + 0.5 * k, 6.0))
        esper.create_entity(ec.RevoluteJoint(link, before, point=scale.place(0.5 * k, 6.0)))
    ball = scale.body(scale.disk(0.4), (6.3, 6.0), density=20.0)
    assert link is not None
    esper.create_entity(ec.WeldJoint(link, ball, point=scale.place(6.0, 6.0)))
    for k in range(4):
        scale.body(scale.box(0.8, 0.8), (2.0, 0.4 + 0.8 * k))


def net(scale: Scale) -> None:
    """A net with a heavy ball in it falls."""
    knots = {(i, j): scale.body(scale.disk(0.12), (0.5 * i, 4.0 + 0.5 * j)) for i in range(4) for j in range(4)}
    for (i, j), knot in knots.items():
        for other in ((i + 1, j), (i, j + 1)):
            if other in knots:
                esper.create_entity(ec.DistanceJoint(knot, knots[other]))
    scale.body(scale.disk(0.5), (1.0, 7.0), (0.0, -3.0), density=10.0)


def sprung_car(scale: Scale) -> None:
    """A car with springs and motors drives over a bump."""
    scale.body(scale.box(1.0, 0.2), (4.0, 0.1), None, friction=0.8)
    chassis = scale.body(scale.box(2.0, 0.5), (0.0, 1.0), (2.0, 0.0))
    for x in (-0.7, 0.7):
        wheel = scale.body(scale.disk(0.35), (x, 0.55), (2.0, 0.0), friction=1.0)
        joint = ec.WheelJoint(chassis, wheel, point=scale.place(x, 0.55), axis=(0, 1), hertz=4.0 / scale.time)
        joint.lower, joint.upper = -0.2 * scale.length, 0.2 * scale.length
        joint.motor_speed, joint.max_motor_torque = -10.0 / scale.time, 3.0 * scale.torque
        esper.create_entity(joint)


def springs(scale: Scale) -> None:
    """A slow spring comes to rest and falls asleep, and a weld is turned to another angle at once."""
    weight = scale.body(scale.box(0.5, 0.5), (0.0, 3.0))
    esper.create_entity(
        ec.DistanceJoint(weight, anchor_b=scale.place(0.0, 6.0), hertz=1.0 / scale.time, damping_ratio=0.7)
    )
    arm, tip = scale.body(scale.box(1.0, 0.2), (4.0, 3.0)), scale.body(scale.box(1.0, 0.2), (5.0, 3.0))
    esper.create_entity(ec.RevoluteJoint(arm, point=scale.place(3.5, 3.0)))
    weld = ec.WeldJoint(arm, tip, point=scale.place(4.5, 3.0))
    esper.create_entity(weld)
    esper.process(0.0)
    weld.reference_angle = 1.5


def play_in(scale: Scale, make: Callable[[Scale], None]) -> list[object]:
    """Return poses and events of all steps, in metres."""
    gravity = 0.0, -10.0 * scale.speed / scale.time
    with game(gravity=gravity, length_unit=scale.length, time_unit=scale.time) as play:
        scale.body(ec.HalfPlane(), (0.0, 0.0), None, friction=0.6)
        make(scale)
        return [course_of(play, scale) for _ in range(200)]


def course_of(play: Game, scale: Scale) -> object:
    """Return the poses after a step, and the numbers of events so far."""
    esper.process(scale.time / 64.0)
    poses = [play.pose(entity) for entity in sorted(esper.get_entities()) if esper.has_component(entity, ec.Transform)]
    return [(x / scale.length, y / scale.length, angle) for x, y, angle in poses], len(play.events)


@pytest.mark.parametrize("make", [mixed_pile, bridge_that_falls, net, sprung_car, springs])
def test_units_of_length_and_time_change_nothing(make: Callable[[Scale], None]) -> None:
    expected = play_in(Scale(1.0, 1.0), make)
    for scale in (Scale(64.0, 1.0), Scale(1.0, 64.0), Scale(64.0, 64.0)):
        assert play_in(scale, make) == expected
