"""Errors that name entity and component, and representations of components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from ecs_collide import hints
from ecs_collide.native.default_component import defaults_of
from ecs_collide.shapes.short_repr import short_repr, source_text

T = TypeVar("T")

LONGEST = 80
"""Number of characters of a representation that an error message shows."""


def shorten_repr(value: object) -> str:
    """Return the representation of a value for an error message, cut to `LONGEST` characters."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


class Described:
    """Base of components: their representation, and errors that name the entity.

    A second base class, such as `Numbers`, supplies the attribute `_entity`.
    """

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
        """Return the arguments that make an equal component: the attributes of their names."""
        return {name: getattr(self, name) for name in self._defaults()}

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Return the arguments of the component with their defaults, without those of a class that a game derived."""
        own = (kind for kind in cls.__mro__ if kind.__module__.startswith("ecs_collide.components"))
        return defaults_of(next(init for kind in own if (init := vars(kind).get("__init__")) is not None))

    def __repr__(self) -> str:
        """Return the call that makes an equal component; a class that a game has derived may need more arguments."""
        return short_repr(type(self).__name__, self._arguments(), self._defaults(), self._show)

    def _show(self, name: str, value: object) -> str:
        """Return the representation of an argument, as Python reads it."""
        return source_text(value)
