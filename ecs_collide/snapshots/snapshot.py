"""A snapshot: the state of a world at one time, which can be restored any number of times."""

from __future__ import annotations

from typing import Any, Self, final
from weakref import WeakKeyDictionary, ref

from ecs_collide.snapshots import snapshot_bytes
from ecs_collide.snapshots.snapshot_content import SnapshotContent
from ecs_collide.step.pipeline import Pipeline


@final
class Snapshot:
    """The state of a world, made by `PhysicsWorld.snapshot` and restored by `PhysicsWorld.restore`.

    `bytes(snapshot)` and `pickle` store it. `Snapshot.from_bytes` reads it again, also in another process with the same
    version of the package. Load only bytes that you trust: like every pickle, they can run any code.
    """

    __slots__ = ("__weakref__", "_content", "_owner", "_twins")

    def __init__(self, content: SnapshotContent, owner: Pipeline | None) -> None:
        """Make a snapshot; games call `PhysicsWorld.snapshot` or `Snapshot.from_bytes`.

        `owner` is the world whose components the content holds. Without one it is the first world that restores it.
        """
        self._content = content
        self._owner = None if owner is None else ref(owner)
        self._twins: WeakKeyDictionary[Pipeline, SnapshotContent] = WeakKeyDictionary()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the snapshot that `bytes(snapshot)` has stored.

        Load only bytes that you trust: like every pickle, they can run any code. The checksum finds accidents, not
        attacks.

        Raises PhysicsError if a byte is missing or differs, if the bytes are of another version of the package or of
        other kernels, or if a class of a component is not there.
        """
        return cls(snapshot_bytes.decode(data), None)

    def __bytes__(self) -> bytes:
        """Return the snapshot as bytes, with format, version, length and checksum.

        Raises PhysicsError if it leaves entities out, or if a component of the game cannot be pickled.
        """
        return snapshot_bytes.encode(self._content)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs: the snapshot as bytes."""
        return Snapshot.from_bytes, (bytes(self),)

    def __repr__(self) -> str:
        """Return the number of entities, and the size of the arrays."""
        entities, size = self._content.structure.entities, len(self._content.image.data)
        held = "no entities" if entities is None else f"{len(entities)} entities"
        return f"<Snapshot: {held}, {size / 1000:.0f} kB of arrays>"

    def content_for(self, pipeline: Pipeline) -> SnapshotContent:
        """Return the content for a world, with copies of the components if they are those of another one."""
        if self._owner is None:
            self._owner = ref(pipeline)
        if self._owner() is pipeline:
            return self._content
        if pipeline not in self._twins:
            self._twins[pipeline] = snapshot_bytes.decode(snapshot_bytes.encode(self._content))
        return self._twins[pipeline]
