"""Puts the top-level folders components, systems and demos inside the `ecs_collide` namespace; README for listings.

Builds the component views in C. Where there is no compiler they are left out, and Python serves in their place.
Every other setting is in pyproject.toml. The packages are found rather than listed, so a new
sub-package needs no entry here. The symlinks `ecs_collide/components` and so on are not relied upon:
a checkout on Windows may hold plain text files in their place.
"""

import re
from pathlib import Path

from setuptools import Extension, find_packages, setup

FOLDERS = ("components", "systems", "demos")


def as_listed(page: str) -> str:
    """Return README as lists of packages show it: without the files beside it, so pictures go and links become text."""
    page = re.sub(r"^!\[[^\]]*\]\((?!https:)[^)]*\)\n+", "", page, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\((?!https:)[^)]*\)", r"\1", page)


engine = find_packages(include=["ecs_collide", "ecs_collide.*"])
folders = [f"ecs_collide.{name}" for name in find_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)])]

views = Extension("ecs_collide.columns._cells", ["ecs_collide/columns/_cells.c"], py_limited_api=True, optional=True)

setup(
    long_description=as_listed(Path(__file__).with_name("README.md").read_text("utf-8")),
    long_description_content_type="text/markdown",
    packages=sorted({*engine, *folders}),
    package_dir={f"ecs_collide.{name}": name for name in FOLDERS},
    ext_modules=[views],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
