"""The exact response without esper: columns filled by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import ecs_collide as ec
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import MATERIAL
from ecs_collide.exact.exact_solver import ExactSolver
from ecs_collide.shapes import Shape
from ecs_collide.step.broadphase.boxes import update_frames
from tests.support.reference.column_world import PLAIN, ColumnWorld

FloatArray = NDArray[np.float64]


class ExactWorld:
    """Balls and obstacles; the arrays are in the order in which the balls were added."""

    def __init__(self, gravity: tuple[float, float] = (0.0, 0.0), cell_scale: float = 1.0, length_unit: float = 1.0):
        self.columns = ColumnWorld()
        self.gravity = gravity
        self.solver = ExactSolver(
            self.columns.bodies, self.columns.pieces, self.columns.tolerances, length_unit, cell_scale
        )
        self.rows: list[int] = []
        self._movers: list[int] = []
        self._stale = True

    def add_balls(
        self,
        places: ArrayLike,
        velocities: ArrayLike,
        radius: ArrayLike = 0.5,
        mass: ArrayLike = 1.0,
        restitution: ArrayLike = 1.0,
    ) -> list[int]:
        """Add balls; return their rows."""
        places, velocities = np.asarray(places, float), np.asarray(velocities, float)
        count = len(places)
        radii, masses = np.broadcast_to(radius, count), np.broadcast_to(mass, count)
        rows = self.columns.add_all(
            (ec.Circle(float(r)), (x, y, 0.0), BodyKind.DYNAMIC, PLAIN)
            for (x, y), r in zip(places.tolist(), radii, strict=True)
        )
        bodies = self.columns.bodies.arrays
        bodies.velocity[rows, :2] = velocities
        bodies.mass[rows, 0] = bodies.mass[rows, 1] = 1.0 / masses
        bodies.motion[rows, 0] = 1.0
        bodies.material[rows, MATERIAL.RESTITUTION] = restitution
        self.rows += rows
        self._movers += rows
        self._stale = True
        return rows

    def add_obstacle(
        self,
        shape: Shape,
        place: tuple[float, float] = (0.0, 0.0),
        angle: float = 0.0,
        restitution: float = 0.0,
        velocity: tuple[float, float] | None = None,
    ) -> int:
        """Add a static body, or a kinematic one if a velocity is given; return its row."""
        kind = BodyKind.STATIC if velocity is None else BodyKind.KINEMATIC
        row = self.columns.add(shape, (*place, angle), kind)
        bodies = self.columns.bodies.arrays
        bodies.material[row, MATERIAL.RESTITUTION] = restitution
        if velocity is not None:
            bodies.velocity[row, :2] = velocity
            self._movers.append(row)
        self._stale = True
        return row

    def add_box(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Add four half-planes around a rectangle."""
        for normal, offset in (((1, 0), low[0]), ((0, 1), low[1]), ((-1, 0), -high[0]), ((0, -1), -high[1])):
            self.add_obstacle(ec.HalfPlane(normal, offset))

    def step(self, count: int = 1, dt: float = 1.0 / 60.0) -> None:
        """Make steps of dt [s]."""
        for _ in range(count):
            movers = np.array(self._movers, np.int64)
            update_frames(movers, self.columns.bodies.arrays)
            if self._stale:
                self.solver.renew(movers)
                self._stale = False
            self.solver.step(self.gravity, dt)

    @property
    def places(self) -> FloatArray:
        """Centres of the balls [m] (n, 2)."""
        return self.columns.bodies.arrays.pose[self.rows, :2]

    @property
    def velocities(self) -> FloatArray:
        """Velocities of the balls [m/s] (n, 2)."""
        return self.columns.bodies.arrays.velocity[self.rows, :2]

    @velocities.setter
    def velocities(self, values: Any) -> None:
        self.columns.bodies.arrays.velocity[self.rows, :2] = values

    @property
    def masses(self) -> FloatArray:
        """Masses of the balls [kg] (n,)."""
        return 1.0 / self.columns.bodies.arrays.mass[self.rows, 0]

    @property
    def energy(self) -> float:
        """Kinetic energy [J]."""
        return float(0.5 * (self.masses * (self.velocities**2).sum(axis=1)).sum())

    def deepest_overlap(self) -> float:
        """Return the deepest overlap of two balls [m], found by comparing all pairs; 0 if there is none."""
        places = self.places
        radii = np.array([self.columns.held[row][0].radius for row in self.rows])  # type: ignore[attr-defined]
        order = np.argsort(places[:, 0])
        places, radii = places[order], radii[order]
        deepest, reach = 0.0, 2.0 * float(radii.max())
        for i in range(len(places)):
            stop = int(np.searchsorted(places[:, 0], places[i, 0] + reach))
            gaps = np.hypot(*(places[i + 1 : stop] - places[i]).T) - radii[i + 1 : stop] - radii[i]
            if len(gaps):
                deepest = max(deepest, -float(gaps.min()))
        return deepest
