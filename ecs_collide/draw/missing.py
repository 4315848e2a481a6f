"""The error for a library that only one backend needs."""

from __future__ import annotations


def library_missing(library: str, extra: str) -> ImportError:
    """Return an error that names the library to install, and the extra of this package that brings it."""
    return ImportError(f'{library} is not installed: pip install "ecs_collide[{extra}]"')
