"""Magnets float above each other in a tube, and others on a table turn to each other and snap together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

GRAVITY, DENSITY = 9.81, 0.5
NORTH, SOUTH, STONE = (214, 84, 76), (84, 130, 214), (84, 92, 110)


@dataclass
class Magnet:
    """Makes its entity a magnet."""

    poles: tuple[tuple[float, float, float], ...]
    """Place of each pole in the entity's axes [m], and its strength, above 0 for a north pole [sqrt(N) m]."""


class Magnetism(ec.systems.BeforeStep):
    """Pushes the poles of all magnets."""

    def before_step(self, dt: float) -> None:
        poles = [(entity, *pole) for entity, magnet in esper.get_component(Magnet) for pole in magnet.poles]
        if not poles:
            return
        owner, strength = np.array([pole[0] for pole in poles]), np.array([pole[3] for pole in poles])
        place = np.array([self.physics.to_world(entity, (x, y)) for entity, x, y, _ in poles])
        speed = np.array(
            [self.physics.velocity_at(pole[0], tuple(at)) for pole, at in zip(poles, place.tolist(), strict=True)]
        )
        place += 0.5 * dt * speed  # as the poles are in the middle of the step: else swings would grow
        for entity, point, force in zip(
            owner.tolist(), place.tolist(), pole_forces(place, strength, owner), strict=True
        ):
            if self.physics.mass_of(entity) < inf:
                self.physics.apply_force(entity, tuple(force.tolist()), tuple(point))


def pole_forces(place: np.ndarray, strength: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Return the forces on poles by those of other magnets, as the inverse square of the distance [N] (n, 2).

    Nearer than 0.2 m the forces do not grow, so that magnets that touch are calm.
    """
    apart = place[:, None] - place
    distance = np.maximum(np.linalg.norm(apart, axis=2), 0.2)
    rate = np.outer(strength, strength) / distance**3 * (owner[:, None] != owner)
    forces: np.ndarray = (rate[:, :, None] * apart).sum(axis=1)
    return forces


def add_bar(x: float, y: float, size: tuple[float, float], to: tuple[float, float], strength: float) -> int:
    """Create a bar magnet of two halves.

    Args:
        x: place of its middle [m].
        y: place of its middle [m].
        size: width and height of a half [m].
        to: middle of the half with the north pole [m]; the other one is opposite.
        strength: strength of a pole [sqrt(N) m].
    """
    halves = [ec.Collider(ec.Box(*size, center=center), density=DENSITY) for center in ((-to[0], -to[1]), (0.0, 0.0))]
    poles = (-1.6 * to[0], -1.6 * to[1], -strength), (1.6 * to[0], 1.6 * to[1], strength)
    bar = esper.create_entity(ec.Transform(x, y), ec.Velocity(), halves[0], Magnet(poles), Paint(SOUTH))
    esper.create_entity(ec.AttachedTo(bar, *to), halves[1], Paint(NORTH))
    return bar


class Magnets(Demo):
    """The demo of magnets."""

    view = View(-6.4, -0.5, 6.4, 6.2)
    frames = 600
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.add_processor(Magnetism(self.physics), priority=1)
        esper.create_entity(ec.Transform(0.0, -0.25), ec.Collider(ec.Box(20.0, 0.5), friction=0.1), Paint(STONE))
        esper.create_entity(ec.Transform(-4.6, 3.0), Paint(STONE, shape=ec.Box(0.1, 6.0)))
        self.rings = [add_bar(-4.6, 0.2 + k, (1.6, 0.2), (0.0, 0.1 * (-1) ** k), 2.5) for k in range(4)]
        for ring in self.rings:
            esper.add_component(ring, ec.RigidBody(lock_x=True, lock_rotation=True, linear_damping=1.0))
        self.bars = [
            add_bar(x, 0.2, (0.7, 0.4), (0.35 * side, 0.0), 1.5) for x, side in ((-1.6, 1), (0.6, 1), (3.0, -1))
        ]
        for k in range(6):
            needle = add_bar(-2.0 + 1.4 * k, 3.4, (0.45, 0.16), (0.225, 0.0), 0.1)
            esper.add_component(needle, ec.RigidBody(angular_damping=3.0))
            esper.create_entity(ec.RevoluteJoint(needle))
        self.hand = add_bar(-2.0, 5.2, (0.7, 0.4), (0.35, 0.0), 2.5)
        esper.add_component(self.hand, ec.RigidBody(ec.BodyKind.KINEMATIC))

    def script(self, frame: int) -> None:
        esper.component_for_entity(self.hand, ec.Velocity).x = 1.0 if frame < 390 else 0.0

    def check(self) -> str:
        heights = [esper.component_for_entity(ring, ec.Transform).y for ring in self.rings]
        gaps = [upper - lower - 0.4 for lower, upper in pairwise(heights)]
        expect(0.05 < gaps[0] < gaps[1] < gaps[2], f"the gaps between the rings are {gaps} m")
        at = [esper.component_for_entity(bar, ec.Transform).x for bar in self.bars]
        expect(abs(at[1] - at[0] - 1.4) < 0.02, f"the bars are {at[1] - at[0] - 1.4:.2f} m apart")
        expect(at[2] - at[1] > 2.4, "the third bar was not pushed away")
        return "gaps between the rings " + ", ".join(f"{gap:.3f} m" for gap in gaps) + "; two bars snapped together"


DEMO = Magnets
