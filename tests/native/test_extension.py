"""A machine code module that is cut off is an error with its name; loading it would end Python silently."""

from __future__ import annotations

import compileall
import os
import shutil
import sys
import zipapp
from pathlib import Path

import pytest

import ecs_collide
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.native.extension import is_built
from tests.support.processes import run_python

pytestmark = pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT or sys.platform != "linux",
    reason="there is no module of kernels in ELF form in this run",
)
MODULES = ("_kernels", "native/_native")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and with nothing beside it."""
    folder = tmp_path_factory.mktemp("site")
    without = shutil.ignore_patterns("demos", "__pycache__")
    for top in ecs_collide.__path__:
        shutil.copytree(top, folder / "ecs_collide", ignore=without, dirs_exist_ok=True)
    return folder


def said(place: Path, script: str = "import ecs_collide") -> tuple[int, str]:
    """Return exit status and last line of output of a process with a folder or archive in its path."""
    plain = "import sys; sys.meta_path = [each for each in sys.meta_path if 'editable' not in str(each)]"
    script = f"{plain}; sys.path.insert(0, {str(place)!r}); {script}"
    done = run_python("-c", script, cwd=place.parent, expected=None)
    return done.returncode, ["", *done.stderr.splitlines()][-1]


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5])
def test_a_module_that_is_cut_off_is_an_error_by_name(installed: Path, name: str, share: float) -> None:
    (file,) = installed.joinpath("ecs_collide").glob(f"{name}.*so")
    whole = file.read_bytes()
    try:
        file.write_bytes(whole[: int(share * len(whole))])
        status, line = said(installed)
    finally:
        file.write_bytes(whole)
    assert status == 1
    assert line.startswith("ImportError: ")
    assert file.name in line or "_kernels" in line
    assert "cut off after" in line or "too short" in line


@pytest.mark.parametrize("name", MODULES)
def test_a_module_for_another_processor_is_an_error_that_names_both(installed: Path, name: str) -> None:
    (file,) = installed.joinpath("ecs_collide").glob(f"{name}.*so")
    whole, here = file.read_bytes(), os.uname().machine
    number, other = (62, "x86_64") if here == "aarch64" else (183, "aarch64")
    try:
        file.write_bytes(whole[:18] + number.to_bytes(2, "little") + whole[20:])
        status, line = said(installed)
    finally:
        file.write_bytes(whole)
    assert status == 1
    assert line.startswith("ImportError: ")
    assert f"is for {other} and this machine is {here}: install the wheel of ecs_collide" in line


def test_a_whole_one_is_loaded(installed: Path) -> None:
    assert said(installed) == (0, "")
    assert all(is_built(f"ecs_collide.{name.replace('/', '.')}") for name in MODULES)
    assert not is_built("ecs_collide.native._nothing")


def test_a_package_in_an_archive_is_an_error_with_the_remedy(installed: Path, tmp_path: Path) -> None:
    archive = tmp_path / "game.pyz"
    zipapp.create_archive(installed, archive, main="ecs_collide.__main__:main")
    status, line = said(archive)
    assert status == 1
    assert line.endswith("no machine code can be loaded there: unpack it")


SOURCE = "step/solver/step_bodies.py"
EDITS = {
    "longer": lambda text: text + b"\nMORE = 1\n",
    "cut off": lambda text: text[:100],
    "of another release": lambda text: text.replace(b"step_bodies", b"step_them_all"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_module_of_other_sources_is_an_error(installed: Path, edit: str) -> None:
    source = installed / "ecs_collide" / SOURCE
    text = source.read_bytes()
    try:
        source.write_bytes(EDITS[edit](text))
        status, line = said(installed)
    finally:
        source.write_bytes(text)
    assert status == 1
    assert line.startswith("ImportError: ")
    assert f"{SOURCE} has changed since " in line
    assert line.endswith("install ecs_collide again, or set NUMBA_DISABLE_JIT=1 to run the kernels as plain Python")


@pytest.mark.parametrize(("before", "after"), [(b"\n", b"\r\n"), (b"\nfrom", b"\n# a word\nfrom")])
def test_sources_with_other_ends_of_lines_or_comments_are_the_same(
    installed: Path, before: bytes, after: bytes
) -> None:
    source = installed / "ecs_collide" / SOURCE
    text = source.read_bytes()
    try:
        source.write_bytes(text.replace(before, after))
        assert said(installed) == (0, "")
    finally:
        source.write_bytes(text)


def test_a_package_without_sources_as_in_a_frozen_game_runs(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "site")
    compileall.compile_dir(tmp_path / "site", legacy=True, quiet=1)
    for source in tmp_path.rglob("*.py"):
        source.unlink()
    step = "import esper, ecs_collide as ec; ec.install(); esper.process(1 / 60); print(ec.__file__)"
    assert said(tmp_path / "site", step) == (0, "")


def test_a_package_without_its_module_is_an_error(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "site")
    (file,) = tmp_path.joinpath("site", "ecs_collide").glob("_kernels.*so")
    file.unlink()
    status, line = said(tmp_path / "site", "import ecs_collide")
    assert status == 1
    assert line.startswith("ImportError: the kernels of ecs_collide are missing (ecs_collide._kernels): install")


def test_a_package_without_its_part_in_c_is_an_error(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "site")
    (file,) = tmp_path.joinpath("site", "ecs_collide", "native").glob("_native.*so")
    file.unlink()
    status, line = said(tmp_path / "site")
    assert status == 1
    assert line.startswith("ImportError: ecs_collide.native._native is missing: install ecs_collide again")
