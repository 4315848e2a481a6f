"""`python -m ecs_collide`: the version, and how kernels run on this machine."""

from __future__ import annotations

import argparse

import ecs_collide
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode


def main() -> None:
    """Print the version, and how kernels run."""
    parser = argparse.ArgumentParser(prog="python -m ecs_collide", description=__doc__)
    parser.add_argument("--version", action="store_true", help="print the version, as without options")
    parser.parse_args()
    more = ""
    if KERNEL_MODE is KernelMode.PREBUILT:
        more = f" for {module.instruction_set()}, out of {module.file()}"
    print(f"ecs_collide {ecs_collide.__version__}\nkernels: {KERNEL_MODE.value}{more}")


if __name__ == "__main__":
    main()
