"""Running the tools that link and pack."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping


def run(*command: object, environment: Mapping[str, str] | None = None) -> str:
    """Run a command, and return its output. Raises RuntimeError with the end of the output if it fails."""
    words = [str(part) for part in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)[:400]} failed:\n{done.stdout[-4000:]}")
    return done.stdout


def run_module(*command: object, environment: Mapping[str, str] | None = None) -> str:
    """Run a module of this Python as a command."""
    return run(sys.executable, "-m", *command, environment=environment)
