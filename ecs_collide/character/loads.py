"""Forces of characters on dynamic bodies: their weight on floors, and pushes against what they run into.

A character follows its floor, so both accelerate alike. With the floor's effective mass M at the contact, the mass m of
the character, gravity g, and the acceleration a of the floor in the last step, in which it bore the load F':

    F = m M / (m + M) (g + a + F' / M)

The load stands for the contact, which gets no response: a floor that rises lifts the character with it, instead of
meeting a body that never gives way. Whoever lands begins with F' = 0, and gives the impulse m M / (m + M) v at a
closing speed v. A push makes a body as fast as the character would go, by at most the force that the game allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.character.bearing import bearing_on, give
from ecs_collide.character.character_rows import OUTCOME, REQUEST, SLIDE_HIT, STATE, Characters
from ecs_collide.character.strength import Strength, strength_of
from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.data.pairs import BORNE, PAIR
from ecs_collide.data.state_list import list_state
from ecs_collide.step.pipeline import Pipeline


class Load(NamedTuple):
    """Load of a character on its floor in the last step."""

    floor: int
    """Entity of the floor."""
    speed: float
    """Speed of the floor along up at the contact before the step [m/s]."""
    force: float
    """Load [N]."""


class CharacterLoads:
    """Loads and pushes of all characters of a world."""

    state_list = list_state(contents="_loads", left_out="_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the loads of the world that a pipeline steps."""
        self._pipeline = pipeline
        self._loads: dict[int, Load] = {}
        """Loads in the last step, by entities of characters."""

    def forget(self, entities: set[int]) -> None:
        """Forget removed entities."""
        for entity in entities:
            self._loads.pop(entity, None)

    def act(self, entities: Sequence[int], rows: Characters, strengths: Sequence[Strength], dt: float) -> None:
        """Push the floors and obstacles of characters that were moved for dt [s]; write the pushes to their hits."""
        if len(entities) == 1 and not self._loads and rows.state.item(0, STATE.MEETS_DYNAMIC) == 0:
            return  # one character that meets no dynamic body, as in most calls
        meets = rows.state[:, STATE.MEETS_DYNAMIC]
        if self._loads:
            for k in np.flatnonzero(meets == 0).tolist():
                self._loads.pop(entities[k], None)
        if dt == 0.0:
            return
        for k in np.flatnonzero(meets).tolist():
            member = self._pipeline.body_sync.members[entities[k]]
            mass, push_force, _ = strength_of(
                member, strengths[k if len(strengths) > 1 else 0], self._pipeline.settings
            )
            if mass > 0.0:
                self._bear(member.entity, k, rows, mass, dt)
            if push_force > 0.0:
                self._push(k, rows, push_force, dt)

    def _bear(self, entity: int, k: int, rows: Characters, mass: float, dt: float) -> None:
        """Load the floor of a character with its weight."""
        floor, former = rows.state.item(k, STATE.FLOOR), self._loads.pop(entity, None)
        up_x, up_y = rows.request[k, REQUEST.UP_X : REQUEST.UP_Y + 1].tolist()
        if not floor or self._pipeline.body_sync.members[floor].kind is not DYNAMIC:
            return
        place = rows.outcome[k, OUTCOME.AT_X : OUTCOME.AT_Y + 1].tolist()
        contact = bearing_on(self._pipeline, floor, (up_x, up_y), (place[0], place[1]))
        both = mass if contact.mass == inf else mass * contact.mass / (mass + contact.mass)
        gravity_x, gravity_y = self._pipeline.settings.gravity
        weight = max(0.0, -(gravity_x * up_x + gravity_y * up_y))
        speed, force = contact.speed, both * weight
        if former is not None and former.floor == floor:
            force = max(0.0, both * (weight + (speed - former.speed) / dt + former.force / contact.mass))
        else:
            request = rows.request[k].tolist()
            closing = max(0.0, speed - (request[REQUEST.VX] * up_x + request[REQUEST.VY] * up_y))
            impulse = both * closing
            give(self._pipeline, contact, (-impulse * up_x, -impulse * up_y), is_impulse=True)
            speed -= impulse / contact.mass
        give(self._pipeline, contact, (-force * up_x, -force * up_y))
        self._loads[entity] = Load(floor, speed, force)
        # Below a ceiling the contact stays, so that the ceiling stops the floor.
        if rows.state.item(k, STATE.ON_CEILING) == 0:
            self._mark_borne(entity, contact.row)

    def _mark_borne(self, entity: int, floor: int) -> None:
        """Mark the pairs of a character and its floor, a body row, as borne: the next step gives them no response."""
        slots, index = self._pipeline.touches.slots_of(entity), self._pipeline.pairs.arrays.index
        its = slots[(index[slots, PAIR.BODY_A] == floor) | (index[slots, PAIR.BODY_B] == floor)]
        index[its, PAIR.ROLE] |= BORNE

    def _push(self, k: int, rows: Characters, push_force: float, dt: float) -> None:
        """Push what a character ran into, except floors."""
        least_up, members = rows.request.item(k, REQUEST.LEAST_UP), self._pipeline.body_sync.members
        up_x, up_y = rows.request[k, REQUEST.UP_X : REQUEST.UP_Y + 1].tolist()
        for number in range(rows.state.item(k, STATE.HIT_COUNT)):
            other, hit = rows.hit_body.item(k, number), rows.hit[k, number].tolist()
            normal = hit[SLIDE_HIT.NORMAL_X], hit[SLIDE_HIT.NORMAL_Y]
            if members[other].kind is not DYNAMIC or abs(normal[0] * up_x + normal[1] * up_y) >= least_up:
                continue
            contact = bearing_on(self._pipeline, other, normal, (hit[SLIDE_HIT.AT_X], hit[SLIDE_HIT.AT_Y]))
            closing = max(0.0, hit[SLIDE_HIT.SPEED] + contact.speed)
            force = min(push_force, contact.mass * closing / dt) if closing > 0.0 else 0.0
            give(self._pipeline, contact, (-force * normal[0], -force * normal[1]))
            rows.hit[k, number, SLIDE_HIT.PUSH] = force
