"""Cameras that a window chooses itself: one for each world and size, which then stays."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.draw.camera import Camera
from ecs_collide.draw.describe import physics_of, scene

_CAMERAS: WeakKeyDictionary[PhysicsWorld, dict[tuple[int, int], Camera]] = WeakKeyDictionary()


def kept_camera(physics: PhysicsWorld | None, size: tuple[int, int]) -> Camera:
    """Return the camera of the current world for pictures of a size; the first call with bodies chooses it.

    Raises PhysicsError if the current esper world has no physics.
    """
    physics = physics_of(physics)
    kept = _CAMERAS.setdefault(physics, {})
    if size in kept:
        return kept[size]
    present = scene(physics, interpolated=False)
    camera = present.camera(size)
    if present.moving_box is not None or present.still_box is not None:
        kept[size] = camera
    return camera
