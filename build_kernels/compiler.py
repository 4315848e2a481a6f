"""numba's frontend for our functions, with less work than by default and equally fast code.

    garbage    collection waits until a kernel is done: numba makes millions of objects that live until then
    passes     that our kernels do not need are left out (closures, array expressions, `with`, parallel loops)
    types      of an operator's result are looked up once for each combination of argument types
    indices    of arrays are never negative, so none is compared with 0 to count from the end
    callees    are translated to LLVM's language and simplified; LLVM optimises them once, as parts of kernels

numba's own functions that are compiled on the way inherit the options. Reference counting is off, as no kernel makes
an array. Division follows IEEE rules (1 / 0 is infinite), and there is no fast-math.

`numba_internals.py` in `ecs_collide/kernels` lists the parts of numba that this takes and that numba does not promise.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from ecs_collide.kernels.numba_internals import (
    CompilerBase,
    CompileResult,
    Context,
    CPUContext,
    CPUDispatcher,
    Flags,
    JITCodeLibrary,
    PassManager,
    arrayobj,
    config,
    cpu_target,
    models,
    register_default,
    rtsys,
    typed_passes,
    types,
    untyped_passes,
)

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,
    "boundscheck": bool(config.BOUNDSCHECK),
}
"""Options of numba for all functions. The environment variable NUMBA_BOUNDSCHECK=1 adds a check to every index."""

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


class _Library(JITCodeLibrary):
    """The code of one function for LLVM, and the libraries that it calls; none of it becomes machine code here."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.callees: dict[Any, None] = {}
        """Libraries that this one calls, directly or not, in order."""
        self.enable_object_caching()

    def add_linking_library(self, library: Any) -> None:
        """Record a callee. numba's runtime for reference counts is left out, as kernels count none."""
        if library is rtsys.library:
            return
        library._ensure_finalized()
        if isinstance(library, _Library):
            self.callees.update(library.callees)
        self.callees[library] = None

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        """Simplify the code that numba wrote, by passes that do not depend on the size of an address.

        Combined instructions would compute places in structs for this machine's addresses. Unrolled loops would only
        enlarge every kernel.
        """
        ll_module.data_layout = self._codegen._data_layout
        options = llvm.create_pass_builder(self._codegen._tm, llvm.create_pipeline_tuning_options())
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, options)

    def finalize(self) -> None:
        """Mark the code as complete, without optimising or linking it."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return zero: there is no machine code."""
        return 0


class _SharedFlags(Flags):
    """Options of a compilation. numba compares them at each operator, of all values; these are compared by identity."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def copy(self) -> Flags:
        """Return the flags for numba's own functions, the same for all kernels, so that each is compiled once."""
        return _inherited_flags(self.error_model, self.boundscheck)


@cache
def _inherited_flags(error_model: str, boundscheck: bool) -> Flags:
    flags = _SharedFlags()
    flags.nrt, flags.forceinline, flags.release_gil = False, True, True
    flags.error_model, flags.boundscheck = error_model, boundscheck
    return flags


class _TypingContext(Context):
    """Typing context of numba with a cache of the result types of numba's functions."""

    def __init__(self, original: Context) -> None:
        self.__dict__.update(original.__dict__)
        self._known: dict[Any, Any] = {}
        self._remembering: dict[Any, _Function] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        is_ours = isinstance(func, types.Dispatcher)
        if kws or is_ours or not all(isinstance(argument, types.Type) for argument in args):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(args)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = super().resolve_function_type(func, args, kws)
        return found

    def resolve_value_type(self, val: Any) -> Any:
        """Return the type of a global. Functions of numba, and operators, get the type that uses this cache."""
        found = super().resolve_value_type(val)
        if type(found) is not types.Function:
            return found
        if found not in self._remembering:
            self._remembering[found] = _Function(found)
        return self._remembering[found]

    def load_additional_registries(self) -> None:
        """Do nothing: the original context has them."""


class _Function(types.Function):
    """Type of a function of numba, whose calls are typed from the cache of the context."""

    def __init__(self, original: types.Function) -> None:
        self.__dict__.update(original.__dict__)
        self._original = original

    def get_call_type(self, context: _TypingContext, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        return context.resolve_function_type(self._original, args, kws)


register_default(_Function)(models.OpaqueModel)


class _TargetContext(CPUContext):
    """Target context of numba with our typing context."""

    def __init__(self, original: CPUContext, typing_context: Context) -> None:
        self.__dict__.update(original.__dict__)
        self.typing_context = typing_context

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """Return the translation of a call. numba asks for `__array__` at each use of an array, which no array has."""
        if fn == "__array__":
            raise NotImplementedError
        return super().get_function(fn, sig, _firstcall)

    def load_additional_registries(self) -> None:
        """Do nothing: the original context has them."""


@cache
def _contexts(typing_context: Context, target_context: CPUContext) -> tuple[_TypingContext, _TargetContext]:
    target_context.refresh()
    ours = _TypingContext(typing_context)
    return ours, _TargetContext(target_context, ours)


@contextmanager
def _paused_collection() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Compiler(CompilerBase):
    """numba's compiler with our contexts, passes and libraries."""

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
        super().__init__(*ours, library, args, return_type, _SharedFlags(flags), locals)

    def define_pipelines(self) -> Iterable[PassManager]:
        """Return the passes, in order; none makes an entry for Python."""
        self.state.targetctx.get_executable = lambda library, fndesc, env: object()
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = PassManager("nopython")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]

    def _compile_core(self) -> CompileResult:
        with _paused_collection():
            return super()._compile_core()


class _Dispatcher(CPUDispatcher):
    """A function that numba compiles for other functions, without an entry for Python."""

    def add_overload(self, compiled: CompileResult) -> None:
        """Keep compiled code out of numba's table of entries for Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled


_dispatchers: list[_Dispatcher] = []
"""Dispatchers that were made, of which numba itself only keeps weak references."""


def _as_it_is(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    """Return an integer index of an array as an address needs it; numba would add the size to a negative one."""
    return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)


arrayobj.fix_integer_index = _as_it_is


def let_numba_compile(function: Callable[..., Any], is_inlined: bool) -> Any:
    """Return a dispatcher for a Python function, and make numba use it where compiled functions call the function.

    `is_inlined`: False leaves it to LLVM whether the function becomes a part of its callers.
    """
    dispatcher = _Dispatcher(function, targetoptions=OPTIONS | {"forceinline": is_inlined}, pipeline_class=_Compiler)
    _dispatchers.append(dispatcher)
    cpu_target.typing_context.insert_global(function, types.Dispatcher(dispatcher))
    return dispatcher
