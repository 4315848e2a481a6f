"""A rotating field of view: 180 rays in one call show what the watcher sees."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Paint, View, expect

RAYS, REACH, FIELD, SPIN = 180, 9.0, 1.2, 0.9
"""Number of rays, their length [m], their angle [rad], and its rotation [rad/s]."""
SEEN, UNSEEN, WALL = (250, 214, 110), (98, 106, 128), (74, 96, 88)


class Rays(Demo):
    """The demo of rays."""

    view = View(-12.0, -7.5, 12.0, 7.5)
    frames = 480

    def setup(self) -> None:
        self.physics = ec.install()
        rng = np.random.default_rng(8)
        shapes: list[tuple[ec.Shape, float, float, float]] = [
            (ec.Box(3.0, 0.5), -4.0, 3.0, 0.6),
            (ec.Polygon([(0, 0), (2, 0), (2, 0.6), (0.6, 0.6), (0.6, 2), (0, 2)]), 3.5, 1.5, 0.3),
            (ec.Capsule((-1.0, 0.0), (1.0, 0.0), 0.3), 4.5, -3.0, 1.0),
            (ec.Circle(0.9), -5.0, -3.0, 0.0),
            (ec.Sector(1.5, 2.0), -1.0, -4.0, 1.2),
            (ec.Chain([(0, 0), (1, 1), (2.5, 0.5), (3.5, 1.5)]), -1.5, 3.4, 0.0),
        ]
        self.walls = [(shape, (x, y, angle)) for shape, x, y, angle in shapes]
        for shape, (x, y, angle) in self.walls:
            esper.create_entity(ec.Transform(x, y, angle), ec.Collider(shape), Paint(WALL))
        self.ring = esper.create_entity(ec.Transform(), ec.Collider(ec.Ring(7.2)), Paint(WALL))
        self.people = []
        for x, y, speed, turn in zip(
            rng.uniform(-6, 6, 24), rng.uniform(-4, 4, 24), rng.uniform(0.5, 2, 24), rng.uniform(0, 7, 24)
        ):
            velocity = ec.Velocity(speed * math.cos(turn), speed * math.sin(turn))
            looks = Paint(UNSEEN)
            person = ec.Collider(ec.Circle(0.18), restitution=1.0, friction=0.0)
            self.people.append(esper.create_entity(ec.Transform(x, y), velocity, person, looks))
        self.watcher = esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.25)), Paint((236, 112, 96)))
        self.light = esper.create_entity(ec.Transform(), Paint(SEEN))
        self.seen: set[int] = set()
        self.ever_seen: set[int] = set()
        self.hits: ec.Hits | None = None

    def script(self, frame: int) -> None:
        angles = SPIN * frame * DT + np.linspace(-0.5 * FIELD, 0.5 * FIELD, RAYS)
        self.ends = REACH * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self.hits = hits = self.physics.ray_casts((0.0, 0.0), self.ends, ignore=[self.watcher])
        self.seen = {int(entity) for entity in np.unique(hits.entity)} & set(self.people)
        self.ever_seen |= self.seen
        for person in self.people:
            esper.component_for_entity(person, Paint).colour = SEEN if person in self.seen else UNSEEN
        esper.component_for_entity(self.light, Paint).shape = self._lit(hits)

    def _lit(self, hits: ec.Hits) -> ec.Shape:
        """Return the lit area, drawn with the rays on both sides of a change, and some between."""
        reached = np.where(np.isnan(hits.point), self.ends, hits.point)
        changes = np.flatnonzero(np.diff(hits.entity))
        drawn = np.unique(np.concatenate((np.arange(0, RAYS, 12), changes, changes + 1, [RAYS - 1])))
        return ec.Polygon([(0.0, 0.0), *reached[drawn].tolist()])

    def note(self) -> str:
        return f"seen {len(self.seen)} of {len(self.people)}"

    def check(self) -> str:
        self.script(self.frames)  # update them after the last step
        assert self.hits is not None
        things = [(shape, pose) for shape, pose in (*self.walls, (ec.Ring(7.2), (0.0, 0.0, 0.0)))]
        for person in self.people:
            things.append((ec.Circle(0.18), esper.component_for_entity(person, ec.Transform).pose))
        furthest = 0.0
        for end, fraction in zip(self.ends.tolist(), self.hits.fraction.tolist(), strict=True):
            hits = (ec.ray_cast(shape, pose, (0.0, 0.0), tuple(end)) for shape, pose in things)
            first = min(hit.fraction for hit in hits if hit)
            furthest = max(furthest, REACH * abs(first - fraction))
        expect(furthest < 1e-9, f"a ray ended {furthest:.2e} m from where it meets the first of all shapes")
        expect(len(self.ever_seen) > 20, f"only {len(self.ever_seen)} of {len(self.people)} were ever seen")
        return (
            f"{len(self.ever_seen)} of {len(self.people)} were seen at one time or another; the last {RAYS} rays end "
            "where they first hit any of the shapes, each queried alone"
        )


DEMO = Rays
