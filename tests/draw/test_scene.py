"""The description of a world for drawing: what is where, with which colour, and each switch."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.draw.style import State
from tests.support.worlds import Game, disk, dynamic, floor, game, kinematic, run, static


def states(scene: draw.Scene) -> dict[int, str]:
    """Return the state of each drawn entity by the tone that it has."""
    of = [scene.solids.of, scene.areas.of, scene.lines.of, scene.discs.of]
    return {
        entity: State(tone).name
        for things in of
        for entity, tone in zip(things.entity.tolist(), things.tone.tolist(), strict=True)
    }


def test_each_state_has_its_tone(fresh_world: str) -> None:
    physics = ec.install()
    still = static(ec.Box(1.0, 1.0), (-9.0, 0.0))
    lift = kinematic(ec.Box(1.0, 1.0), (-6.0, 0.0))
    ball = disk(-3.0)
    sensor = static(ec.Circle(1.0), (3.0, 0.0), sensor=True)
    off = static(ec.Circle(1.0), (6.0, 0.0), enabled=False)
    run(60)
    late = disk(9.0)
    assert not physics.is_awake(ball)
    assert states(draw.scene()) == {
        still: "STATIC",
        lift: "KINEMATIC",
        ball: "SLEEPING",
        sensor: "SENSOR",
        off: "DISABLED",
        late: "DYNAMIC",
    }
    assert states(draw.scene(show=draw.Show(sleep=False, sensors=False))) == {
        still: "STATIC",
        lift: "KINEMATIC",
        ball: "DYNAMIC",
        off: "DISABLED",
        late: "DYNAMIC",
    }
    assert states(draw.scene(only=[ball])) == {ball: "SLEEPING"}
    assert states(draw.scene(show=draw.Show(shapes=False))) == {}


def test_bodies_are_drawn_before_the_first_step(fresh_world: str) -> None:
    ec.install()
    still, sensor, lift = static(ec.Box(1.0, 1.0)), disk(moving=False, sensor=True), kinematic(ec.Box(1.0, 1.0))
    assert states(draw.scene()) == {still: "STATIC", sensor: "SENSOR", lift: "KINEMATIC"}


def test_corners_lie_where_the_body_is(fresh_world: str) -> None:
    ec.install()
    box = dynamic(ec.Box(2.0, 1.0), (3.0, 4.0), angle=0.5 * math.pi)
    for _ in range(2):
        scene = draw.scene()
        assert scene.solids.of.entity.tolist() == [box]
        corners = sorted(np.round(scene.solids.points, 9).tolist())
        assert corners == [[2.5, 3.0], [2.5, 5.0], [3.5, 3.0], [3.5, 5.0]]
        run()


def test_many_bodies_with_equal_shapes_of_their_own(fresh_world: str) -> None:
    ec.install()
    places = [(2.0 * k, 0.0) for k in range(40)]
    entities = [dynamic(ec.Box(1.0, 0.5 + 0.5 * (k % 2)), place) for k, place in enumerate(places)]
    run()
    areas = draw.scene().solids
    middles = {
        entity: areas.points[start:end].mean(axis=0).tolist()
        for entity, start, end in zip(areas.of.entity.tolist(), areas.starts[:-1], areas.starts[1:], strict=True)
    }
    assert middles == {entity: pytest.approx(place) for entity, place in zip(entities, places, strict=True)}


def test_a_shape_that_was_exchanged_is_drawn_at_once(fresh_world: str) -> None:
    ec.install()
    box = dynamic(ec.Box(2.0, 1.0))
    run()
    esper.component_for_entity(box, ec.Collider).shape = ec.Box(6.0, 1.0)
    assert np.ptp(draw.scene().solids.points[:, 0]) == pytest.approx(6.0)


def test_a_shape_of_a_game_s_own_class_is_the_union_of_its_pieces(fresh_world: str) -> None:
    class Twin(ec.Shape):
        def pieces(self) -> tuple[ec.shapes.Piece, ...]:
            return (*ec.Box(1.0, 1.0).pieces(), *ec.Circle(0.5, center=(3.0, 0.0)).pieces())

        def mass_properties(self) -> ec.shapes.MassProperties:
            return ec.Compound([ec.Box(1.0, 1.0), ec.Circle(0.5, center=(3.0, 0.0))]).mass_properties()

    ec.install()
    dynamic(Twin())
    points = draw.scene().areas.points
    assert (points.min(axis=0).tolist(), points.max(axis=0).tolist()) == ([-0.5, -0.5], pytest.approx([3.5, 0.5]))


def test_interpolated_poses_lie_between_two_steps() -> None:
    with game(fixed_dt=0.1) as play:
        disk(0.0)
        dynamic(ec.Circle(0.5), (0.0, 3.0), (10.0, 0.0))
        play.step(dt=0.25)
        between, now = draw.scene(play.physics), draw.scene(play.physics, interpolated=False)
        assert now.discs.center[1, 0] == pytest.approx(2.0)
        assert between.discs.center[1, 0] == pytest.approx(1.5)


def resting_box(play: Game, steps: int) -> None:
    floor()
    dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
    play.step(steps)


@pytest.mark.parametrize("steps", [5, 120], ids=["awake", "asleep"])
def test_contacts_with_normals_and_impulses_are_there_asleep_or_awake(steps: int) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        resting_box(play, steps)
        assert (play.physics.statistics.sleeping_bodies == 1) == (steps > 100)
        assert len(draw.scene().contacts.point) == 0
        contacts = draw.scene(show=draw.Show(contacts=True)).contacts
        assert sorted(contacts.point[:, 0].tolist()) == pytest.approx([-0.5, 0.5])
        assert contacts.normal.tolist() == [pytest.approx([0.0, 1.0])] * 2
        assert contacts.impulse.sum() == pytest.approx(10.0 / 60.0, rel=0.02)


def test_joints_have_anchors_and_limits(fresh_world: str) -> None:
    ec.install()
    a, b = dynamic(ec.Box(1.0, 1.0)), dynamic(ec.Box(1.0, 1.0), (3.0, 0.0), angle=0.5 * math.pi)
    esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(1.5, 0.0), lower=-1.0, upper=2.0))
    esper.create_entity(ec.DistanceJoint(b, anchor_a=(0.0, 0.5), anchor_b=(3.0, 5.0), max_length=7.0))
    esper.create_entity(ec.PrismaticJoint(a, anchor_a=(0.0, 0.0), axis=(0.0, 1.0), lower=-1.0, upper=1.0))
    esper.create_entity(ec.FrictionJoint(a, max_torque=1.0))
    run()
    scene = draw.scene(show=draw.Show(limits=True), scale=24.0)
    assert len(scene.joints.ends) == 3  # a friction joint has no anchors
    assert scene.joints.ends[0].tolist() == [pytest.approx([1.5, 0.0])] * 2
    assert sorted(scene.joints.ends[1].tolist()) == [pytest.approx([2.5, 0.0]), pytest.approx([3.0, 5.0])]
    arc = scene.joints.limits[0]
    assert np.hypot(*(arc - (1.5, 0.0)).T) == pytest.approx(1.0)
    turned = np.arctan2(arc[:, 1], arc[:, 0] - 1.5)
    assert (turned[0], turned[-1]) == (pytest.approx(-1.0), pytest.approx(2.0))
    ends = [limit[[0, -1]].mean(axis=0).tolist() for limit in scene.joints.limits]
    way = np.array((-0.5, -5.0)) / math.hypot(0.5, 5.0)
    assert any(end == pytest.approx([3.0 + 7.0 * way[0], 5.0 + 7.0 * way[1]]) for end in ends)
    along_y = [limit.tolist() for limit in scene.joints.limits if len(limit) == 2 and np.ptp(limit[:, 0]) < 1e-9]
    assert along_y[0] == [pytest.approx([0.0, -1.0]), pytest.approx([0.0, 1.0])]
    assert draw.scene(show=draw.Show(joints=False)).joints.ends.shape == (0, 2, 2)


def test_a_target_joint_reaches_to_its_target(fresh_world: str) -> None:
    ec.install()
    ball = disk(1.0)
    esper.create_entity(ec.TargetJoint(ball, (1.0, 0.0)))
    run()
    joint = esper.get_component(ec.TargetJoint)[0][1]
    joint.target = (4.0, 2.0)
    assert sorted(draw.scene().joints.ends[0].tolist()) == [pytest.approx([1.0, 0.0]), pytest.approx([4.0, 2.0])]


def test_boxes_velocities_axes_centers_and_labels(fresh_world: str) -> None:
    ec.install(length_unit=10.0)
    half = ec.Sector(10.0, 0.5 * math.pi)
    body = dynamic(half, (50.0, 0.0), (20.0, 0.0))
    run()
    scene = draw.scene(show=draw.Show.everything())
    (centroid, _), x = half.mass_properties().centroid, 50.0 + 20.0 / 60.0
    assert scene.marks.paths[0].tolist() == [pytest.approx([x + centroid, 0.0]), pytest.approx([x + centroid + 2.0, 0])]
    assert scene.marks.centers.tolist() == [pytest.approx([x + centroid, 0.0])]
    assert scene.marks.axes.tolist() == [pytest.approx([x, 0.0, 0.0])]
    left, low, right, high = scene.marks.boxes[0].tolist()
    assert left < x < right and low < 0.0 < high
    assert [tuple(label) for label in scene.labels] == [(pytest.approx(x), 0.0, str(body))]
    assert draw.scene(show=draw.Show(labels=lambda entity: f"<{entity}>")).labels[0].text == f"<{body}>"
    assert draw.scene(show=draw.Show(labels=lambda entity: "")).labels == []


def test_statistics_are_lines_of_text(fresh_world: str) -> None:
    ec.install()
    disk()
    run()
    text = draw.scene(show=draw.Show(statistics=True)).text
    assert [name for name, _ in text] == [
        *("Synchronise", "Broadphase", "Narrowphase", "Response", "Notify", "step"),
        *("bodies", "moving", "sleeping", "pairs", "contacts"),
    ]
    assert text[-5] == ("bodies", "1")
    assert text[5][1].endswith(" ms")


def test_a_game_paints_its_entities(fresh_world: str) -> None:
    ec.install()
    red, plain = disk(0.0), disk(3.0)
    sensor = static(ec.Circle(1.0), (6.0, 0.0), sensor=True)
    run()
    scene = draw.scene(paint=lambda entity: None if entity == plain else (200, 40, 40))
    tones = {entity: scene.tones[tone] for entity, tone in zip(scene.discs.of.entity, scene.discs.of.tone, strict=True)}
    assert tones[red].fill == (200, 40, 40)
    assert tones[plain] == scene.tones[State.DYNAMIC]
    assert tones[sensor].edge == (200, 40, 40) != tones[sensor].fill


def test_ghosts_are_pale_shapes_without_bodies(fresh_world: str) -> None:
    ec.install()
    red = disk(0.0)
    run()
    ghosts = [draw.Ghost(ec.Box(1.0, 1.0), (5.0, 0.0, 0.0), red), draw.Ghost(ec.Circle(0.5), (8.0, 0.0, 0.0))]
    show = draw.Show(labels=True, axes=True)
    scene = draw.scene(show=show, ghosts=ghosts, paint=lambda entity: (200, 40, 40) if entity == red else None)
    assert scene.solids.points.mean(axis=0).tolist() == [5.0, 0.0]
    tone = scene.tones[scene.solids.of.tone[0]]
    assert tone.edge == (200, 40, 40) != tone.fill
    assert scene.discs.center[:, 0].tolist() == [0.0, 8.0]
    assert scene.solids.of.layer.tolist() == [0]
    assert len(scene.labels) == len(scene.marks.axes) == 1


def test_a_picture_fits_what_moves_and_still_bodies_near_it(fresh_world: str) -> None:
    ec.install()
    floor()
    static(ec.Box(1000.0, 1.0), (0.0, -0.5))
    assert draw.scene().fit().right > 500.0
    dynamic(ec.Box(1.0, 1.0), (0.0, 4.0))
    left, low, right, high = draw.scene().fit()
    assert -3.0 < left < -0.5 < 0.5 < right < 3.0
    assert 2.5 < low < 3.5 and 4.5 < high < 5.5
    dynamic(ec.Box(1.0, 1.0), (0.0, 1.0))
    assert draw.scene().fit().low < 0.0


def test_an_empty_world_has_a_picture(fresh_world: str) -> None:
    ec.install()
    assert draw.scene().fit() == (-1.0, -1.0, 1.0, 1.0)
    assert draw.scene().svg().startswith("<svg")


@pytest.mark.parametrize(("gravity", "y_up"), [((0, -9.81), True), ((0, 0), True), ((0, 9.81), False)])
def test_y_points_up_unless_gravity_points_to_larger_y(gravity: tuple[float, float], y_up: bool) -> None:
    with game(gravity=gravity):
        assert draw.scene().y_up is y_up
        assert draw.scene(y_up=not y_up).y_up is not y_up


def test_without_physics_there_is_an_error(fresh_world: str) -> None:
    with pytest.raises(ec.PhysicsError, match=r"call ecs_collide\.install"):
        draw.scene()


def test_an_exact_world_is_drawn_with_its_contacts() -> None:
    with game(response="exact") as play:
        dynamic(ec.Circle(0.5), (-0.6, 0.0), (6.0, 0.0))
        disk(0.6)
        play.step(3)
        scene = draw.scene(show=draw.Show.everything())
        assert len(scene.discs.radius) == 2
        for _ in range(5):
            if len(scene.contacts.point):
                break
            play.step()
            scene = draw.scene(show=draw.Show.everything())
        assert scene.contacts.normal.tolist() == [pytest.approx([1.0, 0.0])]
