"""The step plan: slices, work in Python, and looks for changes leave the world and the events as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, pairwise
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.step.changes import PlannedChanges
from ecs_collide.step.notify_stage import NotifyStage
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.plan import StepPlan, StepPoint
from ecs_collide.systems import SCHEDULE, priority_between
from tests.support.events import EventLog
from tests.support.hooks import Hook
from tests.support.worlds import DT, Game, dynamic, game, ground, static

STEPS = 240

Act = Callable[[Game, int], None]
"""Action of a game before the step of a number."""


def walls(side: float) -> None:
    for x, y in ((0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)):
        size = (1.0, side + 2.0) if x else (side + 2.0, 1.0)
        place = ec.Transform(x * (side / 2 + 0.5), y * (side / 2 + 0.5))
        esper.create_entity(place, ec.Collider(ec.Box(*size), restitution=0.9))


def gas(play: Game) -> Act:
    walls(20.0)
    random = np.random.default_rng(5)
    places, velocities = random.uniform(-9.0, 9.0, (60, 2)), random.normal(0.0, 2.5, (60, 2))
    ec.spawn(ec.Circle(0.4), places, velocities=velocities, friction=0.0, restitution=0.9)
    return lambda play, step: None


def rushing_circles(play: Game) -> Act:
    """No two are near at first: later there are more pairs than there is room for, and the first welded ones."""
    random = np.random.default_rng(6)
    places = random.uniform(-60.0, 60.0, (150, 2))
    ec.spawn(ec.Circle(0.5), places, velocities=-0.5 * places)
    esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.Box(1.0, 1.0)))
    return lambda play, step: None


def heap_that_sleeps(play: Game) -> Act:
    """Boxes fall, fall asleep, are struck by one that comes late, and by a nudge."""
    ground()
    boxes = [dynamic(ec.Box(1.0, 1.0), (0.1 * k, 0.6 + 1.1 * k)) for k in range(5)]
    esper.create_entity(ec.Transform(30.0, 0.5), ec.Velocity(-8.0, 0.0), ec.Collider(ec.Circle(0.5), friction=0.0))

    def act(play: Game, step: int) -> None:
        if step == 200:
            play.physics.apply_impulse(boxes[0], (3.0, 0.0))

    return act


def fast_and_sensed(play: Game) -> Act:
    """Create swept bodies, sensors, and bodies of several pieces."""
    walls(30.0)
    esper.create_entity(ec.Transform(4.0, 0.0), ec.Collider(ec.Circle(3.0), sensor=True))
    for k in range(6):
        velocity = ec.Velocity(90.0 - 30.0 * k, 40.0)
        esper.create_entity(ec.Transform(2.0 * k - 5.0, 0.0), velocity, ec.Collider(ec.Circle(0.2), restitution=1.0))
        dynamic(ec.Bitmap(["#.", "##"], cell_size=0.5), (2.0 * k - 5.0, 5.0))
    return lambda play, step: None


def platforms(play: Game) -> Act:
    """Create a body with a velocity on a floor, one-way platforms, a lift that stops, and a moving row of tiles."""
    walls(30.0)
    for k in range(4):
        shelf = ec.Collider(ec.Box(4.0, 0.2), one_way=(0.0, 1.0))
        esper.create_entity(ec.Transform(3.0 * k - 6.0, 3.0 * k - 12.0), shelf)
    lift, rows = ec.Velocity(0.0, 1.5), []
    esper.create_entity(
        ec.Transform(8.0, -14.0), lift, ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(3.0, 0.4))
    )
    for k in range(3):
        rows.append(ec.Velocity(1.0, 0.0))
        kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
        esper.create_entity(ec.Transform(k - 10.0, 8.0), rows[-1], kinematic, ec.Collider(ec.Box(1.0, 1.0)))
    esper.create_entity(ec.Transform(-6.0, 8.0), ec.Collider(ec.Box(1.0, 1.0)))
    for k in range(8):
        dynamic(ec.Box(0.6, 0.6), (2.0 * k - 8.0, 5.0 + 0.2 * k))
    walker = ec.Velocity()
    esper.create_entity(ec.Transform(0.0, -14.0), walker, ec.Collider(ec.Capsule((0.0, -0.3), (0.0, 0.3), 0.3)))

    def act(play: Game, step: int) -> None:
        walker.x = 4.0 * np.sin(0.05 * step).item()
        if step % 60 == 59:
            lift.y = 0.0 if step % 120 == 59 else 1.5
            for row in rows:
                row.x = -row.x
        if step % 40 == 20:
            walker.y += 8.0

    return act


def coming_and_going(play: Game) -> Act:
    walls(20.0)
    crowd = [dynamic(ec.Circle(0.4), (1.2 * k - 8.0, 0.3 * (k % 3))) for k in range(14)]

    def act(play: Game, step: int) -> None:
        if step % 7 == 3:
            esper.delete_entity(crowd.pop(0), immediate=True)
            crowd.append(dynamic(ec.Box(0.5, 0.5), (0.0, 8.0)))
        if step % 31 == 5:
            esper.component_for_entity(crowd[3], ec.Transform).position = (-8.0, 8.0)
        if step == 100:
            play.physics.gravity = (3.0, 10.0)
        if step == 150:
            ec.on("collision_hit", print_nothing)

    return act


def joined(play: Game) -> Act:
    """A motor, a mouse and a limit that are written, a rope that tears and is mended, and a ragged chain over a box."""
    walls(20.0)
    log = EventLog(
        "joint_break", "joint_end", hear=lambda name, received: play.events.append((play.steps, name, received))
    )
    links = [dynamic(ec.Box(1.0, 0.2), (k - 4.0, 6.0)) for k in range(8)]
    dynamic(ec.Box(2.0, 2.0), (0.0, 2.0))
    for a, b in pairwise(links):
        esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(0.5, 0.0), anchor_b=(-0.5, 0.0), lower=-1.0, upper=1.0))
    motor = ec.RevoluteJoint(links[0], anchor_a=(-0.5, 0.0), max_motor_torque=200.0)
    esper.create_entity(motor)
    load = dynamic(ec.Circle(0.5), (7.0, 0.0))
    rope = ec.DistanceJoint(load, anchor_b=(7.0, 5.0), min_length=0.0, max_length=5.0, break_force=60.0)
    esper.create_entity(rope)
    hand = ec.TargetJoint(dynamic(ec.Circle(0.5), (-7.0, -5.0)), target=(-7.0, -5.0), max_force=500.0)
    mouse = esper.create_entity(hand)

    def act(play: Game, step: int, kept: EventLog = log) -> None:
        if step < 150:
            hand.target = (-7.0 + 0.1 * (step % 50), -5.0)
        if step % 50 == 0:
            motor.motor_speed = 0.3 - 0.004 * step
        if step == 60:
            play.physics.apply_impulse(load, (0.0, -20.0))
        if step == 120:
            rope.mend()
        if step == 180:
            rope.max_length = 2.0
            esper.delete_entity(mouse, immediate=True)

    return act


def print_nothing(contact: ec.Contact) -> None:
    """A handler that comes late."""


SCENES: tuple[Callable[[Game], Act], ...] = (
    gas,
    rushing_circles,
    heap_that_sleeps,
    fast_and_sensed,
    platforms,
    coming_and_going,
    joined,
)
SETTINGS: dict[str, dict[str, Any]] = {
    "falling": {"gravity": (0.0, -10.0)},
    "drifting": {"gravity": (0.0, 0.0), "sleeping": False},
    "fixed": {"gravity": (0.0, -10.0), "fixed_dt": DT},
}


def interleave() -> None:
    """Put a processor that does nothing between every two systems."""
    for before, after in pairwise(SCHEDULE):
        esper.add_processor(type(f"Nothing{after.__name__}", (Hook,), {})(int), priority_between(before, after))


def check_inputs(play: Game) -> None:
    """Check that the list of calls is prepared from the objects that the stages have now."""
    plan = play.physics.pipeline.plan
    if not play.physics.pipeline.state.is_list_current:
        return
    stages, is_current = plan._prepare()
    assert is_current
    assert len(stages) == len(plan._stages)


def played(scene: Callable[[Game], Act], settings: dict[str, Any], way: str) -> Iterator[object]:
    """Return the visible state of a world after each of its steps."""
    with game(**settings) as play:
        if way == "slices":
            interleave()
        act = scene(play)
        for step in range(STEPS):
            act(play, step)
            if way == "looks anew":
                play.physics.pipeline.invalidate()
            play.step()
            check_inputs(play)
            seen = play.physics.statistics
            counts = seen.steps, seen.bodies, seen.sleeping_bodies, seen.pairs, seen.contacts, seen.stopped_bodies
            events = [(at, name, str(arguments)) for at, name, arguments in play.events]
            play.events.clear()
            yield counts, play.physics.state_hash(), events, play.physics.interpolated_poses.tolist()


@pytest.mark.parametrize("way", ["slices", "looks anew"])
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("scene", SCENES)
def test_neither_slices_nor_looks_for_changes_make_a_difference(
    scene: Callable[[Game], Act], settings: str, way: str
) -> None:
    in_one_slice = list(played(scene, SETTINGS[settings], "one slice"))
    otherwise = list(played(scene, SETTINGS[settings], way))
    for step, one, other in zip(count(), in_one_slice, otherwise, strict=False):
        assert one == other, f"step {step}"


@contextmanager
def reported(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[StepPoint]]:
    """The points at which Python had work."""
    points: list[StepPoint] = []
    resume = StepPlan.resume

    def noted(self: StepPlan, call: int, end: int) -> None:
        points.append(self._points[call])
        resume(self, call, end)

    with monkeypatch.context() as patched:
        patched.setattr(StepPlan, "resume", noted)
        yield points


@contextmanager
def counted_looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The steps before which a world looked for changes of any kind."""
    looks: list[float] = []
    plan_changes = Pipeline._plan_changes

    def noted(self: Pipeline, dt: float) -> PlannedChanges | None:
        looks.append(dt)
        return plan_changes(self, dt)

    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "_plan_changes", noted)
        yield looks


def test_an_unchanged_world_without_listeners_is_stepped_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    with reported(monkeypatch) as points, counted_looks(monkeypatch) as looks:
        with game(gravity=(0.0, 0.0), sleeping=False) as play:
            for name in list(esper.event_registry):
                del esper.event_registry[name]
            gas(play)
            play.step(STEPS)
        assert len(looks) < 6
        assert len(points) < 0.05 * STEPS


def test_hooks_do_not_bring_more_python_into_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    with reported(monkeypatch) as points, counted_looks(monkeypatch) as looks:
        with game(gravity=(0.0, 0.0), sleeping=False) as play:
            for name in list(esper.event_registry):
                del esper.event_registry[name]
            interleave()
            gas(play)
            play.step(STEPS)
        assert len(looks) < 6
        assert len(points) < 0.05 * STEPS


def test_only_steps_with_a_hit_bring_python_in_if_a_game_listens_for_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    with reported(monkeypatch) as points, game(gravity=(0.0, 0.0), sleeping=False) as play:
        log = EventLog("collision_hit")
        static(ec.HalfPlane(), restitution=1.0)
        ball = dynamic(ec.Circle(0.5), (0.0, 3.0), (0.0, -2.0), restitution=1.0)
        play.step(120)
        assert len(log.calls) == 1
        assert len(points) <= 8  # the hit, and steps in which pairs come and go
        velocity = esper.component_for_entity(ball, ec.Velocity)
        velocity.y = -2.0
        play.step(120)
        assert len(log.calls) == 2


def test_colliding_entities_are_filled_only_when_touches_or_holders_change(monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[None] = []
    fill = NotifyStage.fill_colliding_entities
    monkeypatch.setattr(NotifyStage, "fill_colliding_entities", lambda self: filled.append(fill(self)))
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        floor = static(ec.HalfPlane())
        boxes = [dynamic(ec.Box(1.0, 1.0), (3.0 * k, 0.5)) for k in range(3)]
        esper.add_component(boxes[0], first := ec.CollidingEntities())
        play.step(10)
        assert first.entities == (floor,)
        filled.clear()
        play.step(10)
        assert filled == []
        esper.add_component(boxes[1], second := ec.CollidingEntities())
        play.step()
        assert second.entities == (floor,)
        esper.add_component(boxes[1], third := ec.CollidingEntities())
        play.step()
        assert third.entities == (floor,)
        esper.component_for_entity(boxes[0], ec.Velocity).y = 3.0
        play.step(10)
        assert [first.entities, third.entities] == [(), (floor,)]


def test_numbers_of_joints_that_are_written_bring_no_python_into_the_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    with reported(monkeypatch) as points, game(gravity=(0.0, -10.0)):
        wheel = dynamic(ec.Circle(0.5))
        motor = ec.RevoluteJoint(wheel, max_motor_torque=50.0)
        esper.create_entity(motor)
        for step in range(60):
            motor.motor_speed = 0.1 * step
            esper.process(DT)
            assert motor.speed == pytest.approx(motor.motor_speed)
        assert set(points[10:]) == {StepPoint.EVENTS}
        motor.lower, motor.upper = 1.0, -1.0
        with pytest.raises(ec.PhysicsError, match=r"lower 1\.0 is above upper -1\.0"):
            esper.process(DT)
        motor.upper = 2.0
        esper.process(DT)


def test_a_joint_that_breaks_sends_its_event_in_that_step() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        bob = dynamic(ec.Circle(0.5))
        joint = ec.RevoluteJoint(bob, break_force=20.0)
        entity = esper.create_entity(joint)
        log = EventLog("joint_break")
        play.step(10)
        play.physics.apply_impulse(bob, (0.0, -1.0))
        play.step()
        assert [name for name, _ in log.calls] == ["joint_break"]
        assert log.calls[0][1][0] == entity
        assert joint.broken
        play.step(20)
        assert len(log.calls) == 1


def test_joints_and_listeners_of_another_world_cost_a_world_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with game(gravity=(0.0, -10.0)) as other:
        esper.create_entity(ec.RevoluteJoint(dynamic(ec.Circle(0.5))))
        esper.create_entity(ec.Transform(), ec.CollidingEntities())
        other.step()
    with reported(monkeypatch) as points, counted_looks(monkeypatch) as looks:
        with game(gravity=(0.0, 0.0), sleeping=False) as play:
            dynamic(ec.Circle(0.5))
            play.step(50)
            assert play.physics.pipeline.world_joints.find() is None
        assert len(looks) <= 3
        assert len(points) <= 3


class Place:
    """A game's own component."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


def test_bound_components_are_read_before_and_written_after_each_step() -> None:
    bound = ec.bind(Place, x="x", y="y")
    with game(gravity=(0.0, -10.0), transform=bound) as play:
        place = Place(0.0, 0.0)
        esper.create_entity(place, ec.Velocity(3.0, 0.0), ec.Collider(ec.Circle(0.5)))
        play.step(60)
        assert place.x == pytest.approx(3.0)
        place.x = 10.0
        play.step(60)
        assert place.x == pytest.approx(13.0)


def test_every_system_has_a_time() -> None:
    with game() as play:
        gas(play)
        play.step(20)
        times = play.physics.statistics.milliseconds
    assert list(times) == ["Synchronise", "Broadphase", "Narrowphase", "Response", "Notify"]
    assert all(time > 0.0 for time in times.values())


def test_a_bad_number_stops_a_step_before_it_begins() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        entity = dynamic(ec.Circle(1.0), (1.0, 2.0))
        play.step(3)
        play.physics.velocities[play.physics.row_of(entity), 0] = np.nan
        with pytest.raises(ec.PhysicsError, match=f"entity {entity}: Velocity.x is nan"):
            play.step()
        assert play.pose(entity)[:2] == (1.0, 2.0)
        play.physics.velocities[play.physics.row_of(entity), 0] = 1.0
        play.step()
        assert play.pose(entity)[0] > 1.0


def test_a_body_moved_before_a_refused_step_is_found_there() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        entity = dynamic(ec.Circle(0.5))
        play.step(3)
        esper.component_for_entity(entity, ec.Transform).position = (5.0, 7.0)
        wrong = esper.create_entity(ec.Velocity())
        with pytest.raises(ec.PhysicsError):
            play.step()
        esper.delete_entity(wrong, immediate=True)
        hit = play.physics.ray_cast((5.0, 0.0), (5.0, 10.0))
        assert hit is not None
        assert hit.entity == entity
        play.step()
        assert play.pose(entity) == (5.0, 7.0, 0.0)


def test_more_kinematic_bodies_than_there_was_room_for_are_swept() -> None:
    """Rows of others are free for them, so nothing else grows with their list."""

    def plate(x: float, y: float, speed: float = 0.0) -> int:
        kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
        return esper.create_entity(ec.Transform(x, y), ec.Velocity(speed), kinematic, ec.Collider(ec.Box(0.1, 2.0)))

    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        crowd = ec.spawn(ec.Circle(0.2), [(3.0 * k, 500.0) for k in range(300)], velocities=(0.0, 0.0))
        for k in range(60):
            plate(5.0 * k, -50.0)
        play.step()
        for entity in crowd[:60]:
            esper.delete_entity(entity)
        play.step(4)
        columns = play.physics.pipeline.bodies.arrays
        for k in range(39):
            plate(5.0 * k, -80.0)
        last, ball = plate(-2.0, 0.0, 90.0), dynamic(ec.Circle(0.2))
        for _ in range(4):
            play.step()
            assert play.pose(ball)[0] > play.pose(last)[0]
        assert play.physics.pipeline.bodies.arrays is columns


def test_a_world_does_no_work_for_features_that_are_gone() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ball = dynamic(ec.Circle(0.5), (0.0, 5.0))
        belt = static(ec.Box(4.0, 1.0), (0.0, 0.0))
        collider = ec.Collider(ec.Box(4.0, 0.2), one_way=(0.0, 1.0))
        shelf = esper.create_entity(ec.Transform(0.0, 2.0), collider)
        tiles = static(ec.Bitmap(["##"], cell_size=1.0), (-1.0, -1.0))
        play.step(3)
        bodies, finder = play.physics.pipeline.bodies, play.physics.pipeline.contact_finder
        assert (bodies.has_one_way, bodies.has_surfaces) == (True, False)
        collider.one_way = None
        esper.component_for_entity(belt, ec.Collider).surface_speed = 1.0
        play.step()
        assert (bodies.has_one_way, bodies.has_surfaces) == (False, True)
        collider.one_way = (0.0, 1.0)
        play.step()
        assert (bodies.has_one_way, bodies.has_surfaces) == (True, True)
        esper.component_for_entity(ball, ec.Transform).position = (0.0, -0.4)
        play.step(3)
        assert finder.is_welding
        for entity in (belt, shelf, tiles):
            esper.delete_entity(entity, immediate=True)
        play.step()
        assert (bodies.has_one_way, bodies.has_surfaces, finder.is_welding) == (False, False, False)


def test_a_coin_that_comes_and_goes_leaves_the_list_of_calls_as_it_is() -> None:
    """Static pieces open the gate of the broadphase, at which a new list would end."""
    with game(gravity=(0.0, -10.0)) as play:
        for k in range(500):
            static(ec.Box(1.0, 1.0), (1.5 * (k % 50), 1.5 * (k // 50)))
        for k in range(20):
            dynamic(ec.Circle(0.3), (float(k), 20.0), (1.0, 0.0))
        runs = []
        for k in range(20):
            coin = static(ec.Circle(0.3), (3.0 + k % 7, 30.0), sensor=True)
            play.step(1)
            esper.delete_entity(coin)
            runs.append(play.physics.pipeline.plan.run)
        assert all(run is runs[-1] for run in runs[10:])
