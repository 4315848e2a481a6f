"""The list of demos; reading it imports none of them."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

from ecs_collide.demos.scene import Demo

MODULES = {
    "hello": "hello_scene",  # hello.py is a plain script, as the README shows it
    "billiards": "billiards",
    "air_hockey": "air_hockey",
    "cradle": "cradle",
    "pyramid": "pyramid",
    "platformer": "platformer",
    "shapes": "shapes",
    "tiles": "tiles",
    "character": "character",
    "top_down": "top_down",
    "rays": "rays",
    "joints": "joints",
    "ragdoll": "ragdoll",
    "bridge": "bridge",
    "car": "car",
    "lander": "lander",
    "chains": "chains",
    "machine": "machine",
    "one_way": "one_way",
    "conveyor": "conveyor",
    "pixels": "pixels",
    "golf": "golf",
    "sumo": "sumo",
    "sectors": "sectors",
    "shield": "shield",
    "sweep": "sweep",
    "gems": "gems",
    "bullets": "bullets",
    "gas": "gas",
    "rollback": "rollback",
    "water": "water",
    "wind": "wind",
    "sorter": "sorter",
    "race": "race",
    "hook": "hook",
    "tether": "tether",
    "dig": "dig",
    "pinball": "pinball",
    "cloth": "cloth",
    "magnets": "magnets",
    "orbits": "orbits",
    "cave": "cave",
    "marbles": "marbles",
    "rocks": "rocks",
    "craters": "craters",
}
"""Module with `DEMO`, by the demo's name, which is that of the file whose docstring describes it."""


def summary(name: str) -> str:
    """Return the first line of the docstring of a demo's file."""
    source = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def load(name: str) -> type[Demo]:
    """Import a demo. Raises ValueError for an unknown name."""
    if name not in MODULES:
        raise ValueError(f"there is no demo {name!r}; there are {', '.join(MODULES)}")
    demo: type[Demo] = import_module(f"ecs_collide.demos.{MODULES[name]}").DEMO
    return demo
