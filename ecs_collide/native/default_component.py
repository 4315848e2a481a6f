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


def defaults_of(init: Any) -> dict[str, Any]:
    """Return the arguments of an `__init__` in order, with their defaults; `NOT_GIVEN` for one without a default."""
    code, given = init.__code__, init.__defaults__ or ()
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(zip(code.co_varnames[code.co_argcount - len(given) : code.co_argcount], given))
    return dict.fromkeys(names, NOT_GIVEN) | defaults | (init.__kwdefaults__ or {})


def default_component(kind: Any, number_count: int, **shared: tuple[Any, ...]) -> DefaultComponent:
    """Return the default component of a class whose arguments have the names of its fields.

    Args:
        kind: the class.
        number_count: the number of its numbers.
        shared: the initial tuples of the slots of its `Item`s.
    """
    arguments = defaults_of(kind.__init__)
    view = kind.__new__(kind)
    view._init_numbers(*[0.0] * number_count)
    for name, value in (shared | arguments).items():
        if value is not NOT_GIVEN:
            setattr(view, name, value)
    return DefaultComponent(view, tuple(arguments), tuple(arguments.values()), len(kind.__slots__))
