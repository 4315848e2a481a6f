"""Outlines with arcs, inward corners and covered edges, against references that know nothing of pieces."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.shapes import PieceKind
from tests.support.reference import boundary
from tests.support.reference.boundary import Boundary
from tests.support.reference.geometry import Array
from tests.support.reference.shape_bench import Points, contact_points, local_points, placed_points
from tests.support.reference.solids import SOLIDS, Convex, brought_near, convex_sector, gap_between

REACH = 0.02
SLOP = 0.005
EXACT = 1e-6


def hull(shape: ec.Shape) -> Convex:
    (piece,) = shape.pieces()
    return Convex(shape, piece.vertices, piece.radius)


SLICES = {
    "needle": convex_sector(1.0, 0.1),
    "slice": convex_sector(1.0, 0.4),
    "quarter": convex_sector(0.8, 0.25 * math.pi),
    "half disk": convex_sector(0.7, 0.5 * math.pi),
}
OTHERS = {
    "circle": Convex(ec.Circle(0.4), np.zeros((1, 2)), 0.4),
    "point": Convex(ec.Circle(1e-9), np.zeros((1, 2)), 1e-9),
    "segment": hull(ec.Segment((-0.6, 0.0), (0.6, 0.1))),
    "capsule": hull(ec.Capsule((-0.5, 0.0), (0.5, 0.1), 0.2)),
    "box": hull(ec.Box(1.0, 0.6)),
    "triangle": hull(ec.Polygon([(-0.6, -0.3), (0.7, -0.4), (0.0, 0.5)])),
    "rounded": hull(ec.Polygon([(-0.4, -0.2), (0.4, -0.2), (0.0, 0.3)], radius=0.15)),
    **SLICES,
}
pairs = pytest.mark.parametrize(("a", "b"), [(a, b) for a in SLICES for b in OTHERS])


def random_poses(count: int, seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    poses_a = np.column_stack((random.uniform(-5.0, 5.0, (count, 2)), random.uniform(-4.0, 4.0, count)))
    offset = random.uniform(-1.1, 1.1, (count, 2)) * random.choice([1.0, 0.1], (count, 1), p=[0.9, 0.1])
    return poses_a, np.column_stack((poses_a[:, :2] + offset, random.uniform(-4.0, 4.0, count)))


@pairs
def test_slices_against_supports(a: str, b: str) -> None:
    """Apart, touching and deep: the greatest separation over all directions, and a normal along which it is that."""
    one, other = SLICES[a], OTHERS[b]
    poses_a, poses_b = random_poses(60, 1)
    found = contact_points(one.shape, other.shape, poses_a, poses_b, REACH)
    gaps = np.array(
        [gap_between(one, pose_a, other, pose_b, 1024) for pose_a, pose_b in zip(poses_a, poses_b, strict=True)]
    )
    lowest = found.lowest(len(gaps))
    has = np.isfinite(lowest)
    assert has.any()
    assert (has == (gaps < REACH))[np.abs(gaps - REACH) > 2.0 * EXACT].all()
    assert np.abs(lowest - gaps)[has].max() < 3e-6  # the engine's own tie between near axes is 2e-6
    for case in np.flatnonzero(has)[:20]:
        (k, *_) = [k for k in np.flatnonzero(found.case == case) if found.separation[k] == lowest[case]]
        parted = poses_b[case].copy()
        parted[:2] -= lowest[case] * found.normal[k]
        assert gap_between(one, poses_a[case], other, parted, 1024) == pytest.approx(0.0, abs=6e-6)


@pytest.mark.parametrize("radius", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("name", [name for name in SOLIDS if name not in ("segment", "comb")])
def test_circles_are_as_far_as_the_outline(name: str, radius: float) -> None:
    """Corners, edges, arcs of either kind and cuts: only the true outline counts, as long as the centre is outside."""
    shape, outline = SOLIDS[name]
    random = np.random.default_rng(2)
    poses = np.column_stack((random.uniform(-2.2, 2.2, (4000, 2)), np.zeros(4000)))
    exact = outline.signed_distance(poses[:, :2])
    poses, exact = poses[exact > 0.0], exact[exact > 0.0] - radius
    found = contact_points(shape, ec.Circle(radius), np.zeros_like(poses), poses, REACH)
    lowest = found.lowest(len(poses))
    has = np.isfinite(lowest)
    assert has.sum() > 10
    assert (has == (exact < REACH))[np.abs(exact - REACH) > EXACT].all()
    loose = 2e-5 if name == "stadium" else EXACT  # its straight edges are preferred to its caps
    assert np.abs(lowest - exact)[has].max() < loose


@pytest.mark.parametrize("name", ["bowl", "slot"])
def test_small_circles_on_inward_arcs(name: str) -> None:
    shape, outline = SOLIDS[name]
    random = np.random.default_rng(3)
    poses = np.column_stack((random.uniform(-1.6, 1.6, (4000, 2)), np.zeros(4000)))
    exact = outline.signed_distance(poses[:, :2])
    poses, exact = poses[exact > 0.0], exact[exact > 0.0] - 0.02
    found = contact_points(shape, ec.Circle(0.02), np.zeros_like(poses), poses, REACH)
    lowest = found.lowest(len(poses))
    has = np.isfinite(lowest)
    assert has.sum() > 50
    assert (has == (exact < REACH))[np.abs(exact - REACH) > EXACT].all()
    assert np.abs(lowest - exact)[has].max() < EXACT


BOX = [(-0.4, -0.25), (0.4, -0.25), (0.4, 0.25), (-0.4, 0.25)]
LARGE_BOX = [(-1.0, -0.8), (1.0, -0.8), (1.0, 0.8), (-1.0, 0.8)]
ROUND_BAR = [(-0.4, -0.2), (0.4, -0.2), (0.4, 0.2), (-0.4, 0.2)]
NEIGHBOURS: dict[str, tuple[ec.Shape, Boundary]] = {
    "box": (ec.Box(0.8, 0.5), boundary.polygon_boundary(BOX)),
    "large box": (ec.Box(2.0, 1.6), boundary.polygon_boundary(LARGE_BOX)),
    "capsule": (
        ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.2),
        boundary.arc_polygon_boundary(ROUND_BAR, [0.0, 1.0, 0.0, 1.0]),
    ),
    "circle": (ec.Circle(0.5), boundary.arc_polygon_boundary([(-0.5, 0.0), (0.5, 0.0)], [1.0, 1.0])),
    "sector": (ec.Sector(0.6, 0.7), boundary.sector_boundary(0.6, 0.7)),
    "reflex sector": (ec.Sector(0.6, 2.5), boundary.sector_boundary(0.6, 2.5)),
}
NEAR = [
    *((a, b) for a in ("quarter", "half disk") for b in NEIGHBOURS),
    *(("thin slice", b) for b in NEIGHBOURS if b != "reflex sector"),
    *(("nearly a disk", b) for b in NEIGHBOURS if b != "box"),
    *(("stadium", b) for b in ("circle", "sector", "reflex sector")),
    *(("star", b) for b in ("box", "large box", "capsule", "circle", "sector")),
    *(("reflex sector", b) for b in ("large box", "capsule", "circle", "sector", "reflex sector")),
]


@pytest.mark.parametrize(("a", "b"), NEAR)
def test_near_pairs_are_as_far_as_their_outlines(a: str, b: str) -> None:
    """From 4 mm overlap to 18 mm apart: a contact wherever there is one, at the true distance, none deeper."""
    solid, (shape, outline) = SOLIDS[a], NEIGHBOURS[b]
    poses, gaps = brought_near(solid.boundary, outline, 30, 4)
    lowest = contact_points(solid.shape, shape, np.zeros_like(poses), poses, REACH).lowest(len(poses))
    assert np.isfinite(lowest[gaps < REACH - 1e-5]).all()
    apart = gaps > 2e-5
    assert np.abs(lowest - gaps)[apart].max() < 2e-5  # what samples 4 mm apart miss of two arcs
    assert (lowest[~apart] < 2e-5).all()
    assert (lowest[~apart] > gaps[~apart] - 0.01).all()


@pytest.mark.parametrize("name", ["ell", "star", "comb", "reflex sector"])
def test_only_the_true_outline_gives_normals(name: str) -> None:
    """For any depth of a circle, each normal is the outline's at that place, never that of a cut."""
    shape, outline = SOLIDS[name]
    random = np.random.default_rng(5)
    for radius in (0.05, 0.4):
        poses = np.column_stack((random.uniform(-1.4, 2.2, (1000, 2)), np.zeros(1000)))
        found = contact_points(shape, ec.Circle(radius), np.zeros_like(poses), poses, REACH)
        assert len(found.case) > 50
        for place, normal in zip(found.on_a(), found.normal, strict=True):
            assert outline.allows(normal, place, 0.0051)  # an edge reaches a quarter of the reach past a flush end


@pytest.mark.parametrize("name", ["star", "reflex sector", "nearly a disk", "half disk", "lens"])
def test_boxes_too_get_normals_of_the_outline_only(name: str) -> None:
    solid, (shape, outline) = SOLIDS[name], NEIGHBOURS["box"]
    poses, _ = brought_near(solid.boundary, outline, 40, 6)
    found = contact_points(solid.shape, shape, np.zeros_like(poses), poses, REACH)
    shallow = np.flatnonzero(found.separation > -SLOP)
    assert len(shallow) > 30
    for k in shallow:
        case = found.case[k]
        turn = np.array((0.0, 0.0, poses[case, 2]))
        own = local_points(-found.normal[k : k + 1], turn)[0]
        on_box = local_points(found.on_b()[k : k + 1], poses[case])[0]
        assert solid.boundary.allows(found.normal[k], found.on_a()[k], 0.0051) or outline.allows(own, on_box, 0.0051)


def test_the_flush_sides_of_half_a_disk_are_one() -> None:
    """Its two radial edges are in line: what lies on either side of the apex, or on it, gets both points."""
    for direction in np.linspace(-3.0, 3.0, 25):
        shape = ec.Sector(1.0, 0.5 * math.pi, direction)
        along = np.array((-math.sin(direction), math.cos(direction)))
        into = np.array((math.cos(direction), math.sin(direction)))
        for place in (-0.7, -0.3, 0.0, 1e-12, 0.2, 0.7):
            pose = np.array([(*(place * along - 0.299 * into), direction)])
            box = contact_points(shape, ec.Box(0.6, 0.4), np.zeros((1, 3)), pose, REACH)
            assert len(box.case) == 2
            np.testing.assert_allclose(box.separation, -0.001, rtol=0.0, atol=1e-12)
            np.testing.assert_allclose(box.normal, [-into, -into], rtol=0.0, atol=1e-12)
            circle = contact_points(shape, ec.Circle(0.3), np.zeros((1, 3)), pose, REACH)
            assert circle.separation == pytest.approx([-0.001], abs=1e-12)


def test_a_circle_beyond_a_thin_cap_does_not_meet_its_far_side() -> None:
    """The upper arc of a lens has its centre far below: what comes from below is on the arc's side of that centre."""
    lens = SOLIDS["lens"].shape
    found = contact_points(lens, ec.Circle(1.0), np.zeros((1, 3)), np.array([(-0.155, -1.0175, 0.0)]), REACH)
    assert len(found.case) == 1
    assert found.separation[0] > -0.5
    assert found.normal[0, 1] < -0.9


def test_a_sector_that_rolls_over_its_cut_meets_the_top_of_a_box_only() -> None:
    """The cut's end is no corner: then the box's other faces are no better, though they are all that is left."""
    shape = ec.Sector(1.0, 2.0, -0.5 * math.pi)
    turns = np.linspace(-0.3, 0.3, 121)
    poses = np.column_stack((turns * 0.0 + 0.05, np.full(121, 0.999), turns))
    found = contact_points(ec.Box(20.0, 1.0), shape, np.tile((0.0, -0.5, 0.0), (121, 1)), poses, REACH)
    np.testing.assert_allclose(found.normal, np.tile((0.0, 1.0), (len(found.case), 1)), rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(found.lowest(121), -0.001, rtol=0.0, atol=1e-9)
    assert found.separation.min() > -0.00101


SYMMETRY = [("half disk", "half disk"), ("slice", "quarter"), ("reflex sector", "reflex sector"), ("lens", "star")]


@pytest.mark.parametrize(("a", "b"), SYMMETRY)
def test_swapping_the_two_turns_the_contacts_round(a: str, b: str) -> None:
    poses_a, poses_b = random_poses(150, 7)
    one = contact_points(SOLIDS[a].shape, SOLIDS[b].shape, poses_a, poses_b, REACH)
    other = contact_points(SOLIDS[b].shape, SOLIDS[a].shape, poses_b, poses_a, REACH)
    lowest, swapped = one.lowest(150), other.lowest(150)
    assert (np.isfinite(lowest) == np.isfinite(swapped)).all()
    has = np.isfinite(lowest)
    assert has.sum() > 40
    # near ties prefer the face of a piece with a covered part, and that of the first
    guarded = any((piece.outline[:, 0] == 0.0).any() for name in (a, b) for piece in SOLIDS[name].shape.pieces())
    assert np.abs(lowest[has] - swapped[has]).max() < (6e-4 if guarded else 3e-6)
    first, second = deepest(one, has), deepest(other, has)
    same = np.abs(first + second).max(axis=1) < 1e-9
    assert np.count_nonzero(~same) <= 0.03 * has.sum()


def deepest(found: Points, has: Array) -> Array:
    """The normal of the deepest point of each case that has one (k, 2)."""
    order = np.lexsort((found.separation, found.case))
    cases, first = np.unique(found.case[order], return_index=True)
    assert cases.tolist() == np.flatnonzero(has).tolist()
    return found.normal[order][first]


@pytest.mark.parametrize(("a", "b"), [*SYMMETRY, ("bowl", "quarter"), ("moon", "ell")])
def test_turning_and_moving_both_turns_and_moves_the_contacts(a: str, b: str) -> None:
    poses_a, poses_b = random_poses(150, 8)
    found = contact_points(SOLIDS[a].shape, SOLIDS[b].shape, poses_a, poses_b, REACH)
    pose = np.array((-20.0, 9.0, 1.3))
    carried = [np.column_stack((placed_points(p[:, :2], pose), p[:, 2] + pose[2])) for p in (poses_a, poses_b)]
    moved = contact_points(SOLIDS[a].shape, SOLIDS[b].shape, carried[0], carried[1], REACH)
    assert moved.case.tolist() == found.case.tolist()
    np.testing.assert_allclose(moved.separation, found.separation, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(moved.point, placed_points(found.point, pose), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("name", SOLIDS)
def test_coincident_and_flush_poses_give_numbers(name: str) -> None:
    """A shape on itself, origins at one place, quarter turns: finite numbers and unit normals, whatever is found."""
    turns = [0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi, 1e-16, 1.0]
    poses = np.array([(x, y, t) for x in (0.0, 0.5, 1.0) for y in (0.0, -1.0) for t in turns])
    shape = SOLIDS[name].shape
    for other in (shape, ec.Circle(0.5), ec.Box(1.0, 1.0), ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.25)):
        found = contact_points(shape, other, np.zeros_like(poses), poses, REACH)
        for numbers in (found.normal, found.point, found.separation):
            assert np.isfinite(numbers).all()
        np.testing.assert_allclose(np.hypot(*found.normal.T), 1.0, rtol=0.0, atol=1e-12)
        assert len(found.case) > 0


def test_smooth_joins_have_no_corner() -> None:
    """Along a stadium the normal turns without a jump, and each place has one contact or two that agree."""
    shape = SOLIDS["stadium"].shape
    turns = np.linspace(-math.pi, math.pi, 2001)
    # a way around, a millimetre inside of contact
    places = []
    for turn in turns:
        x, y = math.cos(turn), math.sin(turn)
        middle = 1.0 if x > 0.0 else -1.0
        places.append((middle + 0.799 * x, 0.799 * y, 0.0))
    flat = [(x, sign * 0.799, 0.0) for x in np.linspace(-1.0, 1.0, 201) for sign in (-1.0, 1.0)]
    poses = np.array(places + flat)
    found = contact_points(shape, ec.Circle(0.3), np.zeros_like(poses), poses, REACH)
    np.testing.assert_allclose(found.lowest(len(poses)), -0.001, rtol=0.0, atol=5e-6)
    for k, case in enumerate(found.case):
        x, y, _ = poses[case]
        middle = float(np.clip(x, -1.0, 1.0))
        assert found.normal[k] == pytest.approx(((x - middle) / 0.799, y / 0.799), abs=4e-3)


def test_every_shape_here_is_made_of_outlines() -> None:
    kinds = {piece.kind for name, solid in SOLIDS.items() for piece in solid.shape.pieces()}
    assert kinds == {PieceKind.OUTLINE}
