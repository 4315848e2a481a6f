"""Translation of a kernel to one LLVM module, by numba's frontend, with an entry that takes words.

The module contains the kernel and its callees, for any CPU of one architecture, not optimised. The entry has one
signature for all kernels, `int (const word *arguments, word *results)`, so the platform's calling convention does not
matter. A number is a word of 8 bytes, and a bundle is the address of its native form. An array is its address and its
shape, from which the entry makes numba's form.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir

from ecs_collide.kernels.numba_internals import cgutils, containers, make_array, populate_array, types
from ecs_collide.kernels.numba_types import BundleType, numba_type
from ecs_collide.kernels.signature import declared_types, letters

WORD = ir.IntType(64)
MOST_WORDS, MOST_RESULTS = 256, 16


class Translated(NamedTuple):
    """A kernel as LLVM's bitcode, and the letters of its arguments and results."""

    bitcode: bytes
    takes: tuple[str, ...]
    returns: str


def translate(dispatcher: Any, symbol: str) -> Translated:
    """Translate a kernel for the types that it declares; `symbol` is the entry's name."""
    hints = declared_types(dispatcher.py_func).values()
    arguments = tuple(map(numba_type, hints))
    dispatcher.compile(arguments)
    compiled = dispatcher.overloads[arguments]
    library = compiled.library
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    for callee in library.callees:
        module.link_in(callee._final_module, preserve=True)
    entry, returns = _entry(compiled, symbol)
    module.link_in(llvm.parse_assembly(cgutils.normalize_ir_text(str(entry))))
    module.verify()
    return Translated(module.as_bitcode(), tuple(map(letters, hints)), returns)


def _entry(compiled: Any, symbol: str) -> tuple[ir.Module, str]:
    """Return the module of the entry, and the letters of its results."""
    context, kernel = compiled.target_context, compiled.fndesc
    module = compiled.library.codegen._create_empty_module(symbol)
    kernel_type = context.call_conv.get_function_type(kernel.restype, kernel.argtypes)
    callee = ir.Function(module, kernel_type, kernel.llvm_func_name)
    entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [WORD.as_pointer()] * 2), symbol)
    builder = ir.IRBuilder(entry.append_basic_block())
    words = _Words(context, builder, entry.args[0])
    values = [words.read(kind) for kind in kernel.argtypes]
    status, result = context.call_conv.call_function(builder, callee, kernel.restype, kernel.argtypes, values)
    results = _Results(context, builder, entry.args[1])
    returns = "" if kernel.restype == types.none else results.write(kernel.restype, result)
    assert words.count <= MOST_WORDS and results.count <= MOST_RESULTS, symbol
    builder.ret(builder.select(status.is_ok, ir.Constant(status.code.type, 0), status.code))
    return module, returns


class _Words:
    """Reads arguments from the words, one after the other."""

    def __init__(self, context: Any, builder: Any, start: Any) -> None:
        self.context, self.builder, self.start = context, builder, start
        self.count = 0

    def word(self, kind: Any = WORD) -> Any:
        place = self.builder.gep(self.start, [ir.Constant(WORD, self.count)])
        self.count += 1
        return self.builder.load(self.builder.bitcast(place, kind.as_pointer()))

    def read(self, kind: Any) -> Any:
        if isinstance(kind, types.Array):
            return self.read_array(kind)
        if isinstance(kind, containers.BaseTuple):
            return self.context.make_tuple(self.builder, kind, [self.read(item) for item in kind.types])
        if kind == types.boolean:
            return self.builder.icmp_unsigned("!=", self.word(), ir.Constant(WORD, 0))
        assert isinstance(kind, BundleType) or kind in (types.int64, types.float64), kind
        return self.word(self.context.get_value_type(kind))

    def read_array(self, kind: types.Array) -> Any:
        context, builder = self.context, self.builder
        array = make_array(kind)(context, builder)
        item_size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        data = self.word(context.get_data_type(kind.dtype).as_pointer())
        shape = [self.word() for _ in range(kind.ndim)]
        strides = [ir.Constant(WORD, item_size)]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(array, data, shape, strides, ir.Constant(WORD, item_size), meminfo=None)
        return array._getvalue()


class _Results:
    """Writes the results of a kernel to words."""

    def __init__(self, context: Any, builder: Any, start: Any) -> None:
        self.context, self.builder, self.start = context, builder, start
        self.count = 0

    def write(self, kind: Any, value: Any) -> str:
        """Write a value; return its letters."""
        if isinstance(kind, containers.BaseTuple):
            items = [self.builder.extract_value(value, k) for k in range(len(kind.types))]
            return f"t{chr(ord('0') + len(items))}" + "".join(map(self.write, kind.types, items))
        place = self.builder.gep(self.start, [ir.Constant(WORD, self.count)])
        self.count += 1
        if kind == types.float64:
            self.builder.store(value, self.builder.bitcast(place, ir.DoubleType().as_pointer()))
            return "d"
        if kind == types.boolean:
            value = self.builder.zext(value, WORD)
        assert value.type == WORD, kind
        self.builder.store(value, place)
        return "?" if kind == types.boolean else "q"
