"""Bodies that pass closely: over a gap in a level floor, and down a slot that is hardly wider than they are."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, game, static

G = 9.81
SLOTS = {
    "boxes": lambda half: [static(ec.Box(4.0, 4.0), (side * (half + 2.0), -2.0)) for side in (-1.0, 1.0)],
    "tiles": lambda half: [
        static(ec.Box(1.0, 1.0), (side * (half + 0.5 + k), -0.5 - m))
        for side in (-1.0, 1.0)
        for k in range(3)
        for m in range(4)
    ],
    "chain": lambda half: [
        static(ec.Chain([(4.0, 0.0), (half, 0.0), (half, -9.0), (-half, -9.0), (-half, 0.0), (-4.0, 0.0)]))
    ],
}


def lock() -> ec.RigidBody:
    return ec.RigidBody(lock_rotation=True)


@pytest.mark.parametrize("speed", [0.3, 1.0, 3.0, 8.0, 12.0])
@pytest.mark.parametrize("gap", [0.05, 0.2, 0.4])
def test_a_box_slides_over_a_gap_between_level_blocks(gap: float, speed: float) -> None:
    with game(gravity=(0.0, -G)) as play:
        for x in (-5.0, 5.0 + gap):
            static(ec.Box(10.0, 1.0), (x, -0.5), friction=0.0)
        boxes = [
            dynamic(ec.Box(1.0, 1.0), (-0.6 - gap - start, 0.5), (speed, 0.0), lock(), friction=0.0, group=-1)
            for start in np.linspace(0.0, speed * DT, 7)
        ]
        play.step(int((1.4 + 2.0 * gap) / (speed * DT)) + 10)
        for box in boxes:
            assert play.velocity(box)[0] == pytest.approx(speed, rel=1e-3)
            assert play.pose(box)[1] == pytest.approx(0.5, abs=0.006)


@pytest.mark.parametrize("clearance", [1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.05])
@pytest.mark.parametrize("shape", [ec.Box(1.0, 1.0), ec.Circle(0.5)], ids=["box", "circle"])
@pytest.mark.parametrize("slot", SLOTS)
def test_what_fits_falls_down_a_slot(slot: str, shape: ec.Shape, clearance: float) -> None:
    for speed in (0.0, 5.0, 11.0):
        for phase in range(5):
            with game(gravity=(0.0, -G)) as play:
                SLOTS[slot](0.5 + clearance)
                body = dynamic(shape, (0.0, 1.5 + 0.031 * phase), (0.0, -speed), friction=0.0)
                while play.pose(body)[1] > -2.5:
                    before = play.velocity(body)[1]
                    play.step()
                    assert play.velocity(body)[1] < before, "nothing brakes it"
                assert abs(play.pose(body)[0]) < clearance + 0.005


def test_what_does_not_fit_stays_on_the_slot() -> None:
    for slot in ("boxes", "tiles"):
        for speed in (0.5, 2.0, 6.0, 12.0):
            with game(gravity=(0.0, -G)) as play:
                SLOTS[slot](0.48)
                box = dynamic(ec.Box(1.0, 1.0), (0.0, 1.5), (0.0, -speed))
                play.step(60)
                assert play.pose(box)[1] == pytest.approx(0.5, abs=0.006)
                assert len(list(esper.get_component(ec.Velocity))) == 1
