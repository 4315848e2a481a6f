"""The command `check`: the extension modules are whole, their sources are those they were built from, and they work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import esper

import ecs_collide as ec
from ecs_collide.api.install import check_esper
from ecs_collide.commands.info import NEEDED, headline, installed_version
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.native import extension

STEPS = 120
"""Number of steps of the scene that is played."""


def run_check() -> int:
    """Print what is in order and what is not; return the exit status, 1 for a fault."""
    print(headline())
    status = 0
    for title, find in CHECKS.items():
        try:
            print(f"ok      {title}: {find()}")
        except Exception as error:  # every fault is one line, and the others are looked for as well
            status = 1
            print(f"FAULT   {title}: {error}")
    return status


def _check_modules() -> str:
    """Compare the extension modules with the digests that were written when they were built."""
    return ", ".join(extension.check_digest(name) for name in (module.NAME, "ecs_collide.native._native"))


def _check_sources() -> str:
    """Compare the sources of kernels with those from which the module was built."""
    if KERNEL_MODE is KernelMode.PLAIN:
        return "kernels are plain Python, nothing to compare"
    return f"{module.check_contents()} files are those that were compiled"


def _check_versions() -> str:
    """Look for the packages that are needed."""
    check_esper()
    missing = [name for name in NEEDED if installed_version(name) is None]
    if missing:
        raise ImportError(f"{' and '.join(missing)} not found: python -m pip install {' '.join(missing)}")
    return ", ".join(f"{name} {installed_version(name)}" for name in NEEDED)


def _check_results() -> str:
    """Play a scene with each instruction set of this machine, and compare the bits of the results."""
    if KERNEL_MODE is KernelMode.PLAIN:
        return f"a scene ends as {play_scene()}"
    hashes = {}
    for cpu in module.cpus():
        # -P: not another copy of the package, which may lie in the present folder
        command = [sys.executable, "-P", "-c", "from ecs_collide.commands.check import play_scene; print(play_scene())"]
        paths = os.pathsep.join(filter(None, (str(Path(ec.__file__).parents[1]), os.environ.get("PYTHONPATH"))))
        chosen = os.environ | {"ECS_COLLIDE_CPU": cpu, "PYTHONPATH": paths}
        done = subprocess.run(command, env=chosen, capture_output=True, text=True)
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise RuntimeError(f"with {cpu} a scene ends with exit status {done.returncode}: {last}")
        hashes[cpu] = done.stdout.strip()
    if len(set(hashes.values())) > 1:
        raise RuntimeError(f"instruction sets give different results: {hashes}")
    return f"a scene ends in the same bits with {', '.join(hashes)}"


def play_scene() -> str:
    """Play a small scene, check where a ball comes to rest, and return the hash of the end."""
    esper.switch_world("check")
    physics = ec.install(gravity=(0.0, -10.0))
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
    ball = ec.spawn(ec.Circle(0.5), [(-3.0, 1.0)], velocities=(0.0, 0.0))[0]
    crates = ec.spawn(ec.Box(1.0, 1.0), [(0.0, 0.6 + 1.1 * k) for k in range(4)], velocities=(0.0, 0.0))
    esper.create_entity(ec.RevoluteJoint(ec.spawn(ec.Capsule((0, 0), (1, 0), 0.2), [(5, 5)], velocities=(0, 0))[0]))
    for _ in range(STEPS):
        esper.process(1 / 60)
    height = esper.component_for_entity(ball, ec.Transform).y
    top = esper.component_for_entity(crates[-1], ec.Transform).y
    if not (abs(height - 0.5) < 0.02 and abs(top - 3.5) < 0.1):
        raise RuntimeError(f"a ball rests at {height} instead of 0.5, and a stack at {top} instead of 3.5")
    return physics.state_hash()


CHECKS: dict[str, Callable[[], str]] = {
    "extension modules": _check_modules,
    "sources": _check_sources,
    "versions": _check_versions,
    "results": _check_results,
}
"""Checks by title; each returns what is in order, or raises an error."""
