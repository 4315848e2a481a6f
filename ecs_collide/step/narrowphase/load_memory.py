"""Forces of contacts, remembered over steps of different lengths.

A contact starts with the impulse of the last substep. The same force F needs an impulse F h in a substep of h. So each
slot stores the length of the step that its impulse belongs to, and the impulse is scaled to the length of a new step.

The force of a very short step is no measure of the load. Its impulse is small, and the errors of the solver and the
impulse of an impact divided by h are large forces. So after a step of dt shorter than the *memory* T, the world keeps
the mean force over T,

    F' = (1 - dt / T) F + (dt / T) f,     T' = max(dt, T - dt)

where f is the force in the step. A step as long as T or longer replaces both: F' = f, T' = dt. With steps of one length
this is plain warm starting. The impulses between steps belong to a step of T, so the second product is the impulse of
the short step itself.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.growth import grown
from ecs_collide.data.pairs import IMPULSE, Pairs
from ecs_collide.kernels.arrays import Floats, FloatTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import kernel
from ecs_collide.kernels.simd import lane_array

ROLLING = IMPULSE.WIDTH
"""Column of the rolling impulse in `LoadMemory.load`, behind those of `IMPULSE`."""


class LoadMemory(Bundle):
    """The length of step that the impulses of each slot belong to, and the loads before a short step."""

    span: Floats
    """Time over which forces are remembered, T [s] (1,)."""
    length: Floats
    """Length of the step that a slot's impulses belong to [s] (s,)."""
    load: FloatTable = rows_of(ROLLING + 1)
    """Scratch space: the impulses in a step of T before this step, columns of `IMPULSE` and `ROLLING` (s, 5)."""


def empty_memory(capacity: int) -> LoadMemory:
    """Return an empty memory for `capacity` slots."""
    return LoadMemory(span=np.zeros(1), length=np.zeros(capacity), load=np.zeros((capacity, ROLLING + 1)))


def grown_memory(memory: LoadMemory, capacity: int) -> LoadMemory:
    """Return a copy of `memory` with room for `capacity` slots."""
    return memory._replace(length=grown(memory.length, capacity), load=lane_array((capacity, ROLLING + 1)))


@kernel
def scale_impulses(first: int, count: int, contacts: Contacts, pairs: Pairs, dt: float, memory: LoadMemory):
    """Scale the impulses of the first `count` contacts to a step of dt [s].

    The impulses of rows from `first` are those that welding remembered, which belong to a step of the whole span.
    Writes pair_impulse, pair_rolling, memory_length; memory_load if the step is shorter than the span.
    """
    if dt == 0.0:
        return
    span, is_short = memory.span[0], dt < memory.span[0]
    for row in range(count):
        slot = contacts.pair[row]
        length = memory.length[slot] if row < first else span
        if length != dt and length > 0.0:
            ratio = dt / length
            for k in range(IMPULSE.WIDTH):
                pairs.impulse[slot, k] *= ratio
            pairs.rolling[slot] *= ratio
        memory.length[slot] = dt
        if is_short:
            ratio = span / dt
            for k in range(IMPULSE.WIDTH):
                memory.load[slot, k] = pairs.impulse[slot, k] * ratio
            memory.load[slot, ROLLING] = pairs.rolling[slot] * ratio


@kernel
def remember_loads(count: int, contacts: Contacts, pairs: Pairs, dt: float, memory: LoadMemory):
    """Store the mean loads of the first `count` contacts after a step of dt [s]; those of disabled ones are 0.

    Reads contact_enabled. Writes memory_span; pair_impulse, pair_rolling and memory_length if the step is shorter than
    the span.
    """
    span = memory.span[0]
    if dt >= span:
        memory.span[0] = dt
        return
    memory.span[0] = max(dt, span - dt)
    share, ratio = dt / span, memory.span[0] / span
    for row in range(count):
        slot = contacts.pair[row]
        kept = 1.0 if contacts.enabled[row] else 0.0
        for k in range(IMPULSE.WIDTH):
            load = kept * memory.load[slot, k]
            pairs.impulse[slot, k] = (load - share * load + pairs.impulse[slot, k]) * ratio
        load = kept * memory.load[slot, ROLLING]
        pairs.rolling[slot] = (load - share * load + pairs.rolling[slot]) * ratio
        memory.length[slot] = memory.span[0]
