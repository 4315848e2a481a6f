"""Random scenes of the fuzzer, and a fixed play that follows a snapshot of one.

`RandomScene` plays a random case and leaves its world with everything in it. `drive` makes frames in which entities,
components and joints come and go and the game moves and pushes bodies, and returns a log. It depends on nothing but the
world and a seed, so that it can be repeated after a restore, also in another process.

`python -m tests.snapshots.random_scenes 1000 250` plays the scenes of 250 seeds from 1000 on, and counts what
they held.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from random import Random
from typing import Any

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.components.joints.joint import Joint
from ecs_collide.step.notify.handlers import EVENTS
from tests.fuzz import case, cramped
from tests.fuzz.components import BINDING, Conditions, Spot
from tests.fuzz.operations.joints import JOINTS, NEED_B, NEEDED, draw_joint_value
from tests.fuzz.operations.table import BY_NAME, TABLE, do_operation, draw_operation
from tests.fuzz.play import Play
from tests.fuzz.room import Call
from tests.fuzz.shapes import draw_disk, draw_shape, made
from tests.support.events import EventLog

FRAMES = 120
SELDOM = 10**9
LEFT_OUT = ("uninstall", "switch", "delete world", "remove system", "replace system", "snapshot")
"""Operations after which there is no whole world to take a snapshot of."""
OPERATIONS = tuple(operation for operation in TABLE if operation.name not in LEFT_OUT)


class RandomScene:
    """A world of a random case, without the hooks and handlers of the case."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"snapshots {seed}")
        self.conditions = Conditions(rng.choice((1.0, 1.0, 100.0, 0.01)), rng.random() < 0.2)
        self.is_cramped = rng.random() < case.CRAMPED
        self.length = rng.randrange(20, 200)
        self.rng = rng
        self.physics: ec.PhysicsWorld | None = None

    @contextmanager
    def played(self) -> Iterator[RandomScene]:
        """Play the case, and yield when it is over."""
        with quiet(), case._play(self.conditions, SELDOM) as play:
            if self.is_cramped:
                do_operation(play, ("cramp",))
            do_operation(play, ("install", *(BY_NAME["install"].draw(self.rng, play) or ())))
            for _ in range(self.length):
                do_operation(play, draw_operation(self.rng, play, OPERATIONS))
                play.faults.clear()
            self._calm(play)
            yield self
            play.faults.clear()

    def _calm(self, play: Play) -> None:
        """End the hooks and handlers of the case, and choose a whole world with physics."""
        play.is_over = True
        for name, room in play.rooms.items():
            if room.physics is not None and not room.is_crippled:
                esper.switch_world(name)
                for processor in list(esper._processors):
                    if isinstance(processor, Call):
                        esper.remove_processor(type(processor))
                esper.event_registry.clear()
                self.physics = room.physics
                return


@contextmanager
def quiet() -> Iterator[None]:
    """Show no warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def world_digest(physics: ec.PhysicsWorld) -> tuple[Any, ...]:
    """Return what a game can read of a world."""
    contacts = physics.contacts
    table = {
        entity: [(kind.__name__, vars(one) if kind is Spot else repr(one)) for kind, one in held.items()]
        for entity, held in esper._entities.items()
    }
    views = physics.entities, physics.positions, physics.angles, physics.velocities, physics.interpolated_poses
    found = contacts.entity_a, contacts.entity_b, contacts.normal_impulse, contacts.point
    return (
        physics.state_hash(),
        repr(table),
        physics.settings.gravity,
        repr(physics.statistics).split("Statistics")[1],
        *(array.tobytes() for array in (*views, *found)),
    )


def drive(physics: ec.PhysicsWorld, seed: int, frames: int = FRAMES) -> list[Any]:
    """Make frames with changes in between; return what happened."""
    rng = Random(seed)
    log: list[Any] = []
    events = EventLog(*EVENTS, hear=lambda name, arguments: log.append((name, repr(arguments))))
    for frame in range(frames):
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            attempt(log, lambda: act_between_frames(physics, rng))
        step_and_mend(log, rng.choice((1 / 60, 1 / 60, 1 / 60, 1 / 30, 0.01, 0.0)))
        cramped.spoil_what_was_left()
        log.append((frame, world_digest(physics)) if frame % 20 == 19 else (frame, _brief(physics)))
    for name, handler in zip(EVENTS, events._handlers, strict=True):
        esper.remove_handler(name, handler)
    return log


def _brief(physics: ec.PhysicsWorld) -> tuple[Any, ...]:
    return physics.entities.tobytes(), physics.positions.tobytes(), physics.velocities.tobytes()


def attempt(log: list[Any], act: Callable[[], object]) -> None:
    """Do something; an error of the game is a part of the log."""
    try:
        act()
    except (ec.PhysicsError, ValueError, TypeError, KeyError) as error:
        log.append((type(error).__name__, str(error)))


def step_and_mend(log: list[Any], dt: float) -> None:
    """Make a step of dt [s]; after a change that it refuses, delete the entity that the error names, and repeat it."""
    while True:
        try:
            return esper.process(dt)
        except ec.PhysicsError as error:
            log.append(str(error))
            named = re.search(r"entit(?:y|ies) (\d+)", str(error))
            if named is None:
                raise
            esper.delete_entity(int(named[1]))


def act_between_frames(physics: ec.PhysicsWorld, rng: Random) -> None:
    """Do something that a game may do between two frames."""
    unit, is_exact = physics.settings.length_unit, physics.settings.response == "exact"
    entities = sorted(esper._entities)
    x, y = rng.uniform(-8.0, 8.0) * unit, rng.uniform(-4.0, 10.0) * unit
    entity = rng.choice(entities) if entities else 0
    other = rng.choice(entities) if entities else 0
    act = rng.randrange(17)
    if act in (0, 1):
        shape = made(draw_disk(rng, unit) if is_exact else draw_shape(rng, unit))
        place: Any = (
            Spot(x, y, 0.0) if physics.settings.transform is not None and rng.random() < 0.5 else ec.Transform(x, y)
        )
        esper.create_entity(place, ec.Velocity(rng.uniform(-9.0, 9.0) * unit, 0.0), ec.Collider(shape))
    elif act == 2 and entities:
        esper.delete_entity(entity, immediate=rng.random() < 0.5 and entity not in esper._dead_entities)
    elif act == 3:
        esper.component_for_entity(entity, ec.Transform).position = (x, y)
    elif act == 4:
        esper.component_for_entity(entity, ec.Velocity).linear = (rng.uniform(-90.0, 90.0) * unit, 0.0)
    elif act == 5:
        collider = esper.component_for_entity(entity, ec.Collider)
        collider.layer, collider.friction = rng.choice((1, 2, 3)), rng.random()
    elif act == 6:
        esper.component_for_entity(entity, ec.Collider).shape = made(
            draw_disk(rng, unit) if is_exact else draw_shape(rng, unit)
        )
    elif act == 7 and not is_exact:
        esper.create_entity(draw_any_joint(rng, entity, other, unit))
    elif act == 8:
        physics.ignore(entity, other, rng.random() < 0.6)
    elif act == 9:
        physics.apply_impulse(entity, (rng.uniform(-5.0, 5.0) * unit, 3.0 * unit))
    elif act == 10:
        rng.choice((physics.wake, physics.sleep))(entity)
    elif act == 11:
        physics.gravity = (rng.uniform(-3.0, 3.0) * unit, -9.0 * unit)
    elif act == 12:
        kind: Any = rng.choice((ec.RigidBody, ec.Velocity, ec.Collider))
        if esper.has_component(entity, kind):
            esper.remove_component(entity, kind)
        else:
            esper.add_component(entity, kind(made(draw_disk(rng, unit))) if kind is ec.Collider else kind())
    elif act == 13 and not is_exact:
        collider = ec.Collider(made(draw_shape(rng, unit)), density=rng.choice((0.0, 1.0)), sensor=rng.random() < 0.3)
        esper.create_entity(ec.AttachedTo(entity, 0.2 * x, 0.2 * y, rng.uniform(-3.0, 3.0)), collider)
    elif act == 14:
        for part in held_of(draw_holder(rng, ec.AttachedTo, entity), ec.AttachedTo):
            part.x, part.body = 0.2 * x, rng.choice((part.body, part.body, other))
    elif act == 15:
        for joint in held_of(draw_holder(rng, Joint, entity), Joint):
            joint.break_force, joint.collide_connected = rng.choice((np.inf, 50.0)), rng.random() < 0.5
    else:
        physics.move_and_slide(entity, (rng.uniform(-5.0, 5.0) * unit, -3.0 * unit), 1 / 60)


def draw_any_joint(rng: Random, a: int, b: int, unit: float) -> Joint:
    """Draw a joint of any kind between two entities."""
    kind = rng.choice(list(JOINTS))
    given = {field: draw_joint_value(rng, kind, field, unit) for field in sorted(NEEDED.get(kind, ()))}
    if kind != "TargetJoint":
        given["b"] = b if kind in NEED_B or rng.random() < 0.9 else None
    joint: Joint = JOINTS[kind](a, **given)
    joint.break_force = rng.choice((np.inf, 50.0))
    return joint


def draw_holder(rng: Random, kind: type, otherwise: int) -> int:
    """Draw an entity with a component of a type or of a type derived from it; return another one if there is none."""
    holders = [entity for entity in sorted(esper._entities) if held_of(entity, kind)]
    return rng.choice(holders or [otherwise])


def held_of(entity: int, kind: type) -> list[Any]:
    """Return the components of an entity that are of a type or of a type derived from it."""
    return [part for part in esper._entities.get(entity, {}).values() if isinstance(part, kind)]


def settings_of(physics: ec.PhysicsWorld) -> dict[str, Any]:
    """Return the arguments of `install` that make a world with the settings of another one."""
    return physics.settings._asdict()


def replay_from_bytes(data: bytes, settings: dict[str, Any], is_cramped: bool, seed: int) -> list[Any]:
    """Restore a snapshot in a new world, drive it, and return the log."""
    esper.switch_world("replayed")
    try:
        with quiet(), ExitStack() as stack:
            if is_cramped:
                stack.enter_context(cramped.cramped())
            physics = ec.install(**settings)
            esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(settings["length_unit"])))
            esper.process(1 / 60)
            physics.restore(ec.Snapshot.from_bytes(data))
            try:
                return drive(physics, seed)
            finally:
                ec.uninstall()
    finally:
        esper.switch_world("default")
        esper.delete_world("replayed")


def plays_again(seed: int, in_another_process: bool) -> Counter[str] | None:
    """Check that the scene of a seed plays the same frames after each restore.

    It is restored from the snapshot and from its bytes, and in a new world of this process or of another one. Return
    the number of joints of each kind and of attached colliders in the snapshot; None if the case left no world to take
    a snapshot of.
    """
    scene = RandomScene(seed)
    with scene.played():
        physics = scene.physics
        if physics is None:
            return None
        try:
            snapshot = physics.snapshot()
        except ec.PhysicsError as error:
            assert "within a step" in str(error)  # the case broke off its last step
            return None
        kinds = (*JOINTS.values(), ec.AttachedTo)
        contents = Counter({kind.__name__: len(esper.get_component(kind)) for kind in kinds})
        data, settings = bytes(snapshot), settings_of(physics)
        first = drive(physics, seed)
        for again in (snapshot, snapshot, ec.Snapshot.from_bytes(data)):
            physics.restore(again)
            assert drive(physics, seed) == first
    replay = data, settings, scene.is_cramped, seed
    if in_another_process:
        with get_context("spawn").Pool(1) as pool:
            assert pool.apply(replay_from_bytes, replay) == first
    else:
        assert replay_from_bytes(*replay) == first
    return contents


__all__ = ["BINDING", "RandomScene", "drive", "plays_again", "replay_from_bytes", "settings_of", "world_digest"]

if __name__ == "__main__":
    begin, number = map(int, sys.argv[1:])
    count, contents = 0, Counter[str]()
    for seed in range(begin, begin + number):
        held = plays_again(seed, in_another_process=seed % 8 == 0)
        if held is not None:
            count, contents = count + 1, contents + held
        if seed % 50 == 49 or seed == begin + number - 1:
            print(f"{count} scenes up to seed {seed} play the same frames; they held {dict(contents)}", flush=True)
