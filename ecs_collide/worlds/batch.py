"""A batch: many equal worlds in one process, whose states are rows of common arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Self, TypeVar

import esper
import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.api.install import physics
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.errors import PhysicsError
from ecs_collide.validate import integer, non_negative
from ecs_collide.worlds.fresh_worlds import delete_worlds, unused_name

Built = TypeVar("Built")


class Batch(Generic[Built]):
    """Many worlds of equal structure, each an esper world with physics of its own.

    `poses` and `velocities` hold the states of all worlds: one row for each world, and in it one row for each body, as
    in `PhysicsWorld.positions`. A step begins with what they hold then, so a program acts on the worlds by writing to
    them. Writes to components and to the views of a world are lost, except in a block of `world`.
    """

    poses: np.ndarray
    """Position of each entity's origin and its angle [m, m, rad] (worlds, bodies, 3)."""
    velocities: np.ndarray
    """Velocity of each centre of mass and angular velocity [m/s, m/s, rad/s] (worlds, bodies, 3)."""
    built: tuple[Built, ...]
    """Results of `build`, one for each world."""
    seeds: tuple[Any, ...]
    """Seed of each world."""

    def __init__(self, build: Callable[[Any], Built], count: int, seeds: Iterable[Any] | None = None) -> None:
        """Make the worlds, and record their states for `reset`.

        Each world makes a step of length 0 first, which finds its bodies and their contacts.

        Args:
            build: function of a seed that is called in an empty esper world. It installs physics and creates the
                entities. All worlds must have equally many bodies. Their shapes and places may differ.
            count: number of worlds.
            seeds: a seed for each world; 0, 1, 2, ... by default.

        Raises:
            PhysicsError: `build` installed no physics, or worlds have different numbers of bodies.
            ValueError: there are not as many seeds as worlds.
        """
        count = integer(count, "count", 1, 1 << 31)
        self.seeds = tuple(range(count) if seeds is None else seeds)
        if len(self.seeds) != count:
            raise ValueError(f"seeds must hold one for each of the {count} worlds, got {len(self.seeds)}")
        self._names: list[str] = []
        before = esper.current_world
        try:
            self.built = tuple(self._build(build, seed) for seed in self.seeds)
            self._worlds = tuple(self._start(name) for name in self._names)
            self._bodies = [world.pipeline.bodies for world in self._worlds]
            self._rows = self._bodies[0].rows.high
            self._arrays = [bodies.arrays for bodies in self._bodies]
            for index in range(count):
                self._check_rows(index)
        except BaseException:
            delete_worlds(self._names, before)
            raise
        esper.switch_world(before)
        self._snapshots = [world.snapshot() for world in self._worlds]
        self._pose_views = [arrays.pose[: self._rows] for arrays in self._arrays]
        self._velocity_views = [arrays.velocity[: self._rows] for arrays in self._arrays]
        self._flat_poses = np.empty((count * self._rows, 3))
        self._flat_velocities = np.empty((count * self._rows, 3))
        self.poses = self._flat_poses.reshape(count, self._rows, 3)
        self.velocities = self._flat_velocities.reshape(count, self._rows, 3)
        self._has_stepped = np.zeros(count, bool)
        self._read()

    def __len__(self) -> int:
        """Return the number of worlds."""
        return len(self._names)

    def __enter__(self) -> Self:
        """Return the batch, for a block at whose end it is closed."""
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the worlds. The batch cannot be used afterwards."""
        delete_worlds(self._names, esper.current_world)
        self._names.clear()

    def step(self, dt: float, n: int = 1) -> None:
        """Call `esper.process(dt)` n times in each world, one world after another.

        Args:
            dt: length of a step [s].
            n: number of steps.

        Raises the error of a world, with its seed in a note. Other worlds may have made their steps then.
        """
        dt, n = non_negative(dt, "dt"), integer(n, "n", 1, 1 << 31)
        self._check_open()
        before = esper.current_world
        try:
            for index, name in enumerate(self._names):
                esper.switch_world(name)
                self._write(index)
                for _ in range(n):
                    esper.process(dt)
                self._check_rows(index)
        except Exception as error:
            error.add_note(f"in the world of seed {self.seeds[index]!r}")
            raise
        finally:
            esper.switch_world(before)
        self._has_stepped[:] = True
        self._read()

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Return worlds to their states after `build`.

        Args:
            mask: True for each world to reset (worlds,) bool; all worlds by default.

        Raises TypeError or ValueError for a mask of another type or shape.
        """
        self._check_open()
        chosen = np.ones(len(self), bool) if mask is None else np.asarray(mask)
        if chosen.dtype != bool:
            raise TypeError(f"mask must hold True or False for each world, got {mask!r}")
        if chosen.shape != (len(self),):
            raise ValueError(f"mask must have shape ({len(self)},), got {chosen.shape}")
        for index in np.flatnonzero(chosen).tolist():
            self._worlds[index].restore(self._snapshots[index])
            self._check_rows(index)
            self.poses[index] = self._pose_views[index]
            self.velocities[index] = self._velocity_views[index]
        self._has_stepped[chosen] = False

    @contextmanager
    def world(self, index: int) -> Iterator[PhysicsWorld]:
        """Enter the esper world of an index in a `with` block, and yield its physics.

        The world has the state in the arrays at the beginning of the block. At its end the arrays get the new state.
        """
        self._check_open()
        place = integer(index, "index", 0, len(self) - 1)
        before = esper.current_world
        esper.switch_world(self._names[place])
        try:
            self._write(place)
            yield self._worlds[place]
        finally:
            esper.switch_world(before)
        self._check_rows(place)
        self.poses[place] = self._pose_views[place]
        self.velocities[place] = self._velocity_views[place]

    def row_of(self, entity: int) -> int:
        """Return the row of an entity in the arrays, which is the same in all worlds.

        Raises PhysicsError if worlds have different rows for it, or if one has no such body.
        """
        rows = {world.row_of(entity) for world in self._worlds}
        if len(rows) > 1:
            raise PhysicsError(f"entity {entity} has different rows in the worlds of the batch: {sorted(rows)}")
        return rows.pop()

    def contact_impulses(self) -> np.ndarray:
        """Return the sum of the normal impulses on each body in its last step [N s] (worlds, bodies).

        It is 0 in a world that has made no step since its last reset.
        """
        sums = np.zeros((len(self), self._rows))
        for index in np.flatnonzero(self._has_stepped).tolist():
            world = self._worlds[index]
            if world.statistics.contacts:
                contacts = world.contacts
                second = np.where(contacts.point_count == 2, contacts.normal_impulse[:, 1], 0.0)
                impulses = np.repeat(contacts.normal_impulse[:, 0] + second, 2)
                sums[index] = np.bincount(contacts.body.ravel().astype(np.intp), impulses, self._rows)
        return sums

    def _build(self, build: Callable[[Any], Built], seed: Any) -> Built:
        """Build the world of a seed in a new esper world, which stays the current one."""
        name = unused_name("batch")
        esper.switch_world(name)
        self._names.append(name)
        return build(seed)

    def _start(self, name: str) -> PhysicsWorld:
        """Make a step of length 0 in a world, which finds its bodies, and return its physics."""
        esper.switch_world(name)
        world = physics()
        esper.process(0.0)
        return world

    def _check_open(self) -> None:
        if not self._names:
            raise PhysicsError("the batch was closed")

    def _write(self, index: int) -> None:
        """Write the arrays to a world."""
        self._pose_views[index][:] = self.poses[index]
        self._velocity_views[index][:] = self.velocities[index]

    def _read(self) -> None:
        """Read all worlds into the arrays."""
        np.concatenate(self._pose_views, out=self._flat_poses)
        np.concatenate(self._velocity_views, out=self._flat_velocities)

    def _check_rows(self, index: int) -> None:
        """Renew the views of a world if its columns were replaced.

        Raises PhysicsError if it has another number of rows than the first one had.
        """
        bodies = self._bodies[index]
        if bodies.rows.high != self._rows:
            raise PhysicsError(
                f"the world of seed {self.seeds[index]!r} has {bodies.rows.high} rows of bodies, and that of seed "
                f"{self.seeds[0]!r} had {self._rows} at first: worlds of a batch must have equally many bodies"
            )
        if bodies.arrays is not self._arrays[index]:
            self._arrays[index] = arrays = bodies.arrays
            self._pose_views[index] = arrays.pose[: self._rows]
            self._velocity_views[index] = arrays.velocity[: self._rows]
