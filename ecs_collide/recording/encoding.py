"""Recordings as few bytes, and back.

Poses are rounded to a grid: an 8192nd of the size of the scene, and a 2048th of a turn. Bodies move nearly evenly, so
the second differences of these integers are small: 0 at rest, and nearly constant in free fall. They are written as
varints and deflated. A browser can inflate, so the player needs no library.

The stream has these parts, see `varint_stream.py`:

    header      its length, and JSON
    times       a path with second differences
    poses       three paths with second differences: x, y and angle of all tracks
    sleep       numbers of the poses at which a track falls asleep or wakes
    contacts    each point of a pair that lasts is a path, in the axes of body B and on a coarser grid, with first
                differences: a body that rolls or slides keeps most of its corners
    events      columns, in the order of their entities, because a pair starts, hits and ends
"""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

import numpy as np

from ecs_collide.draw.joint_marks import outward
from ecs_collide.recording.recording_data import ContactRecords, EventRecord, Recording
from ecs_collide.recording.varint_stream import Reader, path_bytes, read_path, varints
from ecs_collide.step.notify.handlers import EVENTS

GRID_STEPS = 8192.0
"""Steps of the grid along the longer side of the scene."""
ANGLE_STEPS = 2048.0
"""Steps of an angle in a turn."""
TIME_STEPS = 1e6
"""Steps of a time in a second."""
CONTACT_GRID = 8.0
"""Steps of the grid in one of that of contact points."""
NORMAL_STEPS = 64.0
"""Steps of the angle of a normal in a turn."""
EVENT_NAMES: list[str] = list(EVENTS)
LARGE = 4_000_000
"""Length of a stream from which deflating is less thorough, because it takes seconds [bytes]."""
OUTLIERS = 2.0
"""Percentage of the places on each side that do not count for the size of the scene."""


class Packed(NamedTuple):
    """A recording without its shapes, as `unpack` returns it: arrays of all tracks, one after another."""

    header: dict[str, Any]
    times: np.ndarray
    """Time of each frame [s] (f,)."""
    poses: np.ndarray
    """Poses of all tracks, one track after another [m, m, rad] (k, 3)."""
    asleep: np.ndarray
    """True where the track sleeps (k,) bool."""
    contacts: ContactRecords
    events: list[EventRecord]


class Tracks:
    """Poses of all tracks one after another, to find that of an entity in a frame."""

    def __init__(self, entities: list[int], firsts: list[int], starts: np.ndarray, poses: np.ndarray) -> None:
        order = np.lexsort((firsts, entities))
        self._entity, self._first = np.array(entities, np.int64)[order], np.array(firsts, np.int64)[order]
        self._start, self._poses = starts[order], poses

    def pose(self, entity: np.ndarray, frame: np.ndarray) -> np.ndarray:
        """Return the pose of an entity (c,) in a frame (c,) [m, m, rad] (c, 3); 0 for one without a track."""
        poses = np.zeros((len(entity), 3))
        if not len(self._entity) or not len(entity):
            return poses
        frames = int(frame.max()) + 1 + int(self._first.max())
        keys = self._entity * frames + self._first
        place = np.searchsorted(keys, entity * frames + frame, side="right") - 1
        row = self._start[place] + frame - self._first[place]
        known = np.flatnonzero((place >= 0) & (self._entity[place] == entity) & (row < len(self._poses)))
        poses[known] = self._poses[row[known]]
        return poses


def pack(recording: Recording, header: dict[str, Any]) -> bytes:
    """Return the deflated stream of a recording; the header becomes part of it, with the numbers to decode it."""
    tracks = recording.tracks
    poses = np.concatenate([track.poses for track in tracks]) if tracks else np.zeros((0, 3))
    lengths = np.array([len(track.poses) for track in tracks], np.int64)
    grid = grid_of(poses[:, :2])
    header = header | {
        "grid": grid,
        "angle": 2.0 * np.pi / ANGLE_STEPS,
        "frames": len(recording),
        "tracks": [[track.entity, track.first, len(track.poses)] for track in tracks],
        "names": EVENT_NAMES,
    }
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    starts = np.cumsum(lengths) - lengths
    steps = np.array((grid, grid, 2.0 * np.pi / ANGLE_STEPS))
    whole = np.rint(poses / steps).astype(np.int64)
    rounded = Tracks([track.entity for track in tracks], [track.first for track in tracks], starts, whole * steps)
    asleep = np.concatenate([track.asleep for track in tracks]) if tracks else np.zeros(0, np.bool_)
    changes = np.flatnonzero(np.diff(asleep, prepend=False))
    times = np.rint(recording.times * TIME_STEPS).astype(np.int64)
    stream = [
        varints(np.array([len(text)])),
        text,
        path_bytes(times, np.zeros(min(len(times), 1), np.int64), 2),
        *(path_bytes(np.ascontiguousarray(whole[:, axis]), starts, 2) for axis in range(3)),
        varints(np.array([len(changes)])),
        varints(np.diff(changes, prepend=0)),
        _contact_bytes(recording.contacts, local_points(recording.contacts, rounded), CONTACT_GRID * grid),
        _event_bytes(recording.events),
    ]
    data = b"".join(stream)
    packer = zlib.compressobj(9 if len(data) < LARGE else 6, zlib.DEFLATED, -15, 9)
    return packer.compress(data) + packer.flush()


def unpack(data: bytes) -> Packed:
    """Return the header and the arrays of a deflated stream."""
    reader = Reader(zlib.decompress(data, -15))
    header = json.loads(reader.bytes(reader.numbers(1).item()))
    frames = header["frames"]
    lengths = np.array([length for *_, length in header["tracks"]], np.int64)
    times = read_path(reader, np.zeros(min(frames, 1), np.int64), frames, 2) / TIME_STEPS
    starts, count = np.cumsum(lengths) - lengths, int(lengths.sum())
    whole = [read_path(reader, starts, count, 2) for _ in range(3)]
    changes = np.cumsum(reader.numbers(reader.numbers(1).item()))
    asleep = np.zeros(count, np.bool_)
    asleep[changes] = True
    poses = np.stack(whole, axis=1) * (header["grid"], header["grid"], header["angle"])
    entities = [entity for entity, *_ in header["tracks"]]
    firsts = [first for _, first, _ in header["tracks"]]
    return Packed(
        header=header,
        times=times,
        poses=poses,
        asleep=np.logical_xor.accumulate(asleep) if count else asleep,
        contacts=_read_contacts(reader, Tracks(entities, firsts, starts, poses), CONTACT_GRID * header["grid"]),
        events=_read_events(reader, header["names"]),
    )


def grid_of(places: np.ndarray) -> float:
    """Return the step of the grid for places (k, 2) [m]; a few that are far away do not make it coarser."""
    if not len(places):
        return 1.0 / GRID_STEPS
    low, high = np.percentile(places, (OUTLIERS, 100.0 - OUTLIERS), axis=0)
    size = float((high - low).max())
    return (size if size > 0.0 else 1.0) / GRID_STEPS


def local_points(contacts: ContactRecords, tracks: Tracks) -> np.ndarray:
    """Return contact points in the axes of body B [m] (c, 2)."""
    pose = tracks.pose(contacts.entities[:, 1], contacts.frame)
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    x, y = (contacts.point - pose[:, :2]).T
    return np.stack((c * x + s * y, c * y - s * x), axis=1)


def _contact_bytes(contacts: ContactRecords, points: np.ndarray, grid: float) -> bytes:
    """Return contacts with given local points (c, 2) as paths: one for each point of a pair, while it lasts."""
    order, starts = contact_runs(contacts)
    frame, entities = contacts.frame[order], contacts.entities[order]
    lengths = np.diff(np.append(starts, len(order)))
    whole = np.rint(points[order] / grid).astype(np.int64)
    normal = contacts.normal[order]
    turn = np.rint(np.arctan2(normal[:, 1], normal[:, 0]) * (NORMAL_STEPS / (2.0 * np.pi))).astype(np.int64)
    return b"".join(
        (
            varints(np.array([len(starts)])),
            varints(np.diff(frame[starts], prepend=0)),
            varints(lengths),
            varints(np.diff(entities[starts, 0], prepend=0)),
            varints(np.diff(entities[starts, 1], prepend=0)),
            path_bytes(np.ascontiguousarray(whole[:, 0]), starts, 1),
            path_bytes(np.ascontiguousarray(whole[:, 1]), starts, 1),
            path_bytes(turn, starts, 1),
        )
    )


def contact_runs(contacts: ContactRecords) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of contact points in which each point of a pair that lasts is a run, and the runs' starts.

    Runs stand in the order of their first frames. Two points of a pair in one frame belong to two runs.
    """
    count = len(contacts.frame)
    if count == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    order = np.lexsort((contacts.entities[:, 1], contacts.entities[:, 0]))  # frames of a pair stay in their order
    pairs, frame = contacts.entities[order], contacts.frame[order]
    is_same_pair = np.concatenate(([False], (pairs[1:] == pairs[:-1]).all(axis=1)))
    place = _place_in_group(is_same_pair & (np.diff(frame, prepend=-1) == 0))
    track = np.cumsum(~is_same_pair) * (int(place.max()) + 1) + place
    by_track = np.argsort(track, kind="stable")
    order, track, frame = order[by_track], track[by_track], frame[by_track]
    goes_on = np.concatenate(([False], (np.diff(track) == 0) & (np.diff(frame) == 1)))
    starts = np.flatnonzero(~goes_on)
    lengths = np.diff(np.append(starts, count)).astype(np.intp)
    by_frame = np.argsort(frame[starts], kind="stable")
    lengths = lengths[by_frame]
    ends = np.cumsum(lengths)
    within = np.arange(count) - np.repeat(ends - lengths, lengths)
    return order[np.repeat(starts[by_frame], lengths) + within], ends - lengths


def _place_in_group(goes_on: np.ndarray) -> np.ndarray:
    """Return the place of each item in its group, from 0; an item that does not go on begins a group."""
    places = np.arange(len(goes_on))
    starts = np.maximum.accumulate(np.where(goes_on, 0, places))
    return places - starts


def _read_contacts(reader: Reader, tracks: Tracks, grid: float) -> ContactRecords:
    """Return the contact points that `_contact_bytes` has written, in the order of frames; impulses are nan."""
    runs = reader.numbers(1).item()
    first = np.cumsum(reader.numbers(runs))
    lengths = reader.numbers(runs).astype(np.intp)
    a, b = np.cumsum(reader.numbers(runs)), np.cumsum(reader.numbers(runs))
    starts, count = np.cumsum(lengths) - lengths, int(lengths.sum())
    x, y, turn = (read_path(reader, starts, count, 1) for _ in range(3))
    frame = np.repeat(first - starts, lengths) + np.arange(count)
    order = np.argsort(frame, kind="stable")
    angle = turn[order] * (2.0 * np.pi / NORMAL_STEPS)
    entities = np.stack((np.repeat(a, lengths), np.repeat(b, lengths)), axis=1)
    point = outward(tracks.pose(entities[:, 1], frame), np.stack((x, y), axis=1) * grid)
    return ContactRecords(
        frame=frame[order],
        entities=entities[order],
        point=point[order],
        normal=np.stack((np.cos(angle), np.sin(angle)), axis=1),
        impulse=np.full(count, np.nan),
    )


def _event_bytes(events: list[EventRecord]) -> bytes:
    """Return events as columns, in the order of their entities; an event of one entity has it twice."""
    rows = sorted(
        [(event.entities[0], event.entities[-1], event.frame, EVENT_NAMES.index(event.name)) for event in events]
    )
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return varints(np.array([len(rows)])) + b"".join(
        [varints(np.diff(column, prepend=0)) for column in columns[:3]] + [varints(columns[3])]
    )


def _read_events(reader: Reader, names: list[str]) -> list[EventRecord]:
    """Return the events that `_event_bytes` has written, in the order of frames."""
    count = reader.numbers(1).item()
    first, last, frame = (np.cumsum(reader.numbers(count)).tolist() for _ in range(3))
    events = [
        EventRecord(at, names[name], (a,) if a == b else (a, b))
        for a, b, at, name in zip(first, last, frame, reader.numbers(count).tolist(), strict=True)
    ]
    return sorted(events, key=lambda event: event.frame)
