"""Recordings as bytes, there and back."""

from __future__ import annotations

import esper
import numpy as np
import pytest
from hypothesis import given, strategies as st

import ecs_collide as ec
from ecs_collide.components import BodyKind
from ecs_collide.recording import ContactRecords, EventRecord, Recorder, Recording, Track
from ecs_collide.recording.encoding import CONTACT_GRID, pack, unpack
from ecs_collide.recording.recorded_frames import contacts_of
from ecs_collide.recording.varint_stream import Reader, path_bytes, read_path, varints
from tests.support.worlds import dynamic, floor, game

LARGE = st.integers(-(1 << 60), 1 << 60)


@given(st.lists(LARGE))
def test_varints_come_back(numbers: list[int]) -> None:
    data = varints(np.array(numbers, np.int64))
    assert Reader(data).numbers(len(numbers)).tolist() == numbers
    assert len(data) == sum(max(1, -(-(2 * n if n >= 0 else -2 * n - 1).bit_length() // 7)) for n in numbers)


@given(
    st.lists(st.lists(st.integers(-(1 << 50), 1 << 50), min_size=1, max_size=6), max_size=6), st.sampled_from([1, 2])
)
def test_paths_come_back(runs: list[list[int]], order: int) -> None:
    values = np.array([value for run in runs for value in run], np.int64)
    lengths = np.array([len(run) for run in runs], np.int64)
    starts = np.cumsum(lengths) - lengths
    assert read_path(Reader(path_bytes(values, starts, order)), starts, len(values), order).tolist() == values.tolist()


def recording_of(tracks: list[Track], frames: int, **more: object) -> Recording:
    parts = {"contacts": contacts_of([]), "joints": [], "events": [], "marks": []} | more
    return Recording(times=np.arange(frames) / 60.0, tracks=tracks, **parts)  # type: ignore[arg-type]


def track_of(entity: int, poses: np.ndarray, first: int = 0, asleep: np.ndarray | None = None) -> Track:
    return Track(
        entity=entity,
        shape=ec.Circle(0.5),
        kind=BodyKind.DYNAMIC,
        is_sensor=False,
        label="",
        mass=1.0,
        first=first,
        poses=poses,
        asleep=np.zeros(len(poses), np.bool_) if asleep is None else asleep,
    )


def test_poses_and_sleep_come_back_within_half_a_step_of_the_grid() -> None:
    rng = np.random.default_rng(5)
    tracks = [
        track_of(k, np.cumsum(rng.normal(0.0, 0.1, (40 - k, 3)), axis=0), first=k, asleep=rng.random(40 - k) < 0.2)
        for k in range(1, 9)
    ]
    back = unpack(pack(recording_of(tracks, 41), {}))
    grid = back.header["grid"]
    apart = np.abs(back.poses - np.concatenate([each.poses for each in tracks]))
    assert (apart[:, :2] <= 0.5001 * grid).all()
    assert (apart[:, 2] <= 0.5001 * back.header["angle"]).all()
    assert (back.asleep == np.concatenate([each.asleep for each in tracks])).all()
    assert back.times == pytest.approx(np.arange(41) / 60.0, abs=1e-6)
    size = np.ptp(np.concatenate([each.poses[:, :2] for each in tracks]), axis=0).max()
    assert grid <= size / 8192


def test_one_body_that_is_far_away_makes_the_grid_of_the_others_no_coarser() -> None:
    rng = np.random.default_rng(6)
    near = [track_of(k, rng.random((50, 3))) for k in range(1, 20)]
    lost = rng.random((50, 3))
    lost[-3:, 0] = 1e6
    grids = [unpack(pack(recording_of([*near, track_of(99, poses)], 50), {})) for poses in (rng.random((50, 3)), lost)]
    assert grids[1].header["grid"] < 1.1 * grids[0].header["grid"]
    assert grids[1].poses[-1, 0] == pytest.approx(1e6, rel=1e-9)


def test_contacts_of_a_pile_come_back() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        floor()
        for k in range(20):
            dynamic(ec.Box(1.0, 0.6), (0.2 * (k % 7), 0.5 + 0.7 * k), angle=0.3 * k)
        recorder = Recorder().attach()
        play.step(150)
        recorder.detach()
        recording = recorder.recording()
    back = unpack(pack(recording, {}))
    contacts, grid = recording.contacts, CONTACT_GRID * back.header["grid"]
    assert len(contacts.frame) == len(back.contacts.frame) > 1000
    assert sorted(zip(contacts.frame.tolist(), *contacts.entities.T.tolist(), strict=True)) == sorted(
        zip(back.contacts.frame.tolist(), *back.contacts.entities.T.tolist(), strict=True)
    )
    for frame in range(0, 150, 10):
        near = nearest(contacts, back.contacts, frame)
        assert near.size == 0 or near.max() <= 0.71 * grid
    assert sorted(back.events) == sorted(recording.events)


def nearest(one: ContactRecords, other: ContactRecords, frame: int) -> np.ndarray:
    """Return the distance of each contact point of a frame from the nearest of the same pair [m]."""
    found = []
    for point, pair in zip(one.point[one.frame == frame], one.entities[one.frame == frame], strict=True):
        its = other.point[(other.frame == frame) & (other.entities == pair).all(axis=1)]
        found.append(np.hypot(*(its - point).T).min())
    return np.array(found)


def test_events_come_back_with_as_many_entities() -> None:
    events = [
        EventRecord(3, "collision_start", (1, 2)),
        EventRecord(3, "joint_break", (7,)),
        EventRecord(5, "sensor_enter", (9, 2)),
        EventRecord(6, "body_sleep", (4,)),
        EventRecord(7, "body_wake", (4,)),
        EventRecord(8, "joint_end", (7,)),
    ]
    assert unpack(pack(recording_of([], 10, events=events), {})).events == events


def test_two_hundred_bodies_over_ten_seconds_make_a_page_of_a_hundred_kilobytes() -> None:
    shapes = [
        ec.Circle(0.3),
        ec.Box(0.6, 0.5),
        ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.2),
        ec.Polygon([(-0.3, -0.3), (0.3, -0.3), (0.0, 0.4)]),
    ]
    with game(gravity=(0.0, -9.81)) as play:
        floor()
        for x in (-6.0, 6.0):
            esper.create_entity(ec.Transform(x, 4.0), ec.Collider(ec.Box(0.5, 8.0)))
        for k in range(200):
            dynamic(shapes[k % 4], (-5.0 + 0.75 * (k % 14) + 0.1 * np.sin(k), 1.0 + 0.8 * (k // 14)))
        recorder = Recorder().attach()
        play.step(600)
        recorder.detach()
        assert len(recorder.html().encode()) <= 100_000
