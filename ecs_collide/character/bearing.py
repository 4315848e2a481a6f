"""Contacts of characters with dynamic bodies: the effective mass there, and forces and impulses at that place."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.data.bodies import FRAME, MASS
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import Vector2

NO_FORCE = (0.0, 0.0)


class Bearing(NamedTuple):
    """A contact with a dynamic body, in a unit direction."""

    row: int
    mass: float
    """Effective mass there [kg], infinite for a body that does not give way."""
    speed: float
    """Speed of the body in that direction [m/s]."""
    place: Vector2
    """Place of the contact [m]."""


def bearing_on(pipeline: Pipeline, entity: int, direction: Vector2, place: Vector2) -> Bearing:
    """Return the contact with a body at a place [m], in a unit direction."""
    bodies, row = pipeline.bodies.arrays, pipeline.body_sync.members[entity].row
    (x, y) = direction
    frame = bodies.frame[row].tolist()
    mass = bodies.mass[row].tolist()
    arm_x, arm_y = place[0] - frame[FRAME.CENTER_X], place[1] - frame[FRAME.CENTER_Y]
    vx, vy, spin = bodies.velocity[row].tolist()
    lever = arm_x * y - arm_y * x
    inverse = mass[MASS.INVERSE_X] * x * x + mass[MASS.INVERSE_Y] * y * y
    inverse += mass[MASS.INVERSE_INERTIA] * lever * lever
    speed = (vx - spin * arm_y) * x + (vy + spin * arm_x) * y
    return Bearing(row=row, mass=1.0 / inverse if inverse > 0.0 else inf, speed=speed, place=place)


def give(pipeline: Pipeline, contact: Bearing, force: Vector2, *, is_impulse: bool = False) -> None:
    """Add a force for the coming step [N] to a body, or apply an impulse at once [N s]."""
    if force == NO_FORCE:
        return
    row, bodies = contact.row, pipeline.bodies.arrays
    arm_x = contact.place[0] - bodies.frame[row, FRAME.CENTER_X]
    arm_y = contact.place[1] - bodies.frame[row, FRAME.CENTER_Y]
    wrench = np.array((*force, arm_x * force[1] - arm_y * force[0]))
    if is_impulse:
        bodies.velocity[row] += wrench * bodies.mass[row, : MASS.INVERSE_INERTIA + 1]
    else:
        if not pipeline.is_before_step:
            pipeline.begin_push(row)
        bodies.push[row] += wrench
    pipeline.bodies.written.add(row)
