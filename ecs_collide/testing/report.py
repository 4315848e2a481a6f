"""Pictures and replays of tests, beside their reports."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from ecs_collide.api.install import physics
from ecs_collide.draw import Show, scene
from ecs_collide.errors import PhysicsError
from ecs_collide.testing.simulation import GameSimulation

LONGEST_NAME = 120
"""Number of characters of a file's name, without its suffix."""


def write_report(folder: Path, test: str, note: str = "", simulation: GameSimulation | None = None) -> list[Path]:
    """Write a picture of the current esper world, and a replay of a simulation, and return the files.

    Args:
        folder: folder of the files; it is made, with a `.gitignore`, if it does not exist.
        test: name of the test, from which the names of the files are made.
        note: text above the replay.
        simulation: simulation to replay; None without one.

    Returns:
        The picture (.svg) and the replay (.html); neither without physics, no replay of a simulation without a step.
    """
    try:
        present = physics()
    except PhysicsError:
        return []
    if not folder.is_dir():
        folder.mkdir(parents=True)
        (folder / ".gitignore").write_text("*\n")
    files = [folder / f"{file_name(test)}.svg"]
    label = (lambda entity: simulation.name_of(entity) or str(entity)) if simulation is not None else True
    show = Show(contacts=True, normals=True, velocities=True, labels=label)
    files[0].write_text(scene(present, show, interpolated=False).svg(title=test), "utf-8")
    if simulation is not None and simulation.recorder is not None and len(simulation.recorder):
        files.append(simulation.recorder.save(folder / f"{file_name(test)}.html", title=test, note=note))
    return files


def file_name(test: str) -> str:
    """Return a name for files of a test, another one for each test."""
    name = re.sub(r"[^\w.=,-]+", "_", test.replace("::", "-").replace("/", "."), flags=re.ASCII).strip("_")
    if len(name) > LONGEST_NAME or re.search(r"[^\w.=,/:\[\]-]", test, re.ASCII):
        name = f"{name[:LONGEST_NAME]}-{blake2b(test.encode(), digest_size=3).hexdigest()}"
    return name
