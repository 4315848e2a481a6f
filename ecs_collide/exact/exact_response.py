"""The exact response of a physics world: its own steps of Broadphase and Response, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.components.described import shorten_repr
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FILTER, VELOCITY
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.exact.exact_contacts import ExactContacts
from ecs_collide.exact.exact_solver import ExactSolver
from ecs_collide.kernels.calls import Call, Input
from ecs_collide.shapes import Circle
from ecs_collide.step.bookkeeping import OPEN_GATE, read_number
from ecs_collide.step.broadphase.ignored_pairs import EXACT_REFUSAL
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.response_protocol import Subsystems

if TYPE_CHECKING:
    from ecs_collide.step.sync.body_definition import Body
    from ecs_collide.step.sync.plan_bodies import PlannedBodies

NO_ROWS = np.zeros(0, np.int64)
NO_JOINTS = "response='exact' has no joints. Use install(response='impulse')"


class ExactResponse:
    """Response that moves circles, and processes their impacts in the order of their times.

    It finds impacts itself. The pairs of the broadphase only serve sensors, and only if there are any.
    """

    state_list = list_state(
        objects="_solver own_contacts pair_stage",
        left_out="crossed contact_count stopped _gate_result _subsystems",
    )

    sleeps = False
    steady_points = frozenset((StepPoint.SOLVE,))

    def __init__(self, subsystems: Subsystems) -> None:
        self._subsystems = subsystems
        self._solver = ExactSolver(
            subsystems.bodies, subsystems.pieces, subsystems.tolerances, subsystems.state.settings.length_unit
        )
        self.own_contacts = ExactContacts(subsystems.bodies)
        self.pair_stage = ExactPairStage(subsystems, self._solver)
        self.crossed: list[tuple[int, int]] = []
        """Always empty: no sensor is swept."""
        self.contact_count = self.own_contacts.count
        self.stopped = np.zeros(1, np.int64)
        """Always 0: impacts stop fast circles."""
        self._gate_result = np.zeros(1, np.int64)
        subsystems.ignored_entities.refusal = EXACT_REFUSAL
        subsystems.joints.refusal = NO_JOINTS

    @property
    def checks_steps(self) -> bool:
        """True if there are kinematic bodies, which might be given a spin."""
        return self.pair_stage.has_kinematic

    def check_bodies(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError for a body that the response cannot move."""
        refuse_bodies(bodies)

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Raise PhysicsError if a kinematic body that is no centred circle would turn once a plan is carried out."""
        self.pair_stage.check_step(plan)

    def prepare(self) -> None:
        """Do nothing: all work is done in `resume`."""

    def inputs(self) -> tuple[Input, ...]:
        """Return nothing: the gate stays the same."""
        return ()

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield an open gate."""
        yield StepPoint.SOLVE, Call(read_number, (OPEN_GATE,), self._gate_result, most=0)

    def resume(self, point: StepPoint) -> StepPoint:
        """Move all bodies by the length of the step."""
        state, solver, statistics = self._subsystems.state, self._solver, self._subsystems.statistics
        solver.step(state.settings.gravity, state.dt)
        self.own_contacts.record(solver.records)
        statistics.impacts, statistics.event_cap_hits = solver.impacts, solver.cap_hits
        return StepPoint.MOVED

    def pause(self) -> None:
        """Keep the contacts that are still in place; they carry no impulses."""
        self._subsystems.contact_finder.clear_impulses()
        self.own_contacts.keep_touching(self._solver.touching())

    reachable_pairs: PairColumns | None = None

    def find_reachable(self, has_contacts: bool) -> bool:
        """Return False: no body is swept."""
        return False

    def forget_reachable(self) -> None:
        """Do nothing: no body is swept."""

    def contacts(self, with_reachable: bool = False) -> ContactView:
        """Return the impacts and resting contacts of the last step, each with one point."""
        return self.own_contacts.contacts()

    def contacts_at(self, places: np.ndarray) -> list[contact.Contact]:
        """Return the impacts and resting contacts in some rows (k,) int64."""
        return self.own_contacts.contacts().snapshots(places)

    def contacts_of(self, body: Body) -> list[contact.Contact]:
        """Return the impacts and resting contacts of a body in the last step."""
        return self.own_contacts.contacts_of(body.entity)


class ExactPairStage:
    """The stage of Broadphase in a world with the exact response.

    It updates the pairs only if there are sensors, and the solver's bodies only if any was added, removed or changed.
    """

    state_list = list_state(values="_seen _kinematic _has_sensors", left_out="_subsystems _solver _gate _gate_result")

    ends_list = False

    def __init__(self, subsystems: Subsystems, solver: ExactSolver) -> None:
        self._subsystems = subsystems
        self._solver = solver
        self._seen = -1
        """Version of the bodies for which the solver's bodies were renewed."""
        self._kinematic = NO_ROWS
        """Rows of the kinematic bodies that can be hit."""
        self._has_sensors = False
        """True if any collider senses overlaps."""
        self._gate, self._gate_result = np.zeros((2, 1), np.int64)

    def prepare(self) -> None:
        """Open the gate if pairs or bodies may have changed; all work is done in `resume`."""
        self._gate[0] = self._has_sensors or self._is_stale or self._subsystems.body_frames.has_unplaced_statics

    def inputs(self) -> tuple[Input, ...]:
        """Return nothing: the gate stays the same."""
        return ()

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the gate."""
        yield StepPoint.PAIRS, Call(read_number, (self._gate,), self._gate_result, most=0)

    def resume(self, point: StepPoint) -> StepPoint:
        """Renew pairs and bodies."""
        subsystems = self._subsystems
        statics, is_stale = subsystems.body_frames.pop_moved_statics(), self._is_stale
        subsystems.pairs.enable_all()
        if subsystems.pair_finder.update(statics):
            subsystems.contact_finder.regroup()
        subsystems.contact_finder.update_welding()
        self._disable_solid_pairs()
        if is_stale or len(statics):
            self._renew_bodies()
        return StepPoint.MANIFOLDS

    @property
    def has_kinematic(self) -> bool:
        """True if any kinematic body can be hit."""
        return len(self._kinematic) > 0

    @property
    def _is_stale(self) -> bool:
        """True if bodies were added, removed or changed since `_renew_bodies`."""
        return self._seen != self._subsystems.body_sync.version

    def _disable_solid_pairs(self) -> None:
        """Disable the pairs of solid pieces: the solver finds their impacts itself."""
        live = self._subsystems.pairs.live
        roles = self._subsystems.pairs.arrays.index[live, PAIR.ROLE]
        self._subsystems.pairs.disable(live[roles & of_pair.SOLID != 0])

    def _renew_bodies(self) -> None:
        """Renew the balls and obstacles of the solver from all bodies."""
        columns, body_sync = self._subsystems.bodies, self._subsystems.body_sync
        self._seen = body_sync.version
        self._has_sensors = bool(columns.arrays.filter[: columns.rows.high, FILTER.SENSOR :].any())
        self._list_kinematic()
        self._solver.renew(body_sync.mobile)

    def _list_kinematic(self) -> None:
        """List the kinematic bodies that can be hit."""
        bodies, mobile = self._subsystems.bodies.arrays, self._subsystems.body_sync.mobile
        kinematic = mobile[bodies.kind[mobile] == BodyKind.KINEMATIC]
        self._kinematic = kinematic[bodies.filter[kinematic, FILTER.SENSOR] == 0]

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Raise PhysicsError if a kinematic body that is no centred circle would turn once a plan is carried out."""
        bodies, body_sync = self._subsystems.bodies.arrays, self._subsystems.body_sync
        if self._is_stale:
            self._list_kinematic()
        changing = set() if plan is None else set(plan.change.entities)
        for row in self._kinematic[bodies.velocity[self._kinematic, VELOCITY.ANGULAR] != 0.0].tolist():
            entity = int(bodies.entity[row])
            if entity not in changing:
                _refuse_spin(body_sync.members[entity], float(bodies.velocity[row, VELOCITY.ANGULAR]))
        for body in [] if plan is None else plan.bodies:
            collider = body.components.collider
            is_sensor = collider is not None and collider.enabled and collider.sensor
            if body.kind is BodyKind.KINEMATIC and not is_sensor:
                _refuse_spin(body, body_sync.planned_velocity(body)[VELOCITY.ANGULAR])


def refuse_bodies(bodies: Sequence[Body]) -> None:
    """Raise PhysicsError if the exact response cannot move one of some bodies."""
    for body in bodies:
        if body.host is not body:
            raise PhysicsError(
                f"entity {body.entity}: AttachedTo does not work with response='exact', in which every body is one "
                "collider. Use response='impulse'"
            )
    for body in bodies:
        collider = body.components.collider
        if collider is None:
            continue
        if collider.one_way is not None:
            raise PhysicsError(
                f"entity {body.entity}: Collider.one_way {collider.one_way} does not work with response='exact', in "
                "which every body is solid from all sides. Use response='impulse', or move_and_slide"
            )
        if body.center_of_mass is not None and body.center_of_mass != (0.0, 0.0):
            raise PhysicsError(
                f"entity {body.entity}: RigidBody.center_of_mass {body.center_of_mass} does not work with "
                "response='exact', in which a body turns about its own origin. Use response='impulse'"
            )
        is_disk = isinstance(body.shape, Circle) and body.shape.center == (0.0, 0.0)
        if body.kind is BodyKind.DYNAMIC and not is_disk:
            raise PhysicsError(
                f"entity {body.entity}: its Collider.shape cannot be dynamic with response='exact', which moves only "
                "circles around their own origin. Make it a Circle(radius), or the RigidBody static or kinematic: "
                f"{shorten_repr(body.shape)}"
            )


def _refuse_spin(body: Body, spin: float) -> None:
    """Raise PhysicsError if a kinematic body's edges would turn within a step."""
    shape = body.shape
    if spin == 0.0 or shape is None or (isinstance(shape, Circle) and shape.center == (0.0, 0.0)):
        return
    raise PhysicsError(
        f"entity {body.entity}: its Velocity.angular is {spin}, but a kinematic {type(shape).__name__} cannot turn "
        "with response='exact', in which edges move on straight lines. Set Velocity.angular to 0"
    )
