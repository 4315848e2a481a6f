"""Recorder of a world: copies poses, contacts, joints and events of each frame while the game runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import esper
import numpy as np

from ecs_collide.api.install import physics as present_physics
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.components import BodyKind
from ecs_collide.components.joints import kinds
from ecs_collide.data.bodies import FILTER, MASS
from ecs_collide.data.joints import ANCHORS, JOINT, NUMBERS, WORLD
from ecs_collide.draw.contact_points import NO_CONTACTS, contact_points
from ecs_collide.draw.joint_marks import has_anchors
from ecs_collide.draw.style import Label
from ecs_collide.errors import PhysicsError
from ecs_collide.recording.recorded_frames import (
    Frame,
    FrameJoint,
    contacts_of,
    joints_of,
    paths_of,
)
from ecs_collide.recording.recording_data import EventRecord, Mark, Recording, Track, checked_path
from ecs_collide.shapes import Shape
from ecs_collide.step.notify.contact import Contact
from ecs_collide.step.notify.handlers import EVENTS, off, on
from ecs_collide.validate import integer

LAST = -(1 << 31)
"""Priority of the processor that records: after all systems of a game."""


class _Kept(NamedTuple):
    """Values of a track that do not change."""

    entity: int
    shape: Shape
    kind: BodyKind
    is_sensor: bool
    label: str
    mass: float


class Recorder:
    """A recorder of the current esper world.

    Call `attach` once, and it records each frame with a step at the end of `esper.process`. Or call `frame` after each
    `esper.process`. It records the events of the world until `detach`.

    Args:
        physics: physics of the current world, if it is at hand.
        keep: number of the last frames to keep; None for all. A frame takes about 30 bytes a body, and 70 a contact.
        contacts: True to record contact points.
        events: True to record the events of the physics.
        label: function that returns the name of an entity, "" for none.

    Raises PhysicsError if the current esper world has no physics.
    """

    def __init__(
        self,
        physics: PhysicsWorld | None = None,
        *,
        keep: int | None = None,
        contacts: bool = True,
        events: bool = True,
        label: Label | None = None,
    ) -> None:
        self._physics = present_physics() if physics is None else physics
        self._world = esper.current_world
        self._frames: deque[Frame] = deque(maxlen=None if keep is None else integer(keep, "keep", 1, 1 << 62))
        self._count = 0
        """Number of frames so far, those that were dropped included."""
        self._time = 0.0
        self._steps = self._physics.statistics.steps
        self._has_contacts, self._label = contacts, label
        self._events: list[EventRecord] = []
        self._marks: list[Mark] = []
        self._tracks: list[_Kept] = []
        self._track_of: dict[int, int] = {}
        """Number of the track of each entity that is there now."""
        self._version = -1, -1
        """Number of restores, and version of the bodies, that `_rows` belong to."""
        self._rows = self._hosts = self._numbers = np.zeros(0, np.int64)
        self._joints: tuple[FrameJoint, ...] = ()
        self._joint_key: object = None
        self._processor: type[esper.Processor] | None = None
        self._handlers = {name: self._handler(name) for name in (EVENTS if events else ())}
        for name, handler in self._handlers.items():
            on(name, handler)

    def attach(self) -> Self:
        """Record each frame with a step from now on, at the end of `esper.process`; return the recorder.

        Raises PhysicsError if it is attached already, or if another esper world is the current one.
        """
        if self._processor is not None:
            raise PhysicsError("this recorder is attached already")
        self._check_world()
        recorder = self

        class Record(esper.Processor):
            """Processor of one recorder; each has a class of its own, because esper removes by class."""

            def process(self, *args: Any, **kwargs: Any) -> None:
                if recorder._physics.statistics.steps != recorder._steps:
                    recorder.frame()

        esper.add_processor(Record(), priority=LAST)
        self._processor = Record
        return self

    def detach(self) -> None:
        """Stop recording, and stop hearing events. A recorder that is detached already stays as it is."""
        handlers, processor = self._handlers, self._processor
        self._handlers, self._processor = {}, None
        if self._world not in esper.list_worlds():
            return
        before = esper.current_world
        esper.switch_world(self._world)
        try:
            for name, handler in handlers.items():
                if handler in [reference() for reference in esper.event_registry.get(name, ())]:
                    off(name, handler)
            if processor is not None:
                esper.remove_processor(processor)
        finally:
            esper.switch_world(before)

    def frame(self) -> None:
        """Record the present state as a frame. Raises PhysicsError if another esper world is the current one."""
        self._check_world()
        pipeline = self._physics.pipeline
        if (pipeline.state.restores, pipeline.body_sync.version) != self._version:
            self._renew_tracks()
        steps = self._physics.statistics.steps
        self._time += max(steps - self._steps, 0) * self._physics.dt  # a restore takes steps back
        self._steps = steps
        bodies = pipeline.bodies.arrays
        self._frames.append(
            Frame(
                time=self._time,
                tracks=self._numbers,
                poses=bodies.pose[self._rows],
                asleep=(bodies.island[self._hosts] != 0) & (bodies.kind[self._hosts] == BodyKind.DYNAMIC),
                contacts=contact_points(self._physics) if self._has_contacts else NO_CONTACTS,
                joints=self._present_joints(),
            )
        )
        self._count += 1

    def mark(self, text: str) -> None:
        """Add a text to the next frame, which the player shows on its time line."""
        self._marks.append(Mark(self._count, str(text)))

    def __len__(self) -> int:
        """Return the number of frames that are kept."""
        return len(self._frames)

    def recording(
        self,
        *,
        title: str = "ecs_collide",
        note: str = "",
        view: tuple[float, float, float, float] | None = None,
        y_up: bool | None = None,
    ) -> Recording:
        """Return what was recorded so far.

        Args:
            title: title of pages.
            note: text above the picture of pages.
            view: box of the world that is shown at first: left, least y, right, largest y [m]; None to fit the bodies.
            y_up: True if y points up in pictures; None (default) for up unless gravity points to larger y.
        """
        frames, dropped = list(self._frames), self._count - len(self._frames)
        paths = paths_of(frames)
        begin = frames[0].time if frames else 0.0
        return Recording(
            times=np.array([frame.time - begin for frame in frames]),
            tracks=[Track(**self._tracks[number]._asdict(), **path._asdict()) for number, path in paths.items()],
            contacts=contacts_of(frames),
            joints=joints_of(frames),
            events=[
                event._replace(frame=event.frame - dropped)
                for event in self._events
                if dropped <= event.frame < self._count
            ],
            marks=[
                mark._replace(frame=min(mark.frame, self._count - 1) - dropped)
                for mark in self._marks
                if mark.frame >= dropped and frames
            ],
            y_up=self._physics.gravity[1] <= 0.0 if y_up is None else y_up,
            title=title,
            note=note,
            view=view,
        )

    def html(self, **more: Any) -> str:
        """Return a page that plays what was recorded so far; the arguments are those of `recording`."""
        return self.recording(**more).html()

    def save(self, path: str | Path, **more: Any) -> Path:
        """Write what was recorded so far, see `Recording.save`; the other arguments are those of `recording`."""
        checked_path(path)
        return self.recording(**more).save(path)

    def _check_world(self) -> None:
        if esper.current_world != self._world:
            raise PhysicsError(
                f"this recorder belongs to esper world {self._world!r}, and {esper.current_world!r} is the current one"
            )

    def _handler(self, name: str) -> Callable[..., None]:
        """Return the handler of an event."""

        def record(*arguments: Any) -> None:
            first = arguments[0]
            entities = (first.entity_a, first.entity_b) if isinstance(first, Contact) else arguments[:2]
            if name in ("joint_break", "joint_overload"):
                entities = arguments[:1]
            self._events.append(EventRecord(self._count, name, tuple(entities)))

        return record

    def _renew_tracks(self) -> None:
        """Find the track of each body with a collider; a body that is new, or has changed, begins one."""
        pipeline = self._physics.pipeline
        self._version = pipeline.state.restores, pipeline.body_sync.version
        bodies = pipeline.bodies.arrays
        before, self._track_of = self._track_of, {}
        rows, hosts = [], []
        for entity, body in pipeline.body_sync.members.items():
            collider = body.components.collider
            if body.shape is None or collider is None or not collider.enabled:
                continue
            inverse_mass = float(bodies.mass[body.host.row, MASS.INVERSE_X])
            kept = _Kept(
                entity=entity,
                shape=body.shape,
                kind=body.host.kind,
                is_sensor=bool(bodies.filter[body.row, FILTER.SENSOR]),
                label=self._label(entity) if self._label is not None else "",
                mass=1.0 / inverse_mass if inverse_mass > 0.0 else 0.0,
            )
            number = before.get(entity)
            if number is None or not _is_same(self._tracks[number], kept):
                number = len(self._tracks)
                self._tracks.append(kept)
            self._track_of[entity] = number
            rows.append(body.row)
            hosts.append(body.host.row)
        self._rows, self._hosts = np.array(rows, np.int64), np.array(hosts, np.int64)
        self._numbers = np.array(list(self._track_of.values()), np.int64)

    def _present_joints(self) -> tuple[FrameJoint, ...]:
        """Return the joints that work; the same tuple as long as they are the same."""
        joints = self._physics.pipeline.world_joints.find()
        if joints is None:
            return ()
        arrays = joints.columns.arrays
        rows = np.array([row for _, row in joints.rows], np.int64)
        rows = rows[has_anchors(arrays, rows)]
        index = arrays.index[rows]
        anchors = arrays.anchors[rows][:, [ANCHORS.A_X, ANCHORS.A_Y, ANCHORS.B_X, ANCHORS.B_Y]]
        has_target = np.isin(index[:, JOINT.KIND], kinds.WITH_TARGET)
        anchors[has_target, :2] = arrays.numbers[rows][has_target][:, [NUMBERS.TARGET_X, NUMBERS.TARGET_Y]]
        key = index.tobytes(), anchors.tobytes()
        if key != self._joint_key:
            self._joint_key = key
            entity = self._physics.pipeline.bodies.arrays.entity
            self._joints = tuple(
                FrameJoint(
                    entity=its,
                    a=None if a == WORLD else int(entity[a]),
                    b=int(entity[b]),
                    anchor_a=(ax, ay),
                    anchor_b=(bx, by),
                )
                for (_, a, b, its), (ax, ay, bx, by) in zip(index.tolist(), anchors.tolist(), strict=True)
            )
        return self._joints


def _is_same(before: _Kept, now: _Kept) -> bool:
    """Return True if a track continues: shapes are compared by value, and masses do not count."""
    return before._replace(mass=0.0) == now._replace(mass=0.0)
