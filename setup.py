"""Puts the top-level folders components, systems and demos inside the `ecs_collide` namespace.

Every other setting is in pyproject.toml. The packages are found rather than listed, so a new
sub-package needs no entry here. The symlinks `ecs_collide/components` and so on are not relied upon:
a checkout on Windows may hold plain text files in their place.
"""

from setuptools import find_packages, setup

FOLDERS = ("components", "systems", "demos")

engine = find_packages(include=["ecs_collide", "ecs_collide.*"])
folders = [f"ecs_collide.{name}" for name in find_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)])]

setup(
    packages=sorted({*engine, *folders}),
    package_dir={f"ecs_collide.{name}": name for name in FOLDERS},
)
