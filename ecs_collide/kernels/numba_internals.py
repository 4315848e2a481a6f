"""Parts of numba that it does not promise to keep, all in one place.

The build imports them from here. `find_missing` names the parts that another version of numba lacks, before the build
fails somewhere inside. `TRIED` lists the versions with which all kernels were built and the golden hashes compared.
"""

from __future__ import annotations

import numba
from numba.core import cgutils, config, typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.datamodel import PrimitiveModel, models, register_default
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.types import containers
from numba.core.typing import Context
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global
from numba.core.typing.typeof import typeof_impl
from numba.np import arrayobj
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

__all__ = [
    "AbstractTemplate",
    "AttributeTemplate",
    "CPUContext",
    "CPUDispatcher",
    "CompileResult",
    "CompilerBase",
    "Context",
    "Flags",
    "JITCodeLibrary",
    "PassManager",
    "PrimitiveModel",
    "arrayobj",
    "cgutils",
    "config",
    "containers",
    "cpu_target",
    "from_dtype",
    "infer_global",
    "make_array",
    "models",
    "populate_array",
    "register_default",
    "rtsys",
    "typed_passes",
    "typeof_impl",
    "types",
    "untyped_passes",
]

TRIED = ("0.66", "0.67", "0.68")
"""Minor versions of numba that were tried."""

USED: dict[object, str] = {
    JITCodeLibrary: "_finalize_dynamic_globals _optimize_functions add_linking_library enable_object_caching finalize",
    CompilerBase: "_compile_core define_pipelines",
    CPUDispatcher: "add_overload compile",
    CPUContext: "get_function load_additional_registries make_tuple refresh",
    Context: "insert_global load_additional_registries resolve_function_type resolve_value_type",
    Flags: "boundscheck copy error_model forceinline nrt release_gil",
    PassManager: "add_pass finalize",
    type(cpu_target): "typing_context",
    type(rtsys): "library",
    untyped_passes: (
        "DeadBranchPrune FixupArgs GenericRewrites ReconstructSSA RewriteDynamicRaises RewriteSemanticConstants "
        "TranslateByteCode"
    ),
    typed_passes: (
        "AnnotateTypes IRLegalization NativeLowering NoPythonBackend NopythonTypeInference PreLowerStripPhis"
    ),
    arrayobj: "fix_integer_index",
    cgutils: "alloca_once_value is_null normalize_ir_text pointer_add",
}
"""Names that are overridden or used of each part."""


def find_missing() -> list[str]:
    """Return the used names that this version of numba lacks, as `part.name`."""
    return [
        f"{getattr(part, '__name__', type(part).__name__)}.{name}"
        for part, names in USED.items()
        for name in names.split()
        if not hasattr(part, name)
    ]


def check_numba() -> None:
    """Raise ImportError that names what this version of numba lacks."""
    missing = find_missing()
    if missing:
        raise ImportError(
            f"numba {numba.__version__} lacks {', '.join(missing)}, which the build of the kernels uses: install "
            f"{' or '.join(TRIED)}, or see ecs_collide/kernels/numba_internals.py"
        )
