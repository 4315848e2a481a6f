"""A cloth hangs from three hooks, catches a ball, and tears under a heavy one."""

from __future__ import annotations

from math import inf

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

COLUMNS, ROWS = 19, 12
SPACING, STIFFNESS, DAMPING = 0.3, 2000.0, 2.0
"""Length [m], stiffness [N/m] and damping [N s/m] of a thread."""
STRENGTH = 150.0
"""Force at which a thread breaks [N]."""
HOOKS = (0, 6, 12, 18)
"""Columns of the top row that hang from a hook."""
THREAD, IRON, BALL, LEAD = (222, 214, 190), (120, 126, 144), (88, 176, 224), (236, 112, 96)


def weave(
    columns: int, rows: int, corner: tuple[float, float], hooks: tuple[int, ...], strength: float = inf
) -> tuple[list[list[int]], list[int]]:
    """Create a cloth of knots and threads, which hangs from some knots of its top row.

    Args:
        columns: number of knots in a row.
        rows: number of rows.
        corner: place of the upper left knot [m].
        hooks: columns of the knots that do not move.
        strength: force at which a thread breaks [N].

    Returns: the knots in rows, the top one first, and the threads.
    """
    shape = ec.Circle(0.3 * SPACING)
    knots: list[list[int]] = []
    threads = []
    for row in range(rows):
        knots.append([])
        for column in range(columns):
            place = ec.Transform(corner[0] + SPACING * column, corner[1] - SPACING * row)
            knot = esper.create_entity(place, ec.Collider(shape, density=3.0, friction=0.3, group=-1))
            if row > 0 or column not in hooks:
                esper.add_component(knot, ec.Velocity())
                esper.add_component(knot, ec.RigidBody(linear_damping=0.5))
            knots[row].append(knot)
    for row in range(rows):
        for column in range(columns):
            for other_row, other_column in ((row, column + 1), (row + 1, column)):
                if other_row < rows and other_column < columns:
                    ends = knots[row][column], knots[other_row][other_column]
                    threads.append(
                        esper.create_entity(
                            ec.DistanceJoint(
                                *ends, length=SPACING, stiffness=STIFFNESS, damping=DAMPING, break_force=strength
                            )
                        )
                    )
    return knots, threads


class Cloth(Demo):
    """The demo of a cloth."""

    view = View(-6.0, -3.4, 6.0, 4.8)
    frames = 780
    steps_per_picture = 6

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -9.81))
        half = 0.5 * SPACING * (COLUMNS - 1)
        self.knots, self.threads = weave(COLUMNS, ROWS, (-half, 3.6), HOOKS, STRENGTH)
        for row in self.knots:
            for knot in row:
                esper.add_component(knot, Paint(THREAD))
        esper.create_entity(ec.Transform(0.0, -3.2), ec.Collider(ec.Box(12.0, 0.4)), Paint(IRON))
        self.lopsided = inf
        self.torn = 0
        ec.on("joint_break", self.on_break)

    def on_break(self, joint: int, force: float, torque: float) -> None:
        self.torn += 1
        esper.delete_entity(joint)

    def drop(self, x: float, density: float, colour: Colour) -> int:
        """Create a ball above the cloth."""
        ball = ec.Collider(ec.Circle(0.35), density=density)
        return esper.create_entity(ec.Transform(x, 4.4), ec.Velocity(), ball, Paint(colour))

    def script(self, frame: int) -> None:
        if frame == 360:
            self.lopsided = 0.0
            for row in self.knots:
                for left, right in zip(row, reversed(row), strict=True):
                    (x, y), (u, v) = (esper.component_for_entity(knot, ec.Transform).position for knot in (left, right))
                    self.lopsided = max(self.lopsided, abs(x + u), abs(y - v))
            self.light = self.drop(-0.9, 2.0, BALL)
        if frame == 540:
            expect(self.torn == 0, f"the light ball tore {self.torn} threads")
            self.heavy = self.drop(1.8, 100.0, LEAD)

    def note(self) -> str:
        return f"threads torn {self.torn}"

    def check(self) -> str:
        light, heavy = (esper.component_for_entity(ball, ec.Transform).y for ball in (self.light, self.heavy))
        expect(self.lopsided < 1e-3, f"the cloth hangs {1000.0 * self.lopsided:.1f} mm off its mirror image")
        expect(light > 2.5, f"the light ball is at a height of {light:.1f} m")
        expect(heavy < -2.0, f"the heavy ball is at a height of {heavy:.1f} m")
        mm = 1000.0 * self.lopsided
        return f"the cloth hung {mm:.2g} mm off its mirror image, held a ball, and lost {self.torn} threads to another"


DEMO = Cloth
