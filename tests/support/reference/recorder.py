"""A recorder of the contact response: its input, the result of the reference, and its output."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.common.tolerances import (
    CONTACT_DAMPING_RATIO,
    CONTACT_HERTZ,
    IMPACT_BEGINS,
    IMPACT_PASSES,
    IMPACT_REACH,
    REPEATED_PASSES,
)
from ecs_collide.components import BodyKind
from ecs_collide.data.pairs import APART, IMPULSE, PAIR
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.solver.impulse_response import ImpulseResponse
from ecs_collide.systems import Narrowphase, Notify, Response, priority_between
from tests.support.reference.soft_step import Constants, Point, ReferenceBody, SoftStep


class Recorder:
    """The reference's `bodies` and `points` after each step, and the engine's differences from them.

    The input is copied before the response. The reference gets it afterwards, when the order is known in which the
    engine solved the contacts.
    """

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.bodies: list[ReferenceBody] = []
        self.points: list[Point] = []
        self._points: dict[int, list[Point]] = {}
        """Of each enabled contact that is not missed, by its row."""
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self.differences: list[dict[str, float]] = []
        self.incoming: list[NDArray[np.float64]] = []
        """Velocity of each body before the step."""
        recorder = self

        class Before(esper.Processor):
            def process(self, *args: Any, **kwargs: Any) -> None:
                recorder.before()

        class After(esper.Processor):
            def process(self, *args: Any, **kwargs: Any) -> None:
                recorder.after()

        esper.add_processor(Before(), priority=priority_between(Narrowphase, Response))
        esper.add_processor(After(), priority=priority_between(Response, Notify))

    def before(self) -> None:
        """Copy the input."""
        world = self.world
        columns, pairs, contacts = world.pipeline.bodies.arrays, world.pipeline.pairs.arrays, world.contacts
        self.bodies = []
        for row in range(world.pipeline.bodies.rows.high):
            kind = columns.kind[row]
            mass = columns.mass[row]
            scale, linear, angular = columns.motion[row, :3].tolist()
            self.bodies.append(
                ReferenceBody(
                    columns.frame[row, :2].copy(),
                    columns.velocity[row].copy() if kind != BodyKind.STATIC else np.zeros(3),
                    mass[:3].copy(),
                    bool(kind != BodyKind.STATIC),
                    bool(kind == BodyKind.DYNAMIC),
                    scale,
                    linear,
                    angular,
                    columns.force[row] + columns.push[row],
                )
            )
        raw = world.pipeline.contact_finder.contacts
        response = world.pipeline.response
        assert isinstance(response, ImpulseResponse)
        self._points = {}
        for contact in range(len(contacts.body)):
            if not raw.enabled[contact]:
                continue
            impulse = pairs.impulse[raw.pair[contact]]
            a, b = raw.body[contact].tolist()
            pair = pairs.index[raw.pair[contact]]
            put_there = any(columns.kind[row] != BodyKind.STATIC and not columns.settled[row] for row in (a, b))
            merged = bool(response.solver.arrays.any_merged[0] and pair[PAIR.MERGED])
            self._points[contact] = [
                Point(
                    a,
                    b,
                    raw.normal[contact].copy(),
                    raw.point[contact, k].copy(),
                    float(raw.separation[contact, k]),
                    float(raw.friction[contact]),
                    float(raw.restitution[contact]),
                    float(impulse[IMPULSE.NORMAL + k]),
                    float(impulse[IMPULSE.TANGENT + k]),
                    k == 0,
                    bool(pair[PAIR.TOUCHING] == APART and put_there),
                    bool(merged and pair[PAIR.TOUCHING] != APART),
                )
                for k in range(raw.point_count[contact])
            ]
        self.incoming = [body.velocity.copy() for body in self.bodies]

    def after(self) -> None:
        """Run the reference with the contacts in the engine's order, and compare its result with the output."""
        world = self.world
        response = world.pipeline.response
        assert isinstance(response, ImpulseResponse)
        lane, missed = response.solver.arrays.lane, world.pipeline.contact_finder.contacts.missed
        self._points = {contact: points for contact, points in self._points.items() if not missed[contact]}
        ordered = sorted(self._points, key=lambda contact: int(lane[contact]))
        solver = response.solver.arrays
        for contact, points in self._points.items():
            if solver.lead_time[contact] > 0.0:  # `tests/physics/test_swings_on_round_feet.py` checks the leads
                (point,) = points
                point.lead = float(solver.lead_time[contact])
                point.normal, point.place = solver.lead[contact, :2].copy(), point.place + solver.lead[contact, 2:]
        self.points = [point for contact in ordered for point in self._points[contact]]
        for contact, points in self._points.items():
            for point in points:
                point.block = int(lane[contact]) // LANES
        settings, tolerances = world.settings, world.tolerances
        constants = Constants(
            settings.gravity,
            world.dt,
            settings.substeps,
            min(CONTACT_HERTZ, 0.25 * settings.substeps / world.dt),
            CONTACT_DAMPING_RATIO,
            tolerances.push_out_speed,
            tolerances.bounce_speed,
            tolerances.bumper_speed,
            tolerances.speculative,
            tolerances.touch,
            tolerances.impact_speed,
            IMPACT_BEGINS,
            IMPACT_REACH,
            IMPACT_PASSES,
            REPEATED_PASSES,
        )
        SoftStep(self.bodies, self.points, constants).run()
        columns, raw = world.pipeline.bodies.arrays, world.pipeline.contact_finder.contacts
        moving = [row for row, body in enumerate(self.bodies) if body.moves and columns.entity[row]]
        difference = {"velocity": 0.0, "center": 0.0, "normal impulse": 0.0, "tangent impulse": 0.0, "approach": 0.0}
        for row in moving:
            body = self.bodies[row]
            centre = body.center + body.moved[:2]
            difference["velocity"] = max(difference["velocity"], np.abs(columns.velocity[row] - body.velocity).max())
            difference["center"] = max(difference["center"], np.abs(columns.frame[row, :2] - centre).max())
        for contact, points in self._points.items():
            for k, point in enumerate(points):
                normal = abs(raw.normal_impulse[contact, k] - point.normal_total)
                tangent = abs(raw.tangent_impulse[contact, k] - point.tangent_total)
                approach = abs(raw.approach_speed[contact, k] - point.approach_speed)
                difference["approach"] = max(difference["approach"], approach)
                difference["normal impulse"] = max(difference["normal impulse"], normal)
                difference["tangent impulse"] = max(difference["tangent impulse"], tangent)
        self.differences.append(difference)

    def worst(self) -> float:
        """Return the greatest difference so far."""
        return max(max(difference.values()) for difference in self.differences)
