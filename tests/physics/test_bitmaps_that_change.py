"""A static bitmap of which cells change: it becomes what it would be if made anew, and only its surroundings notice."""

from __future__ import annotations

from typing import Literal

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.pieces import PIECE
from tests.step.sleep.scenes import GRAVITY, fall_asleep
from tests.support.events import open_touches
from tests.support.worlds import Game, collider, dynamic, game, static, transform

CELLS = ["####.....####", "####..#..####", "####.....####", "#############"]


def stored_pieces(play: Game, entity: int) -> list[tuple[bytes, ...]]:
    """The pieces of an entity as the engine has them: kind, size and outline of each, in some order."""
    pieces = play.physics.pipeline.pieces.arrays
    found = []
    for row in play.physics.pipeline.body_sync.members[entity].pieces:
        _, _, start, count, several, _ = pieces.index[row]
        run = slice(start, start + count)
        outline = pieces.vertices[run], pieces.normals[run], pieces.outlines[run]
        first = pieces.index[row, PIECE.KIND], several
        found.append((*map(bytes, first), pieces.size[row].tobytes(), *(array.tobytes() for array in outline)))
    return sorted(found)


@pytest.mark.parametrize("replaced", ["shape", "collider"])
@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(6))
def test_after_any_changes_all_is_as_if_made_anew(seed: int, angle: float, replaced: str) -> None:
    random = np.random.default_rng(seed)
    cells = random.random((9, 14)) < 0.6
    cells[:2, :2] = [[True, False], [False, True]]
    with game() as play:
        map_ = static(ec.Bitmap(cells, 0.5), (3.0, -2.0), angle=angle)
        beside = static(ec.Bitmap(cells, 0.5), (3.0 + 7.0, -2.0), angle=0.0)  # flush where it is not turned
        for _ in range(12):
            for row, column in random.integers(0, (9, 14), (random.integers(1, 6), 2)).tolist():
                cells[row, column] = random.random() < 0.5
            if replaced == "shape":
                collider(map_).shape = ec.Bitmap(cells, 0.5)
            else:
                esper.add_component(map_, ec.Collider(ec.Bitmap(cells, 0.5)))
            play.step()
        changed = stored_pieces(play, map_), stored_pieces(play, beside)
        rays = [(tuple(ends[:2]), tuple(ends[2:])) for ends in random.uniform(-4.0, 12.0, (40, 4)).tolist()]
        hits = [play.physics.ray_cast(*ray) for ray in rays]
        for entity, place, turn in ((map_, (3.0, -2.0), angle), (beside, (10.0, -2.0), 0.0)):
            shape = collider(entity).shape
            esper.delete_entity(entity, immediate=True)
            play.step()
            assert static(shape, place, angle=turn)
        play.step()
        new_map, new_beside = sorted(play.physics.pipeline.body_sync.members)
        assert changed == (stored_pieces(play, new_map), stored_pieces(play, new_beside))
        for ray, hit in zip(rays, hits, strict=True):
            again = play.physics.ray_cast(*ray)
            assert [each and (each.point, each.normal) for each in (hit,)] == [again and (again.point, again.normal)]


def test_a_body_elsewhere_stays_asleep_and_gets_no_event() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(CELLS[::-1]))
        left, right = dynamic(ec.Box(1.0, 1.0), (2.0, 4.5)), dynamic(ec.Box(1.0, 1.0), (11.0, 4.5))
        fall_asleep(play, left, right)
        play.events.clear()
        cells = [list(row) for row in CELLS[::-1]]
        cells[3][12] = "."
        collider(map_).shape = ec.Bitmap(["".join(row) for row in cells])
        play.step()
        assert not play.physics.is_awake(left) and play.physics.is_awake(right)
        play.step(60)
        assert play.named_pairs() == []
        assert play.pose(right) == pytest.approx((11.0, 4.5, 0.0), abs=0.01)


def test_a_body_that_loses_the_cells_under_it_falls_and_gets_an_end() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(CELLS[::-1]))
        box = dynamic(ec.Box(0.8, 0.8), (11.0, 4.4))
        fall_asleep(play, box)
        collider(map_).shape = ec.Bitmap([row[:9] + "...." for row in CELLS[::-1]])
        play.step(60)
        assert play.pose(box)[1] < 3.0
        assert [name for name, *_ in play.named_pairs()] == ["collision_start", "collision_end"]


def test_cells_filled_elsewhere_do_not_change_a_rolling_body() -> None:
    def way(fills: bool) -> list[tuple[float, float, float]]:
        with game(gravity=GRAVITY) as play:
            map_ = static(ec.Bitmap(CELLS[::-1]))
            ball = dynamic(ec.Circle(0.4), (0.5, 4.6), (1.0, 0.0))
            poses = []
            for k in range(100):
                if fills and k > 20:
                    row = CELLS[0][:10] + ".#"[k % 2] + CELLS[0][11:]
                    collider(map_).shape = ec.Bitmap([row, *CELLS[1:]][::-1])
                play.step()
                poses.append(play.pose(ball))
            return poses

    assert way(True) == way(False)


@pytest.mark.parametrize("sensor", [False, True])
def test_starts_and_ends_match_while_a_map_crumbles_under_a_crowd(sensor: bool) -> None:
    random = np.random.default_rng(5)
    cells = random.random((12, 30)) < 0.9
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Box(40.0, 1.0), (15.0, -0.5))
        map_ = static(ec.Bitmap(cells, 1.0), sensor=sensor)
        bodies = [dynamic(ec.Circle(0.4), (0.5 + k, 13.0 + k % 3)) for k in range(30)]
        for _ in range(150):
            row, column = random.integers(0, (12, 30)).tolist()
            cells[row, column] = not cells[row, column]
            collider(map_).shape = ec.Bitmap(cells, 1.0)
            play.step()
        play.step(300)
        touching = open_touches(play.named_pairs())
        for body in bodies:
            names = {other for _, a, b in touching for other in (a, b) if body in (a, b)} - {body}
            assert (map_ in names) == play.physics.touching(body, map_)


def test_a_change_that_is_refused_leaves_the_map_as_it_was() -> None:
    with game() as play:
        map_ = static(ec.Bitmap(CELLS))
        play.step()
        before = stored_pieces(play, map_)
        collider(map_).shape = ec.Bitmap(["#" * 13, *CELLS[1:]])
        bad = esper.create_entity(ec.Velocity())
        with pytest.raises(ec.PhysicsError, match="no Transform"):
            play.step()
        assert stored_pieces(play, map_) == before
        esper.delete_entity(bad, immediate=True)
        play.step()
        assert stored_pieces(play, map_) != before


def test_a_grid_of_another_size_and_one_that_moves_are_bodies_anew() -> None:
    with game() as play:
        map_ = static(ec.Bitmap(CELLS))
        play.step()
        collider(map_).shape = ec.Bitmap(CELLS, 0.5)
        play.step()
        assert play.physics.ray_cast((1.0, 9.0), (1.0, -9.0)).point == (1.0, 2.0)  # type: ignore[union-attr]
        esper.add_component(map_, ec.Velocity())
        collider(map_).shape = ec.Bitmap(["#" * 13, *CELLS[1:]], 0.5)
        play.step(30)
        assert transform(map_).y == 0.0


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_a_ball_falls_where_its_cell_goes(response: Literal["impulse", "exact"]) -> None:
    with game(response=response, gravity=(0.0, -10.0)) as play:
        map_ = static(ec.Bitmap(["###", "###", "#.#"]), restitution=0.0)
        ball = dynamic(ec.Circle(0.25), (1.5, 2.25), restitution=0.0)
        play.step(30)
        assert play.pose(ball)[1] == pytest.approx(2.25, abs=0.01)
        collider(map_).shape = ec.Bitmap(["###", "#.#", "#.#"])
        play.step(120)
        assert play.pose(ball)[1] == pytest.approx(1.25, abs=0.01)


@pytest.mark.parametrize("shape", [ec.Box(0.8, 0.8), ec.Circle(0.4)])
def test_a_buried_body_comes_all_the_way_out_before_it_sleeps(shape: ec.Shape) -> None:
    with game(gravity=GRAVITY) as play:
        cells = np.zeros((12, 40), np.bool_)
        cells[:6] = True
        terrain = static(ec.Bitmap(cells, 1.0), (0.0, 0.0))
        buried = dynamic(shape, (20.3, 6.4))
        fall_asleep(play)
        cells = cells.copy()
        cells[:8] = True
        esper.component_for_entity(terrain, ec.Collider).shape = ec.Bitmap(cells, 1.0)
        play.step(120)
        assert transform(buried).y == pytest.approx(8.4, abs=0.01)
        assert not play.physics.is_awake(buried)
