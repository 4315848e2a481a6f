"""The impulse response of a physics world: room for the solver, and the order of step and sweeps."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.continuous.sweeper import Sweeper
from ecs_collide.narrowphase.contact_finder import ContactFinder
from ecs_collide.response.layout import SolverColumns
from ecs_collide.response.softness import contact_softness
from ecs_collide.response.step import step_bodies
from ecs_collide.settings import Settings
from ecs_collide.tuning import Tolerances


class ImpulseResponse:
    """Stands between a world's columns and the solver."""

    def __init__(
        self,
        bodies: BodyColumns,
        pairs: PairColumns,
        contact_finder: ContactFinder,
        sweeper: Sweeper,
        tolerances: Tolerances,
    ) -> None:
        self.solver = SolverColumns()
        self._bodies = bodies
        self._pairs = pairs
        self._contact_finder = contact_finder
        self._sweeper = sweeper
        self._tolerances = tolerances
        self._softness = lru_cache(maxsize=8)(contact_softness)

    def respond(self, movers: np.ndarray, settings: Settings, dt: float) -> int:
        """Move the bodies in rows `movers` by dt [s]; return how many were stopped on their way."""
        bodies, finder, solver = self._bodies, self._contact_finder, self.solver
        solver.reserve(len(movers), finder.count)
        soft, stiff = self._softness(dt / settings.substeps)
        while True:
            blocks = step_bodies(
                movers,
                bodies.arrays,
                finder.contacts,
                finder.count,
                self._pairs.arrays,
                solver.arrays,
                settings.gravity,
                dt,
                settings.substeps,
                soft,
                stiff,
                self._tolerances,
            )
            if blocks <= len(solver.arrays.block):
                break
            solver.reserve_blocks(blocks)
        finder.remember_impulses()
        return self._sweeper.finish(movers, solver.arrays, settings.gravity, dt) if settings.continuous else 0
