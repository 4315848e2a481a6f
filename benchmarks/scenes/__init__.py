"""The scenes, one file each; ``SCENES`` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from benchmarks.scene import Scene
from benchmarks.scenes.bridge import bridge
from benchmarks.scenes.chains import chains
from benchmarks.scenes.circle_pile import circle_pile
from benchmarks.scenes.compounds import compounds
from benchmarks.scenes.gas import gas
from benchmarks.scenes.net import net
from benchmarks.scenes.pyramid import pyramid
from benchmarks.scenes.ragdolls import ragdolls
from benchmarks.scenes.small import small
from benchmarks.scenes.sparse_polygons import sparse_polygons
from benchmarks.scenes.spinner import spinner
from benchmarks.scenes.terrain import terrain
from benchmarks.scenes.tumbler import tumbler
from benchmarks.scenes.washer import washer

QUICK_WARMUP, QUICK_FRAMES, QUICK_CHECK_FRAME = 5, 20, 30


class SceneRow(NamedTuple):
    """Makers of a scene in full size and in a tiny version."""

    full: Callable[[], Scene]
    tiny: Callable[[], Scene]


SCENES: dict[str, SceneRow] = {
    "pyramid": SceneRow(pyramid, partial(pyramid, 5)),
    "pyramid10": SceneRow(partial(pyramid, 10), partial(pyramid, 3)),
    "circle_pile": SceneRow(circle_pile, partial(circle_pile, 30)),
    "gas": SceneRow(gas, partial(gas, 40)),
    "sparse_polygons": SceneRow(sparse_polygons, partial(sparse_polygons, 60)),
    "terrain": SceneRow(terrain, partial(terrain, 60)),
    "small": SceneRow(small, small),
    "chains": SceneRow(chains, partial(chains, 2, 5)),
    "ragdolls": SceneRow(ragdolls, partial(ragdolls, 2)),
    "net": SceneRow(net, partial(net, 4)),
    "bridge": SceneRow(bridge, partial(bridge, 6)),
    "bridge_friction": SceneRow(partial(bridge, friction=200.0), partial(bridge, 6, friction=200.0)),
    "ragdolls_friction": SceneRow(partial(ragdolls, friction=3.0), partial(ragdolls, 2, friction=3.0)),
    "spinner": SceneRow(spinner, partial(spinner, 40)),
    "spinner_motor": SceneRow(partial(spinner, arm="motor"), partial(spinner, 40, arm="motor")),
    "spinner_none": SceneRow(partial(spinner, arm="none"), partial(spinner, 40, arm="none")),
    "tumbler": SceneRow(tumbler, partial(tumbler, 5)),
    "tumbler20": SceneRow(partial(tumbler, 20), partial(tumbler, 4)),
    "compounds": SceneRow(compounds, partial(compounds, 4)),
    "washer": SceneRow(washer, partial(washer, 5)),
}


def make_scene(name: str, *, quick: bool = False, frames: int | None = None) -> Scene:
    """Return the scene of this name. ``quick`` makes a tiny one; ``frames`` overrides the number of timed frames."""
    scene = SCENES[name].tiny() if quick else SCENES[name].full()
    if quick:
        checks = tuple(replace(check, frame=min(check.frame, QUICK_CHECK_FRAME)) for check in scene.checks)
        scene = replace(scene, name=name, warmup=QUICK_WARMUP, frames=QUICK_FRAMES, frames_per_turn=5, checks=checks)
    return scene if frames is None else replace(scene, frames=frames)
