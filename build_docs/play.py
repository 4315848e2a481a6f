"""The page on which demos are played in the browser, by Python in WebAssembly: Pyodide."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from ecs_collide.demos.catalogue import MODULES, load

OWN_FILES = Path(__file__).parent / "play_page"
RUNTIME = ("pyodide.mjs", "pyodide-lock.json", "python_stdlib.zip", "pyodide.asm.wasm")
WITH_CHARACTERS = {"platformer", "character", "one_way", "top_down"}
"""Demos with characters, whose kernel fails in WebAssembly: see docs/building.md, "Pyodide"."""
PLAYABLE = [name for name in MODULES if not load(name).libraries and name not in WITH_CHARACTERS]
"""Demos that can be played: the others need characters, or a library besides the plugin."""


def add_play_page(pages: Path, runtime: Path) -> None:
    """Add the page and all files that it loads to a folder of pages.

    Args:
        pages: folder of pages.
        runtime: folder with an unpacked distribution of Pyodide, and beside its files a wheel of esper and the wheel
            of ecs_collide for Pyodide.

    Raises FileNotFoundError if one of them is not in the folder.
    """
    lock = json.loads(_find(runtime, "pyodide-lock.json").read_text("utf-8"))
    wheels = [_find(runtime, pattern) for pattern in ("esper-*.whl", "ecs_collide-*wasm32.whl")]
    packages = ["numpy"]
    for name in packages:  # grows
        packages += [needed for needed in lock["packages"][name]["depends"] if needed not in packages]
    files = [_find(runtime, name) for name in (*RUNTIME, "pyodide.asm.*js")]
    files += [_find(runtime, lock["packages"][name]["file_name"]) for name in packages]
    target = pages / "play"
    target.mkdir()
    for path in (*files, *wheels, OWN_FILES / "player.js", OWN_FILES / "player.py"):
        shutil.copy(path, target)
    options = "".join(f'<option id="{name}">{name}</option>' for name in PLAYABLE)
    page = (OWN_FILES / "index.html").read_text("utf-8").replace("OPTIONS", options)
    page = page.replace("PACKAGES", json.dumps(["numpy", *(f"./{path.name}" for path in wheels)]))
    (target / "index.html").write_text(page, "utf-8")


def _find(folder: Path, pattern: str) -> Path:
    """Return the last file of a folder whose name matches a pattern."""
    for path in sorted(folder.glob(pattern), reverse=True):
        return path
    raise FileNotFoundError(f"{folder} has no {pattern}; see docs/building.md, 'Pyodide'")
