"""Kernels that are called one after the other in every step, with arguments that are read once.

To load forty arguments, hand them over and look at each takes longer than most kernels run in a small world. A chain
has its calls' arguments ready as machine words. It is given what they were made from, and says so if that is another:

    if self._chain(bodies, pairs) is None:
        self._chain = chain(self._calls(bodies, pairs), bodies, pairs)
        self._chain(bodies, pairs)

What changes from step to step it reads from arrays: a number where a `Cell` stands, and the part of a list that counts
where a `Run` does.
"""

from collections.abc import Callable, Iterable, Mapping, Sized
from operator import is_
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import WAY, Way


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
    done_at: np.ndarray | None = None
    """Where the time goes at which it was done, as `perf_counter` has it [s] (1,)."""


class Same(NamedTuple):
    """An attribute, or an item of a dict, that is still a certain object."""

    owner: object
    name: Any
    value: object


class Empty(NamedTuple):
    """A container that still has nothing in it."""

    container: Sized


class Present(NamedTuple):
    """A dict that still has a certain key."""

    owner: Mapping[Any, Any]
    name: Any


Condition: TypeAlias = Same | Empty | Present

NOTHING = -1
"""No call has ended a chain before its time."""

Chain: TypeAlias = Callable[..., int | None]
"""Makes calls that were prepared from some objects; None where it is given others: nothing was done then.

Else the number of the call with which it ended before its time, and how many calls there are where it did not.
"""

Again: TypeAlias = Callable[[float], bool | None]
"""Makes a chain with a number. True where it came to its end, False where not; None, with nothing done, where some
condition does not hold, or something is left over from the last time."""


def chain(calls: Iterable[Call], *prepared: object) -> Chain:
    """The chain of these calls, which takes the objects that they were prepared from."""
    links = tuple(calls)
    if WAY is Way.PREBUILT:
        return module.prepared_chain(links, prepared)

    def make(*now: object) -> int | None:
        if len(now) != len(prepared) or not all(map(is_, now, prepared)):
            return None
        return next((place for place, link in enumerate(links) if not _make(link)), len(links))

    return make


def again(
    chain: Chain, conditions: Iterable[Condition], number: np.ndarray, span: tuple[float, float], left: np.ndarray
) -> Again:
    """What makes a chain again and again, as long as some conditions hold.

    It is called with another number within `span` each time, which goes to `number` (1,). To `left` (1,) goes the
    number of the call with which the chain ended before its time; until that is set back to `NOTHING` it is not made.
    """
    return module.repeated_chain(chain, tuple(conditions), number, span, left) if WAY is Way.PREBUILT else not_again


def not_again(number: float) -> None:
    """No chain can be made again."""


def unprepared(*now: object) -> int | None:
    """A chain that has no calls yet."""
    return None


def _make(call: Call) -> bool:
    """Make a call; return whether the chain goes on."""
    args, goes_on = [_now(value) for value in call.args], True
    if any(isinstance(given, Run) and len(arg) == 0 for given, arg in zip(call.args, args, strict=True)):
        if call.results is not None:
            call.results[:] = 0
    else:
        made = call.kernel(*args)
        results = made if isinstance(made, tuple) else (made,)
        goes_on = call.most is None or results[0] <= call.most
        if call.results is not None:
            for k, result in enumerate(results):
                call.results[k] = np.float64(result).view(np.int64) if isinstance(result, float) else result
    if call.done_at is not None:
        call.done_at[0] = perf_counter()
    return goes_on


def _now(value: Any) -> Any:
    if isinstance(value, Cell):
        return value.number.item()
    if isinstance(value, Run):
        return value.array[value.start.item() : value.stop.item()]
    if isinstance(value, Bundle) or not isinstance(value, tuple):
        return value
    items = map(_now, value)
    return type(value)._make(items) if hasattr(value, "_make") else tuple(items)
