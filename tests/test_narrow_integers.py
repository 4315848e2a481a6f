"""With 32-bit addresses, as in a browser, numpy's own integers have 32 bits: the code states int64 where it needs it.

`support/narrow_numpy.py` makes numpy so. Kernels refuse arrays of int32 then, by name.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import ecs_collide
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from tests.support.processes import run_script

TOP = Path(ecs_collide.__file__).parent
FILES = [*TOP.glob("*.py"), *(path for room in TOP.iterdir() if room.name != "demos" for path in room.rglob("*.py"))]

START = "from tests.support.narrow_numpy import narrow\nnarrow()\n"
SCENES = """
from tests.physics.test_same_bits_everywhere import GOLDEN, hash_of_scene
print([name for name in GOLDEN if hash_of_scene(name) != GOLDEN[name][-1]])
"""
CASES = """
from tests.fuzz.case import play_random
print([fault for seed in (*range(15), 18, 23, 24, 57) for fault in play_random(seed).faults])
"""
"""Random cases; between them, the last four do all operations with all kinds of shapes, joints and responses."""
PICTURES = """
from ecs_collide import draw
from ecs_collide.demos.catalogue import load
from ecs_collide.demos.scene import Run
from ecs_collide.recording import Recorder
from ecs_collide.recording.encoding import pack, unpack
with Run("pyramid", load("pyramid")) as run:
    recorder = Recorder()
    for _ in range(150):
        run.step()
        recorder.frame()
    draw.scene().svg()
    unpack(pack(recorder.recording(), {}))
print([])
"""
FORGETFUL = """
import numpy as np
from ecs_collide.step.sync.mobile_bodies import list_mobile
try:
    list_mobile(np.zeros(1, np.int64), np.array([0]), 1, np.zeros(1, np.int64), np.zeros(1, np.int64))
except TypeError as error:
    print(error)
"""


def output_with_narrow_integers(script: str) -> str:
    """Return the output of a process whose numpy has narrow integers."""
    return run_script(START + script)


needs_kernels = pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT, reason="only the module of kernels refuses what is not int64"
)


@needs_kernels
@pytest.mark.parametrize("script", [SCENES, CASES, PICTURES])
def test_narrow_integers_change_nothing(script: str) -> None:
    assert output_with_narrow_integers(script) == "[]"


@needs_kernels
def test_a_forgotten_override_is_named() -> None:
    received = output_with_narrow_integers(FORGETFUL)
    assert "list_mobile: argument 2 must be a C-contiguous writable array of int64" in received


def test_indices_come_from_functions_of_numpy() -> None:
    """Indices that arrays themselves return could not be made narrow above."""
    methods = {"argsort", "nonzero", "cumsum", "searchsorted", "repeat", "argmax", "argmin"}
    wrong = {
        f"{path.relative_to(TOP)}: {node.attr}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in methods
        if not (isinstance(node.value, ast.Name) and node.value.id in ("np", "itertools"))
    }
    assert not wrong


def test_numpy_is_wide_here() -> None:
    """Else this file would test nothing: `narrow` is for a process of its own."""
    assert np.array([1]).dtype == np.int64
