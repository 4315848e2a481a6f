"""What a step and its events need of a response; one of them stands behind it in each world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.engine.basis.statistics import Statistics
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.notify.contact_view import ContactView
from ecs_collide.engine.notify.hits import Hit

if TYPE_CHECKING:
    from ecs_collide.engine.basis.settings import Settings
    from ecs_collide.engine.broadphase.finder import PairFinder
    from ecs_collide.engine.membership.blueprint import Blueprint
    from ecs_collide.engine.membership.membership import Membership, Plan
    from ecs_collide.engine.narrowphase.contact_finder import ContactFinder

End = tuple[int, int, int]
"""Entity A, entity B and the way they touched (`TOUCHING`)."""
Start = tuple[int, int, int, int]
"""Entity A, entity B, the way they touch and the row of their contact."""


class Stages(NamedTuple):
    """What of a world a response is made on."""

    bodies: BodyColumns
    pieces: PieceColumns
    pairs: PairColumns
    pair_finder: PairFinder
    contact_finder: ContactFinder
    tolerances: Tolerances
    length_unit: float


class ContactResponse(Protocol):
    """Answers the contacts of a world, and moves its bodies."""

    sleeps: bool
    """Whether bodies fall asleep with it."""
    has_own_contacts: bool
    """Whether it has contacts that belong to no pair of the broadphase."""
    crossed: list[tuple[int, int]]
    """Sensor and entity of each sensor that was crossed within the step, until Notify takes them."""

    def __init__(self, stages: Stages) -> None: ...

    def check(self, blueprint: Blueprint) -> None:
        """Raise PhysicsError for a body that it cannot treat."""

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

    def report(self, statistics: Statistics) -> None:
        """Fill in what it did in this step."""

    def contacts(self) -> ContactView:
        """This step's contacts as arrays."""

    def touching(self, a: int, b: int) -> bool:
        """Whether two entities touch by a contact of its own."""

    def changes(self, is_heard: bool) -> tuple[list[End], list[Start]]:
        """What ceased and what began to touch by contacts of its own; nothing where nobody listens."""

    def hits(self, least: float) -> list[Hit]:
        """Who hit whom in this step faster than `least` [m/s]."""

    def release(self) -> list[End]:
        """Forget all contacts; return what touched by contacts of its own."""
