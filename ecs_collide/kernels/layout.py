"""Named columns of an array whose rows hold different quantities.

`layout` declares the columns once, in order, each with its unit:

    LANE = layout("body lane", VX="velocity along x [m/s]", VY="velocity along y [m/s]", INERTIA=("inverse [1/kg]", 3))

`LANE.VX` is the number of a column, `LANE.WIDTH` the length of a row. A quantity of several columns has the number of
its first one. numba takes the numbers for constants, since a layout is a named tuple at the level of a module.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar


class Layout(tuple[int, ...]):
    """The numbers of an array's columns by name; `WIDTH` is the length of a row.

    numba takes it for a named tuple. `collections.namedtuple` takes ten times as long to make one.
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]]
    DESCRIPTIONS: ClassVar[dict[str, str]]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> int: ...

    def _asdict(self) -> dict[str, int]:
        """Return the number of each column by name, and `WIDTH`; numba looks for this method in named tuples."""
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={number}' for name, number in self._asdict().items())})"


def layout(name: str, after: Layout | None = None, **quantities: str | tuple[str, int]) -> Layout:
    """Return the numbers of the columns of an array, as a named tuple of ints with `WIDTH` as its last item.

    Args:
        name: of what a row describes, in the singular.
        after: a layout whose columns come first and keep their numbers, for rows that begin alike.
        quantities: for each quantity its description with the unit in brackets, and the number of its columns if it
            takes more than one. Names are upper case.

    Raises ValueError for a name that is not upper case or occurs twice, and for a width below one: two quantities never
    share a column.
    """
    numbers = {} if after is None else after._asdict()
    docs = {} if after is None else dict(after.DESCRIPTIONS)
    next_column = numbers.pop("WIDTH", 0)
    for quantity, described in quantities.items():
        description, width = (described, 1) if isinstance(described, str) else described
        if quantity in numbers or quantity == "WIDTH":
            raise ValueError(f"layout {name!r}: {quantity} stands twice; each quantity needs columns of its own")
        if not quantity.isupper():
            raise ValueError(f"layout {name!r}: {quantity} must be upper case, as a constant is")
        if width < 1:
            raise ValueError(f"layout {name!r}: {quantity} must have at least one column, got {width}")
        numbers[quantity], docs[quantity] = next_column, description
        next_column += width
    names = (*numbers, "WIDTH")
    table = "".join(f"\n{number:3} {key}: {docs[key]}" for key, number in numbers.items())
    members = {"__slots__": (), "_fields": names, "DESCRIPTIONS": docs, "__doc__": f"Columns of a {name}:\n{table}"}
    columns = {key: property(itemgetter(place)) for place, key in enumerate(names)}
    # One class for each layout, as numba takes the names of fields from it.
    kind: type[Layout] = type(_class_name(name), (Layout,), members | columns)
    return kind((*numbers.values(), next_column))


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.replace("-", " ").split()) + "Layout"
