"""`ecs_collide.worlds.map`: results, errors, and what is left after them.

Most tests use threads, which start at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.worlds.map_seeds import default_chunk
from tests.support.processes import run_python
from tests.support.seed_jobs import (
    BROKEN,
    describe_world,
    die_at_broken,
    drop_disks,
    raise_at_broken,
    recorder,
    return_function_at_broken,
    square,
    wait_at_broken,
    waiter,
)


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_results_come_in_the_order_of_the_seeds(threads: Executor) -> None:
    seeds = [5, 3, 8, 3, 1]
    assert list(ec.worlds.map(square, seeds, executor=threads, chunk=2)) == [25, 9, 64, 9, 1]
    assert list(ec.worlds.map(square, iter(seeds), executor=threads)) == [25, 9, 64, 9, 1]
    assert list(ec.worlds.map(square, [], executor=threads)) == []
    assert list(ec.worlds.map(square, [])) == []


def test_each_call_has_an_empty_world_that_is_gone_afterwards(threads: Executor) -> None:
    before = esper.list_worlds()
    found = list(ec.worlds.map(describe_world, range(6), executor=threads, chunk=2))
    assert found == [(seed, 1, 0, len(before) + 1) for seed in range(6)]
    assert esper.list_worlds() == before and esper.current_world in before


def test_bits_depend_on_the_seed_alone() -> None:
    here = []
    for seed in range(6):
        with ec.worlds.fresh_world():
            here.append(drop_disks(seed))
    assert len(set(here)) == 6
    assert list(ec.worlds.map(drop_disks, range(6), workers=2, chunk=1)) == here
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(ec.worlds.map(drop_disks, range(6), executor=pool, chunk=4)) == here


def test_threads_of_one_process_take_turns(threads: Executor) -> None:
    hashes = list(ec.worlds.map(drop_disks, [1] * 12, executor=threads, chunk=1))
    assert len(set(hashes)) == 1


def test_threads_cannot_run_worlds_while_another_thread_uses_physics(threads: Executor, fresh_world: str) -> None:
    ec.install()
    with pytest.raises(ec.worlds.WorldError, match=r"thread 'ThreadPoolExecutor.*'MainThread' uses physics"):
        list(ec.worlds.map(drop_disks, range(3), executor=threads))
    esper.process(1 / 60)


def test_a_failing_world_raises_its_seed_and_its_traceback(threads: Executor) -> None:
    results = ec.worlds.map(raise_at_broken, range(20), executor=threads, chunk=3)
    assert [next(results) for _ in range(BROKEN)] == list(range(BROKEN))
    with pytest.raises(ec.worlds.WorldError, match="the world of seed 13 failed") as caught:
        next(results)
    assert caught.value.seed == BROKEN
    assert "in raise_at_broken\n" in caught.value.traceback
    assert caught.value.traceback.endswith("ValueError: an unlucky number\n")
    assert list(results) == []


def test_a_failing_world_can_be_returned_in_its_place(threads: Executor) -> None:
    results = list(ec.worlds.map(raise_at_broken, range(20), executor=threads, chunk=3, errors="return"))
    error = results.pop(BROKEN)
    assert isinstance(error, ec.worlds.WorldError) and error.seed == BROKEN
    assert results == [seed for seed in range(20) if seed != BROKEN]


def test_a_failing_world_cancels_the_rest(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ec.worlds.WorldError):
        list(ec.worlds.map(recorder(tmp_path), [0, BROKEN, *range(20, 50)], executor=pool, chunk=1))
    assert len(list(tmp_path.iterdir())) <= 5  # the two, and those that had begun


def test_an_iterator_that_is_dropped_cancels_the_rest(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        for seed in ec.worlds.map(recorder(tmp_path), range(30), executor=pool, chunk=1):
            if seed == 1:
                break
    assert len(list(tmp_path.iterdir())) <= 4


def test_closing_the_iterator_ends_local_workers_at_once() -> None:
    results = ec.worlds.map(wait_at_broken, [0, BROKEN, BROKEN], workers=2, chunk=1)
    assert next(results) == 0
    results.close()
    assert not [process for process in active_children() if process.name.startswith("Spawn")]


def test_a_dead_worker_names_its_seed() -> None:
    with pytest.raises(ec.worlds.WorldError, match="the world of seed 13 failed\nIts worker died: ") as caught:
        list(ec.worlds.map(die_at_broken, range(10, 20), workers=2, chunk=2))
    assert caught.value.seed == BROKEN


def test_the_other_seeds_go_on_without_a_dead_worker() -> None:
    results = list(ec.worlds.map(die_at_broken, range(10, 20), workers=2, chunk=5, errors="return"))
    error = results.pop(3)
    assert isinstance(error, ec.worlds.WorldError) and error.seed == BROKEN
    assert error.traceback.startswith("Its worker died: ")
    assert results == [seed for seed in range(10, 20) if seed != BROKEN]


def test_a_dead_worker_of_a_given_executor_names_the_seeds_of_its_task() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        results = ec.worlds.map(die_at_broken, range(10, 30), executor=pool, chunk=10, errors="return")
        found = list(results)
    assert [error.seed for error in found if isinstance(error, ec.worlds.WorldError)] == list(range(10, 30))
    assert "seeds 10, 11, 12, 13, 14 and 5 more are lost" in str(found[0])
    assert "BrokenProcessPool" in str(found[0])


def test_a_result_that_cannot_be_pickled_names_the_seeds_of_its_task() -> None:
    with pytest.raises(ec.worlds.WorldError, match=r"(?s)seeds 12, 13 are lost.*pickle"):
        list(ec.worlds.map(return_function_at_broken, range(10, 20), workers=1, chunk=2))


def test_a_timeout_names_the_seeds_without_results(threads: Executor, tmp_path: Path) -> None:
    results = ec.worlds.map(waiter(tmp_path / "go"), range(10, 17), executor=threads, chunk=1, timeout=0.05)
    with pytest.raises(TimeoutError, match=r"no results before the timeout for seeds 10, 11, 12, 13, 14 and 2 more$"):
        next(results)
    (tmp_path / "go").touch()


def assert_refused(error: type[Exception], message: str, *args: Any, **kwargs: Any) -> None:
    with pytest.raises(error, match=message):
        ec.worlds.map(*args, **kwargs)
    assert not active_children()


def test_functions_that_workers_cannot_import_are_refused_before_anything_starts() -> None:
    def nested(seed: int) -> int:
        return seed

    for function in (lambda seed: seed, nested):
        assert_refused(TypeError, "function must be defined with def at the top level of a module", function, range(3))
    assert_refused(TypeError, "function must be a function of one seed, got 3", 3, range(3))


def test_bad_arguments_are_refused_before_anything_starts(threads: Executor) -> None:
    assert_refused(TypeError, "'int' object is not iterable", square, 3)
    assert_refused(ValueError, "errors must be 'raise' or 'return', got 'ignore'", square, [1], errors="ignore")
    assert_refused(ValueError, "workers must lie between 1 and", square, [1], workers=0)
    assert_refused(ValueError, "chunk must lie between 1 and", square, [1], chunk=0)
    assert_refused(ValueError, "timeout must be", square, [1], timeout=-1)
    assert_refused(TypeError, "progress must be True or False, got 1", square, [1], progress=1)
    assert_refused(ValueError, "give either executor or workers=2", square, [1], executor=threads, workers=2)
    assert_refused(
        TypeError, r"executor must be .*client.get_executor\(\).*RayExecutor\(\)", square, [1], executor="dask"
    )
    assert_refused(TypeError, "unexpected keyword argument 'worker': did you mean 'workers'?", square, [1], worker=2)


SCRIPT = """
import ecs_collide as ec
from tests.support.seed_jobs import square
print(list(ec.worlds.map(square, range(3), workers=1)))
"""


def test_a_script_without_a_guard_says_what_is_missing(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = run_python(str(script), expected=1)
    assert "RuntimeError: a worker died outside of a world. Its worker died: exit status 1." in done.stderr
    assert 'behind `if __name__ == "__main__":`' in done.stderr


def test_a_function_typed_at_a_prompt_is_refused() -> None:
    script = "import ecs_collide as ec\ndef job(seed): return seed\nec.worlds.map(job, range(3))"
    done = run_python("-c", script, expected=1)
    assert "which was typed at a prompt: write it into a file and import it" in done.stderr


def test_default_chunks_leave_several_to_each_worker() -> None:
    assert default_chunk(10, 8) == 1
    assert default_chunk(1000, 8) == 15
    assert default_chunk(10**6, 8) == 50


def test_a_progress_bar_without_tqdm_names_the_extra(monkeypatch: pytest.MonkeyPatch, threads: Executor) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert_refused(
        ImportError, r'tqdm is not installed: pip install "ecs_collide\[cluster\]"', square, [1], progress=True
    )
    assert list(ec.worlds.map(square, [2], executor=threads)) == [4]
