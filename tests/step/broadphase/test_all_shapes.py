"""The pairs of every kind of shape, those without end among them, against the doubly nested loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import Generator

import ecs_collide as ec
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import POSE
from ecs_collide.data.pieces import PIECE
from ecs_collide.shapes.piece import UNBOUNDED
from tests.step.broadphase.test_pair_finder import Wanted, check_found_pairs, random_filter
from tests.support.reference.column_world import PLAIN, ColumnWorld
from tests.support.reference.tree_check import check_tree

SHAPES: tuple[ec.Shape, ...] = (
    ec.Circle(0.5),
    ec.Box(1.0, 0.3),
    ec.Sector(1.0, 0.4, 0.3),
    ec.Sector(0.7, 0.5 * math.pi, 1.0),
    ec.Sector(1.5, 2.5),
    ec.Chain([(-2.0, 0.0), (0.0, 0.3), (2.0, 0.0), (2.0, 2.0)]),
    ec.Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)]),
    ec.ArcPolygon([(-1.0, 0.0), (1.0, 0.0)], [0.5, 0.3]),
    ec.ArcPolygon([(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)], [0.0, 1.0, -0.4, 1.0]),
    ec.Bitmap([[1, 1, 1], [0, 1, 0], [1, 1, 0]], 0.4),
    ec.Compound([ec.Circle(0.3), (ec.Box(0.2, 2.0), (1.0, 0.0, 0.3)), (ec.Sector(0.5, 1.0), (-1.0, 0.0, 2.0))]),
)
ENDLESS: tuple[ec.Shape, ...] = (
    ec.Ring(4.0),
    ec.Ring(7.0, (1.0, -2.0)),
    ec.HalfPlane((0.0, 1.0), -3.0),
    ec.Compound([ec.HalfPlane((1.0, 0.0), -6.0), ec.Box(1.0, 1.0)]),
    ec.Compound([(ec.Ring(5.0), (0.5, 0.5, 0.2)), ec.Circle(0.5)]),
)


def random_body_of_any_shape(random: Generator) -> Wanted:
    kind = BodyKind(int(random.choice([BodyKind.DYNAMIC, BodyKind.KINEMATIC, BodyKind.STATIC], p=[0.55, 0.15, 0.3])))
    pose = (*random.normal(0.0, 5.0, 2).tolist(), float(random.uniform(-4.0, 4.0)))
    if random.random() < 0.1:
        turn = float(random.choice([0.0, 0.5 * math.pi, math.pi / 16.0, 1.0]))
        still = BodyKind.KINEMATIC if kind is BodyKind.DYNAMIC else kind
        return ENDLESS[random.integers(len(ENDLESS))], (*pose[:2], turn), still, random_filter(random)
    return SHAPES[random.integers(len(SHAPES))], pose, kind, random_filter(random)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_the_nested_loop(seed: int) -> None:
    random = np.random.default_rng(seed)
    world = ColumnWorld()
    world.add_all(random_body_of_any_shape(random) for _ in range(30))
    world.add(ENDLESS[seed], (0.0, 0.0, 0.0), BodyKind.KINEMATIC)
    world.update()
    check_found_pairs(world)
    for _ in range(15):
        before = world.slots()
        chance = random.random()
        if chance < 0.25:
            world.remove(random.choice(sorted(world.held), 4, replace=False).tolist())
            before = world.slots()
        if 0.1 < chance < 0.4:
            world.add_all(random_body_of_any_shape(random) for _ in range(4))
        if 0.4 < chance < 0.6:
            for row in random.choice(sorted(world.held), 5, replace=False).tolist():
                world.place(row, (*random.normal(0.0, 5.0, 2).tolist(), float(random.uniform(-4.0, 4.0))))
        bodies = world.bodies.arrays
        for row in world.held:
            if bodies.kind[row] != BodyKind.STATIC:
                bodies.pose[row, [POSE.X, POSE.Y]] += random.normal(0.0, 0.1, 2)
                bodies.pose[row, POSE.ANGLE] += random.normal(0.0, 0.2)
        world.update()
        check_found_pairs(world, before)
        statics = {
            piece
            for row, (_, pieces) in world.held.items()
            if bodies.kind[row] == BodyKind.STATIC
            for piece in pieces
            if world.pieces.arrays.index[piece, PIECE.KIND] not in UNBOUNDED
        }
        check_tree(world.finder.tree.arrays, world.pieces.arrays, statics)


@pytest.mark.parametrize("kind", [BodyKind.STATIC, BodyKind.KINEMATIC])
def test_a_ball_inside_a_ring_meets_the_wedges_near_it_only(kind: BodyKind) -> None:
    world = ColumnWorld()
    ring = world.add(ec.Ring(10.0), (0.0, 0.0, 0.0), kind)
    ball = world.add(ec.Circle(0.5), (0.0, 0.0, 0.0))
    wedges = world.held[ring][1]
    for turn in np.linspace(-math.pi, math.pi, 61):
        for out in (0.0, 5.0, 9.4, 9.6, 12.0):
            world.place(ball, (out * math.cos(turn), out * math.sin(turn), 0.0))
            world.update()
            check_found_pairs(world)
            met = {wedges.index(a) for a, _ in world.pair_list()}
            if out >= 9.4:
                assert int((turn % (2.0 * math.pi)) // (math.pi / 8.0)) % 16 in met
                assert len(met) <= 9, "not the far side"
            elif out == 0.0:
                assert not met


def test_a_ring_that_turns_and_wanders_keeps_its_pairs() -> None:
    world = ColumnWorld()
    ring = world.add(ec.Ring(5.0), (0.0, 0.0, 0.0), BodyKind.KINEMATIC)
    world.add_all(
        (ec.Circle(0.2), (4.9 * math.cos(t), 4.9 * math.sin(t), 0.0), BodyKind.DYNAMIC, PLAIN) for t in range(12)
    )
    for step in range(60):
        world.place(ring, (0.05 * step, -0.02 * step, 0.13 * step))
        world.update()
        check_found_pairs(world)
    assert world.pairs.count >= 12


def test_pieces_of_one_body_never_meet() -> None:
    world = ColumnWorld()
    world.add_all((shape, (100.0 * k, 0.0, 0.3 * k), BodyKind.DYNAMIC, PLAIN) for k, shape in enumerate(SHAPES))
    world.update()
    assert world.pairs.count == 0
