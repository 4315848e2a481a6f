"""Cars on suspensions: they stand on their springs as statics says, and a game may put parts of them elsewhere."""

from __future__ import annotations

from math import hypot, pi
from typing import NamedTuple

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground, transform, velocity


class Car(NamedTuple):
    """Entities of a car, and its wheel joints."""

    chassis: int
    wheels: list[int]
    axles: list[ec.WheelJoint]

    def speed(self) -> float:
        """Return the speed of the fastest part [length units/s]."""
        return max(hypot(velocity(part).x, velocity(part).y) for part in (self.chassis, *self.wheels))


def car(metre: float = 1.0, hertz: float = 4.0) -> Car:
    """Create a car of two wheels, 1.6 m apart, on the ground at 0."""
    density, tyre, most = 1.0 / metre**2, ec.Circle(0.4 * metre), 0.25 * metre
    parked = Car(dynamic(ec.Box(2.4 * metre, 0.5 * metre), (0.0, 0.8 * metre), density=density), [], [])
    for x in (-0.8, 0.8):
        wheel = dynamic(tyre, (x * metre, 0.4 * metre), density=density, friction=1.0)
        axle = ec.WheelJoint(parked.chassis, wheel, hertz=hertz, damping_ratio=0.7, lower=-most, upper=most)
        esper.create_entity(axle)
        parked.wheels.append(wheel)
        parked.axles.append(axle)
    return parked


@pytest.mark.parametrize("metre", [1.0, 100.0])
@pytest.mark.parametrize("hertz", [2.0, 4.0, 8.0])
def test_a_car_stands_on_its_springs(hertz: float, metre: float) -> None:
    with game(gravity=(0.0, -9.81 * metre), length_unit=metre) as play:
        ground()
        parked = car(metre, hertz)
        play.step(480)
        mass, inertia = play.physics.mass_of(parked.chassis), play.physics.inertia_of(parked.chassis)
        for wheel, axle in zip(parked.wheels, parked.axles, strict=True):
            reduced = 1.0 / (1.0 / mass + 1.0 / play.physics.mass_of(wheel) + (0.8 * metre) ** 2 / inertia)
            sag = 0.5 * mass * 9.81 * metre / ((2.0 * pi * hertz) ** 2 * reduced)
            assert axle.translation == pytest.approx(sag, rel=0.02)
            assert axle.force == pytest.approx(0.5 * mass * 9.81 * metre, rel=0.01)


@pytest.mark.parametrize("metre", [1.0, 100.0])
@pytest.mark.parametrize("distance", [10.0, 50.0, 500.0])
def test_a_chassis_put_elsewhere_draws_its_wheels_along_the_ground_without_a_jerk(
    distance: float, metre: float
) -> None:
    with game(gravity=(0.0, -9.81 * metre), length_unit=metre) as play:
        ground()
        torn = car(metre)
        play.step(60)
        transform(torn.chassis).x += distance * metre
        greatest = 0.0
        for _ in range(120):
            play.step()
            greatest = max(greatest, torn.speed())
        assert greatest < 4.0 * metre
        assert all(axle.gap < distance * metre - metre for axle in torn.axles)
