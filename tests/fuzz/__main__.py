"""The command `python -m tests.fuzz --seconds 60 --seed 1`: it plays random cases until one fails, and shrinks that."""

from __future__ import annotations

import argparse
import sys
from itertools import zip_longest
from pprint import pformat
from random import SystemRandom
from time import monotonic

from tests.fuzz.case import Outcome
from tests.fuzz.runner import Runner
from tests.fuzz.shrink import Operations, shrink

SHRINK_LIMIT = 10.0
"""Time after which a case counts as hanging while it is shrunk [s]."""

PLAYED_TWICE = 8
"""Number of cases of which one is played twice; both must end the same."""


def main(arguments: list[str] | None = None) -> int:
    """Play random cases; return 1 if a fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to play")
    parser.add_argument("--seed", type=int, default=None, help="a new one if not given")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--keep-on", action="store_true", help="go on after a fault, and shrink one of each kind")
    options = parser.parse_args(arguments)
    seed = SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    print(f"python -m tests.fuzz --seconds {options.seconds:g} --seed {seed}", flush=True)
    return _run(str(seed), options.first, options.seconds, options.keep_on)


def _run(seed: str, first: int, seconds: float, keeps_on: bool) -> int:
    start, operations, number = monotonic(), 0, first
    kinds: dict[str, int] = {}
    with Runner() as runner:
        while monotonic() < start + seconds and (keeps_on or not kinds):
            outcome = play_case(runner, f"{seed}/{number}", number % PLAYED_TWICE == 0)
            if number == first:
                start = monotonic()  # kernels have been compiled
            operations += outcome.done
            if outcome.faults:
                kind = outcome.faults[0][0]
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] == 1:
                    report(runner, f"{seed}/{number}", outcome)
            number += 1
        rate = operations / (monotonic() - start)
    print(f"{operations} operations in {number - first} cases, {rate:.0f} a second; faults: {kinds or 'none'}")
    return 1 if kinds else 0


def play_case(runner: Runner, name: str, twice: bool = False) -> Outcome:
    """Play a case; if a crash lost its operations, play it again and record them one by one."""
    outcome = runner.random(name)
    if outcome.faults and not outcome.operations:
        outcome = runner.random(name, is_streamed=True)
    if twice and not outcome.faults:
        again = runner.random(name)
        if again.faults:  # a crash, for instance, of what the first time has left in the process
            return again._replace(operations=again.operations or outcome.operations)
        if again.trace != outcome.trace:  # what runs once in a process lets Ctrl-C come between other lines
            outcome, again = again, runner.random(name)
        if again.trace != outcome.trace:
            ends = zip_longest(outcome.trace, again.trace)
            step = next(k for k, (a, b) in enumerate(ends) if a != b)
            return outcome._replace(faults=(("not the same", f"the second time, from step {step}"),))
    return outcome


def report(runner: Runner, name: str, outcome: Outcome) -> None:
    """Shrink a failing case and print it."""
    kind, text = outcome.faults[0]
    print(f"\ncase {name}, after {len(outcome.operations)} operations: {text}", flush=True)

    def fails(operations: Operations) -> bool:
        faults = runner.replay(operations, SHRINK_LIMIT).faults
        return bool(faults) and faults[0][0] == kind

    if not fails(outcome.operations):
        print("this does not happen again when the operations are played alone")
        return
    print(snippet(shrink(outcome.operations, fails), kind), flush=True)


def snippet(operations: Operations, kind: str) -> str:
    """Return a script that plays a case."""
    listed = pformat(operations, width=110, sort_dicts=False)
    return f"from tests.fuzz.case import replay\n\n# {kind}\noperations = {listed}\nprint(replay(operations).faults)"


if __name__ == "__main__":
    sys.exit(main())
