"""Where the memory of a body goes: Python objects by type, and the arrays of a world by owner.

Of an array only the pages count that hold numbers, because the system gives no memory to pages that were never written.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import esper
import numpy as np

import ecs_collide as ec
from benchmarks.engines.ecs_collide_engine import EcsCollideEngine
from benchmarks.scene import Scene
from ecs_collide.kernels.bundle import Bundle

PAGE = 4096  # [bytes]
STEPS = 60

OWNERS = {
    "Bodies": "body columns",
    "BodyColumns": "body columns",
    "Pieces": "piece columns",
    "Strips": "strips",
    "Pairs": "pair columns",
    "PairColumns": "pair columns",
    "Contacts": "contacts of a step",
    "Solver": "solver rows",
}
"""Part of each owner of arrays; all others are lists, events, welds, sweeps and sleep."""
OTHERS = "other arrays"


def bytes_by_part(scene: Scene) -> dict[str, float]:
    """Return the bytes of a body by part, after some steps; the sum is less than the growth of the process."""
    engine = EcsCollideEngine(scene)
    for _ in range(STEPS):
        engine.step()
    found: Counter[str] = Counter(esper_bytes())
    for array, owner in arrays_of(engine.physics):
        found[OWNERS.get(owner, OTHERS)] += written_bytes(array)
    engine.close()
    return {part: size / scene.moving_count for part, size in found.items()}


def esper_bytes() -> dict[str, int]:
    """Return the bytes of esper's tables, of components, and of the records of bodies in the current world."""
    pipeline = ec.physics().pipeline
    members, known = pipeline.body_sync.members, pipeline.body_sync.registry.known
    tables = [esper._entities, *esper._entities.values(), *esper._components.values()]
    components = [one for held in esper._entities.values() for one in held.values()]
    records = [members, known, *known.values(), *members.values()]
    records += [part for body in members.values() for part in (body.row, body.entity, body.pieces, *body.pieces)]
    return {
        "esper's dictionaries and sets": sum(map(allocated, tables)),
        "components": sum(map(allocated, components)),
        "records of bodies": sum(map(allocated, records)),
    }


def allocated(one: object) -> int:
    """Return the bytes that Python allocates for an object, its header for the garbage collector included."""
    return -(-sys.getsizeof(one) // 16) * 16


def arrays_of(world: object) -> Iterator[tuple[np.ndarray, str]]:
    """Yield the arrays that objects of ours hold, below a world, each once, and the names of their owners' classes."""
    seen, left = set[int](), [(world, "")]
    while left:
        one, owner = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            base = one if one.base is None or not isinstance(one.base, np.ndarray) else one.base
            if base is one or id(base) not in seen:
                seen.add(id(base))
                yield base, owner
        elif isinstance(one, Bundle | tuple | list):
            left += [(each, type(one).__name__ if hasattr(one, "_fields") else owner) for each in one]
        elif type(one).__module__.startswith("ecs_collide"):
            left += [(each, type(one).__name__) for each in attributes_of(one)]


def attributes_of(one: Any) -> Iterator[Any]:
    """Yield the values of an object's attributes."""
    yield from getattr(one, "__dict__", {}).values()
    for kind in type(one).__mro__:
        for name in kind.__dict__.get("__slots__", ()):
            if hasattr(one, name):
                yield getattr(one, name)


def written_bytes(array: np.ndarray) -> int:
    """Return the bytes of the pages of an array that hold numbers."""
    numbers = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    whole = len(numbers) // PAGE * PAGE
    pages: int = numbers[:whole].reshape(-1, PAGE).any(axis=1).sum().item()
    return pages * PAGE + len(numbers) - whole


def report_parts(scenes: Mapping[str, Callable[[int], Scene]], counts: tuple[int, ...] = (1000, 20_000)) -> str:
    """Return a table of bytes per body by part, with a column for each scene and number of bodies."""
    columns = {f"{name} {count:,}": bytes_by_part(make(count)) for name, make in scenes.items() for count in counts}
    rows = list(dict.fromkeys(part for column in columns.values() for part in column))
    lines = [f"{'bytes per body of ecs_collide':<32}" + "".join(f"{title:>24}" for title in columns)]
    for row in rows:
        lines.append(f"{row:<32}" + "".join(f"{column.get(row, 0.0):>24,.0f}" for column in columns.values()))
    lines.append(f"{'sum':<32}" + "".join(f"{sum(column.values()):>24,.0f}" for column in columns.values()))
    return "\n".join(lines)
