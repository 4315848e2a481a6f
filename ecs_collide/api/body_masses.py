"""Masses, momenta and kinetic energies of a body, or of all bodies of a world.

Of what cannot move, or turn, nothing counts: static and kinematic bodies, and locked axes. An attached collider stands
for the body that it belongs to.
"""

from __future__ import annotations

from math import fsum, inf

import numpy as np

from ecs_collide.api.body_lookup import find_body
from ecs_collide.api.body_places import center_of
from ecs_collide.data.bodies import MASS, VELOCITY
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import Vector2, vector2


class BodyMasses:
    """The calls that read masses, and sums over moving masses."""

    __slots__ = ("_bodies", "_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies = pipeline.bodies

    def mass_of(self, entity: int) -> float:
        """Return the mass of an entity's body [kg], infinite if nothing can move it."""
        row = find_body(self._pipeline, entity).host.row  # first: bringing in a body may renew the columns
        inverse: float = max(self._bodies.arrays.mass[row, MASS.INVERSE_X : MASS.INVERSE_Y + 1].tolist())
        return 1.0 / inverse if inverse > 0.0 else inf

    def inertia_of(self, entity: int) -> float:
        """Return the moment of inertia of an entity's body about its centre of mass [kg m^2].

        It is infinite if nothing can turn the body.
        """
        row = find_body(self._pipeline, entity).host.row
        inverse = self._bodies.arrays.mass.item(row, MASS.INVERSE_INERTIA)
        return 1.0 / inverse if inverse > 0.0 else inf

    def kinetic_energy(self, entity: int | None = None) -> float:
        """Return the kinetic energy of an entity's body, or of all bodies [J]."""
        momenta, velocities = self._momenta(self._rows(entity))
        return 0.5 * fsum((momenta * velocities).ravel().tolist())

    def momentum(self, entity: int | None = None) -> Vector2:
        """Return the linear momentum of an entity's body, or of all bodies [N s]."""
        momenta, _ = self._momenta(self._rows(entity))
        return fsum(momenta[:, VELOCITY.X].tolist()), fsum(momenta[:, VELOCITY.Y].tolist())

    def angular_momentum(self, entity: int | None = None, *, about: tuple[float, float] = (0.0, 0.0)) -> float:
        """Return the angular momentum of an entity's body, or of all bodies, about a world point [m], in N m s."""
        rows, (about_x, about_y) = self._rows(entity), vector2(about, "about")
        momenta, _ = self._momenta(rows)
        centers = [center_of(self._bodies.arrays, row) for row in rows.tolist()]
        return fsum(
            spin + (x - about_x) * along_y - (y - about_y) * along_x
            for (x, y), (along_x, along_y, spin) in zip(centers, momenta.tolist(), strict=True)
        )

    def _rows(self, entity: int | None) -> np.ndarray:
        """Return the row of an entity, or the rows of all bodies that can move (k,) int64."""
        if entity is not None:
            return np.array([find_body(self._pipeline, entity).host.row], np.int64)
        self._pipeline.update_bodies()
        return self._pipeline.body_sync.mobile

    def _momenta(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return momenta [N s, N s, N m s] and velocities [m/s, m/s, rad/s] of bodies (k, 3)."""
        inverse = self._bodies.arrays.mass[rows, : MASS.INVERSE_INERTIA + 1]
        velocities: np.ndarray = self._bodies.arrays.velocity[rows]
        return np.divide(velocities, inverse, out=np.zeros_like(velocities), where=inverse > 0.0), velocities
