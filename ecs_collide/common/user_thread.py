"""The thread that uses physics: one at a time in a process.

esper keeps its current world in globals of its module. If two threads switch worlds and step them, each changes the
current world of the other one. That may happen within a step too, since kernels run without Python's lock. So the first
thread that installs physics is the only one that may use it. It stays so until it ends, until it has uninstalled all
its worlds, or until another thread calls `use_this_thread`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from gc import collect
from threading import RLock, Thread, current_thread, get_ident
from typing import Any
from weakref import WeakKeyDictionary

import esper

from ecs_collide.errors import PhysicsError

NOBODY = 0

user = NOBODY
"""Identifier of the thread that uses physics. Compare it with `get_ident()`, and call `claim` if they differ."""
lock = RLock()
"""Held while a thread claims physics, and while worlds are added, removed or listed."""

_thread: Thread | None = None
_worlds: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The worlds with physics, with the names of their esper worlds."""


def use_this_thread() -> None:
    """Make the present thread the one that uses physics, in place of the thread that used it before.

    Needed only if one thread installs physics and another one steps it, or if a pool calls `esper.process` in changing
    threads. The threads must not use physics or esper at the same time. To run simulations at the same time, use
    processes.
    """
    global user, _thread
    with lock:
        user, _thread = get_ident(), current_thread()


def claim(action: str) -> None:
    """Make the present thread the one that uses physics. Raises PhysicsError if another thread uses it."""
    with lock:
        refuse_other_thread(action)
        use_this_thread()


def is_used_elsewhere() -> bool:
    """Return True if another thread that is alive uses physics."""
    if get_ident() == user or _thread is None or not _thread.is_alive() or not names_of_worlds():
        return False
    collect()  # A deleted world that was not uninstalled may have left its name to a new world without physics.
    return bool(names_of_worlds())


def names_of_worlds() -> set[str]:
    """Return the names of the esper worlds that have physics. Worlds that esper has deleted are left out."""
    with lock:  # other threads may install and uninstall meanwhile
        names = set(_worlds.values())
    return names.intersection(esper.list_worlds())


def refuse_other_thread(action: str) -> None:
    """Raise PhysicsError if another thread uses physics; `action` says what the present one was about to do."""
    if not is_used_elsewhere() or _thread is None:
        return
    here = current_thread().name
    raise PhysicsError(
        f"thread {here!r} cannot {action}, since thread {_thread.name!r} uses physics and esper has one current world "
        "for all threads. Nothing was changed. Run simulations in processes of their own, for instance with "
        "concurrent.futures.ProcessPoolExecutor. If the threads take turns, call ecs_collide.use_this_thread() in "
        f"{here!r} first"
    )


def add_world(world: object) -> None:
    """Record that the current esper world has physics now, and guard `esper.switch_world` from now on."""
    _worlds[world] = esper.current_world
    if not hasattr(esper.switch_world, "__wrapped__"):
        esper.switch_world = _guarded(esper.switch_world)  # type: ignore[assignment]


def remove_world(world: object) -> None:
    """Record that a world has no physics any more; after the last one any thread may use physics."""
    global user, _thread
    with lock:
        _worlds.pop(world, None)
        if not _worlds:
            user, _thread = NOBODY, None


def _guarded(switch_world: Callable[[str], None]) -> Callable[[str], None]:
    @wraps(switch_world)
    def switch(name: str) -> None:
        if get_ident() != user:
            refuse_other_thread(f"switch to esper world {name!r}")
        switch_world(name)

    return switch
