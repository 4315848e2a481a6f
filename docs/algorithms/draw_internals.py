"""Draw the figures of the pages for maintainers: from the step plan, the columns and runs of the engine itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import esper
import numpy as np
from draw_style import (
    ACCENT,
    INK,
    NO,
    REGION_COLOURS,
    YES,
    arrow,
    circle,
    dot,
    line,
    panels,
    polygon,
    store,
    text,
    window,
)
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

import ecs_collide as ec
from ecs_collide.data.pieces import PIECE
from ecs_collide.shapes.outline import EXPOSED, OUTLINE
from ecs_collide.step.plan import FIRST_POINTS, StepPoint
from ecs_collide.systems import SCHEDULE

PALE = "#b8c4d0"
DT = 1.0 / 60.0


@contextmanager
def world(**settings: object) -> Iterator[ec.PhysicsWorld]:
    """Give a figure a world of its own."""
    before = esper.current_world
    esper.switch_world("figure")
    yield ec.install(**settings)  # type: ignore[arg-type]
    esper.switch_world(before)
    esper.delete_world("figure")


def card(axis: Axes, x: float, y: float, width: float, height: float, words: str, colour: str, size: float = 8) -> None:
    """Draw a box with rounded corners and words, with its centre at (x, y)."""
    corner = (x - 0.5 * width, y - 0.5 * height)
    axis.add_patch(FancyBboxPatch(corner, width, height, "round,pad=0,rounding_size=0.08", fc=colour, ec=INK, lw=1.0))
    text(axis, x, y, words, fontsize=size)


def rectangle(half_width: float, half_height: float, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of a rectangle around (x, y)."""
    w, h = half_width, half_height
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


def outline_of(physics: ec.PhysicsWorld, piece: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of a piece in the world (k, 2), and its outline rows."""
    pieces, row = physics.pipeline.pieces.arrays, physics.pipeline.pieces.arrays.index[piece]
    rows = slice(row[PIECE.VERTEX_START], row[PIECE.VERTEX_START] + row[PIECE.VERTEX_COUNT])
    angle = physics.angles[row[PIECE.BODY]]
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    entity = int(physics.entities[row[PIECE.BODY]])
    return pieces.vertices[rows] @ turn + physics.center_of_mass_of(entity), pieces.outlines[rows]


def draw_step_plan() -> None:
    """Draw the points of a step below their systems, as the step plan lists them."""
    (axis,) = panels(1, 9.6, 3.6)
    window(axis, -1.1, -4.6, 9.3, 1.0)
    ends = [*FIRST_POINTS[1:], len(StepPoint)]
    for place, (system, first, end) in enumerate(zip(SCHEDULE, FIRST_POINTS, ends)):
        x = 2.0 * place
        card(axis, x, 0.5, 1.7, 0.55, system.__name__, REGION_COLOURS[1], 9)
        for k, point in enumerate(range(first, end)):
            y = -0.25 - 0.5 * k
            card(axis, x, y, 1.6, 0.36, StepPoint(point).name, "white", 6.5)
            if point + 1 < end:
                arrow(axis, (x, y - 0.18), (x, y - 0.32))
        if place < 4:
            bottom, right = -0.25 - 0.5 * (end - first - 1), x + 1.0
            axis.plot([x + 0.8, right, right], [bottom, bottom, -0.25], color=INK, lw=1.2)
            arrow(axis, (right, -0.25), (right + 0.2, -0.25))
    card(axis, 4.0, -4.2, 9.9, 0.55, "Python: stage.resume(point) does the work, and returns the point to go on from",
         REGION_COLOURS[2], 8)  # fmt: skip
    for x in (0.0, 2.0, 4.0, 6.0, 8.0):
        arrow(axis, (x - 0.15, -3.4), (x - 0.15, -3.9), NO)
        arrow(axis, (x + 0.05, -3.9), (x + 0.05, -3.4), NO)
    text(axis, 0.2, -3.68, "a call reports", NO, fontsize=7, ha="left")
    store("inside_step_plan")


def draw_data() -> None:
    """Draw a scene of three bodies, and the rows that it has in the columns."""
    with world(gravity=(0.0, -10.0)) as physics:
        esper.create_entity(ec.Transform(0.0, -0.5), ec.Collider(ec.Box(5.0, 1.0)))
        legs = ec.Compound([(ec.Box(1.6, 0.4), (0.0, 1.0, 0.0)), (ec.Box(0.3, 0.8), (-0.6, 0.4, 0.0)),
                            (ec.Box(0.3, 0.8), (0.6, 0.4, 0.0))])  # fmt: skip
        esper.create_entity(ec.Transform(-1.0, 0.0), ec.Velocity(), ec.Collider(legs))
        esper.create_entity(ec.Transform(1.2, 0.5), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        for _ in range(30):
            esper.process(DT)
        scene, tables = panels(2, 4.6, 3.3)
        window(scene, -2.7, -1.2, 2.7, 2.3)
        index = physics.pipeline.pieces.arrays.index
        lines = []
        for piece in range(len(index)):
            body = index[piece, PIECE.BODY]
            if not index[piece, PIECE.VERTEX_COUNT]:
                continue
            corners, _ = outline_of(physics, piece)
            middle = corners.mean(axis=0)
            if len(corners) == 1:
                circle(scene, *middle, 0.5, ACCENT)
            else:
                polygon(scene, corners, (INK, ACCENT, YES)[body % 3])
            text(scene, *middle, str(piece), fontsize=8)
            lines.append(f"{piece:5} {body:5}")
        for contact in range(len(physics.contacts)):
            for point in physics.contacts.points[contact][: int(physics.contacts.point_count[contact])]:
                dot(scene, *point, NO, 4)
        scene.set_title("numbers of pieces; contact points in red")
        window(tables, 0.0, 0.0, 10.0, 8.0)
        bodies = "\n".join(f"{row:4} {int(entity):6}" for row, entity in enumerate(physics.entities) if entity)
        pairs = physics.pairs
        columns = {
            "bodies\n row entity": bodies,
            "pieces\n row  body": "\n".join(lines),
            "pairs\nentities": "\n".join(f"{int(a):5} {int(b):3}" for a, b in zip(pairs.entity_a, pairs.entity_b)),
            "contacts\nentities": "\n".join(
                f"{int(a):4} {int(b):3}" for a, b in zip(physics.contacts.entity_a, physics.contacts.entity_b)
            ),
        }
        for k, (title, rows) in enumerate(columns.items()):
            x = 0.9 + 2.75 * k
            text(
                tables,
                x,
                7.2,
                title,
                ACCENT,
                fontsize=8,
                family="DejaVu Sans Mono",
            )
            text(tables, x, 6.3, rows, fontsize=8, family="DejaVu Sans Mono", va="top")
            if k < 3:
                arrow(tables, (x + 1.0, 7.5), (x + 1.75, 7.5), PALE)
        tables.set_title("the rows of the scene")
    store("inside_data")


def draw_pairs() -> None:
    """Draw pieces in motion, their fat boxes, and a line for each pair."""
    with world() as physics:
        rng = np.random.default_rng(3)
        for place in rng.uniform(-3.0, 3.0, (12, 2)) * (1.5, 0.8):
            speed = rng.uniform(-15.0, 15.0, 2)
            esper.create_entity(ec.Transform(*place), ec.Velocity(*speed), ec.Collider(ec.Circle(0.35)))
        esper.process(DT)
        (axis,) = panels(1, 6.4, 3.6)
        window(axis, -5.6, -3.2, 5.6, 3.2)
        pieces = physics.pipeline.pieces.arrays
        for piece, row in enumerate(pieces.index):
            if not row[PIECE.VERTEX_COUNT]:
                continue
            left, bottom, right, top = pieces.box[piece]
            axis.add_patch(Rectangle((left, bottom), right - left, top - bottom, fill=False, ec=PALE, lw=1.2))
        for (x, y), (vx, vy) in zip(physics.positions, physics.velocities):
            circle(axis, x, y, 0.35, ACCENT)
            arrow(axis, (x, y), (x + 0.05 * vx, y + 0.05 * vy))
        places = {int(entity): place for entity, place in zip(physics.entities, physics.positions)}
        for a, b in zip(physics.pairs.entity_a, physics.pairs.entity_b):
            line(axis, places[int(a)], places[int(b)], NO, lw=2.0)
        axis.set_title("a fat box (grey) lasts until its piece leaves it, a pair (red) while two of them overlap")
    store("inside_pairs")


def draw_seams() -> None:
    """Draw the outlines of tiles and a ramp: edges open to contacts, and hidden ones."""
    with world() as physics:
        for x in range(4):
            esper.create_entity(ec.Transform(x, 0.0), ec.Collider(ec.Box(1.0, 1.0)))
        esper.create_entity(ec.Transform(3.0, 1.0), ec.Collider(ec.Box(1.0, 1.0)))
        esper.create_entity(ec.Transform(-0.5, 0.0), ec.Collider(ec.Polygon([(0.0, -0.5), (0.0, 0.5), (-2.0, -0.5)])))
        esper.process(DT)
        (axis,) = panels(1, 6.4, 2.7)
        window(axis, -2.8, -0.9, 3.8, 1.8)
        index = physics.pipeline.pieces.arrays.index
        for piece in np.flatnonzero(index[:, PIECE.VERTEX_COUNT]):
            corners, outline = outline_of(physics, piece)
            polygon(axis, corners, PALE, style=":")
            for k, row in enumerate(outline):
                if row[OUTLINE.EDGE] == EXPOSED:
                    line(axis, corners[k], corners[(k + 1) % len(corners)], YES, lw=2.6)
                if row[OUTLINE.CORNER]:
                    dot(axis, *corners[k], NO, 5)
        axis.set_title("green: edges that give contacts; red: corners that do; dotted: hidden by a neighbour")
    store("inside_seams")


def draw_blocks() -> None:
    """Draw a pyramid, with a number and a colour at each contact for the block in which it is solved."""
    with world(gravity=(0.0, -10.0)) as physics:
        esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.HalfPlane()))
        for row in range(6):
            for k in range(6 - row):
                place = ec.Transform(k - 0.5 * (5 - row), 0.5 + row)
                esper.create_entity(place, ec.Velocity(), ec.Collider(ec.Box(0.96, 1.0), friction=0.6))
        for _ in range(3):
            esper.process(DT)
        (axis,) = panels(1, 6.4, 4.6)
        window(axis, -3.4, -0.3, 3.4, 6.3)
        for entity, x, y in zip(physics.entities, *physics.positions.T):
            if int(entity) != 1 and entity:
                polygon(axis, rectangle(0.48, 0.5, x, y), PALE)
        lanes = physics.pipeline.response.solver.arrays.lane  # type: ignore[attr-defined]
        for contact, count in enumerate(physics.contacts.point_count):
            block = int(lanes[contact]) // 8
            x, y = physics.contacts.points[contact][: int(count)].mean(axis=0)
            axis.plot(x, y, "o", ms=13, color=REGION_COLOURS[block % len(REGION_COLOURS)], mec=INK)
            text(axis, x, y, str(block), fontsize=7)
        axis.set_title("contacts of equal number share a block; no box is in it twice")
    store("inside_blocks")


def draw_tree() -> None:
    """Draw the passes over a tree of joints."""
    places = {"a": (0.0, 0.0), "b": (1.2, 0.8), "c": (1.2, -0.8), "d": (2.4, 1.3), "e": (2.4, 0.3), "f": (2.4, -0.8)}
    parents = {"b": "a", "c": "a", "d": "b", "e": "b", "f": "c"}
    titles = ("1. factor: leaf to root", "2. up: errors to the root", "3. down: impulses to the leaves")
    labels = ("masses W", "velocities v", "impulses λ")
    for axis, title, label, is_down in zip(panels(3, 3.1, 2.5), titles, labels, (False, False, True)):
        window(axis, -0.6, -1.5, 3.0, 1.9)
        for child, parent in parents.items():
            start, end = np.array(places[parent]), np.array(places[child])
            line(axis, start, end, PALE, lw=4.0)
            first, last = (start, end) if is_down else (end, start)
            arrow(axis, first + 0.25 * (last - first), first + 0.78 * (last - first), NO if is_down else ACCENT)
        for name, (x, y) in places.items():
            axis.plot(x, y, "o", ms=15, color="white", mec=INK)
            text(axis, x, y, name)
        text(axis, 0.4, -1.2, label, NO if is_down else ACCENT)
        axis.set_title(title)
    store("inside_tree")


def draw_sweep() -> None:
    """Draw a fast rod in the step in which it meets a wall: the end of its way without and with the sweep."""
    ends = []
    for continuous in (False, True):
        with world(continuous=continuous, gravity=(0.0, 0.0)) as physics:
            esper.create_entity(ec.Transform(3.0, 0.0), ec.Collider(ec.Box(0.2, 3.0)))
            collider = ec.Collider(ec.Box(1.4, 0.3))
            rod = esper.create_entity(ec.Transform(0.0, 0.0), ec.Velocity(300.0, 20.0, 25.0), collider)
            esper.process(DT)
            ends.append([physics.to_world(rod, corner) for corner in rectangle(0.7, 0.15)])
    (axis,) = panels(1, 6.4, 2.9)
    window(axis, -1.0, -1.7, 6.2, 1.7)
    polygon(axis, [(2.9, -1.5), (3.1, -1.5), (3.1, 1.5), (2.9, 1.5)], INK)
    polygon(axis, rectangle(0.7, 0.15), ACCENT)
    polygon(axis, ends[0], NO, fill=False, style=":")
    polygon(axis, ends[1], YES)
    arrow(axis, (0.9, 0.0), (1.7, 0.06))
    for x, words, colour in ((0.0, "start of the step", ACCENT), (1.9, "with the sweep", YES), (5.0, "without", NO)):
        text(axis, x, -1.0, words, colour)
    store("inside_sweep")


def draw_islands() -> None:
    """Draw three groups of boxes on a floor and the island of each: two sleep, one is awake."""
    with world(gravity=(0.0, -10.0)) as physics:
        esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.HalfPlane()))
        for x, y in [(-3.0, 0.5), (-3.0, 1.5), (-2.6, 2.5), (0.0, 0.5), (1.0, 0.5), (0.5, 1.5), (3.0, 0.5), (3.2, 1.5)]:
            esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
        for _ in range(90):
            esper.process(DT)
        ball = esper.create_entity(ec.Transform(4.4, 0.5), ec.Velocity(-3.0, 0.0), ec.Collider(ec.Circle(0.5)))
        for _ in range(25):
            esper.process(DT)
        (axis,) = panels(1, 6.4, 2.7)
        window(axis, -4.2, -0.4, 5.2, 3.3)
        line(axis, (-4.2, 0.0), (5.2, 0.0))
        for entity, (x, y) in zip(physics.entities, physics.positions):
            colour = ACCENT if physics.is_awake(int(entity)) else PALE
            if entity == ball:
                circle(axis, x, y, 0.5, colour)
            elif entity > 1:
                polygon(axis, [physics.to_world(int(entity), corner) for corner in rectangle(0.5, 0.5)], colour)
        axis.set_title("grey: two islands sleep, though all stand on one floor; blue: the ball has woken the third")
    store("inside_islands")


def draw_views() -> None:
    """Draw how components read and write columns."""
    (axis,) = panels(1, 7.4, 3.0)
    window(axis, -0.6, -0.4, 9.8, 3.8)
    for k, name in enumerate(("Transform", "Velocity", "Collider")):
        card(axis, 0.8, 2.9 - 1.1 * k, 1.9, 0.7, name, REGION_COLOURS[3], 9)
        arrow(axis, (1.8, 2.9 - 1.1 * k), (3.2, 1.9 - 0.1 * k))
    card(axis, 4.1, 1.8, 1.7, 1.0, "ColumnRef\narrays and row", REGION_COLOURS[2], 8)
    arrow(axis, (5.0, 1.8), (6.1, 1.8))
    for row in range(6):
        for column in range(4):
            colour = REGION_COLOURS[1] if row == 3 else "white"
            axis.add_patch(Rectangle((6.2 + 0.8 * column, 3.1 - 0.45 * row), 0.8, 0.45, fc=colour, ec=INK, lw=0.8))
    for column, name in enumerate(("x", "y", "angle", "...")):
        text(axis, 6.6 + 0.8 * column, 3.72, name, fontsize=8)
    text(axis, 7.8, 0.55, "columns; kernels read the same numbers", fontsize=8)
    text(axis, 0.8, -0.15, "components of an entity", fontsize=8)
    store("inside_views")


def draw_character() -> None:
    """Draw the way of a character over a slope, a step and to a wall, as the engine moves it."""
    with world() as physics:
        ground = [(-4.0, -1.0), (4.5, -1.0), (4.5, 2.6), (4.0, 2.6), (4.0, 1.3), (2.2, 1.3), (2.2, 1.0), (1.0, 1.0)]
        ground += [(-1.0, 0.0), (-4.0, 0.0)]
        esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.Polygon(ground)))
        body, box = ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.4, 0.8))
        player = esper.create_entity(
            ec.Transform(-3.2, 0.4), ec.Velocity(), body, box, ec.CharacterController(step_height=0.35)
        )
        control = esper.component_for_entity(player, ec.CharacterController)
        esper.add_processor(ec.systems.MoveCharacters(physics), priority=100)
        (axis,) = panels(1, 6.4, 3.2)
        window(axis, -4.1, -0.6, 4.6, 2.7)
        polygon(axis, ground, INK)
        places = []
        for frame in range(220):
            control.velocity = 3.0, control.velocity[1] - 10.0 * DT
            esper.process(DT)
            x, y = physics.to_world(player, (0.0, 0.0))
            places.append((x, y - 0.4))
            if frame % 20 == 0 or frame == 219:
                polygon(axis, rectangle(0.2, 0.4, x, y), ACCENT)
        axis.plot(*zip(*places), color=NO, lw=1.6)
        axis.set_title("every 20th place of a character; red: the way of its foot over slope and step to the wall")
    store("inside_character")


def draw_flow(name: str, cards: Sequence[tuple[str, str]], width: float) -> None:
    """Draw cards from left to right with arrows between them."""
    (axis,) = panels(1, width, 1.5)
    window(axis, -1.1, -0.75, 2.6 * len(cards) - 1.5, 0.75)
    for k, (words, colour) in enumerate(cards):
        card(axis, 2.6 * k, 0.0, 2.0, 1.1, words, colour, 8)
        if k:
            arrow(axis, (2.6 * k - 1.55, 0.0), (2.6 * k - 1.03, 0.0))
    store(name)


def draw_building() -> None:
    """Draw the way of a kernel from Python to a wheel."""
    python, numba, llvm, tool = (REGION_COLOURS[k] for k in (3, 2, 1, 5))
    draw_flow(
        "inside_building",
        [
            ("@kernel\nfunctions\nin Python", python),
            ("numba:\nmodules for\nany processor", numba),
            ("LLVM: objects\nfor each\ninstruction set", llvm),
            ("table.h and\nkernels.c,\nlinked", tool),
            ("_kernels.abi3.so\nin a wheel", "white"),
            ("import selects\nthe best set", "white"),
        ],
        9.6,
    )


def draw_substep() -> None:
    """Draw the phases of a substep of the impulse response."""
    soft, move, joint = (REGION_COLOURS[k] for k in (1, 2, 3))
    draw_flow(
        "inside_substep",
        [
            ("bounces and\nimpacts of gaps\nthat close", joint),
            ("integrate\nvelocities", move),
            ("solve contacts\nwith soft push,\nand joints", soft),
            ("integrate\npositions", move),
            ("relax:\nsolve without\nthe push", soft),
        ],
        9.0,
    )


if __name__ == "__main__":
    draw_step_plan()
    draw_data()
    draw_pairs()
    draw_seams()
    draw_blocks()
    draw_tree()
    draw_sweep()
    draw_islands()
    draw_views()
    draw_character()
    draw_building()
    draw_substep()
