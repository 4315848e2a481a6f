"""Measurements that need a fresh process."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence


def output_of(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """What the command prints. If it fails, its own error message is raised."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:3])} failed:\n{done.stderr}")
    return done.stdout
