"""`ecs_collide.worlds.map` on a local cluster of Dask, with two threads in each worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ecs_collide as ec
from tests.support.seed_jobs import BROKEN, die_at_broken, drop_disks, raise_at_broken

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    settings = {"distributed.scheduler.allowed-failures": 0, "distributed.comm.timeouts.connect": "60s"}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_bits_and_order_are_those_of_one_process(client: Any) -> None:
    with client.get_executor() as executor:
        found = list(ec.worlds.map(drop_disks, range(40), executor=executor, chunk=3))
    assert found == list(ec.worlds.map(drop_disks, range(40), workers=1))


def test_a_failing_world_raises_its_seed(client: Any) -> None:
    with client.get_executor() as executor, pytest.raises(ec.worlds.WorldError, match="an unlucky number") as caught:
        list(ec.worlds.map(raise_at_broken, range(30), executor=executor, chunk=4))
    assert caught.value.seed == BROKEN


def test_a_dead_worker_loses_the_seeds_of_its_task_alone(client: Any) -> None:
    with client.get_executor(retries=0) as executor:
        found = list(ec.worlds.map(die_at_broken, range(30), executor=executor, chunk=2, errors="return"))
    lost = [error for error in found if isinstance(error, ec.worlds.WorldError)]
    assert BROKEN in [error.seed for error in lost]
    assert "seeds 12, 13 are lost" in str(next(error for error in lost if error.seed == BROKEN))
    assert [seed for seed in found if not isinstance(seed, ec.worlds.WorldError)] == [
        seed for seed in range(30) if seed not in {error.seed for error in lost}
    ]
