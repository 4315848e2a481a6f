"""The command `python -m ecs_collide.demos`."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from ecs_collide.demos import headless
from ecs_collide.demos.catalogue import MODULES, load, summary
from ecs_collide.demos.scene import Run


def main(arguments: list[str] | None = None, prog: str = "python -m ecs_collide.demos") -> int:
    """Run the command; return its exit status: 1 for a failed check, 2 if it could not start."""
    parser = argparse.ArgumentParser(prog, description="Runnable scenes of ecs_collide.")
    parser.add_argument("name", nargs="?", help="which demo; without a name they are listed")
    parser.add_argument("--headless", action="store_true", help="without a window, as fast as it goes")
    parser.add_argument("--frames", type=_frame_count, metavar="N", help="steps of 1/60 s to play")
    parser.add_argument("--out", type=_picture_file, metavar="FILE", help="picture to write: .gif all, .png the end")
    options = parser.parse_args(arguments)

    if options.name is None:
        if options.headless or options.frames or options.out:
            parser.error("name a demo to play")
        width = max(map(len, MODULES))
        print("\n".join(f"{name:{width}}  {summary(name)}" for name in MODULES))
        return 0
    try:
        make = load(options.name)
    except ValueError as error:
        parser.error(str(error))
    if options.out is not None and not options.headless:
        parser.error("--out needs --headless")
    module, library = ("PIL", "Pillow") if options.headless else ("pygame", "pygame-ce")
    needed = {name: name for name in make.libraries}
    if options.out is not None or not options.headless:
        needed[module] = library
    for module, library in needed.items():
        if find_spec(module) is None:
            parser.error(f'{library} not found: pip install "ecs_collide[demos]"')
    if options.headless:
        return _play_headless(options.name, options.frames, options.out)

    from ecs_collide.demos import window

    try:
        window.play(options.name, make, options.frames)
    except window.NoDisplayError as error:
        parser.error(
            f"no display to open a window on ({error}); "
            f"try: python -m ecs_collide.demos {options.name} --headless --out {options.name}.gif"
        )
    return 0


def _play_headless(name: str, frames: int | None, out: Path | None) -> int:
    with Run(name, load(name)) as run:
        try:
            if out is not None:
                out.parent.mkdir(parents=True, exist_ok=True)
            print(headless.play(run, frames or run.demo.frames, out))
        except OSError as error:
            print(f"cannot write {out}: {error}", file=sys.stderr)
            return 2
    return 1 if run.failure else 0


def _frame_count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a number of steps, 1 or more, got {text!r}")
    return int(text)


def _picture_file(text: str) -> Path:
    path = Path(text)
    if path.suffix not in headless.SUFFIXES:
        raise argparse.ArgumentTypeError(f"must end in {' or '.join(headless.SUFFIXES)}, got {text!r}")
    return path


if __name__ == "__main__":
    sys.exit(main())
