"""Drawing of the current esper world from its components onto a pygame surface, for windows and files.

Everything is drawn larger and scaled down smoothly, which makes edges smooth.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import groupby
from math import cos, dist, sin
from typing import NamedTuple

import esper
import numpy as np
import pygame
from numpy.typing import NDArray

import ecs_collide as ec
from ecs_collide.demos.joint_ends import KINDS, ends_of
from ecs_collide.demos.scene import Colour, Demo, Paint
from ecs_collide.draw.shape_outline import clip_to, outline, placed

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
JOINT: Colour = (250, 250, 250)
TEXT: Colour = (226, 229, 236)
BAR: Colour = (16, 18, 24)
BAR_HEIGHT = 28
LINE = 1.6
"""Width of outlines in pixels of the finished picture."""
THICKEST = 0.3
"""Greatest width of a circle's outline, in radii."""
SMALL = 5
"""Radius up to which a circle has no spoke, in pixels of the finished picture."""


class Drawn(NamedTuple):
    """The drawing of one entity, independent of later changes of the world."""

    entity: int
    pose: tuple[float, float, float]
    shape: ec.Shape | None
    moving: bool
    pale: bool
    """True for sensors and for entities that are only drawn."""
    colour: Colour
    trail: float = 0.0
    label: str = ""
    thread: tuple[float, float] | None = None
    is_joint: bool = False
    """True for a joint, whose ends are dots on top of everything."""


def photograph() -> list[Drawn]:
    """Return the drawings of the current esper world: bodies that cannot move first, and pale ones before others."""
    colliders, paints = dict(esper.get_component(ec.Collider)), dict(esper.get_component(Paint))
    velocities = dict(esper.get_component(ec.Velocity))
    layers: tuple[list[Drawn], ...] = ([], [], [], [])
    for entity, place in esper.get_component(ec.Transform):
        collider, paint, moving = colliders.get(entity), paints.get(entity), entity in velocities
        if paint is not None:
            shape, pale = (paint.shape, True) if collider is None else (collider.shape, collider.sensor)
            look = paint.colour, paint.trail, paint.label, paint.thread
            thing = Drawn(entity, place.pose, shape, moving, pale, *look)
        elif collider is not None:
            colour = PALETTE[entity % len(PALETTE)] if moving else STATIC
            thing = Drawn(entity, place.pose, collider.shape, moving, collider.sensor, colour)
        else:
            continue
        layers[2 * moving + (not thing.pale)].append(thing)
    for kind in KINDS:
        for entity, joint in esper.get_component(kind):
            ends = [] if joint.broken else ends_of(joint)
            if ends:
                layers[-1].append(
                    Drawn(entity, (*ends[1], 0.0), None, True, False, JOINT, thread=ends[0], is_joint=True)
                )
    return [thing for layer in layers for thing in sorted(layer)]


class Painter:
    """The painter of a demo's world, which stores the trails of entities."""

    def __init__(self, demo: Demo, width: int, oversampling: int) -> None:
        pygame.font.init()
        self.view, self.background, self._shows_joints = demo.view, demo.background, demo.shows_joints
        self._scale = oversampling * width / (self.view.right - self.view.left)
        height = 2 * round(0.5 * self._scale * (self.view.top - self.view.bottom) / oversampling)
        self._oversampling = oversampling
        self._line = round(LINE * oversampling)
        self._canvas = pygame.Surface((oversampling * width, oversampling * height))
        self._small = pygame.Surface((width, height))
        self.picture = pygame.Surface((width, height + BAR_HEIGHT))
        """Surface that `draw` draws on."""
        self._corner = np.array((self.view.left, self.view.top))
        self._per_metre = np.array((self._scale, -self._scale))
        self._small_radius = SMALL * oversampling / self._scale
        self._stamps: dict[tuple[float, Colour, bool], pygame.Surface] = {}
        """Small disks by radius [m], colour and paleness."""
        self._trails: dict[int, deque[tuple[float, float, float]]] = {}
        """Times [s] and places [m] of each entity with a trail."""

    def draw(self, things: list[Drawn], time: float, caption: str) -> pygame.Surface:
        """Draw the state at `time` [s] with a line of text under it; return `picture`."""
        self._canvas.fill(self.background)
        things = [thing for thing in things if self._shows_joints or not thing.is_joint]
        for thing in things:
            if thing.thread is not None:
                self._draw_thread(thing.thread, thing.pose)
        still = sum(not thing.moving for thing in things)
        self._draw_solids(things[:still])
        for thing in things:
            if thing.trail:
                self._draw_trail(thing, time)
        self._draw_solids(things[still:])
        for thing in things:
            if thing.is_joint and thing.thread is not None:
                for end in self._pixels(np.array((thing.thread, thing.pose[:2]))):
                    _put_disc(self._canvas, end, 2.5 * self._oversampling, self._oversampling, JOINT, BAR)
        pygame.transform.smoothscale(self._canvas, self._small.get_size(), self._small)
        self.picture.blit(self._small, (0, 0))
        for thing in things:
            if thing.label:
                self._draw_label(thing)
        self._draw_caption(caption)
        return self.picture

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the world position [m] of a pixel of the picture."""
        metre = self._scale / self._oversampling
        return self.view.left + x / metre, self.view.top - y / metre

    def _pixels(self, points: np.ndarray) -> list[tuple[int, int]]:
        return [(x, y) for x, y in self._rounded(points).tolist()]

    def _rounded(self, points: np.ndarray) -> NDArray[np.int64]:
        """Return the pixels of the canvas (k, 2) that contain points (k, 2) [m]."""
        pixels: NDArray[np.int64] = np.rint((points - self._corner) * self._per_metre).astype(np.int64)
        return pixels

    def _draw_solids(self, things: list[Drawn]) -> None:
        for is_small, group in groupby(things, self._is_small_disc):
            if is_small:
                self._stamp_discs(list(group))
                continue
            for thing in group:
                self._draw_solid(thing)

    def _is_small_disc(self, thing: Drawn) -> bool:
        shape = thing.shape
        return type(shape) is ec.Circle and shape.radius <= self._small_radius and shape.center == (0.0, 0.0)

    def _stamp_discs(self, things: list[Drawn]) -> None:
        """Draw small circles around their origins in one pass, since there may be thousands."""
        stamps = []
        for thing in things:
            key = thing.shape.radius, thing.colour, thing.pale  # type: ignore[union-attr]  # they are circles
            if key not in self._stamps:
                radius = self._scale * key[0]
                tones = _tones(thing.colour, thing.pale, self.background)
                self._stamps[key] = _stamp(radius, min(self._line, THICKEST * radius), *tones)
            stamps.append(self._stamps[key])
        middles = self._rounded(np.array([thing.pose for thing in things])[:, :2])
        corners = middles - np.array([stamp.get_width() // 2 for stamp in stamps])[:, None]
        self._canvas.blits(list(zip(stamps, corners.tolist())), doreturn=False)

    def _draw_solid(self, thing: Drawn) -> None:
        if thing.shape is None:
            return
        if isinstance(thing.shape, ec.Circle):
            self._draw_disc(thing, thing.shape)
            return
        fill, edge_colour = _tones(thing.colour, thing.pale, self.background)
        drawn = outline(thing.shape)
        for area in drawn.areas:
            corners = self._clipped(placed(area, *thing.pose))
            if len(corners):
                pygame.draw.polygon(self._canvas, fill, self._pixels(corners))
        for edge in drawn.edges:
            self._draw_polyline(edge_colour, placed(edge, *thing.pose), self._line)
        for points in drawn.lines:
            self._draw_polyline(thing.colour, placed(points, *thing.pose), 2 * self._line)

    def _draw_disc(self, thing: Drawn, circle: ec.Circle) -> None:
        """Draw a circle; a large solid one gets a spoke."""
        x, y, angle = thing.pose
        at_x, at_y = circle.center
        if at_x or at_y:
            c, s = cos(angle), sin(angle)
            x, y = x + c * at_x - s * at_y, y + s * at_x + c * at_y
        middle_x, middle_y = round(self._scale * (x - self.view.left)), round(self._scale * (self.view.top - y))
        radius = self._scale * circle.radius
        line = min(self._line, THICKEST * radius)
        tones = _tones(thing.colour, thing.pale, self.background)
        _put_disc(self._canvas, (middle_x, middle_y), radius, line, *tones)
        if not thing.pale and circle.radius > self._small_radius:
            c, s = cos(angle), sin(angle)
            inner = 0.7 if thing.label else 0.0  # a spoke must not cross the label
            points = np.array([(x + c * k * circle.radius, y + s * k * circle.radius) for k in (inner, 1.0)])
            self._draw_polyline(tones[1], points, self._line)

    def _clipped(self, points: np.ndarray) -> np.ndarray:
        """Return the part of a polygon or segment in and around the view, so that no number is too large for pygame."""
        margin = 0.1 * (self.view.right - self.view.left)
        left, bottom, right, top = self.view
        return clip_to(points, left - margin, bottom - margin, right + margin, top + margin)

    def _draw_polyline(self, colour: Colour, points: np.ndarray, width: int) -> None:
        if len(points) == 2:
            points = self._clipped(points)
        if len(points):
            pygame.draw.lines(self._canvas, colour, False, self._pixels(points), width)

    def _draw_thread(self, start: tuple[float, float], pose: tuple[float, float, float]) -> None:
        ends = self._pixels(np.array((start, pose[:2])))
        pygame.draw.line(self._canvas, THREAD, ends[0], ends[1], self._line)
        pygame.draw.circle(self._canvas, THREAD, ends[0], 3 * self._oversampling)

    def _draw_trail(self, thing: Drawn, time: float) -> None:
        trail = self._trails.setdefault(thing.entity, deque())
        if trail and dist(trail[-1][1:], thing.pose[:2]) > 0.1 * (self.view.right - self.view.left):
            trail.clear()  # it was teleported
        trail.append((time, *thing.pose[:2]))
        while trail[0][0] < time - thing.trail:
            trail.popleft()
        points = self._pixels(np.array(trail)[:, 1:])
        for k in range(1, len(points)):
            faded = _mixed(self.background, thing.colour, 0.6 * k / len(points))
            pygame.draw.line(self._canvas, faded, points[k - 1], points[k], 2 * self._oversampling)

    def _draw_label(self, thing: Drawn) -> None:
        text = _text(thing.label, 15, (255, 255, 255), (20, 20, 24))
        (x, y), *_ = self._pixels(np.array((thing.pose[:2],)))
        self.picture.blit(text, text.get_rect(center=(x / self._oversampling, y / self._oversampling)))

    def _draw_caption(self, caption: str) -> None:
        width, height = self.picture.get_size()
        self.picture.fill(BAR, (0, height - BAR_HEIGHT, width, BAR_HEIGHT))
        text = _text(caption, 18, TEXT)
        self.picture.blit(text, text.get_rect(midleft=(10, height - BAR_HEIGHT // 2)))


@lru_cache(maxsize=512)
def _tones(colour: Colour, pale: bool, background: Colour) -> tuple[Colour, Colour]:
    """Return the colours of the inside and of the edge."""
    if pale:
        return _mixed(colour, background, 0.7), colour
    return colour, _mixed(colour, (0, 0, 0), 0.4)


def _put_disc(
    canvas: pygame.Surface, middle: tuple[int, int], radius: float, line: float, fill: Colour, edge: Colour
) -> None:
    pygame.draw.circle(canvas, edge, middle, round(radius + 0.5 * line))
    pygame.draw.circle(canvas, fill, middle, round(radius - 0.5 * line))


def _stamp(radius: float, line: float, fill: Colour, edge: Colour) -> pygame.Surface:
    """Return a disk on a transparent ground."""
    half = round(radius + 0.5 * line) + 1
    stamp = pygame.Surface((2 * half + 1, 2 * half + 1))
    ground = next(grey for grey in ((0, 0, 0), (1, 1, 1), (2, 2, 2)) if grey not in (fill, edge))
    stamp.fill(ground)
    stamp.set_colorkey(ground, pygame.RLEACCEL)
    _put_disc(stamp, (half, half), radius, line, fill, edge)
    return stamp


def _mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return the colour at `share` (0 to 1) of the way from `a` to `b`."""
    red, green, blue = (round(p + share * (q - p)) for p, q in zip(a, b))
    return red, green, blue


@lru_cache(maxsize=16)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(None, size)


@lru_cache(maxsize=512)
def _text(text: str, size: int, colour: Colour, edge: Colour | None = None) -> pygame.Surface:
    """Return the text as a picture, with a thin edge around the letters on changing ground.

    It is drawn four times as large and scaled down: pygame puts letters on whole pixels, which is uneven if they are
    small.
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
