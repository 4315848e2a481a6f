"""Representations that leave out default values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any


def short_repr(
    name: str,
    arguments: Mapping[str, Any],
    defaults: Mapping[str, Any],
    show: Callable[[str, object], str],
) -> str:
    """Return a call of a class as source text, without arguments that have their default value.

    Args:
        name: name of the class.
        arguments: values of the arguments.
        defaults: default values of the arguments that have one.
        show: function that returns the source text of an argument, from its name and value.
    """
    given = {key: value for key, value in arguments.items() if key not in defaults or value != defaults[key]}
    return f"{name}({', '.join(f'{key}={show(key, value)}' for key, value in given.items())})"


def short_field_repr(value: Any) -> str:
    """Return the call that makes an equal instance of a dataclass, without arguments that have their default value."""
    values = {each.name: getattr(value, each.name) for each in fields(value)}
    defaults = {each.name: each.default for each in fields(value)}
    return short_repr(type(value).__name__, values, defaults, lambda _, each: source_text(each))


def source_text(value: object) -> str:
    """Return a value as source text; a member of an enumeration under its name."""
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)
