"""Installs the top-level folders components, systems and demos inside the `ecs_collide` namespace.

Compiles the kernels and the parts in C, for which it needs a C compiler.
Every other setting is in pyproject.toml. Packages are found, so a new sub-package needs no entry here. The symlinks
`ecs_collide/components` and so on are not used, because a checkout on Windows may have text files in their place.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

FOLDERS = ("components", "systems", "demos")


def as_listed(page: str) -> str:
    """Return the README for package indexes, which lack its files: without pictures, and with links as text."""
    page = re.sub(r"^!\[[^\]]*\]\((?!https:)[^)]*\)\n+", "", page, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\((?!https:)[^)]*\)", r"\1", page)


class BuildKernels(build_ext):
    """Compiles the kernels, and links them into one extension module.

    A wheel holds machine code for all instruction sets, or for those that ECS_COLLIDE_CPUS names; an installation in
    editable form only that of this machine.
    """

    def build_extension(self, extension: Extension) -> None:
        self._look_for_compiler()
        if extension.name == KERNELS.name:
            self._compile_kernels(extension)
        super().build_extension(extension)
        self._write_digest(extension)
        if extension.name == NATIVE.name and self.editable_mode:
            self._copy_to_checkout(extension)

    def _write_digest(self, extension: Extension) -> None:
        """Write the digest of an extension module beside it, for `python -m ecs_collide check`."""
        built = Path(self.get_ext_fullpath(extension.name))
        folder = Path(*extension.name.split(".")[:-1]) if self.editable_mode else built.parent
        digest = hashlib.sha256(built.read_bytes()).hexdigest()
        (folder / f"{built.name}.sha256").write_text(f"{digest}\n")

    def _copy_to_checkout(self, extension: Extension) -> None:
        """Copy an extension module to the sources now, as the compilation of the kernels imports it from there."""
        built = Path(self.get_ext_fullpath(extension.name))
        shutil.copy(built, Path(*extension.name.split(".")[:-1], built.name))

    def _look_for_compiler(self) -> None:
        if not getattr(self.compiler, "initialized", True):
            self.compiler.initialize()  # Microsoft's, which setuptools looks for
        command = getattr(self.compiler, "compiler_so", None)
        if command and not shutil.which(command[0]):
            raise CompileError(
                f"ecs_collide needs a C compiler to be built, and there is no {command[0]}: install one, for example "
                "gcc, or install ecs_collide from a wheel, which needs none"
            )

    def _compile_kernels(self, extension: Extension) -> None:
        import numpy

        are_checked = os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0"
        folder = Path("build", "checked_kernels" if are_checked else "kernels")  # CI makes both at a time
        package = Path.cwd() if self.editable_mode else Path(self.get_finalized_command("build_py").build_lib).resolve()
        cpus = os.environ.get("ECS_COLLIDE_CPUS", "native" if self.editable_mode else "all")
        # Without -P the sources here, which lack the parts in C, would stand before the package that is being built.
        command = [sys.executable, "-P", "-m", "build_kernels", folder, "--cpus", cpus]
        if terminal := os.environ.get("ECS_COLLIDE_PROGRESS"):
            command += ["--progress", terminal]
        paths = os.pathsep.join([str(package), str(Path.cwd()), *sys.path])
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": paths})
        extension.include_dirs = [numpy.get_include(), str(folder)]
        extension.extra_objects = (folder / "objects.txt").read_text().splitlines()
        self.force = True


NO_SYMBOLS = ["-s"] if sys.platform == "linux" else []
"""Linker options that leave out the names for a debugger, a quarter of a megabyte."""

ONLY_DECLARED = ["-Werror=implicit-function-declaration"] if sys.platform == "linux" else []
"""Compiler options that refuse a function without a declaration, such as one that Python's stable ABI lacks."""

KERNELS = Extension(
    "ecs_collide._kernels",
    ["build_kernels/kernels.c"],
    extra_compile_args=ONLY_DECLARED,
    extra_link_args=NO_SYMBOLS,
    py_limited_api=True,
)

engine = find_packages(include=["ecs_collide", "ecs_collide.*"])
folders = [f"ecs_collide.{name}" for name in find_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)])]

NATIVE = Extension(
    "ecs_collide.native._native",
    sorted(glob("ecs_collide/native/c_sources/*.c")),
    depends=["ecs_collide/native/c_sources/native.h"],
    extra_compile_args=ONLY_DECLARED,
    extra_link_args=NO_SYMBOLS,
    py_limited_api=True,
)

setup(
    long_description=as_listed(Path(__file__).with_name("README.md").read_text("utf-8")),
    long_description_content_type="text/markdown",
    packages=sorted({*engine, *folders}),
    py_modules=["pytest_ecs_collide"],  # outside of the package, so that pytest starts without it
    ext_modules=[NATIVE, KERNELS],  # in this order: the kernels are compiled with the package in use
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
    package_dir={f"ecs_collide.{name}": name for name in FOLDERS},
)
