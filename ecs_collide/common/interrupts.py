"""Blocks in which Ctrl-C waits until a change is complete.

Python handles SIGINT between any two instructions of the main thread, and most likely right after a long kernel. The
columns would then be changed, but not the objects that belong to them. Within `with DelayedInterrupts():` the signal is
recorded and handled at the end of the block. Within an inner `with ImmediateInterrupts():`, where code of the game
runs, it is handled at once, as usual. Python never interrupts other threads, so the blocks do nothing there.
"""

from __future__ import annotations

from importlib import import_module
from threading import get_ident, main_thread
from types import FrameType
from typing import Any

_MAIN = main_thread().ident

# What the standard library's functions wrap, without its enumerations: 0.2 instead of 4 us.
_plain = import_module("_signal")
_handler, _set_handler, SIGINT = _plain.getsignal, _plain.signal, _plain.SIGINT


class DelayedInterrupts:
    """A block in which SIGINT waits; inner blocks change nothing. The object is itself the handler meanwhile."""

    __slots__ = ("_is_pending", "usual")

    def __enter__(self) -> None:
        self.usual: Any = None
        """Handler outside of the block; None within another block, or if it is not a handler of Python."""
        if get_ident() != _MAIN:
            return
        usual = _handler(SIGINT)
        if usual is not None and type(usual) is not DelayedInterrupts:
            self.usual, self._is_pending = usual, False
            _set_handler(SIGINT, self)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Record the signal."""
        self._is_pending = True

    def __exit__(self, *exception: object) -> None:
        if self.usual is not None:
            _set_handler(SIGINT, self.usual)
            if self._is_pending:
                _plain.raise_signal(SIGINT)


class ImmediateInterrupts:
    """A block within an uninterrupted one in which SIGINT is handled at once."""

    __slots__ = ("_outer",)

    def __enter__(self) -> None:
        self._outer: DelayedInterrupts | None = None
        outer = _handler(SIGINT) if get_ident() == _MAIN else None
        if isinstance(outer, DelayedInterrupts):
            self._outer = outer
            _set_handler(SIGINT, outer.usual)

    def __exit__(self, *exception: object) -> None:
        if self._outer is not None:
            self._outer.usual = _handler(SIGINT)  # the block's code may have set another one
            _set_handler(SIGINT, self._outer)
