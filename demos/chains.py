"""Chains that start level, swing down and whip round, with the gaps of their joints beside those of pymunk."""

from __future__ import annotations

import esper

import ecs_collide as ec
from ecs_collide.demos.joint_gap import gap
from ecs_collide.demos.scene import Demo, Paint, View, expect

CHAINS, LINKS, LENGTH = 8, 40, 0.5
PYMUNK_GAP = 0.495
"""Gap after 200 steps of fifty such chains in pymunk 7.3.1: `python -m benchmarks --scenes chains` [m]."""
BAR = 22.0
"""Positions at which the two gaps are drawn [m]."""
COLOURS = ((236, 112, 96), (240, 180, 88), (122, 192, 112), (88, 176, 224))


class Chains(Demo):
    """The demo of chains."""

    view = View(-22.0, -20.5, 26.0, 5.5)
    frames = 360
    shows_joints = False  # the joints would hide everything else

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81), sleeping=False)
        self.joints = [joint for k in range(CHAINS) for joint in self._chain(0.5 * k, COLOURS[k % len(COLOURS)])]
        theirs = ec.Box(0.5, PYMUNK_GAP)
        esper.create_entity(ec.Transform(BAR, 2.0), Paint((236, 112, 96), shape=theirs))
        esper.create_entity(ec.Transform(BAR, 3.2), Paint((0, 0, 0), label=f"pymunk {100.0 * PYMUNK_GAP:.1f} cm"))
        self.mark = Paint((122, 192, 112), shape=ec.Box(0.5, 1e-3))
        esper.create_entity(ec.Transform(BAR, 0.0), self.mark)
        self.label = Paint((0, 0, 0))
        esper.create_entity(ec.Transform(BAR, 0.8), self.label)
        self.widest = 0.0

    @staticmethod
    def _chain(y: float, colour: tuple[int, int, int]) -> list[ec.RevoluteJoint]:
        """Create a chain that hangs from the world at (0, y); its links do not collide."""
        joints: list[ec.RevoluteJoint] = []
        before: int | None = None
        for k in range(LINKS):
            link = esper.create_entity(
                ec.Transform(LENGTH * (k + 0.5), y),
                ec.Velocity(),
                ec.Collider(ec.Box(LENGTH, 0.1), mask=0),
                Paint(colour),
            )
            joints.append(ec.RevoluteJoint(link, before, point=(LENGTH * k, y)))
            esper.create_entity(joints[-1])
            before = link
        return joints

    def script(self, frame: int) -> None:
        if frame:
            self.widest = max(self.widest, max(map(gap, self.joints)))
            self.mark.shape = ec.Box(0.5, max(self.widest, 1e-3))
            self.label.label = f"here {100.0 * self.widest:.2g} cm"

    def note(self) -> str:
        return f"gap {100.0 * self.widest:.2g} cm, pymunk's {100.0 * PYMUNK_GAP:.1f} (benchmark chains)"

    def check(self) -> str:
        expect(self.widest < 2e-3, f"a joint gaped by {100.0 * self.widest:.2g} cm")
        return f"no joint gaped by more than {100.0 * self.widest:.2g} cm; pymunk's do by {100.0 * PYMUNK_GAP:.1f} cm"


DEMO = Chains
