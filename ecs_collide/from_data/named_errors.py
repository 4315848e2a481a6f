"""Errors that name the part of the data or the argument that they are about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager


@contextmanager
def name_errors(where: str) -> Iterator[None]:
    """Put `where` before the message of a TypeError or ValueError that is raised in the block."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"{where}: {error}") from error


def checked_names(value: object, argument: str) -> Collection[str] | None:
    """Return `value` if it is None or holds names; raise TypeError if not, for a single string too."""
    if value is None or (isinstance(value, Collection) and not isinstance(value, str | bytes)):
        return value
    raise TypeError(f"{argument} must hold names, such as [{value!r}], or be None, got {value!r}")
