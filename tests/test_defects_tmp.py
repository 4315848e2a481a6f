"""What the engine gets wrong at ptests' head. Copy next to tests/narrowphase/test_outline_convex.py, or run in place with
PYTHONPATH=<worktree>. Those marked (patch) pass with axes.patch; (recycle) with recycles=False for OUTLINE rows."""

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.narrowphase.test_outline_convex import NEIGHBOURS, NEAR, REACH, SOLIDS
from tests.physics.test_event_balance import Ledger, settle
from tests.physics.test_shapes_at_rest import DROPPED, PAIRS, SUPPORTS, come_to_rest
from tests.support.reference import boundary
from tests.support.reference.shape_bench import contact_points
from tests.support.reference.solids import brought_near
from tests.support.worlds import dynamic, game, static


# D7 (patch): several exposed edges in line in one piece, covered ones between them: only one of them is ever asked.
def test_a_ball_stands_on_both_shoulders_of_a_t():
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.Bitmap([[1, 1, 1], [0, 1, 0]], 1.0))
        balls = [dynamic(ec.Circle(0.25), (x, 1.3)) for x in (0.4, 2.6)]
        play.step(120)
        for ball in balls:
            assert play.pose(ball)[1] == pytest.approx(1.25, abs=0.01)


# D3 (patch): the best axis allows no contact, the next one that does is far worse, and the point is past that edge's end.
def test_a_capsule_beside_an_ell_is_not_thrown_up():
    pose = np.array([(-0.8207474, -0.26907164, -1.57940751)])
    found = contact_points(SOLIDS["ell"].shape, ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.8), np.zeros((1, 3)), pose, REACH)
    assert found.separation.min() > 0.0  # 17 mm apart; found -0.93 with the normal (0, -1)


def test_a_ball_in_a_bowl_does_not_meet_the_rims_top():
    found = contact_points(SOLIDS["bowl"].shape, ec.Circle(1.0), np.zeros((1, 3)), np.array([(0.0, 0.306, 0.0)]), REACH)
    assert found.separation.min() > -0.1  # found -0.894


# D6 (patch): an inward arc that is far from the corner in its span hides the contact at the rim's corner.
def test_a_box_on_the_rim_of_a_bowl_has_a_contact():
    pose = np.array([(-0.8311053594747662, 0.5816952181613659, -1.6807266419752)])
    assert len(contact_points(SOLIDS["bowl"].shape, ec.Box(0.8, 0.5), np.zeros((1, 3)), pose, REACH).case)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in SOLIDS for b in NEIGHBOURS if (a, b) not in NEAR])
def test_near_pairs(a, b):
    solid, (shape, outline) = SOLIDS[a], NEIGHBOURS[b]
    poses, gaps = brought_near(solid.boundary, outline, 60, 4)
    lowest = contact_points(solid.shape, shape, np.zeros_like(poses), poses, REACH).lowest(len(poses))
    missed = np.flatnonzero((gaps < REACH - 1e-5) & ~np.isfinite(lowest))
    deep = np.flatnonzero(np.isfinite(lowest) & (lowest < gaps - 0.01))
    assert not len(missed), ("missed", gaps[missed[0]], poses[missed[0]].tolist())
    assert not len(deep), ("too deep", gaps[deep[0]], lowest[deep[0]], poses[deep[0]].tolist())


# D3 (patch): the same on a bent chain: a ball near the bend, 0.17 too deep.
def test_a_chain_is_met_from_both_sides_and_its_inner_corners_give_nothing() -> None:
    chain = ec.Chain([(-2.0, 0.0), (0.0, 0.0), (1.5, 1.0), (3.0, 1.0)])
    a, b, c, d = (np.array(point) for point in chain.points)
    random = np.random.default_rng(9)
    poses = np.column_stack((random.uniform(-2.5, 3.5, 3000), random.uniform(-1.0, 2.0, 3000), np.zeros(3000)))
    distance = np.minimum.reduce(
        [boundary.Edge(tuple(p), tuple(q)).distance(poses[:, :2]) for p, q in ((a, b), (b, c), (c, d))]
    )
    found = contact_points(chain, ec.Circle(0.3), np.zeros_like(poses), poses, REACH)
    lowest = found.lowest(3000)
    within = distance - 0.3 < REACH
    assert (np.isfinite(lowest) == within).all()
    assert np.abs(lowest - distance + 0.3)[within].max() < 1e-6
    above = found.normal[(found.point[:, 0] < -0.5)]
    assert {tuple(np.round(n, 6)) for n in above if abs(n[0]) < 1e-9} == {(0.0, 1.0), (0.0, -1.0)}
    # in the bend's inner side, above (0, 0), both links give their own normals and the corner none of its own
    inner = contact_points(chain, ec.Circle(0.3), np.zeros((1, 3)), np.array([(-0.09, 0.3, 0.0)]), REACH)
    slope = (c - b) / math.dist(b, c)
    normals = {tuple(np.round(n, 6)) for n in inner.normal}
    assert normals <= {(0.0, 1.0), tuple(np.round((-slope[1], slope[0]), 6))}
    assert len(normals) == 2




# D7 (patch): floors between the teeth of a comb are in line.
@pytest.mark.parametrize("radius", [0.02, 0.3, 1.0])
def test_circles_on_a_comb(radius):
    shape, outline = SOLIDS["comb"]
    random = np.random.default_rng(2)
    poses = np.column_stack((random.uniform(-2.2, 2.2, (4000, 2)), np.zeros(4000)))
    exact = outline.signed_distance(poses[:, :2])
    poses, exact = poses[exact > 0.0], exact[exact > 0.0] - radius
    lowest = contact_points(shape, ec.Circle(radius), np.zeros_like(poses), poses, REACH).lowest(len(poses))
    has = np.isfinite(lowest)
    assert (has == (exact < REACH))[np.abs(exact - REACH) > 1e-6].all()
    assert np.abs(lowest - exact)[has].max() < 1e-6


# D8 (recycle): a manifold kept over 5 mm of rolling feeds the rocking. D9: nothing of several pieces stands on a chain.
@pytest.mark.parametrize(
    ("dropped", "support"),
    [(d, s) for d in DROPPED for s in SUPPORTS if (d, s) not in PAIRS and not d == s == "chain"],
)
def test_it_comes_to_rest(dropped, support):
    come_to_rest(dropped, support)


# D9: guard "the corner is in front of the other piece's middle" rejects whatever is past the line of a thin piece.
@pytest.mark.parametrize("thin", [ec.Chain([(-4.0, 0.0), (0.0, 0.0), (4.0, 0.0)]), ec.Box(8.0, 0.1)])
def test_a_decomposed_body_does_not_fall_through_something_thin(thin):
    with game(gravity=(0.0, -10.0)) as play:
        base = static(thin)
        body = dynamic(ec.Bitmap([[1, 1, 1], [0, 1, 0]], 0.3), (0.15, 1.8), angle=0.4)
        play.step(120)
        assert play.physics.touching(base, body)


# D10: a wedge of a ring gives the deepest corner only: a box with both corners in one wedge trembles for ever.
@pytest.mark.parametrize("degrees", [0.0, 6.0, 11.25])
def test_a_small_box_comes_to_rest_in_a_ring(degrees):
    turn = math.radians(degrees)
    with game(gravity=(9.81 * math.sin(turn), -9.81 * math.cos(turn))) as play:
        static(ec.Ring(5.0))
        body = dynamic(ec.Box(0.5, 0.3), (4.8 * math.sin(turn), -4.8 * math.cos(turn)), angle=turn)
        play.step(600)
        vx, vy, w = play.velocity(body)
        assert math.hypot(vx, vy) + abs(w) < 1e-2


# D11: a new shape of several pieces that touches again at once is told neither end nor start; one of one piece is.
@pytest.mark.parametrize("shape", [ec.Circle(0.3), ec.Sector(0.3, 2.5)])
@pytest.mark.parametrize("before", [ec.Circle(0.31), ec.Sector(0.31, 2.5)])
def test_a_new_shape_is_a_new_contact(shape, before):
    with game() as play:
        static(ec.Box(4.0, 1.0, (0.0, -0.5)))
        body = dynamic(before, (0.0, 0.29))
        play.step(2)
        import esper

        esper.component_for_entity(body, ec.Collider).shape = shape
        play.step(1)
        assert [name for _, name, _ in play.events] == ["collision_start", "collision_end", "collision_start"]


# D4: a centre inside the solid near a cut, or inside a piece that is covered all round, has no contact at all.
@pytest.mark.parametrize("name", ["ell", "star", "reflex sector", "nearly a disk", "lens", "moon"])
@pytest.mark.parametrize("radius", [0.02, 0.3, 1.0])
def test_deep_inside_there_is_some_contact(name, radius):
    random = np.random.default_rng(1)
    poses = np.column_stack((random.uniform(-1.8, 1.8, (2000, 2)), np.zeros(2000)))
    inside = SOLIDS[name].boundary.signed_distance(poses[:, :2]) < -0.005
    found = contact_points(SOLIDS[name].shape, ec.Circle(radius), np.zeros_like(poses), poses, REACH)
    assert np.isfinite(found.lowest(2000))[inside].all()


# D5: amplitude of a rocking slice grows (fixed contact point within a step): 0.05 -> 0.092 rad in 15 s at 60 Hz.
@pytest.mark.parametrize("half_angle", [math.pi / 3.0, math.pi / 2.0])
def test_rocking_does_not_gain_energy(half_angle):
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.HalfPlane(), friction=1.0)
        body = dynamic(ec.Sector(1.0, half_angle, -0.5 * math.pi), (0.0, 1.0), angle=0.05, friction=1.0)
        angles = []
        for _ in range(900):
            play.step()
            angles.append(abs(play.pose(body)[2]))
        assert max(angles[-200:]) < 0.055
