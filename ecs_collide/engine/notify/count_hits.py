"""Whether a step has hits at all: most have none, and then nobody has to look for them."""

from __future__ import annotations

from ecs_collide.columns.contacts import Contacts
from ecs_collide.compiled.arrays import Ints
from ecs_collide.compiled.kernels import stage


@stage
def count_hits(contacts: Contacts, count: int, least: float, remembered: Ints):
    """How many of the contacts may be hits, of an approach faster than `least` [m/s]; see `hits.py`.

    Where none is, those of the step before are forgotten. Writes `remembered` (1,).
    """
    hits = 0
    for row in range(count):
        speed = max(contacts.approach_speed[row, 0], contacts.approach_speed[row, 1])
        impulse = max(contacts.normal_impulse[row, 0], contacts.normal_impulse[row, 1])
        if speed > least and impulse > 0.0:
            hits += 1
    if hits == 0:
        remembered[0] = 0
    return hits
