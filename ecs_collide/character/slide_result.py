"""Results of moving characters, and how they are read from the rows of these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.character.character_rows import OUTCOME, SLIDE_HIT, STATE, Characters
from ecs_collide.data.field_docs import document_fields
from ecs_collide.validate import Vector2


@document_fields
class SlideHit(NamedTuple):
    """A surface that a character hit and along which it slid."""

    entity: int
    """Entity that it hit."""
    fraction: float
    """Fraction of the time, 0 at its start and 1 at its end."""
    normal: Vector2
    """Outward unit normal of the entity's surface."""
    push: float = 0.0
    """Force by which the character pushes the entity [N], 0 if it is not dynamic."""


@document_fields
class Slide(NamedTuple):
    """The result of `move_and_slide`: position, remaining velocity, and contact with floors and walls."""

    position: Vector2
    """New position of the origin [m]."""
    velocity: Vector2
    """Remaining velocity [m/s]: on a floor the part across `up`, relative to the floor, else all, in the world."""
    on_floor: bool
    """True if it stands on a floor."""
    on_wall: bool
    """True if it hit a wall, which is too steep to stand on, or is squeezed by one."""
    on_ceiling: bool
    """True if it hit a ceiling, or is squeezed by one."""
    floor: int | None
    """Entity of the floor, None in the air."""
    floor_velocity: Vector2
    """Velocity of the floor's surface at the contact [m/s], with its `surface_speed`; (0, 0) in the air."""
    hits: tuple[SlideHit, ...]
    """Surfaces that it hit, in order."""
    floor_normal: Vector2 = (0.0, 0.0)
    """Outward unit normal of the floor, (0, 0) in the air."""


@document_fields
class Slides(NamedTuple):
    """The results of moving many characters, as arrays with one row for each."""

    position: np.ndarray
    """New position of the origin [m] (n, 2)."""
    velocity: np.ndarray
    """Remaining velocity [m/s]: on a floor the part across `up`, relative to the floor, else all, in the world (n, 2).
    """
    on_floor: np.ndarray
    """True if it stands on a floor (n,) bool."""
    on_wall: np.ndarray
    """True if it hit a wall or is squeezed by one (n,) bool."""
    on_ceiling: np.ndarray
    """True if it hit a ceiling or is squeezed by one (n,) bool."""
    floor: np.ndarray
    """Entity of the floor, 0 in the air (n,) int64."""
    floor_velocity: np.ndarray
    """Velocity of the floor's surface at the contact [m/s], with its `surface_speed`; (0, 0) in the air (n, 2)."""
    floor_normal: np.ndarray
    """Outward unit normal of the floor, (0, 0) in the air (n, 2)."""


@document_fields
class Ground(NamedTuple):
    """Ground on which a body or a character stands."""

    entity: int
    """Entity of the floor."""
    normal: Vector2
    """Outward unit normal of the floor."""
    velocity: Vector2
    """Velocity at which the floor carries it [m/s]: that of the floor at this point, and the `surface_speed` there."""
    point: Vector2
    """Place on the floor at which it stands [m], the middle if it touches along an edge."""


def slide_of(rows: Characters) -> Slide:
    """Return the result of a single character."""
    ((on_floor, on_wall, on_ceiling, floor, count, _),) = rows.state.tolist()
    ((x, y, vx, vy, floor_x, floor_y, normal_x, normal_y, _, _),) = rows.outcome.tolist()
    return Slide(
        position=(x, y),
        velocity=(vx, vy),
        on_floor=bool(on_floor),
        on_wall=bool(on_wall),
        on_ceiling=bool(on_ceiling),
        floor=floor or None,
        floor_velocity=(floor_x, floor_y),
        floor_normal=(normal_x + 0.0, normal_y + 0.0),
        hits=_hits_of(rows, count) if count else (),
    )


def _hits_of(rows: Characters, count: int) -> tuple[SlideHit, ...]:
    """Return the hits of a single character."""
    column = SLIDE_HIT
    bodies = rows.hit_body[0, :count].tolist()
    hits = rows.hit[0, :count].tolist()
    return tuple(
        [
            SlideHit(body, hit[column.TIME], (hit[column.NORMAL_X] + 0.0, hit[column.NORMAL_Y] + 0.0), hit[column.PUSH])
            for body, hit in zip(bodies, hits)
        ]
    )


def slides_of(rows: Characters) -> Slides:
    """Return the results of characters as arrays."""
    outcome, state = rows.outcome, rows.state
    on_floor, on_wall, on_ceiling = state[:, : STATE.ON_CEILING + 1].astype(np.bool_).T
    return Slides(
        position=outcome[:, : OUTCOME.VX],
        velocity=outcome[:, OUTCOME.VX : OUTCOME.FLOOR_VX],
        on_floor=on_floor,
        on_wall=on_wall,
        on_ceiling=on_ceiling,
        floor=state[:, STATE.FLOOR],
        floor_velocity=outcome[:, OUTCOME.FLOOR_VX : OUTCOME.NORMAL_X],
        floor_normal=outcome[:, OUTCOME.NORMAL_X : OUTCOME.AT_X],
    )
