"""A warning at the end of a program about esper worlds with colliders and without physics.

`esper.process` does nothing for such entities, and no call of the package runs that could notice it earlier.
"""

from __future__ import annotations

import atexit
import sys
import warnings

import esper

from ecs_collide.common import user_thread
from ecs_collide.components import Collider
from ecs_collide.components.view import classes_of
from ecs_collide.errors import PhysicsWarning
from ecs_collide.step.notify.handlers import EVENTS

worlds_with_physics: set[str] = set()
"""Names of the esper worlds in which `install` was called; some may have been deleted since."""

SPARE_NAMES = 100
"""Number of names of deleted worlds that are kept before all of them are removed."""


def record_physics(name: str) -> None:
    """Record that `install` was called in an esper world.

    The names of deleted worlds are removed before they are more than those of living ones.
    """
    global _limit
    worlds_with_physics.add(name)
    if len(worlds_with_physics) > _limit:
        worlds_with_physics.intersection_update(esper.list_worlds())
        _limit = 2 * len(worlds_with_physics) + SPARE_NAMES


_limit = SPARE_NAMES
"""Number of names above which those of deleted worlds are removed."""


@atexit.register
def warn_of_missing_physics() -> None:
    """Warn about each esper world that has colliders or handlers of events and never had physics.

    After an error that ended the program nothing is reported, nor while a thread in the background uses physics.
    """
    if hasattr(sys, "last_value") or user_thread.is_used_elsewhere():
        return
    for name in esper.list_worlds():
        if name in worlds_with_physics:
            continue
        esper.switch_world(name)
        count = sum(len(esper.get_component(kind)) for kind in classes_of(Collider))
        events = [event for event in EVENTS if event in esper.event_registry]
        if count or events:
            holds = f"{count} Collider{'s' if count > 1 else ''}" if count else f"handlers of {' and '.join(events)}"
            text = (
                f"esper world {name!r} has {holds} and never had physics, so nothing moved or collided in it: "
                "call ecs_collide.install() while this world is current"
            )
            warnings.warn_explicit(text, PhysicsWarning, sys.argv[0] or "python", 0)
