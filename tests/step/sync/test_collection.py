"""The garbage collector waits while many objects come, and goes on as before."""

from __future__ import annotations

import gc

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.gc_pause import GcPause


@pytest.mark.parametrize("is_enabled", [True, False])
def test_collection_is_afterwards_as_it_was(is_enabled: bool) -> None:
    (gc.enable if is_enabled else gc.disable)()
    try:
        with GcPause():
            with GcPause():
                assert not gc.isenabled()
            assert not gc.isenabled()
        assert gc.isenabled() == is_enabled
        with pytest.raises(RuntimeError), GcPause():
            raise RuntimeError
        assert gc.isenabled() == is_enabled
    finally:
        gc.enable()


@pytest.mark.usefixtures("fresh_world")
def test_a_step_and_a_spawn_that_are_refused_leave_the_collector_on() -> None:
    ec.install()
    esper.create_entity(ec.Velocity())
    with pytest.raises(ec.PhysicsError):
        esper.process(0.01)
    assert gc.isenabled()

    def fails(k: int) -> tuple[object, ...]:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        ec.spawn(ec.Circle(1.0), [(0.0, 0.0)], extra=fails)
    assert gc.isenabled()
