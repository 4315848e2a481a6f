"""Many flush static colliders are one surface: what moves on them does what it does on one big collider.

If two contact points rub, their order decides the last digits. A collider with a neighbour has another pair kernel than
one without. So there are two oracles: `one`, a single box, and `paired`, a single box whose only seam is out of the
way. With friction, `paired` must be matched much more closely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.long_floor import (
    BODIES,
    COUNT,
    GAP,
    SPEEDS,
    Floor,
    G,
    Shift,
    apart,
    create_one_box,
    create_tile_row,
    paired,
    steps_along,
    track,
    turned_place,
)
from tests.support.worlds import DT, Game, dynamic, game, static

SLOP = 0.005
TOLERANCE = 0.005
"""Of unit tiles: steps and gaps below it are none [m]."""

over_bodies = pytest.mark.parametrize("name", BODIES)
over_speeds = pytest.mark.parametrize("speed", SPEEDS)


@over_bodies
@over_speeds
def test_sliding_over_tiles_without_friction_is_sliding_over_one(name: str, speed: float) -> None:
    shape, _, high = BODIES[name]
    start, steps = (5.0, high + GAP), steps_along(speed)
    row = track(lambda: create_tile_row(friction=0.0), shape, start, (speed, 0.0), steps, friction=0.0)
    assert (row[:, 3] == speed).all()
    assert (
        apart(row, track(lambda: create_one_box(friction=0.0), shape, start, (speed, 0.0), steps, friction=0.0)) < 1e-12
    )


@over_bodies
@over_speeds
def test_rubbing_and_rolling_over_tiles_is_that_over_one(name: str, speed: float) -> None:
    shape, _, high = BODIES[name]
    start, steps = (5.0, high + GAP), steps_along(speed)
    row = track(lambda: create_tile_row(friction=0.3), shape, start, (speed, 0.0), steps, friction=0.3)
    assert apart(row, track(lambda: paired(0.3), shape, start, (speed, 0.0), steps, friction=0.3)) < 1e-12
    assert apart(row, track(lambda: create_one_box(0.3), shape, start, (speed, 0.0), steps, friction=0.3)) < 1e-6
    assert row[-1, 3] < speed - 0.2, "it was slowed"


def test_the_order_of_the_tiles_changes_no_bit() -> None:
    tracks = [
        track(
            partial(create_tile_row, friction=0.3, seed=seed),
            ec.Box(1.0, 1.0),
            (5.0, 2.5),
            (5.0, 0.0),
            150,
            angle=0.6,
            angular=3.0,
            friction=0.3,
        ).tobytes()
        for seed in range(20)
    ]
    assert len(set(tracks)) == 1


@pytest.mark.parametrize(
    ("angle", "angular", "height"),
    [(0.1, 0.0, 2.5), (0.78, 1.0, 1.0), (0.6, 3.0, 1.5), (0.6, 3.0, 2.5), (1.2, -4.0, 3.0)],
)
def test_a_box_tumbles_over_tiles_as_over_one(angle: float, angular: float, height: float) -> None:
    def tumble(floor: Floor) -> np.ndarray:
        box = ec.Box(1.0, 1.0)
        return track(floor, box, (5.0, height), (5.0, 0.0), 150, angle=angle, angular=angular, friction=0.3)

    assert apart(tumble(lambda: create_tile_row(friction=0.3)), tumble(lambda: paired(0.3))) < 1e-9


def misaligned(size: float, kind: str) -> Shift:
    random = np.random.default_rng(1).uniform(-0.5 * size, 0.5 * size, (COUNT, 2))
    kinds: dict[str, Shift] = {
        "teeth": lambda k: (0.0, size * (k % 2)),
        "random": lambda k: (random[k, 0], random[k, 1]),
        "gaps": lambda k: (size * k, 0.0),
    }
    return kinds[kind]


@pytest.mark.parametrize("kind", ["teeth", "random", "gaps"])
@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-4, 1e-3])
@over_bodies
def test_misaligned_tiles_take_no_speed(name: str, size: float, kind: str) -> None:
    shape, _, high = BODIES[name]
    for speed in SPEEDS:
        row = track(
            lambda: create_tile_row(friction=0.0, shift=misaligned(size, kind)),
            shape,
            (5.0, high + GAP + size),
            (speed, 0.0),
            steps_along(speed),
            friction=0.0,
        )
        assert (row[:, 3] == speed).all()
        assert np.abs(row[:, 1] - high).max() < SLOP
        assert np.abs(row[:, 4]).max() < 1e-3


def step_up(rise: float, big: bool) -> None:
    """Tops at y = 0 as far as x = 10, then at `rise`."""
    if big:
        static(ec.Box(10.0, 1.0), (5.0, -0.5), friction=0.0)
        static(ec.Box(40.0, 1.0), (30.0, rise - 0.5), friction=0.0)
    else:
        create_tile_row(friction=0.0, shift=lambda k: (0.0, rise if k >= 10 else 0.0))


@pytest.mark.parametrize("rise", [0.9 * TOLERANCE, 1.1 * TOLERANCE, 0.01, 0.05, 0.25, 0.5])
@pytest.mark.parametrize("name", ["box", "circle"])
@over_speeds
def test_a_step_is_what_it_is_between_two_big_boxes(name: str, rise: float, speed: float) -> None:
    shape, _, high = BODIES[name]
    start, steps, more = (5.0, high + GAP), steps_along(speed), ec.RigidBody(lock_rotation=True)
    row = track(lambda: step_up(rise, False), shape, start, (speed, 0.0), steps, more, friction=0.0)
    big = track(lambda: step_up(rise, True), shape, start, (speed, 0.0), steps, more, friction=0.0)
    assert apart(row, big) < 1e-11
    if rise < TOLERANCE:
        assert (row[:, 3] == speed).all(), "passed"
    elif name == "box" and (speed != 7.0 or rise >= 0.05):  # there the last step before it ends far inside the riser
        assert row[-1, 0] == pytest.approx(9.5, abs=1e-5), "blocked at the riser"
        assert row[-1, 3] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("x", [10.0, 10.5, 10.0 - 1e-6, 10.0 + 1e-6])
@over_bodies
def test_landing_on_a_seam_moves_nothing_sideways(name: str, x: float) -> None:
    shape, _, high = BODIES[name]
    start = (x, 2.5 * high + 0.5)
    row = track(create_tile_row, shape, start, (0.0, -3.0), 90)
    assert (row[:, 3] == 0.0).all()
    assert (row[:, 0] == x).all()
    assert apart(row, track(create_one_box, shape, start, (0.0, -3.0), 90)) < 1e-12


@pytest.mark.parametrize("x", [10.0, 10.5, 10.0 - 1e-6, 10.0 + 1e-6])
@pytest.mark.parametrize("angle", [0.0, 0.3, 0.25 * math.pi])
@over_bodies
def test_landing_on_a_seam_in_flight(name: str, angle: float, x: float) -> None:
    shape, _, high = BODIES[name]
    start = (x, 2.5 * high + 0.5)
    row = track(create_tile_row, shape, start, (3.0, -3.0), 90, angle=angle)
    assert apart(row, track(paired, shape, start, (3.0, -3.0), 90, angle=angle)) < 1e-9


def thin(big: bool) -> None:
    """A floor 0.05 thick, of tiles 0.1 long."""
    if big:
        static(ec.Box(10.0, 0.05), (5.0, -0.025))
    else:
        for k in np.random.default_rng(0).permutation(100).tolist():
            static(ec.Box(0.1, 0.05), (0.1 * k + 0.05, -0.025))


@pytest.mark.parametrize(("name", "speed"), [*((name, 0.0) for name in BODIES), ("circle", 3.0)])
@pytest.mark.parametrize("fall", [5.0, 20.0])
def test_a_thin_floor_of_small_tiles_holds(name: str, speed: float, fall: float) -> None:
    shape, _, high = BODIES[name]
    row, big = (track(partial(thin, big), shape, (3.03, high + 2.0), (speed, -fall), 60) for big in (False, True))
    assert apart(row, big) < 1e-12
    assert row[-1, 1] == pytest.approx(high, abs=SLOP)


@pytest.mark.parametrize("angle", [0.1, 0.52, 1.0])
@over_bodies
@over_speeds
def test_rotated_rows(name: str, speed: float, angle: float) -> None:
    """With gravity into the row, and then as it is: along the row it adds what it adds."""
    shape, _, high = BODIES[name]
    start, velocity = turned_place(5.0, high + GAP, angle), turned_place(speed, 0.0, angle)
    along = np.array(turned_place(1.0, 0.0, angle))
    for gravity in (turned_place(0.0, G, angle), (0.0, G)):
        row, big = (
            track(floor, shape, start, velocity, steps_along(speed), gravity=gravity, angle=angle, friction=0.0)
            for floor in (lambda: create_tile_row(friction=0.0, angle=angle), lambda: create_one_box(0.0, angle))
        )
        gained = DT * (along @ gravity) * np.arange(1, len(row) + 1)
        still_on = np.logical_and.accumulate(row[:, :2] @ along > 1.2)  # some slide back over the row's low end
        assert apart(row[still_on], big[still_on]) < 1e-9
        assert (row[:, 3:5] @ along)[still_on] == pytest.approx((speed + gained)[still_on], abs=1e-9)


@pytest.mark.parametrize("force", [-20.0, -200.0])
@over_bodies
def test_falling_along_a_wall_of_tiles_is_free_fall(name: str, force: float) -> None:
    def wall() -> None:
        for k in np.random.default_rng(0).permutation(COUNT).tolist():
            static(ec.Box(1.0, 1.0), (-0.5, -k - 0.5), friction=0.0)

    shape, wide, _ = BODIES[name]
    row = track(wall, shape, (wide + GAP, -3.0), (0.0, 0.0), 150, ec.Force(force, 0.0), friction=0.0)
    assert row[:, 4] == pytest.approx(G * DT * np.arange(1, 151), abs=1e-11)
    assert row[:, 0] == pytest.approx(np.full(150, wide), abs=GAP)
    assert np.abs(row[:, 5]).max() < 1e-12


def corner(big: bool) -> None:
    """A floor as far as x = 20 and a wall there."""
    if big:
        static(ec.Box(20.0, 1.0), (10.0, -0.5), friction=0.0)
        static(ec.Box(1.0, 5.0), (20.5, 1.5), friction=0.0)
    else:
        create_tile_row(20, friction=0.0)
        for k in range(5):
            static(ec.Box(1.0, 1.0), (20.5, k - 0.5), friction=0.0)


@pytest.mark.parametrize("speed", [5.0, 40.0])
@over_bodies
def test_an_inside_corner_stops(name: str, speed: float) -> None:
    shape, wide, high = BODIES[name]
    start = (12.0, high + GAP)
    row, big = (track(partial(corner, big), shape, start, (speed, 0.0), 150, friction=0.0) for big in (False, True))
    assert apart(row, big) < 1e-12
    assert row[-1] == pytest.approx(np.array([20.0 - wide, high, 0.0, 0.0, 0.0, 0.0]), abs=1e-5)


def delete_tile(tile: int) -> None:
    esper.delete_entity(tile)


def move(tile: int) -> None:
    esper.component_for_entity(tile, ec.Transform).y -= 20.0


def unmask(tile: int) -> None:
    esper.component_for_entity(tile, ec.Collider).mask = 0


def soften(tile: int) -> None:
    esper.component_for_entity(tile, ec.Collider).sensor = True


def put_tile_back(tile: int, x: float) -> None:
    if esper.entity_exists(tile):
        esper.component_for_entity(tile, ec.Transform).y = -0.5
        esper.component_for_entity(tile, ec.Collider).mask = ec.Collider(ec.Box(1.0, 1.0)).mask
        esper.component_for_entity(tile, ec.Collider).sensor = False
    else:
        static(ec.Box(1.0, 1.0), (x, -0.5), friction=0.0)


@pytest.mark.parametrize("open_up", [delete_tile, move, unmask, soften])
@over_bodies
def test_a_missing_tile_is_a_hole_at_once_and_one_put_back_closes_it(name: str, open_up: Callable[[int], None]) -> None:
    shape, wide, high = BODIES[name]
    with game(gravity=(0.0, G), sleeping=False) as play:
        row = create_tile_row(20, friction=0.0)
        resting = dynamic(shape, (5.5, high + GAP), friction=0.0)
        play.step(30)
        assert play.velocity(resting)[1] == pytest.approx(0.0, abs=1e-12)
        over = [k for k in range(20) if abs(k - 5) < wide + 1.0]
        for k in over:
            open_up(row[k])
        for step in range(1, 31):
            play.step()
            assert play.velocity(resting) == pytest.approx((0.0, step * DT * G, 0.0), abs=1e-12)
        esper.delete_entity(resting)
        for k in over:
            put_tile_back(row[k], k + 0.5)
        slider = dynamic(shape, (2.5, high + GAP), (7.0, 0.0), friction=0.0)
        for _ in range(100):
            play.step()
            assert play.velocity(slider)[0] == 7.0
            assert play.velocity(slider)[1] == pytest.approx(0.0, abs=1e-12)
        assert play.pose(slider)[0] > 14.0


def pile(play: Game) -> list[int]:
    places = [(20.0 + 1.05 * (k % 5) + 0.3 * (k // 5 % 2), 0.5 + GAP + 1.01 * (k // 5)) for k in range(25)]
    boxes = [dynamic(ec.Box(1.0, 1.0), place) for place in places]
    play.step(60)
    return boxes


def test_a_pile_on_tiles_is_that_on_one_and_comes_to_rest() -> None:
    poses = []
    for floor in (paired, create_tile_row):
        with game(gravity=(0.0, G), sleeping=False) as play:
            floor()
            boxes = pile(play)
            poses.append([play.pose(box) for box in boxes])
            play.step(540)
            assert max(max(map(abs, play.velocity(box))) for box in boxes) < 1e-9
            assert min(play.pose(box)[1] for box in boxes) > 0.5 - SLOP
    assert apart(*map(np.array, poses)) < 1e-12


@pytest.mark.parametrize("name", ["box", "circle", "capsule", "rounded"])  # a wide one reports those under its ends
def test_both_tiles_of_a_seam_report_touching(name: str) -> None:
    shape, _, high = BODIES[name]
    with game(gravity=(0.0, G), sleeping=False) as play:
        row = create_tile_row(12)
        body = dynamic(shape, (6.0, high + 0.3))
        play.step(60)
        started = [{contact.entity_a, contact.entity_b} for contact in play.contacts("collision_start")]
        assert {row[5], body} in started
        assert {row[6], body} in started
        assert len(started) == len({frozenset(pair) for pair in started})
        assert not play.contacts("collision_end")


def test_a_circle_touches_each_tile_once_and_in_turn() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        row = create_tile_row(12, friction=0.0)
        dynamic(ec.Circle(0.5), (2.5, 0.5 + GAP), (4.0, 0.0), friction=0.0)
        play.step(90)
        for event, last in (("collision_start", 8), ("collision_end", 7)):
            touched = [row.index(min(contact.entity_a, contact.entity_b)) for contact in play.contacts(event)]
            assert touched == list(range(2, last + 1))
