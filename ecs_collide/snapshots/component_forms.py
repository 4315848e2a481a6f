"""States of components: what a snapshot keeps of them beside the columns.

The numbers of our components stand in columns. Their other values (`Value`) stand in slots, and a write to a slot is
recorded by the world. A component of the game holds its values in attributes that any code may write to. So does a
class that the game derived from one of ours. A snapshot copies these attributes and writes them back into the same
object. A component with other contents, such as a `pygame.Rect` or a list, is replaced by a copy.
"""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from ecs_collide.native import Numbers

CopyFunction: TypeAlias = Callable[[Any], Any]
"""Function that copies a component of the game."""


class Missing:
    """Stands in a state for a slot without a value."""


class Attributes(NamedTuple):
    """The attributes of an object."""

    by_name: dict[str, Any] | None
    """Contents of its `__dict__`; None if it has none."""
    slots: tuple[Any, ...]
    """Values of its slots, `Missing` for those without a value."""


class Form(NamedTuple):
    """Where the values of a class of components stand."""

    values: tuple[str, ...]
    """Slots of our components that record a write to them."""
    slots: tuple[str, ...]
    """Other slots."""
    has_dict: bool
    is_plain: bool
    """True if all values stand in numbers, slots and the `__dict__`, so that they can be written back."""
    is_ours: bool
    """True for a component whose numbers are columns."""

    @property
    def may_change(self) -> bool:
        """True if code may change values unseen."""
        return not self.is_ours or self.has_dict or bool(self.slots)

    def read_values(self, component: Any) -> tuple[Any, ...]:
        """Return the values of the slots in `values`."""
        return tuple([getattr(component, name, Missing) for name in self.values])

    def write_values(self, component: Any, values: tuple[Any, ...]) -> None:
        """Write values of `read_values` to a component, without recording a change."""
        for name, value in zip(self.values, values, strict=True):
            _write_slot(component, name, value)

    def read(self, component: Any) -> Attributes:
        """Return the attributes of a plain component."""
        by_name = component.__dict__.copy() if self.has_dict else None
        return Attributes(by_name, tuple([getattr(component, name, Missing) for name in self.slots]))

    def write(self, component: Any, attributes: Attributes) -> None:
        """Write attributes of `read` to a component."""
        if attributes.by_name is not None:
            present = component.__dict__
            present.clear()
            present.update(attributes.by_name)
        for name, value in zip(self.slots, attributes.slots, strict=True):
            _write_slot(component, name, value)


def form_of(kind: type) -> Form:
    """Return the form of a class of components."""
    return _form_of(kind)


@cache
def _form_of(kind: Any) -> Form:
    values: list[str] = []
    slots: list[str] = []
    is_ours = issubclass(kind, Numbers)
    base: frozenset[str] = frozenset(getattr(Numbers, "__slots__", ()))
    for each in kind.__mro__:
        own = each.__dict__.get("__slots__", ())
        names = [_mangled(each, name) for name in ((own,) if isinstance(own, str) else own)]
        names = [name for name in names if name not in ("__dict__", "__weakref__") and name not in base]
        is_value = is_ours and each.__module__.startswith("ecs_collide.components")
        (values if is_value else slots).extend(names)
    has_dict = any("__dict__" in each.__dict__ for each in kind.__mro__)
    return Form(tuple(values), tuple(slots), has_dict, is_ours or _is_plain(kind), is_ours)


def _is_plain(kind: type) -> bool:
    """Return True if the values of a class's objects are attributes and nothing else, and copies take them over."""
    usual = ("__reduce_ex__", "__reduce__", "__getstate__")
    if any(getattr(kind, name) is not getattr(object, name) for name in usual):
        return False
    others = ("__copy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__del__")
    if any(hasattr(kind, name) for name in others) or kind in copyreg.dispatch_table:
        return False
    try:
        object.__reduce_ex__(object.__new__(kind), 2)
    except TypeError:  # objects of this class hold data of C
        return False
    return True


def _mangled(kind: type, name: str) -> str:
    """Return the name under which the slot of a class is stored."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{kind.__name__.lstrip('_')}{name}" if is_private else name


def _write_slot(component: Any, name: str, value: Any) -> None:
    """Write the value of a slot, past the methods of its class."""
    if value is not Missing:
        object.__setattr__(component, name, value)
    elif hasattr(component, name):
        object.__delattr__(component, name)


class ChangingComponent(NamedTuple):
    """A component whose values any code may change."""

    entity: int
    kind: type
    """Type under which esper files it."""
    component: Any
    form: Form

    def read(self, copies: Mapping[type, CopyFunction]) -> Any:
        """Return the state of the component: its attributes, or a copy of it."""
        make = copies.get(self.kind)
        if make is None and self.form.is_plain:
            return self.form.read(self.component)
        return copy.copy(self.component) if make is None else make(self.component)

    def prepare(self, state: Any, copies: Mapping[type, CopyFunction]) -> Any:
        """Return what `put` takes: the attributes to write, or the object that replaces the component."""
        make = copies.get(self.kind)
        if make is None:
            return state if self.form.is_plain else copy.copy(state)
        made = make(state)
        is_alike = self.form.is_plain and type(made) is type(self.component)
        return self.form.read(made) if is_alike else made

    def put(self, prepared: Any) -> Any:
        """Write the former values to the component; return it, or the object that replaces it."""
        if type(prepared) is Attributes:
            self.form.write(self.component, prepared)
            return self.component
        return prepared
