"""The progress bar of `ecs_collide.worlds.map`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import ecs_collide as ec
from tests.support.seed_jobs import square

pytest.importorskip("tqdm")


def test_a_progress_bar_counts_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert len(list(ec.worlds.map(square, range(30), executor=pool, progress=True))) == 30
        assert "30/30" in capsys.readouterr().err


def test_there_is_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        for progress in (None, False):
            assert len(list(ec.worlds.map(square, range(30), executor=pool, progress=progress))) == 30
    assert capsys.readouterr().err == ""
