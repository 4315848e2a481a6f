"""The extension module in C: components as views on columns, fast reading of components, fast making of contacts.

`_native.pyi` documents the types and functions.
"""

from ecs_collide.kernels import extension

extension.require("ecs_collide.data._native")

from ecs_collide.data._native import (  # noqa: E402  # after the check, which may raise a clearer error
    Cells,
    Field,
    Fields,
    Item,
    Numbers,
    Part,
    adopt,
    are_all_new,
    detach,
    make_contacts,
    read_components,
    read_numbers,
    write_numbers,
)

__all__ = [
    "Cells",
    "Field",
    "Fields",
    "Item",
    "Numbers",
    "Part",
    "adopt",
    "are_all_new",
    "detach",
    "make_contacts",
    "read_components",
    "read_numbers",
    "write_numbers",
]
