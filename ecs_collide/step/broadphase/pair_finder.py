"""The broadphase: it finds new pairs, and drops those whose fat boxes have parted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import ENDED, PairColumns
from ecs_collide.data.pieces import BOX, PieceColumns, Pieces
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber, make
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.shapes.changed_cells import ChangedCells
from ecs_collide.step.broadphase.add_pieces import SORT, list_new_pieces
from ecs_collide.step.broadphase.body_waker import BodyWaker
from ecs_collide.step.broadphase.boxes import update_bounded_boxes, update_unbounded_boxes
from ecs_collide.step.broadphase.excluded_pairs import NO_PAIRS, ExcludedPairs, slots_between
from ecs_collide.step.broadphase.pair_exchange import PairExchange
from ecs_collide.step.broadphase.pair_search import PairSearch
from ecs_collide.step.broadphase.piece_list import PieceList
from ecs_collide.step.broadphase.relocated_pieces import RelocatedPieces
from ecs_collide.step.broadphase.remove_pieces import remove_pieces
from ecs_collide.step.broadphase.seams.seams import Seams
from ecs_collide.step.broadphase.static_pieces import StaticPieces
from ecs_collide.step.broadphase.transfer_pairs import find_bodies_near_change, transfer_pairs
from ecs_collide.step.broadphase.update_pairs import (
    NOTHING_LEFT,
    TO_EXCHANGE,
    TO_UPDATE_SEAMS,
    change_pairs,
    update_pairs,
)
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE

NO_ROWS = np.zeros(0, np.int64)
ALL_ROWS = np.ones(len(PAIR_TABLE), np.bool_)


class PairFinder:
    """Owns the structures of the broadphase beside the columns, and calls its kernels in order."""

    state_list = list_state(
        values="_unbounded_mobile piece_version version kinematic_count _movers_only_for",
        objects="statics relocated pair_exchange _seams search movers excluded_pairs",
        left_out="tree _moved _update_results _wakes _tolerances",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns, tolerances: Tolerances) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._tolerances = tolerances
        self.statics = StaticPieces(bodies, pieces, tolerances)
        self.relocated = RelocatedPieces(bodies, pieces, tolerances)
        self.tree = self.statics.tree
        self._seams = Seams(bodies, pieces, self.tree, tolerances)
        self.excluded_pairs = ExcludedPairs()
        """Pairs of bodies that joints keep from colliding."""
        self.search = PairSearch(bodies, pieces, self.tree, self.relocated, self.excluded_pairs)
        """Structures in which new pairs are found."""
        self.movers = PieceList()
        """Bounded pieces that can move and whose bodies are awake."""
        self._unbounded_mobile = NO_ROWS
        """Unbounded pieces that can move."""
        self._moved = np.zeros(64, np.int64)
        self.pair_exchange = PairExchange(pieces, pairs)
        """The pairs, and those that were dropped."""
        self.piece_version = 0
        """Number that rises whenever pieces are added, are removed or change their kind."""
        self.version = 0
        """Number that rises with `piece_version`, and whenever pieces fall asleep or wake."""
        self.kinematic_count = 0
        """Number of pieces of kinematic bodies."""
        self._movers_only_for = (-1, -1)
        """Versions of the pieces and of `excluded_pairs` for which only movers can change pairs."""
        self._update_results, self._wakes = np.zeros(4, np.int64), np.zeros(1, np.int64)
        """Results of `update_pairs` (4,) int64, and of `place_relocated` (1,) int64."""
        self.waker = BodyWaker()
        """Wakes bodies before their pairs change."""

    @property
    def has_obstacles(self) -> bool:
        """True if any piece is static or unbounded."""
        return len(self.search.unbounded) > 0 or self.tree.size > 0

    def add(self, new: np.ndarray) -> None:
        """Add new pieces, given as rows, whose columns are filled."""
        for listed in (self.search.mobile, self.movers):
            listed.reserve(len(new))
        sorts = np.empty((SORT.WIDTH, len(new)), np.int64)
        unbounded_mobile, unbounded, fixed, detecting, kinematic = list_new_pieces(
            new, *self._columns, self.search.mobile.arrays, self.movers.arrays, sorts
        )
        self.reconnect()
        if unbounded:
            added = sorts[SORT.UNBOUNDED_MOBILE, :unbounded_mobile]
            self._unbounded_mobile = np.concatenate((self._unbounded_mobile, added))
            self.search.unbounded = np.concatenate((self.search.unbounded, sorts[SORT.UNBOUNDED, :unbounded]))
        if fixed:
            self.statics.without_box.extend(sorts[SORT.FIXED, :fixed].tolist())
            self.relocated.record_added(sorts[SORT.FIXED, :fixed], detecting > 0)
        if kinematic:
            self.kinematic_count += kinematic
            self._seams.add(new)
        self.piece_version += 1
        self.version += 1

    def remove(self, rows: list[int]) -> None:
        """Remove pieces and drop their pairs; their rows may be freed afterwards."""
        removed = np.array(sorted(rows), np.int64)
        if len(self.search.unbounded):
            stays = np.ones(self._pieces.rows.high, np.bool_)
            stays[removed] = False
            self._unbounded_mobile = self._unbounded_mobile[stays[self._unbounded_mobile]]
            self.search.unbounded = self.search.unbounded[stays[self.search.unbounded]]
        self.statics.any_removed |= self._remove_pieces(removed) > 0

    def replace_pieces(self, rows: list[int], added: np.ndarray, body: int, change: ChangedCells) -> None:
        """Replace pieces of a static body by new ones, given as rows, whose columns are filled.

        Bodies near a changed cell wake, and their pairs with removed pieces are dropped. Other pairs are transferred.
        """
        removed, known = np.array(sorted(rows), np.int64), len(self.pair_exchange.lost)
        sorts = np.empty((SORT.WIDTH, len(added)), np.int64)
        list_new_pieces(added, *self._columns, self.search.mobile.arrays, self.movers.arrays, sorts)
        self.statics.place_replacements(added)
        self.relocated.forget_owners(added)
        self.reconnect()
        boxes = self._pieces.arrays.box[np.concatenate((removed, added))]
        near = self.search.mobile_in(boxes[boxes[:, BOX.MIN_X] <= boxes[:, BOX.MAX_X]])
        near = np.concatenate((near, self._unbounded_mobile))
        self.waker.disturb(find_bodies_near_change(near, body, change, *self._columns))
        found_count = self.search.find(NO_ROWS, 0, near, len(near), added)
        self._pairs.reserve(found_count)
        found = self.search.arrays.found[:found_count]
        transfer_pairs(found, removed, added, body, change, self.pair_exchange.arrays, *self._columns)
        self._remove_pieces(removed)
        self.pair_exchange.lost[known:, ENDED.PIECES] = of_pair.SEVERAL_PIECES  # their bodies still exist

    def _remove_pieces(self, removed: np.ndarray) -> int:
        """Remove pieces from all structures, and drop their pairs; return the number of static ones."""
        self._seams.forget(removed)
        self.statics.drop(removed)
        self.relocated.forget_owners(removed)
        are_crowded, static_count, kinematic_count = remove_pieces(
            removed,
            *self._columns,
            self.search.mobile.arrays,
            self.movers.arrays,
            self.search.arrays,
            self.pair_exchange.arrays,
            self._unbounded_mobile,
            self._moved,
        )
        self.kinematic_count -= kinematic_count
        if are_crowded or self.search.must_rebuild_strips:
            self.search.rebuild_strips()
        self.piece_version += 1
        self.version += 1
        return int(static_count)

    def reset(self) -> None:
        """Reset the slots after the last body was removed, so that they are given as in a new world."""
        self._pairs.reset()
        self.search.reset()

    def put_to_sleep(self, rows: np.ndarray) -> None:
        """Remove pieces, given as sorted rows, from those that every step updates."""
        self.movers.remove(rows)
        self.version += 1

    def wake(self, rows: np.ndarray) -> None:
        """Add pieces of bodies that woke to those that every step updates."""
        self.movers.add(rows, self._pieces.arrays)
        self.version += 1

    def update(self, moved_statics: np.ndarray, dt: float = 0.0) -> bool:
        """Update boxes and pairs; return True if pairs may have come or changed, so that there may be more.

        `moved_statics` are the rows of static bodies that were moved. Boxes hold the motion of the next dt [s].
        """
        self.reconnect()
        if len(moved_statics) == 0 and self.only_movers_changed():
            make(self.update_call(dt))
            return self.finish_update()
        movers, ahead = self.movers.arrays, LookAhead.within(dt, self._tolerances)
        moved_count = update_bounded_boxes(
            self.movers.count, movers.rows, movers.bodies, *self._columns, ahead, self._moved
        )
        return self._update_all(moved_count, moved_statics)

    def _update_all(self, moved_count: int, moved_statics: np.ndarray) -> bool:
        """Finish an update, after the boxes of moving pieces, in which anything may have changed."""
        pieces, movers, unbounded = self._pieces.arrays, self.movers, self._unbounded_mobile
        unbounded_moved = len(unbounded) > 0 and update_unbounded_boxes(
            unbounded, *self._columns, self._tolerances.speculative
        )
        statics, were_replaced = self.statics.refresh(moved_statics), self.statics.were_replaced
        self.reconnect()
        seamed, disturbed = self._update_seams(statics)
        if unbounded_moved or len(statics) or len(disturbed):
            moved_unbounded = unbounded[pieces.moved[unbounded]]
            self.waker.disturb_pieces(np.concatenate((statics, disturbed, moved_unbounded)))
        self.pair_exchange.reset(seamed)
        freed = NO_PAIRS
        if self.excluded_pairs.has_changed:
            excluded, freed = self.excluded_pairs.pop_changes()
            self.pair_exchange.drop(slots_between(excluded, self._pairs.arrays))
        if not (moved_count or unbounded_moved or len(statics) or len(seamed) or len(freed)):
            return were_replaced
        if len(statics) or len(seamed):
            self.piece_version += 1
            self.version += 1
        if len(statics) or unbounded_moved:
            query_rows = np.concatenate((movers.rows, unbounded)) if len(unbounded) else movers.rows
            found_count = self.search.find(self._moved, moved_count, query_rows, len(query_rows), statics)
        else:
            found_count = self.search.find(self._moved, moved_count, self._moved, moved_count)
        if len(freed):
            found_count = self.search.find_freed(freed, found_count)
        self._pairs.reserve(found_count)
        return self._change(moved_count, statics, found_count, len(seamed) == 0) or were_replaced

    def _update_seams(self, statics: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Update the seams around static pieces; return changed pieces, and those whose neighbours must wake.

        If only cells of terrains changed, bodies near them are awake already.
        """
        nothing_else = len(statics) == 0 and not self.statics.any_removed
        seamed = self._seams.update(self.statics.pop_replacements(statics))
        return seamed, seamed[~self._seams.keep_kind(seamed)] if nothing_else and len(seamed) else seamed

    def only_movers_changed(self) -> bool:
        """Return True if the update takes one call, provided that no static body was moved."""
        if self._movers_only_for == (self.version, self.excluded_pairs.version):
            return True
        if (
            self.statics.without_box
            or self.statics.were_replaced
            or len(self._unbounded_mobile)
            or self._seams.has_changes
            or self.excluded_pairs.has_changed
            or self.search.must_rebuild_strips
        ):
            return False
        self._movers_only_for = self.version, self.excluded_pairs.version
        return True

    def prepare(self) -> None:
        """Make room for the calls of a usual update."""
        self.relocated.prepare(len(self._moved))
        self.search.reconnect()
        self._seams.prepare()

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls of a usual update are prepared, as owners and names."""
        return (
            (self._bodies, "arrays"),
            (self._pieces, "arrays"),
            (self.pair_exchange, "arrays"),
            *self.places(),
            (self, "_moved"),
            *self._seams.inputs(),
        )

    def places(self) -> tuple[Input, ...]:
        """Return the attributes that hold the places of pieces, as owners and names."""
        return (self.search, "arrays"), (self.movers, "arrays")

    def relocation_call(self) -> Call:
        """Return the call that places the pieces of relocated bodies; it reports if `update` has to do that."""
        return self.relocated.call(self.search.arrays, self._wakes)

    def seam_calls(self) -> Iterator[Call]:
        """Yield the calls that renew the seams around these pieces; they report work for `finish_seams`."""
        return self._seams.calls_for_moved(self.relocated.shifted)

    def finish_seams(self) -> bool:
        """Store the seams that have changed around moved pieces; return True if the list of pairs changed."""
        longest = self._pieces.longest
        seamed = self._seams.finish_calls(self.relocated.rows_of_moved)
        if self._pieces.longest != longest:
            self.piece_version += 1
        self.waker.disturb_pieces(seamed)
        self.pair_exchange.regroup(seamed)
        return len(seamed) > 0

    def update_call(
        self, dt: LiveNumber | float, used_rows: np.ndarray = ALL_ROWS, has_listeners: LiveNumber | int = 1
    ) -> Call:
        """Return the call of a usual update, see `update_pairs`; it reports if there is work for `finish_update`."""
        return Call(
            update_pairs,
            (
                self.movers.arrays,
                LookAhead.within(dt, self._tolerances),
                self._moved,
                *self._columns,
                self.search.arrays,
                self.pair_exchange.arrays,
                self._seams.links,
                used_rows,
                has_listeners,
            ),
            self._update_results,
            NOTHING_LEFT,
        )

    def finish_update(self, moved_statics: np.ndarray = NO_ROWS) -> bool:
        """Do the remaining work of a usual update; return True if pairs were added, removed or changed.

        `moved_statics` are the rows of static bodies that were moved.
        """
        left, moved_count, found_count, are_others = self._update_results.tolist()
        if left == TO_UPDATE_SEAMS:
            return self._update_all(moved_count, moved_statics)
        if left == TO_EXCHANGE:
            if found_count < 0:
                self.search.rebuild_strips()
            statics = self.relocated.outside
            if not 0 <= found_count <= len(self.search.arrays.found):
                rows, count = (self.movers.rows, self.movers.count) if len(statics) else (self._moved, moved_count)
                found_count = self.search.find(self._moved, moved_count, rows, count, statics, is_laid=True)
            self._pairs.reserve(found_count)
            return self._change(moved_count, statics, found_count, True)
        return bool(are_others)

    def _change(self, moved_count: int, statics: np.ndarray, found_count: int, is_sorted: bool) -> bool:
        """Drop the pairs that have parted and add the found ones; return True if the list of pairs changed."""
        are_others = change_pairs(
            self._moved,
            moved_count,
            self._unbounded_mobile,
            statics,
            self.search.arrays.found,
            found_count,
            is_sorted,
            self.pair_exchange.arrays,
            *self._columns,
        )
        return bool(are_others)

    @property
    def _columns(self) -> tuple[Bodies, Pieces]:
        """Present body and piece columns."""
        return self._bodies.arrays, self._pieces.arrays

    def reconnect(self) -> None:
        """Search in the present static tree and among the present excluded pairs, with room for all moving pieces."""
        self.search.reconnect()
        needed = self.search.mobile.count + LANES  # pieces of sleeping bodies may wake while the list is in use
        if needed > len(self._moved):
            self._moved = lane_array((next_capacity(len(self._moved), needed),), np.int64)
