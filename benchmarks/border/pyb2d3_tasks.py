"""Some of the border tasks in pyb2d3, as a second comparison."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

import pyb2d3

from benchmarks.border import scene_tasks, tasks
from benchmarks.border.tasks import DT, RADIUS, Point
from benchmarks.engines.pyb2d3_engine import Pyb2d3Engine

SUBSTEPS = 4


class Task:
    """A task in a world of its own."""

    def __init__(self, *, friction: float = 0.5, restitution: float = 0.0, gravity: Point = (0.0, 0.0)) -> None:
        self.world = pyb2d3.World(gravity=gravity)
        self.world.sleeping_enabled = False
        self.world.restitution_threshold = 0.0
        material = pyb2d3.surface_material(friction=friction, restitution=restitution)
        self.shape_def = pyb2d3.shape_def(density=1.0, material=material)

    def activate(self) -> None:
        """Do nothing: there is no world to switch."""

    def close(self) -> None:
        """Do nothing: the world is freed with the task."""

    def step(self) -> None:
        """Make a step."""
        self.world.step(DT, SUBSTEPS)

    def dynamic(self, place: Point, shape: Any, velocity: Point = (0.0, 0.0)) -> Any:
        """Create a dynamic body."""
        body = self.world.create_dynamic_body(pyb2d3.body_def(position=place, linear_velocity=velocity))
        body.create_shape(self.shape_def, shape)
        return body

    def box(self, place: Point, size: Point) -> None:
        """Create a static box."""
        body = self.world.create_static_body(pyb2d3.body_def(position=place))
        body.create_shape(self.shape_def, pyb2d3.box(size[0] / 2, size[1] / 2))


class Life:
    """A frame creates a world with a floor and circles on it, makes a step, and drops the world."""

    def __init__(self, size: int) -> None:
        self.places = tasks.places(size - 1)

    def __call__(self) -> None:
        world = Task(gravity=(0.0, -9.81))
        world.box((0.0, -RADIUS - 1.0), (2.0 * tasks.WALL, 2.0))
        for place in self.places:
            world.dynamic(place, pyb2d3.circle(radius=RADIUS))
        world.step()

    def close(self) -> None:
        """Do nothing: each frame drops its world."""


class Bullets(Task):
    """A frame creates a bullet and deletes the oldest one."""

    def __init__(self, size: int) -> None:
        super().__init__()
        for place in tasks.places(size):
            self.box(place, (1.0, 1.0))
        self.bullets = deque(self.bullet() for _ in range(tasks.BULLETS))
        self.step()

    def bullet(self) -> Any:
        """Create a small fast circle."""
        return self.dynamic((0.0, -5.0), pyb2d3.circle(radius=0.1), (60.0, 0.0))

    def __call__(self) -> None:
        self.bullets.append(self.bullet())
        self.bullets.popleft().destroy()
        self.step()


class Polygons(Task):
    """A frame creates different polygons."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.outlines = tasks.places(size), tasks.outlines(size)

    def __call__(self) -> None:
        for place, outline in zip(self.places, self.outlines, strict=True):
            self.dynamic(place, pyb2d3.polygon(points=outline))
        self.step()


class Circles(Task):
    """A frame creates circles of different radii."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.radii = tasks.places(size), tasks.radii(size)

    def __call__(self) -> None:
        for place, radius in zip(self.places, self.radii, strict=True):
            self.dynamic(place, pyb2d3.circle(radius=radius))
        self.step()


class Spawned(Circles):
    """A frame creates equal circles one by one."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.radii = [RADIUS] * size


class Gas(Task):
    """Elastic circles in a box."""

    def __init__(self, size: int) -> None:
        super().__init__(friction=0.0, restitution=1.0)
        side, places, velocities = tasks.gas(size)
        for center, extent in tasks.walls(side):
            self.box(center, extent)
        for place, velocity in zip(places, velocities, strict=True):
            self.dynamic(place, pyb2d3.circle(radius=0.5), velocity)
        self.step()

    def __call__(self) -> None:
        self.step()


Bridge = partial(scene_tasks.bridge_task, Pyb2d3Engine)
RustyBridge = partial(scene_tasks.rusty_bridge_task, Pyb2d3Engine)
Ragdolls = partial(scene_tasks.ragdolls_task, Pyb2d3Engine)
StiffRagdolls = partial(scene_tasks.stiff_ragdolls_task, Pyb2d3Engine)
