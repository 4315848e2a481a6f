"""Changing cells of a terrain affects bodies near them and no others, however the terrain is cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.aabb import rows_touch
from tests.step.sleep.scenes import BOX, GRAVITY, fall_asleep
from tests.support.events import entities_of, open_touches
from tests.support.worlds import Game, dynamic, game, static, transform

FLAT = np.zeros((30, 80), np.bool_)
FLAT[:20] = True
"""One rectangle: every cell that changes cuts it into others, on which all stand."""


def changed(cells: np.ndarray, *others: tuple[int, int]) -> np.ndarray:
    """Return the cells with a few changed, (row, column) each."""
    cells = cells.copy()
    for place in others:
        cells[place] = not cells[place]
    return cells


def set_cells(map_: int, cells: np.ndarray, size: float = 1.0) -> None:
    """Let a map have other cells."""
    esper.component_for_entity(map_, ec.Collider).shape = ec.Bitmap(cells, size)


def count_events(play: Game) -> Counter[tuple[object, ...]]:
    """Return the number of events of each kind for each pair of entities."""
    return Counter((name, *sorted(pair)) for name, *pair in play.named_pairs())


def awake(play: Game, bodies: list[int]) -> list[int]:
    return [body for body in bodies if play.physics.is_awake(body)]


def check_all_pairs(play: Game) -> None:
    """There is one pair for each two pieces whose boxes overlap, parked or not, if any of the two can move."""
    pipeline = play.physics.pipeline
    pieces, index = pipeline.pieces.arrays, pipeline.pairs.arrays.index
    used = index[index[:, PAIR.ROW] != of_pair.FREE]
    found = Counter(tuple(sorted(pair)) for pair in used[:, PAIR.PIECE_A : PAIR.PIECE_B + 1].tolist())
    rows = [piece for body in pipeline.body_sync.members.values() for piece in body.pieces]
    owners, kinds = pieces.index[:, PIECE.BODY], pipeline.bodies.arrays.kind
    for a in rows:
        for b in rows:
            can_meet = owners[a] != owners[b] and max(kinds[owners[a]], kinds[owners[b]]) > 0
            if a < b and can_meet:
                assert found.pop((a, b), 0) == rows_touch(pieces.old_box, a, pieces.old_box, b)
    assert not found


@pytest.mark.parametrize(
    "others",
    [
        [(19, 0)],
        [(19, 79), (18, 79)],
        [(5, 40)],
        [(0, 40)],
        [(17, 5), (17, 8)],
        [(20, 0)],
        [(25, 20)],
        [(row, 0) for row in range(20)],
        [(19, 0), (3, 3), (12, 60), (20, 79), (29, 0)],
    ],
)
def test_bodies_asleep_on_a_flat_map_get_no_event_of_a_distant_cell(
    others: list[tuple[int, int]],
) -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT))
        boxes = [dynamic(BOX, (5.0 + 3.0 * k, 20.5)) for k in range(24)]
        fall_asleep(play, *boxes)
        poses = [play.pose(box) for box in boxes]
        play.events.clear()
        set_cells(map_, changed(FLAT, *others))
        play.step(2)
        assert awake(play, boxes) == []
        check_all_pairs(play)
        assert all(len(play.physics.contacts_of(box)) == 1 for box in boxes)
        for box in boxes:
            play.physics.wake(box)
        play.step(90)
        set_cells(map_, FLAT)
        play.step()
        assert count_events(play) == {} and awake(play, boxes) == []
        for box, pose in zip(boxes, poses, strict=True):
            assert play.pose(box) == pytest.approx(pose, abs=1e-3)


def test_a_map_that_gets_equal_cells_wakes_no_body() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT))
        boxes = [dynamic(BOX, (5.0 + 3.0 * k, 20.5)) for k in range(24)]
        fall_asleep(play, *boxes)
        play.events.clear()
        set_cells(map_, FLAT)
        play.step()
        assert awake(play, boxes) == [] and count_events(play) == {}


@pytest.mark.parametrize("size", [1.0, 0.25])
def test_only_bodies_on_a_removed_cell_wake_and_fall(size: float) -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT, size))
        boxes = [dynamic(ec.Box(0.8 * size, 0.8 * size), ((5.5 + 4 * k) * size, 20.4 * size)) for k in range(15)]
        fall_asleep(play, *boxes)
        play.events.clear()
        set_cells(map_, changed(FLAT, (19, 25)), size)
        play.step()
        assert awake(play, boxes) == [boxes[5]]
        play.step(90)
        assert count_events(play) == {("collision_end", map_, boxes[5]): 1, ("collision_start", map_, boxes[5]): 1}
        assert play.pose(boxes[5])[1] == pytest.approx(19.4 * size, abs=0.01)


def test_a_body_beside_a_removed_cell_wakes_and_keeps_touching() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT))
        box, other = dynamic(BOX, (40.5, 20.5)), dynamic(BOX, (44.5, 20.5))
        fall_asleep(play, box, other)
        play.events.clear()
        set_cells(map_, changed(FLAT, (19, 41)))
        play.step()
        assert awake(play, [box, other]) == [box]
        play.step(60)
        assert count_events(play) == {}


def test_filled_cells_wake_only_bodies_that_they_bury() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT))
        boxes = [dynamic(ec.Box(0.6, 0.6), (10.5 + 5 * k, 20.3)) for k in range(8)]
        fall_asleep(play, *boxes)
        play.events.clear()
        set_cells(map_, changed(FLAT, (20, 25)))
        play.step()
        assert awake(play, boxes) == [boxes[3]]
        play.step(120)
        assert count_events(play) == {}
        assert abs(play.pose(boxes[3])[0] - 25.5) == pytest.approx(0.8, abs=0.01)  # the shortest way out


def test_a_body_on_two_of_the_new_pieces_keeps_touching_the_map() -> None:
    """The bodies lean against a wall, which a cell on its far side cuts at their heights."""
    wall = np.ones((40, 12), np.bool_)
    with game(gravity=(9.81, 0.0)) as play:
        map_ = static(ec.Bitmap(wall))
        boxes = [dynamic(BOX, (-0.5, 3.0 + 3 * k)) for k in range(12)]
        fall_asleep(play, *boxes)
        play.events.clear()
        cut = changed(wall, *((3 + 3 * k, 11) for k in range(6)), *((2 + 3 * k, 11) for k in range(7, 12)))
        set_cells(map_, cut)
        play.step()
        assert awake(play, boxes) == []
        check_all_pairs(play)
        for box in boxes[::2]:
            play.physics.wake(box)
        play.step(60)
        set_cells(map_, wall)
        play.step(60)
        assert count_events(play) == {} and awake(play, boxes) == []
        check_all_pairs(play)
        esper.delete_entity(map_)
        play.step()
        assert count_events(play) == {("collision_end", map_, box): 1 for box in boxes}


def ways(
    scene: Callable[[], tuple[int, list[int]]], cells: np.ndarray, dug: tuple[int, int], **settings: object
) -> None:
    """Play a scene of a map and bodies twice, with a cell that comes and goes and without: all else is the same."""

    def way(digs: bool) -> tuple[object, ...]:
        with game(**settings) as play:
            map_, bodies = scene()
            poses = []
            for k in range(120):
                if digs and k > 5:
                    set_cells(map_, changed(cells, dug) if k % 2 else cells)
                play.step()
                poses.append([play.pose(body) for body in bodies])
            return poses, count_events(play)

    assert way(True) == way(False)


@pytest.mark.parametrize("dug", [(19, 0), (5, 40), (25, 70)])
def test_a_body_on_a_map_that_changes_elsewhere_moves_with_equal_bits(dug: tuple[int, int]) -> None:
    def scene() -> tuple[int, list[int]]:
        map_ = static(ec.Bitmap(FLAT))
        moving = [
            dynamic(ec.Circle(0.4), (10.5, 20.6), (4.0, 0.0)),
            dynamic(BOX, (20.2, 20.6), (3.0, 0.0)),
            dynamic(ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.2), (30.2, 21.6), (1.0, 0.0), angle=0.3),
            dynamic(ec.Box(0.3, 0.7), (41.3, 23.0), (-1.0, 0.0), angle=1.1),
        ]
        return map_, moving + [dynamic(BOX, (50.0 + 0.1 * k, 20.5 + k)) for k in range(6)]

    ways(scene, FLAT, dug, gravity=GRAVITY)


def test_a_ball_passes_a_one_way_map_as_it_does_while_that_is_left_alone() -> None:
    cells = np.ones((2, 40), np.bool_)

    def scene() -> tuple[int, list[int]]:
        map_ = static(ec.Bitmap(cells), one_way=(0.0, 1.0))
        return map_, [dynamic(ec.Circle(0.4), (20.5, -1.0), (0.0, 9.0)), dynamic(BOX, (25.0, 3.0))]

    ways(scene, cells, (1, 3), gravity=GRAVITY)


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_on_maps_side_by_side_only_bodies_near_the_cell_wake(angle: float) -> None:
    chunk = np.ones((6, 16), np.bool_)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    with game(gravity=(9.81 * s, -9.81 * c)) as play:
        maps = [static(ec.Bitmap(chunk), (16.0 * k * c, 16.0 * k * s), angle=angle) for k in range(3)]
        places = [(x, 6.5) for x in (2.0, 10.0, 20.0, 26.0, 36.0, 44.0)]
        boxes = [dynamic(BOX, (x * c - y * s, x * s + y * c), angle=angle) for x, y in places]
        fall_asleep(play, *boxes)
        play.events.clear()
        cells = changed(chunk, (5, 14))
        set_cells(maps[1], cells)
        play.step()
        assert awake(play, boxes) == []
        set_cells(maps[0], changed(chunk, (5, 15), (0, 3)))  # at the border of two maps
        play.step()
        assert awake(play, boxes) == []
        set_cells(maps[1], changed(cells, (5, 4)))
        play.step()
        assert awake(play, boxes) == [boxes[2]]
        play.step(60)
        assert count_events(play) == {}


def test_a_body_on_a_box_flush_with_a_removed_cell_gets_no_event() -> None:
    chunk = np.ones((6, 16), np.bool_)
    with game(gravity=GRAVITY) as play:
        map_, floor = static(ec.Bitmap(chunk)), static(ec.Box(20.0, 6.0), (26.0, 3.0))
        boxes = [dynamic(BOX, (x, 6.5)) for x in (5.0, 10.0, 20.0, 30.0)]
        fall_asleep(play, *boxes)
        play.events.clear()
        set_cells(map_, changed(chunk, (5, 15)))
        play.step()
        assert awake(play, boxes[:2]) == []
        play.step(90)
        assert count_events(play) == {} and awake(play, boxes) == []
        assert all(play.physics.touching(box, floor) for box in boxes[2:])


def test_a_body_in_a_sensor_map_gets_no_event_of_cells_elsewhere() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        map_ = static(ec.Bitmap(FLAT), sensor=True)
        bodies = [dynamic(ec.Circle(0.3), (10.5 + 5 * k, 12.5)) for k in range(10)]
        play.step(60)
        play.events.clear()
        set_cells(map_, changed(FLAT, (3, 3)))
        play.step(2)
        set_cells(map_, changed(FLAT, (12, 79), (12, 60)))
        play.step(2)
        assert count_events(play) == {}
        set_cells(map_, changed(FLAT, (12, 20)))
        play.step(2)
        assert count_events(play) == {("sensor_exit", map_, bodies[2]): 1}
        esper.delete_entity(map_)
        play.step()
        assert count_events(play) == {("sensor_exit", map_, body): 1 for body in bodies}


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("gravity", [GRAVITY, (9.81, 0.0)])
def test_while_a_map_is_dug_and_filled_at_random_open_touches_are_real(
    asks: bool, gravity: tuple[float, float]
) -> None:
    random = np.random.default_rng(3)
    cells = np.ones((24, 24), np.bool_)
    with game(gravity=gravity) as play:
        map_ = static(ec.Bitmap(cells))
        bodies = [dynamic(BOX if k % 2 else ec.Circle(0.4), (0.7 + 1.5 * k, 24.5)) for k in range(15)]
        bodies += [dynamic(BOX if k % 2 else ec.Circle(0.4), (-0.5, 0.7 + 1.5 * k)) for k in range(15)]
        play.step(60)
        for k in range(200):
            if k % 3 == 0:
                for row, column in random.integers(0, 24, (random.integers(1, 4), 2)).tolist():
                    cells[row, column] = random.random() < 0.5
                    if asks:
                        set_cells(map_, cells)
                        play.physics.ray_cast((0.5, 40.0), (0.5, -1.0))
                set_cells(map_, cells)
            play.step()
            check_all_pairs(play)
            touching = open_touches((name, *sorted(entities_of(each))) for _, name, each in play.events)
            for body in bodies:
                assert (("collision_start", map_, body) in touching) == play.physics.touching(body, map_)
        for body in bodies:
            if not play.physics.is_awake(body) and play.physics.touching(body, map_):
                before = play.pose(body)
                play.physics.wake(body)
                play.step(5)
                assert play.pose(body) == pytest.approx(before, abs=0.01)


def test_a_map_that_is_moved_and_dug_in_one_step_carries_no_body() -> None:
    with game(gravity=GRAVITY) as play:
        map_ = static(ec.Bitmap(FLAT))
        boxes = [dynamic(BOX, (5.0 + 3.0 * k, 20.5)) for k in range(5)]
        fall_asleep(play, *boxes)
        set_cells(map_, changed(FLAT, (19, 79)))
        transform(map_).y -= 1.0
        play.step()
        assert awake(play, boxes) == boxes
        play.step(120)
        assert [play.pose(box)[1] for box in boxes] == pytest.approx([19.5] * 5, abs=0.01)


def test_a_body_on_a_map_with_a_new_friction_wakes_wherever_it_was_dug() -> None:
    with game(gravity=(3.0, -9.81)) as play:
        map_ = static(ec.Bitmap(FLAT), friction=0.9)
        boxes = [dynamic(BOX, (5.0 + 3.0 * k, 20.5), friction=0.9) for k in range(5)]
        fall_asleep(play, *boxes)
        esper.add_component(map_, ec.Collider(ec.Bitmap(changed(FLAT, (19, 79))), friction=0.0))
        play.step()
        assert awake(play, boxes) == boxes
