"""A runner of cases in a process of its own, so that a crash or an endless loop of the interpreter is a finding too."""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from tests.fuzz.case import Outcome, play_random, replay
from tests.fuzz.shapes import Data

START = 1800.0
"""Time that a process may take to start and to give its first answer [s]."""


class Runner:
    """A process that plays cases; it is replaced when it has died or does not answer."""

    def __init__(self, limit: float = 30.0, prepare: Callable[[], object] | None = None) -> None:
        self._limit = limit
        self._prepare = prepare
        self._process: Any = None
        self._pipe: Any = None
        self._is_warm = False

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def random(self, seed: int | str, is_streamed: bool = False) -> Outcome:
        """Play a random case; with `is_streamed`, its operations are known even if the process dies."""
        return self._ask(("random", seed, is_streamed))

    def replay(self, operations: tuple[Data, ...], limit: float | None = None) -> Outcome:
        """Play a case from its operations."""
        return self._ask(("replay", operations), limit)

    def _ask(self, job: tuple[Any, ...], limit: float | None = None) -> Outcome:
        if self._process is None:
            self._start()
        self._pipe.send(job)
        received: list[Data] = []
        patience = (limit or self._limit) if self._is_warm else START
        try:
            while self._pipe.poll(patience):
                answer = self._pipe.recv()
                if isinstance(answer, Outcome):
                    self._is_warm = True
                    return answer
                received.append(answer)
            kind, text = "hang", f"no answer for {patience:g} s"
        except (EOFError, ConnectionError):
            self._process.join(5.0)
            kind, text = "crash", f"the interpreter died with exit code {self._process.exitcode}"
        self._end()
        operations = job[1] if job[0] == "replay" else tuple(received)
        return Outcome(operations, ((kind, text),), len(operations), ())

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._prepare), daemon=True)
        self._process.start()
        other.close()
        self._pipe.poll(START)  # until everything is imported
        self._pipe.recv()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _serve(pipe: Connection, prepare: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may start without
    if prepare is not None:
        prepare()
    pipe.send("ready")
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        if job[0] == "random":
            outcome = play_random(job[1], pipe.send) if job[2] else play_random(job[1])
        else:
            outcome = replay(job[1])
        pipe.send(outcome)
