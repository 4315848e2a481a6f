"""Every shape falls on every shape, in as many tubes over a round floor as there are kinds.

Tube c has the kinds c, c, c + 1, c - 1, c + 2, c - 2 and so on, modulo their number, from the floor up. Neighbours in a
tube differ by 0, 1, 2, ... up to half that number, to either side. Each two kinds are thus neighbours in one tube.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

KINDS: dict[str, tuple[ec.Shape, Colour]] = {
    "circle": (ec.Circle(0.5), (236, 112, 96)),
    "box": (ec.Box(1.0, 0.8), (240, 180, 88)),
    "capsule": (ec.Capsule((-0.35, 0.0), (0.35, 0.0), 0.3), (122, 192, 112)),
    "polygon": (ec.Polygon([(-0.6, -0.4), (0.6, -0.4), (0.35, 0.45), (-0.35, 0.45)]), (88, 176, 224)),
    "rounded polygon": (ec.Polygon([(-0.4, -0.3), (0.4, -0.3), (0.0, 0.4)], radius=0.15), (168, 136, 224)),
    "inward polygon": (ec.Polygon([(-0.6, -0.4), (0.6, -0.4), (0.6, 0.5), (0.0, 0.0), (-0.6, 0.5)]), (232, 136, 184)),
    "sector": (ec.Sector(0.9, 0.6, direction=0.5 * math.pi), (216, 208, 104)),
    "open sector": (ec.Sector(0.55, 2.4), (104, 204, 192)),
    "arc polygon": (
        ec.ArcPolygon([(-0.6, -0.4), (0.6, -0.4), (0.6, 0.4), (-0.6, 0.4)], [0, 0.3, -0.6, 0.3]),
        (212, 148, 108),
    ),
    "bitmap": (ec.Compound([(ec.Bitmap([[1, 1, 1], [1, 0, 1], [1, 1, 0]], 0.34), (-0.5, -0.5, 0.0))]), (140, 160, 232)),
    "compound": (
        ec.Compound([(ec.Capsule((-0.45, 0.0), (0.45, 0.0), 0.14), (0, 0, 0)), (ec.Circle(0.32), (0.3, 0.0, 0.0))]),
        (176, 216, 128),
    ),
    "segment": (ec.Segment((-0.55, 0.0), (0.55, 0.0)), (244, 150, 150)),
    "chain": (ec.Chain([(-0.55, 0.25), (-0.2, -0.25), (0.2, 0.25), (0.55, -0.25)]), (150, 220, 244)),
}
NAMES = list(KINDS)
COUNT = len(NAMES)
"""Number of kinds, and of tubes."""
STEPS = [0, *((k + 1) // 2 if k % 2 else -k // 2 for k in range(COUNT // 2 + 1))]
"""Kinds in a tube from the floor up, relative to its lowest: 0, 0, 1, -1, 2, -2, ..."""
TUBE = 1.7
"""Distance between the middles of two tubes [m]."""
HALF_WIDTH = 0.5 * COUNT * TUBE
WALL = 0.2
SLOP = 0.02
"""Greatest allowed overlap at the end [m]."""
FLOOR_RADIUS = 40.0
FLOOR_TOP = FLOOR_RADIUS - math.sqrt(FLOOR_RADIUS**2 - HALF_WIDTH**2)
"""Height of the floor at the outer tubes above the middle [m]."""


@dataclass
class Kind:
    """Kind of shape of an entity, and its tube."""

    number: int
    tube: int


def middle_of(tube: int) -> float:
    """Return the middle of a tube [m]."""
    return (tube - 0.5 * (COUNT - 1)) * TUBE


class Shapes(Demo):
    """The demo of shapes."""

    view = View(-HALF_WIDTH - 0.55, -0.5, HALF_WIDTH + 0.55, 1.8 + 1.4 * len(STEPS))
    frames = 1200

    def setup(self) -> None:
        ec.install(gravity=(0.0, -1.62))  # the moon's, so that impacts are soft
        ec.on("collision_start", self.on_start)
        self.met: set[tuple[int, int]] = set()
        floor = ec.Ring(FLOOR_RADIUS, center=(0.0, FLOOR_RADIUS))
        self.floor = esper.create_entity(ec.Transform(), ec.Collider(floor))
        self.on_floor: set[int] = set()
        for side in (-1, 1):
            wall = ec.HalfPlane(normal=(-side, 0.0), offset=0.5 * WALL - HALF_WIDTH)
            esper.create_entity(ec.Transform(), ec.Collider(wall, friction=0.1))
        for k in range(1, COUNT):
            place = ec.Transform(k * TUBE - HALF_WIDTH, 9.0)
            esper.create_entity(place, ec.Collider(ec.Box(WALL, 18.0), friction=0.1))
        for tube in range(COUNT):
            for row, step in enumerate(STEPS):
                self._drop((tube + step) % COUNT, tube, row)

    def _drop(self, number: int, tube: int, row: int) -> None:
        shape, colour = KINDS[NAMES[number]]
        esper.create_entity(
            ec.Transform(middle_of(tube), 2.2 + 1.4 * row),
            ec.Velocity(),
            ec.Collider(shape),
            ec.RigidBody(
                angular_damping=2.0, linear_damping=0.5
            ),  # shapes that are round on one side would rock for long
            Kind(number, tube),
            Paint(colour),
        )

    def on_start(self, contact: ec.Contact) -> None:
        a, b = (esper.try_component(entity, Kind) for entity in (contact.entity_a, contact.entity_b))
        if a is not None and b is not None:
            self.met.add((min(a.number, b.number), max(a.number, b.number)))
        elif self.floor in (contact.entity_a, contact.entity_b):
            self.on_floor.update(kind.number for kind in (a, b) if kind is not None)

    def check(self) -> str:
        parts = [parts for _, parts in esper.get_components(Kind, ec.Transform, ec.Velocity)]
        lost = [NAMES[kind.number] for kind, place, _ in parts if not self._is_in_tube(kind, place)]
        fastest = max(math.hypot(*velocity.linear) for _, _, velocity in parts)
        bodies = [entity for entity, _ in esper.get_components(Kind, ec.Velocity)]
        contacts = [contact for entity in bodies for contact in ec.physics().contacts_of(entity)]
        deepest = -min(
            min(c.separations) for c in contacts if not (self._is_line(c.entity_a) and self._is_line(c.entity_b))
        )
        pairs = {(a, b) for b in range(COUNT) for a in range(b + 1)}
        expect(not lost, f"left their tubes: {lost}")
        missed = [(NAMES[a], NAMES[b]) for a, b in sorted(pairs - self.met)]
        expect(len(missed) <= 3, f"never met: {missed}")  # one may tip over before its neighbour comes
        expect(len(self.on_floor) == COUNT, f"only {len(self.on_floor)} kinds of shape met the floor")
        expect(fastest < 0.02, f"something still moves at {fastest:.3f} m/s")
        expect(deepest < SLOP, f"two bodies overlap by {1000.0 * deepest:.1f} mm")
        return (
            f"{len(self.met)} of {len(pairs)} pairs of kinds have met; {len(parts)} bodies rest "
            f"(fastest {1000.0 * fastest:.2f} mm/s, deepest overlap {1000.0 * deepest:.1f} mm)"
        )

    def _is_line(self, entity: int) -> bool:
        """Return True if a kind has no inside: two lines may come to lie across each other."""
        return isinstance(esper.component_for_entity(entity, ec.Collider).shape, ec.Segment | ec.Chain)

    def _is_in_tube(self, kind: Kind, place: ec.Transform) -> bool:
        return abs(place.x - middle_of(kind.tube)) < 0.5 * TUBE and -SLOP < place.y < 12.0


DEMO = Shapes
