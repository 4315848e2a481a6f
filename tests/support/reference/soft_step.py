"""The soft-step scheme in plain Python with dense matrices, one contact after the other.

Written from the docstrings of `ecs_collide.response`: for each substep integrate velocities, warm start, solve with
soft contacts, integrate positions, relax; restitution last. Every point has a Jacobian row of six numbers for its
normal and one for friction, fixed for the step; the inverse mass matrix of two bodies is diagonal. The normal impulses
of a contact's two points are found together, by trying which of them act, unless their matrix is nearly singular.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Body:
    """A rigid body, static and kinematic ones with inverse masses of zero."""

    center: Array
    velocity: Array
    """[m/s, m/s, rad/s]"""
    inverse_mass: Array
    """By axis, then of inertia (3,)."""
    moves: bool
    dynamic: bool
    gravity_scale: float = 1.0
    linear_damping: float = 0.0
    angular_damping: float = 0.0
    force: Array = field(default_factory=lambda: np.zeros(3))
    moved: Array = field(default_factory=lambda: np.zeros(3))
    """How far it has come in this step."""


@dataclass
class Point:
    """A contact point between bodies a and b."""

    a: int
    b: int
    normal: Array
    place: Array
    separation: float
    friction: float
    restitution: float
    normal_impulse: float
    tangent_impulse: float
    first_of_contact: bool = True
    largest: float = 0.0
    normal_total: float = 0.0
    tangent_total: float = 0.0


@dataclass
class Constants:
    """What the response is told besides bodies and contacts."""

    gravity: tuple[float, float]
    dt: float
    substeps: int
    hertz: float
    damping_ratio: float
    push_out_speed: float
    bounce_speed: float
    passes: int


def cross(r: Array, d: Array) -> float:
    return float(r[0] * d[1] - r[1] * d[0])


def row(bodies: list[Body], point: Point, direction: Array) -> Array:
    """The Jacobian row of the relative velocity along a direction (6,)."""
    arm_a, arm_b = point.place - bodies[point.a].center, point.place - bodies[point.b].center
    return np.array([*-direction, -cross(arm_a, direction), *direction, cross(arm_b, direction)])


class SoftStep:
    """One step; `run` changes the bodies' velocities and `moved`, and the points' impulses."""

    def __init__(self, bodies: list[Body], points: list[Point], constants: Constants) -> None:
        self.bodies, self.points, self.constants = bodies, points, constants
        self.h = constants.dt / constants.substeps
        self.normal_rows = [row(bodies, point, point.normal) for point in points]
        self.tangent_rows = [row(bodies, point, np.array([point.normal[1], -point.normal[0]])) for point in points]
        for body in bodies:
            if body.dynamic:
                body.velocity[body.inverse_mass == 0.0] = 0.0
        self.approach = [
            float(jacobian @ self.velocity(point)) for jacobian, point in zip(self.normal_rows, points, strict=True)
        ]

    def velocity(self, point: Point) -> Array:
        return np.concatenate((self.bodies[point.a].velocity, self.bodies[point.b].velocity))

    def inverse_mass(self, point: Point) -> Array:
        return np.diag(np.concatenate((self.bodies[point.a].inverse_mass, self.bodies[point.b].inverse_mass)))

    def effective_mass(self, point: Point, jacobian: Array) -> float:
        k = float(jacobian @ self.inverse_mass(point) @ jacobian)
        return 1.0 / k if k > 0.0 else 0.0

    def push(self, point: Point, jacobian: Array, impulse: float) -> None:
        change = self.inverse_mass(point) @ jacobian * impulse
        self.bodies[point.a].velocity += change[:3]
        self.bodies[point.b].velocity += change[3:]

    def run(self) -> None:
        constants = self.constants
        for _ in range(constants.substeps):
            self.integrate_velocities()
            for k, point in enumerate(self.points):
                self.push(point, self.normal_rows[k], point.normal_impulse)
                self.push(point, self.tangent_rows[k], point.tangent_impulse)
            self.solve(relaxing=False)
            for body in self.bodies:
                if body.moves:
                    body.moved += self.h * body.velocity
            self.solve(relaxing=True)
        for _ in range(constants.passes):
            self.bounce()

    def integrate_velocities(self) -> None:
        h = self.h
        for body in self.bodies:
            if not body.dynamic:
                continue
            acceleration = np.array([*self.constants.gravity, 0.0]) * body.gravity_scale
            acceleration = acceleration + body.force * body.inverse_mass
            acceleration[body.inverse_mass == 0.0] = 0.0
            damping = np.array([body.linear_damping, body.linear_damping, body.angular_damping])
            body.velocity[:] = (body.velocity + h * acceleration) / (1.0 + h * damping)

    def contacts(self) -> list[list[int]]:
        """The points of each contact."""
        groups: list[list[int]] = []
        for k, point in enumerate(self.points):
            if point.first_of_contact:
                groups.append([])
            groups[-1].append(k)
        return groups

    def solve(self, relaxing: bool) -> None:
        for group in self.contacts():
            for k in group:
                self.solve_friction(k, relaxing)
            demands = [self.demand(k, relaxing) for k in group]
            self.solve_normals(group, [bias for bias, _ in demands], [softer for _, softer in demands])
            for k in group:
                point = self.points[k]
                point.largest = max(point.largest, point.normal_impulse)
                if relaxing:
                    point.normal_total += point.normal_impulse

    def solve_friction(self, k: int, relaxing: bool) -> None:
        point, jacobian = self.points[k], self.tangent_rows[k]
        mass = self.effective_mass(point, jacobian)
        wanted = point.tangent_impulse - mass * float(jacobian @ self.velocity(point))
        limit = point.friction * point.normal_impulse
        new = min(max(wanted, -limit), limit)
        self.push(point, jacobian, new - point.tangent_impulse)
        point.tangent_impulse = new
        if relaxing:
            point.tangent_total += new

    def demand(self, k: int, relaxing: bool) -> tuple[float, float]:
        """The speed to be added to a point's, and the factor by which its k is softened."""
        point, jacobian, constants = self.points[k], self.normal_rows[k], self.constants
        a, b = self.bodies[point.a], self.bodies[point.b]
        gap = point.separation + float(jacobian @ np.concatenate((a.moved, b.moved)))
        if gap > -1e-9 * constants.push_out_speed:
            return gap / self.h, 1.0
        if relaxing:
            return 0.0, 1.0
        # a damped spring, solved implicitly: stiffness w^2 and damping 2 z w per unit of effective mass
        immovable = not a.inverse_mass.any() or not b.inverse_mass.any()
        w = 2.0 * pi * constants.hertz * (2.0 if immovable else 1.0)
        stiffness, damping = w * w, 2.0 * constants.damping_ratio * w
        give = 1.0 / (self.h * (damping + self.h * stiffness))
        rate = stiffness / (damping + self.h * stiffness)
        return -min(constants.push_out_speed, -rate * gap), 1.0 + give

    def matrix(self, group: list[int]) -> Array:
        """J M^-1 J^T of a contact's points."""
        jacobian = np.array([self.normal_rows[k] for k in group])
        return np.asarray(jacobian @ self.inverse_mass(self.points[group[0]]) @ jacobian.T)

    def solve_normals(self, group: list[int], biases: list[float], softer: list[float]) -> None:
        matrix = self.matrix(group)
        product = float(np.prod(np.diag(matrix)))
        if len(group) == 2 and float(np.linalg.det(matrix)) > 1e-4 * product:
            self.solve_together(group, biases, matrix, np.array(softer))
            return
        for k, bias, factor, own in zip(group, biases, softer, np.diag(matrix).tolist(), strict=True):
            point, jacobian = self.points[k], self.normal_rows[k]
            rest = float(jacobian @ self.velocity(point)) + bias - own * point.normal_impulse
            self.give(k, max(0.0, -rest / (own * factor)) if own > 0.0 else 0.0)

    def solve_together(self, group: list[int], biases: list[float], matrix: Array, softer: Array) -> None:
        """The x >= 0 with w = K x + q >= 0 and x.w = 0: of all choices of acting points the least wrong."""
        velocity = self.velocity(self.points[group[0]])
        old = np.array([self.points[k].normal_impulse for k in group])
        q = np.array([self.normal_rows[k] @ velocity for k in group]) + biases - matrix @ old
        soft = matrix.copy()
        soft[np.diag_indices(2)] *= softer
        best, least = np.zeros(2), np.inf
        for acting in ([0, 1], [0], [1], []):
            x = np.zeros(2)
            if acting:
                x[acting] = np.linalg.solve(soft[np.ix_(acting, acting)], -q[acting])
            w = soft @ x + q
            wrong = max(0.0, *-x * np.diag(soft), *(-w[k] for k in range(2) if k not in acting))
            if wrong < least:
                best, least = np.maximum(x, 0.0), wrong
        for k, new in zip(group, best.tolist(), strict=True):
            self.give(k, new)

    def give(self, k: int, new: float) -> None:
        """Let a point's accumulated normal impulse be `new`."""
        point = self.points[k]
        self.push(point, self.normal_rows[k], new - point.normal_impulse)
        point.normal_impulse = new

    def bounce(self) -> None:
        """A pass of restitution: a point that came fast and was loaded leaves with e times its approach speed."""
        for group in self.contacts():
            before = [self.points[k].normal_impulse for k in group]
            bouncing = [
                k
                for k in group
                if self.approach[k] <= -self.constants.bounce_speed
                and self.points[k].largest > 0.0
                and self.points[k].restitution > 0.0
            ]
            biases = [self.points[k].restitution * self.approach[k] for k in group]
            if len(bouncing) == 2:
                self.solve_normals(group, biases, [1.0, 1.0])
            else:
                for k in bouncing:
                    self.solve_normals([k], [self.points[k].restitution * self.approach[k]], [1.0])
            for k, old in zip(group, before, strict=True):
                self.points[k].normal_total += self.points[k].normal_impulse - old
