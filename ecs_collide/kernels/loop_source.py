"""The loop over arrays around a function of numbers, made as source text because the number of arguments varies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from ecs_collide.kernels.arrays import Flags, Floats, FloatsIn, Ints
from ecs_collide.kernels.kernel import device

BLOCK = 512
"""Elements in a block: six arguments and a result fill 25 of the usual 32 or 48 kB."""

_ARRAYS: dict[type, Any] = {np.float64: Floats, np.int64: Ints, np.bool_: Flags}


class Domain(NamedTuple):
    """The numbers from `low` to `high`, both included, and a phrase that says so."""

    low: float
    high: float
    words: str


class Parameter(NamedTuple):
    """A parameter that may be an array."""

    name: str
    domain: Domain


def loop_source(
    compiled: Callable[..., Any],
    function: Callable[..., Any],
    parameters: Sequence[Parameter],
    flags: Sequence[str],
    dtypes: Sequence[np.dtype[Any]],
    attempt: Callable[..., Any] | None,
) -> Callable[..., Any]:
    """Return the loop around a function, as a Python function.

    The loop returns the index of the first parameter that holds a number outside its domain, or -1.
    """
    inputs = [parameter.name for parameter in parameters]
    outputs = [f"output_{index}" for index in range(len(dtypes))]
    loop_name = f"{function.__name__}_over_arrays"
    lines = [
        f"def {loop_name}({', '.join([*inputs, *outputs, *flags])}, steps, count, sure):",
        f"    for start in range(0, count, {BLOCK}):",
        f"        size = min({BLOCK}, count - start)",
    ]
    for index, (name, domain) in enumerate(parameters):
        lines += [
            f"        {name}_block = {name}[steps[{index}] * start : steps[{index}] * start + size]",
            f"        if not all_within({name}_block, {domain.low!r}, {domain.high!r}):",
            f"            return {index}",
        ]
    lines += [f"        {output}_block = {output}[start : start + size]" for output in outputs]
    targets = ", ".join(f"{output}_block[i]" for output in outputs)
    arguments = ", ".join([*(f"{name}_block[i]" for name in inputs), *flags])
    lines.append("        for i in range(size):")
    if attempt is not None:
        lines += [
            f"            {targets}, sure[i] = attempt({arguments})",
            "        for i in range(size):",
            "            if sure[i]:",
            "                continue",
        ]
    lines += [f"            {targets} = function({arguments})", "    return -1"]
    namespace: dict[str, Any] = {
        "function": compiled,
        "attempt": attempt,
        "all_within": all_within,
        "__name__": function.__module__,
    }
    code = function.__code__
    # Placed in the function's own file, so that tracebacks and the build find it there.
    exec(compile("\n" * (code.co_firstlineno - 1) + "\n".join(lines), code.co_filename, "exec"), namespace)
    loop = cast(FunctionType, namespace[loop_name])
    loop.__qualname__ = f"{function.__qualname__}_over_arrays"
    loop.__annotations__ = {
        **dict.fromkeys(inputs, FloatsIn),
        **{output: _ARRAYS[dtype.type] for output, dtype in zip(outputs, dtypes)},
        **dict.fromkeys(flags, bool),
        **{"steps": tuple[(int,) * len(inputs)], "count": int, "sure": Flags},  # type: ignore[misc]
    }
    return loop


@device
def all_within(values, low, high):  # type: ignore[no-untyped-def]
    """Return True if all values lie between the bounds; NaN does not."""
    good = True
    for i in range(len(values)):
        good &= (low <= values[i]) & (values[i] <= high)
    return good
