"""The solver of the trees against a dense solve of the same system."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.step.joints.joint_substep import update_trees
from ecs_collide.step.joints.prepare_joints import prepare_joints
from ecs_collide.step.joints.rows.tree_substep import TreeSubstep
from ecs_collide.step.joints.solve_trees import solve_trees
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, LANE, NONE, ROW, TreeBlocks
from ecs_collide.step.plan import NARROWPHASE
from ecs_collide.step.solver.impulse_response import ImpulseResponse
from ecs_collide.step.solver.prepare_bodies import number_bodies, prepare_bodies
from ecs_collide.step.solver.solver_rows import STATUS
from ecs_collide.step.solver.tree_coupling import gather_motions
from tests.support.worlds import game

H = 1.0 / 240.0


def create_random_body(random: np.random.Generator, **rigid_body: object) -> int:
    return esper.create_entity(
        ec.Transform(*random.uniform(-5.0, 5.0, 3).tolist()),
        ec.Velocity(*random.uniform(-2.0, 2.0, 3).tolist()),
        ec.Collider(ec.Box(1.0, 0.3), density=float(random.uniform(0.1, 10.0))),
        ec.RigidBody(**rigid_body),  # type: ignore[arg-type]
    )


def joint(random: np.random.Generator, a: int, b: int | None) -> object:
    """A joint that gapes by chance, of any rigid kind, in any orientation."""
    anchors: dict[str, Any] = {
        "anchor_a": tuple(random.uniform(-0.5, 0.5, 2)),
        "anchor_b": tuple(random.uniform(-0.5, 0.5, 2)),
    }
    if b is not None and random.random() < 0.5:
        a, b = b, a
    kind = random.integers(5)
    if kind == 0:
        return ec.WeldJoint(a, b, reference_angle=0.3, **anchors)
    if kind == 1:
        return ec.DistanceJoint(a, b, length=1.0, **anchors)
    if kind == 2:
        return ec.PrismaticJoint(a, b, axis=tuple(random.uniform(0.1, 1.0, 2)), **anchors)
    if kind == 3:
        return ec.WheelJoint(a, b, **anchors)
    return ec.RevoluteJoint(a, b, **anchors)


def random_tree(random: np.random.Generator, count: int, star: bool) -> list[tuple[int, int | None]]:
    """Return the bodies of a tree, some with locked axes, and their parents; some ends are kinematic or the world."""
    bodies = [create_random_body(random, **({"lock_x": True} if k % 7 == 3 else {})) for k in range(count)]
    edges: list[tuple[int, int | None]] = [
        (bodies[k], bodies[0 if star else int(random.integers(k))]) for k in range(1, count)
    ]
    edges.append((bodies[int(random.integers(count))], None))
    edges.append((bodies[-1], create_random_body(random, kind=ec.BodyKind.KINEMATIC)))
    return edges


def prepared(physics: ec.PhysicsWorld) -> TreeBlocks:
    """The trees at the start of a step, with their factors."""
    pipeline = physics.pipeline
    pipeline.step(4.0 * H, NARROWPHASE)
    response, movers, bodies = pipeline.response, pipeline.sleepers.awake, pipeline.bodies.arrays
    assert isinstance(response, ImpulseResponse)
    solver = response.solver
    solver.reserve(len(movers), 0)
    layout = pipeline.world_joints.joints.layout
    layout.lay_out_awake(bodies)
    layout.reserve()
    number_bodies(movers, bodies, solver.arrays)
    solver.arrays.status[:, STATUS.IN_TREE] = 1
    prepare_bodies(movers, bodies, solver.arrays, (0.0, 0.0), H, 1)
    prepare_joints(layout.solver_joints, bodies, False, 0.005, H)
    gather_motions(layout.trees, solver.arrays, 3.0, H)
    update_trees(layout.solver_joints, TreeSubstep(0.02, 3.0, 12.0, 4.0, H, 0.0, False))
    return layout.trees


def of_lanes(trees: TreeBlocks, column: int) -> np.ndarray:
    """Return three numbers of each body lane in use (8 times the body lanes, 3)."""
    numbers: np.ndarray = trees.lanes[:, column : column + 3].transpose(0, 2, 1).reshape(-1, 3).copy()
    return numbers


def dense_solution(trees: TreeBlocks) -> np.ndarray:
    """The velocities after a solve with the fields' biases, by one dense system."""
    v = of_lanes(trees, LANE.VX)
    count = len(v)
    place = {LANE.WIDTH * 8 * (k // 8) + k % 8: k for k in range(count)}
    rows, compliance, bias = [], [], []
    for block in range(len(trees.blocks)):
        for lane in range(8):
            if trees.block_index[block, INDEX.TREE, lane] == NONE:
                continue
            field = trees.blocks[block, :, lane]
            child, parent = (place[trees.block_index[block, side, lane]] for side in (INDEX.CHILD, INDEX.PARENT))
            for k in range(3):
                at = BLOCK.ROWS + ROW.WIDTH * k
                x, y, arm_child, arm_parent = field[at : at + ROW.WIDTH]
                row = np.zeros((count, 3))
                row[child] += x, y, arm_child
                row[parent] -= x, y, arm_parent
                rows.append(row.ravel())
                compliance.append(field[BLOCK.GAMMA + k])
                bias.append(field[BLOCK.BIAS + k])
    j = np.array(rows)
    w = np.diag(of_lanes(trees, LANE.MASS_X).ravel())
    v = v.ravel()
    impulse = np.linalg.solve(j @ w @ j.T + np.diag(compliance), -(j @ v + np.array(bias)))
    solution: np.ndarray = (v + w @ j.T @ impulse).reshape(count, 3)
    return solution


def error_of_solution(seed: int, count: int, star: bool, loops: int) -> float:
    """Return the error of a solve against the dense system, as a fraction of the largest speed."""
    random = np.random.default_rng(seed)
    with game(gravity=(0.0, -9.81)) as play:
        edges = random_tree(random, count, star)
        bodies = list(dict.fromkeys(a for a, _ in edges))
        edges += [tuple(random.choice(bodies, 2, replace=False).tolist()) for _ in range(loops)]
        for a, b in edges:
            esper.create_entity(joint(random, a, b))
        trees = prepared(play.physics)
        trees.blocks[:, BLOCK.BIAS : BLOCK.BIAS + 3] = random.normal(size=(len(trees.blocks), 3, 8))
        bare = trees.block_index[:, INDEX.TREE] == NONE
        for k in range(3):
            trees.blocks[:, BLOCK.BIAS + k][bare] = 0.0
        expected = dense_solution(trees)
        solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.PLAIN_BIAS, False)
        error = np.abs(of_lanes(trees, LANE.VX) - expected).max()
        return float(error / max(np.abs(expected).max(), 1.0))


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 30])
@pytest.mark.parametrize("star", [False, True])
def test_trees_are_solved_as_a_dense_system(count: int, star: bool) -> None:
    assert error_of_solution(100 * count + star, count, star, 0) < 1e-10


@pytest.mark.parametrize(("count", "loops"), [(3, 1), (8, 3), (20, 2), (20, 30), (40, 40)])
@pytest.mark.parametrize("star", [False, True])
def test_loops_are_solved_as_a_dense_system(count: int, loops: int, star: bool) -> None:
    assert error_of_solution(100 * count + loops, count, star, loops) < 1e-10


def test_joints_in_another_order_give_the_same_bits() -> None:
    hashes = set()
    for seed in range(3):
        random = np.random.default_rng(5)
        with game(gravity=(0.0, -9.81)) as play:
            edges = random_tree(random, 20, False)
            joints = [joint(random, a, b) for a, b in edges]
            entities = [esper.create_entity() for _ in joints]
            for k in np.random.default_rng(seed).permutation(len(joints)).tolist():
                esper.add_component(entities[k], joints[k])
            play.step(20)
            hashes.add(play.physics.state_hash())
    assert len(hashes) == 1


def test_many_trees_move_to_the_bit_as_each_does_alone() -> None:
    """Create all chains in one place without collisions: three batches of them, and some that are longer."""

    def ends(chains: int, links: int) -> set[tuple[float, ...]]:
        with game(gravity=(0.0, -9.81)) as play:
            found = []
            for number in range(chains):
                joined: int | None = None
                for k in range(links + (number % 5 == 4)):
                    link = esper.create_entity(
                        ec.Transform(k + 0.5, 0.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 0.2), mask=0)
                    )
                    esper.create_entity(ec.RevoluteJoint(link, joined, point=(float(k), 0.0)))
                    joined = link
                if number % 5 != 4:
                    found.append(joined)
            play.step(40)
            return {play.pose(end) for end in found if end is not None}

    assert len(ends(1, 30)) == 1
    assert ends(25, 30) == ends(1, 30)
