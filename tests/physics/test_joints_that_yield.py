"""A joint with a greatest force or torque yields to a greater load, and goes on holding with that force."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import ground

pytestmark = pytest.mark.usefixtures("fresh_world")

G = 10.0
STEP = 1 / 60


def weak_disk(x: float = 0.0, y: float = 0.0, mass: float = 2.0, angular: float = 0.0) -> tuple[int, ec.Velocity]:
    """Create a disk that collides with nothing and has an inertia of a quarter of its mass."""
    moves, weight = ec.Velocity(0.0, 0.0, angular), ec.RigidBody(mass=mass, inertia=0.25 * mass)
    return esper.create_entity(ec.Transform(x, y), moves, ec.Collider(ec.Circle(0.1), mask=0), weight), moves


def add_joint(joint: Any) -> Any:
    esper.create_entity(joint)
    return joint


def make_steps(count: int) -> None:
    for _ in range(count):
        esper.process(STEP)


HANGING: dict[str, Callable[[int, float], Any]] = {
    "pin": lambda body, most: ec.RevoluteJoint(body, max_force=most),
    "weld": lambda body, most: ec.WeldJoint(body, max_force=most),
    "rod": lambda body, most: ec.DistanceJoint(body, anchor_b=(0, 3), max_force=most),
    "rope": lambda body, most: ec.DistanceJoint(body, anchor_b=(0, 3), max_length=3, max_force=most),
    "slider": lambda body, most: ec.PrismaticJoint(body, max_force=most),
    "end of a slider": lambda body, most: ec.PrismaticJoint(body, axis=(0, 1), lower=0.0, max_force=most),
    "wheel": lambda body, most: ec.WheelJoint(body, axis=(1, 0), max_force=most),
}
"""Joints that hold a body at the origin against gravity, with a greatest force."""


@pytest.mark.parametrize("name", HANGING)
def test_a_body_falls_with_the_weight_that_its_joint_does_not_bear(name: str) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    body, velocity = weak_disk()
    joint = add_joint(HANGING[name](body, 12.0))
    make_steps(30)
    assert velocity.y == pytest.approx(-(G - 12.0 / 2.0) * 0.5, rel=1e-6)
    assert joint.force == pytest.approx(12.0, rel=1e-6)
    assert joint.gap == pytest.approx(0.5 * 4.0 * 0.5**2, rel=0.03)


@pytest.mark.parametrize("name", HANGING)
def test_a_joint_that_is_strong_enough_holds_as_one_without_a_bound(name: str) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    body, velocity = weak_disk()
    joint = add_joint(HANGING[name](body, 20.5))
    make_steps(120)
    assert velocity.y == pytest.approx(0.0, abs=1e-6)
    assert joint.force == pytest.approx(20.0, rel=1e-6)
    assert joint.gap < 1e-6


def test_a_joint_that_yielded_closes_again_with_its_force_and_without_overshoot() -> None:
    ec.install(sleeping=False)
    body, velocity = weak_disk(x=1.0)
    joint = add_joint(ec.RevoluteJoint(body, anchor_a=(0, 0), anchor_b=(0, 0), max_force=10.0))
    gaps = []
    for _ in range(120):
        esper.process(STEP)
        assert joint.force <= 10.0 + 1e-9
        assert esper.component_for_entity(body, ec.Transform).x > -1e-3
        gaps.append(joint.gap)
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(gaps))
    assert gaps[-1] < 1e-9
    assert velocity.x == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        lambda body: ec.WeldJoint(body, max_torque=2.0),
        lambda body: ec.PrismaticJoint(body, max_torque=2.0),
        lambda body: ec.RevoluteJoint(body, upper=0.0, max_torque=2.0),
    ],
    ids=["weld", "slider", "limit of a hinge"],
)
def test_a_spin_is_braked_by_the_greatest_torque(make: Callable[[int], Any]) -> None:
    ec.install(sleeping=False)
    body, velocity = weak_disk(angular=10.0)
    joint = add_joint(make(body))
    make_steps(60)
    assert velocity.angular == pytest.approx(10.0 - 2.0 / 0.5, rel=1e-6)
    assert abs(joint.torque) == pytest.approx(2.0, rel=1e-6)
    assert joint.angle_gap == pytest.approx(10.0 - 0.5 * 4.0, rel=0.01)
    make_steps(600)
    assert joint.angle_gap < 1e-3
    assert velocity.angular == pytest.approx(0.0, abs=0.15)


@pytest.mark.parametrize("spring", [{"hertz": 3.0, "damping_ratio": 0.4}, {"stiffness": 100.0, "damping": 4.0}])
@pytest.mark.parametrize("kind", ["distance", "slider", "wheel"])
def test_a_spring_pulls_with_its_greatest_force_and_is_a_usual_spring_below_it(kind: str, spring: Any) -> None:
    def make(most: float, x: float) -> Any:
        body, _ = weak_disk(x=x)
        if kind == "distance":
            return add_joint(ec.DistanceJoint(body, anchor_b=(x, 1), length=1, max_force=most, **spring))
        axis = ec.PrismaticJoint if kind == "slider" else ec.WheelJoint
        return add_joint(axis(body, axis=(0, 1), max_force=most, **spring))

    ec.install(gravity=(0.0, -G), sleeping=False)
    weak, strong, usual = make(8.0, 0.0), make(1e4, 1.0), make(math.inf, 2.0)
    for _ in range(40):
        esper.process(STEP)
        assert weak.force <= 8.0 + 1e-9
        where = "length" if kind == "distance" else "translation"
        assert getattr(strong, where) == pytest.approx(getattr(usual, where), abs=1e-6)
    assert weak.force == pytest.approx(8.0, rel=1e-9)
    assert strong.force == pytest.approx(usual.force, rel=1e-4)


def test_two_bodies_pull_each_other_and_keep_their_momentum() -> None:
    ec.install(sleeping=False)
    (a, of_a), (b, of_b) = weak_disk(mass=1.0), weak_disk(x=0.5, mass=50.0)
    of_b.linear = 3.0, 1.0
    add_joint(ec.WeldJoint(a, b, max_force=30.0, max_torque=4.0))
    for _ in range(180):
        esper.process(STEP)
        assert of_a.x + 50.0 * of_b.x == pytest.approx(150.0, abs=1e-9)
        assert of_a.y + 50.0 * of_b.y == pytest.approx(50.0, abs=1e-9)


def weak_chain(count: int, most: float, load: float = 1.0) -> tuple[list[Any], list[int]]:
    """Create a chain of links to the right of the origin, pinned to the world, with a load at its end."""
    joints, links, before = [], [], None
    for k in range(count):
        mass = load if k == count - 1 else 1.0
        link, _ = weak_disk(x=0.5 * k + 0.25, mass=mass)
        joints.append(add_joint(ec.RevoluteJoint(link, before, point=(0.5 * k, 0.0), max_force=most)))
        links.append(link)
        before = link
    return joints, links


def energy_of_links(links: list[int]) -> float:
    """Return the mechanical energy of bodies [J]."""
    physics = ec.physics()
    heights = [esper.component_for_entity(link, ec.Transform).y for link in links]
    masses = [esper.component_for_entity(link, ec.RigidBody).mass or 0.0 for link in links]
    return sum(physics.kinetic_energy(link) + m * G * y for link, m, y in zip(links, masses, heights, strict=True))


@pytest.mark.parametrize("load", [1.0, 100.0])
def test_a_chain_that_bears_its_load_swings_as_one_of_usual_pins_and_gains_no_energy(load: float) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    joints, links = weak_chain(8, 1e6, load)
    for _ in range(300):
        esper.process(STEP)
        assert max(joint.gap for joint in joints) < 2e-3
        assert energy_of_links(links) < 0.005 * G * 0.5 * 4.0 * (7.0 + 2.0 * load)


def test_the_first_pin_of_a_chain_yields_to_the_weight_of_all() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    links = [weak_disk(y=-0.5 * k)[0] for k in range(6)]
    joints = [add_joint(ec.RevoluteJoint(links[0], max_force=100.0))]
    joints += [
        add_joint(ec.RevoluteJoint(b, a, point=(0, -0.5 * k))) for k, (a, b) in enumerate(itertools.pairwise(links))
    ]
    make_steps(30)
    falls = G - 100.0 / 12.0
    assert [esper.component_for_entity(link, ec.Velocity).y for link in links] == pytest.approx(
        [-0.5 * falls] * 6, rel=1e-4
    )
    assert joints[0].force == pytest.approx(100.0, rel=1e-6)
    assert joints[1].force == pytest.approx(10.0 * (G - falls), rel=1e-4)


def test_a_crate_that_is_dragged_by_a_weak_weld_slides_with_friction() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    ground(friction=0.5)
    sled = esper.create_entity(
        ec.Transform(0, 2),
        ec.Velocity(3.0, 0),
        ec.Collider(ec.Circle(0.1), mask=0),
        ec.RigidBody(ec.BodyKind.KINEMATIC),
    )
    crate = esper.create_entity(
        ec.Transform(0, 0.5), ec.Velocity(), ec.Collider(ec.Box(1, 1), friction=0.5), ec.RigidBody(mass=2)
    )
    joint = add_joint(ec.PrismaticJoint(sled, crate, axis=(0, 1), max_force=16.0))
    make_steps(30)
    moves = esper.component_for_entity(crate, ec.Velocity)
    assert joint.force == pytest.approx(16.0, rel=1e-3)
    assert moves.x == pytest.approx((16.0 - 0.5 * 2.0 * G) / 2.0 * 0.5, rel=0.05)


def test_a_bound_may_be_written_at_any_time() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    body, velocity = weak_disk()
    joint = add_joint(ec.RevoluteJoint(body))
    make_steps(10)
    joint.max_force = 5.0
    make_steps(12)
    assert velocity.y == pytest.approx(-(G - 2.5) * 0.2, rel=1e-6)
    joint.max_force = math.inf
    make_steps(60)
    assert joint.gap < 1e-6
    assert velocity.y == pytest.approx(0.0, abs=1e-6)


def test_a_weak_joint_in_a_loop_yields_alone() -> None:
    ec.install(sleeping=False)
    bodies = [weak_disk(x=math.cos(k * math.pi / 2), y=math.sin(k * math.pi / 2))[0] for k in range(4)]
    rods = [
        add_joint(ec.DistanceJoint(a, b, max_force=3.0 if k == 0 else math.inf))
        for k, (a, b) in enumerate(zip(bodies, bodies[1:] + bodies[:1], strict=True))
    ]
    for body, push in ((bodies[0], 8.0), (bodies[1], -8.0)):
        esper.add_component(body, ec.Force(push, -push))
    make_steps(30)
    assert rods[0].force == pytest.approx(3.0, rel=1e-6)
    assert rods[0].gap > 0.1
    assert max(rod.gap for rod in rods[1:]) < 1e-4
