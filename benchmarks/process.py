"""Measurements that need a new process."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence


def output_of(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Return the output of a command. Raises RuntimeError with its error output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:3])} failed:\n{done.stderr}")
    return done.stdout
