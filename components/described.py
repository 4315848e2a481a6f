"""What components say of themselves: errors with the entity's number, and a representation that makes an equal one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Described:
    """Beside a base that keeps numbers and knows the component's `_entity`."""

    __slots__ = ()
    _entity: int | None

    def _checked(self, check: Callable[[Any, str], T], value: Any, field: str) -> T:
        """The value as `check` accepts it; its error names the entity too, where it is known."""
        try:
            return check(value, f"{type(self).__name__}.{field}")
        except (TypeError, ValueError) as error:
            if self._entity is None:
                raise
            raise type(error)(f"entity {self._entity}: {error}") from None

    def _arguments(self) -> dict[str, Any]:
        """The arguments that would make an equal component."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._arguments().items())})"
