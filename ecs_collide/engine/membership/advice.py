"""What is allowed but hardly meant: told by a warning, once in each world, before anything is changed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.engine.membership.body import Body
from ecs_collide.errors import PhysicsWarning

LONG_STEP = 1.0
"""A step above this is asked about [s]: a game's frames take 0.005 to 0.1 s, or 5 to 100 ms."""

OUR_OWN = ("ecs_collide", "esper")
"""Packages between the game's line, which a warning should name, and the place where it is made."""


class Advice:
    """Remembers what a world has been told."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def on_step(self, dt: float) -> None:
        """A step of `dt` [s] is asked for."""
        if dt > LONG_STEP:
            self._tell("dt", f"a step of {dt} s was asked for: dt is in seconds. Were these milliseconds?")

    def on_arrival(self, bodies: Iterable[Body]) -> None:
        """Bodies are about to come that were not there before: one that was may have been stopped on purpose."""
        for body in bodies:
            if body.kind is DYNAMIC:
                continue
            for part, tell in ((body.parts.velocity, self._on_velocity), (body.parts.force, self._on_force)):
                if part is not None and any(part._values()):
                    tell(body.entity, body.kind)

    def on_writing(self, bodies: BodyColumns) -> None:
        """Components have been written since the last step."""
        if "velocity" in self._told:
            return
        rows = bodies.written.rows()
        static = rows[bodies.arrays.kind[rows] == STATIC]
        moving = static[bodies.arrays.velocity[static].any(axis=1)]
        if len(moving):
            self._on_velocity(int(bodies.arrays.entity[moving].min()), BodyKind.STATIC)

    def on_own(self, entity: int, bound: str, own: str) -> None:
        """An entity has a component of ours, `own`, that the game gave it, beside the one of the game's, `bound`."""
        self._tell(
            "bound",
            f"entity {entity} has a {own} that the game gave it beside its {bound}: the {own} counts, and the {bound} "
            f"is neither read nor written. Leave the {own} out (spawn makes them)",
        )

    def on_push(self, entity: int, kind: int, what: str) -> None:
        """A body is about to be pushed by a call, `what`."""
        if kind != DYNAMIC:
            self._tell(
                "push",
                f"entity {entity} is {BodyKind(kind).name.lower()}: {what} does not move it. "
                "What has a Velocity and no RigidBody is dynamic, and so is RigidBody(BodyKind.DYNAMIC)",
            )

    def _on_velocity(self, entity: int, kind: BodyKind) -> None:
        if kind is STATIC:
            self._tell(
                "velocity",
                f"entity {entity} is static: its Velocity does not move it. RigidBody(BodyKind.KINEMATIC) moves by its "
                "velocity alone, and what has a Velocity and no RigidBody is dynamic",
            )

    def _on_force(self, entity: int, kind: BodyKind) -> None:
        self.on_push(entity, kind, "its Force")

    def _tell(self, topic: str, text: str) -> None:
        if topic in self._told:
            return
        self._told.add(topic)
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OUR_OWN:
            level, frame = level + 1, frame.f_back
        warnings.warn(text, PhysicsWarning, stacklevel=level)
