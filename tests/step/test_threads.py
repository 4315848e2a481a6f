"""One thread at a time uses physics: others get an error, and nothing of the first one's changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import current_thread

import esper
import pytest

import ecs_collide as ec
from tests.support.processes import run_script
from tests.support.worlds import disk, esper_world, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world")


@pytest.fixture
def other_thread() -> Iterator[Callable[[Callable[[], object]], object]]:
    """A function that calls another one in a second thread, which stays alive, and returns what it returns."""
    with ThreadPoolExecutor(1, thread_name_prefix="second") as pool:
        yield lambda function: pool.submit(function).result()
    ec.use_this_thread()


@pytest.mark.parametrize(
    ("action", "use"),
    [
        ("install physics", lambda _: ec.install()),
        ("step physics", lambda _: esper.process(0.01)),
        ("uninstall physics", lambda _: ec.uninstall()),
        ("read or change physics", lambda physics: physics.point_query((0.0, 0.0))),
        ("read or change physics", lambda physics: physics.apply_impulse(1, (1.0, 0.0))),
        ("switch to esper world 'elsewhere'", lambda _: esper.switch_world("elsewhere")),
    ],
)
@pytest.mark.parametrize("fixed_dt", [None, 0.01])
def test_a_second_thread_gets_an_error_that_names_both(
    action: str, use: Callable[[ec.PhysicsWorld], object], fixed_dt: float | None, other_thread: Callable[..., object]
) -> None:
    physics = ec.install(gravity=(0.0, -10.0), fixed_dt=fixed_dt)
    ball = disk()
    run(3, 0.01)
    before, world, there = physics.state_hash(), esper.current_world, transform(ball).y
    with pytest.raises(ec.PhysicsError) as caught:
        other_thread(lambda: use(physics))
    assert action in str(caught.value)
    assert repr(current_thread().name) in str(caught.value)
    assert "'second_0'" in str(caught.value)
    assert (physics.state_hash(), esper.current_world, transform(ball).y) == (before, world, there)
    run(1, 0.01)
    assert transform(ball).y < there


def test_threads_that_take_turns_say_so(other_thread: Callable[..., object]) -> None:
    ec.install(gravity=(0.0, -10.0))
    ball = disk()

    def frame() -> None:
        ec.use_this_thread()
        run()

    for _ in range(3):
        before = transform(ball).y
        other_thread(frame)
        frame()
        assert transform(ball).y < before
    other_thread(ec.use_this_thread)
    with pytest.raises(ec.PhysicsError, match="'second_0' uses physics"):
        run()


def test_physics_is_free_again_when_its_thread_has_ended_or_has_uninstalled_it(
    other_thread: Callable[..., object],
) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(ec.use_this_thread).result()
        pool.submit(ec.install).result()
    disk()
    run()
    ec.uninstall()
    other_thread(ec.install)
    other_thread(ec.uninstall)
    ec.install()
    run()


def test_a_world_of_physics_that_nothing_holds_keeps_no_thread_out(other_thread: Callable[..., object]) -> None:
    def life() -> None:
        with esper_world():
            ec.install()
            disk()
            run()

    ec.install()
    ec.uninstall()
    other_thread(ec.use_this_thread)
    other_thread(life)
    ec.install()
    run()


def test_a_deleted_world_keeps_no_thread_out_although_a_variable_holds_its_physics(
    other_thread: Callable[..., object],
) -> None:
    with esper_world():
        kept = ec.install()
    other_thread(ec.install)
    other_thread(ec.uninstall)
    del kept


@pytest.mark.parametrize("seed", range(2))
def test_threads_that_try_to_use_physics_change_nothing_of_the_first_one(seed: int) -> None:
    script = f"from tests.step.hostile_threads import live_beside_intruders as run; print(dict(run({seed})))"
    assert "'refused'" in run_script(script)


def test_a_program_may_end_while_a_thread_in_the_background_uses_physics() -> None:
    script = """
import threading
import esper, ecs_collide as ec

def play():
    esper.switch_world("level")
    ec.install()
    started.set()
    threading.Event().wait()

started = threading.Event()
threading.Thread(target=play, daemon=True).start()
started.wait()
print("ends")
"""
    assert run_script("import sys; sys.stderr = sys.stdout" + script) == "ends"
