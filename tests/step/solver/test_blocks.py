"""Contacts in blocks of eight: what shares a block, and that the outcome is that of one contact after the other."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.step.solver.impulse_response import ImpulseResponse
from ecs_collide.step.solver.solver_rows import INDEX
from ecs_collide.systems import Narrowphase, Response, priority_between
from tests.support.reference.recorder import Recorder

pytestmark = pytest.mark.usefixtures("fresh_world")

DT = 1.0 / 60.0
SHAPES: tuple[ec.Shape, ...] = (ec.Circle(0.3), ec.Box(0.6, 0.4), ec.Capsule((-0.3, 0.0), (0.3, 0.1), 0.15))


def create_falling_heap(count: int, seed: int = 3) -> None:
    """Bodies of three shapes that fall onto ground, a slope and a moving platform; some have locked axes."""
    random = np.random.default_rng(seed)
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), friction=0.6))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Segment((2.0, 0.0), (4.0, 2.0)), friction=0.1))
    kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
    esper.create_entity(ec.Transform(0.0, 0.3), ec.Velocity(0.7, 0.0, 0.3), ec.Collider(ec.Box(1.5, 0.3)), kinematic)
    for k in range(count):
        esper.create_entity(
            ec.Transform(float(random.uniform(-2.0, 2.0)), 0.6 + 0.08 * k, float(random.uniform(-3.0, 3.0))),
            ec.Velocity(*random.normal(0.0, 2.0, 3).tolist()),
            ec.Collider(
                SHAPES[k % 3],
                density=float(random.uniform(0.3, 3.0)),
                friction=float(random.uniform(0.0, 1.0)),
                restitution=float(random.choice([0.0, 0.6])),
            ),
            ec.RigidBody(lock_rotation=k % 9 == 4, lock_x=k % 9 == 7, lock_y=k % 9 == 8, linear_damping=0.1 * (k % 2)),
        )


@pytest.mark.parametrize("substeps", [1, 4])
def test_a_heap_moves_as_with_one_contact_after_the_other(substeps: int) -> None:
    """Same contacts in, same velocities, places and impulses out."""
    world = ec.install(gravity=(0.3, -9.81), substeps=substeps, continuous=False)
    create_falling_heap(30)
    recorder = Recorder(world)
    contact_count = 0
    for _ in range(30):
        esper.process(DT)
        contact_count += len(world.contacts)
    assert contact_count > 500
    assert recorder.worst() < 1e-10  # two points that are nearly one magnify rounding by up to 1 / SINGULAR


def blocks_of(world: PhysicsWorld) -> list[list[tuple[int, int, int]]]:
    """Contact and state rows of the lanes in use, block by block."""
    response, count = world.pipeline.response, world.pipeline.contact_finder.count
    assert isinstance(response, ImpulseResponse)
    solver = response.solver.arrays
    blocks: dict[int, list[tuple[int, int, int]]] = {}
    for contact, place in enumerate(solver.lane[:count].tolist()):
        if place >= 0:
            index = solver.index[place // 8, :, place % 8]
            assert index[INDEX.CONTACT] == contact
            blocks.setdefault(place // 8, []).append((contact, int(index[INDEX.ROW_A]), int(index[INDEX.ROW_B])))
    assert sorted(blocks) == list(range(len(blocks))), "no block is empty"
    return [blocks[k] for k in sorted(blocks)]


def check_blocks(world: PhysicsWorld) -> None:
    """No movable body twice in a block, one kind of contact in each, every contact to solve in exactly one."""
    contacts, bodies = world.pipeline.contact_finder.contacts, world.pipeline.bodies.arrays
    movable = bodies.mass[world.pipeline.body_sync.mobile, :3].sum(axis=1) > 0.0
    for block in blocks_of(world):
        rows = [row for _, a, b in block for row in (a, b) if row > 0 and movable[row - 1]]
        assert len(rows) == len(set(rows))
        assert len({int(contacts.point_count[contact]) for contact, _, _ in block}) == 1
    points = [int(contacts.point_count[block[0][0]]) for block in blocks_of(world)]
    assert points == sorted(points)
    solved = [contact for block in blocks_of(world) for contact, _, _ in block]
    is_solved = (contacts.enabled & ~contacts.missed)[: world.pipeline.contact_finder.count]
    assert sorted(solved) == np.flatnonzero(is_solved).tolist()


def test_no_block_has_a_movable_body_twice() -> None:
    world = ec.install(gravity=(0.0, -9.81), continuous=False)
    create_falling_heap(90)
    for _ in range(40):
        esper.process(DT)
        check_blocks(world)
    assert world.pipeline.contact_finder.count > 30


def test_a_disabled_contact_has_no_lane() -> None:
    world = ec.install(gravity=(0.0, -9.81), continuous=False)
    create_falling_heap(40)

    class Switch(esper.Processor):
        def process(self, *args: Any, **kwargs: Any) -> None:
            world.contacts.enabled[::3] = False

    esper.add_processor(Switch(), priority=priority_between(Narrowphase, Response))
    recorder = Recorder(world)
    for _ in range(12):
        esper.process(DT)
        check_blocks(world)
    assert recorder.worst() < 1e-10


def plank() -> None:
    """A board under boxes and balls, with more contacts than there are colours."""
    esper.create_entity(ec.Transform(0.0, -1.0), ec.Collider(ec.HalfPlane()))
    esper.create_entity(ec.Transform(0.0, -0.5), ec.Velocity(), ec.Collider(ec.Box(160.0, 1.0)))
    for k in range(150):
        place = ec.Transform(-77.0 + 1.03 * k, 0.5)
        esper.create_entity(place, ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0) if k % 2 else ec.Circle(0.5)))


def test_contacts_beyond_the_last_colour_have_blocks_of_their_own() -> None:
    """Nothing else changes."""
    world = ec.install(gravity=(0.0, -9.81), continuous=False)
    plank()
    recorder = Recorder(world)
    for _ in range(2):
        esper.process(DT)
        check_blocks(world)
    assert len(world.contacts) == 151
    alone = sum(len(block) == 1 for block in blocks_of(world))
    assert alone >= 2 * (75 - 62)
    assert recorder.worst() < 1e-10


def test_a_plank_with_more_contacts_than_colours_rests() -> None:
    world = ec.install(gravity=(0.0, -9.81), continuous=False)
    plank()
    for _ in range(123):
        esper.process(DT)
    assert np.abs(world.positions[2:, 1] - 0.5).max() < 0.01
    assert np.abs(world.velocities).max() < 0.02
