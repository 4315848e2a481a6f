"""Terrain out of shapely that bombs destroy: craters are differences, and parts without a foot fall as bodies.

The terrain is `data/castle.wkt`, a polygon with holes. After each blast the polygons that still reach the bottom are
the static terrain. The others become dynamic bodies, and later bombs blast those as well.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import esper

import ecs_collide as ec
from ecs_collide.demos.picture import PALETTE
from ecs_collide.demos.scene import Demo, Paint, View, expect

if TYPE_CHECKING:
    import shapely

FILE = Path(__file__).with_name("data") / "castle.wkt"
BOMBS = ((30, 2.9), (90, 7.8), (150, 2.9), (210, 7.8), (270, 11.4), (330, 11.0), (390, 12.6), (450, 5.4), (510, 5.4))
"""Frame and x [m] of each bomb."""
RADIUS, BLAST = 0.3, 1.1
"""Radius of a bomb and of its crater [m]."""
SMALLEST = 0.02
"""Smaller splinters vanish [m²]."""
LAND = (104, 112, 84)


class Craters(Demo):
    """The demo of geometry of shapely."""

    view = View(0.0, 0.0, 16.0, 11.0)
    frames = 780
    libraries = ("shapely",)

    def setup(self) -> None:
        import shapely

        self.physics = ec.install(gravity=(0.0, -9.81))
        for wall in (ec.HalfPlane((1, 0)), ec.HalfPlane((-1, 0), -16.0), ec.HalfPlane((0, 1))):
            esper.create_entity(ec.Transform(), ec.Collider(wall))
        land = shapely.from_wkt(FILE.read_text("utf-8"))
        self.area = land.area
        self.blasted = 0.0
        """Area of all craters and splinters [m²]."""
        self.pieces: set[int] = set()
        """Entities of the terrain, at rest or falling."""
        self._add(land)
        self.bombs: set[int] = set()
        self.hits: set[int] = set()
        """Bombs that have touched something."""
        self.count = 0
        ec.on("collision_start", self.on_contact)

    def on_contact(self, contact: ec.Contact) -> None:
        self.hits |= self.bombs & {contact.entity_a, contact.entity_b}

    def script(self, frame: int) -> None:
        for bomb in sorted(self.hits):
            place = esper.component_for_entity(bomb, ec.Transform).position
            esper.delete_entity(bomb, immediate=True)
            self.bombs.discard(bomb)
            self._blast(place)
        self.hits.clear()
        for start, x in BOMBS:
            if frame == start:
                looks = Paint((240, 100, 80), trail=0.5)
                ball = ec.Collider(ec.Circle(RADIUS), density=2.0)
                self.bombs.add(esper.create_entity(ec.Transform(x, 10.5), ec.Velocity(0.0, -2.0), ball, looks))

    def _add(self, land: shapely.Geometry) -> None:
        """Create bodies of the parts of the terrain: static ones if they reach the bottom, else dynamic ones."""
        import shapely

        from ecs_collide.from_data import from_shapely

        for part in shapely.get_parts(land):
            if part.area < SMALLEST:
                self.blasted += part.area
                continue
            stands = part.bounds[1] < 0.01 and part.bounds[2] - part.bounds[0] > 5.0
            (thing,) = from_shapely(part, centered=not stands)
            colour = LAND if stands else PALETTE[len(self.pieces) % len(PALETTE)]
            motion = [] if stands else [ec.Velocity()]
            self.pieces.add(esper.create_entity(*thing.components(friction=0.7), *motion, Paint(colour)))

    def _blast(self, place: tuple[float, float]) -> None:
        """Cut a crater out of all that is near."""
        import shapely

        from ecs_collide.from_data import to_shapely

        crater = shapely.Point(place).buffer(BLAST, quad_segs=5)
        for entity in sorted(self.pieces):
            pose = esper.component_for_entity(entity, ec.Transform).pose
            before = to_shapely(esper.component_for_entity(entity, ec.Collider).shape, pose)
            if not before.intersects(crater):
                continue
            rest = before.difference(crater)
            self.blasted += before.area - rest.area
            self.pieces.discard(entity)
            esper.delete_entity(entity, immediate=True)
            self._add(rest)
        self.count += 1

    def note(self) -> str:
        return f"blasts {self.count}    pieces {len(self.pieces)}"

    def check(self) -> str:
        from ecs_collide.from_data import to_shapely

        places = {entity: esper.component_for_entity(entity, ec.Transform).pose for entity in sorted(self.pieces)}
        shapes = {entity: esper.component_for_entity(entity, ec.Collider).shape for entity in places}
        solids = {entity: to_shapely(shapes[entity], pose) for entity, pose in places.items()}
        left = math.fsum(solid.area for solid in solids.values())
        expect(self.count == len(BOMBS), f"{self.count} of {len(BOMBS)} bombs went off")
        expect(abs(left + self.blasted - self.area) < 1e-6, f"{left + self.blasted - self.area:.6f} m² were lost")
        fallen = [entity for entity in places if esper.has_component(entity, ec.Velocity)]
        expect(len(fallen) > 1, f"{len(fallen)} parts fell")
        deepest = max(solids[a].intersection(solids[b]).area for a in fallen for b in places if a != b)
        expect(deepest < 0.03, f"two parts overlap by {deepest:.3f} m²")
        return f"{self.count} craters took {self.blasted:.1f} of {self.area:.1f} m², and {len(fallen)} parts fell"


DEMO = Craters
