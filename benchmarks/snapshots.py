"""The cost of snapshots: times of a snapshot, a restore, and a rollback of eight frames with a snapshot in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import thread_time

import esper

import ecs_collide as ec

DT = 1 / 60
FRAMES = 8
"""Frames of a rollback."""
COUNTS = (30, 200, 2_000)


def make_pile(count: int) -> ec.PhysicsWorld:
    """Create a pile of boxes and circles that stay awake in the current esper world, and let it settle."""
    physics = ec.install(gravity=(0.0, -10.0))
    width = 2 * int(count**0.5)
    ec.spawn(ec.HalfPlane(), [(0.0, 0.0)])
    for k in range(count):
        shape = ec.Box(1.0, 1.0) if k % 2 else ec.Circle(0.5)
        place = ec.Transform(1.1 * (k % width) + 0.05 * (k % 7), 0.6 + 1.1 * (k // width))
        esper.create_entity(place, ec.Velocity(), ec.Collider(shape), ec.RigidBody(can_sleep=False))
    for _ in range(120):
        esper.process(DT)
    return physics


def fastest(action: Callable[[], object], rounds: int) -> float:
    """Return the shortest processor time of an action [s]."""
    times = []
    for _ in range(rounds):
        start = thread_time()
        action()
        times.append(thread_time() - start)
    return min(times)


def snapshot_times(count: int, rounds: int) -> tuple[float, float, float, float, int, int]:
    """Return the times of a step, a snapshot, a restore and a rollback [s], and the bytes of arrays and of the file."""
    before = esper.current_world
    esper.switch_world("snapshots")
    physics = make_pile(count)
    snapshot = physics.snapshot()

    def roll_back() -> None:
        physics.restore(snapshot)
        for _ in range(FRAMES):
            esper.process(DT)
            physics.snapshot()

    found = (
        fastest(lambda: esper.process(DT), rounds),
        fastest(physics.snapshot, rounds),
        fastest(lambda: physics.restore(snapshot), rounds),
        fastest(roll_back, rounds),
        len(snapshot.content_for(physics.pipeline).image.data),
        len(bytes(snapshot)),
    )
    ec.uninstall()
    esper.switch_world(before)
    esper.delete_world("snapshots")
    return found


def report_snapshots(counts: Sequence[int] = COUNTS, rounds: int = 100) -> str:
    """Return a table of milliseconds and kilobytes."""
    lines = [f"{'bodies':>6}{'step':>9}{'snapshot':>10}{'restore':>9}{'8 frames':>10}{'arrays kB':>11}{'bytes kB':>10}"]
    for count in counts:
        step, snapshot, restore, rollback, arrays, size = snapshot_times(count, rounds)
        milliseconds = f"{1e3 * step:>9.3f}{1e3 * snapshot:>10.3f}{1e3 * restore:>9.3f}{1e3 * rollback:>10.2f}"
        lines.append(f"{count:>6}{milliseconds}{arrays / 1e3:>11.0f}{size / 1e3:>10.1f}")
    return "\n".join(lines)
