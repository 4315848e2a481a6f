"""`ecs_collide.worlds.map` on a local cluster of Ray."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ecs_collide as ec
from tests.support.seed_jobs import (
    BROKEN,
    die_at_broken,
    drop_disks,
    raise_at_broken,
    recorder,
    square,
    wait_for_file,
)

ray: Any = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    with pytest.raises(RuntimeError, match=r"call ray.init\(\) first"):
        ec.worlds.RayExecutor()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


pytestmark = pytest.mark.usefixtures("cluster")


def test_bits_and_order_are_those_of_one_process() -> None:
    with ec.worlds.RayExecutor() as executor:
        found = list(ec.worlds.map(drop_disks, range(40), executor=executor, chunk=3))
    assert found == list(ec.worlds.map(drop_disks, range(40), workers=1))


def test_a_failing_world_raises_its_seed() -> None:
    with ec.worlds.RayExecutor() as executor, pytest.raises(ec.worlds.WorldError, match="an unlucky number") as caught:
        list(ec.worlds.map(raise_at_broken, range(30), executor=executor, chunk=4))
    assert caught.value.seed == BROKEN


def test_a_dead_worker_loses_the_seeds_of_its_task_alone() -> None:
    with ec.worlds.RayExecutor(max_retries=0) as executor:
        found = list(ec.worlds.map(die_at_broken, range(30), executor=executor, chunk=2, errors="return"))
    lost = [error for error in found if isinstance(error, ec.worlds.WorldError)]
    assert [error.seed for error in lost] == [12, 13]
    assert "seeds 12, 13 are lost" in str(lost[0])
    assert [seed for seed in found if not isinstance(seed, ec.worlds.WorldError)] == [
        seed for seed in range(30) if seed not in (12, 13)
    ]


def test_closing_the_iterator_cancels_the_tasks_that_wait(tmp_path: Path) -> None:
    """The first tasks wait for a file, so that those behind them have not begun when the iterator is closed."""
    may_end, starts = tmp_path / "may end", tmp_path / "starts"
    starts.mkdir()
    with ec.worlds.RayExecutor(most_tasks=2) as executor:
        blocked = [executor.submit(wait_for_file, may_end, seed) for seed in range(2)]
        results = ec.worlds.map(recorder(starts), range(20), executor=executor, chunk=1)
        results.close()
        may_end.touch()
        assert [future.result() for future in blocked] == [0, 1]
        assert list(ec.worlds.map(square, range(4), executor=executor, chunk=1)) == [0, 1, 4, 9]
    assert list(starts.iterdir()) == []


def test_many_failures_one_after_another() -> None:
    """Ray ended the process now and then when tasks were cancelled after a failure."""
    with ec.worlds.RayExecutor() as executor:
        for _ in range(40):
            with pytest.raises(ec.worlds.WorldError, match="an unlucky number"):
                list(ec.worlds.map(raise_at_broken, [BROKEN, *range(30)], executor=executor, chunk=1))
        assert list(ec.worlds.map(square, range(4), executor=executor, chunk=1)) == [0, 1, 4, 9]


def test_an_executor_that_was_shut_down_takes_no_tasks() -> None:
    executor = ec.worlds.RayExecutor(num_cpus=1)
    future = executor.submit(square, 3)
    executor.shutdown()
    assert future.done() and future.result() == 9
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(square, 3)
