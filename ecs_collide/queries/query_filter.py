"""Whom a question is put to: the bodies that its filters let through."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import numpy as np

from ecs_collide.components.collider import checked_mask
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.row_lists import each_once
from ecs_collide.queries import candidates as asked
from ecs_collide.queries.candidates import Question
from ecs_collide.step.sync.membership import Membership
from ecs_collide.validate import flag


class Audience:
    """The filters of one question after the other; what one has hidden is shown again when it is over."""

    def __init__(self, bodies: BodyColumns, membership: Membership) -> None:
        self._bodies = bodies
        self._members = membership.members
        self.is_open = False
        """Whether a question is being asked."""
        self.is_choosy = False
        """Whether the game has a function of its own."""
        self.is_plain = True
        """Whether nobody is left out by name, so that nothing has to be undone."""
        self._hidden: list[int] = []
        self._where: Callable[[int], object] | None = None
        self._accepted: dict[int, bool] = {}
        self._filter = np.zeros(2, np.int64)
        self._usual: tuple[int, bool] | None = None
        """The mask and the sensors of the last question, for most ask for the same."""
        self.question = self._of_size(0)
        """As kernels take it."""

    def _of_size(self, room: int) -> Question:
        return Question(np.zeros(room, np.bool_), self._filter, np.zeros(room, np.bool_))

    def __call__(
        self,
        mask: int,
        ignore: Iterable[int],
        sensors: bool,
        where: Callable[[int], object] | None,
        deleted: Iterable[int],
    ) -> Self:
        """Take the filters of a question, which lasts for a `with` block. Who is `deleted` is left out too."""
        if where is not None and not callable(where):
            raise TypeError(f"where must be a function of an entity, got {where!r}")
        if (mask, sensors) != self._usual or type(sensors) is not bool:
            self._filter[asked.MASK] = checked_mask(mask, "mask")
            self._filter[asked.SENSORS] = flag(sensors, "sensors")
            self._usual = mask, sensors
        entities = self._checked(ignore) if ignore != () else []
        if deleted:
            entities += self._checked(deleted)
        room = len(self._bodies.arrays.kind)
        if len(self.question.hidden) != room:
            self.question = self._of_size(room)
        self.is_plain = where is None and not entities
        if where is not None:
            self._where, self._accepted, self.is_choosy = where, {}, True
        for entity in entities:
            self.hide(entity)
        return self

    def _checked(self, ignore: Iterable[int]) -> list[int]:
        """Those that are left out; what has no body is left out anyway."""
        if isinstance(ignore, str | int) or not isinstance(ignore, Iterable):
            raise TypeError(f"ignore must be entities, got {ignore!r}")
        return [entity for entity in ignore if entity in self._members]

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._hidden:
            self.question.hidden[self._hidden] = False
            self._hidden.clear()
        self._where, self.is_choosy, self.is_open = None, False, False

    def hide(self, entity: int) -> None:
        """Leave an entity out for the rest of the question."""
        row = self._members[entity].row
        self._hidden.append(row)
        self.question.hidden[row] = True

    def accepts(self, entity: int) -> bool:
        """Whether the game's own function lets an entity count; it is asked once of each."""
        if self._where is None:
            return True
        if entity not in self._accepted:
            self._accepted[entity] = bool(self._where(entity))
        return self._accepted[entity]

    def hide_refused(self, entities: np.ndarray) -> bool:
        """Hide those of an answer that do not count, in which 0 stands for nobody; return whether there are any."""
        if not self.is_choosy:
            return False
        refused = [entity for entity in each_once(entities.ravel()).tolist() if entity and not self.accepts(entity)]
        for entity in refused:
            self.hide(entity)
        return bool(refused)

    def those_accepted(self, entities: np.ndarray) -> np.ndarray:
        """Which of many entities count (k,) bool."""
        distinct = each_once(entities)
        counts = np.array([self.accepts(entity) for entity in distinct.tolist()], np.bool_)
        found: np.ndarray = counts[np.searchsorted(distinct, entities)]
        return found
