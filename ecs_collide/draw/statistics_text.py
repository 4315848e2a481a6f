"""Counts and times of the last step, as text."""

from __future__ import annotations

from ecs_collide.common.statistics import Statistics


def statistics_lines(statistics: Statistics) -> list[tuple[str, str]]:
    """Return names and values: milliseconds of each system, and counts of bodies, pairs and contacts."""
    times = statistics.milliseconds
    times["step"] = sum(times.values())
    counts = {
        "bodies": statistics.bodies,
        "moving": statistics.moving_bodies,
        "sleeping": statistics.sleeping_bodies,
        "pairs": statistics.pairs,
        "contacts": statistics.contacts,
    }
    return [
        *((name, f"{milliseconds:.3f} ms") for name, milliseconds in times.items()),
        *((name, str(count)) for name, count in counts.items()),
    ]
