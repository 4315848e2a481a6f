"""Checks of arguments of shapes, components and `install`.

Each check returns the value in the form in which it is stored, plain floats and tuples. It raises an error that names
the argument and the value. This is `TypeError` for a value that is not a number (`bool` and `str` are not), and
`ValueError` for NaN, infinity and numbers out of range.
"""

import math
from collections.abc import Callable, Mapping
from enum import Enum
from numbers import Integral, Real
from typing import TypeAlias, TypeVar

import numpy as np

Vector2: TypeAlias = tuple[float, float]

LARGEST = 1e50
"""Greatest magnitude of a number in a shape, a component or a setting: products of six remain finite."""
SMALLEST = 2.0**-1022
"""Smallest normal number above 0: the lowest value of fields that must be above 0."""

LARGEST_ANGLE = 1e15
"""Greatest magnitude of an angle: beyond it, neighbouring floats differ by more than a tenth of a radian [rad]."""

PLAIN = {float, int}
"""Types of most numbers."""

E = TypeVar("E", bound=Enum)


def finite(value: object, name: str) -> float:
    """Return `value` as a finite float."""
    if type(value) is float and -LARGEST <= value <= LARGEST:  # the usual case first
        return value + 0.0
    return _number(value, name, "a finite number", math.isfinite)


def real(value: object, name: str) -> float:
    """Return `value` as a finite float of any size."""
    return _number(value, name, "a finite number", math.isfinite, math.inf)


def angle(value: object, name: str) -> float:
    """Return `value` as a finite float that is a useful angle [rad]."""
    return _number(value, name, "a finite number", math.isfinite, LARGEST_ANGLE)


def positive(value: object, name: str) -> float:
    """Return `value` as a finite float above zero."""
    if type(value) is float and 0.0 < value <= LARGEST:  # the usual case first
        return value
    return _number(value, name, "a positive finite number", lambda number: 0.0 < number < math.inf)


def non_negative(value: object, name: str) -> float:
    """Return `value` as a finite float of at least zero."""
    if type(value) is float and 0.0 <= value <= LARGEST:  # the usual case first: every step checks its length
        return value + 0.0
    return _number(value, name, "a non-negative finite number", lambda number: 0.0 <= number < math.inf)


def non_negative_or_infinite(value: object, name: str) -> float:
    """Return `value` as a float of at least zero; infinity becomes the largest number."""
    if type(value) is float and 0.0 <= value <= LARGEST:  # the usual case first
        return value + 0.0
    return _or_largest(value, name, "a non-negative number or infinity", lambda number: number >= 0.0)


def positive_or_infinite(value: object, name: str) -> float:
    """Return `value` as a float above zero; infinity becomes the largest number."""
    return _or_largest(value, name, "a positive number or infinity", lambda number: number > 0.0)


def coordinate(value: object, name: str) -> float:
    """Return `value`, the first of several coordinates, as a finite float.

    The error for a pair says what to write instead.
    """
    try:
        return finite(value, name)
    except TypeError as error:
        if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__len__") or len(value) < 2:
            raise
        kind = name.partition(".")[0]
        raise TypeError(f"{error}: write {kind}(x, y), or {kind}(*pair)") from None


def vector2(value: object, name: str) -> Vector2:
    """Return `value`, any sequence or array of two numbers, as a tuple of two finite floats."""
    if (plain := plain_pair(value)) is not None:
        return plain
    items = _items(value, name, "a pair of numbers")
    if len(items) != 2:
        joined = ": + and * join tuples, so compute both numbers: (x + 1, y)" if _are_joined_pairs(value) else ""
        raise ValueError(f"{name} must be a pair of numbers, got {value!r}{joined}")
    return finite(items[0], f"{name}[0]"), finite(items[1], f"{name}[1]")


def _are_joined_pairs(value: object) -> bool:
    """Return True if a value is a tuple of several pairs, as `position += (1, 0)` makes it."""
    return isinstance(value, tuple) and len(value) > 2 and len(value) % 2 == 0


def vector2_sequence(value: object, name: str) -> tuple[Vector2, ...]:
    """Return `value`, any sequence of pairs or array of shape (n, 2), as a tuple of tuples of two finite floats."""
    if isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind == "f":
        value = list(map(tuple, value.tolist()))
    items = _items(value, name, "a sequence of points")
    return tuple([plain_pair(item) or vector2(item, f"{name}[{index}]") for index, item in enumerate(items)])


def plain_pair(value: object) -> Vector2 | None:
    """Return a valid tuple of two floats or ints as a tuple of floats, None for any other value.

    This is the usual case.
    """
    if type(value) is tuple and len(value) == 2:
        x, y = value
        if type(x) in PLAIN and type(y) in PLAIN and -LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST:
            is_stored_so = type(x) is float is type(y) and x != 0.0 != y
            return value if is_stored_so else (x + 0.0, y + 0.0)  # -0.0 becomes 0.0
    return None


def points(value: object, name: str) -> np.ndarray:
    """Return `value`, a point or an array of points, as a float array (2,) or (n, 2)."""
    return number_rows(value, name, 2, "points", may_be_one=True)


def number_rows(
    value: object, name: str, width: int, kind: str = "rows of numbers", may_be_one: bool = False
) -> np.ndarray:
    """Return `value`, an array of rows of `width` numbers, as a float array (n, width).

    A single row stays a single row (width,) with `may_be_one`. Errors call the rows `kind`.
    """
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {kind}, an array of shape (n, {width}), got {value!r}") from None
    if not (array.ndim == 2 or (may_be_one and array.ndim == 1)) or array.shape[-1] != width:
        raise ValueError(f"{name} must be {kind}, an array of shape (n, {width}), got one of shape {array.shape}")
    if not (np.abs(array) <= LARGEST).all():
        raise ValueError(f"{name} must be finite and not exceed {LARGEST:g} in magnitude")
    return np.ascontiguousarray(array) + 0.0


def number_sequence(value: object, name: str) -> tuple[float, ...]:
    """Return `value`, any sequence or array of numbers, as a tuple of finite floats."""
    items = _items(value, name, "a sequence of numbers")
    return tuple(finite(item, f"{name}[{index}]") for index, item in enumerate(items))


def flag(value: object, name: str) -> bool:
    """Return `value`, True or False of Python or numpy, as a bool; numbers are not flags."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise TypeError(f"{name} must be True or False, got {value!r}")


def integer(value: object, name: str, low: int, high: int) -> int:
    """Return `value` as an int between `low` and `high`, both included."""
    if type(value) is int and low <= value <= high:  # the usual case first
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if not low <= int(value) <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value}")
    return int(value)


def entity_id(value: object, name: str) -> int:
    """Return an entity id; raise TypeError or ValueError for any other value."""
    return integer(value, name, 0, (1 << 63) - 1)


def member(value: object, name: str, kind: type[E]) -> E:
    """Return `value` if it is a member of the enumeration `kind`."""
    if isinstance(value, kind):
        return value
    names = ", ".join(f"{kind.__name__}.{item.name}" for item in kind)
    raise TypeError(f"{name} must be one of {names}, got {value!r}")


def _number(
    value: object, name: str, expected: str, accepts: Callable[[float], bool], largest: float = LARGEST
) -> float:
    """Return `value` as a float that `accepts` accepts and that is at most `largest` in magnitude."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be {expected}, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be {expected}, got an integer too large for a float") from None
    if not accepts(number):
        raise ValueError(f"{name} must be {expected}, got {number}")
    if abs(number) > largest:
        raise ValueError(f"{name} must not exceed {largest:g} in magnitude, got {number}")
    return number + 0.0  # -0.0 becomes 0.0: values that compare equal then also compute equal


def _or_largest(value: object, name: str, expected: str, accepts: Callable[[float], bool]) -> float:
    """Return `value` as a float that `accepts` accepts; infinity becomes the largest number."""
    number = _number(value, name, expected, accepts, math.inf)
    return LARGEST if number == math.inf else _number(number, name, expected, accepts)


def _items(value: object, name: str, expected: str) -> tuple[object, ...]:
    """Return the items of a sequence or array as a tuple."""
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__getitem__"):
        raise TypeError(f"{name} must be {expected}, got {value!r}")
    try:
        return tuple(value)  # type: ignore[arg-type]  # sequences without the ABC (pygame's Vector2) iterate too
    except TypeError:
        raise TypeError(f"{name} must be {expected}, got {value!r}") from None
