"""Functions of numbers that also take arrays.

    @elementwise
    def circles_overlap(ax: Number, ..., radius_b: NonNegative, touching: bool = True) -> bool:
        ...

The function is written for one set of plain numbers and compiled as a kernel, `circles_overlap.kernel`. Other kernels
call it under a name of their own module (`circle_circle = circles_overlap.kernel`). Called from Python it takes

- numbers only, and returns a value of the annotated type;
- numbers and arrays of any shapes that broadcast, and returns an array, or its named tuple with an array per field.

Annotations decide the rest. Parameters are numbers, each with its domain (`Number`, `NonNegative`, `Angle`), and
after them flags (`bool`), which are one for all elements. Results are `bool`, `float`, `int`, an `IntEnum` or a named
tuple of those; members of an `IntEnum` are stored in arrays as integers. "None" is NaN in kernels and in arrays. For
plain numbers a NaN in a result or field annotated `float | None` becomes `None`, and so does a named tuple annotated
`... | None` whose fields are all NaN.

Every element of every argument is checked, by the compiled loop itself where it passes. An error names the argument.
The loop works in blocks that stay in the first-level cache, and reads contiguous float64 arrays in place. A plain
number becomes one block of copies. Anything else (other types, strides, outer products) is converted piece by piece.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial, wraps
from math import prod
from numbers import Real
from types import NoneType
from typing import (
    Annotated,
    Any,
    NoReturn,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_type_hints as type_hints,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode, kernel
from ecs_collide.kernels.loop_source import BLOCK, Domain, Parameter, loop_source
from ecs_collide.validate import flag, real

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
FloatArray: TypeAlias = NDArray[np.float64]

CHUNK = 16384
"""Elements that numpy converts at a time for one call of the loop (about 1 µs)."""

LARGEST = 1e75
"""Largest valid number: products of four such numbers, as in a discriminant, stay finite."""


FINITE = Domain(-LARGEST, LARGEST, "a finite number between ±1e75")
NOT_NEGATIVE = Domain(0.0, LARGEST, "a number from 0 to 1e75")

Number: TypeAlias = Annotated[float, FINITE]
NonNegative: TypeAlias = Annotated[float, NOT_NEGATIVE]
Angle: TypeAlias = Annotated[float, Domain(-1e6, 1e6, "an angle between ±1e6 rad")]


class Elementwise(Protocol[P, R_co]):
    """A function of numbers that also takes arrays."""

    kernel: Callable[..., Any]

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


def elementwise(function: Callable[P, R]) -> Elementwise[P, R]:
    """Return a function of plain numbers that also takes arrays."""
    return _make_elementwise(function, "")


def elementwise_with_refusal(refusal: str) -> Callable[[Callable[P, R]], Elementwise[P, R]]:
    """Return a decorator like `elementwise` that raises ValueError(refusal) if the function returns NaN."""
    return partial(_make_elementwise, refusal=refusal)


def elementwise_with_attempt(attempt: Callable[..., Any]) -> Callable[[Callable[P, R]], Elementwise[P, R]]:
    """Return a decorator like `elementwise` for a function of which a device function does most without branches.

    `attempt` returns the function's results, and True if they are valid. The loop over arrays runs it for a block,
    which the compiler turns into instructions for several elements at once. The loop then calls the function for
    elements without a valid result. `attempt` and everything that it calls must be `@device`. The function must begin
    with the same attempt, so that numbers and arrays give the same bits.
    """
    return partial(_make_elementwise, refusal="", attempt=attempt)


def _make_elementwise(
    function: Callable[P, R], refusal: str, attempt: Callable[..., Any] | None = None
) -> Elementwise[P, R]:
    hints = type_hints(function, include_extras=True)
    result = _Result(function.__name__, hints.pop("return"), refusal)
    numbers = tuple(Parameter(name, hint.__metadata__[0]) for name, hint in hints.items() if hint is not bool)
    flags = tuple(name for name, hint in hints.items() if hint is bool)
    signature = inspect.signature(function)
    defaults_by_name = {name: signature.parameters[name].default for name in flags}
    defaults = tuple(defaults_by_name.values())
    compiled = kernel(function)
    loop = _Loop(compiled, function, numbers, flags, result.dtypes, attempt)
    count = len(numbers)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        options = defaults
        if kwargs or len(args) != count:
            if len(args) != count or not kwargs.keys() <= defaults_by_name.keys():
                bound = signature.bind(*args, **kwargs)
                args, kwargs = bound.args[:count], dict(zip(flags, bound.args[count:])) | bound.kwargs
            options = tuple(map(flag, (defaults_by_name | kwargs).values(), flags))
        checked = []
        for value, (name, domain) in zip(args, numbers):
            if type(value) is not float:
                if not isinstance(value, Real):
                    return result.of_arrays(*loop(args, options))
                value = real(value, name)
            if not domain.low <= value <= domain.high:
                _refuse(name, domain, value)
            checked.append(value)
        return result.of_numbers(compiled(*checked, *options))

    public = cast(Elementwise[P, R], call)
    public.kernel = compiled
    return public


class _Result:
    """The results of a function, from its annotation."""

    def __init__(self, name: str, annotation: Any, refusal: str) -> None:
        self._name = name
        self._refusal = refusal
        self._kind, self._optional = _without_none(annotation)
        hints = type_hints(self._kind) if hasattr(self._kind, "_fields") else {}
        self._fields = [_without_none(hint) for hint in hints.values()]
        self.dtypes = [np.dtype(_stored(kind)) for kind, _ in self._fields or [(self._kind, False)]]

    def of_numbers(self, value: Any) -> Any:
        """Return the result for plain numbers."""
        if self._kind is bool:
            return value
        if not self._fields:
            return self._converted(value, self._kind, self._optional)
        if self._optional and all(item != item for item in value):
            return None
        return self._kind._make(self._converted(item, *field) for item, field in zip(value, self._fields))

    def of_arrays(self, shape: tuple[int, ...], outputs: list[Any]) -> Any:
        """Return the result for arrays; for arrays without axes the result for plain numbers."""
        if not shape:
            items = [output.item() for output in outputs]
            return self.of_numbers(items if self._fields else items[0])
        if self._refusal and (refused := np.isnan(outputs[0])).any():
            raise ValueError(f"{self._name}: {self._refusal} (at index {_first(refused.reshape(shape))})")
        arrays = [output.reshape(shape) for output in outputs]
        return self._kind._make(arrays) if self._fields else arrays[0]

    def _converted(self, value: Any, kind: Any, optional: bool) -> Any:
        if value == value:
            return kind(value)
        if self._refusal:
            raise ValueError(f"{self._name}: {self._refusal}")
        return None if optional else value


class _Loop:
    """The compiled loop over arrays, made by its first call."""

    def __init__(
        self,
        compiled: Callable[..., Any],
        function: Callable[..., Any],
        parameters: Sequence[Parameter],
        flags: Sequence[str],
        dtypes: Sequence[np.dtype[Any]],
        attempt: Callable[..., Any] | None,
    ) -> None:
        self._source = partial(loop_source, compiled, function, parameters, flags, dtypes, attempt)
        self._parameters = parameters
        self._dtypes = dtypes
        self._kernel: Callable[..., Any] | None = None
        if KERNEL_MODE is KernelMode.PLAIN:
            self._make()  # the build compiles it too

    def _make(self) -> Callable[..., Any]:
        self._kernel = kernel(self._source())
        return self._kernel

    def __call__(self, values: Sequence[Any], options: tuple[bool, ...]) -> tuple[tuple[int, ...], list[Any]]:
        """Return the common shape, and an array of one axis for each output."""
        loop = self._kernel or self._make()
        arrays = [float_array(value, parameter.name) for value, parameter in zip(values, self._parameters)]
        shape = self._common_shape(arrays)
        count = prod(shape)
        outputs = [np.empty(count, dtype) for dtype in self._dtypes]
        for array, (name, domain) in zip(arrays, self._parameters):
            if array.size == 1 and not domain.low <= array.item() <= domain.high:
                _refuse(name, domain, array.item())
        if all(array.size == 1 or (array.shape == shape and _is_plain(array)) for array in arrays):
            inputs = [_read_only(array, min(count, BLOCK)) for array in arrays]
            steps = tuple(int(array.size != 1) for array in arrays)
            bad = loop(*inputs, *outputs, *options, steps, count, np.empty(BLOCK, np.bool_))
        else:
            bad = self._by_chunks(loop, arrays, [output.reshape(shape) for output in outputs], options)
        if bad >= 0:
            name, domain = self._parameters[bad]
            wrong = ~((arrays[bad] >= domain.low) & (arrays[bad] <= domain.high))
            index = _first(wrong)
            _refuse(name, domain, float(arrays[bad][index]), index)
        return shape, outputs

    def _common_shape(self, arrays: Sequence[FloatArray]) -> tuple[int, ...]:
        shapes_met = {array.shape for array in arrays}
        if len(shapes_met | {()}) <= 2:
            return max(shapes_met, key=len)
        try:
            return np.broadcast_shapes(*shapes_met)
        except ValueError:
            shapes = ", ".join(f"{parameter.name} {array.shape}" for parameter, array in zip(self._parameters, arrays))
            raise ValueError(f"the shapes of the arguments do not go together: {shapes}") from None

    def _by_chunks(
        self,
        loop: Callable[..., Any],
        arrays: Sequence[FloatArray],
        outputs: Sequence[Any],
        options: tuple[bool, ...],
    ) -> int:
        reading, writing = ["readonly", "contig", "aligned"], ["writeonly", "contig", "aligned", "no_broadcast"]
        steps, sure = (1,) * len(arrays), np.empty(BLOCK, np.bool_)
        with np.nditer(  # type: ignore[call-overload]  # numpy's stubs misspell "contig"
            [*arrays, *outputs],
            flags=["external_loop", "buffered", "zerosize_ok"],
            op_flags=[reading] * len(arrays) + [writing] * len(outputs),
            order="C",
            buffersize=CHUNK,
        ) as chunks:
            for chunk in chunks:
                bad = loop(*chunk, *options, steps, len(chunk[0]), sure)
                if bad >= 0:
                    return int(bad)
        return -1


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """Return an annotation without `| None`, and True if it had that."""
    options = get_args(annotation)
    if NoneType not in options:
        return annotation, False
    return next(option for option in options if option is not NoneType), True


def _stored(kind: type) -> type:
    """Return the type of array items for results of this type."""
    return np.int64 if issubclass(kind, IntEnum) else kind


def float_array(value: object, name: str) -> FloatArray:
    """Return the value as an array of float64."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise TypeError(f"{name} must be numbers or an array of numbers, got {value!r}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be numbers or an array of numbers, got {_excerpt(value)}")
    return array.astype(np.float64, copy=False)


def checked_array(value: object, name: str, domain: Domain) -> FloatArray:
    """Return the value as an array of float64; ValueError with `name` if an item is outside the domain."""
    array = float_array(value, name)
    wrong = ~((array >= domain.low) & (array <= domain.high))
    if wrong.any():
        index = _first(wrong)
        _refuse(name, domain, float(array[index]), index)
    return array


def _is_plain(array: FloatArray) -> bool:
    """Return True if the loop can read the array in place."""
    return array.flags.c_contiguous and array.flags.aligned


def _read_only(array: FloatArray, block: int) -> FloatArray:
    """Return a read-only view of the array with one axis; for a single number, a block of copies of it."""
    flat = np.full(block, array.item()) if array.size == 1 else array.reshape(-1)
    view = flat.view(np.ndarray)
    view.flags.writeable = False
    return view


def _first(where: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(int(np.argmax(where)), where.shape))


def _refuse(name: str, domain: Domain, value: float, index: tuple[int, ...] = ()) -> NoReturn:
    place = f" at index {index}" if index else ""
    raise ValueError(f"{name} must be {domain.words}, got {value}{place}")


def _excerpt(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
