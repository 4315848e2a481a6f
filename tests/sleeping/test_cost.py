"""What sleeps costs nothing: a bound that a loaded machine keeps as well."""

from __future__ import annotations

import pytest
from numba import config

from benchmarks.idle import idle_times


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="measures compiled code")
def test_thousands_that_sleep_or_are_static_cost_what_an_empty_world_does() -> None:
    times = idle_times(5000, 3)
    assert times["asleep"] < 3.0 * times["empty"]
    assert times["static"] < 3.0 * times["empty"]
