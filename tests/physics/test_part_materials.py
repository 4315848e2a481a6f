"""Materials of links and parts, and the number of the link or part on contacts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.components import Combine
from tests.support.worlds import DT, collider, dynamic, game, kinematic, static, transform

GRAVITY = (0.0, -10.0)
ICE, GRASS, BELT, RUBBER = (
    ec.Material(friction=0.0),
    ec.Material(friction=1.0),
    ec.Material(surface_speed=2.0, friction=1.0),
    ec.Material(restitution=0.8),
)
SURFACES = (ICE, None, GRASS, BELT, RUBBER)
WIDTH = 10.0


def ground_chain(one_sided: bool) -> ec.Shape:
    """Ground with a link of 10 m for each surface, from x = 0 to the left."""
    return ec.Chain([(-WIDTH * k, 0.0) for k in range(6)], one_sided=one_sided, materials=SURFACES)


def compound() -> ec.Shape:
    boxes = [(ec.Box(WIDTH, 1.0), (-WIDTH * (k + 0.5), -0.5, 0.0)) for k in range(5)]
    return ec.Compound(boxes, materials=SURFACES)


GROUNDS: dict[str, Callable[[], ec.Shape]] = {
    "chain": lambda: ground_chain(False),
    "one-sided chain": lambda: ground_chain(True),
    "compound": compound,
    "compound of chains": lambda: ec.Compound([ground_chain(True)]),
    "compound of materials": lambda: ec.Compound([ec.Compound([compound()]), ec.Circle(0.1, (40.0, 0.0))]),
}


@pytest.mark.parametrize("ground", GROUNDS)
def test_each_part_has_its_own_friction(ground: str) -> None:
    with game(gravity=GRAVITY) as play:
        static(GROUNDS[ground](), friction=0.25)
        boxes = [dynamic(ec.Box(0.5, 0.5), (-WIDTH * (k + 0.5), 0.25), (3.0, 0.0), friction=1.0) for k in range(5)]
        play.step(24)
        speeds = [play.velocity(each)[0] for each in boxes]
        # The roots of the products: 0, 0.5, 1, 1 against a belt of 2 m/s, 0.5.
        t = 24 * DT
        assert speeds == pytest.approx([3.0, 3.0 - 5.0 * t, 0.0, 2.0, 3.0 - 5.0 * t], abs=0.2)


@pytest.mark.parametrize("response", ["impulse", "exact"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_each_part_has_its_own_restitution(ground: str, response: str) -> None:
    with game(gravity=GRAVITY, response=response) as play:
        static(GROUNDS[ground](), restitution=0.3)
        balls = [dynamic(ec.Circle(0.3), (-WIDTH * (k + 0.5), 1.3)) for k in range(5)]
        fastest = np.zeros(5)
        for _ in range(45):
            play.step()
            fastest = np.maximum(fastest, [play.velocity(each)[1] for each in balls])
        fall = (2.0 * 10.0 * 1.0) ** 0.5
        assert fastest == pytest.approx([0.3 * fall] * 4 + [0.8 * fall], abs=1.2 * 10.0 * DT)


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_contacts_name_the_link_and_the_part(response: str) -> None:
    for shape in (ground_chain(False), ground_chain(True), compound()):
        with game(gravity=GRAVITY, response=response) as play:
            ground = static(shape)
            balls = [dynamic(ec.Circle(0.3), (-WIDTH * (k + 0.5), 0.4)) for k in range(5)]
            play.step(30)
            starts = play.contacts("collision_start")
            found = {(contact.other(ground), contact.part_of(ground)) for contact in starts}
            assert found == {(ball, k) for k, ball in enumerate(balls)}
            assert {contact.part_of(contact.other(ground)) for contact in starts} == {0}
            with pytest.raises(ValueError, match="entity 99 is not part of"):
                starts[0].part_of(99)
            view = play.physics.contacts
            if response == "exact":
                continue  # a ball in flight has no contact
            parts = np.where(view.entity_a == ground, view.part_a, view.part_b)
            assert set(parts.tolist()) >= {0, 1, 2, 3}
            (contact,) = play.physics.contacts_of(balls[3])
            assert contact.part_of(ground) == 3


def test_contacts_of_sleeping_bodies_keep_their_part() -> None:
    with game(gravity=GRAVITY) as play:
        ground = static(ground_chain(True))
        box = dynamic(ec.Box(0.5, 0.5), (-25.0, 0.25))
        play.step(120)
        assert play.physics.statistics.sleeping_bodies == 1
        (contact,) = play.physics.contacts_of(box)
        assert contact.part_of(ground) == 2


def test_a_ball_rolls_until_the_resistance_of_a_link_stops_it() -> None:
    shape = ec.Chain([(10.0, 0.0), (0.0, 0.0), (-10.0, 0.0)], materials=[ec.Material(rolling_resistance=0.2), None])
    with game(gravity=GRAVITY) as play:
        static(shape, friction=1.0)
        left, right = (dynamic(ec.Circle(0.3), (x, 0.3), (-1.5, 0.0), angular=5.0, friction=1.0) for x in (-1.0, 5.0))
        play.step(180)
        assert play.velocity(left)[0] == pytest.approx(-1.5, abs=0.05)
        assert play.velocity(right)[0] == pytest.approx(0.0, abs=0.01)


def test_rules_of_the_colliders_combine_the_values() -> None:
    with game(gravity=GRAVITY) as play:
        ground = static(ground_chain(True), friction=0.5)
        collider(ground).friction_rule = Combine.MINIMUM
        box = dynamic(ec.Box(0.5, 0.5), (-25.0, 0.25), (3.0, 0.0), friction=0.1)
        play.step(30)
        assert play.velocity(box)[0] == pytest.approx(3.0 - 0.1 * 10.0 * 0.5, abs=0.03)


def test_the_collider_may_change_and_its_shape_may_be_replaced() -> None:
    """Parts without a value follow the collider, and a new shape brings its own materials."""
    with game(gravity=GRAVITY) as play:
        ground = static(ground_chain(True), friction=0.0)
        box = dynamic(ec.Box(0.5, 0.5), (-15.0, 0.25), (3.0, 0.0), friction=1.0)
        play.step(10)
        assert play.velocity(box)[0] == pytest.approx(3.0, abs=1e-6)
        collider(ground).friction = 1.0
        play.step(5)
        assert play.velocity(box)[0] < 2.5
        collider(ground).shape = ec.Chain([(-WIDTH * k, 0.0) for k in range(6)], one_sided=True, materials=[ICE] * 5)
        speed = play.velocity(box)[0]
        play.step(10)
        assert play.velocity(box)[0] == pytest.approx(speed, abs=0.05)
        collider(ground).shape = ec.Chain([(-WIDTH * k, 0.0) for k in range(6)], one_sided=True)
        play.step(30)
        assert play.velocity(box)[0] == pytest.approx(0.0, abs=1e-3)
        assert play.physics.pipeline.pieces.material_count == 0


def test_a_belt_link_carries_characters_and_bodies() -> None:
    with game(gravity=GRAVITY) as play:
        static(ground_chain(True), friction=1.0)
        crate = dynamic(ec.Box(0.5, 0.5), (-38.0, 0.25), friction=1.0)
        heroes = [kinematic(ec.Box(0.5, 1.0), (x, 0.6)) for x in (-37.0, -25.0)]
        for _ in range(60):
            for hero in heroes:
                play.physics.move_and_slide(hero, (0.0, -3.0), DT)
            play.step()
        assert transform(crate).x == pytest.approx(-38.0 + 2.0, abs=0.25)
        assert [transform(hero).x for hero in heroes] == pytest.approx([-35.0, -25.0], abs=0.1)


def test_attached_colliders_keep_their_parts() -> None:
    with game(gravity=GRAVITY) as play:
        host = static(ec.Circle(0.1), (0.0, -5.0))
        ground = static(ground_chain(True), (0.0, 0.0), friction=0.25)
        esper.add_component(ground, ec.AttachedTo(host, 0.0, 5.0))
        box = dynamic(ec.Box(0.5, 0.5), (-25.0, 0.25), (3.0, 0.0), friction=1.0)
        play.step(3)
        (contact,) = play.physics.contacts_of(box)
        assert contact.part_of(ground) == 2
        play.step(30)
        assert play.velocity(box)[0] == pytest.approx(0.0, abs=1e-3)


def test_snapshots_restore_materials_and_passing_bodies() -> None:
    """A world that returns to a snapshot repeats the same steps, with bodies half way through a one-sided chain."""
    rng = Random(3)
    with game(gravity=GRAVITY) as play:
        static(ground_chain(True), friction=0.3)
        for _ in range(30):
            speed = (rng.uniform(-3.0, 3.0), rng.uniform(-8.0, 12.0))
            dynamic(ec.Box(0.6, 0.6), (rng.uniform(-48.0, -2.0), rng.choice((-1.0, 2.0))), speed)
        play.step(13)
        taken = play.physics.snapshot()
        play.step(40)
        first = play.physics.state_hash()
        play.physics.restore(taken)
        play.step(40)
        assert play.physics.state_hash() == first
        play.physics.restore(ec.Snapshot.from_bytes(bytes(taken)))
        play.step(40)
        assert play.physics.state_hash() == first


def test_deleting_and_creating_counts_parts() -> None:
    with game(gravity=GRAVITY) as play:
        grounds = [static(ground_chain(True), (0.0, 5.0 * k)) for k in range(3)]
        play.step()
        pieces = play.physics.pipeline.pieces
        assert (pieces.part_count, pieces.material_count) == (12, 12)
        for ground in grounds[:2]:
            esper.delete_entity(ground)
        play.step()
        assert (pieces.part_count, pieces.material_count) == (4, 4)
