"""A pyramid of boxes stands in both engines, and the same boxes touch."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from tests.support import pymunk_oracle
from tests.support.scene import BodyPlan, Scene, Trace, run_scene

BASE = 12
GAP = 0.1
"""Boxes begin this far apart sideways, so that neighbours do not touch [m]."""


@pytest.fixture(scope="module")
def pyramid() -> Scene:
    bodies = [BodyPlan(ec.HalfPlane((0.0, 1.0)), static=True, friction=0.5)]
    for row in range(BASE):
        for column in range(BASE - row):
            place = (column + 0.5 * row) * (1.0 + GAP), row + 0.5
            bodies.append(BodyPlan(ec.Box(1.0, 1.0), place, friction=0.5))
    return Scene(tuple(bodies), (0.0, -9.81), steps=300)


@pytest.fixture(scope="module")
def our_trace(pyramid: Scene) -> Trace:
    return run_scene(pyramid)


def test_it_stands(pyramid: Scene, our_trace: Trace) -> None:
    start = np.array([body.position for body in pyramid.bodies])
    theirs = pymunk_oracle.run_in_pymunk(pyramid, iterations=30)
    moved = np.abs(our_trace.poses[-1, :, :2] - start)
    assert np.abs(theirs.poses[-1, :, :2] - start).max() < 0.25
    assert moved[:, 0].max() < 0.01
    assert moved[:, 1].max() < BASE * 0.01
    assert np.abs(our_trace.poses[-1, :, 2]).max() < 0.01


def test_it_rests(our_trace: Trace) -> None:
    speeds = np.hypot(our_trace.velocities[-1, 1:, 0], our_trace.velocities[-1, 1:, 1])
    assert np.sqrt((speeds**2).mean()) < 1e-3


def test_each_box_touches_those_under_it(pyramid: Scene, our_trace: Trace) -> None:
    """The bodies that touch here are exactly those that touch in pymunk."""
    theirs = pymunk_oracle.run_in_pymunk(Scene(pyramid.bodies, pyramid.gravity, steps=30), iterations=30)
    early = {pair for pair, step in our_trace.first_touch.items() if step < 30}
    below = {
        (a, b)
        for a, first in enumerate(pyramid.bodies)
        for b, second in enumerate(pyramid.bodies)
        if a < b
        and (
            (a == 0 and second.position[1] < 1.0)
            or (
                a > 0
                and abs(second.position[1] - first.position[1] - 1.0) < 0.1
                and abs(second.position[0] - first.position[0]) < 0.9
            )
        )
    }
    assert early == below
    assert theirs.first_touch.keys() >= below
