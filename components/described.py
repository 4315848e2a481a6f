"""Errors that name entity and component, and representations of components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from ecs_collide import hints

T = TypeVar("T")

LONGEST = 80
"""Number of characters of a representation that an error message shows."""


def shorten_repr(value: object) -> str:
    """Return the representation of a value for an error message, cut to `LONGEST` characters."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


class Described:
    """Base of components, beside one that keeps the numbers and knows the component's `_entity`."""

    __slots__ = ()
    _entity: int | None
    _keywords: ClassVar[frozenset[str]] = frozenset()
    """Arguments of `__init__`; `Numbers.__new__` passes all others to `_check_keywords`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._keywords = hints.arguments_of(cls)

    @classmethod
    def _check_keywords(cls, named: dict[str, Any]) -> None:
        """Raise TypeError with a hint for a keyword that `__init__` does not take."""
        hints.check_keywords(cls, named)

    def _checked(self, check: Callable[[Any, str], T], value: Any, field: str) -> T:
        """Return the checked value; an error names the entity as well, if it is known."""
        try:
            return check(value, f"{type(self).__name__}.{field}")
        except (TypeError, ValueError) as error:
            if self._entity is None:
                raise
            raise type(error)(f"entity {self._entity}: {error}") from None

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments that make an equal component."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = (f"{name}={self._show(name, value)}" for name, value in self._arguments().items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def _show(self, name: str, value: object) -> str:
        """Return the representation of an argument, as Python reads it."""
        return repr(value)
