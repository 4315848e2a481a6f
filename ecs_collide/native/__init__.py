"""The parts of the package that are written in C: components as views on columns, and work on many Python objects.

`_native.pyi` documents the types and functions.
"""

from ecs_collide.native import extension

extension.require("ecs_collide.native._native")

from ecs_collide.native._native import (  # noqa: E402  # after the check, which may raise a clearer error
    ColumnRef,
    Field,
    Fields,
    Item,
    Numbers,
    Value,
    adopt,
    are_all_new,
    detach,
    make_contacts,
    make_guard,
    plain_points,
    read_components,
    read_numbers,
    write_numbers,
)

__all__ = [
    "ColumnRef",
    "Field",
    "Fields",
    "Item",
    "Numbers",
    "Value",
    "adopt",
    "are_all_new",
    "detach",
    "make_contacts",
    "make_guard",
    "plain_points",
    "read_components",
    "read_numbers",
    "write_numbers",
]
