"""The impulse response of a physics world: room for the solver, and the order of step and sweeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.common.statistics import Statistics
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.row_lists import HeldRows
from ecs_collide.kernels.calls import Call, Cell, chain, unprepared
from ecs_collide.step.continuous.body_motions import Tracks
from ecs_collide.step.continuous.sweeper import Sweeper
from ecs_collide.step.joints.solver_joints import NO_JOINTS, Linkage
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_rows import contact_rows
from ecs_collide.step.notify.contact_source import End, Start
from ecs_collide.step.notify.contact_view import ContactView, snapshot
from ecs_collide.step.notify.hits import HardHit, PairHits
from ecs_collide.step.response_protocol import ChainedResponse, Stages
from ecs_collide.step.solver.solver_rows import SolverColumns
from ecs_collide.step.solver.step_bodies import step_bodies
from ecs_collide.step.solver.step_parameters import Pace

if TYPE_CHECKING:
    from ecs_collide.common.settings import Settings
    from ecs_collide.step.joints.joint_graph import Assembly
    from ecs_collide.step.sync.body_definition import Body
    from ecs_collide.step.sync.membership import Membership, Plan


NO_ENTITIES = np.zeros((0, 2), np.int64)
STEP = 0
"""The number of the solver's call among those of `answering`."""


class ImpulseResponse:
    """Stands between a world's columns and the solver. Its contacts are those of the broadphase's pairs."""

    sleeps = True
    joints_refusal: str | None = None
    has_own_contacts = False

    def __init__(self, stages: Stages) -> None:
        self.solver = SolverColumns()
        self._bodies = stages.bodies
        self._pairs = stages.pairs
        self._contact_finder = stages.contact_finder
        self._pair_finder = stages.pair_finder
        self.assembly: Assembly | None = None
        self._tolerances = stages.tolerances
        self._sweeper = Sweeper(
            stages.bodies,
            stages.pieces,
            stages.pairs,
            stages.pair_finder,
            stages.contact_finder,
            stages.tolerances.slop,
        )
        self.crossed = self._sweeper.crossed
        """Sensor and entity of each sensor that was crossed within the step, until Notify takes them."""
        self.length = np.zeros(1)
        self.stopped = self._sweeper.stopped
        self._blocks = np.zeros(1, np.int64)
        """How many blocks a step needs."""
        self._movers = HeldRows()
        self._sweeps, self._population = False, -1
        """Whether there is anything that a fast body could pass through, and the pieces' state when that was seen."""
        self._contacts: Contacts | None = None
        """The columns that the solver has room for."""
        self._tracks: Tracks | None = None
        """Where the sweeps keep what they find, None where there is nothing of that kind."""
        self._make, self._call_count = unprepared, 0
        self._pair_hits = PairHits(stages.pairs, stages.contact_finder)
        self.least_hit = self._pair_hits.least
        self.forget = self._pair_hits.forget
        self._linkage = NO_JOINTS
        """The joints between this step's bodies."""
        self.chained: ChainedResponse | None = self

    def check(self, bodies: Sequence[Body]) -> None:
        """It treats everything."""

    def check_step(self, membership: Membership, plan: Plan | None) -> None:
        """It makes every step."""

    def needs_pairs(self, membership: Membership, touched_statics: np.ndarray) -> bool:
        """In every step."""
        return True

    def take_pairs(self, membership: Membership, touched_statics: np.ndarray) -> None:
        """All of them, as they are."""

    def respond(self, movers: np.ndarray, settings: Settings, dt: float) -> None:
        """Move the bodies in rows `movers` by dt [s]."""
        self.length[0] = dt
        while True:
            columns = self.columns(movers, settings)
            ended_with = self._make(*columns)
            if ended_with is None:
                calls = tuple(self.answering(settings))
                self._make, self._call_count = chain(calls, *columns), len(calls)
            elif ended_with == STEP:
                self.solver.reserve_blocks(self._blocks.item())
            else:
                break
        if ended_with < self._call_count:
            self.finish(settings)

    def columns(self, movers: np.ndarray, settings: Settings) -> tuple[object, ...]:
        """Take up who is moved; return what the calls of `answering` are prepared for."""
        population, contacts = self._pair_finder.population, self._contact_finder.contacts
        if self._movers.hold(movers) or population != self._population or contacts is not self._contacts:
            self._sweeps, self._population = settings.continuous and self._sweeper.has_targets(), population
            self._contacts = contacts
            self.solver.reserve(len(movers), len(contacts.pair))
        self._linkage = NO_JOINTS if self.assembly is None else self._awake_joints(self.assembly)
        sweeps = self._sweeps, *self._sweeper.columns
        return self.solver.arrays, self._movers.run, settings, *sweeps, *self._contact_finder.columns, self._linkage

    def finish(self, settings: Settings) -> None:
        """After a chain ended with one of the calls of `answering` behind `STEP`: stop what is too fast."""
        if self._tracks is not None:
            self._sweeper.trees = self._trees()
            self._sweeper.finish(self._tracks, settings.gravity, Cell(self.length))

    def _trees(self) -> np.ndarray:
        """The tree of joints of each body row, -1 where it has none; empty where there are none (n,) int64."""
        return self._linkage.trees.tree

    def _awake_joints(self, assembly: Assembly) -> Linkage:
        """Return the joints as the solver takes them."""
        if not assembly.count:
            return NO_JOINTS
        assembly.bring_up_to_date(self._bodies.arrays)
        assembly.reserve()
        return assembly.linkage

    def answering(self, settings: Settings) -> Iterator[Call]:
        """The calls of a step, from the solver to finding who is too fast. A chain ends with the first, `STEP`, where
        there is not enough room, and with a later one where `finish` has something to do."""
        finder, movers, solver = self._contact_finder, self._movers.run, self.solver.arrays
        dt = Cell(self.length)
        pace = Pace._make((settings.gravity, dt, settings.substeps))
        contacts = finder.contacts, Cell(finder.counts[1:]), self._pairs.arrays
        columns = movers, self._bodies.arrays, *contacts, solver, self._linkage
        yield Call(step_bodies, (*columns, pace, self._tolerances), self._blocks, most=len(solver.block))
        yield finder.remembering()
        self._tracks = self._sweeper.tracks_for(solver.state) if self._sweeps else None
        if self._tracks is not None:
            yield from self._sweeper.stopping(movers, self._tracks, self._trees(), settings.gravity, dt)

    @property
    def broken(self) -> np.ndarray | None:
        """Where it stands whether a joint broke in this step (1,); None where there are no joints."""
        return None if self._linkage is NO_JOINTS else self._linkage.trees.broken

    def pause(self) -> None:
        """The contacts stay as they were found."""

    def report(self, statistics: Statistics) -> None:
        """Fill in what it did in this step."""
        statistics.contacts = self._contact_finder.count
        statistics.stopped_bodies = self._sweeper.taken_count()

    def contacts(self) -> ContactView:
        """This step's contacts as arrays."""
        contacts, count = self._contact_finder.contacts, self._contact_finder.count
        slots, index = contacts.pair[:count], self._pairs.arrays.index
        return ContactView(contacts, count, index[slots, of_pair.ENTITY_A], index[slots, of_pair.ENTITY_B])

    def contacts_of(self, entity: int, body: int) -> list[contact.Contact]:
        """This step's contacts of an entity, in order of their rows."""
        contacts, index = self._contact_finder.contacts, self._pairs.arrays.index
        rows = contact_rows(body, contacts.body[: self._contact_finder.count])
        entities = index[contacts.pair[rows], of_pair.ENTITIES].tolist()
        return [snapshot(contacts, row, *its) for row, its in zip(rows, entities, strict=True) if entity in its]

    def touching(self, a: int, b: int) -> bool:
        """All of its contacts belong to pairs."""
        return False

    def touching_entities(self) -> np.ndarray:
        """All of its contacts belong to pairs."""
        return NO_ENTITIES

    def changes(self, is_heard: bool) -> tuple[list[End], list[Start]]:
        """All of its contacts belong to pairs."""
        return [], []

    def listing_hits(self) -> Call:
        """The call that lists the hits of this step."""
        return self._pair_hits.listing()

    def hits(self) -> list[HardHit]:
        """Who hit whom in this step."""
        return self._pair_hits.begun()

    def release(self) -> list[End]:
        """All of its contacts belong to pairs."""
        return []
