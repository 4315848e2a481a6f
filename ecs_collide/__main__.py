"""`python -m ecs_collide`: what runs here, demos, a benchmark, and a check of the installation."""

from __future__ import annotations

import argparse
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit status: 0 for success, 1 for a fault, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m ecs_collide", description=__doc__)
    parser.add_argument("--version", action="store_true", help="print the version, as without a command")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("info", help="print versions, the machine, and the instruction sets of the kernels")
    demo = commands.add_parser("demo", help="play a demo in a window; without a name they are listed", add_help=False)
    demo.add_argument("rest", nargs=argparse.REMAINDER)
    bench = commands.add_parser("bench", help="measure scenes for a minute, beside pymunk if it is installed")
    bench.add_argument("--seconds", type=_seconds, default=60.0, metavar="S", help="time to take [s], 60 by default")
    commands.add_parser("check", help="check that the installation is whole and works")
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["demo"]:  # its options are those of the demos
        from ecs_collide.demos.__main__ import main as play

        return play(given[1:], prog="python -m ecs_collide demo")
    options = parser.parse_args(given)
    if options.command == "bench":
        from ecs_collide.commands.bench import run_bench

        return run_bench(options.seconds)
    if options.command == "check":
        from ecs_collide.commands.check import run_check

        return run_check()
    from ecs_collide.commands.info import headline, run_info

    if options.command == "info":
        return run_info()
    print(headline())
    return 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 86_400.0:
        raise argparse.ArgumentTypeError(f"must be a time in seconds, above 0, got {text!r}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
