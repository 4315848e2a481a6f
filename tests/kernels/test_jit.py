"""Compiled kernels are stored, and never outlive the sources that they were made from.

Most tests start processes of their own on a small copy of the engine: what `kernels/` has of kernels,
a device function in one
file and a kernel that calls it in another.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba.core import config
from numba.core.errors import TypingError

from ecs_collide.kernels import jit
from ecs_collide.kernels.arrays import Floats
from ecs_collide.kernels.jit import cache_folder, compile_statistics
from ecs_collide.kernels.kernel import device, kernel, stage, subroutine
from tests.support.own_kernels import compiled_only

CALLEE = """
from ecs_collide.kernels.kernel import device

@device
def scaled(x, factor=2.0):
    return x * factor
"""

CALLER = """
from ecs_collide.kernels.kernel import kernel
from {package}.inner.callee import scaled

@kernel
def scaled_sum(x, y):
    return scaled(x) + scaled(y)

@kernel
def scaled_difference(x, y):
    return scaled(x) - scaled(y)
"""

MAIN = """
from ecs_collide.kernels.jit import compile_statistics
from {package}.caller import scaled_difference, scaled_sum
results = scaled_sum(1.0, 2.0), scaled_difference(5.0, 2.0)
print(*results, compile_statistics().kernel_count, type(scaled_sum).__name__)
"""

# The loops keep `total` from being expanded in place, so that it is reached by name.
FACTORY = """
import sys
from ecs_collide.kernels.kernel import device, kernel

def make(factor):
    @device
    def total(count):
        result = 0.0
{loops}
        return result * factor

    @kernel
    def twice(count):
        return total(count) + total(count - count)

    return twice

kernels = {{"double": make(2.0), "triple": make(3.0)}}
print(*(kernels[name](7) for name in sys.argv[1:]))
""".format(loops="        for i in range(count):\n            result += i % 3 == 0\n" * 12)


class Outcome(NamedTuple):
    """What one process of the small copy printed."""

    results: tuple[float, float]
    compiled_count: int
    kind: str
    messages: list[str]


class SmallProject:
    """A folder with a small copy of the engine, and with the two kernel files in a package of the given name."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = folder
        self.package = package
        self.cache = folder / "cache"
        self.callee = folder / package / "inner" / "callee.py"
        for each in ("ecs_collide", "ecs_collide/kernels", package, f"{package}/inner"):
            (folder / each).mkdir(exist_ok=True)
            (folder / each / "__init__.py").touch()
        for file in Path(jit.__file__).parent.glob("*.py"):
            shutil.copy(file, folder / "ecs_collide" / "kernels")
        self.callee.write_text(CALLEE)
        (folder / package / "caller.py").write_text(CALLER.format(package=package))

    def run(self, **environment: str) -> Outcome:
        """Call both kernels in a new process."""
        output, messages = self.execute("-c", MAIN.format(package=self.package), **environment)
        total, difference, compiled_count, kind = output.split()
        return Outcome((float(total), float(difference)), int(compiled_count), kind, messages)

    def execute(self, *arguments: str, **environment: str) -> tuple[str, list[str]]:
        """Output and messages of a new Python process, which sees no other engine than the copy."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ECS_", "NUMBA_"))}
        own = {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1", "ECS_COLLIDE_CACHE": str(self.cache)}
        own["ECS_COLLIDE_JIT"] = "1"
        process = subprocess.run(
            [sys.executable, *arguments],
            env=inherited | own | environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout, process.stderr.splitlines()


def compiled_form(function: Any) -> Any:
    """What numba keeps of a function that was compiled for one combination of types."""
    (compiled,) = function.overloads.values()
    return compiled


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path, "ecs_collide")


@pytest.mark.parametrize("package", ["ecs_collide", "game"])
def test_editing_a_callee_in_another_file_makes_the_stored_caller_stale(tmp_path: Path, package: str) -> None:
    project = SmallProject(tmp_path, package)
    first = project.run()
    assert (first.results, first.compiled_count) == ((6.0, 6.0), 2)
    assert first.messages[0] == "ecs_collide: compiling kernels for this machine, once"
    assert first.messages[1].startswith("ecs_collide: kernels compiled: 2, in ")

    assert project.run() == ((6.0, 6.0), 0, "CPUDispatcher", [])

    project.callee.write_text(CALLEE.replace("2.0", "3.0"))
    edited = project.run()
    assert (edited.results, edited.compiled_count) == ((9.0, 9.0), 2)


def test_editing_a_file_behind_a_symlink_makes_it_stale_too(project: SmallProject) -> None:
    """In a checkout `ecs_collide/components` is a symlink, and kernels freeze constants from below it."""
    elsewhere = project.folder / "elsewhere"
    project.callee.parent.rename(elsewhere)
    project.callee.parent.symlink_to(Path("..") / elsewhere.name)
    assert project.run().results == (6.0, 6.0)
    assert project.run().compiled_count == 0
    (elsewhere / project.callee.name).write_text(CALLEE.replace("2.0", "3.0"))
    assert project.run().results == (9.0, 9.0)


def test_a_stage_gives_what_its_function_does_in_the_first_call_and_later() -> None:
    @stage
    def total(values: Floats, factor: float) -> float:
        result = 0.0
        for value in values:
            result += value
        return factor * result

    for factor in (1.0, 2.0, 3.0):
        assert total(np.arange(4.0), factor) == 6.0 * factor


def test_a_damaged_file_is_compiled_anew(project: SmallProject) -> None:
    project.run()
    stored = next(project.cache.rglob("*scaled_sum*"))
    stored.write_bytes(stored.read_bytes()[:-1])
    outcome = project.run()
    assert (outcome.results, outcome.compiled_count) == ((6.0, 6.0), 1)


def test_a_cache_that_cannot_be_written_is_reported_once_and_done_without(project: SmallProject) -> None:
    project.cache.touch()  # a file where the folder should be: this stops even the super-user
    outcome = project.run()
    assert (outcome.results, outcome.compiled_count) == ((6.0, 6.0), 2)
    assert sum("cannot store compiled kernels" in line for line in outcome.messages) == 1


def test_the_quiet_switch_silences_every_message(project: SmallProject) -> None:
    project.cache.touch()
    assert project.run(ECS_COLLIDE_QUIET="1").messages == []


def test_without_the_jit_a_kernel_is_the_plain_function(project: SmallProject) -> None:
    assert project.run(NUMBA_DISABLE_JIT="1") == ((6.0, 6.0), 0, "function", [])
    assert not project.cache.exists()


def test_the_cache_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECS_COLLIDE_CACHE", "/own")
    assert cache_folder() == Path("/own")
    monkeypatch.delenv("ECS_COLLIDE_CACHE")
    monkeypatch.setattr(config, "CACHE_DIR", "/numba")
    assert cache_folder() == Path("/numba/ecs_collide")
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert "ecs_collide" in cache_folder().parts


@compiled_only
def test_python_may_call_a_device_function_before_and_after_a_kernel_did() -> None:
    @device
    def shifted(x: float, by: float = 1.0) -> float:
        return x + by

    @kernel
    def shifted_twice(x: float) -> float:
        return float(shifted(shifted(x)))

    assert shifted(1.0) == 2.0
    assert shifted_twice(1.0) == 3.0
    assert shifted(1.0, by=3.0) == 4.0
    assert shifted(x=2) == 3.0


@compiled_only
def test_kernels_from_one_factory_are_stored_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECS_COLLIDE_CACHE", str(tmp_path))

    def adder(amount: float) -> float:
        @kernel
        def add(x: float) -> float:
            return x + amount

        return float(add(1.0))

    before = compile_statistics().kernel_count
    assert [adder(1.0), adder(2.0), adder(1.0)] == [2.0, 3.0, 2.0]
    assert compile_statistics().kernel_count == before + 2


def test_a_stored_kernel_never_calls_into_another_one_of_the_same_factory(project: SmallProject) -> None:
    """Regression: functions made by one factory shared a symbol, and a stored kernel called the wrong one."""
    (project.folder / "main.py").write_text(FACTORY)
    assert project.execute("main.py", "double")[0] == "72.0\n"
    assert project.execute("main.py", "triple")[0] == "108.0\n"
    assert project.execute("main.py", "double", "triple")[0] == "72.0 108.0\n"


@compiled_only
def test_what_only_kernels_call_has_no_machine_code_and_no_name_in_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECS_COLLIDE_CACHE", str(tmp_path))

    @subroutine
    def total(values: np.ndarray) -> float:
        result = 0.0
        for value in values:
            result += value
        return result

    @device
    def mean(values: np.ndarray) -> float:
        return float(total(values) / len(values))

    @kernel
    def spread(values: np.ndarray) -> float:
        return float(total(values) - mean(values))

    assert spread(np.arange(4.0)) == 4.5
    code = compiled_form(spread).library
    for callee in (total, mean):
        compiled = compiled_form(callee)
        assert not compiled.library.codegen._engine.is_symbol_defined(compiled.fndesc.llvm_func_name)
    names = [function.name for function in code.get_defined_functions() if function.linkage == Linkage.external]
    assert names
    assert not [name for name in names if "spread" not in name]


@compiled_only
def test_garbage_is_collected_again_after_compiling_and_after_a_function_that_cannot_be() -> None:
    @kernel
    def plus_one(x: float) -> float:
        return x + 1.0

    @kernel
    def impossible(x: float) -> float:
        return x.nothing  # type: ignore[attr-defined, no-any-return]

    plus_one(1.0)
    assert gc.isenabled()
    with pytest.raises(TypingError):
        impossible(1.0)
    assert gc.isenabled()


@compiled_only
def test_a_kernel_that_another_one_calls_counts_as_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECS_COLLIDE_CACHE", str(tmp_path))

    @kernel
    def inner(x: float) -> float:
        return x + 1.0

    @kernel
    def outer(x: float) -> float:
        return float(inner(x))

    before = compile_statistics()
    assert outer(1.0) == 2.0
    after = compile_statistics()
    assert after.kernel_count == before.kernel_count + 1
    assert after.seconds > before.seconds


@compiled_only
def test_on_a_terminal_the_line_is_erased_when_the_kernel_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ECS_COLLIDE_CACHE", str(tmp_path))
    monkeypatch.delenv("ECS_COLLIDE_QUIET", raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    @kernel
    def negated(x: float) -> float:
        return -x

    assert negated(1.0) == -1.0
    shown = capsys.readouterr().err
    assert shown.startswith("\r\x1b[Kecs_collide: compiling kernels for this machine, once (")
    assert shown.endswith(" s)\r\x1b[K")
