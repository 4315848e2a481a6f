"""Put bodies at rest to sleep, and wake them when anything changes their motion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import DYNAMIC, KINEMATIC, STATIC
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import StableRows, each_once, rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, LiveNumber, LiveSlice
from ecs_collide.kernels.simd import lane_array
from ecs_collide.step.broadphase.body_waker import BodyWaker
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.broadphase.pairs_of_pieces import slots_of
from ecs_collide.step.joints.world_joints import WorldJoints
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.sleep import islands
from ecs_collide.step.sleep.disturbances import has_moving, remove_awake, sort_moves
from ecs_collide.step.sleep.island_links import links_of_joints
from ecs_collide.step.sleep.islands import find_sleepers, island_scratch, restart_outside_boxes, time_rest
from ecs_collide.step.sleep.parked_contacts import SleepingContacts
from ecs_collide.step.sleep.parked_pairs import find_touched, list_island_bodies, park_pairs
from ecs_collide.step.sleep.requested_islands import put_islands_to_sleep
from ecs_collide.step.sleep.slow_motion import LINK, NO_LINKS, IslandLinks
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.mobile_bodies import split_mobile

NO_ROWS = np.zeros(0, np.int64)


class Sleepers(BodyWaker):
    """Sleeping bodies of a world.

    A sleeping dynamic body leaves the rows that a step processes. Its pieces leave the moving pieces of the broadphase,
    and its pairs with sleeping or static bodies are parked. It wakes with its whole island. For a kinematic body at
    rest, only the pairs are parked.
    """

    state_list = list_state(
        values="count _awake parked_kinematic _awake_version",
        arrays="waited",
        contents="requested changes",
        objects="contacts _awake_rows",
        left_out="_islands _touched _touched_count _tolerances _time_unit",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: PairFinder,
        contact_finder: ContactFinder,
        body_sync: BodySync,
        joints: WorldJoints,
        tolerances: Tolerances,
        time_unit: float,
    ) -> None:
        self.count = 0
        """Number of sleeping bodies."""
        self.waited = np.zeros(1)
        """Time in which there were bodies that could fall asleep, since the last search for islands [s] (1,)."""
        self.requested: set[int] = set()
        """Rows of the bodies that the game puts to sleep in the next step."""
        self.changes: list[tuple[int, bool]] = []
        """Entities that fell asleep (True) or woke (False) since these changes were read last, in order."""
        self.contacts = SleepingContacts(pairs)
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._contact_finder = contact_finder
        self._body_sync = body_sync
        self._joints = joints
        self._tolerances = tolerances
        self._time_unit = time_unit
        """Time units of the game in a second."""
        self._islands = islands.NO_ISLANDS
        self._awake = NO_ROWS
        """Rows of the bodies that move in a step."""
        self._awake_rows = StableRows()
        """A copy of these rows for prepared calls."""
        self._touched, self._touched_count = np.zeros(128, np.int64), np.zeros(1, np.int64)
        """Scratch space for the call of `touch_call`."""
        self.parked_kinematic = NO_ROWS
        """Rows of the kinematic bodies at rest whose pairs are parked."""
        self._awake_version = -1
        """Version of the bodies that `_awake` belongs to."""
        finder.waker = self

    def reset(self) -> None:
        """Restart the time until the next search for islands, as in a new world."""
        self.waited[0] = 0.0

    def forget(self, rows: list[int]) -> None:
        """Drop the requests for removed bodies, whose rows other bodies may get."""
        self.requested.difference_update(rows)

    @property
    def awake(self) -> np.ndarray:
        """Rows of the bodies that move in a step."""
        if self._awake_version != self._body_sync.version:
            self._renew()
        return self._awake

    def list_awake(self) -> None:
        """Write the rows of the bodies that move to `awake_slice`."""
        self._awake_rows.store_rows(self.awake)

    @property
    def awake_slice(self) -> LiveSlice:
        """Rows of the bodies that move in a step, as an argument of prepared calls; see `list_awake`."""
        return self._awake_rows.live

    def links(self) -> IslandLinks:
        """Return the joints that work, as islands need them."""
        joints = self._joints.present
        return NO_LINKS if joints is None else links_of_joints(joints, self._bodies.arrays)

    @property
    def has_requests(self) -> bool:
        """True if the game puts bodies to sleep in this step."""
        return len(self.requested) > 0

    @property
    def has_sleepers(self) -> bool:
        """True if bodies sleep."""
        return self.count > 0

    def disturbance_calls(self, result: np.ndarray) -> Iterator[Call]:
        """Yield the calls that sort what the game wrote.

        They report if a body that sleeps was written to, or a static one was moved that is not relocated, see
        `wake_disturbed`. `result` (1,) int64 is room for their results.
        """
        written, arrays = self._bodies.written, self._bodies.arrays
        yield Call(sort_moves, self._move_arguments, result, 0)
        yield Call(remove_awake, (written.marked, written.count, written.marks, arrays), result, 0)
        if len(self.parked_kinematic):
            yield Call(has_moving, (self.parked_kinematic, arrays), result, 0)

    @property
    def _move_arguments(self) -> tuple[object, ...]:
        teleported, moved = self._bodies.teleported, self._bodies.moved_statics
        return (
            teleported.marked,
            teleported.count,
            moved.marked,
            moved.count,
            moved.marks,
            self._bodies.relocated,
            self._bodies.arrays,
        )

    def sort_moves(self) -> None:
        """List the static bodies that were moved among those whose `Transform` was written."""
        sort_moves(*self._move_arguments)

    def wake_disturbed(self) -> None:
        """Wake the bodies that the game has written to, and kinematic bodies that have a velocity now.

        Call it before a step.
        """
        teleported, written, moved_statics = self._bodies.teleported, self._bodies.written, self._bodies.moved_statics
        if teleported or written or moved_statics:
            with DelayedInterrupts():
                self.sort_moves()
                lists = [dirty.rows() for dirty in (written, moved_statics) if dirty]
                if teleported:
                    rows = teleported.rows()
                    lists.append(rows[self._bodies.arrays.kind[rows] != STATIC])
                self.disturb(each_once(*lists))
                written.clear()
        if len(self.parked_kinematic):
            velocity = self._bodies.arrays.velocity[self.parked_kinematic]
            moving = self.parked_kinematic[velocity.any(axis=1)]
            if len(moving):
                with DelayedInterrupts():
                    self._wake(np.concatenate((moving, self._bodies_joined_to(moving))))

    def wake_changing(self, rows: list[int]) -> None:
        """Wake bodies that are about to be removed or changed, as `disturb` does."""
        if self.count:
            self.disturb(np.array(rows, np.int64))

    def disturb(self, rows: np.ndarray) -> None:
        """Wake bodies, and the bodies that rest on static or kinematic ones among them.

        A row of an attached collider stands for its body.
        """
        bodies, rows = self._bodies.arrays, self._bodies.host_rows(rows)
        bodies.rest_time[rows] = 0.0
        if self.count == 0:
            return
        kind = bodies.kind[rows]
        supports = rows[(kind == STATIC) | ((kind == KINEMATIC) & (bodies.island[rows] != 0))]
        self._wake(np.concatenate((rows, self._partners(supports))) if len(supports) else rows)

    def disturb_pieces(self, rows: np.ndarray) -> None:
        """Wake the bodies that rest on pieces, and those that sleep at their present places."""
        if self.count == 0:
            return
        owners = self._pieces.arrays.index[:, PIECE.BODY]
        near = self._finder.search.mobile_in(self._pieces.arrays.box[rows])
        self._wake(np.concatenate((self._bodies_resting_on(rows), owners[near])))

    def touch_call(self) -> Call:
        """Return the call that finds sleeping bodies that awake ones touch; it reports if there are any."""
        pairs = self._pairs.arrays
        if 2 * len(pairs.order) > len(self._touched):
            self._touched = lane_array((2 * len(pairs.order),), np.int64)
        live = LiveSlice(pairs.order, pairs.row_start[:1], pairs.row_start[-1:])
        return Call(find_touched, (live, self._bodies.arrays, pairs, self._touched), self._touched_count, 0)

    def wake_touched(self) -> None:
        """Wake the sleeping bodies that the call of `touch_call` has found."""
        self._wake(self._touched[: self._touched_count.item()])

    def rest_call(self, dt: LiveNumber, ready: np.ndarray) -> Call:
        """Return the call that measures how long bodies have rested; it reports if it is time to find islands."""
        return Call(
            time_rest,
            (
                self.awake_slice,
                self._bodies.arrays,
                self._bodies.span,
                dt,
                self._time_unit,
                self._tolerances.sleep_speed,
                self.waited,
            ),
            ready,
            0,
        )

    def find_islands(self, gravity: tuple[float, float]) -> bool:
        """Put islands to sleep, after a step whose call of `rest_call` has reported; return True if any fell asleep."""
        bodies, awake = self._bodies.arrays, self.awake
        self.waited[0] = 0.0
        self._reserve_islands()
        restart_outside_boxes(self._finder.movers.rows, bodies, self._pieces.arrays)
        finder = self._contact_finder
        count = find_sleepers(
            awake,
            bodies,
            self._bodies.span,
            finder.contacts,
            finder.count,
            self.links(),
            gravity,
            self._tolerances,
            self._time_unit,
            self._islands,
        )
        if count:
            self._complete_sleep(self._islands.asleep[:count])
        return bool(count > 0)

    def fulfil_requests(self) -> None:
        """Put the islands of the requested bodies to sleep. Call it when the manifolds of this step are made."""
        bodies = self._bodies.arrays
        rows = np.array(sorted(self.requested), np.int64)
        self.requested.clear()
        rows = rows[(bodies.kind[rows] == DYNAMIC) & (bodies.island[rows] == 0)]
        self._reserve_islands()
        count = put_islands_to_sleep(
            rows, self.awake, self._pairs.live, bodies, self._pairs.arrays, self.links(), self._islands
        )
        if count:
            self._complete_sleep(self._islands.asleep[:count])

    def wake_all(self) -> None:
        """Wake all sleeping bodies, and forget the requests."""
        self.requested.clear()
        with DelayedInterrupts():
            self._wake(rows_where(self._bodies.arrays.island[: self._bodies.rows.high] != 0))

    def _reserve_islands(self) -> None:
        """Make room for as many bodies as there are rows."""
        rows = len(self._bodies.arrays.kind)
        if rows > len(self._islands.parent):
            self._islands = island_scratch(rows)

    def _complete_sleep(self, asleep: np.ndarray) -> None:
        """Remove bodies that fell asleep from the rows, pieces and pairs that a step processes."""
        bodies, finder = self._bodies.arrays, self._contact_finder
        self.count += len(asleep)
        self.contacts.keep(finder.contacts, finder.count, bodies)
        dynamic = asleep[bodies.kind[asleep] == DYNAMIC]
        self._finder.put_to_sleep(self._pieces_of(dynamic))
        live = self._pairs.live.copy()
        self._park(live)
        self._finder.relocated.forget(self._supports_of(live[~self._pairs.arrays.awake[live]], asleep))
        self._renew()
        self.changes += [(entity, True) for entity in bodies.entity[dynamic].tolist()]

    def _wake(self, rows: np.ndarray) -> None:
        """Wake the sleeping bodies among `rows`, with their islands."""
        bodies, high = self._bodies.arrays, self._bodies.rows.high
        if not bodies.island[rows].any():
            return
        found = np.empty(self.count, np.int64)
        woken = found[: list_island_bodies(rows, high, bodies, np.zeros(high + 1, np.bool_), found)]
        bodies.island[woken] = 0
        bodies.rest_time[woken] = 0.0
        self.count -= len(woken)
        dynamic = woken[bodies.kind[woken] == DYNAMIC]
        self.changes += [(entity, False) for entity in bodies.entity[dynamic].tolist()]
        self._finder.wake(self._pieces_of(dynamic))
        self._park(self._parked_slots_of(self._pieces_of(woken)))
        self._awake = each_once(self._awake, woken)
        if len(self.parked_kinematic):
            self.parked_kinematic = self.parked_kinematic[bodies.island[self.parked_kinematic] != 0]

    def _partners(self, rows: np.ndarray) -> np.ndarray:
        """Return the bodies that have a parked pair or a joint with any of `rows`, and these bodies."""
        return np.concatenate((self._bodies_resting_on(self._pieces_of(rows)), self._bodies_joined_to(rows)))

    def _bodies_resting_on(self, pieces: np.ndarray) -> np.ndarray:
        """Return the bodies of the parked pairs of some pieces."""
        parked = self._pairs.arrays.index[self._parked_slots_of(pieces)]
        bodies: np.ndarray = parked[:, [PAIR.BODY_A, PAIR.BODY_B]].ravel()
        return bodies

    def _supports_of(self, slots: np.ndarray, asleep: np.ndarray) -> np.ndarray:
        """Return the bodies of some parked pairs, and those that have a joint with any of `asleep`."""
        bodies = self._pairs.arrays.index[slots][:, [PAIR.BODY_A, PAIR.BODY_B]].ravel()
        return np.concatenate((bodies, self._bodies_joined_to(asleep)))

    def _bodies_joined_to(self, rows: np.ndarray) -> np.ndarray:
        """Return the bodies that have a joint with any of `rows`."""
        links, high = self.links().ends, self._bodies.rows.high
        a, b = links[:, LINK.A], links[:, LINK.B]
        have_bodies = (a >= 0) & (b >= 0) & (a < high) & (b < high)
        a, b = a[have_bodies], b[have_bodies]
        return np.concatenate((b[np.isin(a, rows)], a[np.isin(b, rows)]))

    def _pieces_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the pieces of bodies, in ascending order (p,) int64."""
        members = self._body_sync.members
        entities: list[int] = self._bodies.arrays.entity[rows].tolist()
        return np.array(sorted([piece for entity in entities for piece in members[entity].all_pieces]), np.int64)

    def _parked_slots_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the slots of the parked pairs of some pieces."""
        slots = slots_of(rows, self._pieces, self._pairs)
        parked: np.ndarray = slots[~self._pairs.arrays.awake[slots]]
        return parked

    def _park(self, slots: np.ndarray) -> None:
        """Park or unpark the pairs in `slots`."""
        park_pairs(slots, self._bodies.arrays, self._pairs.arrays)
        self._contact_finder.regroup()

    def _renew(self) -> None:
        """Update the rows of awake bodies from those of the bodies that can move."""
        self._awake, self.parked_kinematic = self._body_sync.mobile, NO_ROWS
        if self.count:
            awake, parked = np.empty((2, len(self._awake)), np.int64)
            awake_count, parked_count = split_mobile(self._awake, self._bodies.arrays, awake, parked)
            self._awake = awake[:awake_count]
            self.parked_kinematic = parked[:parked_count].copy() if parked_count else NO_ROWS
        self._awake_version = self._body_sync.version
