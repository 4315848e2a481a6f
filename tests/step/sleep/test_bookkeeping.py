"""After every step of a random game, bodies, pieces and pairs agree on the awake bodies."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.pairs import FREE, PAIR
from ecs_collide.data.pieces import PIECE
from tests.physics.test_event_balance import Mayhem
from tests.step.sleep.scenes import GRAVITY
from tests.support.worlds import Game, esper_world

EVERYWHERE = np.array([[-1e9, -1e9, 1e9, 1e9]])


def check_sleep_columns(physics: ec.PhysicsWorld) -> None:
    bodies, pieces, pairs = (
        physics.pipeline.bodies.arrays,
        physics.pipeline.pieces.arrays,
        physics.pipeline.pairs.arrays,
    )
    finder = physics.pipeline.pair_finder
    is_static, is_asleep = bodies.kind == ec.BodyKind.STATIC, bodies.island != 0
    assert not (is_static & is_asleep).any()
    assert not bodies.velocity[is_asleep].any()
    assert physics.pipeline.sleepers.count == physics.statistics.sleeping_bodies == is_asleep.sum()

    owner = pieces.index[: physics.pipeline.pieces.rows.high, PIECE.BODY]
    used = owner >= 0
    leaves = used & is_asleep[owner] & (bodies.kind[owner] == ec.BodyKind.DYNAMIC)
    assert np.setdiff1d(finder.search.mobile.rows, finder.movers.rows).tolist() == np.flatnonzero(leaves).tolist()
    assert finder.search.mobile_in(EVERYWHERE).tolist() == sorted(finder.search.mobile.rows.tolist())
    moves = used & ~is_static[owner] & ~leaves
    assert sorted([*finder.movers.rows.tolist(), *finder._unbounded_mobile.tolist()]) == np.flatnonzero(moves).tolist()

    in_use = pairs.index[:, PAIR.ROW] != FREE
    assert in_use.sum() == physics.pipeline.pairs.count
    is_awake = ~is_static & ~is_asleep
    a, b = owner[pairs.index[:, PAIR.PIECE_A]], owner[pairs.index[:, PAIR.PIECE_B]]
    needed = in_use & (is_awake[a] | is_awake[b])
    assert not (needed & ~pairs.awake).any()
    # a new sensor on a kinematic body at rest has to be looked at once
    kinematic = (bodies.kind[a] == ec.BodyKind.KINEMATIC) | (bodies.kind[b] == ec.BodyKind.KINEMATIC)
    assert not (pairs.awake & ~needed & ~(in_use & kinematic)).any()
    assert sorted(physics.pipeline.pairs.live.tolist()) == np.flatnonzero(pairs.awake).tolist()


def test_waking_by_a_new_static_body_does_not_drop_pieces_moved_in_that_step() -> None:
    with esper_world() as world:
        play = Game(world, ec.install())
        ec.spawn(ec.Circle(0.4), [(2.0 * k, 0.0) for k in range(60)], velocities=(0.0, 0.0))
        play.step(60)
        assert play.physics.statistics.sleeping_bodies == 60
        ec.spawn(ec.Circle(0.4), [(0.7 * k, 50.0) for k in range(60)], velocities=(0.0, 0.0))
        ec.spawn(ec.Box(200.0, 0.2), [(60.0, -0.4)])
        play.step()
        check_sleep_columns(play.physics)
        assert play.physics.statistics.sleeping_bodies == 0
        assert len(play.physics.pairs) == 59 + 60


@pytest.mark.parametrize("seed", range(4))
def test_all_records_agree_on_the_awake_bodies(seed: int) -> None:
    with esper_world() as world:
        play = Game(world, ec.install(gravity=GRAVITY))
        mayhem = Mayhem(seed)
        slept = 0
        for step in range(1500):
            if step < 20 or step % 50 < 3:
                mayhem.interfere()
            if step % 200 == 150:  # a kinematic body that starts and stops
                for entity, body in esper.get_component(ec.RigidBody):
                    if body.kind is ec.BodyKind.KINEMATIC and esper.has_component(entity, ec.Velocity):
                        esper.component_for_entity(entity, ec.Velocity).linear = (0.3 * (-1.0) ** (step // 200), 0.0)
            elif step % 200 == 170:
                for entity, body in esper.get_component(ec.RigidBody):
                    if body.kind is ec.BodyKind.KINEMATIC and esper.has_component(entity, ec.Velocity):
                        esper.add_component(entity, ec.Velocity())
            play.step()
            check_sleep_columns(play.physics)
            slept += play.physics.statistics.sleeping_bodies
        assert slept > 1000
