"""Processes of their own for tests: fresh imports, other settings, Ctrl-C, crashes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""Folder of the checkout, which holds `tests` and `ecs_collide`."""


def run_python(
    *arguments: str, settings: Mapping[str, str] | None = None, cwd: Path = ROOT, expected: int | None = 0
) -> subprocess.CompletedProcess[str]:
    """Run this Python with arguments, wait for its end, and return the finished process.

    The process may take as long as it needs, so a loaded machine changes nothing.

    Args:
        arguments: the command line behind the name of the interpreter.
        settings: environment variables that differ from those of this process.
        cwd: working folder. The root of the checkout is importable in any case.
        expected: exit status of the process; None allows every status.

    Raises:
        AssertionError: the exit status differs; the message holds the command, the settings, stdout and stderr.
    """
    settings = {"PYTHONPATH": str(ROOT), **(settings or {})}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | settings, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if expected is not None and done.returncode != expected:
        words = shlex.join([*(f"{name}={value}" for name, value in settings.items()), *command])
        raise AssertionError(
            f"exit status {done.returncode} instead of {expected}\n"
            f"--- command, in {cwd}\n{words}\n--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
        )
    return done


def run_script(script: str, **settings: str) -> str:
    """Run a script in a fresh process that must succeed; return its output without the white space around it.

    Args:
        script: source text.
        settings: environment variables that differ from those of this process.
    """
    return run_python("-c", script, settings=settings).stdout.strip()
