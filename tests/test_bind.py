"""A game's own components in the place of ours."""

from __future__ import annotations

import copy
import math
import pickle
import random
from dataclasses import dataclass, field
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.sync import watched_sets as watch
from tests.support.worlds import run

pytestmark = pytest.mark.usefixtures("fresh_world")


@dataclass
class OwnPosition:
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0


@dataclass
class OwnSpeed:
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


@dataclass
class Vector:
    x: float
    y: float


@dataclass
class Sprite:
    position: Vector = field(default_factory=lambda: Vector(0.0, 0.0))


class Rect:
    """A rectangle like pygame's: whole numbers, by the top-left corner."""

    def __init__(self, x: int, y: int, w: int, h: int) -> None:
        self._x, self._y, self.w, self.h = x, y, w, h

    x = property(lambda self: self._x, lambda self, value: setattr(self, "_x", int(value)))
    y = property(lambda self: self._y, lambda self, value: setattr(self, "_y", int(value)))


def install_bound(**settings: Any) -> ec.PhysicsWorld:
    return ec.install(transform=ec.bind(OwnPosition), velocity=ec.bind(OwnSpeed, x="dx", y="dy"), **settings)


def create_bound_ball(x: float = 0.0, y: float = 0.0, *more: Any, **collider: Any) -> tuple[int, OwnPosition]:
    position = OwnPosition(x, y)
    return esper.create_entity(position, ec.Collider(ec.Circle(0.5), **collider), *more), position


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_a_collider_is_all_that_is_added(response: str) -> None:
    physics = install_bound(gravity=(0.0, -10.0), response=response)
    floor = esper.create_entity(OwnPosition(), ec.Collider(ec.HalfPlane()))
    speed = OwnSpeed(1.0, 0.0)
    entity, position = create_bound_ball(0.0, 2.0, speed)
    received: list[Any] = []
    ec.on("collision_start", lambda contact: received.append((contact.entity_a, contact.entity_b, position.y)))
    assert physics.point_query((0.0, 2.0)) == [entity], "before the first step"
    run(120)
    assert [event[:2] for event in received] == [(floor, entity)]
    assert received[0][2] == pytest.approx(0.5, abs=0.02), "a handler finds it where it is now"
    assert position.y == pytest.approx(0.5, abs=0.01)
    assert position.x > 0.7
    assert speed.dx == pytest.approx(physics.velocities[physics.row_of(entity), 0])
    assert position.heading == 0.0, "the game knows of no angle"


def test_writing_is_a_teleport_and_a_new_velocity() -> None:
    physics = install_bound()
    speed = OwnSpeed()
    entity, position = create_bound_ball(0.0, 0.0, speed)
    run()
    position.x, speed.dx = 10.0, 3.0
    run(60)
    assert position.x == pytest.approx(13.0)
    esper.add_component(entity, OwnPosition(-5.0, 1.0))
    run()
    assert physics.positions[physics.row_of(entity)].tolist() == pytest.approx([-5.0 + 3.0 / 60.0, 1.0])


def test_a_game_that_moves_everything_itself_gets_events_of_overlaps() -> None:
    ec.install(transform=ec.bind(OwnPosition))
    received: list[tuple[int, int]] = []
    ec.on("sensor_enter", lambda one, other: received.append((one, other)))
    player, position = create_bound_ball(-3.0, 0.0, detect=True)
    wall, _ = create_bound_ball(0.0)
    for step in range(60):
        position.x = -3.0 + step / 10.0
        run()
        assert position.x == -3.0 + step / 10.0
    assert received == [(player, wall)]


def test_vectors_corners_degrees_and_y_down() -> None:
    physics = ec.install(
        transform=ec.bind(Sprite, x="position.x", y="position.y", size=(4.0, 2.0), y_down=True),
        gravity=(0.0, -10.0),
        length_unit=10.0,
    )
    sprite = Sprite(Vector(10.0, 20.0))
    entity = esper.create_entity(sprite, ec.Collider(ec.Box(4.0, 2.0)), ec.Velocity(60.0, 0.0), ec.RigidBody())
    run()
    assert physics.positions[physics.row_of(entity)].tolist() == pytest.approx([13.0, -21.0 - 10 / 3600], abs=0.01)
    assert sprite.position.x == pytest.approx(11.0)
    assert sprite.position.y > 20.0, "down"


@pytest.mark.parametrize(("y_down", "sign"), [(False, 1.0), (True, -1.0)])
def test_angles_in_degrees(y_down: bool, sign: float) -> None:
    physics = ec.install(
        transform=ec.bind(OwnPosition, angle="heading", degrees=True, y_down=y_down),
        velocity=ec.bind(OwnSpeed, x="dx", y="dy", angle="turn", degrees=True, y_down=y_down),
    )
    position, speed = OwnPosition(0.0, 0.0, 30.0), OwnSpeed(0.0, 0.0, 90.0)
    entity = esper.create_entity(position, speed, ec.Collider(ec.Box(2.0, 1.0)))
    rock = OwnPosition(9.0, 0.0, 33.3)
    esper.create_entity(rock, ec.Collider(ec.Box(2.0, 1.0)))
    run(60)
    assert position.heading == pytest.approx(120.0)
    assert physics.angles[physics.row_of(entity)] == pytest.approx(sign * math.radians(120.0))
    assert rock.heading == 33.3, "what does not move is not written"


def test_whole_numbers_do_not_hold_a_slow_body_up() -> None:
    physics = ec.install(transform=ec.bind(Rect, size=("w", "h"), y_down=True), length_unit=100.0)
    rect = Rect(0, 50, 20, 10)
    entity = esper.create_entity(rect, ec.Velocity(12.0, 0.0), ec.Collider(ec.Box(20.0, 10.0)))
    run(100)
    assert physics.positions[physics.row_of(entity)].tolist() == pytest.approx([10.0 + 20.0, -55.0])
    assert rect.x in (19, 20)


def test_entities_come_go_and_change_their_minds() -> None:
    physics = install_bound()
    a, place_a = create_bound_ball(0.0, 0.0, OwnSpeed(1.0, 0.0))
    b, _ = create_bound_ball(9.0, 0.0, OwnSpeed(1.0, 0.0))
    own, _ = create_bound_ball(20.0)
    esper.add_component(own, ec.Transform(30.0, 0.0))
    bare = esper.create_entity(OwnPosition(5.0, 5.0))
    run()
    assert physics.positions[physics.row_of(own), 0] == 30.0, "a Transform of the game's own counts more"
    esper.delete_entity(b)
    esper.remove_component(a, ec.Collider)
    c, place_c = create_bound_ball(15.0, 0.0, OwnSpeed(-1.0, 0.0))
    esper.add_component(bare, ec.Collider(ec.Circle(1.0)))
    run(30)
    assert place_c.x == pytest.approx(14.5)
    assert physics.point_query((5.0, 5.0)) == [bare]
    assert not esper.has_component(a, ec.Transform)
    assert place_a.x == pytest.approx(1.0 / 60.0)
    esper.clear_database()
    run()
    d, place_d = create_bound_ball(1.0, 0.0, OwnSpeed(0.0, 1.0))
    run(60)
    assert [place_d.x, place_d.y] == pytest.approx([1.0, 1.0])
    ec.uninstall()
    left: tuple[Any, ...] = esper.components_for_entity(d)
    assert [type(part) for part in left] == [OwnPosition, ec.Collider, OwnSpeed]
    assert c != d


def test_a_handler_may_do_anything() -> None:
    install_bound()
    a, place = create_bound_ball(0.0, 0.0, OwnSpeed(1.0, 0.0))
    b, _ = create_bound_ball(0.9, 0.0)
    home = esper.current_world

    def act(contact: ec.Contact) -> None:
        place.x = -50.0
        esper.delete_entity(b, immediate=True)
        create_bound_ball(-50.0, 3.0, OwnSpeed())
        esper.switch_world("elsewhere")

    ec.on("collision_start", act)
    run()
    esper.switch_world(home)
    run()
    assert place.x == pytest.approx(-50.0, abs=0.1)
    assert esper.has_component(a, ec.Velocity)


@pytest.mark.parametrize("value", [None, "here", math.nan])
def test_a_value_that_is_no_number_is_an_error_that_names_the_entity(value: Any) -> None:
    install_bound()
    entity, position = create_bound_ball()
    run()
    position.x = value
    with pytest.raises(ec.PhysicsError, match=f"entity {entity}"):
        run()
    position.x = 4.0
    run()
    assert position.x == 4.0


def test_a_new_component_without_a_number_can_be_mended_and_loses_no_entity() -> None:
    """The step that was refused had changed nothing of what is bound."""
    install_bound()
    _, first = create_bound_ball()
    run()
    first.x = 2.0
    newcomer, position = create_bound_ball()
    position.x = None  # type: ignore[assignment]
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=f"entity {newcomer}: .* has no number at 'x'"):
            run()
    position.x = 5.0
    run()
    assert (first.x, position.x) == (2.0, 5.0)


def test_a_game_that_writes_one_number_leaves_the_others_to_the_physics() -> None:
    """A number that is not bound is one of these: what rolls goes on turning when the game writes where it goes."""
    physics = install_bound()
    speed = OwnSpeed(1.0, 0.0)
    entity, position = create_bound_ball(0.0, 0.0, speed)
    run()
    physics.angles[physics.row_of(entity)] = 0.5
    physics.angular_velocities[physics.row_of(entity)] = 3.0
    run()
    speed.dx, position.y = 2.0, 7.0
    run()
    assert physics.angular_velocities[physics.row_of(entity)] == pytest.approx(3.0)
    assert physics.angles[physics.row_of(entity)] == pytest.approx(0.5 + 2 * 3.0 / 60.0)
    assert [position.x, position.y] == pytest.approx([4.0 / 60.0, 7.0])


class Recorded:
    """A position that records what is written to it."""

    def __init__(self) -> None:
        self._x, self.y, self.written = 0.0, 0.0, list[float]()

    @property
    def x(self) -> float:
        return self._x

    @x.setter
    def x(self, value: float) -> None:
        self._x = value
        self.written.append(value)


def test_only_numbers_that_a_step_has_changed_are_written() -> None:
    ec.install(transform=ec.bind(Recorded))
    position, speed = Recorded(), ec.Velocity(6.0, 0.0)
    esper.create_entity(position, speed, ec.Collider(ec.Circle(0.5)))
    run(2)
    speed.x = 0.0
    run(3)
    assert position.written == pytest.approx([0.1, 0.2])


@pytest.mark.filterwarnings("ignore:entity . is attached to a body")
def test_the_place_of_a_collider_without_a_body_stays_in_line() -> None:
    ec.install(transform=ec.bind(OwnPosition, angle="heading"))
    host, _ = create_bound_ball()
    place = OwnPosition()
    part = esper.create_entity(place, ec.Collider(ec.Circle(0.1)), ec.AttachedTo(host, 0.0, 1.0))
    esper.process(0.0)
    transform = esper.component_for_entity(part, ec.Transform)
    esper.delete_entity(host)
    for component, name, value in ((transform, "position", (-2.0, 2.0)), (place, "x", 5.0), (transform, "angle", 0.5)):
        setattr(component, name, value)
        esper.process(0.0)
        assert (place.x, place.y, place.heading) == (transform.x, transform.y, transform.angle)
    assert (place.x, place.y, place.heading) == (5.0, 2.0, 0.5)


class Counting:
    """Component that counts reads of its attributes."""

    reads = 0

    def __init__(self, x: float) -> None:
        self._x, self.y = x, 0.0

    @property
    def x(self) -> float:
        Counting.reads += 1
        return self._x

    @x.setter
    def x(self, value: float) -> None:
        self._x = value


def test_a_new_entity_does_not_read_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    ec.install(transform=ec.bind(Counting))
    for k in range(50):
        esper.create_entity(Counting(3.0 * k), ec.Collider(ec.Circle(0.5)))
    run()
    ec.systems.MoveCharacters(ec.physics())  # otherwise one list of characters would be read
    monkeypatch.setattr(esper, "get_component", lambda kind: pytest.fail(f"asks for all that have a {kind}"))
    Counting.reads = 0
    run()
    usual, Counting.reads = Counting.reads, 0
    esper.create_entity(Counting(-3.0), ec.Collider(ec.Circle(0.5)))
    run()
    assert (usual, Counting.reads) == (50, 50 + 1 + 1), "the one that came is read once more"


@pytest.mark.parametrize("watched", [True, False])
def test_all_stay_in_line_in_any_order(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "is_possible", lambda: watched)
    physics = install_bound()
    rng = random.Random(5)
    kept: dict[int, tuple[OwnPosition, OwnSpeed]] = {}
    for step in range(200):
        for entity in rng.sample(sorted(kept), min(len(kept), rng.randrange(3))):
            position, speed = kept.pop(entity)
            rng.choice((esper.delete_entity, lambda one: esper.remove_component(one, ec.Collider)))(entity)
        for _ in range(rng.randrange(3)):
            speed = OwnSpeed(rng.random(), 0.0)
            entity, position = create_bound_ball(10.0 * step, rng.random(), speed, mask=0)
            kept[entity] = position, speed
        if kept and step % 3 == 0:
            entity = rng.choice(sorted(kept))
            kept[entity] = OwnPosition(-step, rng.random()), kept[entity][1]
            esper.add_component(entity, kept[entity][0])
        if kept and step % 7 == 0:
            entity = rng.choice(sorted(kept))
            esper.component_for_entity(entity, ec.Collider).shape = ec.Box(1.0, 1.0 + step)
        before = {entity: position.x for entity, (position, _) in kept.items()}
        run()
        for entity, (position, speed) in kept.items():
            assert position.x == pytest.approx(before[entity] + speed.dx / 60.0)
            assert physics.positions[physics.row_of(entity)].tolist() == [position.x, position.y]
    assert len(kept) > 5


def unpickled(component: Any) -> Any:
    return pickle.loads(pickle.dumps(component))


def itself(component: Any) -> Any:
    return component


@pytest.mark.parametrize(
    ("copied", "is_other_world"),
    [(copy.copy, True), (copy.deepcopy, True), (unpickled, True), (copy.copy, False), (itself, False)],
)
def test_an_entity_saved_with_all_its_components_is_bound_again(copied: Any, is_other_world: bool) -> None:
    """Among them are those that stood for the game's."""
    install_bound()
    entity, _ = create_bound_ball(1.0, 2.0, OwnSpeed(3.0, 0.0))
    run(20)
    parts: tuple[Any, ...] = esper.components_for_entity(entity)
    assert isinstance(esper.component_for_entity(entity, ec.Transform), ec.Transform)
    if is_other_world:
        esper.switch_world("the copy")
        install_bound()
    else:
        esper.delete_entity(entity)
        esper.clear_dead_entities()
        run()
    again = esper.create_entity(*map(copied, parts))
    run(20)
    assert esper.component_for_entity(again, OwnPosition).x == pytest.approx(3.0)
    esper.component_for_entity(again, OwnPosition).x = 50.0
    esper.component_for_entity(again, OwnSpeed).dy = 6.0
    run(10)
    place = esper.component_for_entity(again, OwnPosition)
    assert [place.x, place.y] == pytest.approx([50.5, 3.0])
    ec.uninstall()
    left: tuple[Any, ...] = esper.components_for_entity(again)
    assert sorted(type(part).__name__ for part in left) == ["Collider", "OwnPosition", "OwnSpeed"]


def test_a_copy_of_what_was_added_is_left_out_where_it_is_bound_and_counts_elsewhere() -> None:
    install_bound()
    bound, _ = create_bound_ball(1.0, 2.0, OwnSpeed(0.0, 0.0))
    other = esper.create_entity(ec.Transform(7.0, 7.0), ec.Collider(ec.Circle(0.5), sensor=True))
    run()
    for entity in (bound, other):
        esper.add_component(entity, copy.copy(esper.component_for_entity(bound, ec.Transform)))
    run()
    assert esper.component_for_entity(bound, OwnPosition).x == 1.0
    place = esper.component_for_entity(other, ec.Transform)
    assert (type(place), place.position) == (ec.Transform, (1.0, 2.0))
    for entity in (bound, other):
        parts: tuple[Any, ...] = esper.components_for_entity(entity)
        assert sum(isinstance(part, ec.Transform) for part in parts) == 1


@pytest.mark.parametrize("copied", [itself, copy.copy, copy.deepcopy, unpickled])
def test_an_added_transform_is_a_usual_one_if_nothing_is_bound(copied: Any) -> None:
    """The component replaces the present one, as a Transform does, also if the physics that added it is gone."""
    install_bound()
    bound, _ = create_bound_ball(1.0, 2.0, OwnSpeed(3.0, 0.0))
    run()
    parts = [copied(esper.remove_component(bound, kind)) for kind in (ec.Transform, ec.Velocity)]
    assert [type(part) for part in parts] == [ec.Transform, ec.Velocity]
    ec.uninstall()
    esper.delete_entity(bound)
    physics = ec.install()
    other = esper.create_entity(ec.Transform(7.0, 7.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    run()
    for part in parts:
        esper.add_component(other, part)
    run()
    assert esper.component_for_entity(other, ec.Transform) is parts[0]
    assert physics.positions[physics.row_of(other)].tolist() == pytest.approx([1.0 + 6.0 / 60.0, 2.0])
    parts[0].x = 20.0
    assert physics.positions[physics.row_of(other), 0] == 20.0


def test_bad_bindings_are_refused() -> None:
    for make in (
        lambda: ec.bind(OwnPosition(), x="x"),  # type: ignore[arg-type]
        lambda: ec.bind(OwnPosition, x=3),  # type: ignore[arg-type]
        lambda: ec.bind(OwnPosition, x="a-b"),
        lambda: ec.bind(OwnPosition, size=("w",)),  # type: ignore[arg-type]
        lambda: ec.install(transform=OwnPosition),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            make()
    assert esper._processors == []
    ec.install(transform=ec.bind(OwnPosition, x="nowhere"))
    entity, _ = create_bound_ball()
    with pytest.raises(ec.PhysicsError, match=f"entity {entity}: .* has no number at 'nowhere'"):
        run()
