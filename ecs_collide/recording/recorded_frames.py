"""Frames as a recorder keeps them, and their way into a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.draw.contact_points import NO_CONTACTS, ContactPoints
from ecs_collide.recording.recording_data import ContactRecords, JointRecord


class FrameJoint(NamedTuple):
    """A joint that works in a frame; anchors are in the axes of its bodies, or in the world [m]."""

    entity: int
    a: int | None
    b: int
    anchor_a: tuple[float, float]
    anchor_b: tuple[float, float]


class Frame(NamedTuple):
    """One frame."""

    time: float
    """Time since the beginning of the recording [s]."""
    tracks: np.ndarray
    """Number of the track of each body (n,) int64."""
    poses: np.ndarray
    """Pose of each body [m, m, rad] (n, 3)."""
    asleep: np.ndarray
    """True for each body that sleeps (n,) bool."""
    contacts: ContactPoints
    joints: tuple[FrameJoint, ...]


class Path(NamedTuple):
    """Poses of one track."""

    first: int
    """First frame."""
    poses: np.ndarray
    """Pose in each of its frames [m, m, rad] (k, 3)."""
    asleep: np.ndarray
    """True in frames in which it sleeps (k,) bool."""


def paths_of(frames: Sequence[Frame]) -> dict[int, Path]:
    """Return the path of each track that has a body in any frame; the frames of a track follow on each other."""
    if not frames:
        return {}
    numbers = np.concatenate([frame.tracks for frame in frames])
    at = np.repeat(np.arange(len(frames)), [len(frame.tracks) for frame in frames])
    order = np.argsort(numbers, kind="stable")
    poses, asleep = (np.concatenate([frame[k] for frame in frames])[order] for k in (2, 3))
    found, starts = np.unique(numbers[order], return_index=True)
    ends = [*starts[1:].tolist(), len(numbers)]
    return {
        number: Path(int(at[order[start]]), poses[start:end], asleep[start:end])
        for number, start, end in zip(found.tolist(), starts.tolist(), ends, strict=True)
    }


def contacts_of(frames: Sequence[Frame]) -> ContactRecords:
    """Return the contact points of all frames."""
    parts = [frame.contacts for frame in frames] or [NO_CONTACTS]
    entities, point, normal, impulse = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return ContactRecords(
        frame=np.repeat(np.arange(len(parts)), [len(part.impulse) for part in parts]),
        entities=entities,
        point=point,
        normal=normal,
        impulse=impulse,
    )


def joints_of(frames: Sequence[Frame]) -> list[JointRecord]:
    """Return the joints of all frames, each for the time in which it works unchanged."""
    records: list[JointRecord] = []
    first: dict[FrameJoint, int] = {}
    known: tuple[FrameJoint, ...] = ()
    for number, frame in enumerate([*frames, None]):
        joints = () if frame is None else frame.joints
        if joints is known:
            continue
        for joint in set(known).difference(joints):
            records.append(JointRecord(**joint._asdict(), first=first.pop(joint), end=number))
        first |= {joint: number for joint in joints if joint not in first}
        known = joints
    return sorted(records, key=lambda record: (record.first, record.entity))
