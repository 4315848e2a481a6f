"""How numba compiles our functions: with less work than by default, to equally fast code.

    garbage    is collected after a kernel, not on the way: numba makes millions of objects that live until then
    passes     that our kernels have no use for are left out (closures, array expressions, `with`, parallel loops)
    types      that an operator makes of its arguments' types are looked up once, not at each place in the source,
               and once more there when it is translated
    callees    are translated to LLVM's language and simplified; where they end up they are optimised, once
    kernels    link all that they call, directly or not, and are alone in becoming machine code

Together this saves two fifths of the time. Functions that others compile with numba in the same process see none of it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba.core import typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.datamodel import models, register_default
from numba.core.runtime import rtsys
from numba.core.typing import Context

PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Code of one function, and which code it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.callees: dict[Any, None] = {}
        """A set in order: those added, and those that they call."""
        self.enable_object_caching()

    def add_linking_library(self, library: Any) -> None:
        """Note what is called from here; the runtime with its reference counts is not."""
        if library is rtsys.library:
            return
        library._ensure_finalized()
        if isinstance(library, CalleeLibrary):
            self.callees.update(library.callees)
        self.callees[library] = None


class CalleeLibrary(_Library):
    """Code that is only ever linked into kernels."""

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        """Simplify what numba wrote, and no more: a loop unrolled here is larger in every kernel, and seldom faster."""
        ll_module.data_layout = self._codegen._data_layout
        options = llvm.create_pass_builder(self._codegen._tm, llvm.create_pipeline_tuning_options())
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, options)

    def finalize(self) -> None:
        """Leave everything as it is."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Zero: there is no machine code."""
        return 0


class KernelLibrary(_Library):
    """Code that becomes machine code."""

    def finalize(self) -> None:
        """Link everything that is called, then optimise.

        What comes from callees has no name outside: every kernel has its own copy, none is mistaken for another.
        """
        own = {function.name for function in self.get_defined_functions()}
        for library in self.callees:
            if isinstance(library, CalleeLibrary):
                self._final_module.link_in(library._final_module, preserve=True)
        for function in self.get_defined_functions():
            if function.name not in own:
                function.linkage = "internal"
        self._linking_libraries = [library for library in self.callees if not isinstance(library, CalleeLibrary)]
        super().finalize()


class _OurFlags(Flags):  # type: ignore[misc]
    """Options of a compilation. numba compares them at each operator, of all values; these are compared by identity."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def copy(self) -> Flags:
        """What numba's own functions inherit that are compiled on the way: the same, so that each is compiled once."""
        return _inherited_flags(self.error_model, self.boundscheck)


@cache
def _inherited_flags(error_model: str, boundscheck: bool) -> Flags:
    flags = _OurFlags()
    flags.nrt, flags.forceinline, flags.release_gil = False, True, True
    flags.error_model, flags.boundscheck = error_model, boundscheck
    return flags


class _TypingContext(Context):  # type: ignore[misc]
    """numba's own, with a memory for what functions of numba return for which types."""

    def __init__(self, original: Context) -> None:
        self.__dict__.update(original.__dict__)
        self._known: dict[Any, Any] = {}
        self._remembering: dict[Any, _Function] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        is_ours = isinstance(func, types.Dispatcher)
        if kws or is_ours or not all(isinstance(argument, types.Type) for argument in args):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(args)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = super().resolve_function_type(func, args, kws)
        return found

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a global. Functions and operators are handed out so that they ask this memory."""
        found = super().resolve_value_type(val)
        if type(found) is not types.Function:
            return found
        if found not in self._remembering:
            self._remembering[found] = _Function(found)
        return self._remembering[found]

    def load_additional_registries(self) -> None:
        """The original has them."""


class _Function(types.Function):
    """The type of a function of numba's, to which a call is as what the context remembers of it."""

    def __init__(self, original: types.Function) -> None:
        self.__dict__.update(original.__dict__)
        self._original = original

    def get_call_type(self, context: _TypingContext, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        return context.resolve_function_type(self._original, args, kws)


register_default(_Function)(models.OpaqueModel)


class _TargetContext(CPUContext):  # type: ignore[misc]
    """numba's own, with our typing context."""

    def __init__(self, original: CPUContext, typing_context: Context) -> None:
        self.__dict__.update(original.__dict__)
        self.typing_context = typing_context

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """How a call is translated. Every use of an array asks for its `__array__`, which no array of numpy has."""
        if fn == "__array__":
            raise NotImplementedError
        return super().get_function(fn, sig, _firstcall)

    def load_additional_registries(self) -> None:
        """The original has them."""


@cache
def _contexts(typing_context: Context, target_context: CPUContext) -> tuple[_TypingContext, _TargetContext]:
    target_context.refresh()
    ours = _TypingContext(typing_context)
    return ours, _TargetContext(target_context, ours)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles what Python calls."""

    library_class: type[_Library] = KernelLibrary

    def __init__(
        self,
        typingctx: Context,
        targetctx: CPUContext,
        library: None,
        args: Any,
        return_type: Any,
        flags: Flags,
        locals: Any,
    ) -> None:
        ours = _contexts(typingctx, targetctx)
        super().__init__(*ours, library, args, return_type, _OurFlags(flags), locals)

    def define_pipelines(self) -> Iterable[PassManager]:
        """The passes, in order."""
        self.state.library = self.library_class(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = PassManager("nopython")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]

    def _compile_core(self) -> CompileResult:
        with _garbage_kept():
            return super()._compile_core()


class CalleeCompiler(KernelCompiler):
    """Compiles what only kernels call."""

    library_class = CalleeLibrary

    def define_pipelines(self) -> Iterable[PassManager]:
        """The same, without an entry for Python."""
        self.state.targetctx.get_executable = lambda library, fndesc, env: object()
        return super().define_pipelines()
