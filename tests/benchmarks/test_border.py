"""The table of what a game waits for besides the step."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main
from benchmarks.border import ours
from benchmarks.border.rows import ROWS


def test_quick_run_has_a_time_of_ours_in_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--border", "--quick", "--markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()[2 : 2 + len(ROWS)]
    for row, line in zip(ROWS, lines, strict=True):
        assert hasattr(ours, row.task)
        title, time, *_ = [cell.strip() for cell in line.strip("|").split("|")]
        assert title == row.title
        assert float(time) > 0.0
