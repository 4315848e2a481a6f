"""Worlds that are made and deleted leave nothing behind.

`python -m tests.worlds.test_worlds_that_go 10000` makes the long run, with and without `uninstall`.
"""

from __future__ import annotations

import gc
import sys
from typing import NamedTuple

import esper
import pytest

import ecs_collide as ec
from ecs_collide.api import missing_physics
from tests.support.processes import run_script

SETTLING = 400
"""Number of worlds after which memory no longer grows."""

MOST_GROWTH = 400
"""Greatest growth of the memory afterwards [kB]: less than two small worlds."""


class Footprint(NamedTuple):
    """Memory and objects of a process."""

    memory: int
    """Greatest resident memory so far [kB]."""
    objects: int
    """Number of objects of Python."""
    names: int
    """Number of names of worlds with physics."""


def live_and_go(number: int, uninstalls: bool) -> None:
    """Make a world with physics and nine bodies, step it, return it to a snapshot, and delete it."""
    before, name = esper.current_world, f"world that goes {number}"
    esper.switch_world(name)
    physics = ec.install(gravity=(0, -10))
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane((0, 1))))
    for k in range(8):
        esper.create_entity(ec.Transform(0.01 * k, 1 + 1.1 * k), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    esper.process(1 / 60)
    snapshot = physics.snapshot()
    esper.process(1 / 60)
    physics.restore(snapshot)
    esper.process(1 / 60)
    physics.restore(ec.Snapshot.from_bytes(bytes(snapshot)))
    if uninstalls:
        ec.uninstall()
    esper.switch_world(before)
    esper.delete_world(name)


def measure() -> Footprint:
    """Return the footprint of this process."""
    import resource  # which Windows lacks

    gc.collect()
    objects = len(gc.get_objects())  # before the memory, which the list of objects raises
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
    return Footprint(memory, objects, len(missing_physics.worlds_with_physics))


def run_worlds(count: int, uninstalls: bool) -> tuple[Footprint, Footprint]:
    """Return the footprints after the first `SETTLING` worlds and after `count` worlds."""
    for number in range(SETTLING):
        live_and_go(number, uninstalls)
    first = measure()
    for number in range(SETTLING, count):
        live_and_go(number, uninstalls)
    return first, measure()


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
@pytest.mark.parametrize("uninstalls", [True, False])
def test_deleted_worlds_leave_nothing_behind(uninstalls: bool) -> None:
    """Uses a process of its own, whose memory no other test has used."""
    run_script(
        "from tests.worlds.test_worlds_that_go import MOST_GROWTH, run_worlds\n"
        f"before, after = run_worlds(800, {uninstalls})\n"
        "assert after.memory - before.memory <= MOST_GROWTH, (before, after)\n"
        "assert after.objects <= before.objects + 10, (before, after)\n"
        "assert after.names <= 102, (before, after)\n"
    )


def test_names_of_living_worlds_are_kept_when_those_of_deleted_ones_go(fresh_world: str) -> None:
    ec.install()
    for number in range(2 * missing_physics.SPARE_NAMES):
        live_and_go(number, uninstalls=True)
    assert fresh_world in missing_physics.worlds_with_physics


if __name__ == "__main__":
    for uninstalls in (True, False):
        before, after = run_worlds(int(sys.argv[1]), uninstalls)
        print(f"uninstall {uninstalls}: after {SETTLING} worlds {before}, after {sys.argv[1]} {after}")
