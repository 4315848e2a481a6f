"""Static bodies that the game moves by writing their `Transform`, in many frames or once in a while."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.broadphase.relocated_pieces import RelocatedPieces
from tests.support.events import entities_of
from tests.support.worlds import Game, dynamic, game, static, transform

Events = list[set[tuple[str, tuple[int, ...]]]]


def count_reports(play: Game, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each work of Python within a step appends from now on."""
    plan, reports = play.physics.pipeline.plan, list[int]()
    resume = plan.resume

    def record(reported: int, end: int) -> None:
        reports.append(reported)
        resume(reported, end)

    monkeypatch.setattr(plan, "resume", record)
    return reports


def drifting_boxes(random: Random, count: int, side: float, **collider: Any) -> list[Callable[[], None]]:
    """Make static boxes; return a function for each, which moves it on by a frame within a square."""

    def drift(place: ec.Transform, speed: list[float]) -> Callable[[], None]:
        def move() -> None:
            for axis, now in enumerate((place.x, place.y)):
                if not -side < now < side:
                    speed[axis] = -abs(speed[axis]) if now > 0.0 else abs(speed[axis])
            place.position = place.x + speed[0] / 60.0, place.y + speed[1] / 60.0
            place.angle += speed[2] / 60.0

        return move

    moves = []
    for _ in range(count):
        place = ec.Transform(random.uniform(-side, side), random.uniform(-side, side))
        esper.create_entity(place, ec.Collider(ec.Box(0.8, 0.5), **collider))
        moves.append(drift(place, [random.uniform(-4.0, 4.0) for _ in range(3)]))
    return moves


def test_kernels_alone_bring_in_static_boxes_that_move_in_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        places = [ec.Transform(3.0 * k, 0.0) for k in range(20)]
        for place in places:
            esper.create_entity(place, ec.Collider(ec.Box(1.0, 1.0), detect=True))
        esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(1.0, 0.0), ec.Collider(ec.Circle(0.2)))

        def move(frame: int) -> None:
            for k, place in enumerate(places):
                place.y = 0.01 * frame * (-1) ** k

        for frame in range(3):
            move(frame)
            play.step()
        reports = count_reports(play, monkeypatch)
        for frame in range(3, 60):
            move(frame)
            play.step()
        assert reports == []


def test_equal_values_move_no_static_body(monkeypatch: pytest.MonkeyPatch) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        place = ec.Transform(1.0, 0.3, 0.4)
        esper.create_entity(place, ec.Collider(ec.Box(9.0, 1.0)))
        floor = ec.Transform(20.0, 0.0)
        esper.create_entity(floor, ec.Collider(ec.Box(9.0, 1.0)))
        box = esper.create_entity(ec.Transform(20.0, 1.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
        for _ in range(120):
            play.step()
        assert not play.physics.is_awake(box)
        reports = count_reports(play, monkeypatch)
        for _ in range(10):
            floor.position, floor.angle, place.x, place.angle = floor.position, 0.0, 1.0, place.angle
            play.step()
        assert reports == []
        assert not play.physics.is_awake(box)


def run_events(seed: int, in_kernels: bool, monkeypatch: pytest.MonkeyPatch) -> Events:
    random = Random(seed)
    with monkeypatch.context() as patch, game(gravity=(0.0, 0.0)) as play:
        if not in_kernels:
            patch.setattr(RelocatedPieces, "add", lambda self, rows: None)
        moves = drifting_boxes(random, 8, 3.0, detect=True)
        moves += drifting_boxes(random, 8, 3.0, sensor=True, detect=random.random() < 0.5)
        esper.create_entity(ec.Transform(0.0, -2.0), ec.Collider(ec.HalfPlane((0.0, 1.0)), detect=True))
        for _ in range(2):
            velocity = ec.Velocity(random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0), 1.0)
            body = ec.RigidBody(ec.BodyKind.KINEMATIC)
            esper.create_entity(ec.Transform(), velocity, body, ec.Collider(ec.Circle(0.5), detect=True))
        for frame in range(150):
            for k, move in enumerate(moves):
                if seed % 3 == 0 or (frame + k) % (2 + seed % 3) == 0:
                    move()
            play.step()
        received: Events = [set() for _ in range(play.steps)]
        for step, name, arguments in play.events:
            received[step].add((name, entities_of(arguments)))
        return received


@pytest.mark.parametrize("seed", range(10))
def test_moved_static_bodies_send_the_events_that_the_general_way_sends(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    received = run_events(seed, True, monkeypatch)
    assert sum(map(len, received)) > 20
    assert received == run_events(seed, False, monkeypatch)


def run_outlines(seed: int, in_kernels: bool, monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """Return the outlines of all pieces after each of some frames in which rows of tiles move, together or apart."""
    random, seen = Random(seed), []
    with monkeypatch.context() as patch, game(gravity=(0.0, 0.0)) as play:
        if not in_kernels:
            patch.setattr(RelocatedPieces, "add", lambda self, rows: None)
        tiles = [ec.Transform(float(x), float(y)) for y in range(3) for x in range(5)]
        entities = [esper.create_entity(place, ec.Collider(ec.Box(1.0, 1.0))) for place in tiles]
        play.step()
        for frame in range(60):
            step = random.choice((0.25, 0.5, 1.0, random.uniform(0.0, 0.1))) * random.choice((-1, 1))
            row = random.randrange(3)
            for place in random.choice((tiles[5 * row : 5 * row + 5], tiles, random.sample(tiles, 2))):
                place.position = place.x + step * (frame % 2), place.y + step * (frame % 3 == 0)
            play.step()
            members, pieces = play.physics.pipeline.body_sync.members, play.physics.pipeline.pieces.arrays
            outlines: list[object] = []
            for entity in entities:
                (piece,) = members[entity].pieces
                _, kind, start, count, _, _ = pieces.index[piece].tolist()
                outlines.append((kind, pieces.outlines[start : start + count].tolist()))
            seen.append(outlines)
    return seen


@pytest.mark.parametrize("seed", range(10))
def test_seams_between_moved_static_tiles_are_those_of_the_general_way(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = run_outlines(seed, True, monkeypatch)
    assert len({str(outlines) for outlines in seen}) > 5
    assert seen == run_outlines(seed, False, monkeypatch)


def sleeping_box_on_a_moved_shelf(play: Game) -> tuple[ec.Transform, int]:
    """Return a static shelf that was moved in several frames, and a box that has fallen asleep on it."""
    shelf = ec.Transform(0.0, -0.5)
    esper.create_entity(shelf, ec.Collider(ec.Box(6.0, 1.0)))
    for _ in range(4):
        shelf.y += 0.001
        play.step()
    box = esper.create_entity(ec.Transform(0.0, 0.51), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    for _ in range(120):
        play.step()
    assert not play.physics.is_awake(box)
    return shelf, box


@pytest.mark.parametrize("way", [(0.0, -1.0), (0.0, 1e-5), (9.0, 0.0)])
def test_a_sleeping_box_wakes_as_its_shelf_is_moved_again(way: tuple[float, float]) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        shelf, box = sleeping_box_on_a_moved_shelf(play)
        shelf.position = shelf.x + way[0], shelf.y + way[1]
        play.step()
        assert play.physics.is_awake(box)


def test_a_sleeping_box_wakes_as_a_moved_shelf_comes_to_its_place() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        _, box = sleeping_box_on_a_moved_shelf(play)
        ram = ec.Transform(-9.0, 0.5)
        esper.create_entity(ram, ec.Collider(ec.Box(1.0, 0.5)))
        for _ in range(35):
            assert not play.physics.is_awake(box)
            ram.x += 0.2
            play.step()
        for _ in range(30):
            ram.x += 0.05
            play.step()
        assert play.physics.is_awake(box)
        assert play.pose(box)[0] > 0.3


def test_a_sleeping_body_wakes_as_the_moved_post_of_its_joint_moves_on() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        place = ec.Transform(0.0, 5.0)
        post = esper.create_entity(place, ec.Collider(ec.Box(0.2, 0.2)))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane((0.0, 1.0))))
        box = esper.create_entity(ec.Transform(0.0, 0.5), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
        esper.create_entity(ec.DistanceJoint(post, box, min_length=0.0, max_length=4.6))
        for _ in range(4):
            place.y += 0.001
            play.step()
        for _ in range(200):
            play.step()
        assert not play.physics.is_awake(box)
        place.y += 1.0
        for _ in range(120):
            play.step()
        assert play.pose(box)[1] > 1.0


def test_a_query_finds_a_moved_static_body_at_once_and_so_does_the_next_step() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        place = ec.Transform(0.0, 0.0)
        wall = esper.create_entity(place, ec.Collider(ec.Box(1.0, 1.0)))
        ball = esper.create_entity(ec.Transform(50.0, 0.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        for frame in range(20):
            place.x = float(frame)
            hit = play.physics.ray_cast((frame - 3.0, 0.0), (frame + 3.0, 0.0))
            assert hit is not None and (hit.entity, hit.point[0]) == (wall, frame - 0.5)
            play.step()
        place.x = 49.2
        assert play.physics.point_query((49.6, 0.0)) == [wall, ball]
        play.step()
        assert play.physics.touching(wall, ball)


def make_it_static_by_a_component(shelf: int) -> None:
    esper.add_component(shelf, ec.RigidBody(ec.BodyKind.STATIC))


def attach_a_rail(shelf: int) -> None:
    esper.create_entity(ec.Collider(ec.Segment((0.0, -1.0), (1.0, -1.0))), ec.AttachedTo(shelf))


@pytest.mark.parametrize("change", [make_it_static_by_a_component, attach_a_rail])
def test_a_query_between_a_move_and_a_step_loses_no_move_of_a_body_that_changes(change: Callable[[int], None]) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        shelf = static(ec.Box(4.0, 1.0))
        ball = dynamic(ec.Circle(0.5), (0.0, 5.0))
        play.step()
        transform(shelf).y = 3.0
        change(shelf)
        assert play.physics.point_query((0.0, 3.0)) == [shelf]
        play.step()
        assert play.physics.point_query((0.0, 3.0)) == [shelf]
        play.step(120)
        assert play.pose(ball)[1] == pytest.approx(4.0, abs=0.01)


def test_a_bad_place_of_a_moved_static_body_is_refused_until_it_is_mended() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        place, other = ec.Transform(0.0, 0.0), ec.Transform(10.0, 0.0)
        wall = esper.create_entity(place, ec.Collider(ec.Box(1.0, 1.0), detect=True))
        far = esper.create_entity(other, ec.Collider(ec.Box(1.0, 1.0), detect=True))
        for _ in range(4):
            place.x += 0.1
            other.x += 0.1
            play.step()
        play.physics.positions[play.physics.row_of(wall)] = (1e200, 0.0)
        play.physics.moved([wall])
        other.x = 1.0
        for _ in range(2):
            with pytest.raises(ec.PhysicsError, match=rf"entity {wall}: Transform\.x is 1e"):
                play.step()
        place.x = 0.5
        play.step()
        assert play.physics.point_query((0.75, 0.0)) == [wall, far]


def moved_map(play: Game) -> tuple[int, ec.Transform]:
    """Return a static map of one cell at (0.5, 0.5), with room for two more, and its place after several moves."""
    place = ec.Transform(0.0, 0.0)
    terrain = esper.create_entity(place, ec.Collider(ec.Bitmap([[1, 0, 0]], 1.0)))
    for _ in range(4):
        place.x += 0.1
        play.step()
    return terrain, place


def give_a_cell(terrain: int) -> None:
    esper.component_for_entity(terrain, ec.Collider).shape = ec.Bitmap([[1, 0, 1]], 1.0)


def attach_a_box(terrain: int) -> None:
    esper.create_entity(ec.AttachedTo(terrain, 2.5, 0.5), ec.Collider(ec.Box(1.0, 1.0)))


@pytest.mark.parametrize("add", [give_a_cell, attach_a_box])
def test_pieces_that_a_moved_static_body_gains_move_with_it(add: Callable[[int], None]) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        terrain, place = moved_map(play)
        add(terrain)
        play.step()
        ball = esper.create_entity(ec.Transform(2.5, 30.5), ec.Velocity(), ec.Collider(ec.Circle(0.4)))
        play.step()
        place.position = 0.0, 30.0
        play.step()
        assert play.physics.ray_cast((2.9, 35.0), (2.9, 25.0)) is not None
        assert play.physics.colliding(ball)
