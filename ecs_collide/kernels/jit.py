"""Kernels compiled by numba (`kernels.py` says when), cached on disk and reported.

All compile when first called, per combination of argument types, with IEEE division (no exception on 1/0), without
fast-math and without the GIL. As none makes an array, numba's reference counting is off. It would cost more than the
arithmetic: an atomic operation wherever a bundle of arrays is taken apart (1,290 instead of 250 ns for a pair of
boxes).

A kernel is also stored on disk, with every device function that it uses. So a device function needs no file of its own
and no wrapper for Python, which saves about a fifth of the compile time. Python may still call one, as tests do: it
goes through a small kernel made at that moment, which is never stored.

The stored form is valid for exactly the sources that it was compiled from. numba's own cache looks only at the file of
the kernel itself and goes stale when a callee in another file changes, so the digest here covers every Python file of
the package. It is taken when the first kernel is declared, before a later edit could be mistaken for the code that
runs.

Environment variables, besides numba's own:

    ECS_COLLIDE_CACHE    folder of the stored kernels; else NUMBA_CACHE_DIR/ecs_collide, else the user's cache folder
    ECS_COLLIDE_QUIET=1  no word on standard error about compiling
    ECS_COLLIDE_CHECK=1  look at the arguments of stages in every call (see `stage_check.py`)
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from functools import cache, cached_property, partial, update_wrapper
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Self

import numba
import numpy as np
from numba.core import config, event, sigutils, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher, OmittedArg
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

import ecs_collide.kernels.numba_types  # noqa: F401  # tells numba of bundles
from ecs_collide.kernels.compiler import CalleeCompiler, KernelCompiler
from ecs_collide.kernels.module import kernel_name
from ecs_collide.kernels.stage_check import check, checked

_PACKAGE_FOLDER = Path(__file__).parents[1]
_CLEAR_LINE = "\r\x1b[K"
_DIGEST_SIZE = hashlib.sha256().digest_size
OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "forceinline": False,  # left out, it would be what the caller has that happens to compile it first
    "_nrt": False,
}


KERNELS: dict[str, Any] = {}
"""Kernels and stages of the files that were run, by name."""


class CompileStatistics(NamedTuple):
    """What this process had to compile itself; both are zero where everything came from the cache."""

    kernel_count: int
    seconds: float


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls, and keep the result on disk."""
    _name_apart(function)
    dispatcher = CPUDispatcher(function, targetoptions=dict(OPTIONS), pipeline_class=KernelCompiler)
    dispatcher._cache = _KernelCache(function)
    KERNELS[kernel_name(function)] = dispatcher
    return dispatcher  # type: ignore[no-any-return]


def stage(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for the types that it declares; after the first, calls are only looked at with ECS_COLLIDE_CHECK=1.

    numba looks at the types of all arguments in each call, which takes 7 us for bundles of 40 arrays: more than
    a small world's work. A stage's arguments are columns, whose types never change.
    """
    return _Stage(kernel(function))


def device(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that kernels call, as a part of each of them: a building block.

    It is always inlined. Left to LLVM's judgement, and with bundles passed by value as they once were, the manifold of
    two circles took 64 ns instead of 18, and that of an outline and a box 1,500 instead of 110. And no loop around a
    call is vectorised.
    """
    return _callee(function, {"forceinline": True})


def subroutine(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that kernels call, and leave it to LLVM where to inline it.

    For long functions, where the copies that `device` makes would cost more time to compile than calls do to run.
    """
    return _callee(function, {})


def _callee(function: Callable[..., Any], options: dict[str, bool]) -> Callable[..., Any]:
    _name_apart(function)
    own = OPTIONS | options | {"no_cpython_wrapper": True}
    return _DeviceDispatcher(function, targetoptions=own, pipeline_class=CalleeCompiler)


DECLARED: dict[str, Any] = {}
"""Kernels and stages by name, while the module of kernels is built: each as a subroutine, with its types to come."""


def declare(function: Callable[..., Any]) -> Callable[..., Any]:
    """What a kernel or stage is while the module is built."""
    name = kernel_name(function)
    assert name not in DECLARED, name
    DECLARED[name] = subroutine(function)
    return DECLARED[name]  # type: ignore[no-any-return]


def compile_statistics() -> CompileStatistics:
    """How many kernels this process has compiled so far, and how long that took."""
    return CompileStatistics(_progress.kernel_count, _progress.seconds)


def cache_folder() -> Path:
    """Where compiled kernels are stored."""
    if own := os.environ.get("ECS_COLLIDE_CACHE"):
        return Path(own)
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR, "ecs_collide")
    return Path(AppDirs(appname="ecs_collide", appauthor=False).user_cache_dir)


class _Stage(partial[Any]):
    """A kernel that is entered directly once it is compiled.

    A `partial` without arguments of its own, because calling one from Python costs next to nothing: 10 ns, where a
    `__call__` written in Python costs 100.
    """

    dispatcher: Any

    def __new__(cls, dispatcher: Any) -> Self:
        """A stage that compiles the kernel when first called."""
        new = super().__new__(cls, lambda *args: new._enter(*args))
        new.dispatcher = dispatcher
        update_wrapper(new, dispatcher.py_func)
        return new

    @property
    def _numba_type_(self) -> types.Dispatcher:
        """What numba takes a stage for that another kernel calls."""
        return types.Dispatcher(self.dispatcher)

    def _enter(self, *args: Any) -> Any:
        """The first call from Python."""
        function, forms = self.dispatcher.py_func, self.dispatcher.overloads
        check(function, args)
        was_compiled = bool(forms)
        result = None if was_compiled else self.dispatcher(*args)
        compiled = next(iter(forms.values()))  # ahead, for instance; others differ in which arrays may be read-only
        entry = checked(compiled.entry_point, function) if _is_set("ECS_COLLIDE_CHECK") else compiled.entry_point
        self.__setstate__((entry, (), {}, self.__dict__))  # type: ignore[attr-defined]
        return entry(*args) if was_compiled else result


class _DeviceDispatcher(CPUDispatcher):
    """A compiled function without an entry for Python."""

    def add_overload(self, compiled: CompileResult) -> None:
        """Keep what was compiled away from numba's table of Python entries, since it has none."""
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """The callable that serves a call from Python."""
        return lambda *args: self._python_entry(*(a.value if isinstance(a, OmittedArg) else a for a in args))

    @cached_property
    def _python_entry(self) -> Callable[..., Any]:
        return CPUDispatcher(lambda *args: self(*args), targetoptions=dict(OPTIONS), pipeline_class=KernelCompiler)  # type: ignore[no-any-return]


class _KernelCache(_Cache):
    """The stored forms of one kernel: a file per combination of argument types.

    A file starts with the digest of the sources, the compiler and the payload. Whatever does not match,
    be it old, damaged or written at the same time by a process with other sources, is compiled anew.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        source = Path(function.__code__.co_filename)
        self._name = _full_name(function).replace("<", "").replace(">", "")
        sources = _digest(_source_files(function.__module__, source))
        self._origin = sources + str(function.__code__.co_firstlineno).encode()
        self._folder = cache_folder() / hashlib.sha256(bytes(source.parent)).hexdigest()[:16]
        self._enabled = source.is_file()

    @property
    def cache_path(self) -> str:
        """The folder of the files, as numba's statistics show it."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The stored form for these argument types, or None."""
        rtsys.initialize(target)  # unpacks arrays; numba's own caches load all registries, which takes 0.2 s
        if not self._enabled:
            return None
        key = self._key(signature, target.codegen())
        try:
            content = self._file(key).read_bytes()
        except OSError:
            return None
        digest, payload = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
        if digest != self._stamp(key, payload):
            return None
        return CompileResult._rebuild(target, *pickle.loads(payload))

    def save_overload(self, signature: Any, compiled: CompileResult) -> None:
        """Store what was compiled for these argument types."""
        if not self._enabled:
            return
        if compiled.library.has_dynamic_globals:
            warnings.warn(f"{self._name} uses a large global array or a pointer, so it cannot be stored", stacklevel=2)
            return
        key = self._key(signature, compiled.codegen)
        payload = dumps(compiled._reduce())
        try:
            _write_atomically(self._file(key), self._stamp(key, payload) + payload)
        except OSError as error:
            self.disable()
            _tell_once(f"cannot store compiled kernels in {cache_folder()} ({error.strerror}); set ECS_COLLIDE_CACHE")

    def enable(self) -> None:
        """Use the files."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the files alone."""
        self._enabled = False

    def flush(self) -> None:
        """Delete the files of this kernel."""
        for file in self._folder.glob(f"{self._name}-*.kernel"):
            file.unlink(missing_ok=True)

    def _key(self, signature: Any, codegen: Any) -> bytes:
        """What tells the stored forms of this kernel apart: argument types, target and compiler."""
        types, _ = sigutils.normalize_signature(signature)
        compiler = sys.version, numba.__version__, np.__version__, config.OPT, config.BOUNDSCHECK
        return repr((self._name, types, codegen.magic_tuple(), compiler)).encode()

    def _file(self, key: bytes) -> Path:
        return self._folder / f"{self._name}-{hashlib.sha256(key).hexdigest()[:16]}.kernel"

    def _stamp(self, key: bytes, payload: bytes) -> bytes:
        return hashlib.sha256(self._origin + key + payload).digest()


def _name_apart(function: Callable[..., Any]) -> None:
    """Give functions that a factory makes from one piece of source a name each, by what they captured.

    numba derives the names of machine code from the names of functions and links by them. Where a kernel
    loaded from disk and one just compiled contain functions of one name, one calls the other's.
    """
    if captured := [cell.cell_contents for cell in function.__closure__ or ()]:
        identity = [_full_name(value.py_func) if isinstance(value, Dispatcher) else dumps(value) for value in captured]
        function.__qualname__ += f"#{hashlib.sha256(repr(identity).encode()).hexdigest()[:8]}"


def _full_name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _source_files(module_name: str, source: Path) -> tuple[Path, ...]:
    """The folders and files whose content decides what a kernel compiles to.

    The engine always does. A kernel of a game's own also depends on the game's package, or on its one file.
    """
    top = getattr(sys.modules.get(module_name.partition(".")[0]), "__file__", None)
    own = Path(top).parent if top and Path(top).name == "__init__.py" else source
    return (_PACKAGE_FOLDER,) if own == _PACKAGE_FOLDER else (_PACKAGE_FOLDER, own)


@cache
def _digest(sources: tuple[Path, ...]) -> bytes:
    """Digest of the given Python files, and of all below the given folders [32 bytes]."""
    digest = hashlib.sha256()
    for source in sources:
        for file in _python_files(source) if source.is_dir() else [source]:
            if file.is_file():
                digest.update(f"\0{file.relative_to(source)}\0".encode())
                digest.update(file.read_bytes())
    return digest.digest()


def _python_files(folder: Path) -> list[Path]:
    """The Python files below a folder; in a checkout some of its folders are symlinks, which are followed.

    The demos have no kernels: who edits one need not wait for all of the engine's.
    """
    walk = os.walk(folder, followlinks=True)
    files = (Path(place, name) for place, _, names in walk for name in names if name.endswith(".py"))
    return sorted(file for file in files if folder / "demos" not in file.parents)


def _write_atomically(file: Path, content: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


class _Progress(event.Listener):
    """Counts outermost compilations of kernels, and says on standard error that they happen.

    On a terminal the line stands only while something compiles, so that it never runs into other output.
    Elsewhere there is one line at the start and one when the process ends.
    """

    def __init__(self) -> None:
        self.kernel_count = 0
        self.seconds = 0.0
        self._depth = 0
        self._started_at = 0.0

    def on_start(self, compilation: event.Event) -> None:
        """Called by numba before it compiles a function."""
        if not _is_kernel(compilation):
            return
        self._depth += 1
        if self._depth > 1:
            return
        self._started_at = perf_counter()
        line = "compiling kernels for this machine, once"
        if _on_terminal():
            _tell(f"{line} ({self.kernel_count} done, {self.seconds:.1f} s)", end="")
        elif self.kernel_count == 0:
            _tell(line)

    def on_end(self, compilation: event.Event) -> None:
        """Called by numba after it has compiled a function, or failed to."""
        if not _is_kernel(compilation):
            return
        self._depth -= 1
        if self._depth > 0:
            return
        self.kernel_count += 1
        self.seconds += perf_counter() - self._started_at
        if _on_terminal():
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)

    def report(self) -> None:
        """Say what was compiled, if anything was."""
        if self.kernel_count:
            _tell(f"kernels compiled: {self.kernel_count}, in {self.seconds:.1f} s")


def _is_kernel(compilation: event.Event) -> bool:
    return isinstance(compilation.data["dispatcher"]._cache, _KernelCache)


def _on_terminal() -> bool:
    return not _quiet() and sys.stderr.isatty()


def _quiet() -> bool:
    return sys.stderr is None or _is_set("ECS_COLLIDE_QUIET")


def _is_set(switch: str) -> bool:
    return os.environ.get(switch, "0") not in ("", "0")


def _tell(line: str, end: str = "\n") -> None:
    if not _quiet():
        print(f"{_CLEAR_LINE if _on_terminal() else ''}ecs_collide: {line}", end=end, file=sys.stderr, flush=True)


_tell_once = cache(_tell)
_progress = _Progress()
event.register("numba:compile", _progress)
atexit.register(_progress.report)
