"""The parts of which the exact response is made: times, the tree of features, the queue, the cells."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ecs_collide.exact.event_queue import drop_first, drop_void, push_event
from ecs_collide.exact.exact_rows import BALL_INDEX, COUNTS, new_simulation, with_room
from ecs_collide.exact.feature_tree import FeatureTree, new_tree, next_leaf, z_order
from ecs_collide.exact.impact_time import NEVER, time_inside, time_line, time_outside
from tests.support.own_kernels import kernel

places = st.floats(-10.0, 10.0)
speeds = places.map(lambda value: round(value, 3))


@settings(max_examples=300, deadline=None)
@given(places, places, speeds, speeds, st.floats(0.1, 5.0))
def test_a_point_reaches_the_distance_at_the_returned_time_and_not_before(
    x: float, y: float, vx: float, vy: float, distance: float
) -> None:
    for find, outside in ((time_outside, True), (time_inside, False)):
        time = find(x, y, vx, vy, distance)
        gaps = [hypot(x + vx * t, y + vy * t) - distance for t in np.linspace(0.0, min(time, 50.0), 200)[:-1]]
        started_apart = gaps[0] > 0.0 if outside else gaps[0] < 0.0
        if started_apart:
            assert min(gaps) >= -1e-9 if outside else max(gaps) <= 1e-9
        if 0.0 < time < NEVER and hypot(vx, vy) * time < 1e3:
            there = x + vx * time, y + vy * time
            if outside or started_apart or hypot(*there) < distance + 1e-9:
                assert hypot(*there) == pytest.approx(distance, abs=1e-9)
            else:  # a line that never leads inside hits where it comes closest
                assert there[0] * vx + there[1] * vy == pytest.approx(0.0, abs=1e-9 * (1.0 + hypot(vx, vy)) ** 2)


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (time_outside(3.0, 0.0, -1.0, 0.0, 1.0), 2.0),
        (time_outside(0.5, 0.0, -1.0, 0.0, 1.0), 0.0),
        (time_outside(0.5, 0.0, 1.0, 0.0, 1.0), NEVER),
        (time_outside(1.0, 0.0, 0.0, 1.0, 1.0), NEVER),
        (time_outside(3.0, 1.0, -1.0, 0.0, 1.0), 3.0),
        (time_outside(3.0, 1.0 + 1e-12, -1.0, 0.0, 1.0), NEVER),
        (time_outside(1e8, 0.0, -1e8, 0.0, 1.0), (1e8 - 1.0) / 1e8),
        (time_inside(0.0, 0.0, 1.0, 0.0, 2.0), 2.0),
        (time_inside(2.0, 0.0, -1.0, 0.0, 2.0), 4.0),
        (time_inside(3.0, 0.0, 1.0, 0.0, 2.0), 0.0),
        (time_inside(0.0, 0.0, 0.0, 0.0, 2.0), NEVER),
        (time_inside(-1.0, 3.0, 1.0, 0.0, 2.0), 1.0),
        (time_inside(0.0, -1.0, 1e3, 1e-12, 1.0), 2e-18),
        (time_inside(0.0, -1.0 + 2**-53, 1e3, 0.0, 1.0), 2**-26 * 1e-3),
        (time_line(3.0, -2.0), 1.5),
        (time_line(-3.0, -2.0), 0.0),
        (time_line(-3.0, 2.0), NEVER),
        (time_line(1.0, 0.0), NEVER),
    ],
)
def test_known_times(time: float, expected: float) -> None:
    assert time == pytest.approx(expected, rel=1e-15)


@kernel
def leaves_of(tree, bounds, found):  # type: ignore[no-untyped-def]
    """Write the leaves that meet `bounds`; return their number."""
    count = 0
    node = next_leaf(tree, 0, bounds, 0)
    while node > 0:
        found[count] = tree.start + node - tree.leaves
        count += 1
        node = next_leaf(tree, node, bounds, 0)
    return count


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 64, 100])
def test_the_tree_finds_what_comparing_with_all_boxes_finds(count: int) -> None:
    rng = np.random.default_rng(count)
    low = rng.uniform(-10.0, 10.0, (count, 2))
    boxes = np.hstack((low, low + rng.exponential(1.0, (count, 2))))
    tree: FeatureTree = new_tree(5, count)
    tree.box[tree.leaves : tree.leaves + count] = boxes
    for node in range(tree.leaves - 1, 0, -1):
        tree.box[node, :2] = tree.box[2 * node : 2 * node + 2, :2].min(axis=0)
        tree.box[node, 2:] = tree.box[2 * node : 2 * node + 2, 2:].max(axis=0)
    found = np.zeros(count + 1, np.int64)
    for _ in range(50):
        corner = rng.uniform(-12.0, 12.0, 2)
        bounds = np.hstack((corner, corner + rng.exponential(2.0, 2)))
        meets = ((boxes[:, :2] <= bounds[2:]) & (boxes[:, 2:] >= bounds[:2])).all(axis=1)
        assert found[: leaves_of(tree, bounds[None], found)].tolist() == (5 + np.flatnonzero(meets)).tolist()


def test_the_z_order_keeps_quarters_together_and_puts_what_has_no_end_first() -> None:
    middle = np.array([(3.0, 3.0), (0.0, 0.0), (3.0, 2.6), (0.4, 0.3), (2.9, 0.1)])
    low = np.vstack((middle, [(-1e308, 0.0)]))
    high = np.vstack((middle, [(1e308, 0.0)]))
    assert z_order(low, high).tolist() == [5, 1, 3, 4, 2, 0]
    assert z_order(low[:0], high[:0]).tolist() == []


@pytest.mark.filterwarnings("error")
def test_the_z_order_of_one_thing_among_half_planes_warns_of_nothing() -> None:
    low = np.array([(-1e308, -1e308), (2.0, 3.0), (-1e308, 5.0)])
    high = np.array([(1e308, 0.0), (4.0, 5.0), (1e308, 1e308)])
    assert z_order(low, high).tolist() == [0, 2, 1]


@kernel
def drained(simulation, times, balls, kept, order):  # type: ignore[no-untyped-def]
    """Enter events, raise the count of every ball not in `kept`, and take the earliest ones out."""
    for k in range(len(times)):
        push_event(simulation, times[k], balls[k], -1)
    for ball in range(simulation.counts[COUNTS.BALLS]):
        simulation.ball_index[ball, BALL_INDEX.IMPACTS] += 1 - kept[ball]
    drop_void(simulation)
    count = 0
    while simulation.counts[COUNTS.EVENTS] > 0:
        order[count] = simulation.event_time[0]
        count += 1
        drop_first(simulation)
    return count


def test_events_come_in_order_and_void_ones_not_at_all() -> None:
    rng = np.random.default_rng(4)
    simulation = with_room(with_room(new_simulation(), "event", 1000), "ball", 50)
    simulation.counts[COUNTS.BALLS] = 50
    times, balls = rng.uniform(0.0, 1.0, 1000), rng.integers(0, 50, 1000)
    simulation.ball_index[:] = 0
    kept = rng.integers(0, 2, 50)
    order = np.zeros(1000)
    count = drained(simulation, times, balls, kept, order)
    assert order[:count].tolist() == sorted(times[kept[balls] == 1].tolist())


def test_more_room_keeps_what_was_there() -> None:
    simulation = new_simulation()
    simulation.found_time[:3] = 1.0, 2.0, 3.0
    longer = with_room(simulation, "found", 10 * len(simulation.found_time))
    assert longer.found_time[:4].tolist() == [1.0, 2.0, 3.0, 0.0]
    assert len(longer.found_partner) == len(longer.found_time) >= 640
    assert with_room(longer, "found", 10) is longer
