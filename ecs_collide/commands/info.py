"""The command `info`: what runs here."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import ecs_collide
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode

NEEDED = ("esper", "numpy")
OPTIONAL = (
    *("pygame-ce", "pillow", "pyglet", "arcade", "matplotlib", "shapely", "contourpy", "svgelements", "pytmx"),
    *("pymunk", "pytest", "hypothesis", "numba"),
)


def headline() -> str:
    """Return the version of the package, and how its kernels run."""
    more = ""
    if KERNEL_MODE is KernelMode.PREBUILT:
        more = f" for {module.instruction_set()}, out of {module.file()}"
    return f"ecs_collide {ecs_collide.__version__}\nkernels: {KERNEL_MODE.value}{more}"


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def run_info() -> int:
    """Print versions, the machine, and the instruction sets; return the exit status."""
    print(headline())
    if KERNEL_MODE is KernelMode.PREBUILT:
        print(f"instruction sets: {', '.join(module.cpus())} (ECS_COLLIDE_CPU selects one)")
    print(f"python: {platform.python_version()} ({platform.python_implementation()}), {platform.platform()}")
    print("needs: " + ", ".join(f"{name} {installed_version(name) or 'is missing'}" for name in NEEDED))
    present = [f"{name} {found}" for name in OPTIONAL if (found := installed_version(name))]
    print("can use: " + (", ".join(present) or "nothing else that is installed"))
    return 0
