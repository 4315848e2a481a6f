"""What a step and its events need of a response; one of them stands behind it in each world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ecs_collide.common.statistics import Statistics
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.calls import Call
from ecs_collide.step.notify.contact_source import ContactSource

if TYPE_CHECKING:
    from ecs_collide.common.settings import Settings
    from ecs_collide.step.broadphase.pair_finder import PairFinder
    from ecs_collide.step.joints.joint_graph import Assembly
    from ecs_collide.step.narrowphase.contact_finder import ContactFinder
    from ecs_collide.step.sync.body_definition import Body
    from ecs_collide.step.sync.membership import Membership, Plan


class Stages(NamedTuple):
    """What of a world a response is made on."""

    bodies: BodyColumns
    pieces: PieceColumns
    pairs: PairColumns
    pair_finder: PairFinder
    contact_finder: ContactFinder
    tolerances: Tolerances
    length_unit: float


class ContactResponse(ContactSource, Protocol):
    """Answers the contacts of a world, and moves its bodies."""

    sleeps: bool
    """Whether bodies fall asleep with it."""
    joints_refusal: str | None
    """Why there can be no joints with it, None where there can."""
    assembly: Assembly | None
    """The world's joints, from the first one on."""
    chained: ChainedResponse | None
    """The same where a step of it can be made of calls in a chain."""

    def __init__(self, stages: Stages) -> None: ...

    def check(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError where there is one among some bodies that it cannot treat."""

    def check_step(self, membership: Membership, plan: Plan | None) -> None:
        """Raise PhysicsError for a step that it could not make, once a plan is carried out."""

    def needs_pairs(self, membership: Membership, touched_statics: np.ndarray) -> bool:
        """Whether the broadphase has to run in this step."""

    def take_pairs(self, membership: Membership, touched_statics: np.ndarray) -> None:
        """Take up the pairs, which are up to date, and who is there."""

    def respond(self, movers: np.ndarray, settings: Settings, dt: float) -> None:
        """Move the bodies in rows `movers` by dt [s]."""

    def pause(self) -> None:
        """Take a step that it does not answer: what touched goes on touching where it is still in place."""

    def forget(self, gone: set[int]) -> None:
        """Entities have gone: whoever gets their ids has touched and hit nobody."""

    def report(self, statistics: Statistics) -> None:
        """Fill in what it did in this step."""


class ChainedResponse(Protocol):
    """A response whose step is some calls of kernels, with something to do after them now and then."""

    length: np.ndarray
    """The length of a step [s] (1,), which the calls read."""
    stopped: np.ndarray
    """How many bodies they stopped in this step (1,)."""

    @property
    def broken(self) -> np.ndarray | None:
        """Where it stands whether a joint broke in this step (1,); None where there are no joints."""

    def columns(self, movers: np.ndarray, settings: Settings) -> tuple[object, ...]:
        """Take up who is moved; return what the calls of `answering` are prepared for."""

    def answering(self, settings: Settings) -> Iterator[Call]:
        """The calls of a step. A chain ends with the first where there is not enough room: then nothing was done; and
        with a later one where `finish` has something to do."""

    def listing_hits(self) -> Call:
        """The call that lists the hits of this step; a chain ends with it where there are some."""

    def finish(self, settings: Settings) -> None:
        """Do what is left to do after a chain has ended with one of the calls of `answering` behind the first."""
