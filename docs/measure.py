"""Measure the tables of performance.md anew on this machine and write them into the page.

`python docs/measure.py --frames 100` takes about five minutes. Run it on a machine that does nothing else. It needs the
extra `benchmarks`. Arguments are passed on to every benchmark: `--quick` shows that all runs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "performance.md"

STAGES = "pyramid,pyramid10,circle_pile,gas,sparse_polygons,terrain,small,chains,ragdolls,net"
"""Scenes of the table of stages, which has a column for each."""

TABLES = {
    "frames": ["--markdown"],
    "stages": ["--stages", "--scenes", STAGES, "--markdown"],
    "border": ["--border", "--markdown"],
    "growth": ["--growth", "docs/pictures/growth.png", "--markdown"],
    "memory": ["--memory"],
}
"""Options of `python -m benchmarks` for each table, by its mark in the page."""


def measured(options: list[str]) -> str:
    """Return the output of a benchmark; one that is no Markdown becomes a block of text."""
    command = [sys.executable, "-m", "benchmarks", *options, *sys.argv[1:]]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return output if "--markdown" in options else f"```text\n{output}\n```"


def replaced(page: str, mark: str, content: str) -> str:
    """Return the page with other content between `<!-- mark -->` and the next `<!-- end -->`."""
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    new, count = pattern.subn(lambda found: found[1] + content + found[2], page)
    if count != 1:
        raise ValueError(f"{PAGE.name} must have one mark <!-- {mark} -->, found {count}")
    return new


def main() -> None:
    """Measure table by table, so that an interrupted run keeps what it has written."""
    for mark, options in TABLES.items():
        print(f"{mark}: python -m benchmarks {' '.join(options)}", file=sys.stderr)
        content = measured(options)
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), mark, content), "utf-8")


if __name__ == "__main__":
    main()
