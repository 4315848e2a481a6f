"""Results as a table, as Markdown, and as data for a JSON file."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.scene import Scene
from benchmarks.turns import CheckResult, Run

FRAME_PEER, ENGINE_PEER = "pymunk", "pyb2d3"
HEADINGS = ("scene", "engine", "step ms", f"÷ {ENGINE_PEER}", "frame ms", f"÷ {FRAME_PEER}", "quality")


class SceneResult(NamedTuple):
    """The results of one scene in all engines."""

    scene: Scene
    runs: list[Run]


def milliseconds(value: float) -> str:
    """Return a time with three significant digits."""
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 1.0 else f"{value:.2f}"


def figure(value: float) -> str:
    """Return a quality figure without exponent."""
    if 0.0 < abs(value) < 0.001:
        return "<0.001"
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def ratio_to(peer: float | None, value: float) -> float | None:
    """Return the ratio to the peer, None if the peer did not run."""
    return None if peer is None else value / peer


def peer_times(runs: Sequence[Run]) -> tuple[float | None, float | None]:
    """Return the peers' medians for the ratios: step of one, frame of the other [ms]."""
    steps = {run.engine: run.engine_ms for run in runs if run.engine_ns}
    frames = {run.engine: run.frame_ms for run in runs if run.frame_ns}
    return steps.get(ENGINE_PEER), frames.get(FRAME_PEER)


def quality_text(checks: Sequence[CheckResult]) -> str:
    """Return all quality figures in one line, grouped by frame."""
    frames = sorted({check.frame for check in checks})
    parts = []
    for frame in frames:
        figures = [f"{c.label} {figure(c.value)} {c.unit}" for c in checks if c.frame == frame]
        parts.append(f"after {frame}: " + ", ".join(figures))
    return "; ".join(parts)


def rows(result: SceneResult) -> list[tuple[str, ...]]:
    """Return one row for each engine, with the columns of ``HEADINGS``."""
    step_peer, frame_peer = peer_times(result.runs)
    table: list[tuple[str, ...]] = []
    for i, run in enumerate(result.runs):
        step_ratio, frame_ratio = ratio_to(step_peer, run.engine_ms), ratio_to(frame_peer, run.frame_ms)
        table.append(
            (
                result.scene.title if i == 0 else "",
                run.engine,
                milliseconds(run.engine_ms),
                "" if step_ratio is None else f"{step_ratio:.2f}",
                milliseconds(run.frame_ms),
                "" if frame_ratio is None else f"{frame_ratio:.2f}",
                quality_text(run.checks),
            )
        )
    return table


def text_table(results: Sequence[SceneResult]) -> str:
    """Return aligned columns for a terminal; quality is last because it is long."""
    table = [HEADINGS, *(row for result in results for row in rows(result))]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS) - 1)]
    lines = []
    for i, row in enumerate(table):
        cells = [
            cell.ljust(w) if c < 2 else cell.rjust(w) for c, (cell, w) in enumerate(zip(row, widths, strict=False))
        ]
        if i and row[0]:
            lines.append("")
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines)


def markdown_table(results: Sequence[SceneResult]) -> str:
    """Return the table as Markdown."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---|---|--:|--:|--:|--:|---|"]
    for result in results:
        for row in rows(result):
            lines.append(
                "| " + " | ".join(f"**{cell}**" if row[1] == "ecs_collide" and cell else cell for cell in row[:-1])
            )
            lines[-1] += f" | {row[-1]} |"
    return "\n".join(lines)


def processor_name() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def conditions(versions: dict[str, str]) -> str:
    """Return machine, Python, versions and date in one line."""
    shown = {**versions, **{name: version(name) for name in ("esper", "numpy", "numba") if _is_installed(name)}}
    listed = ", ".join(f"{name} {number}" for name, number in shown.items())
    python = f"Python {platform.python_version()}"
    machine = f"{processor_name()} ({os.cpu_count()} cores), {platform.system()}"
    return f"{date.today().isoformat()}, {machine}, {python}, {listed}."


def _is_installed(name: str) -> bool:
    """Return True if a package is installed."""
    try:
        version(name)
    except ImportError:
        return False
    return True


def as_data(results: Sequence[SceneResult], versions: dict[str, str], *, samples: bool = False) -> dict[str, object]:
    """Return everything that was measured, for ``json.dump``; ``samples`` adds each single frame."""
    scenes = []
    for result in results:
        step_peer, frame_peer = peer_times(result.runs)
        engines = []
        for run in result.runs:
            data: dict[str, object] = {
                "engine": run.engine,
                "step_ms": run.engine_ms,
                "frame_ms": run.frame_ms,
                f"step_ratio_to_{ENGINE_PEER}": ratio_to(step_peer, run.engine_ms),
                f"frame_ratio_to_{FRAME_PEER}": ratio_to(frame_peer, run.frame_ms),
                "quality": [vars(check) for check in run.checks],
            }
            if samples:
                data |= {"step_ns": run.engine_ns, "frame_ns": run.frame_ns}
            engines.append(data)
        scenes.append({"scene": result.scene.name, "title": result.scene.title, "engines": engines})
    return {"conditions": conditions(versions), "python": sys.version, "versions": versions, "scenes": scenes}
