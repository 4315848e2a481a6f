"""Tests of the checks of arguments."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ecs_collide.validate import finite, flag, non_negative, number_sequence, positive, vector2, vector2_sequence

Check = Callable[[object, str], float]


@pytest.mark.parametrize("check", [finite, positive, non_negative])
@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.float64(2), np.int64(2), np.uint8(2), Fraction(2)])
def test_numbers_become_plain_floats(check: Check, value: object) -> None:
    assert type(check(value, "x")) is float
    assert check(value, "x") == 2.0


@pytest.mark.parametrize("check", [finite, positive, non_negative])
@pytest.mark.parametrize("value", [True, np.True_, "1", b"1", None, 1j, [1.0], np.array(1.0)])
def test_a_value_that_is_no_number_is_a_type_error(check: Check, value: object) -> None:
    with pytest.raises(TypeError, match=r"^Box\.width must be a .*finite number, got ") as caught:
        check(value, "Box.width")
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("check", [finite, positive, non_negative])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_non_finite_is_a_value_error(check: Check, value: float) -> None:
    with pytest.raises(ValueError, match=rf"^Box\.width must be a .*finite number, got {float(value)}$"):
        check(value, "Box.width")


def test_an_integer_beyond_float_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="x must be a finite number, got an integer too large"):
        finite(10**400, "x")


@pytest.mark.parametrize("value", [0, 0.0, -0.0, -1.0, -5e-324])
def test_positive_refuses_zero_and_below(value: float) -> None:
    with pytest.raises(ValueError, match=rf"^r must be a positive finite number, got {float(value)}$"):
        positive(value, "r")


def test_non_negative_accepts_zero_and_refuses_below() -> None:
    assert non_negative(0, "r") == 0.0
    with pytest.raises(ValueError, match=r"^r must be a non-negative finite number, got -1\.0$"):
        non_negative(-1, "r")


def test_negative_zero_becomes_zero() -> None:
    assert math.copysign(1.0, finite(-0.0, "x")) == 1.0
    assert math.copysign(1.0, non_negative(-0.0, "x")) == 1.0


@pytest.mark.parametrize("value", [(1, 2), [1, 2], np.array([1, 2]), np.array([1, 2], dtype=np.float32)])
def test_vector2_becomes_a_tuple_of_floats(value: object) -> None:
    assert vector2(value, "v") == (1.0, 2.0)
    assert [type(part) for part in vector2(value, "v")] == [float, float]


def test_vector2_takes_sequences_without_the_abstract_base_class() -> None:
    class GameVector:
        def __getitem__(self, index: int) -> float:
            return (1.0, 2.0)[index]

    assert vector2(GameVector(), "v") == (1.0, 2.0)


@pytest.mark.parametrize("value", [None, 1.0, "12", b"12", {1, 2}, {0: 1, 1: 2}, np.array(1.0), iter((1, 2))])
def test_a_value_that_is_no_sequence_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match=r"^v must be a pair of numbers, got "):
        vector2(value, "v")
    with pytest.raises(TypeError, match=r"^v must be a sequence of points, got "):
        vector2_sequence(value, "v")


@pytest.mark.parametrize("value", [(), (1,), (1, 2, 3)])
def test_vector2_of_another_length_is_a_value_error(value: object) -> None:
    with pytest.raises(ValueError, match=r"^v must be a pair of numbers, got \("):
        vector2(value, "v")


def test_errors_name_the_component() -> None:
    with pytest.raises(ValueError, match=r"^Circle\.center\[1\] must be a finite number, got nan$"):
        vector2((0.0, math.nan), "Circle.center")
    with pytest.raises(TypeError, match=r"^Circle\.center\[0\] must be a finite number, got True$"):
        vector2((True, 0.0), "Circle.center")
    with pytest.raises(ValueError, match=r"^Polygon\.vertices\[2\]\[0\] must be a finite number, got inf$"):
        vector2_sequence([(0, 0), (1, 0), (math.inf, 1)], "Polygon.vertices")


@pytest.mark.parametrize("value", [[(1, 2), [3, 4]], np.array([[1, 2], [3, 4]])])
def test_vector2_sequence_becomes_tuples(value: object) -> None:
    assert vector2_sequence(value, "v") == ((1.0, 2.0), (3.0, 4.0))


def test_vector2_sequence_refuses_flat_and_three_dimensional_points() -> None:
    with pytest.raises(TypeError, match=r"^v\[0\] must be a pair of numbers, got "):
        vector2_sequence([1.0, 2.0, 3.0], "v")
    with pytest.raises(ValueError, match=r"^v\[0\] must be a pair of numbers, got "):
        vector2_sequence(np.zeros((3, 3)), "v")


@pytest.mark.parametrize("value", [[1, 2.5], (1, 2.5), np.array([1, 2.5])])
def test_number_sequence_becomes_a_tuple(value: object) -> None:
    assert number_sequence(value, "v") == (1.0, 2.5)


def test_number_sequence_names_the_item() -> None:
    with pytest.raises(TypeError, match=r"^v must be a sequence of numbers, got 1$"):
        number_sequence(1, "v")
    with pytest.raises(ValueError, match=r"^v\[1\] must be a finite number, got nan$"):
        number_sequence([0, math.nan], "v")


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_, np.ones(1)[0] > 0.5])
def test_a_flag_becomes_a_plain_bool(value: object) -> None:
    assert type(flag(value, "x")) is bool and flag(value, "x") == value


@pytest.mark.parametrize("value", [1, 0.0, None, "True", np.int64(1), np.array([True])])
def test_a_value_that_is_no_flag_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match="x must be True or False, got"):
        flag(value, "x")
