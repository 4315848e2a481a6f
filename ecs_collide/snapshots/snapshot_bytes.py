"""The bytes of a snapshot: a header and a compressed pickle.

The header holds a mark, the format, the length of all bytes, a checksum of all other bytes, the version of the package,
and a digest of the kernels. Kernels trust the indices in columns, so nothing is unpickled before all of these are as
expected.
"""

from __future__ import annotations

import pickle
import struct
import zlib
from functools import cache
from io import BytesIO
from typing import Any

from ecs_collide.components.view import View
from ecs_collide.errors import PhysicsError
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.native import Numbers
from ecs_collide.snapshots.entity_structure import Structure
from ecs_collide.snapshots.snapshot_content import SnapshotContent

MARK = b"ECSSNAP\n"
FORMAT = 1
HEADER = struct.Struct("<8sIQ32s16s32s")
"""Mark, format, length, checksum, version and digest of the kernels."""
CHECKSUM = slice(20, 52)
LEVEL = 1
"""Compression: the fastest. Higher levels take several times as long and save a tenth."""


def encode(snapshot: SnapshotContent) -> bytes:
    """Return the bytes of the content of a snapshot. Raises PhysicsError if it cannot be pickled."""
    structure = snapshot.structure
    if structure.entities is None:
        raise PhysicsError(
            "a snapshot without entities refers to the components of this world, and has no bytes: take it with "
            "entities=True"
        )
    content = BytesIO()
    try:
        _Pickler(content, structure).dump(tuple(snapshot))
    except Exception as error:
        for each, state in zip(structure.changing, snapshot.changing, strict=True):
            _check_pickle(each.entity, each.kind, state)
        raise PhysicsError(f"the snapshot cannot be pickled ({error})") from error
    packed = zlib.compress(content.getbuffer(), LEVEL)
    version, kernels = _identity()
    header = HEADER.pack(MARK, FORMAT, HEADER.size + len(packed), bytes(32), version, kernels)
    return b"".join((header[: CHECKSUM.start], _checksum(header, packed), header[CHECKSUM.stop :], packed))


def decode(data: bytes) -> SnapshotContent:
    """Return the content of a snapshot from its bytes.

    Raises PhysicsError if they are damaged, or of another version.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a snapshot is made of bytes, got {type(data).__name__}")
    data = bytes(data)
    if len(data) < HEADER.size or not data.startswith(MARK):
        raise PhysicsError(f"these {len(data)} bytes are no snapshot: they lack its header")
    _, its_format, length, checksum, version, kernels = HEADER.unpack_from(data)
    if its_format != FORMAT:
        raise PhysicsError(f"the snapshot has format {its_format}, and this version of the package reads {FORMAT}")
    if length != len(data):
        raise PhysicsError(f"the snapshot has {len(data)} bytes in place of {length}: it is damaged")
    header, packed = data[: HEADER.size], data[HEADER.size :]
    if checksum != _checksum(header, packed):
        raise PhysicsError("the checksum of the snapshot is wrong: it is damaged")
    present_version, present_kernels = _identity()
    if version != present_version:
        raise PhysicsError(
            f"the snapshot is of version {_text(version)} of ecs_collide, and this is {_text(present_version)}"
        )
    if kernels != present_kernels:
        raise PhysicsError(
            f"the snapshot was made with other kernels ({_text(kernels)}) than those of this package "
            f"({_text(present_kernels)})"
        )
    try:
        return SnapshotContent(*pickle.loads(zlib.decompress(packed)))
    except Exception as error:
        raise PhysicsError(
            f"the snapshot cannot be unpickled ({type(error).__name__}: {error}): are all classes of its components "
            "there, under the same names?"
        ) from error


def _checksum(header: bytes, packed: bytes) -> bytes:
    """Return the checksum of all bytes but its own."""
    from hashlib import blake2b  # slow to load

    digest = blake2b(header[: CHECKSUM.start], digest_size=32)
    digest.update(header[CHECKSUM.stop :])
    digest.update(packed)
    return digest.digest()


@cache
def _identity() -> tuple[bytes, bytes]:
    """Return the version of the package and the digest of its kernels, as the header holds them."""
    import ecs_collide

    kernels = module.code_digest() if KERNEL_MODE is KernelMode.PREBUILT else "plain Python"
    return ecs_collide.__version__.encode()[:16].ljust(16, b"\0"), kernels.encode()[:32].ljust(32, b"\0")


def _text(field: bytes) -> str:
    return field.rstrip(b"\0").decode(errors="replace")


def _check_pickle(entity: int, kind: type, state: Any) -> None:
    """Raise PhysicsError that names a component whose state cannot be pickled."""
    try:
        pickle.dumps((kind, state))
    except Exception as error:
        raise PhysicsError(f"entity {entity}: its {kind.__name__} cannot be pickled ({error})") from error


class _Pickler(pickle.Pickler):
    """Pickles components without their values, which the snapshot holds apart."""

    def __init__(self, file: BytesIO, structure: Structure) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._plain = {id(each.component) for each in structure.changing if each.form.is_plain}

    def reducer_override(self, value: Any) -> Any:
        """Return how to make a component; other objects are pickled as usual."""
        if isinstance(value, Numbers):
            return blank_component, (type(value), len(value._values()), value._stands_in)
        if id(value) in self._plain:
            return bare_component, (type(value),)
        return NotImplemented


def blank_component(kind: type[View], count: int, stands_in: bool) -> View:
    """Return a detached component of ours with `count` numbers, and with no other values yet."""
    made: View = kind.__new__(kind)
    made._init_numbers(*[0.0] * count)
    made._stands_in = stands_in
    return made


def bare_component(kind: type) -> Any:
    """Return a component of the game without values yet."""
    return object.__new__(kind)
