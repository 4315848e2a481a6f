"""Bounds of the separation of paths hold all through the step, and sweeps that use them give the same bits."""

from __future__ import annotations

import math
from types import SimpleNamespace

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.bodies import FRAME
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.data.solver_state import STATE
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import PieceKind
from ecs_collide.step.continuous.path_separation import least_separation
from tests.support.processes import run_script
from tests.support.worlds import dynamic, game, kinematic

DT = 1.0 / 60.0
SLOP = 0.005
P, Q = 0, 1
CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
NORMALS = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])


class MovingBox:
    """A box, or with a radius a rounded one, that moves within a step as the solver says."""

    def __init__(
        self, rng: np.random.Generator, size: tuple[float, float], away: float, pace: float, turn: float
    ) -> None:
        self.half = np.array(size) / 2.0
        self.radius = float(rng.choice((0.0, 0.1)))
        self.local = rng.uniform(-1.0, 1.0, 2) * rng.choice((0.0, 2.0))
        self.end, self.angle = rng.uniform(-away, away, 2), rng.uniform(-4.0, 4.0)
        self.move, self.turn = rng.normal(0.0, pace, 2), rng.normal(0.0, turn)

    def centre_and_axes(self, since: float) -> tuple[np.ndarray, np.ndarray]:
        """Return centre of mass and axes (rows) at a time before the end, in fractions of the step."""
        angle = self.angle - since * self.turn
        c, s = math.cos(angle), math.sin(angle)
        return self.end - since * self.move, np.array([[c, s], [-s, c]])

    def points(self, since: float) -> np.ndarray:
        """Return points along the edges of the box at a time (n, 2)."""
        centre, axes = self.centre_and_axes(since)
        along = np.linspace(-1.0, 1.0, 9)
        sides = ((along, -1.0), (along, 1.0), (-1.0, along), (1.0, along))
        edges = np.concatenate([np.column_stack(np.broadcast_arrays(x, y)) for x, y in sides])
        return np.asarray(centre + (self.local + self.half * edges) @ axes)

    def distances(self, points: np.ndarray, since: float) -> np.ndarray:
        """Return the distances of points from the piece at a time [m] (n,)."""
        centre, axes = self.centre_and_axes(since)
        beyond = np.maximum(np.abs((points - centre) @ axes.T - self.local) - self.half, 0.0)
        return np.asarray(np.hypot(beyond[:, 0], beyond[:, 1]) - self.radius)


def columns_of(p: MovingBox, q: MovingBox, kind: ec.BodyKind = ec.BodyKind.KINEMATIC) -> SimpleNamespace:
    """Return columns of two bodies with a piece each, as far as the test reads them."""
    frame, state = np.zeros((2, FRAME.WIDTH)), np.zeros((3, STATE.WIDTH))
    index, size = np.zeros((2, PIECE.WIDTH), np.int64), np.zeros((2, PIECE_SIZE.WIDTH))
    vertices, normals = np.zeros((2, 8, 2))
    for k, motion in enumerate((p, q)):
        frame[k, [FRAME.CENTER_X, FRAME.CENTER_Y]] = motion.end
        frame[k, FRAME.COS], frame[k, FRAME.SIN] = math.cos(motion.angle), math.sin(motion.angle)
        state[k + 1, [STATE.DX, STATE.DY]], state[k + 1, STATE.DA] = motion.move, motion.turn
        index[k, PIECE.BODY], index[k, PIECE.KIND] = k, PieceKind.POLYGON
        size[k, [PIECE_SIZE.LOCAL_X, PIECE_SIZE.LOCAL_Y]] = motion.local
        size[k, [PIECE_SIZE.HALF_X, PIECE_SIZE.HALF_Y]] = motion.half
        size[k, PIECE_SIZE.RADIUS] = motion.radius
        index[k, [PIECE.VERTEX_START, PIECE.VERTEX_COUNT]] = 4 * k, 4
        vertices[4 * k : 4 * k + 4] = motion.local + motion.half * CORNERS
        normals[4 * k : 4 * k + 4] = NORMALS
    outlines = np.zeros((8, OUTLINE.WIDTH))
    kinds = np.array([int(ec.BodyKind.DYNAMIC), int(kind)])
    bodies = SimpleNamespace(frame=frame, kind=kinds, solver_row=np.array([1, 2]))
    return SimpleNamespace(
        bodies=bodies,
        pieces=SimpleNamespace(index=index, size=size, vertices=vertices, normals=normals, outlines=outlines),
        motions=SimpleNamespace(state=state),
    )


def sampled_separation(p: MovingBox, q: MovingBox) -> float:
    """Return the least distance of points of p from q, less both radii, over pairs of times [m]."""
    times = np.linspace(0.0, 1.0, 9)
    return float(min(q.distances(p.points(s), t).min() for s in times for t in times)) - p.radius


@pytest.mark.parametrize("turn", [0.0, 0.01, 0.1, 0.5, 2.0])
def test_bound_holds_at_any_two_times(turn: float) -> None:
    rng = np.random.default_rng(7)
    apart = 0
    for k in range(300):
        p = MovingBox(rng, (0.3, 0.1), 8.0, 0.5, turn)
        q = MovingBox(rng, (20.0, 0.5), 3.0, 0.3, turn)
        bound = least_separation(P, Q, columns_of(p, q)) if k % 2 else least_separation(Q, P, columns_of(p, q))
        apart += bound > 0.0
        assert max(bound, -q.radius - p.radius) <= sampled_separation(p, q)
    assert apart > 0


@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_bound_of_a_circle_holds(turn: float) -> None:
    rng = np.random.default_rng(13)
    apart = 0
    for _ in range(300):
        p, q = MovingBox(rng, (0.3, 0.1), 4.0, 0.3, turn), MovingBox(rng, (0.0, 0.0), 2.0, 0.3, turn)
        q.radius = 1.0
        scene = columns_of(p, q)
        scene.pieces.index[Q, [PIECE.KIND, PIECE.VERTEX_COUNT]] = PieceKind.CIRCLE, 1
        bound = least_separation(P, Q, scene)
        apart += bound > 0.0
        assert max(bound, -q.radius - p.radius) <= sampled_separation(p, q)
    assert apart > 100


def test_body_that_slides_along_a_wall_keeps_its_separation() -> None:
    rng = np.random.default_rng(8)
    p, q = MovingBox(rng, (0.4, 0.2), 0.0, 0.0, 0.0), MovingBox(rng, (20.0, 1.0), 0.0, 0.0, 0.0)
    p.local = q.local = np.zeros(2)
    p.radius = q.radius = 0.0
    along, across = np.array([0.8, 0.6]), np.array([-0.6, 0.8])
    p.angle = q.angle = math.atan2(0.6, 0.8)
    p.end, p.move = 3.0 * along + 0.599 * across, 2.0 * along - 0.001 * across
    assert least_separation(P, Q, columns_of(p, q)) == pytest.approx(-0.001, abs=1e-6)


def test_wall_that_turns_slowly_is_far_from_nearly_all_that_is_not_beside_it() -> None:
    rng = np.random.default_rng(8)
    apart = near = 0
    for _ in range(1000):
        p, q = MovingBox(rng, (0.25, 0.25), 10.0, 0.05, 0.05), MovingBox(rng, (20.0, 1.0), 0.0, 0.0, 0.0073)
        p.local = np.zeros(2)
        distance = q.distances(p.end[None], 0.0)[0]
        bound = least_separation(P, Q, columns_of(p, q))
        apart, near = apart + (bound > SLOP), near + (distance < 0.8)
        assert bound > SLOP or distance < 0.8
    assert near < 250 < apart


def test_static_wall_does_not_move_whatever_the_solver_row_of_all_static_bodies_holds() -> None:
    rng = np.random.default_rng(9)
    p, q = MovingBox(rng, (0.2, 0.2), 0.0, 0.0, 0.0), MovingBox(rng, (20.0, 0.5), 0.0, 100.0, 3.0)
    p.end, q.angle, q.local = np.array([0.0, 4.0]), 0.0, np.zeros(2)
    assert least_separation(P, Q, columns_of(p, q, ec.BodyKind.STATIC)) > 1.0
    assert least_separation(P, Q, columns_of(p, q)) < 0.0


def test_half_plane_bounds_by_its_line_and_a_ring_does_not() -> None:
    rng = np.random.default_rng(10)
    p, q = MovingBox(rng, (0.2, 0.2), 0.0, 0.0, 0.0), MovingBox(rng, (0.0, 0.0), 0.0, 0.0, 0.0)
    p.end, p.local, p.radius, p.angle = np.array([100.0, 5.0]), np.zeros(2), 0.0, 0.0
    q.angle, q.local, q.radius = 0.0, np.zeros(2), 0.0
    scene = columns_of(p, q)
    first = scene.pieces.index[Q, PIECE.VERTEX_START]
    scene.pieces.index[Q, [PIECE.KIND, PIECE.VERTEX_COUNT]] = PieceKind.HALF_PLANE, 1
    scene.pieces.normals[first] = 0.0, 1.0
    assert least_separation(P, Q, scene) == pytest.approx(4.9, abs=1e-5)
    scene.pieces.index[Q, PIECE.KIND] = PieceKind.RING
    assert least_separation(P, Q, scene) == -math.inf


def test_numbers_out_of_range_give_no_bound() -> None:
    rng = np.random.default_rng(11)
    p, q = MovingBox(rng, (0.2, 0.2), 0.0, 0.0, 0.0), MovingBox(rng, (20.0, 0.5), 0.0, 0.0, 0.0)
    p.end = np.array([1e300, 1e300])
    with np.errstate(over="ignore", invalid="ignore"):
        assert not least_separation(P, Q, columns_of(p, q)) > -1.0


BALL = 0.05
"""Radius of a ball [m]."""
LONG, THICK = 20.0, 0.1
"""Length and thickness of a wall [m]."""


def play_balls_around_a_wall(turn: float, pace: float, steps: int, count: int, seed: int) -> list[tuple[float, ...]]:
    """Play balls and rods that fly around a wall which turns and moves; return their poses after each step."""
    rng = np.random.default_rng(seed)
    poses: list[tuple[float, ...]] = []
    with game(gravity=(0.0, -9.81)) as play:
        wall = kinematic(ec.Box(LONG, THICK), (0.0, 0.0), (pace * 0.05, 0.0), angle=0.7, angular=turn, friction=0.3)
        shapes = (ec.Circle(BALL), ec.Box(0.3, 0.06), ec.Segment((-0.2, 0.0), (0.2, 0.0)))
        entities = []
        for k in range(count):
            x, y = rng.uniform(-8.0, 8.0, 2).tolist()
            u, v, spin = (rng.normal(0.0, 1.0, 3) * (pace, pace, 5.0)).tolist()
            entities.append(dynamic(shapes[k % 3], (x, y), (u, v), angular=spin, group=-7))
        for _ in range(steps):
            play.step()
            poses += [play.pose(entity) for entity in (wall, *entities)]
    return poses


SPINS_AND_PACES = [(0.5, 5.0), (3.0, 60.0), (12.0, 5.0), (12.0, 200.0), (60.0, 20.0), (-150.0, 60.0)]

COMPARED = """
import sys
from ecs_collide.step.continuous import sweep
from tests.step.continuous.test_path_separation import SPINS_AND_PACES, play_balls_around_a_wall
if {all}:
    sweep.least_separation = lambda p, q, scene: -1e9
for k, (spin, pace) in enumerate(SPINS_AND_PACES):
    print(play_balls_around_a_wall(spin, pace, 8, 24, k))
"""


def test_bits_are_those_of_a_sweep_of_all_candidates() -> None:
    swept = run_script(COMPARED.format(all=True), NUMBA_DISABLE_JIT="1")
    assert run_script(COMPARED.format(all=False), NUMBA_DISABLE_JIT="1") == swept
    here = "\n".join(str(play_balls_around_a_wall(*row, 8, 24, k)) for k, row in enumerate(SPINS_AND_PACES))
    assert here == swept


def place_beside(wall: int, ball: int) -> tuple[float, float]:
    """Return a ball's place along a wall and across it [m]."""
    x, y, angle = esper.component_for_entity(wall, ec.Transform).pose
    ball_x, ball_y, _ = esper.component_for_entity(ball, ec.Transform).pose
    c, s = math.cos(angle), math.sin(angle)
    return c * (ball_x - x) + s * (ball_y - y), c * (ball_y - y) - s * (ball_x - x)


@pytest.mark.parametrize("spin", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("pace", [0.0, 3.0, 40.0, 300.0])
def test_no_ball_passes_a_long_wall_that_turns(spin: float, pace: float) -> None:
    rng = np.random.default_rng(12)
    with game(gravity=(0.0, 0.0)) as play:
        wall = kinematic(ec.Box(LONG, THICK), angular=spin, friction=0.0)
        balls = []
        for _ in range(300):
            x, y = rng.uniform(-9.0, 9.0), rng.choice((-1.0, 1.0)) * rng.uniform(0.2, 9.0)
            u, v = (pace * rng.normal(0.0, 1.0, 2)).tolist()
            balls.append(dynamic(ec.Circle(BALL), (x, y), (u, v), friction=0.0, group=-7))
        before = [place_beside(wall, ball) for ball in balls]
        met = 0
        for _ in range(40):
            play.step()
            after = [place_beside(wall, ball) for ball in balls]
            for (u, v), (along, across) in zip(before, after, strict=True):
                # Between the ends of the wall a side can only be changed through it.
                if abs(u) < 0.4 * LONG and abs(along) < 0.4 * LONG and math.hypot(along - u, across - v) < 0.2 * LONG:
                    assert v * across > 0.0
                met += abs(across) < 2.0 * BALL + THICK and abs(along) < 0.5 * LONG
            before = after
        assert met > 20, "the wall met none"
