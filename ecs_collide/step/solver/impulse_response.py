"""The impulse response of a physics world: room for the solver, and the order of step and sweeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber
from ecs_collide.step.continuous.body_motions import BodyMotions
from ecs_collide.step.continuous.sweeper import Sweeper
from ecs_collide.step.joints.solver_joints import NO_JOINTS, SolverJoints
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_source import OwnContacts
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.pair_contacts import PairContacts
from ecs_collide.step.plan import Stage, StepPoint
from ecs_collide.step.response_protocol import Subsystems
from ecs_collide.step.solver import near_misses
from ecs_collide.step.solver.lead import find_leads
from ecs_collide.step.solver.near_misses import mark_near_misses, miss_scratch
from ecs_collide.step.solver.solver_rows import SolverColumns
from ecs_collide.step.solver.step_bodies import step_bodies
from ecs_collide.step.solver.step_parameters import StepParameters
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.plan_bodies import PlannedBodies


class ImpulseResponse:
    """Moves bodies by impulses at soft contacts and joints, in substeps. Its contacts are those of the pairs."""

    state_list = list_state(
        objects="solver _sweeper",
        left_out=(
            "crossed contact_count stopped _block_count _sweeps _miss_scratch _motions _solver_joints "
            "_tolerances _pair_contacts"
        ),
    )

    sleeps = True
    own_contacts: OwnContacts | None = None
    pair_stage: Stage | None = None
    steady_points: frozenset[StepPoint] = frozenset()
    checks_steps = False

    def __init__(self, subsystems: Subsystems) -> None:
        self.solver = SolverColumns()
        self._state = subsystems.state
        self._bodies = subsystems.bodies
        self._pieces = subsystems.pieces
        self._pairs = subsystems.pairs
        self._contact_finder = subsystems.contact_finder
        self._pair_finder = subsystems.pair_finder
        self._sleepers = subsystems.sleepers
        self._joints = subsystems.joints
        self._tolerances = subsystems.tolerances
        self._sweeper = Sweeper(
            self._bodies, self._pieces, self._pairs, self._pair_finder, self._contact_finder, self._tolerances.slop
        )
        self._pair_contacts = PairContacts(
            self._bodies, self._pieces, self._pairs, self._contact_finder, self._sleepers.contacts
        )
        self.crossed = self._sweeper.crossed
        self.contact_count = self._contact_finder.counts[1:]
        self.stopped = self._sweeper.stopped
        self._block_count = np.zeros(1, np.int64)
        """Number of blocks of eight contacts that the step needs (1,)."""
        self._sweeps = False
        """True if a fast body could pass through anything."""
        self._miss_scratch = near_misses.NO_ROOM
        self._motions: BodyMotions | None = None
        """Scratch space of the sweeps; None if nothing is swept."""
        self._solver_joints = NO_JOINTS
        """The joints of awake bodies."""

    def prepare(self) -> None:
        """Reserve room for awake bodies and their joints."""
        self.solver.reserve(len(self._sleepers.awake), len(self._contact_finder.contacts.pair))
        self._sweeps = self._state.settings.continuous and self._sweeper.has_targets()
        if len(self._miss_scratch.a) < self._pieces.longest:
            self._miss_scratch = miss_scratch(self._pieces.longest)
        self._solver_joints = self._awake_joints()

    def check_bodies(self, bodies: Sequence[Body]) -> None:
        """Do nothing: the response moves bodies of all kinds."""

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Do nothing: the response makes every step."""

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls are prepared, as owners and names."""
        return (
            (self._state, "settings"),
            (self._sleepers, "awake_slice"),
            (self.solver, "arrays"),
            (self._pieces, "arrays"),
            *self._contact_finder.columns(),
            (self, "_miss_scratch"),
            (self, "_sweeps"),
            (self, "_solver_joints"),
            *self._sweeper.inputs(),
        )

    def _awake_joints(self) -> SolverJoints:
        """Return the joints of awake bodies as the solver takes them."""
        joints = self._joints.present
        if joints is None or not joints.graph.count:
            return NO_JOINTS
        layout = joints.layout
        layout.lay_out_awake(self._bodies.arrays)
        layout.reserve()
        return layout.solver_joints

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls that find near misses, solve, and sweep."""
        finder, awake, solver = self._contact_finder, self._sleepers.awake_slice, self.solver.arrays
        settings, dt = self._state.settings, LiveNumber(self._state.length)
        step = StepParameters(gravity=settings.gravity, dt=dt, substeps=settings.substeps)  # type: ignore[arg-type]  # read late
        bodies, pairs, contacts = self._bodies.arrays, self._pairs.arrays, finder.contacts
        count = LiveNumber(finder.counts[1:])
        seen = count, bodies, self._pieces.arrays, pairs, contacts, self._miss_scratch
        yield StepPoint.SOLVE, Call(mark_near_misses, (*seen, step, self._tolerances))
        yield StepPoint.SOLVE, Call(find_leads, (*seen[:-1], solver, step))
        solve = Call(
            step_bodies,
            (awake, bodies, contacts, count, pairs, solver, self._solver_joints, step, self._tolerances),
            self._block_count,
            most=len(solver.block),
        )
        yield StepPoint.SOLVE, solve
        for call in finder.memory_calls(self._state.length):
            yield StepPoint.SOLVE, call
        self._motions = self._sweeper.motions_for(solver.state) if self._sweeps else None
        if self._motions is not None:
            yield from self._sweeper.calls(awake, self._motions, self._trees(), settings.gravity, dt)

    def _trees(self) -> np.ndarray:
        """Return the tree of joints of each body row, -1 if it has none; an empty array if there are no joints (n,)."""
        return self._solver_joints.trees.tree_of_body

    def resume(self, point: StepPoint) -> StepPoint:
        """Make room for the blocks of the solver, or stop fast bodies."""
        if point is StepPoint.SOLVE:
            self.solver.reserve_blocks(self._block_count.item())
            return StepPoint.SOLVE
        assert self._motions is not None, "only sweeps report at another point"
        self._sweeper.trees = self._trees()
        return self._sweeper.resume(self._motions, self._state.settings.gravity, self._state.dt)

    def pause(self) -> None:
        """Clear the impulses of the contacts, in a step that moves nothing."""
        self._contact_finder.clear_impulses()

    @property
    def reachable_pairs(self) -> PairColumns:
        """Pairs of this step that fast bodies may reach, beside those of the broadphase."""
        return self._sweeper.reachable.columns

    def find_reachable(self, has_contacts: bool) -> bool:
        """Find these pairs, and their contacts if the step has contacts; return True if columns were replaced."""
        if not self._sweeps:
            return False
        before = self.reachable_pairs.arrays, self._contact_finder.contacts
        self._sweeper.find_reachable(self._sleepers.awake, self._trees(), self._state.settings.gravity, self._state.dt)
        if has_contacts:
            self._sweeper.add_reachable_contacts()
        after = self.reachable_pairs.arrays, self._contact_finder.contacts
        return not all(map(is_, before, after))

    def forget_reachable(self) -> None:
        """Forget the pairs that were found in an earlier step."""
        self._sweeper.reachable.clear()

    def contacts(self, with_reachable: bool = False) -> ContactView:
        """Return this step's contacts as arrays; on demand with those that fast bodies may reach."""
        contacts, count = self._contact_finder.contacts, self._contact_finder.count
        entities = self._pairs.arrays.index[contacts.pair[:count], of_pair.ENTITIES]
        if with_reachable:
            more = self._sweeper.reachable.contact_count
            slots = contacts.pair[count : count + more]
            entities = np.concatenate((entities, self.reachable_pairs.arrays.index[slots, of_pair.ENTITIES]))
            count += more
        return ContactView(contacts, count, entities, self._bodies)

    def contacts_at(self, places: np.ndarray) -> list[contact.Contact]:
        """Return the contacts of the pairs in some slots (k,) int64."""
        return self._pair_contacts.at(places)

    def contacts_of(self, body: Body) -> list[contact.Contact]:
        """Return the contacts of a collider that touch: those of this step, then those that sleep stores."""
        return self._pair_contacts.of(body.pieces)
