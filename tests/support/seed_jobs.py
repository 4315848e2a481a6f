"""Functions of a seed for workers, which import them from here."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import esper

import ecs_collide as ec

BROKEN = 13
"""Seed of the world that goes wrong."""


def drop_disks(seed: int) -> str:
    """Let disks fall onto a floor, and return the hash of the state after 60 steps."""
    physics = ec.install(gravity=(0, -10))
    esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane((0, 1))))
    for k in range(5):
        esper.create_entity(ec.Transform(0.01 * seed * k, 1 + 1.1 * k), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    for _ in range(60):
        esper.process(1 / 60)
    return physics.state_hash()


def describe_world(seed: int) -> tuple[int, int, int, int]:
    """Return the seed, the first entity of the world, and the numbers of its processors and of all worlds."""
    first = esper.create_entity()
    ec.on("collision_start", lambda contact: None)
    return seed, first, len(esper._processors), len(esper.list_worlds())


def square(seed: int) -> int:
    """Return the square of a seed."""
    return seed * seed


def raise_at_broken(seed: int) -> int:
    """Return the seed, and raise an error for the broken one."""
    if seed == BROKEN:
        ec.install()
        raise ValueError("an unlucky number")
    return seed


def die_at_broken(seed: int) -> int:
    """Return the seed, and kill the worker that has the broken one."""
    if seed == BROKEN:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return seed


def wait_at_broken(seed: int) -> int:
    """Return the seed, and sleep for an hour instead at the broken one."""
    if seed == BROKEN:
        time.sleep(3600)
    return seed


def return_function_at_broken(seed: int) -> int | Callable[[], int]:
    """Return the seed, and something that cannot be pickled for the broken one."""
    return (lambda: 0) if seed == BROKEN else seed


def record_start(folder: Path, seed: int) -> int:
    """Write an empty file named after the seed, then take a while, or raise an error for the broken seed."""
    (folder / str(seed)).touch()
    if seed == BROKEN:
        raise ValueError("an unlucky number")
    time.sleep(0.2)
    return seed


def recorder(folder: Path) -> partial[int]:
    """Return a function of a seed that records its calls in a folder."""
    return partial(record_start, folder)


def wait_for_file(path: Path, seed: int) -> int:
    """Return the seed as soon as there is a file."""
    while not path.exists():
        time.sleep(0.01)
    return seed


def waiter(path: Path) -> partial[int]:
    """Return a function of a seed that waits for a file."""
    return partial(wait_for_file, path)
