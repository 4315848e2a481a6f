"""A finished recording: poses, contacts, joints and events of each frame, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.draw.style import DARK, Colours, Show
from ecs_collide.shapes import Shape

if TYPE_CHECKING:
    from ecs_collide.draw.scene_description import Scene


@dataclass(eq=False)
class Track:
    """The path of one entity for as long as it keeps its shape and its kind."""

    entity: int
    shape: Shape
    kind: BodyKind
    is_sensor: bool
    label: str
    mass: float
    """Mass [kg]; 0 for bodies that are not dynamic."""
    first: int
    """First frame."""
    poses: np.ndarray
    """Pose in each of its frames [m, m, rad] (k, 3)."""
    asleep: np.ndarray
    """True in frames in which it sleeps (k,) bool."""

    @property
    def end(self) -> int:
        """Number of the frame after its last one."""
        return self.first + len(self.poses)


class ContactRecords(NamedTuple):
    """Contact points of all frames, in the order of frames."""

    frame: np.ndarray
    """Frame (c,) int64."""
    entities: np.ndarray
    """Entities A and B (c, 2) int64."""
    point: np.ndarray
    """Place [m] (c, 2)."""
    normal: np.ndarray
    """Unit normal from A to B (c, 2)."""
    impulse: np.ndarray
    """Impulse of the step along the normal [N s] (c,)."""


class JointRecord(NamedTuple):
    """A joint, for as long as it works with the same anchors."""

    entity: int
    a: int | None
    """Entity of one body; None for the world."""
    b: int
    """Entity of the other body."""
    anchor_a: tuple[float, float]
    """Anchor in the axes of `a`, or in the world [m]."""
    anchor_b: tuple[float, float]
    """Anchor in the axes of `b` [m]."""
    first: int
    """First frame."""
    end: int
    """Number of the frame after its last one."""


class EventRecord(NamedTuple):
    """An event that the physics sent."""

    frame: int
    name: str
    entities: tuple[int, ...]


class Mark(NamedTuple):
    """Text of a game's own at a frame."""

    frame: int
    text: str


@dataclass(eq=False)
class Recording:
    """A recording of a world. Frame 0 is the first that was kept."""

    times: np.ndarray
    """Time of each frame since the beginning of the recording [s] (f,)."""
    tracks: list[Track]
    """Paths of entities, in the order in which they began."""
    contacts: ContactRecords
    joints: list[JointRecord]
    events: list[EventRecord]
    marks: list[Mark]
    y_up: bool = True
    title: str = "ecs_collide"
    note: str = ""
    """Text above the picture, such as the message of a failed test."""
    view: tuple[float, float, float, float] | None = None
    """Box of the world that is shown at first: left, least y, right, largest y [m]; None to fit the bodies."""

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.times)

    @property
    def entities(self) -> np.ndarray:
        """Entity of each track (n,) int64."""
        return np.array([track.entity for track in self.tracks], np.int64)

    @cached_property
    def poses(self) -> np.ndarray:
        """Pose of each track in each frame, nan while it is not there [m, m, rad] (f, n, 3)."""
        poses = np.full((len(self), len(self.tracks), 3), np.nan)
        for k, track in enumerate(self.tracks):
            poses[track.first : track.end, k] = track.poses
        return poses

    @cached_property
    def asleep(self) -> np.ndarray:
        """True for each track in each frame in which it sleeps (f, n) bool."""
        asleep = np.zeros((len(self), len(self.tracks)), np.bool_)
        for k, track in enumerate(self.tracks):
            asleep[track.first : track.end, k] = track.asleep
        return asleep

    def poses_of(self, entity: int) -> np.ndarray:
        """Return the pose of an entity in each frame, nan while it is not there [m, m, rad] (f, 3).

        Raises KeyError for an entity that was not recorded.
        """
        its = [track for track in self.tracks if track.entity == entity]
        if not its:
            raise KeyError(f"entity {entity} was not recorded")
        poses = np.full((len(self), 3), np.nan)
        for track in its:
            poses[track.first : track.end] = track.poses
        return poses

    def scene(self, frame: int, show: Show | None = None, colours: Colours = DARK, scale: float | None = None) -> Scene:
        """Return the description of a frame for drawing; see `ecs_collide.draw.scene`.

        Args:
            frame: number of the frame; -1 for the last one.
            show: switches of the parts to show. A recording has shapes, sleep, joints, contacts, normals, impulses,
                axes and labels.
            colours: colours of the states of bodies and of everything else.
            scale: pixels to a length unit of the picture; None for the finest arcs.

        Raises IndexError for a frame that there is not.
        """
        from ecs_collide.recording.recorded_scene import recorded_scene  # most recordings are saved as pages

        return recorded_scene(self, range(len(self))[frame], show, colours, scale)

    def html(self) -> str:
        """Return a page that plays the recording; it needs no network and no other file."""
        from ecs_collide.recording.page import page

        return page(self)

    def save(self, path: str | Path) -> Path:
        """Write the recording to a file, and return its path. Its suffix says how.

        | suffix | contents |
        |---|---|
        | .html | a page that plays the recording, with nothing to install |
        | .gif | a film, drawn with Pillow |
        | .npz | arrays for numpy: times, entities, poses, asleep, and contacts |

        Raises ValueError for another suffix, ImportError for a film without Pillow.
        """
        path = checked_path(path)
        if path.suffix == ".html":
            path.write_text(self.html(), "utf-8")
        elif path.suffix == ".gif":
            from ecs_collide.recording.film import save_film

            save_film(self, path)
        else:
            np.savez_compressed(
                path,
                times=self.times,
                entities=self.entities,
                poses=self.poses,
                asleep=self.asleep,
                **{f"contact_{name}": column for name, column in self.contacts._asdict().items()},
            )
        return path


SUFFIXES = (".html", ".gif", ".npz")


def checked_path(path: str | Path) -> Path:
    """Return the path of a file for a recording. Raises ValueError for a suffix that says of no way to write it."""
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise ValueError(f"a recording is written to a file that ends in {', '.join(SUFFIXES)}, got {str(path)!r}")
    return path
