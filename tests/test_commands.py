"""The commands of `python -m ecs_collide`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import ecs_collide
from ecs_collide import __main__ as command
from ecs_collide.commands import bench
from ecs_collide.commands.check import CHECKS
from ecs_collide.demos.catalogue import MODULES
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from tests.support.processes import run_python

needs_module = pytest.mark.skipif(KERNEL_MODE is not KernelMode.PREBUILT, reason="kernels are plain Python in this run")


def test_without_a_command_the_version_and_the_kernels_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == command.main(["--version"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == lines[2:] and lines[0] == f"ecs_collide {ecs_collide.__version__}"
    assert lines[1].startswith("kernels: ")


def test_info_names_versions_and_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["info"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^python: 3\.\d+\.\d+ ", printed, re.MULTILINE)
    assert re.search(r"^needs: esper 3\.\S+, numpy \S+$", printed, re.MULTILINE)
    assert "pytest" in printed


def test_demos_are_listed_and_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["demo"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(MODULES)
    assert command.main(["demo", "cradle", "--headless", "--frames", "2"]) == 0
    assert "cradle: 2 steps" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        command.main(["demo", "craddle"])
    assert "python -m ecs_collide demo: error: there is no demo 'craddle'" in capsys.readouterr().err


def test_the_bench_measures_each_scene(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pymunk")
    assert command.main(["bench", "--seconds", "0.01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(bench.SCENES)
    assert re.search(r"ecs_collide +pymunk$", lines[0])
    for scene, line in zip(bench.SCENES, lines[1:], strict=False):
        assert re.fullmatch(rf"{re.escape(scene.title)}( +\d+\.\d+){{3}} of pymunk", line)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon", "1e9"])
def test_a_time_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], seconds: str) -> None:
    with pytest.raises(SystemExit):
        command.main(["bench", "--seconds", seconds])
    assert "must be a time in seconds, above 0" in capsys.readouterr().err


def test_the_scenes_of_the_bench_come_to_the_same_place_in_both_engines() -> None:
    for make in (bench.pyramid(3), bench.heap("circle", 9)):
        assert len({(x, y) for _, x, y in make.bodies}) == len(make.bodies)
        assert all(y >= 0.5 and abs(x) <= 0.5 * make.width - 0.5 for _, x, y in make.bodies)


@needs_module
def test_a_sound_installation_passes_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check"]) == 0
    printed = capsys.readouterr().out
    assert [line[8:].partition(":")[0] for line in printed.splitlines()[2:]] == list(CHECKS)
    assert "FAULT" not in printed and ", ".join(module.cpus()) in printed


def test_every_fault_is_reported_and_the_other_checks_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise RuntimeError("this is broken")

    monkeypatch.setitem(CHECKS, "extension modules", fails)
    monkeypatch.setitem(CHECKS, "results", lambda: "fine")
    assert command.main(["check"]) == 1
    printed = capsys.readouterr().out
    assert "FAULT   extension modules: this is broken" in printed and "ok      results: fine" in printed


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the installed package, which may be damaged."""
    shutil.copytree(
        Path(ecs_collide.__file__).parent, tmp_path / "ecs_collide", ignore=shutil.ignore_patterns("__pyc*")
    )
    yield tmp_path / "ecs_collide"


def run_copy(copy: Path, *arguments: str) -> CompletedProcess[str]:
    """Run Python with the copy, which must end with status 1."""
    return run_python(*arguments, settings={"PYTHONPATH": str(copy.parent)}, cwd=copy.parent, expected=1)


def spoil(path: Path, place: float) -> None:
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= 0xFF
    path.write_bytes(data)


@needs_module
@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.99])
@pytest.mark.parametrize("name", ["_kernels", "native/_native"])
def test_a_damaged_module_ends_the_check_with_one_sentence(copy: Path, name: str, place: float) -> None:
    file = next(copy.glob(f"{name}.*.so"))
    spoil(file, place)
    done = run_copy(copy, "-m", "ecs_collide", "check")
    assert done.stderr.strip().splitlines() == [
        f"{file} is damaged, as it differs from what was built: install ecs_collide again"
    ]
    assert done.stdout == ""


@needs_module
def test_a_module_that_is_cut_off_ends_every_command_with_one_sentence(copy: Path) -> None:
    file = next(copy.glob("_kernels.*.so"))
    file.write_bytes(file.read_bytes()[:5000])
    done = run_copy(copy, "-m", "ecs_collide")
    assert len(done.stderr.strip().splitlines()) == 1 and "_kernels.abi3.so is cut off" in done.stderr
    done = run_copy(copy, "-c", "import ecs_collide")
    assert re.search(r"^ImportError: .*_kernels.abi3.so is cut off", done.stderr, re.MULTILINE)


@needs_module
def test_a_module_without_a_digest_does_not_pass(copy: Path) -> None:
    digest = next(copy.glob("_kernels.*.sha256"))
    digest.unlink()
    done = run_copy(copy, "-m", "ecs_collide", "check")
    assert f"{digest} is missing" in done.stderr and len(done.stderr.strip().splitlines()) == 1
