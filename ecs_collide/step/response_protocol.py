"""The interface of a response: it answers the contacts of a world and moves its bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.calls import Call, Input
from ecs_collide.step.notify.contact_source import ContactSource, OwnContacts
from ecs_collide.step.plan import Stage, StepPoint
from ecs_collide.step.step_state import StepState

if TYPE_CHECKING:
    from ecs_collide.common.statistics import Statistics
    from ecs_collide.common.tolerances import Tolerances
    from ecs_collide.step.body_frames import BodyFrames
    from ecs_collide.step.broadphase.pair_finder import PairFinder
    from ecs_collide.step.joints.world_joints import WorldJoints
    from ecs_collide.step.narrowphase.contact_finder import ContactFinder
    from ecs_collide.step.sleep.sleepers import Sleepers
    from ecs_collide.step.sync.body_definition import Body
    from ecs_collide.step.sync.body_sync import BodySync
    from ecs_collide.step.sync.ignored_sync import IgnoredSync
    from ecs_collide.step.sync.plan_bodies import PlannedBodies


class Subsystems(NamedTuple):
    """The subsystems of a world that a response works on."""

    state: StepState
    bodies: BodyColumns
    pieces: PieceColumns
    pairs: PairColumns
    pair_finder: PairFinder
    contact_finder: ContactFinder
    body_sync: BodySync
    sleepers: Sleepers
    body_frames: BodyFrames
    ignored_entities: IgnoredSync
    joints: WorldJoints
    statistics: Statistics
    tolerances: Tolerances


class ContactResponse(ContactSource, Protocol):
    """Moves the bodies of a world.

    `prepare`, `inputs`, `calls` and `resume` are those of a `Stage`; the points of the calls are SOLVE, SWEEPS and
    SQUEEZE.
    """

    sleeps: bool
    """True if bodies fall asleep with it."""
    steady_points: frozenset[StepPoint]
    """The points at which `resume` replaces no column."""
    contact_count: np.ndarray
    """Number of contacts in the last step (1,) int64."""
    stopped: np.ndarray
    """Number of bodies that were stopped on their way in this step (1,) int64."""

    @property
    def checks_steps(self) -> bool:
        """True if a step may be refused although nothing but numbers has changed."""

    def check_bodies(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError if the response cannot move one of some bodies that will be added or changed."""

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Raise PhysicsError if it cannot make a step once a change is carried out; None is no change."""

    @property
    def own_contacts(self) -> OwnContacts | None:
        """Contacts that belong to no pair of the broadphase; None if all belong to pairs."""

    @property
    def pair_stage(self) -> Stage | None:
        """The stage of Broadphase, if it is not the usual one."""

    def prepare(self) -> None:
        """Reserve room."""

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls are prepared, as owners and names."""

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls of a step in order, each with its point."""

    def resume(self, point: StepPoint) -> StepPoint:
        """Do the work that a call at this point reported; return the point from which the step continues."""

    def pause(self) -> None:
        """Clear the impulses of the contacts, in a step that moves nothing."""

    @property
    def reachable_pairs(self) -> PairColumns | None:
        """Pairs of this step that fast bodies may reach, beside those of the broadphase; None if nothing is swept."""

    def find_reachable(self, has_contacts: bool) -> bool:
        """Find these pairs, and their contacts if the step has contacts; return True if columns were replaced."""

    def forget_reachable(self) -> None:
        """Forget the pairs that were found in an earlier step."""
