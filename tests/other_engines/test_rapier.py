"""Rapier, crates/rapier2d/tests: steps of length 0, groups, fast bodies, chains, platforms, bounces and limits."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

SMALL = ec.Box(0.2, 0.2)


def test_a_step_without_length_finds_contacts_and_moves_nothing() -> None:
    """Rapier, zero_dt_step: zero_dt_step_detects_collisions_without_moving_bodies."""
    physics = ec.install()
    ground = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(20, 1)))
    ball = esper.create_entity(ec.Transform(0, 0.9), ec.Velocity(1, 2), ec.Collider(ec.Circle(0.5)))
    lift = esper.create_entity(
        ec.Transform(5, 3), ec.Velocity(1, 0), ec.Collider(ec.Circle(0.5)), ec.RigidBody(ec.BodyKind.KINEMATIC)
    )
    run(3, 0.0)
    assert transform(ball).pose == (0.0, 0.9, 0.0)
    assert velocity(ball).linear == (1.0, 2.0)
    assert transform(lift).pose == (5.0, 3.0, 0.0)
    assert physics.touching(ground, ball)
    run()
    assert transform(ball).pose != (0.0, 0.9, 0.0)
    assert transform(lift).x == pytest.approx(5 + DT, rel=1e-15)


def test_colliders_that_meet_nothing_make_no_pairs() -> None:
    """Rapier, issue_288_collision_groups_broad_phase: group_none_colliders_produce_no_pairs."""
    physics = ec.install(gravity=(0, -9.81))
    ec.spawn(ec.Circle(0.5), [(0.0, 10.0)] * 60, velocities=(0, 0), restitution=0.7, mask=0)
    run(10)
    assert physics.statistics.pairs == 0
    assert physics.contacts.entity_a.tolist() == []


@pytest.mark.parametrize("moves", [False, True], ids=["without_motion", "with_motion"])
def test_a_layer_that_changes_lets_two_meet_and_part(moves: bool) -> None:
    """Rapier, issue_288: group_change_rediscovers_pair_without_motion, with_motion and removes_existing_contact."""
    physics = ec.install()
    ball = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1), layer=1, mask=1))
    box = esper.create_entity(place := ec.Transform(0.5, 0.5), collider := ec.Collider(ec.Box(4, 4), layer=2, mask=2))
    run(3)
    assert not physics.touching(ball, box)
    collider.layer = collider.mask = 1
    if moves:
        place.position = 0.4, 0.4
    run()
    assert physics.touching(ball, box)
    collider.layer = collider.mask = 2
    run()
    assert not physics.touching(ball, box)


def fast(x: float, speed: float, bullet: bool = False) -> int:
    return esper.create_entity(
        ec.Transform(x, 0), ec.Velocity(speed, 0), ec.Collider(SMALL), ec.RigidBody(bullet=bullet)
    )


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
def test_a_fast_box_does_not_pass_a_thin_wall(kind: ec.BodyKind) -> None:
    """Rapier, ccd_default_vs_fixed: default_ccd_vs_fixed_no_tunnel; a kinematic wall stops it here too."""
    ec.install()
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.1, 10)), ec.RigidBody(kind))
    body = fast(-3, 200)
    run(60)
    assert transform(body).x < 0.0


def test_two_fast_boxes_pass_through_each_other_unless_one_is_a_bullet() -> None:
    """Rapier, ccd_default_vs_fixed: default_tier_ignores_dynamic and bullet_still_hits_dynamic."""
    ec.install()
    a, b = fast(-3, 200), fast(3, -200)
    run(5)
    assert transform(a).x > 0.0 > transform(b).x
    target = esper.create_entity(ec.Transform(50, 0), ec.Velocity(), ec.Collider(ec.Box(0.4, 0.4)))
    bullet = fast(47, 200, bullet=True)
    run(10)
    assert transform(target).x > 50.05
    assert transform(bullet).x < transform(target).x


def test_without_sweeps_a_fast_box_passes_a_thin_wall() -> None:
    """Rapier, ccd_default_vs_fixed: global_ccd_off_tunnels."""
    ec.install(continuous=False)
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(0.1, 10)))
    body = fast(-3, 200)
    run(60)
    assert transform(body).x > 1.0


def test_a_ball_that_touches_the_floor_slides_on_at_its_speed() -> None:
    """Rapier, speed_cap: ccd_skips_in_contact_pair."""
    ec.install(gravity=(0, -9.81))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(100, 0.1), friction=0))
    ball = esper.create_entity(ec.Transform(-5, 0.24), ec.Velocity(50, 0), ec.Collider(ec.Circle(0.2), friction=0))
    run(30)
    assert transform(ball).x == pytest.approx(-5 + 50 * 30 * DT, rel=1e-9)


@pytest.mark.parametrize("speed", [1e4, 1e6])
def test_a_body_alone_keeps_any_speed_and_spin(speed: float) -> None:
    """Rapier, speed_cap: linear_cap_disabled and angular_speed_cap with allow_fast_rotation; nothing is capped here."""
    ec.install()
    body = esper.create_entity(ec.Transform(), ec.Velocity(speed, 0, 500), ec.Collider(ec.Circle(0.2)))
    run(3)
    assert (velocity(body).x, velocity(body).angular) == (speed, 500.0)


def test_a_box_that_is_driven_over_the_joints_of_a_chain_neither_stops_nor_jumps() -> None:
    """Rapier, issue_669_polyline_ghost_collisions: cuboid_slides_across_polyline_joints_without_snagging."""
    ec.install(gravity=(0, -9.81))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Chain([(x, 0) for x in range(-2, 39)]), friction=0))
    box = esper.create_entity(
        ec.Transform(0, 0.21),
        speed := ec.Velocity(),
        ec.Collider(ec.Box(0.4, 0.4), friction=0),
        ec.RigidBody(lock_rotation=True),
    )
    run(60)
    start, rest, _ = transform(box).pose
    for _ in range(600):
        speed.x = 2.0
        before = transform(box).x
        run()
        assert transform(box).x > before
        assert transform(box).y == pytest.approx(rest, abs=1e-6)
    assert transform(box).x - start == pytest.approx(2 * DT * 600, rel=1e-6)


@pytest.mark.parametrize("half_width", [1e4, 1e6])
def test_a_stack_rests_on_a_very_wide_ground(half_width: float) -> None:
    """Rapier, issue_629_large_ground_stability: stack_rests_on_1e4_ground and _1e6_ground."""
    ec.install(gravity=(0, -9.81))
    esper.create_entity(ec.Transform(0, -10), ec.Collider(ec.Box(2 * half_width, 20)))
    boxes = [
        esper.create_entity(ec.Transform(0, 0.5 + 1.01 * k), ec.Velocity(), ec.Collider(ec.Box(1, 1))) for k in range(3)
    ]
    run(300)
    for k, box in enumerate(boxes):
        assert transform(box).pose == pytest.approx((0, 0.5 + k, 0), abs=0.01)
        assert math.hypot(*velocity(box).linear) < 0.01


def test_a_ball_jumps_through_a_platform_and_lands_on_it() -> None:
    """Rapier, issue_752_oneway_platform_normal: oneway_platform_with_custom_normal."""
    ec.install(gravity=(0, -9.81))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(4, 0.2), one_way=(0, 1)))
    ball = esper.create_entity(ec.Transform(0, -3), ec.Velocity(0, 12), ec.Collider(ec.Circle(0.25)))
    highest = -3.0
    for _ in range(300):
        run()
        highest = max(highest, transform(ball).y)
    assert highest == pytest.approx(-3 + 12**2 / (2 * 9.81), abs=0.1)
    assert transform(ball).y == pytest.approx(0.35, abs=0.005)


@pytest.mark.parametrize("coefficient", [0.5, 0.8])
def test_a_ball_recovers_the_square_of_the_coefficient_of_its_height(coefficient: float) -> None:
    """Rapier, issue_919_prediction_distance_restitution: large_prediction_distance_preserves_restitution."""
    ec.install(gravity=(0, -9.81))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Box(60, 0.2), restitution=coefficient))
    ball = esper.create_entity(
        ec.Transform(0, 2.3), ec.Velocity(), ec.Collider(ec.Circle(0.2), restitution=coefficient)
    )
    apex, bounced = 0.0, False
    for _ in range(110):
        run()
        bounced = bounced or transform(ball).y < 0.35
        apex = max(apex, transform(ball).y * bounced)
    assert (apex - 0.3) / 2.0 == pytest.approx(coefficient**2, abs=0.01)


LIMITS = [
    *((-45, 45), (-135, 135), (0, 90), (-170, -10)),
    *((0, 270), (-270, 0), (-90, 200), (-350, 0)),
    *((45, 315), (-315, -45), (135, 225)),
]


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("drive", ["motor", "torque"])
def test_a_hinge_stops_at_its_limits(limits: tuple[float, float], direction: int, drive: str) -> None:
    """Rapier, issue_499_angular_limits: within, past and straddling half a turn; within 2 degrees there."""
    ec.install(sleeping=False)
    hub = esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.1), enabled=False))
    arm = esper.create_entity(
        ec.Transform(1, 0), ec.Velocity(), ec.Collider(ec.Box(1, 0.2), mask=0), ec.RigidBody(angular_damping=3)
    )
    lower, upper = map(math.radians, limits)
    joint = ec.RevoluteJoint(hub, arm, anchor_a=(0, 0), anchor_b=(-1, 0), lower=lower, upper=upper)
    esper.create_entity(joint)
    if drive == "motor":
        joint.motor_speed, joint.max_motor_torque = 5.0 * direction, 20.0
    else:
        esper.add_component(arm, ec.Force(0, 0, 0.1 * direction))
    run(600)
    assert math.degrees(transform(arm).angle) == pytest.approx(limits[direction > 0], abs=0.5)


def test_many_colliders_that_are_removed_far_apart_leave_the_others_alone() -> None:
    """Rapier, issue_593_mass_collider_removal: removing_many_colliders_across_regions_does_not_panic."""
    physics = ec.install(gravity=(0, -9.81))
    cells = [(50.0 * i - 500, 50.0 * j - 500) for i in range(20) for j in range(20)]
    fixed = ec.spawn(ec.Box(1, 1), cells)
    balls = ec.spawn(ec.Circle(1), [(40.0 * k - 200, 100.0) for k in range(10)], velocities=(0, 0))
    run(10)
    for entity in fixed[::2]:
        esper.delete_entity(entity)
    transform(balls[0]).position = 0, -10
    run(10)
    for entity in fixed[1::2] + balls[:5]:
        esper.delete_entity(entity)
    run(10)
    assert sorted(physics.entities[physics.entities > 0].tolist()) == balls[5:]
    assert [transform(ball).x for ball in balls[5:]] == [40.0 * k - 200 for k in range(5, 10)]
