"""`python -m build_kernels FOLDER`: compile all kernels of ecs_collide; setup.py makes an extension module of them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from build_kernels.build import build


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m build_kernels", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for object files and table.h")
    parser.add_argument(
        "--cpus", default="all", help="all, this machine's (native), none, or names such as x86-64,x86-64-v3"
    )
    parser.add_argument("--triple", default="", help="the platform in LLVM's terms; else this one")
    parser.add_argument("--progress", type=Path, help="a file or terminal to which progress is written")
    options = parser.parse_args()
    os.environ.update(ECS_COLLIDE_BUILDING="1", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    build(options.folder, options.triple, options.cpus, options.progress)


if __name__ == "__main__":
    main()
