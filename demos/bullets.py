"""Shots that one step would take through walls: the solid ones stop at the first touch, the pale ones pass.

Each volley is one step of 1/60 s, played back slowly. A pale shape ends where a step takes the shot in a second world,
with `continuous=False`. A pale band is the area that a shot sweeps until it is stopped.
"""

from __future__ import annotations

import math
from itertools import pairwise

import esper
import numpy as np
from numpy.typing import NDArray

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Paint, View, expect
from ecs_collide.demos.volley import SHOTS, Pose, Shot, Volley, first_touches, without_continuous
from ecs_collide.draw.shape_outline import outline, placed

CHARGES = (0.8, 1.0, 0.9)
"""Charges of the volleys in turn: fractions of a full step."""
PERIOD, WAIT, FLIGHT = 100, 15, 50
"""Frames of a volley, frames before the shot, and frames of the playback."""
TOLERANCE = 0.02
"""Distance beyond the first touch that does not count as passing [m]; the engine allows overlaps up to 5 mm."""
TURN = 0.1
"""Angle between two stations of the band of a turning shot [rad]."""
BAND, GHOST = 0.35, 0.75
"""Share of the colour of pale shapes."""
FASTEST = max(CHARGES) * max(math.hypot(*shot.way[:2]) for shot in SHOTS) / DT
TEXT = (150, 156, 170)
TEXTS = {
    "a ball at a thin wall": (-9.7, 6.1),
    "a rod at a line": (-10.0, 3.8),
    "a spinning rod at a peg": (-9.5, 1.3),
    "two bullets": (-10.3, -2.5),
    "through a sensor, at a thin wall": (-8.85, -4.95),
    "small balls in a fence without thickness": (6.6, 6.1),
    "pale: the same step with continuous=False": (6.6, -6.4),
}


class Bullets(Volley):
    """The demo of bullets."""

    view = View(-12.2, -7.0, 12.2, 6.8)
    frames = PERIOD * len(CHARGES)

    def setup(self) -> None:
        super().setup()
        ec.on("sensor_enter", self.on_enter)
        ec.on("sensor_exit", self.on_exit)
        for text, (x, y) in TEXTS.items():
            esper.create_entity(ec.Transform(x, y), Paint(TEXT, label=text))
        self.ends = [without_continuous(charge) for charge in CHARGES]
        self.touches = [first_touches(charge) for charge in CHARGES]
        self.stops = [shot.start for shot in SHOTS]
        self.ghosts: list[int] = []
        self.bands: list[int] = []
        self.events: list[tuple[str, int]] = []
        self.fired = self.crossings = 0
        self.beyond: list[float] = []
        """Distance of each shot beyond its first touch [m]."""

    def on_enter(self, sensor: int, entity: int) -> None:
        self.events.append(("enter", entity))

    def on_exit(self, sensor: int, entity: int) -> None:
        self.events.append(("exit", entity))

    def script(self, frame: int) -> None:
        number, since = divmod(frame, PERIOD)
        number %= len(CHARGES)
        if since == 0:
            self._make_ready(number)
        elif since == WAIT:
            self.events.clear()
            self.load(CHARGES[number])
        elif since > WAIT:
            if since == WAIT + 1:
                self._take_down(number)
            self._play_back(min(1.0, (since - WAIT) / FLIGHT), CHARGES[number], self.ends[number])

    def _make_ready(self, number: int) -> None:
        for drawing in self.ghosts + self.bands:
            esper.delete_entity(drawing)
        self.ghosts, self.bands = [], []
        self._stand([shot.start for shot in SHOTS])

    def _take_down(self, number: int) -> None:
        """Record after the step where the shots were stopped, and that the sensor was crossed."""
        self.stops = self.poses()
        gone = [shot.gone(stop) for shot, stop in zip(SHOTS, self.stops, strict=True)]
        self.beyond += np.subtract(gone, self.touches[number]).tolist()
        self.fired += len(SHOTS)
        self.crossings += [kind for kind, _ in self.events] == ["enter", "exit"]
        for shot, way in zip(SHOTS, gone, strict=True):
            self.bands.append(self._draw(swept(shot, way / shot.length), (0.0, 0.0, 0.0), shot.colour, BAND))
            self.bands.append(self._draw(shot.shape, shot.start, shot.colour, BAND))
        self.ghosts = [self._draw(shot.shape, shot.start, shot.colour, GHOST) for shot in SHOTS]

    def _draw(self, shape: ec.Shape, pose: Pose, colour: Colour, share: float) -> int:
        red, green, blue = (round(back + share * (own - back)) for own, back in zip(colour, self.background))
        return esper.create_entity(ec.Transform(*pose), Paint((red, green, blue), shape=shape))

    def _play_back(self, fraction: float, charge: float, ends: list[Pose]) -> None:
        """Show the state at a fraction of the step."""
        for ghost, shot, end in zip(self.ghosts, SHOTS, ends, strict=True):
            place = esper.component_for_entity(ghost, ec.Transform)
            place.x, place.y, place.angle = (a + fraction * (b - a) for a, b in zip(shot.start, end, strict=True))
        way = fraction * charge
        self._stand(
            [
                shot.pose(way) if way * shot.length < shot.gone(stop) else stop
                for shot, stop in zip(SHOTS, self.stops, strict=True)
            ]
        )

    def _stand(self, poses: list[Pose]) -> None:
        self.load(0.0)
        for entity, pose in zip(self.shots, poses, strict=True):
            place = esper.component_for_entity(entity, ec.Transform)
            place.x, place.y, place.angle = pose

    def note(self) -> str:
        return f"{self.fired} shots, {self._passed()} passed, fastest {FASTEST:.0f} m/s"

    def _passed(self) -> int:
        return sum(beyond > TOLERANCE for beyond in self.beyond)

    def check(self) -> str:
        passed, least = self._passed(), min(self.beyond)
        without = sum(
            shot.gone(end) > touch + TOLERANCE
            for ends, touches in zip(self.ends, self.touches, strict=True)
            for shot, end, touch in zip(SHOTS, ends, touches, strict=True)
        )
        expect(self.fired == len(SHOTS) * len(CHARGES), f"only {self.fired} shots were fired")
        expect(passed == 0, f"{passed} of {self.fired} shots passed")
        expect(least > -TOLERANCE, f"a shot was stopped {-1000.0 * least:.0f} mm before it touched anything")
        expect(self.crossings == len(CHARGES), f"the sensor was entered and left in {self.crossings} volleys only")
        expect(without > 0.5 * self.fired, f"without continuous collision only {without} would have passed")
        return (
            f"{passed} of {self.fired} shots passed, {without} would have with continuous=False; they were stopped "
            f"{1000.0 * least:+.1f} to {1000.0 * max(self.beyond):+.1f} mm beyond the first touch that "
            "time_of_impact foretells"
        )


def swept(shot: Shot, fraction: float) -> ec.Shape:
    """Return the area that a convex shot sweeps on a part of its path: hulls of the shape at consecutive stations."""
    count = 1 + math.ceil(abs(fraction * shot.way[2]) / TURN)
    (area,) = outline(shot.shape).areas
    stations = [placed(area, *shot.pose(fraction * k / count)) for k in range(count + 1)]
    return ec.Compound([ec.Polygon(hull(np.concatenate(two))) for two in pairwise(stations)])


def hull(points: NDArray[np.float64]) -> list[list[float]]:
    """Return the convex hull of points (n, 2), counter-clockwise, by Andrew's monotone chain."""
    ordered = sorted(points.tolist())
    corners: list[list[float]] = []
    for row in (ordered, ordered[::-1]):
        half: list[list[float]] = []
        for x, y in row:
            while len(half) > 1:
                (ax, ay), (bx, by) = half[-2:]
                if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                    break
                half.pop()
            half.append([x, y])
        corners += half[:-1]
    return corners


DEMO = Bullets
