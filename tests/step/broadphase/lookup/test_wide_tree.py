"""The static tree in nodes of eight: it has each piece once, and searches find what they find in the tree itself."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.pieces import PIECE
from ecs_collide.step.broadphase.lookup.static_tree import ROOT
from ecs_collide.step.broadphase.lookup.wide_tree import STATE, WideTree
from tests.support.worlds import Game, dynamic, game, static

NEVER = -(10**9)
RAYS = 300


def eights_of(play: Game) -> WideTree:
    return play.physics._queries._runner.scene._wide_tree


def below(eights: WideTree, first: int, box: np.ndarray) -> list[int]:
    """The pieces below the node whose eight begin at a place, all of which must lie in a box."""
    found = []
    for place in range(first, first + 8):
        inner = eights.box[:, place]
        if inner[0] > inner[2]:
            continue
        assert (inner[:2] >= box[:2]).all() and (inner[2:] <= box[2:]).all()
        child = int(eights.child[place])
        found += [-1 - child] if child < 0 else below(eights, child, inner)
    return found


def answers(play: Game, ways: np.ndarray) -> list[np.ndarray]:
    """Return the first hits and all hits of rays on these paths (n, 4)."""
    starts, ends = ways[:, :2], ways[:, 2:]
    return [*play.physics.ray_casts(starts, ends), *play.physics.ray_casts_all(starts, ends)]


def check_wide_tree(play: Game, ways: np.ndarray) -> None:
    """The tree and its eights answer alike, and the eights hold what the tree does."""
    play.physics.ray_cast((0.0, 0.0), (1.0, 0.0))
    eights = eights_of(play)
    eights.state[:] = -1, NEVER
    by_tree = answers(play, ways)
    assert eights.state[STATE.MADE_FOR] == -1
    eights.state[STATE.MISSED] = 0
    answers(play, ways)
    root = play.physics.pipeline.pair_finder.tree.arrays.root
    if root[ROOT.SIZE] > 0:
        assert eights.state[STATE.MADE_FOR] == root[ROOT.VERSION]
        columns = play.physics.pipeline.pieces
        leaf, owner = columns.arrays.leaf, columns.arrays.index[:, PIECE.BODY]
        hanging = np.flatnonzero((owner >= 0) & (leaf >= 0) & (np.arange(len(leaf)) < columns.rows.high))
        assert sorted(below(eights, 0, np.array([-np.inf, -np.inf, np.inf, np.inf]))) == hanging.tolist()
    for one, other in zip(by_tree, answers(play, ways), strict=True):
        assert one.tobytes() == other.tobytes()


def fill(arrangement: str, count: int, random: np.random.Generator) -> list[int]:
    """Static boxes and circles."""
    places = {
        "scattered": random.uniform(-20.0, 20.0, (count, 2)),
        "row": np.column_stack((np.arange(count) - 20.0, np.zeros(count))),
        "one place": np.zeros((count, 2)),
        "floor and tiles": random.integers(-20, 20, (count, 2)).astype(float),
    }[arrangement]
    sizes = np.ones(count)
    if arrangement == "floor and tiles":
        sizes[::10] = 60.0
    shapes = [ec.Box(size, 1.0) if k % 3 else ec.Circle(0.5) for k, size in enumerate(sizes.tolist())]
    return [static(shape, (x, y)) for shape, (x, y) in zip(shapes, places.tolist(), strict=True)]


@pytest.mark.parametrize("arrangement", ["scattered", "row", "one place", "floor and tiles"])
@pytest.mark.parametrize("count", [0, 1, 2, 8, 9, 64, 65, 130, 600])
def test_rays_find_the_same_in_eights_as_in_the_tree(count: int, arrangement: str) -> None:
    random = np.random.default_rng(count)
    ways = random.uniform(-22.0, 22.0, (RAYS, 4))
    ways[:20, 2:] = ways[:20, :2]
    ways[20:40, 3] = ways[20:40, 1]
    ways[40:60] = np.round(ways[40:60])
    with game() as play:
        fill(arrangement, count, random)
        for _ in range(3):
            dynamic(ec.Circle(0.5), tuple(random.uniform(-9.0, 9.0, 2).tolist()))
        play.step()
        check_wide_tree(play, ways)


def test_it_follows_static_bodies_that_are_added_removed_and_moved() -> None:
    random = np.random.default_rng(2)
    ways = random.uniform(-22.0, 22.0, (RAYS, 4))
    with game() as play:
        entities = fill("scattered", 90, random)
        play.step()
        for _ in range(6):
            check_wide_tree(play, ways)
            for entity in entities[:5]:
                esper.delete_entity(entity, immediate=True)
            for entity in entities[5:9]:
                place = tuple(random.uniform(-20.0, 20.0, 2).tolist())
                esper.component_for_entity(entity, ec.Transform).position = place
            entities = entities[5:] + fill("scattered", 60, random)
            answers(play, ways[:3])  # new ones, which the tree does not hold yet
            play.step()


def test_few_queries_do_not_build_it() -> None:
    with game() as play:
        fill("scattered", 600, np.random.default_rng(3))
        play.step()
        for k in range(20):
            play.physics.ray_cast((-20.0, float(k)), (20.0, float(k)))
        assert eights_of(play).state[STATE.MADE_FOR] == -1
