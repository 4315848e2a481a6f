"""With NUMBA_BOUNDSCHECK=1 the build gives every index a check, so a kernel reports one that is out of range."""

from __future__ import annotations

import pytest

from tests.support.processes import run_script

pytest.importorskip("numba")

SCRIPT = """
import ctypes, struct
import llvmlite.binding as llvm
from build_kernels import backend
from build_kernels.compiler import let_numba_compile
from build_kernels.frontend import translate
from ecs_collide.kernels.arrays import Floats

def item(values: Floats, k: int):
    return values[k]

bitcode = translate(let_numba_compile(item, False), "entry").bitcode
triple = backend.host_triple()
cpu, = backend.chosen_cpus(triple, "native")
code = backend.optimise(bitcode, "entry", "item", backend.Target(triple, cpu)).object_file()
engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), llvm.Target.from_triple(triple).create_target_machine())
engine.add_object_file(llvm.ObjectFileRef.from_data(code))
engine.finalize_object()
call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(engine.get_function_address("item"))
values = (ctypes.c_double * 4)(6.0, 7.0, 8.0, 9.0)
for k in (-1, 1, 2):
    result = (ctypes.c_double * 1)()
    words = (ctypes.c_int64 * 3)(ctypes.addressof(values) + 8, 2, k)
    print(result[0] if call(words, result) == 0 else "refused", end=" ")
"""


@pytest.mark.parametrize(("setting", "items"), [("1", "refused 8.0 refused"), ("0", "6.0 8.0 9.0")])
def test_an_index_out_of_range_is_reported_if_the_build_checks_bounds(setting: str, items: str) -> None:
    """The array has two items, and a number before and behind it. A negative index does not count from the end."""
    assert run_script(SCRIPT, NUMBA_BOUNDSCHECK=setting, ECS_COLLIDE_BUILDING="1") == items
