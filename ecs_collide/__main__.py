"""`python -m ecs_collide compile`: compile all kernels now, so that no game waits for it later."""

from __future__ import annotations

import argparse

from ecs_collide.compile_ahead import compile_ahead


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m ecs_collide", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("compile", help="compile all kernels for this machine and keep them on disk")
    parser.parse_args()
    compile_ahead()


if __name__ == "__main__":
    main()
