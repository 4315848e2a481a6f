"""Switches and colours of a drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

Colour = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""
Paint = Callable[[int], Colour | None]
"""Function that returns the colour of an entity, or None for the colour of its state."""
Label = Callable[[int], str]
"""Function that returns the text at an entity, "" for none."""


class State(IntEnum):
    """States of a body that a drawing shows differently; each is the name of a colour."""

    STATIC = 0
    KINEMATIC = 1
    DYNAMIC = 2
    SLEEPING = 3
    SENSOR = 4
    DISABLED = 5


PALE = 0.7
"""Share of the background in the fill of a sensor."""
DARKER = 0.4
"""Share of black in the edge of a solid body."""


@dataclass(frozen=True)
class Show:
    """Switches of a drawing; each is one thing that it shows."""

    shapes: bool = True
    """Outlines of all bodies."""
    sensors: bool = True
    """Outlines of sensors, pale; without `shapes` they are hidden too."""
    sleep: bool = True
    """Sleeping bodies in a colour of their own."""
    joints: bool = True
    """A line between the anchors of each joint, and a dot at each anchor."""
    limits: bool = False
    """Range of each joint that has limits."""
    contacts: bool = False
    """A dot at each contact point, sleeping contacts included."""
    normals: bool = False
    """A line along the normal at each contact point."""
    impulses: bool = False
    """A line along the normal at each contact point, as long as its impulse is large."""
    bounds: bool = False
    """Fat boxes of the broadphase, one for each piece."""
    velocities: bool = False
    """Path of each centre of mass in the next tenth of a second at its present velocity."""
    axes: bool = False
    """Axes of each entity at its origin, x longer than y."""
    centers: bool = False
    """A ring at each centre of mass."""
    statistics: bool = False
    """Milliseconds of each system, bodies, pairs, contacts and sleeping bodies, as text in the corner."""
    labels: bool | Label = False
    """Text at each entity: its id, or what a function returns."""

    @classmethod
    def everything(cls) -> Show:
        """Return switches that are all on."""
        return cls(**{field.name: True for field in fields(cls)})


@dataclass(frozen=True)
class Colours:
    """Colours of a drawing. None hides a state of bodies, or leaves the background as it is."""

    background: Colour | None = (26, 29, 38)
    static: Colour | None = (94, 102, 122)
    kinematic: Colour | None = (168, 136, 224)
    dynamic: Colour | None = (88, 176, 224)
    sleeping: Colour | None = (128, 138, 156)
    sensor: Colour | None = (240, 180, 88)
    disabled: Colour | None = (70, 66, 70)
    joint: Colour = (236, 238, 242)
    limit: Colour = (122, 192, 112)
    contact: Colour = (255, 92, 92)
    normal: Colour = (255, 214, 90)
    impulse: Colour = (255, 140, 60)
    bounds: Colour = (206, 96, 206)
    velocity: Colour = (120, 230, 140)
    axis_x: Colour = (244, 110, 100)
    axis_y: Colour = (110, 210, 120)
    text: Colour = (226, 229, 236)


DARK = Colours()
"""Colours on a dark background."""
LIGHT = Colours(
    background=(250, 250, 247),
    static=(176, 182, 194),
    kinematic=(150, 112, 214),
    dynamic=(74, 154, 212),
    sleeping=(148, 160, 178),
    sensor=(224, 150, 40),
    disabled=(222, 220, 218),
    joint=(44, 48, 58),
    limit=(38, 140, 60),
    contact=(214, 32, 48),
    normal=(176, 112, 0),
    impulse=(220, 88, 10),
    bounds=(176, 48, 176),
    velocity=(10, 140, 64),
    axis_x=(208, 52, 44),
    axis_y=(30, 138, 60),
    text=(30, 33, 42),
)
"""Colours on a light background."""


class Tones(NamedTuple):
    """Colours of one body; None is not drawn."""

    fill: Colour | None
    edge: Colour | None
    line: Colour | None
    """Colour of parts without thickness."""


HIDDEN = Tones(None, None, None)


def state_tones(colours: Colours) -> list[Tones]:
    """Return the tones of each `State`."""
    pale = State.SENSOR, State.DISABLED
    return [tones_of(getattr(colours, state.name.lower()), state in pale, colours.background) for state in State]


@lru_cache(maxsize=1024)
def tones_of(colour: Colour | None, is_pale: bool, background: Colour | None) -> Tones:
    """Return the tones of a body in a colour: a pale fill, or a solid one with a darker edge."""
    if colour is None:
        return HIDDEN
    if is_pale:
        return Tones(mixed(colour, background or (0, 0, 0), PALE), colour, colour)
    return Tones(colour, mixed(colour, (0, 0, 0), DARKER), colour)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return the colour at `share` (0 to 1) of the way from `a` to `b`."""
    red, green, blue = (round(p + share * (q - p)) for p, q in zip(a, b))
    return red, green, blue


def css_colour(colour: Colour) -> str:
    """Return a colour as CSS and SVG write it."""
    return f"#{bytes(colour).hex()}"
