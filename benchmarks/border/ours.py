"""The border tasks in ecs_collide, written as a game would write them."""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import count, cycle

import esper

import ecs_collide as ec
from benchmarks.border import scene_tasks, tasks
from benchmarks.border.tasks import DT, RADIUS
from benchmarks.engines.ecs_collide_engine import EcsCollideEngine
from ecs_collide.systems import Narrowphase, Response, priority_between

_numbers = count()


class Task:
    """A task in a world of its own."""

    def __init__(self, *, gravity: tuple[float, float] = (0.0, 0.0), sleeping: bool = False) -> None:
        self.world = f"border {next(_numbers)}"
        esper.switch_world(self.world)
        self.physics = ec.install(gravity=gravity, sleeping=sleeping)

    def activate(self) -> None:
        """Make its esper world the current one."""
        esper.switch_world(self.world)

    def close(self) -> None:
        """Delete the world."""
        self.activate()
        ec.uninstall()
        esper.switch_world("default")
        esper.delete_world(self.world)


def bullet() -> tuple[ec.Transform, ec.Velocity, ec.Collider, ec.RigidBody]:
    """Return the components of a bullet."""
    return (
        ec.Transform(0.0, -5.0),
        ec.Velocity(60.0, 0.0),
        ec.Collider(ec.Circle(0.1), density=3.0),
        ec.RigidBody(bullet=True),
    )


class Bullets(Task):
    """A frame creates a bullet and deletes the oldest one."""

    def __init__(self, size: int) -> None:
        super().__init__()
        ec.spawn(ec.Box(1.0, 1.0), tasks.places(size))
        self.bullets = deque(esper.create_entity(*bullet()) for _ in range(tasks.BULLETS))
        esper.process(DT)

    def __call__(self) -> None:
        self.bullets.append(esper.create_entity(*bullet()))
        esper.delete_entity(self.bullets.popleft())
        esper.process(DT)


class Replacing(Task):
    """A frame gives ten bodies another collider, different bodies each time."""

    def __init__(self, size: int) -> None:
        super().__init__()
        places = tasks.places(size)
        self.entities = cycle(ec.spawn(ec.Circle(RADIUS), places, velocities=(0.0, 0.0)))
        esper.process(DT)

    def __call__(self) -> None:
        for _ in range(10):
            esper.add_component(next(self.entities), ec.Collider(ec.Circle(0.9 * RADIUS)))
        esper.process(DT)


class Polygons(Task):
    """A frame creates different polygons."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.outlines = tasks.places(size), tasks.outlines(size)

    def __call__(self) -> None:
        for (x, y), outline in zip(self.places, self.outlines, strict=True):
            esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Polygon(outline)))
        esper.process(DT)


class Circles(Task):
    """A frame creates circles of different radii."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.radii = tasks.places(size), tasks.radii(size)

    def __call__(self) -> None:
        for (x, y), radius in zip(self.places, self.radii, strict=True):
            esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Circle(radius)))
        esper.process(DT)


class Spawned(Task):
    """A frame creates equal circles in one call."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places = tasks.places(size)

    def __call__(self) -> None:
        ec.spawn(ec.Circle(RADIUS), self.places, velocities=(0.0, 0.0))
        esper.process(DT)


class Still(Task):
    """Circles that exist and do not move."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.entities = ec.spawn(ec.Circle(RADIUS), tasks.places(size), velocities=(0.0, 0.0))
        esper.process(DT)
        self.transforms = [esper.component_for_entity(entity, ec.Transform) for entity in self.entities]
        self.velocities = [esper.component_for_entity(entity, ec.Velocity) for entity in self.entities]


class Deleting(Still):
    """A frame deletes all circles."""

    def __call__(self) -> None:
        for entity in self.entities:
            esper.delete_entity(entity)
        esper.process(DT)


class Reading(Still):
    """A frame reads every pose, number by number."""

    def __call__(self) -> None:
        for transform in self.transforms:
            _ = transform.x, transform.y, transform.angle


class Writing(Still):
    """A frame writes every velocity, number by number."""

    def __call__(self) -> None:
        for velocity in self.velocities:
            velocity.x = 0.25
            velocity.y = 0.5


class Placing(Still):
    """A frame writes every position."""

    def __call__(self) -> None:
        for transform in self.transforms:
            transform.position = (0.25, 0.5)


class Components(Task):
    """A frame creates components and discards them."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __call__(self) -> None:
        for _ in range(self.size):
            bullet()


class Gas(Task):
    """Elastic circles in a box."""

    def __init__(self, size: int) -> None:
        super().__init__()
        side, places, velocities = tasks.gas(size)
        for center, extent in tasks.walls(side):
            esper.create_entity(ec.Transform(*center), ec.Collider(ec.Box(*extent), friction=0.0, restitution=1.0))
        ec.spawn(ec.Circle(0.5), places, velocities=velocities, friction=0.0, restitution=1.0)
        esper.process(DT)

    def __call__(self) -> None:
        esper.process(DT)


class EmptyHook(esper.Processor):
    """A system of a game that does nothing."""

    def process(self, dt: float) -> None:
        """Do nothing."""


class Hooked(Gas):
    """A gas with an empty hook between two systems of the step."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        esper.add_processor(EmptyHook(), priority=priority_between(Narrowphase, Response))
        esper.process(DT)


class Lift(Gas):
    """A gas, and outside it a kinematic box that moves up and down."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.velocity, self.frames = ec.Velocity(), count()
        body = ec.RigidBody(ec.BodyKind.KINEMATIC)
        esper.create_entity(ec.Transform(-2.0 * tasks.WALL, 0.0), self.velocity, ec.Collider(ec.Box(2.0, 0.5)), body)

    def __call__(self) -> None:
        self.velocity.y = tasks.lift_speed(next(self.frames))
        esper.process(DT)


class Listening(Gas):
    """A gas with a handler of hits."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.hits = 0
        ec.on("collision_hit", self.count_hit)

    def count_hit(self, contact: ec.Contact) -> None:
        """Count a hit."""
        self.hits += 1


class Life:
    """A frame creates a world with a floor and circles on it, makes a step, and deletes the world."""

    def __init__(self, size: int) -> None:
        self.places = tasks.places(size - 1)
        self.world = f"border {next(_numbers)}"

    def __call__(self) -> None:
        esper.switch_world(self.world)
        ec.install(gravity=(0.0, -9.81))
        esper.create_entity(ec.Transform(0.0, -RADIUS), ec.Collider(ec.HalfPlane()))
        for x, y in self.places:
            esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Circle(RADIUS)))
        esper.process(DT)
        ec.uninstall()
        esper.switch_world("default")
        esper.delete_world(self.world)

    def close(self) -> None:
        """Do nothing: each frame deletes its world."""


class Chained(Task):
    """A frame creates and deletes a bullet beside swinging chains."""

    def __init__(self, size: int) -> None:
        super().__init__(gravity=(0.0, -9.81))
        for places in tasks.chains(size):
            above, point = None, places[0]
            for x, y in places:
                link = esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Circle(0.1)))
                esper.create_entity(ec.RevoluteJoint(link, above, point=point))
                above, point = link, (x + 0.125, y)
        self.bullets = deque(esper.create_entity(*bullet()) for _ in range(tasks.BULLETS))
        esper.process(DT)

    def __call__(self) -> None:
        self.bullets.append(esper.create_entity(*bullet()))
        esper.delete_entity(self.bullets.popleft())
        esper.process(DT)


class Ropes(Chained):
    """A frame replaces a rope between two lasting bullets, beside swinging chains."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.rope = self.tie()

    def tie(self) -> int:
        """Create a rope between the first bullet and the last one."""
        return esper.create_entity(ec.DistanceJoint(self.bullets[0], self.bullets[-1], max_length=50.0))

    def __call__(self) -> None:
        esper.delete_entity(self.rope)
        self.rope = self.tie()
        esper.process(DT)


class ContactReading(Task):
    """A frame reads the contacts of each circle of a pile: points and impulses."""

    def __init__(self, size: int) -> None:
        super().__init__(gravity=(0.0, -9.81))
        ec.spawn(ec.Box(200.0, 2.0), [(0.0, -1.0)])
        self.entities = ec.spawn(ec.Circle(0.5), tasks.pile(size), velocities=(0.0, 0.0))
        esper.process(DT)

    def __call__(self) -> None:
        for entity in self.entities:
            _ = [(contact.points, contact.normal_impulse) for contact in self.physics.contacts_of(entity)]


class Waking(Task):
    """A frame wakes five sleeping boxes."""

    def __init__(self, size: int) -> None:
        super().__init__(gravity=(0.0, -9.81), sleeping=True)
        ec.spawn(ec.HalfPlane(), [(0.0, 0.0)])
        self.entities = iter(ec.spawn(ec.Box(1.0, 1.0), [(2.0 * k, 0.5) for k in range(size)], velocities=(0.0, 0.0)))
        esper.process(DT)
        while self.physics.statistics.awake_bodies:
            esper.process(DT)

    def __call__(self) -> None:
        for _ in range(5):
            self.physics.wake(next(self.entities))
        esper.process(DT)


class Digging(Task):
    """A frame removes a cell of a tile map, another cell in each frame."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.rows = [["#" if (3 * x + 7 * y) % 11 else "." for x in range(100)] for y in range(size)]
        self.cells = ((x, y) for y in range(1, size, 2) for x in range(1, 100, 2))
        self.collider = ec.Collider(self._bitmap())
        esper.create_entity(ec.Transform(), self.collider)
        esper.process(DT)

    def __call__(self) -> None:
        x, y = next(self.cells)
        self.rows[y][x] = "."
        self.collider.shape = self._bitmap()
        esper.process(DT)

    def _bitmap(self) -> ec.Bitmap:
        """Return the present cells as a shape."""
        return ec.Bitmap(["".join(row) for row in self.rows])


Bridge = partial(scene_tasks.bridge_task, EcsCollideEngine)
RustyBridge = partial(scene_tasks.rusty_bridge_task, EcsCollideEngine)
Ragdolls = partial(scene_tasks.ragdolls_task, EcsCollideEngine)
StiffRagdolls = partial(scene_tasks.stiff_ragdolls_task, EcsCollideEngine)
