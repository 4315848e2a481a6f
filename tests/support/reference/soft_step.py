"""The soft-step scheme in plain Python with dense matrices, one contact after the other.

The source is the docstrings of `ecs_collide/step/solver`. Each substep stops impacts, integrates velocities, warm
starts, solves with soft contacts, integrates positions, and relaxes. Every point has one Jacobian row of six numbers
for its normal and one for friction, fixed for the step. The inverse mass matrix of two bodies is diagonal. The normal
impulses of a contact's two points are found together, by trying all sets of acting points, unless their matrix is
nearly singular.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOUCHING_DEPTH = 1e-9
PUSH_OUT_PASSES, STEPWISE, LARGEST_TURN = 16, 0.8, 0.1
UNEVEN, VERY_UNEVEN, GIVES_WAY, STIFFEST, PUSHED, HANDED_ON, SPREADS = 3.2, 10.0, 50.0, 20.0, 16.0, 0.9, 8


@dataclass
class ReferenceBody:
    """A rigid body; static and kinematic ones have inverse masses of zero."""

    center: Array
    velocity: Array
    """Velocity [m/s, m/s, rad/s]."""
    inverse_mass: Array
    """Inverse mass along x and y, and inverse inertia (3,)."""
    moves: bool
    dynamic: bool
    gravity_scale: float = 1.0
    linear_damping: float = 0.0
    angular_damping: float = 0.0
    force: Array = field(default_factory=lambda: np.zeros(3))
    moved: Array = field(default_factory=lambda: np.zeros(3))
    """Displacement in this step [m, m, rad]."""


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
    begins: bool = False
    """True if the pair did not touch before, and a game placed one of the bodies."""
    merged: bool = False
    """True if a game placed the bodies so that they overlap."""
    lead: float = 0.0
    """Time by which normal and place are ahead of the start of the step [s]."""
    block: int = 0
    """Number of the block; repeated passes and impacts always take a whole block."""
    normal_total: float = 0.0
    tangent_total: float = 0.0
    approach_speed: float = 0.0


@dataclass
class Constants:
    """Parameters of the response besides bodies and contacts."""

    gravity: tuple[float, float]
    dt: float
    substeps: int
    hertz: float
    damping_ratio: float
    push_out_speed: float
    bounce_speed: float
    bumper_speed: float
    speculative: float
    touch: float
    impact_speed: float
    impact_begins: float
    reach: int
    passes: int
    repeats: int


def cross_product(r: Array, d: Array) -> float:
    """Return the cross product of two vectors (2,)."""
    return float(r[0] * d[1] - r[1] * d[0])


def jacobian_row(bodies: list[ReferenceBody], point: Point, direction: Array, place: Array | None = None) -> Array:
    """Return the Jacobian row (6,) of the relative velocity along a direction, at the point or another place."""
    place = point.place if place is None else place
    centers = [bodies[k].center + point.lead * bodies[k].velocity[:2] for k in (point.a, point.b)]
    arm_a, arm_b = place - centers[0], place - centers[1]
    return np.array([*-direction, -cross_product(arm_a, direction), *direction, cross_product(arm_b, direction)])


class SoftStep:
    """One step; `run` changes the bodies' velocities and `moved`, and the points' impulses."""

    def __init__(self, bodies: list[ReferenceBody], points: list[Point], constants: Constants) -> None:
        self.bodies, self.points, self.constants = bodies, points, constants
        self.h = constants.dt / constants.substeps
        self.normal_rows = [jacobian_row(bodies, point, point.normal) for point in points]
        self.tangent_rows = [self.tangent_row(point) for point in points]
        for body in bodies:
            if body.dynamic:
                body.velocity[body.inverse_mass == 0.0] = 0.0
        for k, point in enumerate(points):
            point.approach_speed = -self.speed(k)
        self.contacts: list[list[int]] = []
        """The points of each contact."""
        for k, point in enumerate(points):
            self.contacts += [[k]] if point.first_of_contact else []
            self.contacts[-1] += [] if point.first_of_contact else [k]
        self.bears = np.zeros(len(bodies))
        """The mass that each body bears, see `ecs_collide.step.solver.mass_ratios` [kg]."""
        self.find_loads()
        for group in self.contacts:
            merged = self.is_merged(group)
            for k in group:
                points[k].merged = merged
        self.find_impacts()

    def lightness(self, body: int) -> float:
        """Return the greater inverse mass of a body along x and y."""
        return float(self.bodies[body].inverse_mass[:2].max())

    def find_loads(self) -> None:
        """Find the load of each body by heavier or faster bodies, and the contacts to solve several times."""
        for group in self.contacts:
            a, b = self.points[group[0]].a, self.points[group[0]].b
            heavy, light = sorted((self.lightness(a), self.lightness(b)))
            struck = self.impact(group) > self.constants.impact_speed
            pushers = [body for body in (a, b) if self.immovable(body) and self.bodies[body].velocity[:2].any()]
            mass = 0.0
            if heavy > 0.0 and light > UNEVEN * heavy and (struck or light > VERY_UNEVEN * heavy):
                mass = 1.0 / heavy
            elif heavy == 0.0 and light > 0.0 and struck and pushers:
                mass = PUSHED / light
            for body in (a, b):
                self.bears[body] = max(self.bears[body], mass)
        for _ in range(SPREADS):
            for group in self.contacts:
                a, b = self.points[group[0]].a, self.points[group[0]].b
                for body, handed in ((a, HANDED_ON * self.bears[b]), (b, HANDED_ON * self.bears[a])):
                    if handed * self.lightness(body) > UNEVEN:
                        self.bears[body] = max(self.bears[body], handed)
        blocks = {self.points[group[0]].block for group in self.contacts if self.load(group[0]) > UNEVEN}
        self.repeated = [group for group in self.contacts if self.points[group[0]].block in blocks]

    def impact(self, group: list[int]) -> float:
        """Return the greatest closing speed of a contact's points that meet within the step, or 0 [m/s]."""
        points = [self.points[k] for k in group]
        closing = [p.approach_speed for p in points if p.separation - self.constants.dt * p.approach_speed < 0.0]
        return max(0.0, *closing) if closing else 0.0

    def find_impacts(self) -> None:
        """Find the contacts at which impacts begin and those that they can reach, by whole blocks."""
        reach = [0] * len(self.bodies)
        start_blocks = set()
        for group in self.contacts:
            point, speed, count = self.points[group[0]], self.impact(group), 0
            begins = min(self.lightness(point.a), self.lightness(point.b)) > 0.0
            begins = begins and speed > self.constants.impact_begins * self.constants.impact_speed
            while begins and speed > self.constants.impact_speed and count < self.constants.reach:
                speed, count = 0.5 * speed, count + 1
            if count > 0 or point.restitution > 0.0:
                start_blocks.add(point.block)
            for body in (point.a, point.b):
                reach[body] = 0 if self.immovable(body) else max(reach[body], count)
        for left in range(self.constants.reach - 1, 0, -1):
            reached = [(p.a, p.b) for p in self.points if max(reach[p.a], reach[p.b]) == left + 1]
            for body in (body for pair in reached for body in pair if not self.immovable(body)):
                reach[body] = max(reach[body], left)
        struck_blocks = {p.block for p in self.points if reach[p.a] > 0 or reach[p.b] > 0} | start_blocks
        self.starting = [group for group in self.contacts if self.points[group[0]].block in start_blocks]
        self.struck = [group for group in self.contacts if self.points[group[0]].block in struck_blocks]

    def load(self, k: int) -> float:
        """Return the load of a contact, in the lesser mass of its bodies."""
        a, b = self.points[k].a, self.points[k].b
        return float(max(self.bears[a], self.bears[b]) * max(self.lightness(a), self.lightness(b)))

    def is_merged(self, group: list[int]) -> bool:
        """Return True if a contact is deeper than its speed explains, or was and is deeper than under its load."""
        depth = max(-self.points[k].separation for k in group)
        if self.points[group[0]].begins:
            velocity = self.velocity(self.points[group[0]])
            fastest = max(abs(self.speed(k)) + abs(float(self.tangent_rows[k] @ velocity)) for k in group)
            return depth > self.constants.speculative + self.constants.dt * fastest
        spring = [self.spring(k) for k in group]
        pressed = [self.points[k].normal_impulse / mass if (mass := self.normal_mass(k)) else 0.0 for k in group]
        sag = max(x * give / rate for x, (rate, give) in zip(pressed, spring, strict=True))
        return self.points[group[0]].merged and depth > self.constants.touch + sag

    def normal_mass(self, k: int) -> float:
        """Return the effective mass of a point along its normal."""
        return self.effective_mass(self.points[k], self.normal_rows[k])

    def push_out(self) -> None:
        """Separate merged bodies; a body that this presses into another one is merged with it."""
        constants = self.constants
        farthest = constants.push_out_speed * constants.dt
        w = 2.0 * pi * constants.hertz
        part = constants.dt * w / (2.0 * constants.damping_ratio + self.h * w)
        for _ in range(PUSH_OUT_PASSES if any(point.merged for point in self.points) else 0):
            for k, point in enumerate(self.points):
                wanted = -max(point.separation, 0.0)
                if point.merged:
                    wanted += min(part * max(-point.separation, 0.0), farthest) - constants.dt * max(self.speed(k), 0.0)
                lacking = max(wanted - (self.gap(k) - point.separation), 0.0)
                change = STEPWISE * lacking * self.normal_mass(k) * self.inverse_mass(point) * self.normal_rows[k]
                self.bodies[point.a].moved += change[:3]
                self.bodies[point.b].moved += change[3:]
        for body in self.bodies:
            way, turn = float(np.hypot(*body.moved[:2])), abs(float(body.moved[2]))
            body.moved *= min(1.0, farthest / way if way else 1.0, LARGEST_TURN / turn if turn else 1.0)
        for group in self.contacts:
            moved = [self.gap(k) - min(self.points[k].separation, 0.0) for k in group]
            for k in group:
                self.points[k].merged |= min(moved) < -constants.touch

    def immovable(self, body: int) -> bool:
        """Return True if nothing moves a body."""
        return not self.bodies[body].inverse_mass.any()

    def tangent_row(self, point: Point) -> Array:
        """Return the row of friction; on a body that nothing moves it acts at the other body's surface."""
        of_a, of_b = self.immovable(point.b), self.immovable(point.a)
        place = point.place + 0.5 * point.separation * point.normal * (int(of_b) - int(of_a))
        return jacobian_row(self.bodies, point, np.array([point.normal[1], -point.normal[0]]), place)

    def velocity(self, point: Point) -> Array:
        """Return the velocities of both bodies (6,)."""
        return np.concatenate((self.bodies[point.a].velocity, self.bodies[point.b].velocity))

    def speed(self, k: int) -> float:
        """Return the speed of a point along its normal [m/s]."""
        return float(self.normal_rows[k] @ self.velocity(self.points[k]))

    def gap(self, k: int) -> float:
        """Return the present separation of a point [m]."""
        point = self.points[k]
        moved = np.concatenate((self.bodies[point.a].moved, self.bodies[point.b].moved))
        return point.separation + float(self.normal_rows[k] @ moved)

    def inverse_mass(self, point: Point) -> Array:
        """Return the diagonal of the inverse mass matrix of a point's bodies (6,)."""
        return np.concatenate((self.bodies[point.a].inverse_mass, self.bodies[point.b].inverse_mass))

    def effective_mass(self, point: Point, jacobian: Array) -> float:
        """Return the effective mass of a row."""
        k = float(jacobian * self.inverse_mass(point) @ jacobian)
        return 1.0 / k if k > 0.0 else 0.0

    def apply_impulse(self, point: Point, jacobian: Array, impulse: float) -> None:
        """Add an impulse along a row to the velocities of both bodies."""
        change = self.inverse_mass(point) * jacobian * impulse
        self.bodies[point.a].velocity += change[:3]
        self.bodies[point.b].velocity += change[3:]

    def run(self) -> None:
        """Make the step."""
        constants = self.constants
        self.push_out()
        for _ in range(constants.substeps):
            for number in range(constants.passes):
                if not self.bounce(self.starting if number == 0 else self.struck):
                    break
            self.integrate_velocities()
            for k, point in enumerate(self.points):
                self.apply_impulse(point, self.normal_rows[k], point.normal_impulse)
                self.apply_impulse(point, self.tangent_rows[k], point.tangent_impulse)
            self.solve(relaxing=False)
            for body in self.bodies:
                if body.moves:
                    body.moved += self.h * body.velocity
            self.solve(relaxing=True)

    def gain(self, body: ReferenceBody) -> Array:
        """Return the velocity that outer forces add in a substep."""
        acceleration = np.array([*self.constants.gravity, 0.0]) * body.gravity_scale
        acceleration = acceleration + body.force * body.inverse_mass
        acceleration[body.inverse_mass == 0.0] = 0.0
        return self.h * acceleration if body.dynamic else np.zeros(3)

    def integrate_velocities(self) -> None:
        """Add outer forces and damping to all velocities."""
        for body in self.bodies:
            if body.dynamic:
                damping = np.array([body.linear_damping, body.linear_damping, body.angular_damping])
                body.velocity[:] = (body.velocity + self.gain(body)) / (1.0 + self.h * damping)

    def solve(self, relaxing: bool) -> None:
        """Solve all contacts once, then those under load several times."""
        self.solve_contacts(self.contacts, relaxing)
        for _ in range(self.constants.repeats):
            for group in self.repeated:
                for k in group if relaxing else []:  # the last time counts
                    self.points[k].normal_total -= self.points[k].normal_impulse
                    self.points[k].tangent_total -= self.points[k].tangent_impulse
            self.solve_contacts(self.repeated, relaxing)

    def solve_contacts(self, groups: list[list[int]], relaxing: bool) -> None:
        """Solve friction and normals of contacts, one contact after the other."""
        for group in groups:
            falling = {k for k in group if relaxing and self.will_bounce(k)}
            limits = [self.points[k].friction * self.rigid_impulse(k, relaxing and k not in falling) for k in group]
            for k, limit in zip(group, limits, strict=True):
                self.solve_friction(k, limit, relaxing)
            demands = [self.demand(k, relaxing) for k in group]
            self.solve_normals(group, [bias for bias, _ in demands], [softer for _, softer in demands], falling)
            for k in group:
                point = self.points[k]
                if relaxing:
                    point.normal_total += point.normal_impulse

    def will_bounce(self, k: int) -> bool:
        """Return True if a point is about to bounce; a relaxing pass leaves its impulse unchanged."""
        bounces = self.points[k].restitution > 0.0 and self.speed(k) < -self.constants.bounce_speed
        return bounces and self.gap(k) > -TOUCHING_DEPTH * self.constants.push_out_speed

    def rigid_impulse(self, k: int, relaxing: bool) -> float:
        """Return the normal impulse that bounds friction, without the part that a relaxing pass will remove."""
        impulse = self.points[k].normal_impulse
        if not relaxing:
            return impulse
        bias, _ = self.demand(k, relaxing)
        return max(impulse - (self.speed(k) + bias) * self.normal_mass(k), 0.0)

    def solve_friction(self, k: int, limit: float, relaxing: bool) -> None:
        """Solve the friction of a point."""
        point, jacobian = self.points[k], self.tangent_rows[k]
        mass = self.effective_mass(point, jacobian)
        wanted = point.tangent_impulse - mass * float(jacobian @ self.velocity(point))
        new = min(max(wanted, -limit), limit)
        self.apply_impulse(point, jacobian, new - point.tangent_impulse)
        point.tangent_impulse = new
        if relaxing:
            point.tangent_total += new

    def demand(self, k: int, relaxing: bool) -> tuple[float, float]:
        """Return the velocity bias of a point, and the factor by which its effective mass is softened."""
        point, constants, gap = self.points[k], self.constants, self.gap(k)
        if gap > -TOUCHING_DEPTH * constants.push_out_speed:
            return gap / self.h, 1.0
        if relaxing or point.merged:
            return 0.0, 1.0
        rate, give = self.spring(k)
        stiffer = min(max(self.load(k) / GIVES_WAY, 1.0), STIFFEST)
        return -min(constants.push_out_speed, -rate * gap), 1.0 + give / stiffer

    def spring(self, k: int) -> tuple[float, float]:
        """Return the coefficients of an implicit damped spring with stiffness w^2 and damping 2 z w per effective mass.

        They are the share of an overlap that it removes in a second, and its softness.
        """
        point, constants = self.points[k], self.constants
        immovable = self.immovable(point.a) or self.immovable(point.b)
        w = 2.0 * pi * constants.hertz * (2.0 if immovable else 1.0)
        stiffness, damping = w * w, 2.0 * constants.damping_ratio * w
        give = 1.0 / (self.h * (damping + self.h * stiffness))
        return stiffness / (damping + self.h * stiffness), give

    def matrix(self, group: list[int]) -> Array:
        """Return J M^-1 J^T of a contact's points."""
        jacobian = np.array([self.normal_rows[k] for k in group])
        return np.asarray(jacobian * self.inverse_mass(self.points[group[0]]) @ jacobian.T)

    def solve_normals(self, group: list[int], biases: list[float], softer: list[float], kept: set[int]) -> None:
        """Solve the normals of a contact's points; those that are `kept` keep their impulses."""
        speeds = [self.speed(k) + bias for k, bias in zip(group, biases, strict=True)]
        old = [self.points[k].normal_impulse for k in group]
        for k, before, x in zip(group, old, self.answers(group, speeds, old, softer), strict=True):
            if k not in kept:
                self.points[k].normal_impulse = x
                self.apply_impulse(self.points[k], self.normal_rows[k], x - before)

    def answers(self, group: list[int], speeds: list[float], old: list[float], softer: list[float]) -> list[float]:
        """Return the accumulated impulses that bring a contact's points from these speeds to 0."""
        matrix = self.matrix(group)
        product = float(np.prod(np.diag(matrix)))
        if len(group) == 2 and float(np.linalg.det(matrix)) > 1e-4 * product:
            return self.together(np.array(speeds) - matrix @ old, matrix, np.array(softer))
        found = list(old)
        for i, own in enumerate(np.diag(matrix).tolist()):
            speed = speeds[i] + float(matrix[i] @ (np.array(found) - old))
            found[i] = max(0.0, (own * old[i] - speed) / (own * softer[i])) if own > 0.0 else 0.0
        return found

    def together(self, q: Array, matrix: Array, softer: Array) -> list[float]:
        """Return the x >= 0 with w = K x + q >= 0 and x.w = 0, or the set of acting points with the least error."""
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
        return [float(x) for x in best]

    def bounce(self, groups: list[list[int]]) -> bool:
        """Make a pass over the contacts that are struck; return True if any was hit."""
        hits = [self.bounce_contact(group) for group in groups]
        return any(hits)

    def bounce_contact(self, group: list[int]) -> bool:
        """Let a contact bounce; return True if it was hit."""
        demands = [self.bounce_demand(k) for k in group]
        hit = [k for k, demand in zip(group, demands, strict=True) if demand is not None]
        if not hit:
            return False
        wanted = np.array([demand for demand in demands if demand is not None])
        normals = np.array([self.normal_rows[k] for k in hit])
        tangents = np.array([self.tangent_rows[k] for k in hit])
        velocity, inverse_mass = self.velocity(self.points[hit[0]]), self.inverse_mass(self.points[hit[0]])
        none, rigid = [0.0] * len(hit), [1.0] * len(hit)
        x = self.answers(hit, wanted.tolist(), none, rigid)
        rubs = np.zeros(len(hit))
        for i, k in enumerate(hit):
            sliding = float(tangents[i] @ (velocity + inverse_mass * (normals.T @ x + tangents.T @ rubs)))
            limit = self.points[k].friction * x[i]
            rubs[i] = min(max(-self.effective_mass(self.points[k], tangents[i]) * sliding, -limit), limit)
        x = self.answers(hit, (wanted + normals * inverse_mass @ tangents.T @ rubs).tolist(), none, rigid)
        for i, k in enumerate(hit):
            point = self.points[k]
            if point.restitution > 0.0:
                point.approach_speed = max(point.approach_speed, -float(normals[i] @ velocity))
            point.normal_total += x[i]
            point.tangent_total += rubs[i]
            self.apply_impulse(point, normals[i], x[i])
            self.apply_impulse(point, tangents[i], rubs[i])
        return True

    def bounce_demand(self, k: int) -> float | None:
        """Return the difference of a point's speed from its bounce speed, or None if it is not hit."""
        point, h = self.points[k], self.h
        speed, gap = self.speed(k), self.gap(k)
        gains = [self.gain(self.bodies[body]) for body in (point.a, point.b)]
        outer = float(self.normal_rows[k] @ np.concatenate(gains)) if point.normal_impulse <= 0.0 else 0.0
        threshold = self.constants.bounce_speed if point.restitution > 0.0 else self.constants.impact_speed
        if speed >= -threshold or gap + h * (speed + outer) >= -TOUCHING_DEPTH * self.constants.push_out_speed:
            return None
        if point.restitution <= 0.0:
            return speed + outer + max(gap, 0.0) / h
        middle, gap = min(speed + 0.5 * outer, 0.0), max(gap, self.constants.dt * speed)
        kept = point.restitution**2
        back = float(np.sqrt(max(0.0, kept * middle**2 + (1.0 - kept) * 2.0 * outer / h * gap)))
        return speed + 0.5 * outer - min(back, max(-middle, self.constants.bumper_speed))
