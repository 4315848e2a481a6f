"""The gallery: an animation and the code of every demo, below the list of demos."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ecs_collide import demos
from ecs_collide.demos.catalogue import MODULES, summary

STEPS = 300
"""Number of steps of 1/60 s of an animation."""
LONGER = {"craters": 600, "marbles": 600, "race": 600, "sorter": 900}
"""Numbers of steps of demos that begin slowly."""


def add_gallery(pages: Path, animated: bool, playable: Collection[str] = ()) -> None:
    """Add the code of each demo to the page of demos in a folder of pages.

    Args:
        pages: folder of pages.
        animated: True to add the animation of each demo.
        playable: names of the demos that the page `play/index.html` can play.
    """
    pictures = pages / "gallery"
    if animated:
        pictures.mkdir()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda name: _play(name, pictures / f"{name}.gif"), MODULES))
    page = pages / "demos.md"
    parts = [page.read_text("utf-8")]
    for name in MODULES:
        code = Path(demos.__path__[0], f"{name}.py").read_text("utf-8")
        indented = "".join(f"    {line}" if line.strip() else line for line in code.splitlines(keepends=True))
        picture = f"![{summary(name)}](gallery/{name}.gif){{ loading=lazy }}\n\n" if animated else ""
        play = f"[Play it here](play/index.html#{name}){{ .md-button }}\n\n" if name in playable else ""
        parts.append(
            f'## {name}\n\n{summary(name)}\n\n{picture}{play}??? example "Code"\n\n    ```python\n{indented}    ```\n'
        )
    page.write_text("\n".join(parts), "utf-8")


def _play(name: str, picture: Path) -> None:
    """Write the animation of a demo. Raises RuntimeError with what the demo printed if it fails."""
    command = [sys.executable, "-m", "ecs_collide.demos", name, "--headless", "--out", str(picture)]
    run = subprocess.run([*command, "--frames", str(LONGER.get(name, STEPS))], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"demo {name!r} failed:\n{run.stdout}{run.stderr}")
