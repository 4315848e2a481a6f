"""Lists of the state that a world consists of: each class that holds a part of it names its own attributes.

Snapshots read and write these attributes (`snapshots/world_state.py`). A test walks through a world and fails for an
array or a container that is on no list.
"""

from __future__ import annotations

from typing import NamedTuple


class StateList(NamedTuple):
    """Names of the attributes of a class, by what a snapshot does with them."""

    values: tuple[str, ...] = ()
    """Values that are replaced and never written to: numbers, tuples, lists of rows. A snapshot keeps the object."""
    arrays: tuple[str, ...] = ()
    """Arrays, or tuples of arrays, that are written to. A snapshot keeps a copy. "arrays.strips" names a field."""
    contents: tuple[str, ...] = ()
    """Containers that other objects refer to as well. A snapshot keeps their contents."""
    groups: tuple[str, ...] = ()
    """Dicts of sets or lists. A snapshot keeps a copy of each."""
    objects: tuple[str, ...] = ()
    """Objects, or lists of objects, with a list of their own."""
    renewed: tuple[tuple[str, object], ...] = ()
    """Results that are computed again after a restore, with the values that bring this about."""
    in_use: tuple[tuple[str, str], ...] = ()
    """Some of the `arrays` of which only the first rows are in use, with the attribute that holds their number."""
    left_out: tuple[str, ...] = ()
    """Scratch space, results of a step, and settings. "arrays.lanes" is a field of something that is kept."""


def list_state(
    *,
    values: str = "",
    arrays: str = "",
    contents: str = "",
    groups: str = "",
    objects: str = "",
    renewed: dict[str, object] | None = None,
    in_use: dict[str, str] | None = None,
    left_out: str = "",
) -> StateList:
    """Return a list of state from names with spaces between them."""
    return StateList(
        values=tuple(values.split()),
        arrays=tuple(arrays.split()),
        contents=tuple(contents.split()),
        groups=tuple(groups.split()),
        objects=tuple(objects.split()),
        renewed=tuple((renewed or {}).items()),
        in_use=tuple((in_use or {}).items()),
        left_out=tuple(left_out.split()),
    )
