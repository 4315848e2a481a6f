"""The compiled response against closed forms and against the plain dense-matrix reference."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from numpy.typing import NDArray

from ecs_collide import (
    BodyKind,
    Box,
    Capsule,
    Circle,
    Collider,
    Force,
    HalfPlane,
    PhysicsWorld,
    Polygon,
    RigidBody,
    Segment,
    Transform,
    Velocity,
    install,
)
from ecs_collide.systems import Narrowphase, Response, priority_between
from tests.support.reference.recorder import Recorder
from tests.support.reference.soft_step import jacobian_row

pytestmark = pytest.mark.usefixtures("fresh_world")

DT = 1.0 / 60.0
LOCKS: list[dict[str, Any]] = [{}, {"lock_x": True}, {"lock_y": True}, {"lock_rotation": True}]


def velocity_of(world: PhysicsWorld, entity: int) -> NDArray[np.float64]:
    at = world.row_of(entity)
    return np.array([*world.velocities[at], world.angular_velocities[at]])


def one_contact(seed: int, lock: dict[str, Any], **material: Any) -> tuple[PhysicsWorld, Recorder]:
    """A ball that has just met one long side of a box off its middle, and the step in which it did."""
    random = np.random.default_rng(seed)
    world = install()
    recorder = Recorder(world)
    esper.create_entity(
        Transform(0.0, 0.0, 0.5 * np.pi),
        Velocity(*random.normal(0.0, 0.3, 3).tolist()),
        Collider(Box(2.0, 1.0), density=float(random.uniform(0.2, 5.0)), **material),
        RigidBody(**lock),
    )
    esper.create_entity(
        Transform(0.999, float(random.uniform(-0.5, 0.5))),
        Velocity(-float(random.uniform(2.0, 8.0)), float(random.normal()), float(random.normal())),
        Collider(Circle(0.5), density=float(random.uniform(0.2, 5.0)), **material),
    )
    esper.process(DT)
    assert len(recorder.points) == 1
    return world, recorder


@pytest.mark.parametrize("lock", LOCKS, ids=str)
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_one_frictionless_contact_is_solved_exactly(seed: int, restitution: float, lock: dict[str, Any]) -> None:
    """v' = v - (1 + e) M^-1 J^T (J M^-1 J^T)^-1 J v, and contacts report the whole impulse."""
    world, recorder = one_contact(seed, lock, friction=0.0, restitution=restitution)
    (point,) = recorder.points
    a, b = recorder.bodies[point.a], recorder.bodies[point.b]
    before = np.concatenate((recorder.incoming[point.a], recorder.incoming[point.b]))
    before[np.concatenate((a.inverse_mass, b.inverse_mass)) == 0.0] = 0.0
    inverse = np.diag(np.concatenate((a.inverse_mass, b.inverse_mass)))
    jacobian = jacobian_row(recorder.bodies, point, point.normal)
    impulse = -(1.0 + restitution) * float(jacobian @ before) / float(jacobian @ inverse @ jacobian)
    assert impulse > 0.0
    entities = world.entities[[point.a, point.b]].tolist()
    after = np.concatenate([velocity_of(world, entity) for entity in entities])
    assert after == pytest.approx(before + inverse @ jacobian * impulse, abs=1e-9)
    assert world.contacts.normal_impulse[0, 0] == pytest.approx(impulse, rel=1e-9)
    assert world.contacts.tangent_impulse[0, 0] == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_every_contact_keeps_momentum(seed: int) -> None:
    _, recorder = one_contact(seed, {}, friction=0.7, restitution=0.3)
    (point,) = recorder.points
    total = np.zeros(3)
    for k in (point.a, point.b):
        body, entity_velocity = recorder.bodies[k], recorder.world.pipeline.bodies.arrays.velocity[k]
        mass, inertia = 1.0 / body.inverse_mass[0], 1.0 / body.inverse_mass[2]
        change = entity_velocity - recorder.incoming[k]
        arm = body.center
        total[:2] += mass * change[:2]
        total[2] += inertia * change[2] + mass * (arm[0] * change[1] - arm[1] * change[0])
    assert total == pytest.approx([0.0, 0.0, 0.0], abs=1e-10)


def test_friction_never_exceeds_the_cone() -> None:
    world, _ = one_contact(3, {}, friction=0.2)
    contacts = world.contacts
    assert abs(contacts.tangent_impulse[0, 0]) <= 0.2 * contacts.normal_impulse[0, 0] + 1e-12
    assert abs(contacts.tangent_impulse[0, 0]) > 0.0


def test_a_box_that_lands_flat_does_not_turn() -> None:
    world = install(gravity=(0.0, -9.81), continuous=False)
    esper.create_entity(Transform(), Collider(HalfPlane(), restitution=0.5))
    box = esper.create_entity(Transform(0.0, 2.0), Velocity(), Collider(Box(2.0, 1.0), restitution=0.5))
    for _ in range(240):
        esper.process(DT)
        assert abs(velocity_of(world, box)[2]) < 1e-9
    assert abs(velocity_of(world, box)[1]) < 1e-3


def test_a_gap_closes_and_no_more() -> None:
    """Within the speculative distance a fast ball stops exactly at the surface."""
    world = install()
    esper.create_entity(Transform(), Collider(HalfPlane(), friction=0.0))
    ball = esper.create_entity(Transform(0.0, 0.519), Velocity(0.0, -50.0), Collider(Circle(0.5), friction=0.0))
    esper.process(DT)
    assert world.positions[world.row_of(ball), 1] == pytest.approx(0.5, abs=1e-9)
    assert velocity_of(world, ball)[1] == pytest.approx(0.0, abs=1e-9)


def test_an_overlap_is_pushed_out_no_faster_than_the_given_speed() -> None:
    world = install()
    esper.create_entity(Transform(), Collider(HalfPlane()))
    ball = esper.create_entity(Transform(0.0, -1.0), Velocity(), Collider(Circle(0.5)))
    before = -1.0
    for _ in range(20):
        esper.process(DT)
        y = float(world.positions[world.row_of(ball), 1])
        assert before - 1e-12 <= y <= before + world.tolerances.push_out_speed * DT + 1e-9
        assert abs(velocity_of(world, ball)[1]) < 1e-9, "the push leaves no velocity behind"
        before = y
    assert before > -1.0


def create_mixed_scene(world: PhysicsWorld) -> list[int]:
    """A small scene with something of everything."""
    random = np.random.default_rng(11)
    esper.create_entity(Transform(), Collider(HalfPlane(), friction=0.6))
    esper.create_entity(Transform(-4.0, 0.0), Collider(HalfPlane((1.0, 0.2)), restitution=0.5))
    esper.create_entity(Transform(), Collider(Segment((2.5, 0.0), (5.0, 2.0)), friction=0.1))
    esper.create_entity(
        Transform(1.0, 0.4), Velocity(0.7, 0.0, 0.3), Collider(Box(1.5, 0.3)), RigidBody(BodyKind.KINEMATIC)
    )
    entities = []
    shapes = [
        Circle(0.3),
        Box(0.6, 0.4),
        Capsule((-0.3, 0.0), (0.3, 0.1), 0.15),
        Polygon([(0.0, 0.0), (0.7, 0.0), (0.2, 0.6)]),
        Polygon([(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.4)], radius=0.05),
    ]
    for k in range(25):
        body = RigidBody(
            gravity_scale=0.5 if k == 3 else 1.0,
            linear_damping=0.3 * (k % 3),
            angular_damping=0.5 * (k % 2),
            lock_rotation=k == 7,
            lock_x=k == 8,
        )
        components: list[Any] = [
            Transform(float(random.uniform(-2.0, 3.0)), 0.5 + 0.35 * k, float(random.uniform(-3.0, 3.0))),
            Velocity(*random.normal(0.0, 2.0, 3).tolist()),
            Collider(
                shapes[k % len(shapes)],
                density=float(random.uniform(0.3, 3.0)),
                friction=float(random.uniform(0.0, 1.0)),
                restitution=float(random.choice([0.0, 0.0, 0.6])),
            ),
            body,
        ]
        if k % 6 == 0:
            components.append(Force(1.0, 2.0, 0.3))
        entities.append(esper.create_entity(*components))
    return entities


@pytest.mark.parametrize("substeps", [1, 4])
def test_a_crowd_moves_as_in_the_plain_reference(substeps: int) -> None:
    """Same bodies and contacts in, same velocities, places and impulses out, in each of 50 steps."""
    world = install(gravity=(0.3, -9.81), substeps=substeps, continuous=False)
    create_mixed_scene(world)
    recorder = Recorder(world)
    contact_count = 0
    for step in range(50):
        if step == 30:
            world.apply_force(world.entities[6].item(), (30.0, 50.0), (0.0, 0.0))
        esper.process(DT if step % 10 else 0.5 * DT)
        contact_count += len(recorder.points)
    assert contact_count > 250
    assert recorder.worst() < 1e-10


def test_contacts_that_a_game_edits_are_taken_as_found() -> None:
    world = install(gravity=(0.0, -9.81), continuous=False)
    create_mixed_scene(world)
    random = np.random.default_rng(1)

    class Edit(esper.Processor):
        def process(self, *args: Any, **kwargs: Any) -> None:
            contacts = world.contacts
            count = len(contacts)
            contacts.enabled[random.random(count) < 0.1] = False
            contacts.friction[:] *= random.random(count)
            contacts.restitution[:] = random.random(count)
            contacts.separation[:] += 0.001 * random.normal(size=(count, 2))

    # esper runs equal priorities in the order of adding: Edit before the recorder
    esper.add_processor(Edit(), priority=priority_between(Narrowphase, Response))
    recorder = Recorder(world)
    for _ in range(20):
        esper.process(DT)
    assert recorder.worst() < 1e-10


def test_the_impulses_of_a_disabled_contact_are_dropped() -> None:
    world = install(gravity=(0.0, -9.81), continuous=False)
    esper.create_entity(Transform(), Collider(HalfPlane()))
    esper.create_entity(Transform(0.0, 0.5), Velocity(), Collider(Box(1.0, 1.0)))
    off = False

    class Switch(esper.Processor):
        def process(self, *args: Any, **kwargs: Any) -> None:
            if off:
                world.contacts.enabled[:] = False

    esper.add_processor(Switch(), priority=priority_between(Narrowphase, Response))
    recorder = Recorder(world)
    for _ in range(10):
        esper.process(DT)
    assert all(point.normal_impulse > 0.0 for point in recorder.points)
    off = True
    esper.process(DT)
    assert not world.pipeline.pairs.arrays.impulse[world.pipeline.pairs.live].any()
    off = False
    esper.process(DT)
    assert recorder.worst() < 1e-10


def test_a_body_without_contacts_falls_by_the_formula() -> None:
    """v_n = (v_(n-1) + h g) / (1 + h c) in each substep, places by the new velocity."""
    world = install(gravity=(1.0, -9.81), substeps=4, continuous=False)
    esper.create_entity(
        Transform(1.0, 2.0, 0.5),
        Velocity(3.0, 4.0, 5.0),
        Collider(Circle(0.5), density=2.0),
        RigidBody(linear_damping=0.7, angular_damping=0.2, gravity_scale=0.5),
        Force(2.0, -1.0, 0.4),
    )
    esper.process(DT)
    h, mass = DT / 4, 2.0 * np.pi * 0.25
    inertia = 0.5 * mass * 0.25
    gain = np.array([0.5 * 1.0 + 2.0 / mass, 0.5 * -9.81 - 1.0 / mass, 0.4 / inertia])
    damping = np.array([0.7, 0.7, 0.2])
    v, x = np.array([3.0, 4.0, 5.0]), np.array([1.0, 2.0, 0.5])
    for _ in range(4):
        v = (v + h * gain) / (1.0 + h * damping)
        x = x + h * v
    entity = int(world.entities[0])
    assert velocity_of(world, entity) == pytest.approx(v, rel=1e-14)
    assert [*world.positions[0], world.angles[0]] == pytest.approx(x, rel=1e-14)
