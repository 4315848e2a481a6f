"""Wheels for other systems: the table, the archive of bitcode, and machine code for each system."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("numba")

import llvmlite.binding as llvm

from build_kernels import backend
from build_kernels.build import Built
from build_kernels.cross.kernel_archive import read_archive, write_archive
from build_kernels.cross.machine_code import compile_objects, jobs_for
from build_kernels.cross.release_check import runs_here
from build_kernels.cross.targets import SYSTEMS
from build_kernels.jobs import Job

MAGIC = {"linux": b"\x7fELF", "windows": b"", "macos": b"\xcf\xfa\xed\xfe", "emscripten": b"\0asm"}
"""First bytes of an object file."""

SOURCE = """
define i32 @entry(ptr %arguments, ptr %results) {
    %value = load double, ptr %arguments
    %root = call double @llvm.sqrt.f64(double %value)
    store double %root, ptr %results
    ret i32 0
}
declare double @llvm.sqrt.f64(double)
"""


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """A build of two small kernels."""
    jobs = [Job(name, tmp_path / f"{name}-0123456789abcdef", "", ()) for name in ("geometry.root", "step.of-all.root")]
    for job in jobs:
        job.row.write_text('{"takes": ["d"], "returns": "d"}')
        job.bitcode.write_bytes(llvm.parse_assembly(SOURCE).as_bitcode())
    return Built(jobs, ["geometry/root.py 10 a b", "step/of_all.py 20 c d"])


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_row_names_one_system_to_all_tools(name: str) -> None:
    system = SYSTEMS[name]
    processor = {"aarch64": "(aarch64|arm64)", "x86_64": "(x86_64|amd64)", "wasm32": "(wasm32|win32)"}[system.processor]
    for text in (system.triple, system.zig, system.numpy, *system.tags):
        assert re.search(processor, text), text
    levels = backend.FEATURE_LEVELS.get(system.processor, ("generic",))
    assert system.cpus == levels[: len(system.cpus)]
    for _, library, version in re.findall(r"(linux-gnu|macos)()\.([\d.]+)", system.zig):
        assert version.replace(".", "_") in system.tags[0] and not library


def test_systems_differ() -> None:
    assert len({tag for system in SYSTEMS.values() for tag in system.tags}) == sum(
        len(system.tags) for system in SYSTEMS.values()
    )
    assert {system.family for system in SYSTEMS.values()} == set(MAGIC)


def test_each_system_gets_machine_code_of_its_own(built: Built, tmp_path: Path) -> None:
    folder = tmp_path / "objects"
    folder.mkdir()
    jobs = [job for system in SYSTEMS.values() for job in jobs_for(system, built.jobs, folder)]
    assert [*compile_objects(jobs)][-1] == 2 * len({(system.triple, system.cpus) for system in SYSTEMS.values()})
    for system in SYSTEMS.values():
        for job in jobs_for(system, built.jobs, folder):
            assert len(job.objects) == len(system.cpus)
            assert all(file.read_bytes().startswith(MAGIC[system.family]) for file in job.objects)
    assert [*compile_objects(jobs)] == [], "nothing is made twice"


def test_an_archive_of_bitcode_gives_the_same_kernels(built: Built, tmp_path: Path) -> None:
    write_archive(built, tmp_path / "kernels.tar.xz")
    found = read_archive(tmp_path / "kernels.tar.xz", tmp_path / "unpacked")
    assert found.sources == built.sources
    assert [job.name for job in found.jobs] == [job.name for job in built.jobs]
    for job, former in zip(found.jobs, built.jobs, strict=True):
        assert job.bitcode.read_bytes() == former.bitcode.read_bytes()
        assert job.read_row() == former.read_row()


def test_only_wheels_for_this_system_are_run() -> None:
    tags = [tag for system in SYSTEMS.values() for tag in system.tags]
    found = [tag for tag in tags if runs_here(Path(f"ecs_collide-0.1.0-cp311-abi3-{tag}.whl"))]
    assert len({re.split("_(?=x86|a)", tag)[-1] for tag in found}) <= 1
