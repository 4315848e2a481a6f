"""Whom a question is put to: the bodies that its filters let through."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.components.collider import ALL_LAYERS, checked_mask
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.engine.queries.asked import Question
from ecs_collide.validate import flag


class Audience:
    """The filters of one question after the other; what one has hidden is shown again when it is over."""

    def __init__(self, bodies: BodyColumns, membership: Membership) -> None:
        self._bodies = bodies
        self._membership = membership
        self.is_open = False
        """Whether a question is being asked."""
        self._hidden: list[int] = []
        self._where: Callable[[int], object] | None = None
        self._accepted: dict[int, bool] = {}
        self.question = Question(np.zeros(0, np.bool_), 0, 0)
        """As kernels take it."""

    def __call__(self, mask: int, ignore: Iterable[int], sensors: bool, where: Callable[[int], object] | None) -> Self:
        """Take the filters of a question, which lasts for a `with` block."""
        layers = mask if mask is ALL_LAYERS else checked_mask(mask, "mask")
        senses = int(flag(sensors, "sensors"))
        if where is not None and not callable(where):
            raise TypeError(f"where must be a function of an entity, got {where!r}")
        rows = self._rows(ignore) if ignore != () else ()
        room = len(self._bodies.arrays.kind)
        if len(self.question.hidden) != room:
            self.question = Question(np.zeros(room, np.bool_), layers, senses)
        elif (self.question.mask, self.question.sensors) != (layers, senses):
            self.question = self.question._replace(mask=layers, sensors=senses)
        self._where, self._accepted = where, {}
        for row in rows:
            self.hide(row)
        return self

    def _rows(self, ignore: Iterable[int]) -> list[int]:
        """The rows of those that are left out; what has no body is left out anyway."""
        if isinstance(ignore, str | int) or not isinstance(ignore, Iterable):
            raise TypeError(f"ignore must be entities, got {ignore!r}")
        members = self._membership.members
        return [members[entity].row for entity in ignore if entity in members]

    @property
    def is_choosy(self) -> bool:
        """Whether the game has a function of its own."""
        return self._where is not None

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._hidden:
            self.question.hidden[self._hidden] = False
            self._hidden.clear()
        self._where, self.is_open = None, False

    def hide(self, row: int) -> None:
        """Leave a body out for the rest of the question."""
        self._hidden.append(row)
        self.question.hidden[row] = True

    def accepts(self, row: int) -> bool:
        """Whether the game's own function lets the entity of a body count; it is asked once of each."""
        if self._where is None:
            return True
        if row not in self._accepted:
            self._accepted[row] = bool(self._where(int(self._bodies.arrays.entity[row])))
        return self._accepted[row]
