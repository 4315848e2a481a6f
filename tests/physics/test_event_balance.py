"""Random games: each start event is followed by exactly one end event."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, esper_world

SHAPES: tuple[ec.Shape, ...] = (
    ec.Circle(0.4),
    ec.Box(0.8, 0.6),
    ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.2),
    ec.Segment((-0.5, 0.0), (0.5, 0.2)),
    ec.Polygon([(-0.4, -0.3), (0.5, -0.3), (0.2, 0.5), (-0.3, 0.3)], radius=0.05),
)
STARTS = {"collision_start": "collision_end", "sensor_enter": "sensor_exit"}
ENDS = {end: start for start, end in STARTS.items()}


class Ledger:
    """Follows what touches by the events alone; a wrong event is an error at once."""

    def __init__(self) -> None:
        self.open: set[tuple[str, int, int]] = set()
        self.counts: Counter[str] = Counter()

    def take(self, name: str, arguments: tuple[object, ...]) -> None:
        self.counts[name] += 1
        if name.startswith("collision"):
            (contact,) = arguments
            assert isinstance(contact, ec.Contact)
            a, b = contact.entity_a, contact.entity_b
            assert a < b
        else:
            a, b = arguments  # type: ignore[assignment]
        if name in STARTS:
            assert (name, a, b) not in self.open, f"{name} {a} {b} came twice"
            self.open.add((name, a, b))
        else:
            assert (ENDS[name], a, b) in self.open, f"{name} {a} {b} without a start"
            self.open.remove((ENDS[name], a, b))


class Mayhem:
    """A scene and a thousand ways to interfere with it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        for normal, offset in (((0.0, 1.0), 0.0), ((1.0, 0.0), -5.0), ((-1.0, 0.0), -5.0)):
            esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(normal, offset)))
        self.entities: list[int] = []
        for _ in range(40):
            self.create()
        self.deeds: tuple[Callable[[int], None], ...] = (
            lambda entity: self.create(),
            self.delete,
            self.delete_at_once,
            self.teleport,
            self.replace_collider,
            self.remove_collider,
            self.toggle_sensor,
            self.change_shape,
            self.change_mask,
            self.change_group,
            self.change_kind,
            self.remove_velocity,
            self.add_velocity,
            self.replace_transform,
            self.kick,
        )

    def interfere(self) -> None:
        if len(self.entities) < 30:
            self.create()
        for _ in range(self.random.randrange(4)):
            if self.entities:
                self.random.choice(self.deeds)(self.random.choice(self.entities))

    def place(self) -> tuple[float, float]:
        return self.random.uniform(-4.5, 4.5), self.random.uniform(0.5, 5.0)

    def collider(self) -> ec.Collider:
        sensor = self.random.random() < 0.15
        return ec.Collider(self.random.choice(SHAPES), sensor=sensor, restitution=self.random.random())

    def create(self) -> None:
        components: list[object] = [ec.Transform(*self.place(), self.random.uniform(-3.0, 3.0)), self.collider()]
        if self.random.random() < 0.8:
            components.append(ec.Velocity(self.random.uniform(-2.0, 2.0), 0.0, self.random.uniform(-2.0, 2.0)))
        self.entities.append(esper.create_entity(*components))

    def delete(self, entity: int) -> None:
        self.entities.remove(entity)
        esper.delete_entity(entity)

    def delete_at_once(self, entity: int) -> None:
        self.entities.remove(entity)
        esper.delete_entity(entity, immediate=True)

    def teleport(self, entity: int) -> None:
        esper.component_for_entity(entity, ec.Transform).position = self.place()

    def replace_transform(self, entity: int) -> None:
        esper.add_component(entity, ec.Transform(*self.place()))

    def replace_collider(self, entity: int) -> None:
        esper.add_component(entity, self.collider())

    def remove_collider(self, entity: int) -> None:
        if esper.has_component(entity, ec.Collider):
            esper.remove_component(entity, ec.Collider)

    def change(self, entity: int, name: str, value: object) -> None:
        collider = esper.try_component(entity, ec.Collider)
        if collider is not None:
            setattr(collider, name, value)

    def toggle_sensor(self, entity: int) -> None:
        collider = esper.try_component(entity, ec.Collider)
        if collider is not None:
            collider.sensor = not collider.sensor

    def change_shape(self, entity: int) -> None:
        self.change(entity, "shape", self.random.choice(SHAPES))

    def change_mask(self, entity: int) -> None:
        self.change(entity, "mask", self.random.choice([0, ec.ALL_LAYERS]))

    def change_group(self, entity: int) -> None:
        self.change(entity, "group", self.random.choice([-1, 0, 1]))

    def change_kind(self, entity: int) -> None:
        if esper.has_component(entity, ec.RigidBody):
            esper.remove_component(entity, ec.RigidBody)
        else:
            esper.add_component(entity, ec.RigidBody(self.random.choice(list(ec.BodyKind))))

    def remove_velocity(self, entity: int) -> None:
        if esper.has_component(entity, ec.Velocity):
            esper.remove_component(entity, ec.Velocity)

    def add_velocity(self, entity: int) -> None:
        esper.add_component(entity, ec.Velocity(self.random.uniform(-2.0, 2.0), 0.0))

    def kick(self, entity: int) -> None:
        velocity = esper.try_component(entity, ec.Velocity)
        if velocity is not None:
            velocity.linear = self.random.uniform(-3.0, 3.0), self.random.uniform(0.0, 5.0)


def settle(play: Game, ledger: Ledger) -> None:
    """Book the events that have come."""
    for _, name, arguments in play.events:
        ledger.take(name, arguments)
    play.events.clear()


@pytest.mark.parametrize("seed", range(6))
def test_the_books_balance(seed: int) -> None:
    with esper_world() as world:
        play = Game(world, ec.install(gravity=(0.0, -9.81)))
        mayhem, ledger = Mayhem(seed), Ledger()
        for step in range(500):
            mayhem.interfere()
            play.step(dt=0.0 if step % 50 == 49 else DT)
            settle(play, ledger)
        assert ledger.counts["collision_start"] > 200
        assert ledger.counts["sensor_enter"] > 30
        ec.uninstall()
        settle(play, ledger)
        assert ledger.open == set()
        assert ledger.counts["collision_start"] == ledger.counts["collision_end"]
        assert ledger.counts["sensor_enter"] == ledger.counts["sensor_exit"]


@pytest.mark.parametrize("seed", [1, 2])
def test_open_starts_are_the_pairs_that_touch(seed: int) -> None:
    """The events and `touching` tell the same story after every step."""
    with esper_world() as world:
        play = Game(world, ec.install(gravity=(0.0, -9.81)))
        mayhem, ledger = Mayhem(seed), Ledger()
        for step in range(200):
            mayhem.interfere()
            play.step()
            settle(play, ledger)
            for _, a, b in ledger.open:
                assert play.physics.touching(a, b)
                assert play.physics.touching(b, a)
            if step % 20 == 0:
                pairs = play.physics.pairs
                touching = {
                    (min(a, b), max(a, b))
                    for a, b in zip(pairs.entity_a.tolist(), pairs.entity_b.tolist(), strict=True)
                    if play.physics.touching(a, b)
                }
                # what is open touches, see above; of that, `pairs` has what is not asleep
                assert touching <= {(min(a, b), max(a, b)) for _, a, b in ledger.open}
        ec.uninstall()


def test_clearing_the_database_ends_everything() -> None:
    with esper_world() as world:
        play = Game(world, ec.install(gravity=(0.0, -9.81)))
        mayhem, ledger = Mayhem(9), Ledger()
        for _ in range(100):
            mayhem.interfere()
            play.step()
        settle(play, ledger)
        assert ledger.open
        esper.clear_database()
        play.step()
        settle(play, ledger)
        assert ledger.open == set()


def test_interference_from_inside_the_handlers() -> None:
    with esper_world() as world:
        play = Game(world, ec.install(gravity=(0.0, -9.81)))
        mayhem, ledger = Mayhem(11), Ledger()

        def on_start(contact: ec.Contact) -> None:
            mayhem.interfere()

        esper.set_handler("collision_start", on_start)
        for _ in range(300):
            play.step()
            settle(play, ledger)
        esper.remove_handler("collision_start", on_start)
        ec.uninstall()
        settle(play, ledger)
        assert ledger.counts["collision_start"] > 100
        assert ledger.open == set()
