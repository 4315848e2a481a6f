"""Kernels that are called one after the other in every step, with arguments that are read once.

To load forty arguments, hand them over and look at each takes longer than most kernels run in a small world. A chain
has its calls' arguments ready as machine words. It is given what they were made from, and says so if that is another:

    if self._chain(bodies, pairs) is None:
        self._chain = chain(self._calls(bodies, pairs), bodies, pairs)
        self._chain(bodies, pairs)

What changes from step to step it reads from arrays: a number where a `Cell` stands, and the part of a list that counts
where a `Run` does.
"""

from collections.abc import Callable, Iterable
from operator import is_
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.compiled import module
from ecs_collide.compiled.bundle import Bundle
from ecs_collide.compiled.kernels import WAY, Way


class Cell(NamedTuple):
    """The number in an array (1,) when the call is made."""

    number: np.ndarray


class Run(NamedTuple):
    """The items of an array from one number to another; where there are none the call is left out, and results in 0."""

    array: np.ndarray
    start: np.ndarray
    stop: np.ndarray


class Call(NamedTuple):
    """A kernel and what it is given."""

    kernel: Callable[..., Any]
    args: tuple[Any, ...]
    results: np.ndarray | None = None
    """Where its results go (r,) int64; a float's bits are its own."""
    most: int | None = None
    """If the first result is greater, the chain ends here."""


Chain: TypeAlias = Callable[..., bool | None]
"""Makes calls that were prepared from some objects; None where it is given others: nothing was done then.

Else whether it came to the end of its calls.
"""


def chain(calls: Iterable[Call], *prepared: object) -> Chain:
    """The chain of these calls, which takes the objects that they were prepared from."""
    links = tuple(calls)
    if WAY is Way.PREBUILT:
        return module.prepared_chain(links, prepared)

    def make(*now: object) -> bool | None:
        is_prepared = len(now) == len(prepared) and all(map(is_, now, prepared))
        return all(map(_make, links)) if is_prepared else None

    return make


def unprepared(*now: object) -> bool | None:
    """A chain that has no calls yet."""
    return None


def _make(call: Call) -> bool:
    """Make a call; return whether the chain goes on."""
    args = [_now(value) for value in call.args]
    if any(isinstance(given, Run) and len(arg) == 0 for given, arg in zip(call.args, args, strict=True)):
        if call.results is not None:
            call.results[:] = 0
        return True
    made = call.kernel(*args)
    results = made if isinstance(made, tuple) else (made,)
    if call.results is not None:
        for k, result in enumerate(results):
            call.results[k] = np.float64(result).view(np.int64) if isinstance(result, float) else result
    return call.most is None or results[0] <= call.most


def _now(value: Any) -> Any:
    if isinstance(value, Cell):
        return value.number.item()
    if isinstance(value, Run):
        return value.array[value.start.item() : value.stop.item()]
    if isinstance(value, Bundle) or not isinstance(value, tuple):
        return value
    items = map(_now, value)
    return type(value)._make(items) if hasattr(value, "_make") else tuple(items)
