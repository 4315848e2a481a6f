"""Friction and restitution: thresholds, and how two coefficients become one."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground, static

A, B = 0.2, 0.8
RULES = {
    ec.Combine.AVERAGE: 0.5,
    ec.Combine.MINIMUM: 0.2,
    ec.Combine.MULTIPLY: 0.16,
    ec.Combine.GEOMETRIC_MEAN: 0.4,
    ec.Combine.MAXIMUM: 0.8,
}
LATER = [(first, second) for k, first in enumerate(RULES) for second in list(RULES)[k + 1 :]]


def measured_restitution(**rules: ec.Combine) -> float:
    """The restitution with which a ball bounces off a wall."""
    with game(sleeping=False) as play:
        static(ec.HalfPlane((-1.0, 0.0)), restitution=A, restitution_rule=rules.get("wall", ec.Combine.USUAL))
        ball = dynamic(
            ec.Circle(0.5),
            (-1.0, 0.0),
            (3.0, 0.0),
            restitution=B,
            restitution_rule=rules.get("ball", ec.Combine.USUAL),
        )
        play.step(60)
        return -play.velocity(ball)[0] / 3.0


def test_restitution_is_usually_the_greater_one() -> None:
    assert measured_restitution() == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_restitution_by_rule(rule: ec.Combine) -> None:
    assert measured_restitution(wall=rule) == pytest.approx(RULES[rule], abs=1e-9)
    assert measured_restitution(ball=rule) == pytest.approx(RULES[rule], abs=1e-9)
    assert measured_restitution(ball=rule, wall=rule) == pytest.approx(RULES[rule], abs=1e-9)


@pytest.mark.parametrize(("earlier", "later"), LATER)
def test_of_two_rules_the_later_counts(earlier: ec.Combine, later: ec.Combine) -> None:
    assert measured_restitution(ball=earlier, wall=later) == pytest.approx(RULES[later], abs=1e-9)
    assert measured_restitution(ball=later, wall=earlier) == pytest.approx(RULES[later], abs=1e-9)


def combined_friction(floor_rule: ec.Combine, box_rule: ec.Combine) -> tuple[float, float]:
    """The friction of the contact, and the one that the deceleration of a sliding box shows."""
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        static(ec.HalfPlane(), friction=A, friction_rule=floor_rule)
        box = dynamic(ec.Box(4.0, 0.2), (0.0, 0.095), (10.0, 0.0), friction=B, friction_rule=box_rule)
        play.step(10)
        before = play.velocity(box)[0]
        play.step(30)
        (received,) = play.physics.contacts.friction
        return float(received), (before - play.velocity(box)[0]) / (30.0 / 60.0 * 10.0)


def test_friction_is_usually_the_geometric_mean() -> None:
    received, shown = combined_friction(ec.Combine.USUAL, ec.Combine.USUAL)
    assert received == pytest.approx(0.4, rel=1e-12)
    assert shown == pytest.approx(0.4, rel=0.02)


@pytest.mark.parametrize("rule", RULES)
def test_friction_by_rule(rule: ec.Combine) -> None:
    for floor_rule, box_rule in ((rule, ec.Combine.USUAL), (ec.Combine.USUAL, rule), (rule, rule)):
        received, shown = combined_friction(floor_rule, box_rule)
        assert received == pytest.approx(RULES[rule], rel=1e-12)
        assert shown == pytest.approx(RULES[rule], rel=0.02)


@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize(("speed", "bounces"), [(0.24, False), (0.26, True)])
def test_slow_impacts_do_not_bounce(unit: float, speed: float, bounces: bool) -> None:
    with game(length_unit=unit, sleeping=False) as play:
        static(ec.HalfPlane((-1.0, 0.0)))
        ball = dynamic(ec.Circle(0.5 * unit), (-0.6 * unit, 0.0), (speed * unit, 0.0), restitution=0.8)
        play.step(60)
        expected = -0.8 * speed * unit if bounces else 0.0
        assert play.velocity(ball)[0] == pytest.approx(expected, abs=1e-9 * unit)


def test_a_ball_bounces_to_the_square_of_its_restitution() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        ground()
        ball = dynamic(ec.Circle(0.5), (0.0, 2.5), restitution=0.8)
        heights = []
        for _ in range(120):
            play.step()
            heights.append(play.pose(ball)[1] - 0.5)
        lowest = int(np.argmin(heights[:60]))
        assert max(heights[lowest:]) == pytest.approx(2.0 * 0.64, rel=0.06)


def test_a_bounce_does_not_add_energy_under_gravity() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        ground()
        ball = dynamic(ec.Circle(0.5), (0.0, 2.5), restitution=1.0)
        for _ in range(1200):
            play.step()
            assert play.pose(ball)[1] < 2.51


def test_coefficients_may_change() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        floor = ground(friction=1.0)
        box = dynamic(ec.Box(4.0, 0.2), (0.0, 0.1), (2.0, 0.0), friction=0.0)
        play.step(60)
        assert play.velocity(box)[0] == pytest.approx(2.0, rel=1e-9)
        esper.component_for_entity(box, ec.Collider).friction = 1.0
        play.step(60)
        assert play.velocity(box)[0] == pytest.approx(0.0, abs=1e-4)
        esper.component_for_entity(floor, ec.Collider).friction = 0.0
        play.physics.apply_impulse(box, (0.8, 0.0))
        play.step(30)
        assert play.velocity(box)[0] == pytest.approx(1.0, abs=1e-4)


def test_friction_acts_against_the_way_of_sliding() -> None:
    for degrees in (0.0, 180.0):
        with game(gravity=(0.0, -10.0), sleeping=False) as play:
            ground(friction=0.5)
            speed = 4.0 * math.cos(math.radians(degrees))
            box = dynamic(ec.Box(2.0, 0.2), (0.0, 0.1), (speed, 0.0))
            play.step(20)
            assert 0.0 < play.velocity(box)[0] / speed < 1.0
            (contact,) = play.physics.contacts_of(box)
            assert contact.friction_impulse * contact.normal[1] / speed < 0.0  # along (n_y, -n_x), on B


@pytest.mark.parametrize(("speed", "after"), [(3.0, 6.0), (600.0, 1_000.0), (3_000.0, 3_000.0)])
def test_a_restitution_above_1_kicks_like_a_bumper_up_to_a_speed(speed: float, after: float) -> None:
    with game() as play:
        static(ec.HalfPlane((-1.0, 0.0)), restitution=2.0)
        ball = dynamic(ec.Circle(0.5), (-1.0, 0.0), (speed, 0.0))
        play.step(30)
        assert play.velocity(ball)[0] == pytest.approx(-after, rel=1e-9)


@pytest.mark.parametrize("restitution", [1.5, 1e17])
def test_a_ball_wedged_between_bumpers_stays_finite(restitution: float) -> None:
    with game(gravity=(0.0, -9.81)) as play:
        for turn in (-0.4, 0.4):
            static(ec.Box(0.5, 8.0), (-3.0 * turn, 0.0), angle=turn, restitution=restitution)
        ball = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, -5.0))
        for _ in range(120):
            play.step()
            assert np.abs(play.velocity(ball)).max() < 1e5


@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize(("speed", "threshold", "bounces"), [(0.2, None, False), (0.2, 0.1, True), (3.0, 4.0, False)])
def test_an_approach_below_the_bounce_speed_does_not_bounce(
    unit: float, speed: float, threshold: float | None, bounces: bool
) -> None:
    with game(length_unit=unit, bounce_speed=None if threshold is None else threshold * unit) as play:
        static(ec.HalfPlane((-1.0, 0.0)))
        ball = dynamic(ec.Circle(0.5 * unit), (-0.6 * unit, 0.0), (speed * unit, 0.0), restitution=1.0)
        play.step(60)
        left = play.velocity(ball)[0] / unit
        assert left == pytest.approx(-speed) if bounces else left > -0.1 * speed
