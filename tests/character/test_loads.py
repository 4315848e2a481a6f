"""Weight of characters on dynamic floors, and pushes against dynamic bodies."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.characters import Walker, character
from tests.support.worlds import DT, dynamic, game, static, transform, velocity

G = 10.0


class Decide(ec.systems.BeforeStep):
    """A player that walks to the right."""

    def before_step(self, dt: float) -> None:
        """Write the velocity of each character."""
        for _, control in esper.get_component(ec.CharacterController):
            control.velocity = (2.0, -0.3)


def heavy(mass: float, x: float, y: float) -> int:
    """Create a character of a mass, 0.6 by 1.7 m."""
    return esper.create_entity(
        ec.Transform(x, y),
        ec.Velocity(),
        ec.RigidBody(ec.BodyKind.KINEMATIC, mass=mass),
        ec.Collider(ec.Box(0.6, 1.7)),
    )


@pytest.mark.parametrize("mass", [20.0, 80.0])
def test_a_scale_shows_its_weight(mass: float) -> None:
    depths = []
    for is_character in (True, False):
        depths.append(depth_of_a_scale(mass, is_character))
    assert depths[0] == pytest.approx(depths[1], rel=0.1) and depths[0] > 0.05


def depth_of_a_scale(mass: float, is_character: bool) -> float:
    """Return how far a scale sinks under a character, or under a force of the same weight [m]."""
    with game(gravity=(0.0, -G)) as play:
        base = static(ec.Box(1.0, 0.2), (0.0, -3.0))
        pan = dynamic(ec.Box(3.0, 0.2), (0.0, -0.1), density=10.0 / 0.6)
        esper.add_component(pan, ec.RigidBody(lock_rotation=True, lock_x=True))
        spring = ec.DistanceJoint(base, pan, length=2.9, hertz=3.0, damping_ratio=1.0)
        esper.create_entity(spring)
        play.step(240)
        empty = transform(pan).y
        if is_character:
            walker = Walker(play, heavy(mass, 0.0, empty + 0.1 + 0.85))
            walker.walk(0.0, 400)
            assert walker.in_air == 0 and walker.slide.floor == pan
        for _ in range(0 if is_character else 400):
            play.physics.apply_force(pan, (0.0, -mass * G))
            play.step()
        return empty - transform(pan).y


def test_a_falling_board_is_not_pressed_by_who_falls_with_it() -> None:
    with game(gravity=(0.0, -G)) as play:
        board = dynamic(ec.Box(4.0, 0.2), (0.0, -0.1))
        walker = Walker(play, heavy(50.0, 0.0, 0.85))
        walker.walk(0.0, 30)
        assert walker.in_air == 0 and walker.slide.floor == board
        assert velocity(board).y == pytest.approx(-G * 0.5, abs=0.6)


@pytest.mark.parametrize("push_force", [None, 300.0])
def test_a_crate_is_pushed_no_faster_than_it_walks(push_force: float | None) -> None:
    with game(gravity=(0.0, -G)) as play:
        static(ec.Box(80.0, 1.0), (0.0, -0.5), friction=0.5)
        crate = dynamic(ec.Box(1.0, 1.0), (2.0, 0.5), density=40.0, friction=0.5)
        walker = Walker(play, heavy(70.0, 0.0, 0.85), push_force=push_force)
        pushed = 0.0
        for _ in range(180):
            slide = walker.walk(2.0)
            pushed = max([pushed, *[hit.push for hit in slide.hits if hit.entity == crate]])
            assert velocity(crate).x <= 2.05
        assert transform(crate).x > 3.5
        assert 0.0 < pushed <= (300.0 if push_force else 70.0 * G) + 1e-9
        assert transform(crate).x - transform(walker.entity).x > 0.8 - 1e-3


@pytest.mark.parametrize("rules", [{"push_force": 0.0}, {"push_force": 50.0}, {"mass": 0.0}])
def test_a_crate_that_is_too_heavy_or_a_force_of_0_stays(rules: dict[str, float]) -> None:
    with game(gravity=(0.0, -G)) as play:
        static(ec.Box(80.0, 1.0), (0.0, -0.5), friction=0.5)
        crate = dynamic(ec.Box(1.0, 1.0), (2.0, 0.5), density=40.0, friction=0.5)
        walker = Walker(play, heavy(70.0, 0.0, 0.85), **rules)
        slide = walker.walk(2.0, 120)
        assert transform(crate).x == pytest.approx(2.0, abs=1e-3)
        assert slide.on_wall and slide.position[0] == pytest.approx(1.2, abs=1e-3)


def test_without_a_mass_of_its_own_it_weighs_what_its_collider_says() -> None:
    ends = []
    for entity_mass in (None, 1.7 * 0.6 * 3.0):
        with game(gravity=(0.0, -G)) as play:
            board = dynamic(ec.Box(4.0, 0.2), (0.0, -0.1))
            esper.add_component(board, ec.RigidBody(lock_rotation=True, gravity_scale=0.0))
            man = esper.create_entity(
                ec.Transform(0.0, 0.85),
                ec.RigidBody(ec.BodyKind.KINEMATIC, mass=entity_mass),
                ec.Collider(ec.Box(0.6, 1.7), density=3.0),
            )
            Walker(play, man).walk(0.0, 30)
            ends.append(transform(board).y)
    assert ends[0] == pytest.approx(ends[1], abs=1e-12) and ends[0] < -0.3


def test_the_system_loads_and_pushes_too_at_any_frame_rate() -> None:
    ends = []
    for rate in (30, 60, 120):
        with game(gravity=(0.0, -G), fixed_dt=DT) as play:
            esper.add_processor(ec.systems.MoveCharacters(play.physics), priority=100)
            static(ec.Box(80.0, 1.0), (0.0, -0.5), friction=0.5)
            crate = dynamic(ec.Box(1.0, 1.0), (2.0, 0.5), density=40.0, friction=0.5)
            esper.add_processor(Decide(play.physics), priority=110)
            character(ec.Box(0.6, 1.7), 0.0, 0.85, ec.CharacterController(mass=70.0))
            for _ in range(3 * rate):
                esper.process(1.0 / rate)
            ends.append(transform(crate).x)
    assert ends[0] == pytest.approx(ends[1], abs=0.05) and ends[2] == pytest.approx(ends[1], abs=0.05)
    assert ends[1] > 3.0


@pytest.mark.parametrize("argument", ["mass", "push_force"])
def test_a_negative_strength_is_refused(argument: str) -> None:
    with game() as play:
        man = character(ec.Box(0.6, 1.7), 0.0, 5.0)
        with pytest.raises(ValueError, match=f"{argument} must be"):
            play.physics.move_and_slide(man, (0.0, 0.0), DT, **{argument: -1.0})  # type: ignore[arg-type]


def seesaw(load: float, *, kinematic: bool) -> tuple[float, int]:
    """Return the height of a character on a seesaw after a box fell on the other end [m], and its steps in the air."""
    with game(gravity=(0.0, -G)) as play:
        plank = dynamic(ec.Box(6.0, 0.2), (0.0, 1.0), density=20.0)
        esper.create_entity(ec.RevoluteJoint(plank, lower=-0.25, upper=0.25))
        walker = Walker(play, heavy(70.0, -2.5, 1.1 + 0.85), mass=0.0 if kinematic else None)
        walker.walk(0.0, 90)
        dynamic(ec.Box(0.6, 0.6), (2.5, 2.0), density=load / 0.36, friction=1.0)
        walker.in_air = 0
        walker.walk(0.0, 60)
        return transform(walker.entity).y, walker.in_air


def test_a_seesaw_lifts_a_character_by_what_is_heavier_on_its_other_end() -> None:
    low, _ = seesaw(35.0, kinematic=False)
    high, in_air = seesaw(300.0, kinematic=False)
    assert high > low + 0.8 and in_air == 0
    assert seesaw(300.0, kinematic=True)[0] < 2.3  # without a mass it is an obstacle like a wall


def test_a_scale_that_sank_too_far_rises_again_under_a_character() -> None:
    with game(gravity=(0.0, -G)) as play:
        pan = dynamic(ec.Box(3.0, 0.2), (0.0, -0.1), (0.0, 0.0), ec.RigidBody(mass=20.0, lock_rotation=True))
        esper.create_entity(ec.PrismaticJoint(pan, axis=(0.0, 1.0), hertz=2.0, damping_ratio=0.3))
        walker = Walker(play, heavy(80.0, 0.0, 1.5))
        heights = []
        for _ in range(360):
            walker.walk(0.0)
            heights.append(transform(pan).y)
        rest = heights[-1]
        assert min(heights) < 1.2 * (rest + 0.1) - 0.1 and max(heights[60:]) > rest + 0.01
        stiffness = 20.0 * (2.0 * math.pi * 2.0) ** 2
        assert rest == pytest.approx(-0.1 - 100.0 * G / stiffness, abs=0.02)


def test_a_floor_with_a_load_touches_its_character_all_the_time() -> None:
    with game(gravity=(0.0, -G)) as play:
        plank = dynamic(ec.Box(6.0, 0.2), (0.0, 1.0), density=20.0)
        esper.create_entity(ec.RevoluteJoint(plank, lower=-0.25, upper=0.25))
        walker = Walker(play, heavy(70.0, -2.5, 1.1 + 0.85))
        walker.walk(0.0, 90)
        its = [name for name, a, b in play.named_pairs() if walker.entity in (a, b)]
        assert its == ["collision_start"] and play.physics.touching(walker.entity, plank)


def test_a_dynamic_lift_stops_when_its_character_meets_a_ceiling() -> None:
    with game(gravity=(0.0, -G)) as play:
        static(ec.Box(6.0, 1.0), (0.0, 3.5))
        lift = dynamic(ec.Box(3.0, 0.2), (0.0, -0.1), (0.0, 0.0), ec.RigidBody(mass=100.0, lock_rotation=True))
        esper.create_entity(ec.PrismaticJoint(lift, axis=(0.0, 1.0), motor_speed=1.0, max_motor_force=4000.0))
        walker = Walker(play, heavy(70.0, 0.0, 0.85))
        walker.walk(0.0, 240)
        assert walker.slide.on_ceiling and walker.slide.floor == lift
        assert transform(walker.entity).y == pytest.approx(3.0 - 0.85, abs=1e-5)
        assert transform(lift).y == pytest.approx(3.0 - 1.7 - 0.1, abs=0.03)
