"""A gas of elastic circles with equal speeds at first reaches the speeds of Maxwell and Boltzmann.

The exact response processes every impact at its time, so the kinetic energy stays constant. It gives the temperature,
kT = m <v²> / 2 in the plane. The density of speeds, which the bars on the right must approach, follows:
f(v) = (m v / kT) exp(-m v² / 2kT). Colours show the speed, of balls and bars alike.
"""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy.typing import NDArray

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

COUNT, RADIUS, SIDE = 2000, 0.5, 84.0
SPEED = 5.0
"""Speed of every ball at the start [m/s]."""
BIN, BINS = 0.4, 32
"""Width of a bar [m/s], and number of bars."""
HIGHEST = 0.22
"""Density at which bars are cut off [s/m]."""
CHART = View(SIDE + 13.0, 12.0, SIDE + 79.0, SIDE - 8.0)
"""Position of the bars [m]."""
COLD, MEAN, HOT = (64, 104, 216), (236, 220, 180), (228, 60, 52)
CURVE, AXIS = (248, 248, 250), (150, 156, 170)
NEAR, FAR = 1.95 / math.sqrt(COUNT), 0.5
"""Kolmogorov-Smirnov distances; one sample in a thousand of the law itself exceeds the first."""


def colour_of(speed: float) -> Colour:
    """Return a colour from blue for slow to red for fast."""
    red, green, blue = (round(np.interp(speed / SPEED, (0, 1, 2), parts)) for parts in zip(COLD, MEAN, HOT))
    return red, green, blue


COLOURS = [colour_of((k + 0.5) * BIN) for k in range(BINS)]


class Chart(esper.Processor):
    """The system that updates bars and colours after each step."""

    def __init__(self, gas: Gas, bars: list[Paint]) -> None:
        self.gas, self.bars = gas, bars

    def process(self, dt: float) -> None:
        gas = self.gas
        gas.impacts += ec.physics().statistics.impacts
        bins = np.minimum(gas.speeds() / BIN, BINS - 1).astype(np.intp)
        for paint, k in zip(gas.paints, bins.tolist(), strict=True):
            paint.colour = COLOURS[k]
        shares = np.bincount(bins, minlength=BINS) / COUNT
        width = (CHART.right - CHART.left) / BINS
        for bar, share in zip(self.bars, shares.tolist(), strict=True):
            height = height_of(share / BIN)
            bar.shape = ec.Box(0.86 * width, height, center=(0.0, 0.5 * height)) if height else None


def height_of(density: float) -> float:
    """Return the drawn height [m] of a density [s/m]."""
    return min(density / HIGHEST, 1.0) * (CHART.top - CHART.bottom)


class Gas(Demo):
    """The demo of a gas."""

    view = View(-2.0, -2.0, SIDE + 84.0, SIDE + 2.0)
    frames = 480
    steps_per_picture = 6

    def setup(self) -> None:
        ec.install(response="exact")
        for x, y in ((-1.0, 0.5 * SIDE), (SIDE + 1.0, 0.5 * SIDE)):
            self._wall(x, y, 2.0, SIDE + 4.0)
        for y in (-1.0, SIDE + 1.0):
            self._wall(0.5 * SIDE, y, SIDE, 2.0)
        generator = np.random.default_rng(11)
        columns = math.ceil(math.sqrt(COUNT))
        index, spacing = np.arange(COUNT), SIDE / columns
        places = spacing * (np.stack((index % columns, index // columns), axis=1) + 0.5)
        places += (0.5 * spacing - RADIUS) * generator.uniform(-0.98, 0.98, (COUNT, 2))
        directions = generator.uniform(0.0, 2.0 * math.pi, COUNT)
        self.paints = [Paint(colour_of(SPEED)) for _ in range(COUNT)]
        self.balls = ec.spawn(
            ec.Circle(RADIUS),
            places,
            velocities=SPEED * np.stack((np.cos(directions), np.sin(directions)), axis=1),
            restitution=1.0,
            extra=lambda k: (self.paints[k],),
        )
        self.impacts = 0
        esper.process(0.0)  # brings them into the columns
        rows = {entity: row for row, entity in enumerate(ec.physics().entities.tolist())}
        self.rows = np.array([rows[ball] for ball in self.balls])
        self.energy = self._energy()
        self.start = self.distance_to_law()
        self.chart = Chart(self, self._draw_chart())
        esper.add_processor(self.chart, priority=-100)

    def _wall(self, x: float, y: float, width: float, height: float) -> None:
        esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Box(width, height), restitution=1.0))

    def _draw_chart(self) -> list[Paint]:
        """Draw axis, curve and texts; return the paints of the bars."""
        left, bottom, right, top = CHART
        width = (right - left) / BINS
        bars = [Paint(colour) for colour in COLOURS]
        for k, bar in enumerate(bars):
            esper.create_entity(ec.Transform(left + (k + 0.5) * width, bottom), bar)
        speeds = np.linspace(0.0, BIN * BINS, 200)
        points = [(left + v / BIN * width, bottom + height_of(f)) for v, f in zip(speeds, self.density(speeds))]
        esper.create_entity(ec.Transform(), Paint(CURVE, shape=ec.Chain(points)))
        esper.create_entity(ec.Transform(), Paint(AXIS, shape=ec.Segment((left, bottom), (right, bottom))))
        middle = 0.5 * (left + right)
        texts = [(f"{v}", left + v / BIN * width, bottom - 3.0) for v in (0, 5, 10)]
        texts += [
            (f"kT / m = {self.energy:.1f} m²/s²", left + 0.75 * (right - left), bottom + 0.55 * (top - bottom)),
            ("speed [m/s]", middle, bottom - 7.5),
            (f"speeds of {COUNT:,} balls, and Maxwell and Boltzmann's law", middle, top + 5.0),
        ]
        for text, x, y in texts:
            esper.create_entity(ec.Transform(x, y), Paint(AXIS, label=text))
        return bars

    def speeds(self) -> NDArray[np.float64]:
        """Return the speeds of all balls, in their order [m/s]."""
        speeds: NDArray[np.float64] = np.hypot(*ec.physics().velocities[self.rows].T)
        return speeds

    def _energy(self) -> float:
        """Return the mean of v² / 2 [J/kg]; in the plane, that is kT / m."""
        return float(np.mean(0.5 * self.speeds() ** 2))

    def density(self, speed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the law's density of speeds [s/m]."""
        density: NDArray[np.float64] = speed / self.energy * np.exp(-0.5 * speed**2 / self.energy)
        return density

    def distance_to_law(self) -> float:
        """Return the greatest difference of the two cumulative distributions, after Kolmogorov and Smirnov."""
        below = 1.0 - np.exp(-0.5 * np.sort(self.speeds()) ** 2 / self.energy)
        steps = np.arange(COUNT + 1) / COUNT
        return float(max(np.max(steps[1:] - below), np.max(below - steps[:-1])))

    def drift(self) -> float:
        """Return the relative change of the energy."""
        return self._energy() / self.energy - 1.0

    def note(self) -> str:
        return f"{self.impacts:,} impacts    energy drift {self.drift():+.0e}"

    def check(self) -> str:
        end, drift = self.distance_to_law(), self.drift()
        expect(abs(drift) < 1e-12, f"the energy changed by {drift:.1e} of it")
        expect(self.start > FAR, f"the speeds were but {self.start:.3f} from the law at the start")
        expect(end < NEAR, f"the speeds are still {end:.3f} from the law, and should be within {NEAR:.3f}")
        return (
            f"after {self.impacts:,} impacts the energy is off by {drift:+.0e}, the speeds came from {self.start:.2f} "
            f"to {end:.3f} of the law (Kolmogorov-Smirnov, a true sample is within {NEAR:.3f})"
        )


DEMO = Gas
