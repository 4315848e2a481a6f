"""A frame of a recording as a scene, for pictures and films."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.draw.camera import ViewBox
from ecs_collide.draw.joint_marks import outward
from ecs_collide.draw.place_shapes import PlacedBodies, place_shapes
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.scene_parts import BodyMarks, ContactMarks, JointMarks, Label, Things
from ecs_collide.draw.style import Colours, Show, State, state_tones
from ecs_collide.recording.recording_data import Recording, Track
from ecs_collide.shapes import Shape

AT_ORIGIN = np.zeros(3)


def recorded_scene(recording: Recording, frame: int, show: Show | None, colours: Colours, scale: float | None) -> Scene:
    """Return the description of a frame; see `Recording.scene`."""
    show = Show() if show is None else show
    tracks = [track for track in recording.tracks if track.first <= frame < track.end]
    poses = np.array([track.poses[frame - track.first] for track in tracks]).reshape(-1, 3)
    entity = np.array([track.entity for track in tracks], np.int64)
    state = np.array([_state_of(track, frame, show) for track in tracks], np.int64)
    is_moving = np.array([track.kind is not BodyKind.STATIC for track in tracks], np.int64)
    groups: defaultdict[Shape, list[int]] = defaultdict(list)
    for row, track in enumerate(tracks):
        if show.shapes and (show.sensors or not track.is_sensor):
            groups[track.shape].append(row)
    placed = PlacedBodies(poses, Things(state, 2 * is_moving + (state != State.SENSOR), entity))
    outlines = place_shapes([(shape, np.array(rows)) for shape, rows in groups.items()], placed, scale)
    return Scene(
        show=show,
        colours=colours,
        y_up=recording.y_up,
        tones=state_tones(colours),
        solids=outlines.solids,
        areas=outlines.areas,
        edges=outlines.edges,
        lines=outlines.lines,
        discs=outlines.discs,
        contacts=_contact_marks(recording, frame),
        joints=_joint_marks(recording, frame, dict(zip(entity.tolist(), poses, strict=True))),
        marks=BodyMarks(
            boxes=np.zeros((0, 4)),
            paths=np.zeros((0, 2, 2)),
            axes=poses if show.axes else np.zeros((0, 3)),
            centers=np.zeros((0, 2)),
        ),
        labels=_labels(tracks, poses, show),
        text=[],
        strokes=[],
        moving_box=outlines.moving_box,
        still_box=outlines.still_box,
        view=None if recording.view is None else ViewBox(*recording.view),
    )


def _state_of(track: Track, frame: int, show: Show) -> State:
    if track.is_sensor:
        return State.SENSOR
    if show.sleep and track.asleep[frame - track.first]:
        return State.SLEEPING
    return State[track.kind.name]


def _contact_marks(recording: Recording, frame: int) -> ContactMarks:
    """Return the contact points of a frame."""
    contacts = recording.contacts
    first, end = np.searchsorted(contacts.frame, (frame, frame + 1)).tolist()
    return ContactMarks(contacts.point[first:end], contacts.normal[first:end], contacts.impulse[first:end])


def _joint_marks(recording: Recording, frame: int, poses: dict[int, np.ndarray]) -> JointMarks:
    """Return the anchors of the joints of a frame; a body without a collider was not recorded and counts as at 0."""
    joints = [joint for joint in recording.joints if joint.first <= frame < joint.end]
    ends = [
        [
            outward((AT_ORIGIN if entity is None else poses.get(entity, AT_ORIGIN))[None], np.array([anchor]))[0]
            for entity, anchor in ((joint.a, joint.anchor_a), (joint.b, joint.anchor_b))
        ]
        for joint in joints
    ]
    return JointMarks(
        np.array([joint.entity for joint in joints], np.int64), np.array(ends).reshape(-1, 2, 2), limits=()
    )


def _labels(tracks: list[Track], poses: np.ndarray, show: Show) -> list[Label]:
    """Return the text at each entity: its label in the recording, or its id."""
    if not show.labels:
        return []
    text = show.labels if callable(show.labels) else str
    places = zip(tracks, poses[:, :2].tolist(), strict=True)
    labels = [Label(x, y, track.label or text(track.entity)) for track, (x, y) in places]
    return [label for label in labels if label.text]
