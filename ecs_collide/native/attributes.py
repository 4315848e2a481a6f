"""Paths to numbers in attributes of objects, for `read_numbers` and `write_numbers`."""

from __future__ import annotations

import sys

Path = tuple[str, ...]
"""An attribute, or an attribute of an attribute: ("x",), ("position", "x")."""


def path_of(names: str) -> Path:
    """Return the path that is written "position.x", with interned names, which Python finds fastest."""
    return tuple(map(sys.intern, names.split(".")))
