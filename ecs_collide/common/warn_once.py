"""Warnings of likely mistakes, once in each world."""

from __future__ import annotations

from ecs_collide.errors import warn


class WarnOnce:
    """Base of classes that warn of each topic once in a world."""

    def __init__(self) -> None:
        self._topics: set[str] = set()

    def _warn(self, topic: str, text: str) -> None:
        if topic not in self._topics:
            self._topics.add(topic)
            warn(text)
