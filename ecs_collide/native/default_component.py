"""Components with the default values of their class, of which new ones begin as copies."""

from typing import Any, NamedTuple


class DefaultComponent(NamedTuple):
    """A component with default values. Copying it and writing the others is faster than writing all values."""

    view: Any
    names: tuple[str, ...]
    """Arguments of the class, in order."""
    values: tuple[Any, ...]
    """Default values of the arguments; `NOT_GIVEN` for one without a default."""
    slot_count: int


NOT_GIVEN = object()


def default_component(kind: Any, *numbers: float, **shared: tuple[Any, ...]) -> DefaultComponent:
    """Return the default component of a class whose arguments have the names of its fields.

    Args:
        kind: the class.
        numbers: the initial numbers.
        shared: the initial tuples of the slots of its `Item`s.
    """
    make = kind.__init__
    code, given = make.__code__, make.__defaults__ or ()
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(zip(names[code.co_argcount - 1 - len(given) :], given)) | (make.__kwdefaults__ or {})
    view = kind.__new__(kind)
    view._init_numbers(*numbers)
    for name, value in (shared | defaults).items():
        setattr(view, name, value)
    return DefaultComponent(view, names, tuple(defaults.get(name, NOT_GIVEN) for name in names), len(kind.__slots__))
