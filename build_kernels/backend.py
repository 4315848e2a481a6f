"""Machine code for one CPU from an LLVM module, with the passes that numba runs."""

from __future__ import annotations

from typing import NamedTuple

import llvmlite.binding as llvm

FEATURE_LEVELS = {"x86_64": ("x86-64", "x86-64-v3", "x86-64-v4")}
"""CPUs for which kernels are compiled, by architecture, in rising order (SSE2, AVX2, AVX-512 on x86). Others have
one, "generic"."""


NEEDED = {"x86-64-v3": ("avx2", "fma", "bmi", "bmi2"), "x86-64-v4": ("avx512f", "avx512bw", "avx512dq", "avx512vl")}
"""Features that a machine needs for these CPUs beyond the one before, in LLVM's names."""


class Target(NamedTuple):
    """The platform and the CPU of machine code, in LLVM's terms."""

    triple: str
    cpu: str


llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()


def host_triple() -> str:
    """Return the platform of this machine."""
    return str(llvm.get_process_triple())


def chosen_cpus(triple: str, requested: str) -> tuple[str, ...]:
    """Return the CPUs for "all", for "native" (the best one of this machine), or for names with commas between."""
    levels = FEATURE_LEVELS.get(triple.partition("-")[0], ("generic",))
    if requested == "native":
        return (max(filter(_is_here, levels), key=levels.index),)
    return levels if requested == "all" else tuple(level for level in levels if level in requested.split(","))


def _is_here(cpu: str) -> bool:
    features = llvm.get_host_cpu_features()
    return all(features.get(name, False) for name in NEEDED.get(cpu, ()))


class Optimised(NamedTuple):
    """A module after all passes, and the machine that it is for."""

    module: llvm.ModuleRef
    machine: llvm.TargetMachine

    def object_file(self) -> bytes:
        """Return the machine code as an object file."""
        return bytes(self.machine.emit_object(self.module))

    def assembly(self) -> str:
        """Return the machine code as text."""
        return str(self.machine.emit_assembly(self.module))


def optimise(bitcode: bytes, entry: str, symbol: str, target: Target) -> Optimised:
    """Run all passes on a module. Only `entry` stays visible from outside, as `symbol` and within the extension."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features="", opt=3, reloc="pic", codemodel="default"
    )
    module = llvm.parse_bitcode(bitcode)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration:
            part.linkage = "internal"
    visible = module.get_function(entry)
    visible.name, visible.linkage, visible.visibility = symbol, "external", "hidden"
    _run(module, machine, level=0)
    _run(module, machine, level=3)
    return Optimised(module, machine)


def _run(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    """Run the passes of `numba.core.codegen.CPUCodegen`: level 0 prepares for inlining, level 3 optimises."""
    options = llvm.create_pipeline_tuning_options(level)
    options.loop_vectorization, options.slp_vectorization = level > 0, False
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if level == 0:
        passes.add_loop_rotate_pass()
        passes.add_instruction_combine_pass()
        passes.add_jump_threading_pass()
    passes.run(module, builder)
