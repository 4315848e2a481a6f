"""The module of kernels: it checks what kernels are given, and where it cannot serve it says why."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ecs_collide
from ecs_collide.algorithms.point_polygon import points_in_polygons
from ecs_collide.contours.first_hit import find_first_hit
from ecs_collide.contours.shape_contour import contour
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.native import extension
from ecs_collide.shapes import Circle
from ecs_collide.step.continuous.body_motions import mark_kinematic, new_motions
from tests.support.processes import run_python, run_script

pytestmark = pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT, reason="kernels do not come out of the module in this run"
)

BODIES = BodyColumns(4).arrays
MOTIONS = new_motions(4, np.zeros((4, 8)))
CIRCLE = contour(Circle(1.0))


def arguments() -> dict[str, Any]:
    """Return arguments of `mark_kinematic`."""
    return {
        "kinematic": np.zeros(1, np.int64),
        "least": 0.5,
        "bodies": BODIES,
        "motions": MOTIONS,
        "span": np.zeros((4, 3)),
    }


@pytest.fixture
def loaded_anew() -> Iterator[None]:
    """For tests that spoil the loading."""
    module.loaded.cache_clear()
    yield
    module.loaded.cache_clear()


def test_a_kernel_takes_what_it_declares() -> None:
    assert mark_kinematic(*arguments().values()) == 0
    assert mark_kinematic(*(arguments() | {"least": 1}).values()) == 0
    assert mark_kinematic(*(arguments() | {"least": np.float64(1.0)}).values()) == 0


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("kinematic", np.zeros(1), "a C-contiguous writable array of int64 with 1 axis"),
        ("kinematic", np.zeros(2, np.int64)[::2][:0].astype(np.int32), "array of int64"),
        ("kinematic", [1], "array of int64"),
        ("span", np.zeros(3), "array of float64 with 2 axes"),
        ("span", np.zeros((4, 6))[:, ::2], "a C-contiguous writable array"),
        ("span", np.asfortranarray(np.zeros((4, 3))), "a C-contiguous writable array"),
        ("span", np.zeros((4, 3), ">f8"), "array of float64"),
        ("span", np.broadcast_to(np.zeros(3), (4, 3)), "a C-contiguous writable array"),
        ("bodies", MOTIONS, "ecs_collide.data.bodies.Bodies"),
        ("bodies", tuple(BODIES), "ecs_collide.data.bodies.Bodies"),
        ("motions", None, "ecs_collide.step.continuous.body_motions.BodyMotions"),
    ],
)
def test_anything_else_is_refused(name: str, value: object, wanted: str) -> None:
    place = list(arguments()).index(name) + 1
    with pytest.raises(TypeError, match=rf"mark_kinematic: argument {place} must be .*{wanted}"):
        mark_kinematic(*(arguments() | {name: value}).values())


def test_numbers_of_another_kind_are_refused() -> None:
    with pytest.raises(TypeError, match="real number"):
        mark_kinematic(*(arguments() | {"least": "1"}).values())
    with pytest.raises(TypeError, match="argument 4 must be an int"):
        points_in_polygons(np.zeros(1), np.zeros(1), np.zeros((1, 3, 2)), 1.0, True, np.zeros(1, np.bool_))


def test_a_wrong_number_of_arguments_is_refused() -> None:
    with pytest.raises(TypeError, match="mark_kinematic takes 5 arguments, got 2"):
        mark_kinematic(BODIES, MOTIONS)


def test_tuples_are_taken_apart() -> None:
    assert find_first_hit(CIRCLE, -2.0, 0.0, 2.0, 0.0, False) == (0.25, -1.0, 0.0)
    for wrong in (CIRCLE[:3], (*CIRCLE, 1), list(CIRCLE)):
        with pytest.raises(TypeError, match="first_hit: argument 1 must be a tuple of 4"):
            find_first_hit(wrong, -2.0, 0.0, 2.0, 0.0, False)


def test_a_read_only_array_serves_where_nothing_is_written() -> None:
    x, inside = np.zeros(1), np.zeros(1, np.bool_)
    x.flags.writeable = False
    points_in_polygons(x, x, np.array([[(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)]]), 0, True, inside)
    assert inside[0]
    inside.flags.writeable = False
    with pytest.raises(TypeError, match="argument 6 must be a C-contiguous writable array of bool"):
        points_in_polygons(x, x, np.zeros((1, 3, 2)), 0, True, inside)


def test_a_kernel_that_the_module_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(RuntimeError, match=r"has no kernel engine\.nothing: (run `make build`|install)"):
        module.kernel_named("engine.nothing")


@pytest.mark.usefixtures("loaded_anew")
def test_a_damaged_module_is_an_error_and_no_reason_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        """Finds the module, which cannot be loaded."""

        def find_spec(self, name: str, *where: Any) -> ModuleSpec | None:
            return ModuleSpec(name, self) if name == module.NAME else None  # type: ignore[arg-type]

        def create_module(self, spec: ModuleSpec) -> None:
            raise ImportError(f"{spec.name}: invalid ELF header")

        def exec_module(self, loaded: ModuleType) -> None:
            raise NotImplementedError

    monkeypatch.setattr(sys, "meta_path", [Damaged(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, module.NAME, raising=False)
    monkeypatch.delattr(ecs_collide, "_kernels", raising=False)
    with pytest.raises(
        ImportError,
        match=r"_kernels cannot be loaded \(.*invalid ELF header\): (run `make build`|install)",
    ):
        module.check()


def test_a_package_in_an_archive_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extension, "_PACKAGE", Path("game.pyz/ecs_collide"))
    with pytest.raises(ImportError, match=r"lies in an archive, game\.pyz/ecs_collide; .*: unpack it"):
        module.check()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of the package in a checkout of one kernel file, which the module was built from."""
    package = tmp_path / "ecs_collide"
    package.mkdir()
    (tmp_path / "build_kernels").mkdir()
    source = package / "area.py"
    source.write_text(AREA)
    content, code = module.digest_of_content(source), module.digest_of_code(source)
    built = SimpleNamespace(SOURCES=f"area.py {len(AREA)} {content} {code}\n", __file__="_kernels.so")
    monkeypatch.setattr(module, "_PACKAGE", str(package))
    monkeypatch.setattr(module, "loaded", lambda: built)
    return source


AREA = """
'''Areas.'''
FACTOR = 2.0
'''A number.'''

def area(x):
    '''Return an area.'''
    return FACTOR * x
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Areas", "Areas of things"),
        ("A number", "A factor, without unit"),
        ("Return an area", "Compute an area"),
        ("\ndef", "\n# a word\ndef"),
        ("FACTOR * x", "FACTOR * x  # twice"),
        ("\n", "\r\n"),
    ],
)
def test_edits_of_words_need_no_build(checkout: Path, before: str, after: str) -> None:
    checkout.write_bytes(AREA.replace(before, after).encode())
    module.check()


@pytest.mark.parametrize(("before", "after"), [("2.0", "3.0"), ("* x", "+ x"), ("def", "x = (\ndef"), ("return", "")])
def test_a_checkout_with_edited_kernels_raises_an_error_that_names_make_build(
    checkout: Path, before: str, after: str
) -> None:
    module.check()
    checkout.write_text(AREA.replace(before, after))
    with pytest.raises(ImportError, match=r"area\.py has changed since .* was built: run `make build`, or set NUMBA_"):
        module.check()
    checkout.unlink()
    with pytest.raises(ImportError, match=r"area\.py has changed"):
        module.check()


def test_an_instruction_set_that_is_not_there_is_an_error() -> None:
    done = run_python("-c", "import ecs_collide", settings={"ECS_COLLIDE_CPU": "z80"}, expected=1)
    assert (
        "ValueError: ECS_COLLIDE_CPU is z80, which this machine or build does not have. Use one of: x86-64"
        in done.stderr
    )


def test_the_module_and_the_instruction_set_are_printed() -> None:
    worst = module.cpus()[0]
    done = run_python("-m", "ecs_collide", settings={"ECS_COLLIDE_CPU": worst})
    assert f"kernels: prebuilt for {worst}, out of " in done.stdout


def test_numba_is_not_imported() -> None:
    script = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import esper, ecs_collide as ec
ec.install(gravity=(0.0, -10.0))
ball = esper.create_entity(ec.Transform(0, 5), ec.Velocity(2, 0), ec.Collider(ec.Circle(0.5)))
esper.process(1 / 60)
print(esper.component_for_entity(ball, ec.Transform).y)
"""
    assert 4.9 < float(run_script(script)) < 5.0
