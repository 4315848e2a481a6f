"""A pool break on a table of real size: touching balls, cushions, six pockets, and a tray for pocketed balls.

The exact response processes impacts in the order of their times, so the rack needs no gaps, and fast balls no special
care. `linear_damping` of the balls models the cloth. A pocket is an arc cut out of the frame, which catches a ball
softly. A ball enters its sensor when its centre is over the hole.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

# Sizes [m] of a nine-foot table, after the specifications of the World Pool-Billiard Association.
RADIUS = 0.028575
HALF_LENGTH, HALF_WIDTH = 1.27, 0.635
"""Half sizes of the cloth between the noses of the cushions [m]."""
CUSHION = 0.05
"""Distance from the nose of a cushion to the wood [m]."""
CORNER_MOUTH, CORNER_JAW = 0.117, math.radians(38.0)
SIDE_MOUTH, SIDE_JAW = 0.13, math.radians(76.0)
"""Width of a side pocket's mouth [m], and angle of a cushion's end to its nose."""
CORNER_RADIUS, SIDE_RADIUS = 0.07, 0.065
INNER_X, INNER_Y = HALF_LENGTH + CUSHION, HALF_WIDTH + CUSHION
"""Inner edge of the wood [m]."""
OUTER_X, OUTER_Y = INNER_X + 0.11, INNER_Y + 0.11
SIDE_Y = INNER_Y + 0.02
"""Height of the middle of a side pocket; a corner pocket is where the inner sides of the wood would meet [m]."""
POCKETS = [
    *((sign_x * INNER_X, sign_y * INNER_Y, CORNER_RADIUS) for sign_x in (-1, 1) for sign_y in (-1, 1)),
    *((0.0, sign_y * SIDE_Y, SIDE_RADIUS) for sign_y in (-1, 1)),
]
TRAY_Y, SLOT = -0.885, 0.07
"""Height of the tray, which has a slot for each ball, and distance of the slots [m]."""
BREAK_SPEED, BREAK_OFFSET = 9.0, 0.01
CLOTH = 0.6
"""Damping of the balls [1/s]."""
RACK = (1, 9, 2, 10, 8, 3, 11, 4, 12, 5, 13, 6, 14, 15, 7)
"""Balls of the rack, row by row: the eight in the middle, one ball of each kind in the rear corners."""
COLOURS: list[Colour] = [
    (240, 196, 48),
    (56, 96, 200),
    (212, 56, 48),
    (116, 68, 160),
    (240, 128, 48),
    (40, 140, 88),
    (148, 44, 52),
    (44, 44, 48),
]
WOOD, RUBBER, HOLE = (104, 66, 42), (24, 92, 72), (14, 16, 18)


@dataclass
class Ball:
    """A ball of the game; 0 is the cue ball."""

    number: int
    cushions: int = 0
    """Number of cushions that it has met."""


def on_collision(contact: ec.Contact) -> None:
    """Count the cushions that a ball meets."""
    a, b = (esper.try_component(entity, Ball) for entity in (contact.entity_a, contact.entity_b))
    ball = a or b
    if ball is not None and (a is None or b is None):
        ball.cushions += 1


def frame() -> ec.ArcPolygon:
    """Return the upper right quarter of the wood: its inner side with its pockets, then back around the outside."""
    opening = math.sqrt(SIDE_RADIUS**2 - (SIDE_Y - INNER_Y) ** 2)
    diagonal = math.sqrt(0.5) * CORNER_RADIUS
    side, corner = (-math.tan(0.25 * arc) for arc in (math.acos((INNER_Y - SIDE_Y) / SIDE_RADIUS), 0.75 * math.pi))
    outline = {
        (0.0, SIDE_Y + SIDE_RADIUS): side,
        (opening, INNER_Y): 0.0,
        (INNER_X - CORNER_RADIUS, INNER_Y): corner,
        (INNER_X + diagonal, INNER_Y + diagonal): corner,
        (INNER_X, INNER_Y - CORNER_RADIUS): 0.0,
        (INNER_X, 0.0): 0.0,
        (OUTER_X, 0.0): 0.0,
        (OUTER_X, OUTER_Y): 0.0,
        (0.0, OUTER_Y): 0.0,
    }
    return ec.ArcPolygon(list(outline), list(outline.values()))


def cushions() -> tuple[ec.Polygon, ec.Polygon]:
    """Return the long cushion in the upper right and the short one on the right."""
    corner, side = math.sqrt(0.5) * CORNER_MOUTH, 0.5 * SIDE_MOUTH
    corner_back, side_back = corner - CUSHION / math.tan(CORNER_JAW), side - CUSHION / math.tan(SIDE_JAW)
    ends = ((HALF_LENGTH - corner, HALF_WIDTH), (HALF_LENGTH - corner_back, INNER_Y))
    long = ec.Polygon([(side, HALF_WIDTH), *ends, (side_back, INNER_Y)])
    nose, back = HALF_WIDTH - corner, HALF_WIDTH - corner_back
    short = ec.Polygon([(HALF_LENGTH, -nose), (INNER_X, -back), (INNER_X, back), (HALF_LENGTH, nose)])
    return long, short


class Billiards(Demo):
    """The demo of billiards."""

    view = View(-1.47, -0.96, 1.47, 0.83)
    background = (34, 116, 92)
    frames = 240

    def setup(self) -> None:
        ec.install(response="exact")  # seen from above: no gravity
        ec.on("collision_start", on_collision)
        ec.on("sensor_enter", self.on_sensor)
        self._table()
        self.cue = self._ball(0, -0.5 * HALF_LENGTH, BREAK_OFFSET, (250, 246, 234))
        esper.component_for_entity(self.cue, ec.Velocity).linear = (BREAK_SPEED, 0.0)
        rows = [(row, k - 0.5 * row) for row in range(5) for k in range(row + 1)]
        for number, (row, column) in zip(RACK, rows, strict=True):
            x = 0.5 * HALF_LENGTH + 2.0 * RADIUS * math.sqrt(0.75) * row
            y = 2.0 * RADIUS * column
            self._ball(number, x, y, _colour(number))
        self.potted: list[int] = []
        self.energies: list[float] = []
        """Energy before each step and after the last [J/kg]."""
        self.overlap = 0.0
        """Greatest overlap of two balls at the end of any step [m]."""
        self.astray: list[tuple[float, float]] = []

    def _table(self) -> None:
        for x, y, radius in POCKETS:
            black = ec.Collider(ec.Circle(radius), mask=0)  # drawn only, without collisions
            esper.create_entity(ec.Transform(x, y), black, Paint(HOLE))
            # A ball enters it as soon as its centre is over the hole.
            esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Circle(radius - RADIUS), sensor=True), Paint(HOLE))
        wood, (long, short) = frame(), cushions()
        for sign_x, sign_y in itertools.product((-1, 1), repeat=2):
            vertices = [(sign_x * x, sign_y * y) for x, y in wood.vertices]
            self._wall(ec.ArcPolygon(vertices, wood.bulges), 0.2, WOOD)
            self._wall(ec.Polygon([(sign_x * x, sign_y * y) for x, y in long.vertices]), 0.75, RUBBER)
        for sign in (-1, 1):
            self._wall(ec.Polygon([(sign * x, y) for x, y in short.vertices]), 0.75, RUBBER)
        half = 0.5 * len(RACK) * SLOT
        tray = ec.Capsule((-half, TRAY_Y), (half, TRAY_Y), 1.4 * RADIUS)
        esper.create_entity(ec.Transform(), ec.Collider(tray, mask=0), Paint(HOLE))

    def _wall(self, shape: ec.Shape, restitution: float, colour: Colour) -> None:
        # MINIMUM outranks the usual maximum, so a ball comes off a wall slower than off another ball.
        collider = ec.Collider(shape, restitution=restitution, restitution_rule=ec.Combine.MINIMUM)
        esper.create_entity(ec.Transform(), collider, Paint(colour))

    def _ball(self, number: int, x: float, y: float, colour: Colour) -> int:
        return esper.create_entity(
            ec.Transform(x, y),
            ec.Velocity(),
            ec.Collider(ec.Circle(RADIUS), restitution=0.95),
            ec.RigidBody(linear_damping=CLOTH),
            Ball(number),
            Paint(colour, trail=0.0 if number else 0.6, label=str(number) if number else ""),
        )

    def on_sensor(self, sensor: int, entity: int) -> None:
        """Put a ball that is over a pocket into the tray, where it rests."""
        for component in (ec.Velocity, ec.RigidBody):
            esper.remove_component(entity, component)
        place = ec.Transform((len(self.potted) - 0.5 * len(RACK)) * SLOT, TRAY_Y)
        esper.add_component(entity, place)
        self.potted.append(entity)

    def script(self, frame: int) -> None:
        self._record()

    def _record(self) -> None:
        """Record the quantities that must hold after every step."""
        balls = esper.get_components(Ball, ec.Transform, ec.Velocity)
        # All balls have equal mass, so v² / 2 is enough [J/kg].
        self.energies.append(sum(0.5 * (velocity.x**2 + velocity.y**2) for _, (_, _, velocity) in balls))
        places = [place.position for _, (_, place, _) in balls]
        self.astray += [place for place in places if not _is_on_the_table(*place)]
        distances = (math.dist(a, b) for a, b in itertools.combinations(places, 2))
        self.overlap = max(self.overlap, 2.0 * RADIUS - min(distances))

    def check(self) -> str:
        self._record()
        cushions = sum(ball.cushions for _, ball in esper.get_component(Ball))
        balls = esper.get_components(Ball, ec.Transform, ec.Velocity)
        spread = max(place.x for _, (_, place, _) in balls) - min(place.x for _, (_, place, _) in balls)
        fastest = max(math.hypot(*velocity.linear) for _, (_, _, velocity) in balls)
        gained = max(after - before for before, after in itertools.pairwise(self.energies))
        expect(not self.astray, f"balls left the table: {self.astray}")
        expect(self.overlap < 1e-9, f"two balls overlapped by {1000.0 * self.overlap:.2g} mm")
        expect(gained <= 0.0, f"the energy grew by {gained / self.energies[0]:.2g} of the cue ball's in one step")
        expect(cushions >= 10, f"the balls met the cushions only {cushions} times")
        expect(len(self.potted) > 0, "no ball fell into a pocket")
        expect(spread > HALF_LENGTH, f"the balls spread over no more than {spread:.2f} m")
        expect(fastest < 0.5, f"a ball still rolls at {fastest:.2f} m/s")
        return (
            f"{len(self.potted)} balls potted, {cushions} cushions met; the energy only fell, "
            f"and what still rolls has {fastest:.2f} m/s at most"
        )


def _colour(number: int) -> Colour:
    """Return a ball's colour; balls from 9 on, which have a white stripe in reality, are pale."""
    red, green, blue = COLOURS[(number - 1) % 8]
    return (red, green, blue) if number <= 8 else ((red + 255) // 2, (green + 255) // 2, (blue + 255) // 2)


def _is_on_the_table(x: float, y: float) -> bool:
    """Return True if a ball's centre is between the cushions or at a pocket's mouth."""
    between = abs(x) < HALF_LENGTH - RADIUS + 1e-9 and abs(y) < HALF_WIDTH - RADIUS + 1e-9
    return between or any(math.dist((x, y), pocket[:2]) < CORNER_MOUTH + 2.0 * RADIUS for pocket in POCKETS)


DEMO = Billiards
