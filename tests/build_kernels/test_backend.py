"""Checks of a kernel's LLVM module before it becomes machine code."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

import llvmlite.binding as llvm

from build_kernels.backend import Target, chosen_cpus, host_triple, optimise

SOURCE = """
define internal void @make(ptr %result, {first} %value) noinline {{
    %pair = insertvalue {{ {first}, i64, i1 }} {{ {first} undef, i64 7, i1 true }}, {first} %value, 0
    store {{ {first}, i64, i1 }} %pair, ptr %result
    ret void
}}

define i32 @entry(ptr %arguments, ptr %results) {{
    %place = alloca {{ {first}, i64, i1 }}
    %argument = load {first}, ptr %arguments
    call void @make(ptr %place, {first} %argument)
    %pair = load {{ {first}, i64, i1 }}, ptr %place
    %value = extractvalue {{ {first}, i64, i1 }} %pair, 0
    store {first} %value, ptr %results
    ret i32 0
}}
"""
"""A subroutine that returns a tuple as numba has it: through memory."""


def compiled(first: str) -> bytes:
    module = llvm.parse_assembly(SOURCE.format(first=first))
    triple = host_triple()
    target = Target(triple, chosen_cpus(triple, "all")[0])
    return optimise(module.as_bitcode(), "entry", "slide_all", target).object_file()


def test_a_subroutine_that_returns_a_tuple_with_an_array_is_refused() -> None:
    with pytest.raises(TypeError, match=r"kernel slide_all has .* in memory, \{ ptr, i64, i1 \}, in make: "):
        compiled("ptr")


def test_a_subroutine_may_return_a_tuple_of_numbers() -> None:
    assert compiled("double")
