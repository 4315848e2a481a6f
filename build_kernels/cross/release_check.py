"""`python -m build_kernels.cross.release_check`: install the wheels of `dist` and run the README's example.

Each wheel that this machine can run gets an environment of its own, with the wheel and its dependencies only. The
example of the README runs there, and the checks of `python -m ecs_collide check`. Other wheels are listed as not run.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from build_kernels.cross.tools import run


class Row(NamedTuple):
    """A row of the table."""

    wheel: str
    size: str
    outcome: str

    @property
    def has_failed(self) -> bool:
        """True if the wheel was run and failed."""
        return self.outcome.startswith("FAILED")


def runs_here(wheel: Path) -> bool:
    """Return True if a wheel is for this system and processor."""
    tags, machine = re.split("[-.]", wheel.stem), platform.machine().lower()
    is_musl = "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "")
    families = {"linux": "musllinux" if is_musl else "manylinux", "darwin": "macosx", "win32": "win"}
    family = families.get(sys.platform, "none")
    return any(tag.startswith(family) and tag.endswith(machine) for tag in tags)


def try_wheel(wheel: Path, example: Path) -> str:
    """Install a wheel into a new environment and run the example; return what happened."""
    with TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        try:
            run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel.resolve())
            run(python, "-I", example.resolve())
            checks = run(python, "-I", "-m", "ecs_collide", "check")
        except RuntimeError as error:
            return f"FAILED: {error}"
    return f"the example runs; {checks.strip().splitlines()[-1].removeprefix('ok').strip()}"


def rows_of(folder: Path, example: Path) -> Iterator[Row]:
    """Yield a row for each wheel."""
    for wheel in sorted(folder.glob("*.whl")):
        outcome = try_wheel(wheel, example) if runs_here(wheel) else "not run: for another system"
        yield Row(wheel.name, f"{wheel.stat().st_size / 1e6:.2f} MB", outcome)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m build_kernels.cross.release_check", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist"), help="folder with the wheels")
    parser.add_argument("--example", type=Path, default=Path("demos", "hello.py"), help="the program to run")
    options = parser.parse_args()
    rows = []
    for row in rows_of(options.folder, options.example):
        print(f"{row.wheel:<80} {row.size:>8}  {row.outcome}", flush=True)
        rows.append(row)
    if not rows:
        sys.exit(f"{options.folder} has no wheels: run `make wheels`")
    sys.exit(any(row.has_failed for row in rows))


if __name__ == "__main__":
    main()
