"""The border tasks in pymunk, which has no entities: the cost of esper beside it is not included."""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import count

import pymunk

from benchmarks.border import scene_tasks, tasks
from benchmarks.border.tasks import DT, RADIUS, Point
from benchmarks.engines.pymunk_engine import PymunkEngine


class Task:
    """A task in a space of its own."""

    def __init__(self) -> None:
        self.space = pymunk.Space()
        self.space.collision_slop = 0.005

    def activate(self) -> None:
        """Do nothing: there is no world to switch."""

    def close(self) -> None:
        """Remove all contacts first: a shape that is freed searches all contacts of the space."""
        self.space.collision_persistence = 0
        for shape in self.space.shapes:
            shape.filter = pymunk.ShapeFilter(mask=0)
        self.space.step(DT)

    def circle(self, place: Point, radius: float) -> tuple[pymunk.Body, pymunk.Shape]:
        """Create a dynamic circle."""
        body = pymunk.Body()
        body.position = place
        shape = pymunk.Circle(body, radius)
        shape.density = 1.0
        shape.friction = 0.5
        self.space.add(body, shape)
        return body, shape

    def box(self, place: Point, size: Point) -> pymunk.Shape:
        """Create a static box."""
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
        body.position = place
        shape = pymunk.Poly.create_box(body, size)
        self.space.add(body, shape)
        return shape


class Bullets(Task):
    """A frame creates a bullet and deletes the oldest one."""

    def __init__(self, size: int) -> None:
        super().__init__()
        for place in tasks.places(size):
            self.box(place, (1.0, 1.0))
        self.bullets = deque(self.bullet() for _ in range(tasks.BULLETS))
        self.space.step(DT)

    def bullet(self) -> tuple[pymunk.Body, pymunk.Shape]:
        """Create a small fast circle."""
        body, shape = self.circle((0.0, -5.0), 0.1)
        body.velocity = 60.0, 0.0
        return body, shape

    def __call__(self) -> None:
        self.bullets.append(self.bullet())
        self.space.remove(*self.bullets.popleft())
        self.space.step(DT)


class Replacing(Task):
    """A frame gives ten bodies another collider, different bodies each time."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.pairs = deque(self.circle(place, RADIUS) for place in tasks.places(size))
        self.space.step(DT)

    def __call__(self) -> None:
        for _ in range(10):
            body, old = self.pairs.popleft()
            self.space.remove(old)
            shape = pymunk.Circle(body, 0.9 * RADIUS)
            shape.density = 1.0
            self.space.add(shape)
            self.pairs.append((body, shape))
        self.space.step(DT)


class Polygons(Task):
    """A frame creates different polygons."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.outlines = tasks.places(size), tasks.outlines(size)

    def __call__(self) -> None:
        for place, outline in zip(self.places, self.outlines, strict=True):
            body = pymunk.Body()
            body.position = place
            shape = pymunk.Poly(body, outline)
            shape.density = 1.0
            shape.friction = 0.5
            self.space.add(body, shape)
        self.space.step(DT)


class Circles(Task):
    """A frame creates circles of different radii."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.places, self.radii = tasks.places(size), tasks.radii(size)

    def __call__(self) -> None:
        for place, radius in zip(self.places, self.radii, strict=True):
            self.circle(place, radius)
        self.space.step(DT)


class Spawned(Circles):
    """A frame creates equal circles one by one, as pymunk has no call for many."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.radii = [RADIUS] * size


class Still(Task):
    """Circles that exist and do not move."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.pairs = [self.circle(place, RADIUS) for place in tasks.places(size)]
        self.bodies = [body for body, _ in self.pairs]
        self.space.step(DT)


class Deleting(Still):
    """A frame deletes all circles."""

    def __call__(self) -> None:
        for pair in self.pairs:
            self.space.remove(*pair)
        self.space.step(DT)


class Reading(Still):
    """A frame reads every pose, number by number."""

    def __call__(self) -> None:
        for body in self.bodies:
            _ = *body.position, body.angle


class Writing(Still):
    """A frame writes every velocity as a pair, as a component of a vector cannot be written alone."""

    def __call__(self) -> None:
        for body in self.bodies:
            body.velocity = 0.25, 0.5


class Placing(Still):
    """A frame writes every position."""

    def __call__(self) -> None:
        for body in self.bodies:
            body.position = 0.25, 0.5


class Gas(Task):
    """Elastic circles in a box."""

    def __init__(self, size: int) -> None:
        super().__init__()
        side, places, velocities = tasks.gas(size)
        for center, extent in tasks.walls(side):
            self.box(center, extent).elasticity = 1.0
        for place, velocity in zip(places, velocities, strict=True):
            body, shape = self.circle(place, 0.5)
            shape.elasticity, shape.friction = 1.0, 0.0
            body.velocity = velocity
        self.space.step(DT)

    def __call__(self) -> None:
        self.space.step(DT)


class Lift(Gas):
    """A gas, and outside it a kinematic box that moves up and down."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.lift, self.frames = pymunk.Body(body_type=pymunk.Body.KINEMATIC), count()
        self.lift.position = -2.0 * tasks.WALL, 0.0
        self.space.add(self.lift, pymunk.Poly.create_box(self.lift, (2.0, 0.5)))

    def __call__(self) -> None:
        self.lift.velocity = 0.0, tasks.lift_speed(next(self.frames))
        self.space.step(DT)


class Life:
    """A frame creates a space with a floor and circles on it, makes a step, and drops the space."""

    def __init__(self, size: int) -> None:
        self.places = tasks.places(size - 1)

    def __call__(self) -> None:
        space = Task()
        space.space.gravity = 0.0, -9.81
        floor = pymunk.Segment(space.space.static_body, (-tasks.WALL, -RADIUS), (tasks.WALL, -RADIUS), 0.0)
        floor.friction = 0.5
        space.space.add(floor)
        for place in self.places:
            space.circle(place, RADIUS)
        space.space.step(DT)

    def close(self) -> None:
        """Do nothing: each frame drops its space."""


class Chained(Bullets):
    """A frame creates and deletes a bullet beside swinging chains."""

    def __init__(self, size: int) -> None:
        super().__init__(0)
        self.space.gravity = 0.0, -9.81
        for places in tasks.chains(size):
            above, point = self.space.static_body, places[0]
            for x, y in places:
                link, _ = self.circle((x, y), 0.1)
                joint = pymunk.PivotJoint(above, link, point)
                joint.collide_bodies = False
                self.space.add(joint)
                above, point = link, (x + 0.125, y)
        self.space.step(DT)


class Ropes(Chained):
    """A frame replaces a rope between two lasting bullets, beside swinging chains."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.rope = self.tie()

    def tie(self) -> pymunk.Constraint:
        """Create a rope between the first bullet and the last one."""
        rope = pymunk.SlideJoint(self.bullets[0][0], self.bullets[-1][0], (0.0, 0.0), (0.0, 0.0), 0.0, 50.0)
        self.space.add(rope)
        return rope

    def __call__(self) -> None:
        self.space.remove(self.rope)
        self.rope = self.tie()
        self.space.step(DT)


class ContactReading(Task):
    """A frame reads the contacts of each circle of a pile: points and impulses."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.space.gravity = 0.0, -9.81
        self.box((0.0, -1.0), (200.0, 2.0))
        self.bodies = [self.circle(place, 0.5)[0] for place in tasks.pile(size)]
        self.found: list[object] = []
        self.space.step(DT)

    def __call__(self) -> None:
        for body in self.bodies:
            self.found.clear()
            body.each_arbiter(self.note)

    def note(self, arbiter: pymunk.Arbiter) -> None:
        """Store points and impulse of a contact."""
        self.found.append((arbiter.contact_point_set, arbiter.total_impulse))


class Listening(Gas):
    """A gas with a handler of new contacts, as pymunk has no event for hits."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.hits = 0
        self.space.on_collision(begin=self.count_hit)

    def count_hit(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: object) -> None:
        """Count a contact."""
        self.hits += 1


Bridge = partial(scene_tasks.bridge_task, PymunkEngine)
RustyBridge = partial(scene_tasks.rusty_bridge_task, PymunkEngine)
Ragdolls = partial(scene_tasks.ragdolls_task, PymunkEngine)
StiffRagdolls = partial(scene_tasks.stiff_ragdolls_task, PymunkEngine)
