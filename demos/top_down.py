"""Seen from above: a player in a maze of tiles collects coins and shoots at visible enemies."""

from __future__ import annotations

import math

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

MAP = (
    "########################",
    "#......#.......#.......#",
    "#.*....#...e...#..e..*.#",
    "#......#.......#.......#",
    "#..##.....##......##...#",
    "#..##.....##......##...#",
    "#......#.......#.......#",
    "#.e....#...*...#....e..#",
    "#......#.......#.......#",
    "####.######.#######.####",
    "#......................#",
    "#..*........e.......*..#",
    "########################",
)
START, SPEED, BULLET_SPEED, RELOAD = (2.5, 2.0), 5.0, 30.0, 0.25
"""Start of the player [m], speeds of player and bullet [m/s], and time between shots [s]."""
KERNEL_MODE = (
    (3.5, 1.6), (4.5, 2.0), (4.5, 5.0), (2.2, 5.5), (2.0, 10.5), (5.8, 10.0), (6.0, 8.0), (8.5, 8.0), (8.6, 5.5),
    (13.5, 5.5), (13.5, 8.0), (16.5, 8.0), (16.8, 10.5), (21.5, 10.5), (21.3, 6.0), (19.5, 5.0), (19.5, 2.0),
    (20.5, 1.6), (14.0, 1.6),
)  # fmt: skip
"""Points on the path of the scripted player [m]."""
TILE, COIN, ENEMY = (74, 96, 88), (250, 214, 110), (196, 92, 92)


class TopDown(Demo):
    """The demo of a game seen from above."""

    view = View(-0.5, -0.5, 24.5, 13.5)
    frames = 720
    steps_per_picture = 3
    keys_help = "the mouse leads the player, which shoots by itself"

    def setup(self) -> None:
        self.physics = ec.install()
        rows = MAP[::-1]  # row 0 of a bitmap is the lowest
        self.map = ec.Bitmap([[cell == "#" for cell in row] for row in rows], 1.0)
        self.wall = esper.create_entity(ec.Transform(), ec.Collider(self.map), Paint(TILE))
        self.coins, self.enemies = set[int](), set[int]()
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                place = ec.Transform(x + 0.5, y + 0.5)
                if cell == "*":
                    coin = esper.create_entity(place, ec.Collider(ec.Circle(0.3), sensor=True), Paint(COIN))
                    self.coins.add(coin)
                if cell == "e":
                    self.enemies.add(esper.create_entity(place, ec.Collider(ec.Box(0.8, 0.8)), Paint(ENEMY)))
        self.shape = ec.Circle(0.35)
        self.player = esper.create_entity(
            ec.Transform(*START),
            ec.Velocity(),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(self.shape, layer=2),
            Paint((236, 112, 96), trail=2.0),
        )
        self.bullets = set[int]()
        self.shots = self.hits = self.picked = 0
        self.reload = 0.0
        self.deepest = 0.0
        self.way = iter(KERNEL_MODE)
        self.target = next(self.way)
        ec.on("sensor_enter", self.on_sensor)
        ec.on("collision_start", self.on_collision)

    def on_sensor(self, sensor: int, entity: int) -> None:
        if entity == self.player and sensor in self.coins:
            self.coins.discard(sensor)
            self.picked += 1
            esper.delete_entity(sensor)

    def on_collision(self, contact: ec.Contact) -> None:
        for bullet in (contact.entity_a, contact.entity_b):
            if bullet in self.bullets:  # it hits once
                self.bullets.discard(bullet)
                esper.delete_entity(bullet)
                other = contact.other(bullet)
                if other in self.enemies:
                    self.enemies.discard(other)
                    self.hits += 1
                    esper.delete_entity(other)

    def script(self, frame: int) -> None:
        x, y, _ = esper.component_for_entity(self.player, ec.Transform).pose
        if math.dist((x, y), self.target) < 0.1:
            self.target = next(self.way, self.target)
        self._go(self.target)

    def steer(self, keys: Keys) -> None:
        x, y, _ = esper.component_for_entity(self.player, ec.Transform).pose
        self._go(keys.pointer or (x, y))

    def _go(self, target: tuple[float, float]) -> None:
        """Move towards a place [m], along obstacles, and shoot at the nearest visible enemy."""
        x, y, _ = esper.component_for_entity(self.player, ec.Transform).pose
        away_x, away_y = target[0] - x, target[1] - y
        slower = min(SPEED, math.hypot(away_x, away_y) / DT) / (math.hypot(away_x, away_y) or 1.0)
        wanted = (slower * away_x, slower * away_y)
        slide = self.physics.move_and_slide(self.player, wanted, DT, up=None)
        x, y = slide.position
        self.deepest = max(self.deepest, -ec.distance(self.map, (0.0, 0.0, 0.0), self.shape, (x, y, 0.0)))
        self.reload -= DT
        nearest = self.physics.nearest((x, y), len(self.enemies) or 1, where=self.enemies.__contains__)
        for near in nearest:
            if self.reload <= 0.0 and self._sees((x, y), near.entity):
                self._shoot((x, y), near.entity)

    def _sees(self, eye: tuple[float, float], enemy: int) -> bool:
        """Return True if only bullets are between the player and an enemy."""
        place = esper.component_for_entity(enemy, ec.Transform).position
        hit = self.physics.ray_cast(eye, place, ignore=[self.player, *self.bullets])
        return hit is not None and hit.entity == enemy

    def _shoot(self, eye: tuple[float, float], enemy: int) -> None:
        x, y = esper.component_for_entity(enemy, ec.Transform).position
        distance = math.dist(eye, (x, y))
        velocity = ec.Velocity(BULLET_SPEED * (x - eye[0]) / distance, BULLET_SPEED * (y - eye[1]) / distance)
        shape = ec.Collider(ec.Circle(0.1), mask=~2)  # it does not collide with the player
        self.bullets.add(esper.create_entity(ec.Transform(*eye), velocity, shape, Paint(COIN, trail=0.2)))
        self.shots += 1
        self.reload = RELOAD

    def note(self) -> str:
        return f"coins {self.picked}    hits {self.hits} of {self.shots} shots"

    def check(self) -> str:
        expect(not self.coins, f"{len(self.coins)} coins are left")
        expect(not self.enemies, f"{len(self.enemies)} enemies are left")
        expect(not self.bullets, f"{len(self.bullets)} bullets are still on their way")
        expect(self.deepest < 1e-6, f"the player was {self.deepest:.2e} m in a wall")
        return (
            f"{self.picked} coins picked up and {self.hits} enemies shot with {self.shots} bullets, which all came and "
            f"went; never deeper in a wall than {1e9 * max(self.deepest, 0.0):.1f} nm"
        )


DEMO = TopDown
