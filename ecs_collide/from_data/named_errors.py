"""Errors that name the part of the data that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def name_errors(where: str) -> Iterator[None]:
    """Put `where` before the message of a TypeError or ValueError that is raised in the block."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"{where}: {error}") from error
