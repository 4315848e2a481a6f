"""The scenes of `scene.py` in pymunk, which only tests use."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pymunk

import ecs_collide as ec
from tests.support.scene import BodyPlan, Scene, Trace

FAR = 1000.0
"""Half width and depth of the box that stands for a half-plane [m]."""


def run_in_pymunk(scene: Scene, *, substeps: int = 1, iterations: int = 30, slop: float = 0.001) -> Trace:
    """Step a scene in pymunk, each step in `substeps` parts, and return its trace.

    pymunk multiplies friction and elasticity. Each shape gets the square root, so that friction is the geometric mean,
    and restitution is that of the scene.
    """
    space = pymunk.Space()
    space.gravity = scene.gravity
    space.iterations = iterations
    space.collision_slop = slop
    bodies = []
    index: dict[pymunk.Shape, int] = {}
    for k, plan in enumerate(scene.bodies):
        body = pymunk.Body(body_type=pymunk.Body.STATIC if plan.static else pymunk.Body.DYNAMIC)
        shape = _shape(plan, body)
        shape.friction = math.sqrt(plan.friction)
        shape.elasticity = math.sqrt(scene.restitution)
        if isinstance(shape, pymunk.Segment) and shape.radius == 0.0:
            shape.mass = plan.density * shape.a.get_distance(shape.b)
        else:
            shape.density = plan.density
        body.position = plan.position
        body.angle = plan.angle
        space.add(body, shape)
        if not plan.static:
            body.velocity = plan.velocity
            body.angular_velocity = plan.angular
        else:
            space.reindex_shapes_for_body(body)
        bodies.append(body)
        index[shape] = k

    count = len(bodies)
    trace = Trace(np.zeros((scene.steps, count, 3)), np.zeros((scene.steps, count, 3)))
    step = 0

    def begin(arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        a, b = (index[shape] for shape in arbiter.shapes)
        x, y = arbiter.contact_point_set.normal
        pair = min(a, b), max(a, b)
        trace.first_touch.setdefault(pair, step)
        trace.normals.setdefault(pair, (x, y) if a < b else (-x, -y))

    space.on_collision(begin=begin)
    for step in range(scene.steps):
        for _ in range(substeps):
            space.step(scene.dt / substeps)
        trace.poses[step] = [(*body.position, body.angle) for body in bodies]
        trace.velocities[step] = [(*body.velocity, body.angular_velocity) for body in bodies]
    return trace


def _shape(plan: BodyPlan, body: pymunk.Body) -> pymunk.Shape:
    shape = plan.shape
    match shape:
        case ec.Circle():
            return pymunk.Circle(body, shape.radius, shape.center)
        case ec.Segment():
            return pymunk.Segment(body, shape.a, shape.b, 0.0)
        case ec.Capsule():
            return pymunk.Segment(body, shape.a, shape.b, shape.radius)
        case ec.Polygon():
            return pymunk.Poly(body, shape.vertices, radius=shape.radius)
        case ec.Box():
            cosine, sine = math.cos(shape.angle), math.sin(shape.angle)
            corners = []
            for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
                x, y = x * shape.width, y * shape.height
                corners.append((shape.center[0] + cosine * x - sine * y, shape.center[1] + sine * x + cosine * y))
            return pymunk.Poly(body, corners)
        case ec.HalfPlane():
            x, y = shape.normal
            edge_x, edge_y = shape.offset * x, shape.offset * y
            return pymunk.Poly(
                body,
                [
                    (edge_x + along * y - into * x, edge_y - along * x - into * y)
                    for along in (-FAR, FAR)
                    for into in (0.0, FAR)
                ],
            )
    raise TypeError(f"pymunk has no counterpart of {shape!r}")
