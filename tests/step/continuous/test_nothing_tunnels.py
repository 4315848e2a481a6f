"""Dynamic bodies of any speed pass through no static or kinematic body, nor through a bullet."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.step.solver.impulse_response import ImpulseResponse
from ecs_collide.systems import Broadphase, Narrowphase, Response
from tests.support.hooks import hook
from tests.support.worlds import Game, game

DT = 1.0 / 60.0
RADIUS = 0.1
FAR = 4000.0
APART = -7
"""A group whose members never meet: every shot is on its own."""

WALLS: dict[str, ec.Shape] = {
    "segment": ec.Segment((0.0, -FAR), (0.0, FAR)),
    "wall": ec.Box(0.1, 2.0 * FAR),
    "half-plane": ec.HalfPlane((-1.0, 0.0)),
    "chain": ec.Chain([(0.0, -FAR), (0.0, 0.0), (0.0, FAR)]),
}


def shot(shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float], spin: float = 0.0) -> int:
    return esper.create_entity(
        ec.Transform(*place),
        ec.Velocity(*velocity, spin),
        ec.Collider(shape, friction=0.0, restitution=0.5, group=APART),
    )


def passed(play: Game, wall: int, shots: list[int], steps: int) -> int:
    """Return the number of shots that were beyond the wall at the end of any step."""
    beyond: set[int] = set()
    for _ in range(steps):
        play.step(1)
        at = esper.component_for_entity(wall, ec.Transform).x
        beyond.update(entity for entity in shots if esper.component_for_entity(entity, ec.Transform).x > at)
    return len(beyond)


def volley(
    wall: ec.Shape, radii_per_step: float, angle: float, wall_speed: float = 0.0, continuous: bool = True
) -> int:
    """Fire 200 circles from different distances; return how many pass."""
    speed = radii_per_step * RADIUS / DT
    with game(gravity=(0.0, 0.0), continuous=continuous) as play:
        moving = (ec.Velocity(wall_speed, 0.0), ec.RigidBody(ec.BodyKind.KINEMATIC)) if wall_speed else ()
        target = esper.create_entity(ec.Transform(), ec.Collider(wall, friction=0.0), *moving)
        shots = [
            shot(
                ec.Circle(RADIUS),
                (-0.5 - 0.04 * k * radii_per_step * RADIUS, 0.5 * k - 50.0),
                (speed * math.cos(angle), speed * math.sin(angle)),
            )
            for k in range(200)
        ]
        return passed(play, target, shots, 30)


@pytest.mark.parametrize("radii_per_step", [0.5, 1.0, 3.0, 20.0, 1000.0])
@pytest.mark.parametrize("wall", WALLS)
def test_no_circle_passes_a_wall(wall: str, radii_per_step: float) -> None:
    assert volley(WALLS[wall], radii_per_step, 0.0) == 0
    assert volley(WALLS[wall], radii_per_step, 1.4) == 0


@pytest.mark.parametrize("radii_per_step", [1.0, 20.0, 1000.0])
@pytest.mark.parametrize("wall", ["segment", "wall"])
def test_no_circle_passes_a_wall_that_comes_towards_it(wall: str, radii_per_step: float) -> None:
    assert volley(WALLS[wall], radii_per_step, 0.0, wall_speed=-0.5 * radii_per_step * RADIUS / DT) == 0


def test_without_it_most_pass() -> None:
    assert volley(WALLS["wall"], 20.0, 0.0, continuous=False) > 150


def test_a_fast_kinematic_wall_carries_resting_bodies() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        wall = esper.create_entity(
            ec.Transform(5.0),
            ec.Velocity(-60.0, 0.0),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Box(0.1, 4.0)),
        )
        ball = shot(ec.Circle(RADIUS), (0.0, 0.0), (0.0, 0.0))
        assert passed(play, wall, [ball], 20) == 0


def test_no_spinning_rod_passes_a_thin_wall() -> None:
    """Rods of 2 m by 2 cm at 100 rad/s, whose tips sweep over a wall of 2 cm."""
    random = np.random.default_rng(1)
    with game(gravity=(0.0, 0.0)) as play:
        wall = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.02, 2.0 * FAR), friction=0.0))
        rods = [
            shot(ec.Box(2.0, 0.02), (-0.3 - 0.7 * random.random(), 3.0 * k), (random.uniform(0.0, 5.0), 0.0), 100.0)
            for k in range(50)
        ]
        for rod in rods:  # from along the wall
            esper.component_for_entity(rod, ec.Transform).angle = 0.5 * math.pi
        assert passed(play, wall, rods, 60) == 0


@pytest.mark.parametrize("speed", [10.0, 100.0, 3000.0])
def test_bullets_do_not_pass_each_other(speed: float) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        pairs = []
        for k in range(100):
            gap = 0.5 + 0.013 * k * speed * DT
            pairs.append(
                [
                    esper.create_entity(
                        ec.Transform(side * gap, float(k)),
                        ec.Velocity(-side * speed, 0.0),
                        ec.Collider(ec.Circle(RADIUS)),
                        ec.RigidBody(bullet=True),
                    )
                    for side in (-1.0, 1.0)
                ]
            )
        for _ in range(10):
            play.step(1)
            for left, right in pairs:
                assert play.pose(left)[0] < play.pose(right)[0]


def test_a_bullet_does_not_pass_a_fast_body_that_is_no_bullet() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        bullet = esper.create_entity(
            ec.Transform(-3.0), ec.Velocity(400.0, 0.0), ec.Collider(ec.Circle(RADIUS)), ec.RigidBody(bullet=True)
        )
        other = esper.create_entity(ec.Transform(3.0), ec.Velocity(-300.0, 0.0), ec.Collider(ec.Circle(RADIUS)))
        for _ in range(5):
            play.step(1)
            assert play.pose(bullet)[0] < play.pose(other)[0]


@pytest.mark.parametrize("gap", [1.0, 30.0, 2000.0])
def test_a_bullet_does_not_pass_a_resting_body_far_away(gap: float) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        ec.spawn(ec.Circle(0.5), [(2.0 * k, 50.0) for k in range(40)], velocities=np.zeros((40, 2)))
        rod = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(0.02, 20.0)))
        speed = 2.0 * gap / DT
        bullet = esper.create_entity(
            ec.Transform(-gap), ec.Velocity(speed), ec.Collider(ec.Circle(RADIUS)), ec.RigidBody(bullet=True)
        )
        for _ in range(3):
            play.step(1)
            assert play.pose(bullet)[0] < play.pose(rod)[0]
        assert play.velocity(rod)[0] > 0.0


def test_where_nothing_can_stop_anything_nothing_is_swept() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        shots = [shot(ec.Circle(RADIUS), (0.0, 3.0 * k), (500.0, 0.0)) for k in range(5)]
        play.step(2)
        response = play.physics.pipeline.response
        assert isinstance(response, ImpulseResponse)
        assert response._sweeper._motions is None
        esper.create_entity(ec.Transform(60.0), ec.Collider(ec.Box(0.1, 100.0)))
        play.step(8)
        assert max(play.pose(entity)[0] for entity in shots) < 60.0


def test_a_stopped_body_keeps_its_velocity_for_the_contact_of_the_next_step() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.1, 10.0), restitution=0.0))
        ball = esper.create_entity(
            ec.Transform(-1.0), ec.Velocity(100.0, 0.0), ec.Collider(ec.Circle(RADIUS), restitution=1.0)
        )
        play.step(1)
        assert play.physics.statistics.stopped_bodies == 1
        assert play.velocity(ball)[0] == 100.0
        assert play.pose(ball)[0] == pytest.approx(-0.15, abs=0.006)
        play.step(1)
        assert play.velocity(ball)[0] == pytest.approx(-100.0, rel=1e-6)


def test_a_near_miss_is_not_deflected() -> None:
    """Past the corner of a box at 1 mm, at many speeds."""
    for speed in (5.0, 50.0, 500.0):
        with game(gravity=(0.0, 0.0)) as play:
            esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)))
            reach = (0.1 + 0.001) * math.sqrt(0.5)
            start = (0.5 + reach - 2.0, 0.5 + reach + 2.0)
            ball = shot(ec.Circle(0.1), start, (speed, -speed))
            play.step(max(3, int(4.0 / (speed * DT))))
            assert play.velocity(ball)[:2] == (speed, -speed)


def test_sliding_and_rolling_fast_are_not_stopped() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        esper.create_entity(ec.Transform(), ec.Collider(ec.Box(400.0, 1.0), friction=0.0))
        box = esper.create_entity(
            ec.Transform(-50.0, 1.0), ec.Velocity(60.0, 0.0), ec.Collider(ec.Box(1.0, 1.0), friction=0.0)
        )
        play.step(120)
        assert play.velocity(box)[0] == 60.0
        assert play.pose(box)[0] == pytest.approx(70.0, abs=1e-6)


def test_a_teleport_is_not_swept() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.1, 10.0)))
        ball = esper.create_entity(ec.Transform(-2.0), ec.Velocity(0.0, 0.0), ec.Collider(ec.Circle(RADIUS)))
        play.step(1)
        esper.component_for_entity(ball, ec.Transform).position = (2.0, 0.0)
        play.step(1)
        assert play.pose(ball)[:2] == (2.0, 0.0)


@pytest.mark.parametrize("order", [1, -1])
def test_a_sensor_crossed_within_a_step_is_entered_and_left(order: int) -> None:
    with game(gravity=(0.0, 0.0)) as play:

        def gate_entity() -> int:
            return esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.1, 10.0), sensor=True))

        def ball_entity() -> int:
            return esper.create_entity(ec.Transform(-1.0), ec.Velocity(150.0, 0.0), ec.Collider(ec.Circle(RADIUS)))

        makers = [gate_entity, ball_entity]
        gate, ball = [make() for make in makers[::order]][::order]
        play.step(1)
        assert play.events == [(0, "sensor_enter", (gate, ball)), (0, "sensor_exit", (gate, ball))]
        play.step(2)
        assert len(play.events) == 2
        assert play.velocity(ball)[0] == 150.0


@pytest.mark.parametrize("by", ["pairs", "contacts"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_pairs_that_the_game_switches_off_stop_nothing(count: int, by: str) -> None:
    """Also after a step in which something was swept: the list of them has the form that it had then."""

    def switch_off() -> None:
        if by == "pairs":
            pairs = ec.physics().pairs
            pairs.disable(np.ones(len(pairs), np.bool_))
        else:
            ec.physics().contacts.enabled[:] = False

    with game() as play:
        esper.create_entity(ec.Transform(0.0, -5.0), ec.Collider(ec.Box(0.1, 2.0)))
        shot(ec.Circle(RADIUS), (-2.0, -5.0), (300.0, 0.0))
        play.step(1)
    with game(gravity=(0.0, 0.0)) as play:
        balls = []
        for k in range(count):
            esper.create_entity(ec.Transform(0.0, 3.0 * k), ec.Collider(ec.Box(0.1, 1.0)))
            balls.append(shot(ec.Circle(RADIUS), (-0.155, 3.0 * k), (300.0, 0.0)))
        hook(*{"pairs": (Broadphase, Narrowphase), "contacts": (Narrowphase, Response)}[by], switch_off)
        play.step(2)
        assert all(play.pose(ball)[0] > 9.0 for ball in balls)
