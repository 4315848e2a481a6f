"""Filters of a query: which entities it may find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import numpy as np

from ecs_collide.components.collider import ALL_LAYERS, checked_mask
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.row_lists import each_once
from ecs_collide.queries.candidates import QUERY_FILTER, FilterArrays
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.validate import flag, integer


class QueryFilter:
    """The filters of one query at a time; a `with` block ends a query and shows again what its filters hid."""

    def __init__(self, bodies: BodyColumns, body_sync: BodySync) -> None:
        """Make a filter for the bodies of a world."""
        self._bodies = bodies
        self._members = body_sync.members
        self.is_in_use = False
        """True during a query."""
        self.has_predicate = False
        """True if the game gave a function of its own, `where`."""
        self.hides_nothing = True
        """True if there is neither an entity to ignore nor a function of the game: nothing has to be undone."""
        self._hidden: list[int] = []
        self._predicate: Callable[[int], object] | None = None
        self._accepted: dict[int, bool] = {}
        self._settings = np.zeros(QUERY_FILTER.WIDTH, np.int64)
        self._last: tuple[int, int | None, bool] | None = None
        """Mask, layer and sensors of the last query, which most queries repeat."""
        self.arrays = self._arrays_of(0)
        """The filters as kernels read them."""

    def _arrays_of(self, room: int) -> FilterArrays:
        return FilterArrays(hidden=np.zeros(room, np.bool_), settings=self._settings, is_found=np.zeros(room, np.bool_))

    def begin(
        self,
        mask: int,
        layer: int | None,
        ignore: Iterable[int],
        sensors: bool,
        where: Callable[[int], object] | None,
        deleted: Iterable[int],
    ) -> Self:
        """Set the filters of a query and return this object.

        Entities in `deleted`, and the colliders that are attached to them, are left out as well.
        """
        if where is not None and not callable(where):
            raise TypeError(f"where must be a function of an entity, got {where!r}")
        if (mask, layer, sensors) != self._last or type(sensors) is not bool:
            layers = checked_mask(mask, "mask")
            own_layers = 0 if layer is None else integer(layer, "layer", 1, ALL_LAYERS)
            self._settings[QUERY_FILTER.SENSORS] = flag(sensors, "sensors")
            self._settings[QUERY_FILTER.MASK], self._settings[QUERY_FILTER.LAYER] = layers, own_layers
            self._last = mask, layer, sensors
        entities = self._with_bodies(ignore) if ignore != () else []
        if deleted:
            for entity in self._with_bodies(deleted):
                entities += [entity, *(each.entity for each in self._members[entity].attached)]
        room = len(self._bodies.arrays.kind)
        if len(self.arrays.hidden) != room:
            self.arrays = self._arrays_of(room)
        self.hides_nothing = where is None and not entities
        if where is not None:
            self._predicate, self._accepted, self.has_predicate = where, {}, True
        for entity in entities:
            self.hide(entity)
        return self

    def _with_bodies(self, ignore: Iterable[int]) -> list[int]:
        """Return the entities that have bodies; the others are never found anyway."""
        if isinstance(ignore, str | int) or not isinstance(ignore, Iterable):
            one = f": write [{ignore}] for one entity" if isinstance(ignore, int) else ""
            raise TypeError(f"ignore must be entities, got {ignore!r}{one}")
        return [entity for entity in ignore if entity in self._members]

    def __enter__(self) -> Self:
        """Begin the query."""
        self.is_in_use = True
        return self

    def __exit__(self, *error: object) -> None:
        """End the query and show the hidden entities again."""
        if self._hidden:
            self.arrays.hidden[self._hidden] = False
            self._hidden.clear()
        self._predicate, self.has_predicate, self.is_in_use = None, False, False

    def hide(self, entity: int) -> None:
        """Leave an entity out for the rest of the query."""
        row = self._members[entity].row
        self._hidden.append(row)
        self.arrays.hidden[row] = True

    def accepts(self, entity: int) -> bool:
        """Return True if the game's function accepts an entity. The function is called once for each entity."""
        if self._predicate is None:
            return True
        if entity not in self._accepted:
            self._accepted[entity] = bool(self._predicate(entity))
        return self._accepted[entity]

    def hide_refused(self, entities: np.ndarray) -> bool:
        """Hide the entities that the game's function refuses, and return True if there are any; 0 is no entity."""
        if not self.has_predicate:
            return False
        refused = [entity for entity in each_once(entities.ravel()).tolist() if entity and not self.accepts(entity)]
        for entity in refused:
            self.hide(entity)
        return bool(refused)

    def are_accepted(self, entities: np.ndarray) -> np.ndarray:
        """Return a mask of the entities that the game's function accepts (k,) bool."""
        distinct = each_once(entities)
        counts = np.array([self.accepts(entity) for entity in distinct.tolist()], np.bool_)
        found: np.ndarray = counts[np.searchsorted(distinct, entities)]
        return found
