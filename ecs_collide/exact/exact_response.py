"""The exact response of a physics world: what it refuses, when it looks at the bodies anew, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.common.statistics import Statistics
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import bodies as of_body, pairs as of_pair
from ecs_collide.data.contacts import contact_arrays
from ecs_collide.data.row_lists import each_once, places_of_each
from ecs_collide.errors import PhysicsError
from ecs_collide.exact.exact_rows import IMPACT, IMPACT_BODY
from ecs_collide.exact.exact_solver import ExactSolver
from ecs_collide.kernels.calls import Cell
from ecs_collide.shapes import Circle
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_source import End, Start
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.hits import HardHit, hardest
from ecs_collide.step.response_protocol import ChainedResponse, Stages

if TYPE_CHECKING:
    from ecs_collide.common.settings import Settings
    from ecs_collide.step.joints.joint_graph import Assembly
    from ecs_collide.step.sync.body_definition import Body
    from ecs_collide.step.sync.membership import Membership, Plan

NO_ROWS = np.zeros(0, np.int64)
NO_KEYS = np.zeros(0, np.uint64)
NO_RECORDS = np.zeros((0, IMPACT_BODY.WIDTH), np.int64), np.zeros((0, IMPACT.WIDTH))


class ExactResponse:
    """Stands between a world's columns and the solver. The broadphase's pairs only tell of overlaps without answer."""

    sleeps = False
    joints_refusal: str | None = 'response="exact" has no joints: install with response="impulse"'
    has_own_contacts = True
    chained: ChainedResponse | None = None

    def __init__(self, stages: Stages) -> None:
        self.solver = ExactSolver(stages.bodies, stages.pieces, stages.tolerances, stages.length_unit)
        self.assembly: Assembly | None = None
        self._bodies = stages.bodies
        self._pairs = stages.pairs
        self._contact_finder = stages.contact_finder
        self.crossed: list[tuple[int, int]] = []
        """None: nothing is swept."""
        self.least_hit = Cell(np.zeros(1))
        self._seen = -1
        """The state of the membership that was looked at last."""
        self._kinematic = NO_ROWS
        self._senses = False
        """Whether anybody is told of overlaps: else nothing needs the broadphase."""
        self._told = NO_KEYS
        """The pairs of entities that touched in the step before, and ..."""
        self._touching = NO_KEYS
        """... those in the last one, unsorted and with repetitions (k,)."""
        self._parted = NO_KEYS
        """Those that touched, of which one has gone since, until `changes` tells of them."""
        self._records = NO_RECORDS
        """Body rows and numbers of the impacts and resting contacts that are shown, see `ExactSolver.records`."""

    def check(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError if an entity asks to be what the exact response cannot treat."""
        for body in bodies:
            collider = body.parts.collider
            if collider is None:
                continue
            if collider.one_way is not None:
                raise PhysicsError(
                    f"entity {body.entity}: Collider.one_way {collider.one_way} is not for response='exact', in "
                    "which everything is solid from all sides: use response='impulse', or move_and_slide"
                )
            is_disk = isinstance(body.shape, Circle) and body.shape.center == (0.0, 0.0)
            if body.kind is BodyKind.DYNAMIC and not is_disk:
                raise PhysicsError(
                    f"entity {body.entity}: Collider.shape {body.shape!r} cannot be dynamic with response='exact', "
                    "which moves circles around their own origin only: make it a Circle(radius), or static or "
                    "kinematic by its RigidBody"
                )

    def check_step(self, membership: Membership, plan: Plan | None) -> None:
        """Raise PhysicsError if a kinematic body would turn, once a plan is carried out, that is no centred circle."""
        bodies = self._bodies.arrays
        if self._is_stale(membership):
            self._list_kinematic(membership)
        changing = set() if plan is None else set(plan.change.entities)
        for row in self._kinematic[bodies.velocity[self._kinematic, of_body.ANGLE] != 0.0].tolist():
            entity = int(bodies.entity[row])
            if entity not in changing:
                _refuse_spin(membership.members[entity], float(bodies.velocity[row, of_body.ANGLE]))
        for body in [] if plan is None else plan.bodies:
            collider = body.parts.collider
            is_sensor = collider is not None and collider.enabled and collider.sensor
            if body.kind is BodyKind.KINEMATIC and not is_sensor:
                _refuse_spin(body, membership.velocity_to_be(body)[of_body.ANGLE])

    def needs_pairs(self, membership: Membership, touched_statics: np.ndarray) -> bool:
        """Whether something sensed may have changed, or what is static."""
        return self._senses or self._is_stale(membership) or len(touched_statics) > 0

    def take_pairs(self, membership: Membership, touched_statics: np.ndarray) -> None:
        """Keep the pairs that are not answered, and take up the bodies anew where they, or what is static, changed."""
        self._leave_sensors(self._pairs.live)
        if self._is_stale(membership) or len(touched_statics):
            self._renew(membership)

    def _is_stale(self, membership: Membership) -> bool:
        """Whether bodies have come, gone or changed since `_renew`."""
        return self._seen != membership.version

    def _leave_sensors(self, live: np.ndarray) -> None:
        """Switch off the pairs that are answered: their impacts are found otherwise. Writes pair_enabled."""
        self._pairs.disable(live[self._pairs.arrays.index[live, of_pair.ROLE] & of_pair.SOLID != 0])

    def _renew(self, membership: Membership) -> None:
        """Take up the bodies anew."""
        self._seen = membership.version
        bodies, high = self._bodies.arrays, self._bodies.rows.high
        self._senses = bool(bodies.filter[:high, of_body.SENSOR :].any())
        self._list_kinematic(membership)
        self.solver.renew(membership.movers)

    def _list_kinematic(self, membership: Membership) -> None:
        """Note the rows of the kinematic bodies that can be hit."""
        bodies, movers = self._bodies.arrays, membership.movers
        kinematic = movers[bodies.kind[movers] == BodyKind.KINEMATIC]
        self._kinematic = kinematic[bodies.filter[kinematic, of_body.SENSOR] == 0]

    def respond(self, movers: np.ndarray, settings: Settings, dt: float) -> None:
        """Move all bodies by dt [s]."""
        self.solver.step(settings.gravity, dt)
        self._records = self.solver.records
        rows, _ = self._records
        self._touching = self._keys(rows)

    def pause(self) -> None:
        """Take a step of no length: what touched goes on touching, and carries nothing, where it is still in place."""
        in_place = self._keys(self.solver.touching())
        kept = np.isin(self._touching, in_place)
        rows, numbers = self._records
        numbers = numbers[kept]
        numbers[:, IMPACT.IMPULSE] = numbers[:, IMPACT.APPROACH] = 0.0
        self._records, self._touching = (rows[kept], numbers), self._touching[kept]

    def _keys(self, rows: np.ndarray) -> np.ndarray:
        """One number for the two entities of each pair of body rows (k, 2), in either order (k,) uint64."""
        entities = np.sort(self._bodies.arrays.entity[rows], axis=1).astype(np.uint64)
        keys: np.ndarray = (entities[:, 0] << np.uint64(32)) | entities[:, 1]
        return keys

    def forget(self, gone: set[int]) -> None:
        """Entities have gone: whoever gets their ids touches nobody."""
        touching, told = self._are_of(gone, self._touching), self._are_of(gone, self._told)
        rows, numbers = self._records
        self._records = rows[~touching], numbers[~touching]
        self._touching = self._touching[~touching]
        self._parted = each_once(self._parted, self._told[told])
        self._told = self._told[~told]

    def _are_of(self, entities: set[int], keys: np.ndarray) -> np.ndarray:
        """Which pairs have one of some entities (k,) bool."""
        its = np.array(sorted(entities), np.uint64)
        of_them: np.ndarray = np.isin(keys >> np.uint64(32), its) | np.isin(keys & np.uint64(0xFFFFFFFF), its)
        return of_them

    def report(self, statistics: Statistics) -> None:
        """Fill in the impacts and resting contacts that are shown, and how many were processed."""
        statistics.contacts = len(self._touching)
        statistics.impacts, statistics.event_cap_hits = self.solver.impacts, self.solver.cap_hits

    def contacts(self) -> ContactView:
        """The impacts and resting contacts of the last step, each with one point."""
        rows, numbers = self._records
        count = len(rows)
        contacts = contact_arrays(count)
        contacts.body[:] = rows
        contacts.point_count.fill(1)
        contacts.normal[:] = numbers[:, IMPACT.NORMAL_X : IMPACT.PLACE_X]
        contacts.point[:, 0] = numbers[:, IMPACT.PLACE_X : IMPACT.IMPULSE]
        contacts.normal_impulse[:, 0] = np.maximum(numbers[:, IMPACT.IMPULSE], 0.0)
        contacts.separation[:, 0] = numbers[:, IMPACT.GAP]
        contacts.approach_speed[:, 0] = numbers[:, IMPACT.APPROACH]
        contacts.enabled.fill(True)
        entities = self._bodies.arrays.entity[rows]
        return ContactView(contacts, count, entities[:, 0], entities[:, 1])

    def contacts_of(self, entity: int, body: int) -> list[contact.Contact]:
        """The impacts and resting contacts of an entity in the last step."""
        contacts = self.contacts()
        its = (contacts.entity_a == entity) | (contacts.entity_b == entity)
        return [contacts.snapshot(row) for row in np.flatnonzero(its).tolist()]

    def touching(self, a: int, b: int) -> bool:
        """Whether two entities hit each other, or rested on each other, in the last step."""
        low, high = sorted((a, b))
        return bool((self._touching == (np.uint64(low) << np.uint64(32) | np.uint64(high))).any())

    def touching_entities(self) -> np.ndarray:
        """The entities of all that hit each other, or rested on each other, in the last step (k, 2)."""
        keys = self._touching
        return np.stack((keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)), axis=1).astype(np.int64)

    def hits(self) -> list[HardHit]:
        """The hits of the last step, with the row of the hardest impact of each pair."""
        bodies, numbers = self._records
        fast = numbers[:, IMPACT.APPROACH] > self.least_hit.number
        rows = np.flatnonzero(fast & (numbers[:, IMPACT.IMPULSE] > 0.0))
        entities, its = np.sort(self._bodies.arrays.entity[bodies[rows]], axis=1), numbers[rows]
        places = its[:, IMPACT.PLACE_X : IMPACT.IMPULSE]
        return hardest(np.column_stack((entities, -its[:, IMPACT.APPROACH], places, rows)).tolist())

    def changes(self, is_heard: bool) -> tuple[list[End], list[Start]]:
        """The pairs of entities that ceased to touch, and those that began to, with the row of their contact."""
        parted, self._parted = self._parted, NO_KEYS
        if not is_heard:
            self._told = self._touching  # what touches now is known when somebody listens
            return [], []
        now, rows = places_of_each(self._touching)
        contact_source = each_once(self._told)
        ended = each_once(np.setdiff1d(contact_source, now, assume_unique=True), parted)
        begun = ~np.isin(now, contact_source, assume_unique=True)
        self._told = now
        ends = [(*_pair(key), of_pair.COLLIDES) for key in ended.tolist()]
        starts = [(*_pair(key), of_pair.COLLIDES, row) for key, row in zip(now[begun].tolist(), rows[begun].tolist())]
        return ends, starts

    def release(self) -> list[End]:
        """Forget all contacts; return the pairs of entities that touched."""
        ends = [(*_pair(key), of_pair.COLLIDES) for key in each_once(self._told, self._parted).tolist()]
        self._told = self._touching = self._parted = NO_KEYS
        self._records = NO_RECORDS
        self._seen = -1
        return ends


def _refuse_spin(body: Body, spin: float) -> None:
    """Raise PhysicsError if a kinematic body's edges would turn within a step."""
    shape = body.shape
    if spin == 0.0 or shape is None or (isinstance(shape, Circle) and shape.center == (0.0, 0.0)):
        return
    raise PhysicsError(
        f"entity {body.entity}: a kinematic {type(shape).__name__} cannot turn (Velocity.angular {spin}) with "
        "response='exact': its edges move on straight lines within a step"
    )


def _pair(key: int) -> tuple[int, int]:
    return key >> 32, key & 0xFFFFFFFF
