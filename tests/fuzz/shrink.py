"""A search for a shorter failing case: it leaves out operations, then parts of them, while the same fault remains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from tests.fuzz.shapes import Data

Operations = tuple[Data, ...]


def shrink(operations: Operations, fails: Callable[[Operations], bool], seconds: float = 120.0) -> Operations:
    """Return a shorter case that still fails; the shortest that is found in the time."""
    stop = monotonic() + seconds
    before = None
    while before != operations and monotonic() < stop:
        before = operations
        operations = _without_chunks(operations, fails, stop)
        operations = _simpler(operations, fails, stop)
    return operations


def _without_chunks(operations: Operations, fails: Callable[[Operations], bool], stop: float) -> Operations:
    """Leave out halves, quarters, ... and single operations, from the end, as delta debugging does."""
    size = max(len(operations) // 2, 1)
    while True:
        at = len(operations) - size
        while at > -size and monotonic() < stop:
            shorter = operations[: max(at, 0)] + operations[at + size :]
            if shorter and fails(shorter):
                operations = shorter
            at -= size
        if size == 1:
            return operations
        size //= 2


def _simpler(operations: Operations, fails: Callable[[Operations], bool], stop: float) -> Operations:
    """Replace operations one by one by simpler ones."""
    at = 0
    while at < len(operations) and monotonic() < stop:
        for data in _variants(operations[at][1:]):
            simpler = (*operations[:at], (operations[at][0], *data), *operations[at + 1 :])
            if monotonic() < stop and fails(simpler):
                operations = simpler
                break
        else:
            at += 1
    return operations


def _variants(data: Any) -> Iterator[Any]:
    """Yield data with one part left out or simpler; an invalid operation fails in another way than the fault."""
    if isinstance(data, tuple):
        for k, part in enumerate(data):
            if isinstance(part, tuple):
                yield data[:k] + data[k + 1 :]
            for variant in _variants(part):
                yield (*data[:k], variant, *data[k + 1 :])
    elif isinstance(data, float):
        for digits in (0, 1, 2):
            if len(repr(round(data, digits))) < len(repr(data)):
                yield round(data, digits)
    elif isinstance(data, int) and not isinstance(data, bool) and 1 < data < 100:
        yield data // 2
