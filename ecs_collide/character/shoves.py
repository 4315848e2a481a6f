"""Shoves: dynamic bodies that run into a character and push it away.

To the solver a character is a body that never gives way: in a step, a body of mass M that hits it loses the impulse P.
A character of mass m that can move would go at P / (m + M) afterwards, and the body would go as much faster. Before
that, the character withstands the impulse F dt on the floor, with a force F. So a heavy body drives a character
before it, and a light one does not move it. In the air it withstands nothing.

    speed of the shove += max(0, P - F dt) / (m + M)
    what is left of F dt slows the shove

The motion of the shove is added to the wanted motion, and stops at obstacles. The body goes on only as far as
the character gives way, and gets back the friction of the impulse that it did not need. Floors and ceilings do not
shove: a floor bears the character, and what lies on the head of a character rests there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf
from typing import NamedTuple

import numpy as np

from ecs_collide.character.bearing import bearing_on, give
from ecs_collide.character.character_rows import OUTCOME, REQUEST, Characters
from ecs_collide.character.floors_and_riders import NO_BODY, Memory
from ecs_collide.character.strength import Strength, strength_of
from ecs_collide.components.body_kind import DYNAMIC, KINEMATIC
from ecs_collide.data.bodies import POSE
from ecs_collide.data.state_list import list_state
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import Vector2

STILL = (0.0, 0.0)


class BodyHit(NamedTuple):
    """The contact of a character with a dynamic body in the last step."""

    entity: int
    """Entity of the body."""
    direction: Vector2
    """Unit normal from the body to the character."""
    place: Vector2
    """Place of the contact [m]."""
    impulse: float
    """Impulse of the step along the normal [N s]."""
    rub: Vector2
    """Impulse of friction on the body [N s]."""
    friction: float
    """Coefficient of friction."""


class Shoved(NamedTuple):
    """A character that is shoved in the motion under way."""

    number: int
    """Its row in `Characters`."""
    entity: int
    velocity: Vector2
    """Velocity of the shove [m/s]."""
    wish: Vector2
    """Wanted velocity [m/s]."""
    place: Vector2
    """Place before the motion [m]."""
    hits: list[tuple[BodyHit, float]]
    """Hits that it does not withstand, with the speed that each adds to the body [m/s]."""


class CharacterShoves:
    """Shoves of all characters of a world."""

    state_list = list_state(values="_step", contents="_velocities _hits", left_out="_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the shoves of the world that a pipeline steps."""
        self._pipeline = pipeline
        self._velocities: dict[int, Vector2] = {}
        """Velocities of shoves that last [m/s], by entities of characters."""
        self._step = -1
        """Number of steps when `_hits` were listed."""
        self._hits: dict[int, list[BodyHit]] = {}
        """Hits of the last step that no motion has used yet, by entities of kinematic bodies."""

    def forget(self, entities: set[int]) -> None:
        """Forget removed entities."""
        for entity in entities:
            self._velocities.pop(entity, None)

    def begin(
        self, entities: Sequence[int], rows: Characters, strengths: Sequence[Strength], memory: Memory, dt: float
    ) -> list[Shoved]:
        """Add the velocities of shoves to the requests; return the characters that are shoved."""
        if self._step != self._pipeline.statistics.steps:
            self._step = self._pipeline.statistics.steps
            self._hits = self._hits_of_step() if self._pipeline.contact_finder.count else {}
        if not (self._hits or self._velocities) or dt == 0.0:
            return []
        shoved = []
        for k, entity in enumerate(entities):
            if entity in self._hits or entity in self._velocities:
                shove = self._shove(entity, k, rows, strengths[k if len(strengths) > 1 else 0], memory, dt)
                if shove is not None:
                    rows.request[k, REQUEST.VX] += shove.velocity[0]
                    rows.request[k, REQUEST.VY] += shove.velocity[1]
                    shoved.append(shove)
        return shoved

    def end(self, shoved: list[Shoved], rows: Characters, dt: float) -> None:
        """Subtract the shoves from the results, and move the bodies that shoved after their characters."""
        bodies = self._pipeline.bodies.arrays
        for shove in shoved:
            k, (x, y) = shove.number, shove.velocity
            self._hits.pop(shove.entity, None)
            rows.request[k, : REQUEST.UP_X] = shove.wish
            speed, left = hypot(x, y), 0.0
            if speed > 0.0:
                kept = (rows.outcome[k, OUTCOME.VX : OUTCOME.FLOOR_VX] - shove.wish).tolist()
                left = min(max((kept[0] * x + kept[1] * y) / speed, 0.0), speed) / speed
                rows.outcome[k, OUTCOME.VX] -= left * x
                rows.outcome[k, OUTCOME.VY] -= left * y
            if left > 0.0:
                self._velocities[shove.entity] = (left * x, left * y)
            else:
                self._velocities.pop(shove.entity, None)
            went = ((bodies.pose[rows.body[k], : POSE.Y + 1] - shove.place) / dt).tolist()
            for hit, speed in shove.hits:
                (dx, dy), contact = hit.direction, bearing_on(self._pipeline, hit.entity, hit.direction, hit.place)
                faster = min(contact.speed + speed, went[0] * dx + went[1] * dy) - contact.speed
                if faster > 0.0:
                    impulse = contact.mass * faster
                    rub = _excess_of_friction(hit, hit.impulse - impulse)
                    give(self._pipeline, contact, (impulse * dx - rub[0], impulse * dy - rub[1]), is_impulse=True)

    def _shove(
        self, entity: int, k: int, rows: Characters, strength: Strength, memory: Memory, dt: float
    ) -> Shoved | None:
        """Return the shove of a character in a motion of dt [s], None if nothing moves it."""
        member = self._pipeline.body_sync.members.get(entity)
        if member is None or not member.pieces:
            return None
        mass, _, brace = strength_of(member, strength, self._pipeline.settings)
        if mass == 0.0 or brace == inf:
            return None
        vx, vy, up_x, up_y, least_up = rows.request[k, : REQUEST.STEP_HEIGHT].tolist()
        x, y = self._velocities.get(entity, STILL)
        is_in_air = (up_x != 0.0 or up_y != 0.0) and not self._has_floor(member.row, memory)
        withstands = 0.0 if is_in_air else brace * dt
        hits = []
        for hit in self._hits.get(entity, ()):
            (dx, dy), contact = hit.direction, bearing_on(self._pipeline, hit.entity, hit.direction, hit.place)
            rise = dx * up_x + dy * up_y
            if abs(rise) >= least_up:
                continue
            used = min(withstands, hit.impulse)
            withstands -= used
            speed = (hit.impulse - used) / (mass + contact.mass)
            if speed > 0.0:
                x, y = x + speed * (dx - rise * up_x), y + speed * (dy - rise * up_y)
                hits.append((hit, speed))
        size = hypot(x, y)
        slower = max(size - withstands / mass, 0.0) / size if size > 0.0 else 0.0
        px, py, _ = self._pipeline.bodies.arrays.pose[member.row].tolist()
        return Shoved(k, entity, (slower * x, slower * y), (vx, vy), (px, py), hits)

    def _has_floor(self, row: int, memory: Memory) -> bool:
        return row < len(memory.floor) and memory.floor.item(row) != NO_BODY

    def _hits_of_step(self) -> dict[int, list[BodyHit]]:
        """Return the contacts of kinematic with dynamic bodies in the last step, by entities of the kinematic ones."""
        pipeline = self._pipeline
        found: dict[int, list[BodyHit]] = {}
        bodies, count = pipeline.bodies.arrays, pipeline.contact_finder.count
        contacts = pipeline.contact_finder.contacts
        kinds = bodies.kind[contacts.body[:count]]
        for number in np.flatnonzero(kinds.sum(axis=1) == int(KINEMATIC) + int(DYNAMIC)).tolist():
            points = contacts.point_count.item(number)
            impulse = sum(contacts.normal_impulse[number, :points].tolist())
            if impulse <= 0.0:
                continue
            a, b = contacts.body[number].tolist()
            (x, y) = contacts.normal[number].tolist()
            place = contacts.point[number, :points].mean(axis=0).tolist()
            rub = sum(contacts.tangent_impulse[number, :points].tolist())
            if bodies.kind[a] == int(KINEMATIC):
                a, b, x, y = b, a, -x, -y
            members, entity, character = pipeline.body_sync.members, bodies.entity.item(a), bodies.entity.item(b)
            if entity in members and character in members:
                friction = contacts.friction.item(number)
                hit = BodyHit(entity, (x, y), (place[0], place[1]), impulse, (-rub * y, rub * x), friction)
                found.setdefault(character, []).append(hit)
        return found


def _excess_of_friction(hit: BodyHit, impulse: float) -> Vector2:
    """Return the part of the friction on a body [N s] that is more than a normal impulse [N s] allows."""
    rub = hypot(*hit.rub)
    allowed = hit.friction * max(impulse, 0.0)
    share = 1.0 - allowed / rub if rub > allowed else 0.0
    return share * hit.rub[0], share * hit.rub[1]
