"""A map made with Tiled: a ball rolls into the pit, another one stops at a gate for its colour, and a third one jumps.

The map is `data/cave.tmx`. Its solid tiles become bitmaps, and its slopes are shapes of Tiled's collision editor.
Planks are one-way by a property of their tile, and crates are tile objects. Point objects say where balls start.
"""

from __future__ import annotations

from enum import IntFlag
from pathlib import Path

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

MAP = Path(__file__).with_name("data") / "cave.tmx"
METRE = 16.0
"""Length of a metre in the map [pixels]."""
RADIUS = 0.4
ROCK, ICE, THING, ZONE = (92, 84, 78), (150, 196, 216), (190, 150, 98), (52, 70, 60)
BALLS = {"red": (236, 112, 96), "blue": (88, 176, 224), "jumper": (240, 180, 88)}


class Layer(IntFlag):
    """Collision layers, by the names that the map gives them."""

    world = 1
    red = 2
    blue = 4
    gate = 8


class Cave(Demo):
    """The demo of maps of Tiled."""

    view = View(0.0, 0.0, 32.0, 18.0)
    frames = 480
    libraries = ("pytmx",)

    def setup(self) -> None:
        from ecs_collide.from_data import from_tiled, tiled_points

        self.physics = ec.install(gravity=(0.0, -9.81))
        self.crates: list[int] = []
        self.entered: set[int] = set()
        ec.on("sensor_enter", lambda sensor, entity: self.entered.add(entity))
        for thing in from_tiled(MAP, collision_layers=Layer, scale=1.0 / METRE):
            moves = thing.properties.get("moves", False)
            is_icy = thing.collider.get("friction") == 0.0
            colour = THING if moves else ZONE if thing.collider.get("sensor") else ICE if is_icy else ROCK
            components = thing.components(friction=0.6)
            entity = esper.create_entity(*components, Paint(colour), *([ec.Velocity()] if moves else []))
            if thing.properties.get("type") == "crate":
                self.crates.append(entity)
        self.starts = {entity: esper.component_for_entity(entity, ec.Transform).position for entity in self.crates}
        self.balls: dict[str, int] = {}
        for start in tiled_points(MAP, scale=1.0 / METRE):
            shape = ec.Circle(RADIUS)
            self.balls[start.name] = esper.create_entity(
                ec.Transform(*start.pose),
                ec.Velocity(0.0, start.properties.get("jump", 0.0)),
                ec.Collider(shape, layer=Layer[start.properties["layer"]], friction=0.6),
                Paint(BALLS[start.name], trail=1.5),
            )

    def _place(self, entity: int) -> tuple[float, float]:
        return esper.component_for_entity(entity, ec.Transform).position

    def note(self) -> str:
        return f"in the pit {len(self.entered)}"

    def check(self) -> str:
        places = {name: self._place(ball) for name, ball in self.balls.items()}
        expect(self.balls["red"] in self.entered, f"the red ball is not in the pit but at {places['red']}")
        expect(self.balls["blue"] not in self.entered, "the blue ball passed the gate")
        expect(places["blue"][0] < 24.0, f"the blue ball is at {places['blue']}")
        expect(5.9 < places["jumper"][1] < 6.5, f"the jumper does not lie on the plank but at {places['jumper']}")
        moved = max(abs(self._place(crate)[1] - start[1]) for crate, start in self.starts.items())
        expect(moved < 0.05, f"a crate of the pile fell by {moved:.2f} m")
        return "the red ball lies in the pit, the blue one before the gate, the jumper on the plank; the crates stand"


DEMO = Cave
