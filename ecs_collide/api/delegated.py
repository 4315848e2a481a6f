"""Methods of one object that an object in one of its attributes implements."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from ecs_collide.hints import hints_at_arguments

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Delegated(Generic[Arguments, Answer]):
    """A method of a class whose work is done by the method of an object that it holds.

    `world.ray_cast(...)` is `world._queries.ray_cast(...)`, with a hint in the error for an unknown keyword. Reading
    the attribute returns the bound method. On the class it is a function with that method's signature and docstring.
    """

    def __init__(self, attribute: str, method: Callable[Concatenate[Any, Arguments], Answer]) -> None:
        """Name the attribute that holds the other object, and the method of its class."""
        find = attrgetter(attribute)
        hinting = hints_at_arguments(method)

        @wraps(method)
        def call(world: Any, *args: Any, **named: Any) -> Any:
            return hinting(find(world), *args, **named)

        self._find: Callable[[Any], Any] = find
        self._hinting = hinting
        self._call = call
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Let errors about arguments name the call as a game writes it."""
        self._call.__qualname__ = self._method.__qualname__ = f"{owner.__name__}.{name}"

    @overload
    def __get__(self, world: None, owner: type) -> Callable[Concatenate[Any, Arguments], Answer]: ...
    @overload
    def __get__(self, world: object, owner: type) -> Callable[Arguments, Answer]: ...
    def __get__(self, world: Any, owner: type) -> Any:
        """Return the bound method of the other object, or on the class a function that takes the object first."""
        return self._call if world is None else MethodType(self._hinting, self._find(world))
