"""Which pairs touch, from which step on and with which normal, for each two shapes, in both engines."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support import pymunk_oracle
from tests.support.scene import BodyPlan, Scene, Trace, run_scene

SHAPES: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.5),
    "segment": ec.Segment((-0.6, 0.0), (0.6, 0.1)),
    "capsule": ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.25),
    "box": ec.Box(1.0, 0.6),
    "polygon": ec.Polygon([(-0.5, -0.3), (0.4, -0.4), (0.6, 0.2), (0.0, 0.6), (-0.6, 0.3)]),
    "rounded polygon": ec.Polygon([(-0.3, -0.3), (0.4, -0.2), (0.0, 0.4)], radius=0.15),
}
GROUND = ec.HalfPlane((0.0, 1.0), offset=0.2)
SPACING = 10.0
DT = 1.0 / 240.0

TRIALS = [
    (moving, struck, slide, angle, turn)
    for moving in SHAPES
    for struck in (*SHAPES, "half-plane")
    for slide, angle, turn in ((0.0, 0.0, 0.0), (0.37, 0.4, 0.0), (-0.25, 2.0, 1.5), (0.6, -0.8, -2.0), (1.9, 0.1, 0.0))
    if not (moving == struck == "segment" and angle == 0.0)  # in pymunk parallel lines pass through each other
]


def trial_scene(shape_name: str) -> tuple[Scene, list[tuple[str, str, float, float, float]]]:
    """One shape thrown at each of the others, pair by pair, far enough apart that no pair meets another."""
    trials = [trial for trial in TRIALS if trial[0] == shape_name]
    bodies = []
    for k, (moving, struck, slide, angle, turn) in enumerate(trials):
        x = SPACING * k
        if struck == "half-plane":
            bodies.append(BodyPlan(SHAPES[moving], (x, 1.4), (0.3, -2.0), angle, turn))
        else:
            bodies.append(BodyPlan(SHAPES[struck], (x, 5.0), angle=0.5 * angle, static=True))
            bodies.append(BodyPlan(SHAPES[moving], (x + slide, 6.6), (-0.2, -2.0), angle, turn))
    bodies.append(BodyPlan(GROUND, static=True))
    return Scene(tuple(bodies), steps=240, dt=DT), trials


@pytest.fixture(scope="module", params=list(SHAPES))
def traces(request: pytest.FixtureRequest) -> tuple[Trace, Trace]:
    scene, _ = trial_scene(request.param)
    return run_scene(scene), pymunk_oracle.run_in_pymunk(scene)


def test_the_same_pairs_touch(traces: tuple[Trace, Trace]) -> None:
    ours, theirs = traces
    assert ours.first_touch.keys() == theirs.first_touch.keys()
    assert len(ours.first_touch) >= 20


def test_they_touch_from_the_same_step_on(traces: tuple[Trace, Trace]) -> None:
    ours, theirs = traces
    apart = {pair: (step, theirs.first_touch[pair]) for pair, step in ours.first_touch.items()}
    assert {pair: steps for pair, steps in apart.items() if abs(steps[0] - steps[1]) > 1} == {}


def test_their_normals_agree(traces: tuple[Trace, Trace]) -> None:
    ours, theirs = traces
    for pair, (x, y) in ours.normals.items():
        other_x, other_y = theirs.normals[pair]
        assert math.hypot(x, y) == pytest.approx(1.0, abs=1e-12)
        assert math.hypot(x - other_x, y - other_y) < 0.03, pair  # a step's way of 8 mm turns round normals
