"""Counts and times of the last step, as lines of text."""

from __future__ import annotations

from ecs_collide.common.statistics import Statistics


def statistics_lines(statistics: Statistics) -> list[str]:
    """Return the milliseconds of each system, the counts of bodies, pairs and contacts, and how many are asleep."""
    times = statistics.milliseconds
    width = max(map(len, (*times, "sleeping")))
    return [
        *(f"{name:{width}} {milliseconds:7.3f} ms" for name, milliseconds in times.items()),
        f"{'step':{width}} {sum(times.values()):7.3f} ms",
        *(
            f"{name:{width}} {count:7}"
            for name, count in (
                ("bodies", statistics.bodies),
                ("moving", statistics.moving_bodies),
                ("sleeping", statistics.sleeping_bodies),
                ("pairs", statistics.pairs),
                ("contacts", statistics.contacts),
            )
        ),
    ]
