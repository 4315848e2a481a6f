"""The golden state: scenes end in the same bits whatever CPU the kernels are compiled for, and without the JIT.

The expected hashes are part of this file. A change of any formula or order of sums changes them. Run this file as a
program to print the new ones, and give the reason in the commit message.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from tests.support.own_kernels import not_plain
from tests.support.processes import run_python
from tests.support.worlds import DT, game


def create_pyramid(base: int) -> None:
    """Boxes that stand."""
    ec.spawn(ec.HalfPlane((0.0, 1.0)), [(0.0, 0.0)], friction=0.6)
    places = [(column + 0.5 * row, row + 0.5) for row in range(base) for column in range(base - row)]
    ec.spawn(ec.Box(1.0, 1.0), places, velocities=np.zeros((len(places), 2)), friction=0.6)


def rain(count: int) -> None:
    """Circles, capsules, boxes and polygons that fall on ground, a slope and each other, turning and bouncing."""
    random = np.random.default_rng(8)
    shapes: tuple[ec.Shape, ...] = (
        ec.Circle(0.4),
        ec.Box(0.8, 0.5),
        ec.Capsule((-0.3, 0.0), (0.3, 0.1), 0.2),
        ec.Polygon([(-0.4, -0.3), (0.5, -0.3), (0.2, 0.5), (-0.3, 0.3)], radius=0.05),
    )
    ec.spawn([ec.HalfPlane((0.0, 1.0)), ec.Segment((2.0, 0.0), (5.0, 2.0))], [(0.0, 0.0)] * 2, friction=0.4)
    ec.spawn(
        [shapes[k % 4] for k in range(count)],
        np.column_stack((random.uniform(-4.0, 4.0, count), 1.0 + 0.2 * np.arange(count))),
        angles=random.uniform(-3.0, 3.0, count),
        velocities=random.normal(0.0, 2.0, (count, 2)),
        angular_velocities=random.normal(0.0, 3.0, count),
        friction=0.4,
        restitution=0.3,
    )


def create_circle_gas(side: int) -> None:
    """Elastic circles in a box."""
    random = np.random.default_rng(4)
    half = 0.8 * side
    walls = [
        ((1.0, 0.0), (-half, 0.0)),
        ((-1.0, 0.0), (half, 0.0)),
        ((0.0, 1.0), (0.0, -half)),
        ((0.0, -1.0), (0.0, half)),
    ]
    for normal, place in walls:
        ec.spawn(ec.HalfPlane(normal), [place], friction=0.0, restitution=1.0)
    grid = 1.5 * (np.arange(side) - 0.5 * (side - 1))
    places = np.array([(x, y) for x in grid for y in grid])
    speeds = random.normal(0.0, 3.0, places.shape)
    ec.spawn(ec.Circle(0.5), places, velocities=speeds, friction=0.0, restitution=1.0)


def jointed(count: int) -> None:
    """Trees of every kind of joint that hang, swing and lie on ground, with limits, motors, springs and loops."""
    random = np.random.default_rng(3)
    ec.spawn(ec.HalfPlane((0.0, 1.0)), [(0.0, -2.0)], friction=0.5)
    for tree in range(count):
        x = 4.0 * tree
        places = np.column_stack((x + 0.6 * np.arange(10), random.uniform(1.0, 2.0, 10)))
        links = ec.spawn(ec.Box(0.5, 0.2), places, velocities=random.normal(0.0, 1.0, (10, 2)), friction=0.4)
        ends: dict[str, Any] = {"anchor_a": (0.3, 0.0), "anchor_b": (-0.3, 0.0)}
        a, b, c, d, e, f, g, h, i, j = links
        for joint in (
            ec.RevoluteJoint(a, point=(x, 1.5), lower=-2.0, upper=0.5),
            ec.RevoluteJoint(a, b, **ends, motor_speed=2.0, max_motor_torque=1.0),
            ec.WeldJoint(b, c, **ends, hertz=5.0, damping_ratio=0.3),
            ec.DistanceJoint(c, d),
            ec.PrismaticJoint(d, e, axis=(1.0, 0.0), lower=-0.2, upper=0.4, hertz=2.0),
            ec.WheelJoint(e, f, axis=(0.0, 1.0), hertz=3.0, motor_speed=5.0, max_motor_torque=0.2),
            ec.RevoluteJoint(f, g, **ends, hertz=1.0),
            ec.RevoluteJoint(g, h, **ends),
            ec.RevoluteJoint(h, i, **ends),
            ec.RevoluteJoint(i, g, anchor_a=(0.0, 0.4), anchor_b=(0.0, 0.4)),
            ec.DistanceJoint(i, j, max_length=0.8),
            ec.FrictionJoint(j, max_force=0.2, max_torque=0.1),
            ec.TargetJoint(a, (x + 1.0, 2.0), max_force=3.0),
        ):
            esper.create_entity(joint)


GRAVITY = (0.0, -9.81)
GOLDEN: dict[str, tuple[Callable[[int], None], int, tuple[float, float], int, str]] = {
    "pyramid": (create_pyramid, 12, GRAVITY, 300, "974b753c64805c9964ffd8450090af42"),
    "rain": (rain, 120, GRAVITY, 300, "2a4d989d2d6c9c154b469e7fcbafd95b"),
    "gas": (create_circle_gas, 16, (0.0, 0.0), 300, "7366ed1b57f2303ae64a6db80e79a5cc"),
    "joints": (jointed, 9, GRAVITY, 200, "6b2df15c7b16ac2aac9f8caf46d01902"),
    "sleepy pyramid": (create_pyramid, 6, GRAVITY, 100, "b027889bbd08bf44049d180a9e89ca07"),
    "small pyramid": (create_pyramid, 4, GRAVITY, 60, "dcd02e0558aca10c8fa7873df434e59a"),
    "small rain": (rain, 16, GRAVITY, 100, "62514877abbca92a0e44a26b91e67946"),
    "small joints": (jointed, 1, GRAVITY, 6, "2fe7028b69eb010c7faa9c60bd8fdf11"),
    "small gas": (create_circle_gas, 4, (0.0, 0.0), 60, "82fee89bd441c3cf4958dea705156401"),
}
"""Function that makes each scene, its size, gravity [m/s^2], steps, and the hash of the state after them."""

SMALL = [name for name in GOLDEN if name.startswith("small")]
"""Scenes short enough for plain Python."""


def hash_of_scene(name: str) -> str:
    """The hash of a scene's state at its end."""
    make, size, gravity, steps, _ = GOLDEN[name]
    with game(gravity=gravity, sleeping=name.startswith("sleepy")) as play:
        make(size)
        play.step(steps, dt=DT)
        return play.physics.state_hash()


@pytest.mark.parametrize("name", GOLDEN if KERNEL_MODE is not KernelMode.PLAIN else SMALL)
def test_the_golden_state_on_this_machine(name: str) -> None:
    assert hash_of_scene(name) == GOLDEN[name][-1]


def other_settings() -> list[tuple[dict[str, str], list[str]]]:
    """Environments in which the same must come out, and of which scenes."""
    others = [{"ECS_COLLIDE_CPU": cpu} for cpu in module.cpus()[:-1]] if KERNEL_MODE is KernelMode.PREBUILT else []
    return [*((each, list(GOLDEN)) for each in others), ({"NUMBA_DISABLE_JIT": "1"}, SMALL)]


@not_plain
@pytest.mark.parametrize(("setting", "names"), other_settings(), ids=str)
def test_the_golden_state_elsewhere(setting: dict[str, str], names: list[str]) -> None:
    result = run_python("-m", "tests.physics.test_same_bits_everywhere", *names, settings=setting)
    assert result.stdout.split() == [GOLDEN[name][-1] for name in names]


if __name__ == "__main__":
    print(*(hash_of_scene(name) for name in sys.argv[1:] or GOLDEN), sep="\n")
