"""The page that plays a recording: the player, with the data in it."""

from __future__ import annotations

import re
from base64 import b85encode
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.components.described import shorten_repr
from ecs_collide.draw.shape_outline import outline
from ecs_collide.draw.style import DARK, LIGHT, Colours, css_colour
from ecs_collide.recording.encoding import pack
from ecs_collide.recording.fit import fit
from ecs_collide.recording.recording_data import Recording, Track
from ecs_collide.shapes import Circle, Shape

PAGE, PLAYER = (Path(__file__).with_name(name) for name in ("player.html", "player.js"))
ARC_STEP = float(np.radians(6.0))
"""Step of polylines along arcs [rad]."""
JUMP = 0.12
"""Part of the view that a body moves in a frame at most, if it is drawn between its two places."""


def page(recording: Recording) -> str:
    """Return a page that plays a recording; it needs no network and no other file."""
    data = pack(recording, _header(recording))
    text = b85encode(data, pad=True).decode().replace("<", ",")  # no letters that mean something to HTML or JavaScript
    values = {"title": escape(recording.title), "size": str(len(data)), "data": text}
    return re.sub(r"\{\{(title|size|data)\}\}", lambda found: values[found[1]], _source(PAGE))


@cache
def _source(path: Path) -> str:
    """Return a file of the player without comments and indentation."""
    return re.sub(r"^\s+|^\s*//.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)


def _header(recording: Recording) -> dict[str, Any]:
    """Return all that does not change from frame to frame, as JSON."""
    shapes: dict[Shape, int] = {}
    bodies = [_described(track, shapes) for track in recording.tracks]
    view = fit(recording)
    return {
        "bodies": bodies,
        "shapes": [_drawn(shape) for shape in shapes],
        "joints": [
            [joint.a, joint.b, joint.anchor_a, joint.anchor_b, joint.first, joint.end] for joint in recording.joints
        ],
        "marks": recording.marks,
        "view": [round(edge, 4) for edge in view],
        "up": recording.y_up,
        "note": recording.note,
        "jump": JUMP * max(view[2] - view[0], view[3] - view[1]),
        "dt": float(np.median(np.diff(recording.times))) if len(recording) > 1 else 0.0,
        "script": _source(PLAYER),
        "colours": [_colours(DARK), _colours(LIGHT)],
    }


def _described(track: Track, shapes: dict[Shape, int]) -> dict[str, Any]:
    """Return the entry of a track in the header, without its path; its shape is added to `shapes`."""
    is_moving = track.kind is not BodyKind.STATIC
    values = {
        "shape": shapes.setdefault(track.shape, len(shapes)),
        "state": "sensor" if track.is_sensor else track.kind.name.lower(),
        "layer": 2 * is_moving + (not track.is_sensor),
    }
    return values | {name: value for name, value in (("label", track.label), ("mass", track.mass)) if value}


def _drawn(shape: Shape) -> dict[str, Any]:
    """Return the outline of a shape and its text."""
    text = shorten_repr(shape)
    if type(shape) is Circle:
        return {"radius": shape.radius, "center": shape.center, "text": text}
    drawn = outline(shape, ARC_STEP)
    kinds = {name: [np.round(points, 4).ravel().tolist() for points in getattr(drawn, name)] for name in drawn._fields}
    return {**kinds, "text": text}


def _colours(colours: Colours) -> dict[str, str]:
    """Return colours as CSS writes them."""
    return {name: css_colour(colour) for name, colour in asdict(colours).items() if colour is not None}
