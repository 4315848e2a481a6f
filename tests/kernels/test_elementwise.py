"""Functions of numbers take arrays, check every number and name the argument that is wrong."""

from __future__ import annotations

import inspect
from enum import IntEnum
from fractions import Fraction
from math import nan
from typing import Any, NamedTuple

import numpy as np
import pytest

from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode

if KERNEL_MODE is KernelMode.PREBUILT:
    pytest.skip("test_plain_mode.py runs these tests in plain mode", allow_module_level=True)

from ecs_collide.kernels.elementwise import CHUNK, Angle, NonNegative, Number, elementwise, elementwise_with_refusal
from ecs_collide.kernels.kernel import kernel
from ecs_collide.kernels.loop_source import BLOCK


class Side(IntEnum):
    LEFT = -1
    ON = 0
    RIGHT = 1


class Reading(NamedTuple):
    value: float | None
    side: Side
    positive: bool


@elementwise
def weighed(a: Number, b: Number, c: NonNegative, negate: bool = False, double: bool = False) -> float:
    """Return a sum in which each argument has its own weight."""
    total = a + 10.0 * b + 100.0 * c
    total = 2.0 * total if double else total
    return -total if negate else total


@elementwise
def reading(value: Number, limit: NonNegative) -> Reading:
    """Everything at once; no value past the limit."""
    side = 1 if value > 0.0 else -1 if value < 0.0 else 0
    return Reading(value if abs(value) <= limit else nan, side, value > 0.0)  # type: ignore[arg-type]


@elementwise
def root(x: Number) -> float | None:
    """The square root, or none."""
    return x**0.5 if x >= 0.0 else nan


@elementwise_with_refusal("x must not be 0")
def inverse(x: Number) -> float:
    """One over x."""
    return 1.0 / x if x != 0.0 else nan


def expected_sum(a: Any, b: Any, c: Any) -> Any:
    return np.asarray(a, np.float64) + 10.0 * np.asarray(b, np.float64) + 100.0 * np.asarray(c, np.float64)


def test_numbers_of_any_kind_give_a_float() -> None:
    for one in (1, 1.0, np.float64(1), np.float32(1), np.int16(1), Fraction(1)):
        result = weighed(one, 2, 3)
        assert type(result) is float and result == 321.0


def test_names_defaults_and_flags() -> None:
    assert weighed(c=3.0, a=1.0, b=2.0) == 321.0
    assert weighed(1.0, 2.0, 3.0, True) == -321.0
    assert weighed(1.0, 2.0, 3.0, negate=True) == -321.0
    assert weighed(1.0, 2.0, 3.0, double=True) == 642.0
    assert weighed(1.0, 2.0, 3.0, True, double=True) == -642.0
    assert weighed(a=1.0, b=2.0, c=3.0, double=True) == 642.0
    assert weighed([1.0], 2.0, c=3.0, double=True).tolist() == [642.0]


def test_it_is_a_documented_function() -> None:
    assert weighed.__name__ == "weighed"  # type: ignore[attr-defined]
    assert weighed.__doc__ == "Return a sum in which each argument has its own weight."
    assert list(inspect.signature(weighed).parameters) == ["a", "b", "c", "negate", "double"]


SHAPES = [
    ((4,), (4,), (4,)),
    ((4,), (), (1,)),
    ((), (1,), (3,)),
    ((3, 4), (3, 4), ()),
    ((3, 1), (1, 4), (2, 1, 1)),
    ((3, 1), (4,), ()),
    ((0,), (), (0,)),
    ((0, 3), (1, 3), (0, 1)),
    ((1,), (1,), (1,)),
    ((1, 1), (), (1,)),
    ((), (), ()),
    ((BLOCK,), (BLOCK,), ()),
    ((BLOCK + 1,), (), (BLOCK + 1,)),
    ((2 * BLOCK - 1,), (2 * BLOCK - 1,), (2 * BLOCK - 1,)),
    ((CHUNK + 3, 1), (2,), (1, 2)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_shapes_broadcast_as_numpy_does(shapes: tuple[tuple[int, ...], ...]) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(0.0, 1.0, shape) for shape in shapes]
    found = weighed(*arrays)
    wanted = expected_sum(*arrays)
    assert np.shape(found) == wanted.shape and np.array_equal(found, wanted)
    if wanted.shape == ():
        assert type(found) is float


def test_arrays_that_cannot_be_read_where_they_lie() -> None:
    rng = np.random.default_rng(2)
    plain = rng.uniform(0.0, 1.0, (40, 50))
    unaligned = np.zeros(2000 * 8 + 1, np.uint8)[1:].view(np.float64).reshape(40, 50)
    unaligned[:] = plain
    frozen = plain.copy()
    frozen.flags.writeable = False
    others = [
        np.asfortranarray(plain),
        np.repeat(plain, 2, axis=1)[:, ::2],
        plain[::-1, ::-1].copy()[::-1, ::-1],
        plain.astype(">f8"),
        plain.tolist(),
        unaligned,
        frozen,
        np.broadcast_to(plain[:1], (40, 50)),
        (plain * 100.0).astype(np.int32),
        (plain * 100.0).astype(np.uint8),
        plain.astype(np.float32),
    ]
    for other in others:
        assert np.array_equal(weighed(other, plain, 2.0), expected_sum(other, plain, 2.0))
        assert np.array_equal(weighed(plain, other, other), expected_sum(plain, other, other))


def test_arguments_are_left_alone() -> None:
    a = np.arange(5.0)
    before = a.copy()
    result = weighed(a, a, a)
    assert np.array_equal(a, before) and a.flags.writeable
    assert not np.shares_memory(result, a)
    result[0] = 1.0


def test_named_tuples() -> None:
    assert reading(2.0, 3.0) == Reading(2.0, Side.RIGHT, True)
    assert reading(-2.0, 1.0) == Reading(None, Side.LEFT, False)
    one = reading(-2.0, 1.0)
    assert type(one) is Reading and one.side is Side.LEFT and one.positive is False
    many = reading(np.array([2.0, -2.0, 0.0]), 1.0)
    assert type(many).__name__ == "Reading"
    assert [array.dtype for array in many] == [np.float64, np.int64, np.bool_]
    assert np.array_equal(many.value, [nan, nan, 0.0], equal_nan=True)
    assert many.side.tolist() == [1, -1, 0]
    assert reading(np.array(-2.0), 1.0) == one, "an array without axes is a number"


def test_none() -> None:
    assert root(4.0) == 2.0
    assert root(-4.0) is None
    assert np.array_equal(root([4.0, -4.0]), [2.0, nan], equal_nan=True)


def test_refusal() -> None:
    assert inverse(4.0) == 0.25
    for bad, place in ((0.0, ""), (np.array(0.0), ""), ([[1.0, 2.0], [3.0, 0.0]], r" \(at index \(1, 1\)\)")):
        with pytest.raises(ValueError, match=rf"^inverse: x must not be 0{place}$"):
            inverse(bad)


@pytest.mark.parametrize("wrong", [nan, float("inf"), -float("inf"), -1.0, 1e76])
def test_a_number_outside_its_domain_is_named(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"^c must be a "):
        weighed(1.0, 2.0, wrong)
    with pytest.raises(ValueError, match=r"^c must be a "):
        weighed(np.zeros(0), 2.0, wrong)
    for count in (3, BLOCK, 5 * BLOCK):
        c = np.ones(count)
        c[count - 2] = wrong
        with pytest.raises(ValueError, match=rf"^c must be a number from 0 to 1e75, got .* at index \({count - 2},\)$"):
            weighed(np.zeros(count), 2.0, c)
        with pytest.raises(ValueError, match=rf"^c must be .* at index \({count - 2},\)$"):
            weighed(0.0, 0.0, c)
        with pytest.raises(ValueError, match=rf"^c must be .* at index \({count - 2}, 0\)$"):
            weighed(np.zeros((count, 1)), np.zeros(2), c[:, np.newaxis])


@pytest.mark.parametrize(
    "wrong", ["1", None, True, 1j, [True], ["a"], [[1.0], [2.0, 3.0]], np.array([1j]), object(), {}]
)
def test_a_value_that_is_no_number_is_named(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^b must be"):
        weighed(1.0, wrong, 3.0)
    with pytest.raises(TypeError, match=r"^b must be"):
        weighed([1.0], wrong, 3.0)


def test_flags_are_true_or_false() -> None:
    for wrong in (1, "yes", None, [True]):
        with pytest.raises(TypeError, match=r"^negate must be True or False"):
            weighed(1.0, 2.0, 3.0, negate=wrong)


def test_missing_and_unknown_arguments() -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'c'"):
        weighed(1.0, 2.0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
        weighed(1.0, 2.0, 3.0, d=4.0)


def test_shapes_that_do_not_go_together_are_named() -> None:
    with pytest.raises(ValueError, match=r"do not go together: a \(2,\), b \(3,\), c \(\)"):
        weighed(np.zeros(2), np.zeros(3), 1.0)


def test_angles_within_the_range_of_the_cosine() -> None:
    @elementwise
    def same(angle: Angle) -> float:
        return angle

    assert same(-1e6) == -1e6
    with pytest.raises(ValueError, match=r"^angle must be an angle between ±1e6 rad, got 2000000.0"):
        same(2e6)


def test_other_kernels_call_it() -> None:
    inner = weighed.kernel

    @kernel
    def twice(x: float) -> float:
        return 2.0 * inner(x, 0.0, 0.0, False, False)  # type: ignore[no-any-return]

    assert twice(4.0) == 8.0


def test_numbers_and_arrays_agree_to_the_bit() -> None:
    rng = np.random.default_rng(3)
    a, b, c = rng.uniform(0.0, 1.0, (3, 1000))
    assert weighed(a, b, c).tolist() == [weighed(*row) for row in zip(a.tolist(), b.tolist(), c.tolist())]
