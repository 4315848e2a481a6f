"""Which argument of `esper.process` is dt, and which are none."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import Settings
from ecs_collide.systems.timestep import frame_length, step_length
from tests.support.worlds import disk, transform, velocity


def checked_settings(fixed_dt: float | None = None, dt_argument: int | str = 0) -> Settings:
    defaults = dict.fromkeys(Settings._fields)
    given = {"gravity": (0, 0), "substeps": 4, "sleeping": True, "continuous": True, "response": "impulse"}
    units = {"length_unit": 1.0, "time_unit": 1.0, "max_steps": 8}
    return Settings.checked({**defaults, **given, **units, "fixed_dt": fixed_dt, "dt_argument": dt_argument})


@pytest.mark.parametrize(
    ("where", "args", "kwargs"),
    [
        (0, (0.5,), {}),
        (0, (0.5, "events", None), {}),
        (0, (), {"dt": 0.5}),
        (0, (0.5,), {"dt": 9}),
        (1, ("screen", 0.5), {}),
        (1, ("screen",), {"dt": 0.5}),
        ("delta", ("screen", 9), {"delta": 0.5, "dt": 9}),
        ("dt", (9,), {"dt": 0.5}),
        (0, (np.float32(0.5),), {}),
        (0, (Fraction(1, 2),), {}),
    ],
)
def test_dt_is_found(where: int | str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert step_length(checked_settings(dt_argument=where), args, kwargs) == 0.5


@pytest.mark.parametrize("args", [(), ("anything", object()), (None,), (True,)])
def test_a_fixed_dt_needs_no_argument(args: tuple[Any, ...]) -> None:
    assert frame_length(checked_settings(fixed_dt=0.25), args, {}) is None


@pytest.mark.parametrize(("args", "kwargs"), [((0.5,), {}), ((), {"dt": 0.5}), ((np.float32(0.5), "more"), {})])
def test_the_length_of_a_frame_is_found_like_dt(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert frame_length(checked_settings(fixed_dt=0.25), args, kwargs) == 0.5


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_a_bad_length_of_a_frame_stops_it_before_it_begins(fresh_world: str, value: float) -> None:
    physics = ec.install(fixed_dt=0.25)
    with pytest.raises(ValueError, match="dt must be a non-neg"):
        esper.process(value)
    assert physics.statistics.steps == 0


@pytest.mark.parametrize("args", [({"speed": 1},), (["event"], {"keys": 1}, 1 / 60)])
def test_an_invalid_dt_is_an_error_with_the_remedy(fresh_world: str, args: tuple[Any, ...]) -> None:
    ec.install()
    with pytest.raises(TypeError, match=r"dt must be .* got [{\[].*esper\.process\(dt\).*dt_argument=.*fixed_dt="):
        esper.process(*args)


@pytest.mark.parametrize(
    ("where", "args", "kwargs"), [(0, (), {}), (1, (0.5,), {}), ("delta", (0.5,), {"dt": 0.5}), (0, (), {"delta": 0.5})]
)
def test_a_missing_dt_is_an_error_with_the_remedy(
    where: int | str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match=r"has no dt: call esper\.process\(dt\).*dt_argument=.*fixed_dt=") as caught:
        step_length(checked_settings(dt_argument=where), args, kwargs)
    assert f"args={args!r}, kwargs={kwargs!r}" in str(caught.value)


BAD: list[tuple[Any, type[Exception]]] = [
    (-1 / 60, ValueError),
    (-5e-324, ValueError),
    (math.nan, ValueError),
    (math.inf, ValueError),
    (-math.inf, ValueError),
    (10**400, ValueError),
    ("0.1", TypeError),
    (None, TypeError),
    (True, TypeError),
    ([0.1], TypeError),
    (np.array([0.1]), TypeError),
    (1j, TypeError),
]


@pytest.mark.parametrize(("value", "error"), BAD, ids=[repr(value)[:20] for value, _ in BAD])
@pytest.mark.parametrize("by_name", [False, True])
def test_a_bad_dt_stops_the_step_before_it_begins(
    fresh_world: str, value: Any, error: type[Exception], by_name: bool
) -> None:
    physics = ec.install(dt_argument="delta" if by_name else 0)
    ball = disk()
    esper.process(0.0, delta=0.0)
    velocity(ball).x = 1.0
    newcomer = disk(5)
    state = physics.state_hash()
    with pytest.raises(error, match="delta must be a non-neg" if by_name else "dt must be a non-neg"):
        esper.process(0.0 if by_name else value, delta=value)
    assert physics.state_hash() == state
    assert physics.statistics.steps == 1
    assert transform(newcomer)._entity is None
    esper.process(0.5, delta=0.5)
    assert transform(ball).x == 0.5


def test_extra_arguments_reach_the_games_own_processors(fresh_world: str) -> None:
    got: list[Any] = []

    class Draw(esper.Processor):
        def process(self, screen: str, dt: float, *, debug: bool) -> None:
            got.append((screen, dt, debug))

    physics = ec.install(dt_argument=1)
    esper.add_processor(Draw())
    ball = disk()
    velocity(ball).x = 1.0
    esper.process("screen", 0.5, debug=True)
    assert got == [("screen", 0.5, True)]
    assert physics.dt == 0.5
    assert transform(ball).x == 0.5


def test_timed_process_works_too(fresh_world: str) -> None:
    physics = ec.install()
    disk()
    esper.timed_process(0.5)
    assert set(esper.process_times) >= {"Synchronise", "Notify"}
    assert physics.statistics.steps == 1


def test_steps_of_very_different_lengths(fresh_world: str) -> None:
    ec.install()
    ball = disk()
    velocity(ball).x = 1.0
    for dt in (1e-12, 5e-324, 1.0, 1e-3, 100.0, 0.0):
        esper.process(dt)
    assert transform(ball).x == pytest.approx(101.001)


@pytest.mark.parametrize("dt", [5e-324, 1e-320, 1e-310, 1e-200, 1e-12])
def test_the_shortest_steps_do_no_harm_to_contacts(fresh_world: str, dt: float) -> None:
    physics = ec.install(gravity=(0, -10))
    a, b = disk(0), disk(0.9)
    esper.process(1 / 60)
    before = physics.positions.copy()
    for _ in range(3):
        esper.process(dt)
    assert physics.positions == pytest.approx(before, abs=1e-6)
    assert physics.touching(a, b)
    esper.process(1 / 60)
