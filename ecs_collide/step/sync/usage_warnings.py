"""Warnings of likely mistakes, each once in a world and before anything is changed."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from itertools import islice

import esper

from ecs_collide.common.settings import Settings
from ecs_collide.common.warn_once import WarnOnce
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.components.view import View
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.component_set import ComponentSet

LONG_STEP = 0.25
"""Length of a step above which piles sink in and burst [s]."""

LONG_FRAME = 1.0
"""Length of a step or frame above which a warning asks for the unit [s]; frames take 0.005 to 0.1 s, or 5 to 100 ms."""

CHARACTERS = "ecs_collide.components.character_controller"
"""Module of `CharacterController`, loaded only if the game uses it."""

FEW = 200
"""Number of entities that are checked for some mistakes, of those that are added together."""

EARTH_GRAVITY = 9.81
"""Gravity of the earth [m/s^2]."""

GREATEST_GRAVITY = 15.0
"""Gravity above which a warning asks for the unit of length, in that of the earth; the sun has 28, a platformer 6."""

LATE_FRAMES = 30
"""Number of successive frames with dropped steps after which a warning says so."""


class UsageWarnings(WarnOnce):
    """Warnings about what a game creates, writes and calls."""

    def __init__(self) -> None:
        super().__init__()
        self.moves_characters = False
        """True if anything in this world moves characters."""

    def check_frame(self, dt: float) -> None:
        """Warn if a frame of `dt` [s] is very long."""
        if dt > LONG_FRAME:
            self._warn("dt", f"dt is {dt} s, which is very long. Pass seconds: divide milliseconds by 1000")

    def check_fixed_dt(self, fixed_dt: float | None, time_unit: float) -> None:
        """Warn if a fixed step, in units of which `time_unit` are a second, is so long that it was hardly meant."""
        if fixed_dt is not None and fixed_dt > LONG_STEP * time_unit:
            self._warn(
                "dt",
                f"install(fixed_dt={fixed_dt:g}) makes one step in {fixed_dt / time_unit:g} s, and none before: it is "
                "the length of a step in seconds, such as fixed_dt=1 / 60",
            )

    def check_gravity(self, settings: Settings) -> None:
        """Warn if gravity is so great in a world whose time is in seconds that lengths are probably pixels."""
        earths = math.hypot(*settings.gravity) / settings.length_unit / EARTH_GRAVITY
        if earths > GREATEST_GRAVITY and settings.time_unit == 1.0:
            self._warn(
                "gravity",
                f"a gravity of {settings.gravity} is {earths:.0f} times that of the earth. If lengths are pixels, tell "
                "install how many of them make a metre: install(length_unit=100)",
            )

    def check_lists(self) -> None:
        """Warn about an entity that holds a list of components as one component."""
        if "list" in self._topics:
            return
        for kind in (list, tuple):
            for entity, held in esper.get_component(kind):
                if any(isinstance(each, View) for each in held):
                    self._warn(
                        "list",
                        f"entity {entity} has a {kind.__name__} of components, which does nothing: "
                        "write esper.create_entity(*components)",
                    )

    def warn_of_dropped_steps(self, max_steps: int) -> None:
        """Warn that the world runs slower than the clock, since frame after frame has more than `max_steps` due."""
        self._warn(
            "dropped",
            f"more than max_steps={max_steps} steps were due in each of the last {LATE_FRAMES} frames, and the others "
            "were dropped: the world runs slower than the clock. Make fixed_dt longer or max_steps greater, and pass "
            "esper.process the length of the frame in seconds",
        )

    def check_step(self, dt: float, are_pairs: bool) -> None:
        """Warn of a step of `dt` [s], above `LONG_STEP`, if any bodies may touch."""
        self.check_frame(dt)
        if are_pairs and dt <= LONG_FRAME:
            self._warn(
                "long step",
                f"dt is {dt:g} s: in such a long step, bodies that touch sink into each other and burst apart. "
                "Use install(fixed_dt=1 / 60), which makes short steps of a long frame, or pass min(dt, 0.1)",
            )

    def warn_of_up(self, up: tuple[float, float], gravity: tuple[float, float]) -> None:
        """Warn that the direction up of a character points along gravity."""
        self._warn(
            "up",
            f"a character's up is ({up[0]:g}, {up[1]:g}), but gravity is ({gravity[0]:g}, {gravity[1]:g}), which "
            "points the same way: it takes ceilings for floors. Leave up out, and it is the direction against gravity",
        )

    def check_new_bodies(self, bodies: Iterable[Body], without_layer: Mapping[int, ComponentSet]) -> None:
        """Warn about new bodies before they are added; a body that existed may have been stopped on purpose.

        `without_layer` holds the components of new entities that are on no layer.
        """
        if "degrees" not in self._topics:
            self._check_angles(islice(bodies, FEW))
        for body in bodies:
            if body.kind is DYNAMIC:
                continue
            for component, tell in (
                (body.components.velocity, self._warn_of_velocity),
                (body.components.force, self._warn_of_force),
            ):
                if component is not None and any(component._values()):
                    tell(body.entity, body.kind)
        if without_layer:
            self._check_without_layer(without_layer)
        if CHARACTERS in sys.modules and not self.moves_characters and "characters" not in self._topics:
            self._check_controllers()

    def check_character(self, body: Body) -> None:
        """Warn if a character is about to be moved by a step as well."""
        if body.kind is STATIC or "walk" in self._topics:
            return
        x, y = (0.0, 0.0) if body.components.velocity is None else body.components.velocity._values()[:2]
        if body.kind is DYNAMIC:
            self._warn(
                "walk",
                f"entity {body.entity} is dynamic: the step moves it as well as move_and_slide. "
                "Give it RigidBody(BodyKind.KINEMATIC), and leave its Velocity 0",
            )
        elif x != 0.0 or y != 0.0:
            self._warn(
                "walk",
                f"entity {body.entity}: its Velocity ({x:g}, {y:g}) moves it in the step as well as move_and_slide. "
                "Leave its Velocity 0, and pass the velocity to move_and_slide or CharacterController",
            )

    def check_written_velocities(self, bodies: BodyColumns) -> None:
        """Warn if the velocity of a static body was written since the last step."""
        if "velocity" in self._topics:
            return
        rows = bodies.written.rows()
        static = rows[bodies.arrays.kind[rows] == STATIC]
        moving = static[bodies.arrays.velocity[static].any(axis=1)]
        if len(moving):
            self._warn_of_velocity(int(bodies.arrays.entity[moving].min()), BodyKind.STATIC)

    def check_attached_places(self, bodies: BodyColumns) -> None:
        """Warn if the place of an attached collider was written since the last step."""
        if "attached" in self._topics or len(bodies.attached.collider) == 0:
            return
        written = bodies.attached.collider[bodies.teleported.marks[bodies.attached.collider]]
        if len(written):
            entity = int(bodies.arrays.entity[written].min())
            self._warn(
                "attached",
                f"entity {entity} is attached to a body, so each step writes its Transform, and what the game wrote to "
                "it is lost. Write the place on the body, AttachedTo.x, y and angle",
            )

    def warn_of_second_component(self, entity: int, bound: str, own: str) -> None:
        """Warn if an entity has a component of ours, `own`, that the game gave it beside its `bound` one."""
        self._warn(
            "bound",
            f"entity {entity} has a {own} beside its {bound}: the {own} counts, and the {bound} is neither read nor "
            f"written. Remove the {own}, which the game or spawn added",
        )

    def check_push(self, entity: int, kind: int, what: str) -> None:
        """Warn if a call, `what`, is about to push a body that does not move by it."""
        if kind != DYNAMIC:
            self._warn(
                "push",
                f"entity {entity} is {BodyKind(kind).name.lower()}: {what} does not move it. "
                "Make it dynamic: by RigidBody(BodyKind.DYNAMIC), or by a Velocity without a RigidBody",
            )

    def _check_angles(self, bodies: Iterable[Body]) -> None:
        """Warn about an angle that is a usual number of degrees."""
        for body in bodies:
            angle = 0.0 if body.components.transform is None else body.components.transform.angle
            if angle % 15.0 == 0.0 and 0.0 < abs(angle) <= 360.0:
                self._warn(
                    "degrees",
                    f"entity {body.entity} has a Transform.angle of {angle:g}: angles are in radians. Were these "
                    f"degrees? Write math.radians({angle:g})",
                )

    def _warn_of_velocity(self, entity: int, kind: BodyKind) -> None:
        if kind is STATIC:
            self._warn(
                "velocity",
                f"entity {entity} is static: its Velocity does not move it. Give it RigidBody(BodyKind.KINEMATIC), "
                "which moves by its velocity alone, or no RigidBody, which makes it dynamic",
            )

    def _warn_of_force(self, entity: int, kind: BodyKind) -> None:
        self.check_push(entity, kind, "its Force")

    def _check_without_layer(self, without_layer: Mapping[int, ComponentSet]) -> None:
        for entity, components in without_layer.items():
            collider = components.collider
            if collider is not None and collider.enabled and collider.group <= 0:
                self._warn(
                    "layer",
                    f"entity {entity}: its Collider has layer 0, which is in no mask, so it collides with nothing and "
                    "no query finds it. Use layer 1, 2, 4, ...; to switch a Collider off, write enabled=False",
                )
                break
        if "shape" not in self._topics:
            self._check_shapes(
                islice((entity for entity, components in without_layer.items() if components.collider is None), FEW)
            )

    def _check_shapes(self, entities: Iterable[int]) -> None:
        """Warn about entities that have a shape but no Collider."""
        for entity in entities:
            held: tuple[object, ...] = esper.components_for_entity(entity)
            for component in held:
                if isinstance(component, Shape):
                    name = type(component).__name__
                    self._warn(
                        "shape",
                        f"entity {entity} has a {name} but no Collider: a shape alone collides with nothing. "
                        f"Give the entity Collider({name}(...)) instead",
                    )

    def _check_controllers(self) -> None:
        from ecs_collide.components.character_controller import CharacterController

        for entity, _ in esper.get_component(CharacterController):
            self._warn(
                "characters",
                f"entity {entity}: its CharacterController has no effect, as no processor moves characters. "
                "Call esper.add_processor(ec.systems.MoveCharacters(physics), priority=100)",
            )
            break
