"""Simulations of tests: steps, the log of events, checks and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import esper
import pytest

import ecs_collide as ec
from ecs_collide.testing import GameSimulation, fresh_world, simulated, write_report
from tests.support.worlds import disk, floor, static, transform, velocity


class Player:
    """A component of a trial."""


@pytest.fixture
def trial() -> Iterator[GameSimulation]:
    with simulated(gravity=(0.0, -10.0)) as simulation:
        yield simulation


def failure(message: str) -> pytest.RaisesExc[AssertionError]:
    return pytest.raises(AssertionError, match=message)


def test_time_goes_on_in_whole_steps(trial: GameSimulation) -> None:
    trial.simulate(1.0)
    assert trial.frame == 60 and trial.time == pytest.approx(1.0)
    trial.simulate(1e-6)
    trial.step(0)
    assert trial.frame == 61
    assert repr(trial) == "<GameSimulation: step 61, 1.02 s, 0 events>"
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="seconds"):
            trial.simulate(wrong)


def test_a_game_with_an_update_function_of_its_own_is_stepped_by_it(trial: GameSimulation) -> None:
    lengths = []

    def update(dt: float) -> None:
        lengths.append(dt)
        esper.process(dt / 2)

    trial.process = update
    trial.dt = 0.02
    ball = disk(0, 5)
    trial.step(2)
    assert lengths == [0.02, 0.02]
    assert trial.time == pytest.approx(0.04)
    assert velocity(ball).y == pytest.approx(-0.2)


def test_events_are_logged_with_their_time_and_entities(trial: GameSimulation) -> None:
    ground, ball, zone = floor(), disk(0, 2), static(ec.Circle(0.1), (0, 1), sensor=True)
    joint = esper.create_entity(ec.RevoluteJoint(disk(9, 99), break_force=1.0))
    trial.simulate(1.5)
    (start,) = trial.events_of("collision_start")
    assert start.entities == (ground, ball) and start.contact.normal == (0.0, 1.0)
    assert start.frame == round(60 * start.time) and 0.4 < start.time < 0.7
    assert [event.entities for event in trial.events_of("sensor_enter", ball)] == [(zone, ball)]
    assert [event.entities for event in trial.events_of("joint_break")] == [(joint,)]
    assert trial.events_of("collision_start", joint) == []
    with pytest.raises(ValueError, match="'collision_begin'"):
        trial.events_of("collision_begin")  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="sensor_enter has no contact"):
        _ = trial.events_of("sensor_enter")[0].contact


def test_entities_are_described_by_name_or_by_their_components(trial: GameSimulation) -> None:
    ball, player, joint = disk(), esper.create_entity(ec.Transform(), Player()), 7
    assert trial.describe(ball) == f"entity {ball} (Circle)"
    assert trial.describe(player) == f"entity {player} (Player)"
    assert trial.describe(joint) == "entity 7"
    trial.name(ball=ball, player=player)
    assert trial.describe(ball) == f"ball (entity {ball})"
    esper.delete_entity(ball, immediate=True)
    assert trial.names == {player: "player"}


def test_waiting_for_a_condition_returns_the_time_that_it_took(trial: GameSimulation) -> None:
    ball = disk(0, 5)
    assert trial.run_until(lambda: True) == 0.0
    took = trial.run_until(lambda: trial.position(ball)[1] < 4.0)
    assert took == pytest.approx(0.45, abs=0.02)


def test_a_condition_that_never_comes_true_is_reported_with_all_named_entities(trial: GameSimulation) -> None:
    ball, coin, hinge = disk(0, 5), disk(9, 9), esper.create_entity(ec.RevoluteJoint(disk(20, 0)))
    trial.name(ball=ball, coin=coin, hinge=hinge)

    def ball_is_up() -> bool:
        return trial.position(ball)[1] > 6.0

    esper.delete_entity(coin)
    with failure(r"^ball_is_up is not true after 0.5 s\n  ball \(entity 1\) at \(0.000, 3.\d+\), speed 5\.0\d+$"):
        trial.run_until(ball_is_up, 0.5)
    assert trial.time == pytest.approx(0.5)
    with failure(r"^the condition is not true"):
        trial.run_until(lambda: False, 0.1)
    with failure(r"^the door opens is not true"):
        trial.run_until(lambda: False, 0.1, "the door opens")


def test_touching_is_seen_now_or_waited_for(trial: GameSimulation) -> None:
    ground, ball = floor(), disk(0, 2)
    with failure(r"entity 2 \(Circle\) and entity 1 \(HalfPlane\) do not touch, at 0.00 s: their distance is 1\.500\n"):
        trial.assert_touching(ball, ground)
    assert 0.4 < trial.assert_touching(ball, ground, timeout=2.0) < 0.7
    assert trial.assert_touching(ground, ball) == 0.0


def test_what_touches_instead_is_named(trial: GameSimulation) -> None:
    ground, ball, wall = floor(), disk(0, 0.5), static(ec.Box(1, 9), (6, 0))
    trial.name(ground=ground, ball=ball, wall=wall)
    trial.simulate(0.2)
    with failure(
        r"^ball \(entity 2\) and wall \(entity 3\) do not touch within 0.1 s, at 0.30 s: their distance is 5\.000\n"
        r"  ball \(entity 2\) at \(0.000, 0.\d+\) is touched by ground \(entity 1\)\n"
        r"  wall \(entity 3\) at \(6.000, 0.000\) is touched by nothing$"
    ):
        trial.assert_touching(ball, wall, timeout=0.1)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (lambda: 99, "entity 99 does not exist"),
        (lambda: esper.create_entity(ec.Transform(), ec.Velocity()), "entity 2 has no Collider"),
        (floor, "both are unbounded"),
    ],
)
def test_what_can_touch_nothing_is_reported(trial: GameSimulation, other: object, reason: str) -> None:
    ground = floor()
    assert callable(other)
    with failure(reason):
        trial.assert_touching(ground, other())


def test_what_never_touches_is_checked_from_the_beginning_on(trial: GameSimulation) -> None:
    ground, ball, far = floor(), disk(0, 1), disk(9, 99)
    ball_bounces = esper.component_for_entity(ball, ec.Collider)
    ball_bounces.restitution = 1.0
    trial.name(ball=ball)
    trial.assert_never_touching(ball, far, seconds=0.5)
    assert trial.frame == 30 and not trial.physics.touching(ball, ground)
    with failure(r"^ball \(entity 2\) and entity 1 \(HalfPlane\) touched at 0.3\d s at \(0.000, -?0.0\d+\)"):
        trial.assert_never_touching(ball, ground)


def test_what_touches_later_is_reported_when_it_does(trial: GameSimulation) -> None:
    ball, zone = disk(0, 3), static(ec.Circle(0.5), (0, 0), sensor=True)
    trial.name(ball=ball, zone=zone)
    with failure(r"^zone \(entity 2\) and ball \(entity 1\) touched at 0.6\d s\n  zone \(entity 2\) at \(0"):
        trial.assert_never_touching(zone, ball, seconds=5.0)
    assert trial.time < 0.7


def test_rest_is_waited_for(trial: GameSimulation) -> None:
    floor()
    ball = disk(0, 3)
    assert 0.8 < trial.assert_comes_to_rest(ball) < 2.0
    assert trial.assert_comes_to_rest() == pytest.approx(0.2, abs=0.02)
    velocity(ball).linear = (3.0, 0.0)
    with failure(r"^not at rest after 0.1 s\n  entity 2 \(Circle\) at \(0.\d+, 0.\d+\), speed [23].\d+$"):
        trial.assert_comes_to_rest(timeout=0.1)
    assert trial.assert_comes_to_rest(ball, speed=9.0) == pytest.approx(0.2, abs=0.02)


def test_a_body_that_only_turns_is_not_at_rest() -> None:
    with simulated() as trial:
        wheel = disk()
        velocity(wheel).angular = 1.0
        with failure("speed 0.000"):
            trial.assert_comes_to_rest(wheel, timeout=0.5)


def test_a_body_at_the_top_of_its_way_is_not_at_rest(trial: GameSimulation) -> None:
    ball = disk(0, 3)
    velocity(ball).y = 1.0
    with failure("not at rest after 0.3 s"):
        trial.assert_comes_to_rest(ball, timeout=0.3)


def test_many_bodies_that_move_are_not_all_listed(trial: GameSimulation) -> None:
    for k in range(12):
        disk(3 * k, 0)
    with pytest.raises(AssertionError) as caught:
        trial.assert_comes_to_rest(timeout=0.1)
    assert str(caught.value).count("\n") == 9 and str(caught.value).endswith("\n  and 4 more")


def test_a_line_that_is_passed(trial: GameSimulation) -> None:
    ball = disk(0, 5)
    velocity(ball).x = 2.0
    assert trial.assert_passes(ball, x=1.0) == pytest.approx(0.5, abs=0.02)
    assert trial.assert_passes(ball, y=3.0) == pytest.approx(0.13, abs=0.03)
    velocity(ball).x = -2.0
    assert trial.assert_passes(ball, x=0.0) == pytest.approx(0.6, abs=0.1)


def test_how_far_something_came_that_does_not_pass_a_line(trial: GameSimulation) -> None:
    floor()
    ball = disk(0, 3)
    trial.name(ball=ball)
    with failure(r"^ball \(entity 2\) did not pass y = -1 within 1 s: from 3.000 it came as far as 0.500\n  ball \("):
        trial.assert_passes(ball, y=-1.0, timeout=1.0)
    for lines in ({}, {"x": 0.0, "y": 0.0}):
        with pytest.raises(ValueError, match="give one of x and y"):
            trial.assert_passes(ball, **lines)


def test_something_that_is_deleted_on_the_way_passes_nothing(trial: GameSimulation) -> None:
    ball = disk(0, 3)

    def update(dt: float) -> None:
        esper.process(dt)
        if trial.frame == 30:
            esper.delete_entity(ball, immediate=True)

    trial.process = update
    with failure(r"^entity 1 \(Circle\) was deleted at 0.50 s, before it passed y = 0: it came as far as 1\.\d+"):
        trial.assert_passes(ball, y=0.0)


def test_a_game_with_components_of_its_own_is_checked() -> None:
    class Place:
        def __init__(self, x: float, y: float) -> None:
            self.x, self.y = x, y

    class Speed(Place):
        pass

    with simulated(gravity=(0.0, -10.0), transform=ec.bind(Place), velocity=ec.bind(Speed)) as trial:
        ball = esper.create_entity(Place(0.0, 5.0), Speed(1.0, 0.0), ec.Collider(ec.Circle(0.5)))
        trial.assert_passes(ball, x=1.0)
        assert trial.position(ball)[0] == pytest.approx(1.0, abs=0.05)
        assert trial.speed(ball) > 5.0
        assert trial.describe(ball) == f"entity {ball} (Place, Speed, Circle)"


def test_without_physics_the_error_says_what_to_do() -> None:
    with fresh_world(), pytest.raises(ec.PhysicsError, match=r"install\(\)"):
        GameSimulation().assert_touching(esper.create_entity(), esper.create_entity())


def test_the_world_around_is_current_again_even_if_it_was_left_or_a_test_fails() -> None:
    before = esper.current_world, esper.list_worlds()
    with pytest.raises(KeyError), fresh_world("level") as name:
        assert esper.current_world == name and re.fullmatch(r"level \(\d+\)", name)
        esper.switch_world("deeper")
        raise KeyError
    assert (esper.current_world, esper.list_worlds()) == before
    with fresh_world() as outer, fresh_world() as inner:
        assert inner != outer and esper.current_world == inner


def test_the_replay_keeps_the_last_seconds(trial: GameSimulation, tmp_path: Path) -> None:
    short = GameSimulation(keep=0.5)
    disk(0, 100)
    short.simulate(2.0)
    assert short.recorder is not None and len(short.recorder) == 30
    trial.simulate(2.0)
    assert trial.recorder is not None and len(trial.recorder) == 120
    files = write_report(tmp_path / "new" / "folder", "a test", simulation=short)
    assert [file.suffix for file in files] == [".svg", ".html"] and all(file.is_file() for file in files)


def test_a_simulation_changes_no_bit_of_the_world() -> None:
    hashes = set()
    for is_watched in (True, False):
        with simulated(gravity=(0.0, -10.0)) as trial:
            floor()
            for k in range(5):
                disk(0.3 * k, 1 + k)
            if is_watched:
                trial.simulate(1.0)
            else:
                for _ in range(60):
                    esper.process(1 / 60)
            hashes.add(trial.physics.state_hash())
            assert transform(2).y > 0.0
    assert len(hashes) == 1
