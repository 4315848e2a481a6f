"""Draws the current esper world from its components onto a pygame surface, for a window and for files alike.

Everything is drawn larger and scaled down smoothly, which is what makes edges smooth whatever is drawn.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from math import cos, dist, sin
from typing import NamedTuple

import esper
import numpy as np
import pygame

import ecs_collide as ec
from ecs_collide.demos.outline import Points, clip_to, outline, placed
from ecs_collide.demos.scene import Colour, Demo, Paint

STATIC: Colour = (70, 76, 92)
PALETTE: tuple[Colour, ...] = (
    (236, 112, 96),
    (240, 180, 88),
    (122, 192, 112),
    (88, 176, 224),
    (168, 136, 224),
    (232, 136, 184),
)
THREAD: Colour = (120, 126, 144)
TEXT: Colour = (226, 229, 236)
BAR: Colour = (16, 18, 24)
BAR_HEIGHT = 28
LINE = 1.6
"""Width of outlines in pixels of the finished picture."""
THICKEST = 0.3
"""Width of a circle's outline at most, by its radius."""
SMALL = 5
"""Circles of no greater radius, in pixels of the finished picture, have no spoke."""


class Drawn(NamedTuple):
    """What is to be seen of one entity; it stays as it was when the world moves on."""

    entity: int
    pose: tuple[float, float, float]
    shape: ec.Shape | None
    moving: bool
    pale: bool
    """Sensors are, and what is only drawn."""
    paint: Paint


def photograph() -> list[Drawn]:
    """Return what is to be seen in the current esper world: first what cannot move, the pale before the rest."""
    drawn = []
    for entity, place in esper.get_component(ec.Transform):
        collider = esper.try_component(entity, ec.Collider)
        paint = esper.try_component(entity, Paint)
        if collider is None and paint is None:
            continue
        moving = esper.has_component(entity, ec.Velocity)
        # A copy: a game may give the entity another colour before the picture is drawn.
        paint = Paint(PALETTE[entity % len(PALETTE)] if moving else STATIC) if paint is None else Paint(**vars(paint))
        shape, pale = (collider.shape, collider.sensor) if collider is not None else (paint.shape, True)
        drawn.append(Drawn(entity, place.pose, shape, moving, pale, paint))
    return sorted(drawn, key=lambda thing: (thing.moving, not thing.pale, thing.entity))


class Painter:
    """Draws what was photographed in a demo's world; it remembers where the entities with trails have been."""

    def __init__(self, demo: Demo, width: int, oversampling: int) -> None:
        pygame.font.init()
        self.view, self.background = demo.view, demo.background
        self._scale = oversampling * width / (self.view.right - self.view.left)
        height = 2 * round(0.5 * self._scale * (self.view.top - self.view.bottom) / oversampling)
        self._oversampling = oversampling
        self._line = round(LINE * oversampling)
        self._canvas = pygame.Surface((oversampling * width, oversampling * height))
        self._small = pygame.Surface((width, height))
        self.picture = pygame.Surface((width, height + BAR_HEIGHT))
        """What `draw` draws on."""
        self._trails: dict[int, deque[tuple[float, float, float]]] = {}
        """Times [s] and places [m] of each entity with a trail."""

    def draw(self, things: list[Drawn], time: float, caption: str) -> pygame.Surface:
        """Draw how things were at `time` [s], and a line of text under them; return `picture`."""
        self._canvas.fill(self.background)
        for thing in things:
            self._draw_thread(thing)
        still = sum(not thing.moving for thing in things)
        for thing in things[:still]:
            self._draw_solid(thing)
        for thing in things:
            self._draw_trail(thing, time)
        for thing in things[still:]:
            self._draw_solid(thing)
        pygame.transform.smoothscale(self._canvas, self._small.get_size(), self._small)
        self.picture.blit(self._small, (0, 0))
        for thing in things:
            self._draw_label(thing)
        self._draw_caption(caption)
        return self.picture

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where in the world [m] a pixel of the picture is."""
        metre = self._scale / self._oversampling
        return self.view.left + x / metre, self.view.top - y / metre

    def _pixels(self, points: Points) -> list[tuple[int, int]]:
        x = self._scale * (points[:, 0] - self.view.left)
        y = self._scale * (self.view.top - points[:, 1])
        return list(zip(np.rint(x).astype(int).tolist(), np.rint(y).astype(int).tolist()))

    def _draw_solid(self, thing: Drawn) -> None:
        if thing.shape is None:
            return
        colour = thing.paint.colour
        fill = _mixed(colour, self.background, 0.7) if thing.pale else colour
        edge_colour = colour if thing.pale else _mixed(colour, (0, 0, 0), 0.4)
        if isinstance(thing.shape, ec.Circle):
            self._draw_disc(thing, thing.shape, fill, edge_colour)
            return
        drawn = outline(thing.shape)
        for area in drawn.areas:
            corners = self._clipped(placed(area, *thing.pose))
            if len(corners):
                pygame.draw.polygon(self._canvas, fill, self._pixels(corners))
        for edge in drawn.edges:
            self._draw_polyline(edge_colour, placed(edge, *thing.pose), self._line)
        for points in drawn.lines:
            self._draw_polyline(colour, placed(points, *thing.pose), 2 * self._line)

    def _draw_disc(self, thing: Drawn, circle: ec.Circle, fill: Colour, edge_colour: Colour) -> None:
        """Draw a circle, not as a polygon, for there may be thousands; a solid one of some size gets a spoke."""
        x, y, angle = thing.pose
        c, s = cos(angle), sin(angle)
        at_x, at_y = circle.center
        x, y = x + c * at_x - s * at_y, y + s * at_x + c * at_y
        middle = round(self._scale * (x - self.view.left)), round(self._scale * (self.view.top - y))
        radius = self._scale * circle.radius
        line = min(self._line, THICKEST * radius)
        pygame.draw.circle(self._canvas, edge_colour, middle, round(radius + 0.5 * line))
        pygame.draw.circle(self._canvas, fill, middle, round(radius - 0.5 * line))
        if not thing.pale and radius > SMALL * self._oversampling:
            inner = 0.7 if thing.paint.label else 0.0  # so as not to cross the label
            points = np.array([(x + c * k * circle.radius, y + s * k * circle.radius) for k in (inner, 1.0)])
            self._draw_polyline(edge_colour, points, self._line)

    def _clipped(self, points: Points) -> Points:
        """The part of a polygon or segment in and around the view, so that no number grows too large for pygame."""
        margin = 0.1 * (self.view.right - self.view.left)
        left, bottom, right, top = self.view
        return clip_to(points, left - margin, bottom - margin, right + margin, top + margin)

    def _draw_polyline(self, colour: Colour, points: Points, width: int) -> None:
        if len(points) == 2:
            points = self._clipped(points)
        if len(points):
            pygame.draw.lines(self._canvas, colour, False, self._pixels(points), width)

    def _draw_thread(self, thing: Drawn) -> None:
        if thing.paint.thread is not None:
            ends = self._pixels(np.array((thing.paint.thread, thing.pose[:2])))
            pygame.draw.line(self._canvas, THREAD, ends[0], ends[1], self._line)
            pygame.draw.circle(self._canvas, THREAD, ends[0], 3 * self._oversampling)

    def _draw_trail(self, thing: Drawn, time: float) -> None:
        if not thing.paint.trail:
            return
        trail = self._trails.setdefault(thing.entity, deque())
        if trail and dist(trail[-1][1:], thing.pose[:2]) > 0.1 * (self.view.right - self.view.left):
            trail.clear()  # it was teleported
        trail.append((time, *thing.pose[:2]))
        while trail[0][0] < time - thing.paint.trail:
            trail.popleft()
        points = self._pixels(np.array(trail)[:, 1:])
        for k in range(1, len(points)):
            faded = _mixed(self.background, thing.paint.colour, 0.6 * k / len(points))
            pygame.draw.line(self._canvas, faded, points[k - 1], points[k], 2 * self._oversampling)

    def _draw_label(self, thing: Drawn) -> None:
        if thing.paint.label:
            text = _text(thing.paint.label, 15, (255, 255, 255), (20, 20, 24))
            (x, y), *_ = self._pixels(np.array((thing.pose[:2],)))
            self.picture.blit(text, text.get_rect(center=(x / self._oversampling, y / self._oversampling)))

    def _draw_caption(self, caption: str) -> None:
        width, height = self.picture.get_size()
        self.picture.fill(BAR, (0, height - BAR_HEIGHT, width, BAR_HEIGHT))
        text = _text(caption, 18, TEXT)
        self.picture.blit(text, text.get_rect(midleft=(10, height - BAR_HEIGHT // 2)))


def _mixed(a: Colour, b: Colour, share: float) -> Colour:
    """The colour at `share` (0 to 1) of the way from `a` to `b`."""
    red, green, blue = (round(p + share * (q - p)) for p, q in zip(a, b))
    return red, green, blue


@lru_cache(maxsize=16)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(None, size)


@lru_cache(maxsize=512)
def _text(text: str, size: int, colour: Colour, edge: Colour | None = None) -> pygame.Surface:
    """The text as a picture, with a thin edge around the letters where it stands on changing ground.

    It is drawn four times as large and scaled down, for letters are put on whole pixels, unevenly when small.
    """
    letters = _font(4 * size).render(text, True, colour)
    picture = pygame.Surface((letters.get_width() + 8, letters.get_height() + 8), pygame.SRCALPHA)
    picture.fill((*(edge or colour), 0))
    if edge is not None:
        dark = _font(4 * size).render(text, True, edge)
        for x in (0, 4, 8):
            for y in (0, 4, 8):
                picture.blit(dark, (x, y))
    picture.blit(letters, (4, 4))
    return pygame.transform.smoothscale(picture, (picture.get_width() // 4, picture.get_height() // 4))
