"""Docstrings of fields: Python discards the strings below them, so they are read from the source of their class.

Editors and documentation tools read the same strings. In a frozen game without sources the fields have none.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

Kind = TypeVar("Kind", bound=type)


def docstring_of(module: str, kind: str, field: str) -> str | None:
    """Return the docstring of a field.

    Args:
        module: name of the module with the class.
        kind: name of the class.
        field: name of the field.
    """
    return _docstrings(module).get(kind, {}).get(field)


def document_fields(kind: Kind) -> Kind:
    """Give the fields of a class their docstrings, and return the class.

    Slots of a dataclass cannot have one. Those of all slots stand in `__slots__`, where `inspect.getdoc` and `help`
    look for them.
    """
    found = _docstrings(kind.__module__).get(kind.__qualname__, {})
    attributes = vars(kind)
    slots = attributes.get("__slots__", ())
    for name, text in found.items():
        if name in attributes and name not in slots:
            attributes[name].__doc__ = text
    if slots:
        kind.__slots__ = {name: found.get(name) for name in slots}  # type: ignore[attr-defined]
    return kind


@cache
def _docstrings(module: str) -> Mapping[str, dict[str, str]]:
    """Return the docstrings of fields by the name of their class, empty without a source."""
    import ast
    from inspect import cleandoc
    from linecache import getlines

    names = vars(sys.modules[module])
    found: dict[str, dict[str, str]] = {}
    for kind in ast.parse("".join(getlines(names.get("__file__") or "", names))).body:
        if isinstance(kind, ast.ClassDef):
            texts = found[kind.name] = {}
            for field, below in zip(kind.body, kind.body[1:]):
                target = field.targets[0] if isinstance(field, ast.Assign) else getattr(field, "target", None)
                text = below.value if isinstance(below, ast.Expr) else None
                if isinstance(target, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
                    texts[target.id] = cleandoc(text.value)
    return found
