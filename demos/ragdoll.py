"""Ragdolls fall onto each other, and come to rest: joints with limits and friction among many contacts."""

from __future__ import annotations

import esper

import ecs_collide as ec
from ecs_collide.demos.joint_gap import gap
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

COUNT = 12
SKIN, SHIRT, JEANS = (236, 190, 150), (88, 176, 224), (84, 98, 150)
SHIRTS: tuple[Colour, ...] = ((236, 112, 96), (240, 180, 88), (122, 192, 112), (88, 176, 224), (168, 136, 224))

PARTS: dict[str, tuple[ec.Shape, float, float]] = {
    "trunk": (ec.Box(0.34, 0.6), 0.0, 0.0),
    "head": (ec.Circle(0.16), 0.0, 0.5),
    "left arm": (ec.Capsule((0.0, -0.15), (0.0, 0.15), 0.06), -0.26, 0.1),
    "right arm": (ec.Capsule((0.0, -0.15), (0.0, 0.15), 0.06), 0.26, 0.1),
    "left forearm": (ec.Capsule((0.0, -0.15), (0.0, 0.15), 0.05), -0.26, -0.26),
    "right forearm": (ec.Capsule((0.0, -0.15), (0.0, 0.15), 0.05), 0.26, -0.26),
    "left thigh": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.08), -0.1, -0.55),
    "right thigh": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.08), 0.1, -0.55),
    "left shank": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.06), -0.1, -1.0),
    "right shank": (ec.Capsule((0.0, -0.2), (0.0, 0.2), 0.06), 0.1, -1.0),
}
"""Shape of each part, and its offset from the middle of the trunk [m]."""

JOINTS = (
    ("trunk", "head", 0.0, 0.32, -0.6, 0.6),
    ("trunk", "left arm", -0.26, 0.25, -2.5, 0.8),
    ("trunk", "right arm", 0.26, 0.25, -0.8, 2.5),
    ("left arm", "left forearm", -0.26, -0.08, -2.2, 0.1),
    ("right arm", "right forearm", 0.26, -0.08, -0.1, 2.2),
    ("trunk", "left thigh", -0.1, -0.32, -1.2, 0.5),
    ("trunk", "right thigh", 0.1, -0.32, -0.5, 1.2),
    ("left thigh", "left shank", -0.1, -0.78, -0.1, 2.0),
    ("right thigh", "right shank", 0.1, -0.78, -2.0, 0.1),
)
"""Parts of each joint, its place [m], and its range of angles [rad]."""
STIFF = 0.4
"""Friction of each of these joints [N m]."""


def colour_of(part: str, shirt: Colour) -> Colour:
    """Return the colour of a part of the body."""
    if part == "head" or "forearm" in part:
        return SKIN
    return JEANS if "thigh" in part or "shank" in part else shirt


def create_ragdoll(x: float, y: float, spin: float, shirt: Colour) -> tuple[dict[str, int], list[ec.RevoluteJoint]]:
    """Create a ragdoll with its trunk at (x, y); return the entities of its parts, and its joints."""
    parts = {
        name: esper.create_entity(
            ec.Transform(x + dx, y + dy),
            ec.Velocity(-spin * dy, spin * dx, spin),
            ec.Collider(shape, friction=0.6),
            Paint(colour_of(name, shirt)),
        )
        for name, (shape, dx, dy) in PARTS.items()
    }
    joints = []
    for a, b, dx, dy, lower, upper in JOINTS:
        joint = ec.RevoluteJoint(
            parts[a], parts[b], point=(x + dx, y + dy), lower=lower, upper=upper, max_motor_torque=STIFF
        )
        esper.create_entity(joint)
        joints.append(joint)
    return parts, joints


class Ragdoll(Demo):
    """The demo of ragdolls."""

    view = View(-5.0, -0.6, 5.0, 6.4)
    frames = 720
    steps_per_picture = 3

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), friction=0.8))
        for x in (-4.0, 4.0):
            esper.create_entity(ec.Transform(x, 1.0), ec.Collider(ec.Box(0.4, 2.0), friction=0.4))
        self.parts: list[int] = []
        self.joints: list[ec.RevoluteJoint] = []
        for k in range(COUNT):
            x, y = 2.0 * (k % 3 - 1) + 0.3 * (k // 3 % 2), 2.2 + 2.4 * (k // 3)
            parts, joints = create_ragdoll(x, y, (1.5, -2.0, 0.7)[k % 3], SHIRTS[k % len(SHIRTS)])
            self.parts += parts.values()
            self.joints += joints
        self.widest = 0.0

    def script(self, frame: int) -> None:
        if frame:
            self.widest = max(self.widest, max(map(gap, self.joints)))

    def note(self) -> str:
        return f"widest gap of {len(self.joints)} joints {1000.0 * self.widest:.2g} mm"

    def check(self) -> str:
        asleep = sum(not ec.physics().is_awake(part) for part in self.parts)
        lowest = min(esper.component_for_entity(part, ec.Transform).y for part in self.parts)
        expect(self.widest < 3e-3, f"joints gape by {1000.0 * self.widest:.2g} mm")
        expect(lowest > 0.0, f"a part is at {lowest} m")
        expect(asleep == len(self.parts), f"only {asleep} of {len(self.parts)} parts rest")
        return f"all {asleep} parts rest; no joint gaped by more than {1000.0 * self.widest:.2g} mm"


DEMO = Ragdoll
