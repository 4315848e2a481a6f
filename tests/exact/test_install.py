"""The exact response in an esper world."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.exact.features import collect_features
from tests.support.worlds import dynamic, game, static

KINEMATIC = ec.RigidBody(ec.BodyKind.KINEMATIC)


def test_an_unknown_response_is_refused_with_the_list_of_those_there_are(fresh_world: str) -> None:
    with pytest.raises(ValueError, match="response must be one of 'impulse', 'exact', got 'exat'"):
        ec.install(response="exat")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="response must be one of 'impulse', 'exact', got 3"):
        ec.install(response=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [ec.Box(1.0, 1.0), ec.Circle(1.0, (0.5, 0.0)), ec.Capsule((0, 0), (1, 0), 0.2)])
def test_a_shape_that_is_no_centred_circle_is_refused_with_its_entity(shape: ec.Shape) -> None:
    with game(response="exact") as play:
        ball = dynamic(ec.Circle(0.5), (5.0, 0.0), (1.0, 0.0))
        play.step()
        bad = dynamic(shape)
        with pytest.raises(ec.PhysicsError, match=f"entity {bad}: .* cannot be dynamic with response='exact'"):
            play.step()
        with pytest.raises(ec.PhysicsError, match=f"entity {bad}: "):
            play.physics.apply_impulse(bad, (1.0, 0.0))
        x = play.pose(ball)[0]
        esper.delete_entity(bad, immediate=True)
        play.step()
        assert play.pose(ball)[0] == pytest.approx(x + 1.0 / 60.0)


def test_a_kinematic_box_that_turns_is_refused_and_a_kinematic_circle_may_turn() -> None:
    with game(response="exact") as play:
        wheel = dynamic(ec.Circle(0.5), (0.0, 5.0), (0.0, 0.0), ec.RigidBody(ec.BodyKind.KINEMATIC), angular=2.0)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), ec.RigidBody(ec.BodyKind.KINEMATIC))
        play.step()
        assert play.pose(wheel)[2] == pytest.approx(2.0 / 60.0)
        assert play.pose(box)[0] == pytest.approx(1.0 / 60.0)
        esper.component_for_entity(box, ec.Velocity).angular = 0.5
        with pytest.raises(ec.PhysicsError, match=f"entity {box}: .* a kinematic Box cannot turn"):
            play.step()


@pytest.mark.parametrize("without_velocity", [False, True])
def test_a_turning_box_is_refused_before_anything_is_changed(without_velocity: bool) -> None:
    with game(response="exact") as play:
        ball = dynamic(ec.Circle(0.5), (5.0, 0.0), (1.0, 0.0), angular=3.0)
        play.step()
        other = dynamic(ec.Circle(0.5), (9.0, 0.0))
        esper.component_for_entity(ball, ec.Collider).shape = ec.Box(1.0, 1.0)
        esper.add_component(ball, ec.RigidBody(ec.BodyKind.KINEMATIC))
        if without_velocity:
            esper.remove_component(ball, ec.Velocity)
        before = play.physics.state_hash()
        for _ in range(2):
            with pytest.raises(
                ec.PhysicsError, match=f"entity {ball}: its Velocity.angular is 3.*, but a kinematic Box cannot turn"
            ):
                play.step()
            assert other not in play.physics.entities
            assert play.physics.state_hash() == before
        esper.component_for_entity(ball, ec.Collider).shape = ec.Circle(0.5)
        play.step()
        assert other in play.physics.entities


def test_a_box_that_stops_turning_as_it_becomes_kinematic_is_welcome() -> None:
    with game(response="exact") as play:
        wheel = dynamic(ec.Circle(0.5), (0.0, 5.0), (0.0, 0.0), ec.RigidBody(ec.BodyKind.KINEMATIC), angular=2.0)
        play.step()
        esper.component_for_entity(wheel, ec.Collider).shape = ec.Box(1.0, 1.0)
        esper.add_component(wheel, ec.Velocity(1.0, 0.0))
        play.step()
        assert play.pose(wheel)[0] == pytest.approx(1.0 / 60.0)


def test_resting_contacts_last_through_a_pause_without_impulses() -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        floor = static(ec.HalfPlane())
        ball = dynamic(ec.Circle(0.5), (0.0, 0.5))
        play.step(10)
        before = play.physics.state_hash()
        play.step(3, dt=0.0)
        assert play.physics.state_hash() == before
        assert play.physics.touching(floor, ball)
        assert play.physics.contacts.normal_impulse.tolist() == [[0.0, 0.0]]
        play.step(10)
        assert [name for _, name, _ in play.events] == ["collision_start"]


def test_contacts_end_in_a_pause_when_an_entity_goes_or_is_put_elsewhere() -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        balls = [dynamic(ec.Circle(0.5), (3.0 * k, 0.5)) for k in range(4)]
        bouncing = dynamic(ec.Circle(0.5), (-3.0, 0.5), (0.0, -6.0), restitution=1.0)
        play.step()
        assert len(play.contacts("collision_start")) == 5
        play.step(dt=0.0)
        assert [contact.entity_b for contact in play.contacts("collision_end")] == [bouncing]  # it is in the air
        esper.delete_entity(balls[0], immediate=True)
        esper.component_for_entity(balls[1], ec.Transform).y = 2.0
        esper.component_for_entity(balls[2], ec.Collider).mask = 0
        play.step(dt=0.0)
        ends = play.contacts("collision_end")[1:]
        assert sorted(contact.entity_b for contact in ends) == balls[:3]
        assert play.physics.statistics.contacts == len(play.physics.contacts) == 1
        play.step(dt=0.0)
        assert len(play.events) == 9


def test_two_balls_exchange_their_speeds_and_their_events_name_both() -> None:
    with game(response="exact") as play:
        a = dynamic(ec.Circle(0.5), (0.0, 0.0), (3.0, 0.0), restitution=1.0)
        b = dynamic(ec.Circle(0.5), (1.04, 0.0), restitution=1.0)
        play.step()
        assert play.velocity(a) == (0.0, 0.0, 0.0)
        assert play.velocity(b) == (3.0, 0.0, 0.0)
        assert play.physics.statistics.impacts == 1
        assert play.physics.statistics.contacts == 1
        assert play.physics.touching(a, b) and play.physics.touching(b, a)
        (contact,) = play.physics.contacts_of(a)
        assert contact.normal == (1.0, 0.0)
        mass = play.physics.mass_of(a)
        assert contact.normal_impulse == pytest.approx(3.0 * mass)
        assert np.allclose(contact.points, [(0.54, 0.0)], rtol=0.0, atol=1e-12)
        play.step()
        assert not play.physics.touching(a, b)
        assert [(step, name) for step, name, _ in play.events] == [(0, "collision_start"), (1, "collision_end")]
        assert play.contacts("collision_start")[0].normal_impulse == pytest.approx(3.0 * mass)


def test_a_resting_ball_touches_until_it_leaves() -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        floor = static(ec.HalfPlane())
        ball = dynamic(ec.Circle(0.5), (0.0, 0.5))
        play.step(30)
        assert play.physics.touching(floor, ball)
        assert [name for _, name, _ in play.events] == ["collision_start"]
        force = play.physics.contacts_of(ball)[0].normal_impulse * 60.0
        assert force == pytest.approx(10.0 * play.physics.mass_of(ball), rel=1e-6)
        play.physics.apply_impulse(ball, (0.0, 5.0))
        play.step(5)
        assert [name for _, name, _ in play.events] == ["collision_start", "collision_end"]


def test_contacts_end_when_an_entity_goes_and_when_the_plugin_does() -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        first = dynamic(ec.Circle(0.5), (0.0, 0.5))
        dynamic(ec.Circle(0.5), (3.0, 0.5))
        play.step(3)
        esper.delete_entity(first, immediate=True)
        play.step()
        ends = play.contacts("collision_end")
        assert [contact.entity_b for contact in ends] == [first]
        ec.uninstall()
        assert len(play.contacts("collision_end")) == 2


def test_sensors_report_overlaps_and_stop_nothing() -> None:
    with game(response="exact") as play:
        gate = static(ec.Box(1.0, 4.0), (3.0, 0.0), sensor=True)
        ball = dynamic(ec.Circle(0.25), (0.0, 0.0), (6.0, 0.0))
        play.step(60)
        assert [(name, arguments) for _, name, arguments in play.events] == [
            ("sensor_enter", (gate, ball)),
            ("sensor_exit", (gate, ball)),
        ]
        assert play.pose(ball)[0] == pytest.approx(6.0)


def test_filters_groups_and_locked_axes_count() -> None:
    with game(response="exact") as play:
        ghost = dynamic(ec.Circle(0.5), (0.0, 0.0), (6.0, 0.0), layer=2, mask=2)
        dynamic(ec.Circle(0.5), (2.0, 0.0), restitution=1.0)
        rail = dynamic(ec.Circle(0.5), (0.0, 5.0), (0.0, 0.0), ec.RigidBody(lock_x=True), restitution=1.0)
        shot = dynamic(ec.Circle(0.5), (-3.0, 5.6), (6.0, 0.0), restitution=1.0)
        play.step(60)
        assert play.velocity(ghost) == (6.0, 0.0, 0.0)
        assert play.velocity(rail)[0] == 0.0
        assert play.velocity(rail)[1] < 0.0
        energy = 0.5 * sum(v * v for entity in (rail, shot) for v in play.velocity(entity)[:2])
        assert energy == pytest.approx(18.0, rel=1e-12)


def test_a_locked_axis_loses_its_velocity() -> None:
    with game(response="exact") as play:
        ball = dynamic(ec.Circle(0.5), (0.0, 0.0), (1.0, 2.0), ec.RigidBody(lock_x=True))
        play.step(60)
        assert play.pose(ball)[:2] == pytest.approx((0.0, 2.0))
        assert play.velocity(ball) == (0.0, 2.0, 0.0)


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("shape", [ec.HalfPlane(), ec.Box(4.0, 0.2)])
def test_a_ball_that_cannot_yield_to_a_wall_is_not_thrown_aside(quarters: int, shape: ec.Shape) -> None:
    """A wall that comes along the locked axis has a normal along it, but for rounding."""
    angle = quarters * math.pi / 2
    up = np.array([-math.sin(angle), math.cos(angle)])
    with game(response="exact") as play:
        wall = ec.Transform(-0.1 * up[0], -0.1 * up[1], angle)
        motion = ec.Velocity(up[0], up[1]), ec.RigidBody(ec.BodyKind.KINEMATIC)
        esper.create_entity(wall, ec.Collider(shape), *motion)
        rail = ec.RigidBody(lock_x=quarters % 2 == 1, lock_y=quarters % 2 == 0)
        ball = dynamic(ec.Circle(0.5), (0.7 * up[0], 0.7 * up[1]), (0.0, 0.0), rail, restitution=0.5)
        play.step(60)
        assert np.allclose(play.pose(ball)[:2], 0.7 * up, atol=1e-6)


def test_gravity_scale_forces_damping_and_spin_act_between_steps() -> None:
    with game(response="exact", gravity=(0.0, -6.0)) as play:
        falling = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(gravity_scale=0.5, mass=2.0))
        slowed = dynamic(ec.Circle(0.5), (9.0, 0.0), (4.0, 0.0), ec.RigidBody(gravity_scale=0.0, linear_damping=1.0))
        pushed = dynamic(
            ec.Circle(0.5), (0.0, 9.0), (0.0, 0.0), ec.RigidBody(gravity_scale=0.0, mass=2.0), ec.Force(4.0)
        )
        spun = dynamic(ec.Circle(0.5), (9.0, 9.0), (0.0, 0.0), ec.RigidBody(gravity_scale=0.0), angular=3.0)
        bare = esper.create_entity(ec.Transform(20.0, 0.0), ec.Velocity(1.0, 0.0))
        play.step(60)
        assert play.velocity(falling)[1] == pytest.approx(-3.0)
        assert play.pose(falling)[1] == pytest.approx(-1.5)
        assert play.velocity(slowed)[0] == pytest.approx(4.0 / (1.0 + 1.0 / 60.0) ** 60)
        assert play.velocity(pushed)[0] == pytest.approx(2.0)
        assert play.pose(spun)[2] == pytest.approx(3.0)
        assert np.allclose(play.pose(bare)[:2], (21.0, -3.0))
        play.physics.apply_force(pushed, (0.0, 12.0))
        play.step()
        assert play.velocity(pushed)[1] == pytest.approx(0.1)
        play.step()
        assert play.velocity(pushed)[1] == pytest.approx(0.1)


def test_a_tile_put_elsewhere_or_deleted_is_a_hole_at_once() -> None:
    with game(response="exact", gravity=(0.0, -10.0)) as play:
        tiles = [static(ec.Box(1.0, 1.0), (float(k), -0.5)) for k in range(9)]
        balls = [dynamic(ec.Circle(0.3), (float(k), 0.3)) for k in (2, 4, 6)]
        play.step(10)
        esper.component_for_entity(tiles[2], ec.Transform).y = -3.5
        esper.delete_entity(tiles[4], immediate=True)
        play.step(60)
        heights = [play.pose(ball)[1] for ball in balls]
        assert heights[0] == pytest.approx(-2.7, abs=1e-3)
        assert heights[1] < -3.0
        assert heights[2] == pytest.approx(0.3, abs=1e-6)


def test_a_changed_mass_restitution_and_velocity_count_in_the_next_step() -> None:
    with game(response="exact") as play:
        a = dynamic(ec.Circle(0.5), (0.0, 0.0), (3.0, 0.0), ec.RigidBody(mass=1.0), restitution=0.0)
        b = dynamic(ec.Circle(0.5), (3.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=1.0), restitution=0.0)
        play.step()
        esper.component_for_entity(b, ec.RigidBody).mass = 3.0
        esper.component_for_entity(a, ec.Collider).restitution = 1.0
        esper.component_for_entity(a, ec.Velocity).x = 8.0
        play.step(60)
        assert play.velocity(a)[0] == pytest.approx(-4.0)
        assert play.velocity(b)[0] == pytest.approx(4.0)


def test_the_outcome_does_not_depend_on_the_order_of_entities() -> None:
    rng = np.random.default_rng(0)
    places = [(float(x), float(y)) for x in range(6) for y in range(5)]
    velocities = [tuple(v) for v in rng.normal(0.0, 5.0, (30, 2)).tolist()]
    results = []
    for order in (np.arange(30), rng.permutation(30)):
        with game(response="exact") as play:
            for normal, offset in (((1, 0), -0.6), ((0, 1), -0.6), ((-1, 0), -5.6), ((0, -1), -4.6)):
                static(ec.HalfPlane(normal, offset), restitution=1.0)
            entities = {int(k): dynamic(ec.Circle(0.4), places[k], velocities[k], restitution=1.0) for k in order}
            play.step(120)
            results.append([play.pose(entities[k]) for k in range(30)])
    assert results[0] == results[1]


def test_a_thousand_tiles_cost_nothing_per_step_and_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def collect(*args: Any) -> Any:
        calls.append(len(args[0]))
        return collect_features(*args)

    monkeypatch.setattr("ecs_collide.exact.exact_solver.collect_features", collect)
    with game(response="exact") as play:
        for k in range(1000):
            static(ec.Box(1.0, 1.0), (float(k % 40), float(k // 40)))
        dynamic(ec.Circle(0.4), (-3.0, 0.0), (1.0, 0.0))
        play.step()
        dynamic(ec.Circle(0.4), (-6.0, 0.0), (1.0, 0.0))
        play.step(5)
    assert len(calls) == 1
