"""Two mallets play a puck over a round-cornered rink into semicircular goals; in a window the mouse moves the left one.

The wall is two arc polygons, whose corners and goals are arcs seen from inside. The exact response keeps the puck
between them at any speed. The mallets are kinematic circles: they follow the players, at most as fast as an arm, and
the puck yields. They keep a distance from the wall and from each other, so that the puck always fits between.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Demo, Keys, Paint, View, expect

# Sizes [m] of an eight-foot table.
HALF_LENGTH, HALF_WIDTH = 1.2, 0.6
GOAL = 0.17
"""Radius of a goal: half its mouth [m]."""
RIM = 0.1
PUCK, MALLET = 0.041, 0.051
REACH = MALLET + 2.0 * PUCK + 0.007
"""Least distance of a mallet's centre from the wall; also the radius of the corners [m]."""
MIDDLE = MALLET + PUCK + 0.002
"""Least distance of a mallet's centre from the middle line [m]."""
STRIKE, GUARD = 2.4, 0.5
"""Speed of a mallet when it hits, and otherwise [m/s]."""
SERVE = 0.5
AIR = 0.1
"""Damping of the puck on its cushion of air [1/s]."""
PATIENCE = 180
"""Steps after which an untouched puck is served again, since it may stop out of reach of the mallets."""
RED, BLUE, LINES = (236, 96, 84), (88, 160, 232), (84, 108, 140)
QUARTER = math.tan(math.pi / 8.0)
"""Bulge of a quarter circle."""


def half_wall(sign: int) -> ec.ArcPolygon:
    """Return the wall above the rink (`sign` 1) or below it (-1), from the left goal to the right one."""
    x, y, back = HALF_LENGTH, HALF_WIDTH, HALF_LENGTH + GOAL
    outline = {
        (-back, 0.0): -QUARTER,
        (-x, GOAL): 0.0,
        (-x, y - REACH): -QUARTER,
        (REACH - x, y): 0.0,
        (x - REACH, y): -QUARTER,
        (x, y - REACH): 0.0,
        (x, GOAL): -QUARTER,
        (back, 0.0): 0.0,
        (back + RIM, 0.0): 0.0,
        (back + RIM, y + RIM): 0.0,
        (-back - RIM, y + RIM): 0.0,
        (-back - RIM, 0.0): 0.0,
    }
    return ec.ArcPolygon([(x, sign * y) for x, y in outline], list(outline.values()))


def room(x: float, y: float) -> float:
    """Return the distance of a point from the wall [m], negative outside the rink."""
    x, y = abs(x), abs(y)
    if x > HALF_LENGTH:
        return GOAL - math.hypot(x - HALF_LENGTH, y)
    if y < GOAL:
        return math.hypot(x - HALF_LENGTH, y - GOAL)
    beyond_x, beyond_y = x - (HALF_LENGTH - REACH), y - (HALF_WIDTH - REACH)
    return REACH - math.hypot(max(beyond_x, 0.0), max(beyond_y, 0.0)) - min(max(beyond_x, beyond_y), 0.0)


@dataclass
class Player:
    """The controller of a mallet; `side` is -1 on the left, 1 on the right."""

    side: int
    mallet: int
    colour: Colour
    goals: int = 0
    hits: int = 0

    def wish(self, puck: tuple[float, float], motion: tuple[float, float]) -> tuple[tuple[float, float], float]:
        """Return target and speed: a slow puck in front, else a point between the puck and the goal."""
        place = esper.component_for_entity(self.mallet, ec.Transform)
        forward = -self.side
        is_near = self.side * puck[0] > -PUCK
        if is_near and forward * (puck[0] - place.x) > 0.0 and abs(motion[0]) < STRIKE:
            x, y = puck[0] + DT * motion[0], puck[1] + DT * motion[1]
            goal_x, goal_y = forward * HALF_LENGTH - x, -y
            behind = PUCK / math.hypot(goal_x, goal_y)
            return (x - behind * goal_x, y - behind * goal_y), STRIKE
        return (0.85 * self.side * HALF_LENGTH, max(-GOAL, min(GOAL, puck[1]))), GUARD

    def move(self, wish: tuple[float, float], speed: float) -> None:
        """Set the velocity that moves the mallet to its target within a step, or as near as allowed."""
        place = esper.component_for_entity(self.mallet, ec.Transform)
        aside = max(MIDDLE, min(HALF_LENGTH - REACH, self.side * wish[0]))
        along = max(REACH - HALF_WIDTH, min(HALF_WIDTH - REACH, wish[1]))
        x, y = (self.side * aside - place.x) / DT, (along - place.y) / DT
        share = min(1.0, speed / max(math.hypot(x, y), 1e-9))
        esper.component_for_entity(self.mallet, ec.Velocity).linear = (share * x, share * y)


class AirHockey(Demo):
    """The demo of air hockey."""

    view = View(-1.5, -0.74, 1.5, 0.74)
    background = (38, 52, 74)
    frames = 1500
    keys_help = "the mouse moves the left mallet"

    def setup(self) -> None:
        ec.install(response="exact")  # seen from above: no gravity
        ec.on("collision_start", self.on_collision)
        ec.on("sensor_enter", self.on_sensor)
        circle = ec.Chain([(0.2 * math.cos(0.1 * k), 0.2 * math.sin(0.1 * k)) for k in range(63)], loop=True)
        for shape in (ec.Segment((0.0, -HALF_WIDTH), (0.0, HALF_WIDTH)), circle):
            esper.create_entity(
                ec.Transform(), ec.Collider(shape, mask=0), Paint(LINES)
            )  # drawn only, without collisions
        for sign in (-1, 1):
            wall = ec.Collider(half_wall(sign), restitution=0.9)
            esper.create_entity(ec.Transform(), wall, Paint((92, 100, 120)))
        self.players = [self._player(-1, RED), self._player(1, BLUE)]
        # The puck enters these sensors when its centre crosses the goal line.
        self.goals = {self._goal(player): player for player in self.players}
        self.scores = {player.side: self._score(player) for player in self.players}
        self.puck = esper.create_entity(
            ec.Transform(),
            ec.Velocity(),
            ec.Collider(ec.Circle(PUCK), restitution=0.6),
            ec.RigidBody(linear_damping=AIR),
            Paint((246, 222, 120), trail=0.4),
        )
        self.place = esper.component_for_entity(self.puck, ec.Transform)
        self.motion = esper.component_for_entity(self.puck, ec.Velocity)
        self.serves = 0
        self._serve(-1)
        self.tightest = HALF_WIDTH
        """Least distance between puck and wall after any step [m]."""
        self.fastest = self.unearned = 0.0
        """Greatest speed of the puck [m/s], and greatest growth of v² / 2 in a step without a mallet [J/kg]."""

    def _player(self, side: int, colour: Colour) -> Player:
        mallet = esper.create_entity(
            ec.Transform(0.85 * side * HALF_LENGTH, 0.0),
            ec.Velocity(),
            ec.Collider(ec.Circle(MALLET)),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            Paint(colour),
        )
        return Player(side, mallet, colour)

    def _goal(self, player: Player) -> int:
        shape = ec.Sector(GOAL - PUCK, 0.5 * math.pi, 0.0 if player.side > 0 else math.pi)
        place = ec.Transform(player.side * (HALF_LENGTH + PUCK), 0.0)
        return esper.create_entity(place, ec.Collider(shape, sensor=True), Paint(player.colour))

    def _score(self, player: Player) -> int:
        place = ec.Transform(0.12 * player.side, HALF_WIDTH + 0.5 * RIM)
        shape = ec.Collider(ec.Circle(0.8 * MALLET), mask=0)
        return esper.create_entity(place, shape, Paint(player.colour, label="0"))

    def _serve(self, side: int) -> None:
        """Put the puck in the middle, moving to a side, from varying positions."""
        self.serves += 1
        self.idle = 0
        self.place.position = (0.0, 0.0)
        self.motion.linear = (SERVE * side, SERVE * (0.8, -0.5, 0.3, -0.9, 0.6)[self.serves % 5])
        self.energy = self._energy()

    def _energy(self) -> float:
        return 0.5 * (self.motion.x**2 + self.motion.y**2)

    def on_collision(self, contact: ec.Contact) -> None:
        for player in self.players:
            if player.mallet in (contact.entity_a, contact.entity_b):
                player.hits += 1
                self.idle = 0

    def on_sensor(self, sensor: int, entity: int) -> None:
        """Count a goal for the other player."""
        conceding = self.goals[sensor]
        player = next(player for player in self.players if player is not conceding)
        player.goals += 1
        esper.add_component(self.scores[player.side], Paint(player.colour, label=str(player.goals)))
        self._serve(conceding.side)

    def steer(self, keys: Keys) -> None:
        self._play(keys.pointer)

    def script(self, frame: int) -> None:
        self._play(None)

    def _play(self, pointer: tuple[float, float] | None) -> None:
        self._record()
        if self.idle > PATIENCE:
            self._serve(1 if self.place.x > 0.0 else -1)
        for player in self.players:
            if player.side < 0 and pointer is not None:
                player.move(pointer, STRIKE)
            else:
                player.move(*player.wish(self.place.position, self.motion.linear))

    def _record(self) -> None:
        """Record the quantities that must hold after every step."""
        self.idle += 1
        self.tightest = min(self.tightest, room(*self.place.position) - PUCK)
        self.fastest = max(self.fastest, math.hypot(*self.motion.linear))
        before, self.energy = self.energy, self._energy()
        if not any(ec.physics().touching(self.puck, player.mallet) for player in self.players):
            self.unearned = max(self.unearned, self.energy - before)

    def check(self) -> str:
        self._record()
        left, right = self.players
        expect(self.tightest > -1e-9, f"the puck was {-1000.0 * self.tightest:.2g} mm deep in the wall")
        expect(min(left.hits, right.hits) >= 5, f"the players hit the puck {left.hits} and {right.hits} times")
        expect(self.fastest < 4.0 * STRIKE, f"the puck had {self.fastest:.1f} m/s, the mallets only {STRIKE}")
        expect(self.unearned < 1e-12, f"the puck gained {self.unearned:.2g} J/kg without a mallet")
        expect(left.goals + right.goals > 0, "there was no goal")
        return (
            f"{left.goals} : {right.goals} after {left.hits + right.hits} hits, the fastest of which "
            f"gave the puck {self.fastest:.1f} m/s; it stayed in the rink"
        )


DEMO = AirHockey
