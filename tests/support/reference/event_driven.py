"""A slow event-driven simulator of circles in plain Python; after each impact it looks for the next one from scratch.

All circles are moved to the time of each impact. All pairs are compared each time by the quadratic equation of a
textbook; obstacles are segments and points. It shares no code with the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, inf, sqrt


@dataclass
class Ball:
    """A circle."""

    x: float
    y: float
    vx: float
    vy: float
    radius: float = 0.5
    mass: float = 1.0


@dataclass
class Wall:
    """A segment with two sides and two ends; it may move at a constant velocity."""

    ax: float
    ay: float
    bx: float
    by: float
    vx: float = 0.0
    vy: float = 0.0


@dataclass
class EventDriven:
    """Balls and walls; `restitution` holds for all impacts."""

    balls: list[Ball]
    walls: list[Wall] = field(default_factory=list)
    restitution: float = 1.0
    impacts: int = 0

    def run(self, duration: float) -> None:
        """Advance by `duration` [s]."""
        left = duration
        last: tuple[str, int, int] | None = None
        while True:
            time, what = self._next(last)
            if time > left:
                self._move(left)
                return
            self._move(time)
            left -= time
            self._hit(what)
            self.impacts += 1
            last = what

    def _next(self, last: tuple[str, int, int] | None) -> tuple[float, tuple[str, int, int]]:
        """Return the first impact among all pairs, except the one that was handled last."""
        best: tuple[float, tuple[str, int, int]] = (inf, ("", 0, 0))
        for i, a in enumerate(self.balls):
            for j in range(i + 1, len(self.balls)):
                b = self.balls[j]
                time = _meeting(b.x - a.x, b.y - a.y, b.vx - a.vx, b.vy - a.vy, a.radius + b.radius)
                if ("ball", i, j) != last:
                    best = min(best, (time, ("ball", i, j)))
            for j, wall in enumerate(self.walls):
                vx, vy = a.vx - wall.vx, a.vy - wall.vy
                for kind, time in (
                    ("edge", _edge(a, wall, vx, vy)),
                    ("start", _meeting(a.x - wall.ax, a.y - wall.ay, vx, vy, a.radius)),
                    ("stop", _meeting(a.x - wall.bx, a.y - wall.by, vx, vy, a.radius)),
                ):
                    if (kind, i, j) != last:
                        best = min(best, (time, (kind, i, j)))
        return best

    def _move(self, time: float) -> None:
        for ball in self.balls:
            ball.x += ball.vx * time
            ball.y += ball.vy * time
        for wall in self.walls:
            wall.ax += wall.vx * time
            wall.bx += wall.vx * time
            wall.ay += wall.vy * time
            wall.by += wall.vy * time

    def _hit(self, what: tuple[str, int, int]) -> None:
        kind, i, j = what
        a = self.balls[i]
        if kind == "ball":
            b = self.balls[j]
            nx, ny = b.x - a.x, b.y - a.y
            length = hypot(nx, ny)
            nx, ny = nx / length, ny / length
            speed = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny
            impulse = -(1.0 + self.restitution) * speed / (1.0 / a.mass + 1.0 / b.mass)
            a.vx, a.vy = a.vx - impulse / a.mass * nx, a.vy - impulse / a.mass * ny
            b.vx, b.vy = b.vx + impulse / b.mass * nx, b.vy + impulse / b.mass * ny
            return
        wall = self.walls[j]
        if kind == "edge":
            nx, ny = wall.by - wall.ay, wall.ax - wall.bx
        elif kind == "start":
            nx, ny = a.x - wall.ax, a.y - wall.ay
        else:
            nx, ny = a.x - wall.bx, a.y - wall.by
        length = hypot(nx, ny)
        nx, ny = nx / length, ny / length
        speed = (a.vx - wall.vx) * nx + (a.vy - wall.vy) * ny
        a.vx -= (1.0 + self.restitution) * speed * nx
        a.vy -= (1.0 + self.restitution) * speed * ny


def _meeting(x: float, y: float, vx: float, vy: float, distance: float) -> float:
    """Return the smaller root of |p + v t| = distance if the points approach."""
    a, b, c = vx * vx + vy * vy, 2.0 * (x * vx + y * vy), x * x + y * y - distance * distance
    if b >= 0.0 or a == 0.0 or b * b < 4.0 * a * c:
        return inf
    return max(0.0, (-b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a))


def _edge(ball: Ball, wall: Wall, vx: float, vy: float) -> float:
    """Return when the rim of a ball touches the line through a wall, between its ends."""
    ex, ey = wall.bx - wall.ax, wall.by - wall.ay
    length = hypot(ex, ey)
    nx, ny = ey / length, -ex / length
    height = (ball.x - wall.ax) * nx + (ball.y - wall.ay) * ny
    climb = vx * nx + vy * ny
    if height < 0.0:
        height, climb = -height, -climb
    if climb >= 0.0:
        return inf
    time = max(0.0, (height - ball.radius) / -climb)
    along = ((ball.x + vx * time - wall.ax) * ex + (ball.y + vy * time - wall.ay) * ey) / length
    return time if 0.0 <= along <= length else inf
