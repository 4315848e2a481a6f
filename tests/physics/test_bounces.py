"""Bounces beside closed forms: Newton's restitution, Coulomb's friction, and the energy of many together."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.own_kernels import not_plain
from tests.support.worlds import DT, Game, dynamic, esper_world, game, ground, static

G = 9.81


def heights_reached(play: Game, ball: int, steps: int, substeps: int = 4, unit: float = 1.0) -> list[float]:
    """Return the height over rest of a ball of radius .25 after each bounce [m], by energy.

    While it flies, y + v^2 / 2g - v h / 2 is constant: the energy that the integrator keeps.
    """
    energies: list[float] = []
    bounced = True
    for _ in range(steps):
        before = play.velocity(ball)[1]
        play.step()
        speed = play.velocity(ball)[1] / unit
        if speed > before / unit + 1e-9:
            bounced = True
        elif bounced:
            energies.append(play.pose(ball)[1] / unit - 0.25 + speed * speed / (2.0 * G) - 0.5 * DT / substeps * speed)
            bounced = False
    return energies


@pytest.mark.parametrize("substeps", [2, 4, 7])
@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize(("restitution", "height"), [(0.9, 1.0), (0.7, 2.0), (0.5, 5.0), (0.3, 1.37)])
def test_a_ball_reaches_e_squared_of_its_height(restitution: float, height: float, unit: float, substeps: int) -> None:
    with game(gravity=(0.0, -G * unit), length_unit=unit, substeps=substeps) as play:
        ground(restitution=restitution)
        ball = dynamic(ec.Circle(0.25 * unit), (0.0, (0.25 + height) * unit), restitution=restitution)
        reached = heights_reached(play, ball, 900, substeps, unit)
        expected = [height * restitution ** (2 * k) for k in range(100)]
        above = [k for k in range(100) if 2.0 * G * expected[k] > 0.4**2]  # flights that take some steps
        assert len(reached) >= len(above)
        # the drop itself starts with a step at rest
        assert reached[1 : len(above)] == pytest.approx(expected[1 : len(above)], rel=0.01)
        assert abs(play.velocity(ball)[1]) < 1e-3 * unit, "in the end it rests"


@pytest.mark.parametrize("height", [0.4, 1.0, 2.0])
def test_a_ball_without_loss_bounces_for_ever(height: float) -> None:
    with game(gravity=(0.0, -G)) as play:
        ground(restitution=1.0)
        ball = dynamic(ec.Circle(0.25), (0.0, 0.25 + height), restitution=1.0)
        play.step()
        reached = heights_reached(play, ball, 4680)
        assert len(reached) > 40
        assert reached == pytest.approx([height] * len(reached), rel=1e-6)


@pytest.mark.parametrize("lock", [{}, {"lock_rotation": True}, {"lock_x": True}], ids=str)
def test_a_box_that_lands_flat_bounces_as_a_ball_does(lock: dict[str, Any]) -> None:
    with game(gravity=(0.0, -G)) as play:
        ground(restitution=0.8)
        box = dynamic(ec.Box(1.0, 0.5), (0.0, 1.25), (0.0, 0.0), ec.RigidBody(**lock), restitution=0.8)
        reached = heights_reached(play, box, 200)
        assert reached[1:4] == pytest.approx([0.8 ** (2 * k) for k in (1, 2, 3)], rel=0.01)
        assert play.pose(box)[2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("restitution", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("friction", [0.1, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("across", [2.0, 5.0, 10.0])
@pytest.mark.parametrize("down", [2.0, 5.0, 10.0])
def test_the_friction_of_a_bounce_is_coulombs(down: float, across: float, friction: float, restitution: float) -> None:
    """The impulse across is at most friction times that along the normal, the bounce's share included."""
    with game() as play:
        ground(friction, restitution)
        material = {"friction": friction, "restitution": restitution}
        ball = dynamic(ec.Circle(0.5), (0.0, 0.53), (across, -down), **material)
        play.step(20)
        rub = min(friction * (1.0 + restitution) * down, across / 3.0)  # a third makes a full disk roll
        expected = across - rub, restitution * down, -2.0 * rub / 0.5
        assert play.velocity(ball) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("friction", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("across", [0.0, 2.0, 10.0])
@pytest.mark.parametrize("spin", [-15.0, 0.0, 15.0])
@pytest.mark.parametrize("down", [2.0, 8.0, 30.0])
def test_the_friction_of_a_landing_is_coulombs(down: float, spin: float, across: float, friction: float) -> None:
    """A fast ball may be found at any depth: the impulse that pushes it out must not feed friction."""
    with game(gravity=(0.0, 0.0)) as play:
        ground(friction)
        ball = dynamic(ec.Circle(0.5), (0.0, 2.0), (across, -down), angular=spin, friction=friction)
        play.step(60)
        slip = across + 0.5 * spin
        rub = max(-friction * down, min(friction * down, -slip / 3.0))
        expected = across + rub, 0.0, spin + 2.0 * rub / 0.5
        assert play.velocity(ball) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_each_bounce_is_one_hit_with_the_speed_of_its_fall() -> None:
    with game(gravity=(0.0, -G), hit_speed=0.45) as play:
        log = EventLog("collision_hit")

        ground(restitution=0.7)
        dynamic(ec.Circle(0.25), (0.0, 1.25), restitution=0.7)
        play.step(300)
        fall = math.sqrt(2.0 * G)
        expected = [fall * 0.7**k for k in range(20) if fall * 0.7**k > 0.5]
        hits = log.contacts
        assert [hit.approach_speed for hit in hits] == pytest.approx(expected, abs=G * DT)
        mass = math.pi * 0.25**2
        impulses = [1.7 * mass * speed for speed in expected]
        assert [hit.normal_impulse for hit in hits] == pytest.approx(impulses, rel=0.02, abs=2.0 * mass * G * DT)


def create_gas(count: int, gravity: float, seed: int, fill: float) -> tuple[float, list[int], float]:
    """Elastic balls in a box: the half side, the balls, and their energy a unit of mass [J/kg]."""
    rng = np.random.default_rng(seed)
    side = 0.5 * math.sqrt(count * math.pi * 0.25**2 / fill)
    for normal in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        static(ec.HalfPlane(normal, -side), friction=0.0, restitution=1.0)
    columns = math.ceil(math.sqrt(count))
    spacing = 2.0 * side / columns
    cells = np.array([(k % columns, k // columns) for k in range(count)])
    places = (cells + 0.5) * spacing - side + rng.uniform(-0.3, 0.3, (count, 2)) * (spacing - 0.5)
    velocities = rng.normal(0.0, 3.0, (count, 2))
    balls = ec.spawn(ec.Circle(0.25), places, velocities=velocities, friction=0.0, restitution=1.0)
    energy = 0.5 * (velocities**2).sum() + gravity * (places[:, 1] + side - 0.25).sum()
    return side, list(balls), float(energy)


@not_plain
@pytest.mark.parametrize(
    ("count", "gravity", "fill", "seconds"),
    [(60, 0.0, 0.15, 60), (200, 0.0, 0.15, 60), (60, 0.0, 0.5, 60), (60, G, 0.15, 15), (200, G, 0.15, 15)],
)
def test_an_elastic_crowd_goes_on(count: int, gravity: float, fill: float, seconds: int) -> None:
    """At least 97 % of the energy stays, and at no time there is 1 % more."""
    with esper_world():
        physics = ec.install(gravity=(0.0, -gravity))
        side, balls, start = create_gas(count, gravity, 1, fill)
        for _ in range(seconds):
            for _ in range(60):
                esper.process(DT)
            rows = [physics.row_of(ball) for ball in balls]
            kinetic = 0.5 * (physics.velocities[rows] ** 2).sum()
            energy = kinetic + gravity * (physics.positions[rows, 1] + side - 0.25).sum()
            assert energy < 1.01 * start
        assert energy > 0.97 * start
