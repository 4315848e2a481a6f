"""The code that numba and LLVM make of vectors and of the functions of `simd.py`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.extending import lower_builtin, lower_cast, register_model

from ecs_collide.kernels import simd
from ecs_collide.kernels.numba_internals import (
    AbstractTemplate,
    PrimitiveModel,
    cgutils,
    containers,
    infer_global,
    types,
)

_ELEMENTS = {types.float32: ir.FloatType(), types.float64: ir.DoubleType(), types.boolean: ir.IntType(1)}


class Lanes(types.Type):
    """`count` lanes of float32, float64 or boolean (a mask)."""

    def __init__(self, element: types.Type, count: int) -> None:
        self.element, self.count = element, count
        super().__init__(f"{element}×{count}")

    @property
    def mask(self) -> Lanes:
        """The type of comparisons of two such vectors."""
        return Lanes(types.boolean, self.count)

    @property
    def is_mask(self) -> bool:
        """True if the lanes are booleans."""
        return bool(self.element == types.boolean)

    @property
    def llvm(self) -> ir.VectorType:
        """LLVM's type of such vectors."""
        return ir.VectorType(_ELEMENTS[self.element], self.count)


@register_model(Lanes)
class _LanesModel(PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, lanes.llvm)


@lower_cast(types.Number, Lanes)
def _number_in_every_lane(context, builder, from_type, to_type, value):
    return _broadcast(builder, context.cast(builder, value, from_type, to_type.element), to_type.llvm)


def _operation(function, signature, emit, *lowered_for):
    """Let compiled functions call a function.

    `signature(*types)` returns its type, or None if it does not take such arguments. `emit(context, builder,
    signature, values)` writes its code.
    """

    class Template(AbstractTemplate):
        key = function

        def generic(self, args, kws):
            return signature(*args) if len(args) == len(lowered_for) and not kws else None

    infer_global(function, types.Function(Template))
    lower_builtin(function, *lowered_for)(emit)


def _vector_operation(function, arity, signature, emit):
    """Let compiled functions call a function of vectors alone: `emit(builder, *values)` writes its code."""
    _operation(function, signature, lambda _, builder, sig, values: emit(builder, *values), *[Lanes] * arity)


def _of_floats(*args: types.Type) -> Lanes | None:
    """Return the type of the vectors of floats among vectors and numbers, or None if they differ."""
    vectors = [arg for arg in args if isinstance(arg, Lanes)]
    fits = all(arg == vectors[0] or isinstance(arg, types.Number) for arg in args) if vectors else False
    return vectors[0] if fits and not vectors[0].is_mask else None


def _lane_wise(function: Callable[..., Any], arity: int, emit: Callable[..., Any]) -> None:
    """Let compiled functions call a function from vectors of floats to such a vector."""

    def signature(*args):
        lanes = _of_floats(*args)
        return lanes and lanes(*[lanes] * arity)

    _vector_operation(function, arity, signature, emit)


def _comparison(function: Callable[..., Any], sign: str) -> None:
    def signature(a, b):
        lanes = _of_floats(a, b)
        return lanes and lanes.mask(lanes, lanes)

    _vector_operation(function, 2, signature, lambda builder, a, b: builder.fcmp_ordered(sign, a, b))


def _of_masks(function: Callable[..., Any], arity: int, emit: Callable[..., Any]) -> None:
    def signature(*args):
        fits = all(isinstance(arg, Lanes) and arg.is_mask and arg == args[0] for arg in args)
        return args[0](*args) if fits else None

    _vector_operation(function, arity, signature, emit)


def _from_mask(function: Callable[..., Any], result: types.Type, emit: Callable[..., Any]) -> None:
    def signature(mask):
        return result(mask) if isinstance(mask, Lanes) and mask.is_mask else None

    _vector_operation(function, 1, signature, emit)


def _shuffled(builder, a, b, order):
    """Return elements of the concatenation of a and b in another order."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order))
    return builder.shuffle_vector(a, b, places)


def _joined(builder, vectors):
    """Return the concatenation of vectors of equal length, a power of two of them."""
    while len(vectors) > 1:
        order = range(2 * vectors[0].type.count)
        vectors = [_shuffled(builder, a, b, order) for a, b in zip(vectors[::2], vectors[1::2])]
    return vectors[0]


def _broadcast(builder, value, vector_type):
    undefined = ir.Constant(vector_type, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return _shuffled(builder, first, undefined, [0] * vector_type.count)


def _intrinsic(name):
    """Return the code of an LLVM intrinsic of one vector, which keeps its type."""

    def emit(builder, a):
        bits = 32 if a.type.element == ir.FloatType() else 64
        kind = ir.FunctionType(a.type, [a.type])
        full_name = f"llvm.{name}.v{a.type.count}f{bits}"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, full_name), [a])

    return emit


def _chosen(sign):
    """Return code for: a in lanes with a `sign` b, else b."""
    return lambda builder, a, b: builder.select(builder.fcmp_ordered(sign, a, b), a, b)


def _reduction(sign):
    def emit(builder, a):
        while a.type.count > 1:
            half = a.type.count // 2
            low, high = (_shuffled(builder, a, a, range(k, k + half)) for k in (0, half))
            a = _chosen(sign)(builder, low, high)
        return builder.extract_element(a, ir.Constant(ir.IntType(32), 0))

    return emit


def _reduce(function: Callable[..., Any], sign: str) -> None:
    def signature(lanes):
        return lanes.element(lanes) if isinstance(lanes, Lanes) and not lanes.is_mask else None

    _vector_operation(function, 1, signature, _reduction(sign))


def _as_number(builder, mask):
    return builder.bitcast(mask, ir.IntType(mask.type.count))


def _select_signature(mask, a, b):
    lanes = _of_floats(a, b)
    return lanes(mask, lanes, lanes) if lanes and mask == lanes.mask else None


for _function, _emit in (
    (operator.add, ir.IRBuilder.fadd),
    (operator.sub, ir.IRBuilder.fsub),
    (operator.mul, ir.IRBuilder.fmul),
    (operator.truediv, ir.IRBuilder.fdiv),
    (simd.minimum, _chosen("<")),
    (simd.maximum, _chosen(">")),
):
    _lane_wise(_function, 2, _emit)
for _unary, _emit in (
    (operator.neg, ir.IRBuilder.fneg),
    (simd.absolute, _intrinsic("fabs")),
    (simd.square_root, _intrinsic("sqrt")),
    (simd.round_down, _intrinsic("floor")),
):
    _lane_wise(_unary, 1, _emit)
for _function, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _comparison(_function, _sign)
_of_masks(operator.and_, 2, ir.IRBuilder.and_)
_of_masks(operator.or_, 2, ir.IRBuilder.or_)
_of_masks(operator.invert, 1, ir.IRBuilder.not_)
_vector_operation(simd.select, 3, _select_signature, ir.IRBuilder.select)
_from_mask(simd.lane_bits, types.int64, lambda builder, m: builder.zext(_as_number(builder, m), ir.IntType(64)))
_from_mask(
    simd.any_lane,
    types.boolean,
    lambda builder, m: builder.icmp_unsigned("!=", _as_number(builder, m), ir.Constant(ir.IntType(m.type.count), 0)),
)
_reduce(simd.lowest, "<")
_reduce(simd.highest, ">")
_operation(
    simd.trailing_zeros,
    lambda bits: types.int64(types.int64),
    lambda context, builder, sig, values: builder.cttz(values[0], ir.Constant(ir.IntType(1), 0)),
    types.Integer,
)


def _size(array_type):
    """Return the bytes of an item."""
    return array_type.dtype.bitwidth // 8


def _pointer(context, builder, array_type, array, place_type, place, lanes, width):
    """Return a pointer to the vector of `width` elements of an array from a place on.

    If only the last index is missing, rows have `lanes` elements. So elements of rows with constant numbers lie at
    constant distances.
    """
    if isinstance(place_type, containers.BaseTuple):
        parts = list(zip(cgutils.unpack_tuple(builder, place), place_type))
    else:
        parts = [(place, place_type)]
    indices = [context.cast(builder, value, kind, types.intp) for value, kind in parts]
    view = context.make_array(array_type)(context, builder, array)
    if len(indices) == array_type.ndim - 1:
        lengths = cgutils.unpack_tuple(builder, view.shape)
        row = indices[0]
        for index, length in zip(indices[1:], lengths[1:]):
            row = builder.add(builder.mul(row, length), index)
        item = builder.gep(view.data, [builder.mul(row, ir.Constant(ir.IntType(64), lanes))])
    else:
        indices += [ir.Constant(ir.IntType(64), 0)] * (array_type.ndim - len(indices))
        item = cgutils.get_item_pointer(context, builder, array_type, view, indices, wraparound=False)
    return builder.bitcast(item, ir.VectorType(context.get_data_type(array_type.dtype), width).as_pointer())


class _Memory:
    """The code of loads and stores with a number of lanes; `_operation` takes the `emit_` methods."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes

    def vector(self, array):
        """Return the type of vectors of an array's items."""
        return Lanes(array.dtype, self.lanes)

    def row_pointers(self, context, builder, sig, values, column, rows, width):
        """Yield pointers to each lane's `width` elements from a column of its row on; `rows`: the index, its place."""
        table, ((index_type, index), (at_type, at)) = sig.args[0], rows
        view = context.make_array(table)(context, builder, values[0])
        stride = builder.extract_value(view.strides, 0)
        first = builder.bitcast(builder.gep(view.data, [column]), ir.IntType(8).as_pointer())
        kind = ir.VectorType(context.get_data_type(table.dtype), width).as_pointer()
        numbers = _pointer(context, builder, index_type, index, at_type, at, self.lanes, 1)
        numbers = builder.bitcast(numbers, ir.IntType(64).as_pointer())
        for lane in range(self.lanes):
            row = builder.load(builder.gep(numbers, [ir.Constant(ir.IntType(64), lane)]))
            yield builder.bitcast(builder.gep(first, [builder.mul(row, stride)]), kind)

    def table_rows(self, context, builder, sig, values, width):
        """Yield such pointers for the arguments (table, column, index, rows, ...)."""
        _, column, index, rows = sig.args[:4]
        start = context.cast(builder, values[1], column, types.intp)
        return self.row_pointers(context, builder, sig, values, start, ((index, values[2]), (rows, values[3])), width)

    def loaded_rows(self, context, builder, sig, values, width):
        align = _size(sig.args[0])
        return [builder.load(p, align=align) for p in self.table_rows(context, builder, sig, values, width)]

    def interleaved(self, builder, a, b, parity):
        """Return, for each pair of lanes, the first (or second) lane of a and then that of b."""
        lanes = self.lanes
        order = [place + parity + (lanes if of_b else 0) for place in range(0, lanes, 2) for of_b in (0, 1)]
        return _shuffled(builder, a, b, order)

    def emit_load(self, context, builder, sig, values):
        array, at = sig.args
        pointer = _pointer(context, builder, array, values[0], at, values[1], self.lanes, self.lanes)
        return builder.load(pointer, align=_size(array))

    def emit_store(self, context, builder, sig, values):
        array, at, _ = sig.args
        pointer = _pointer(context, builder, array, values[0], at, values[1], self.lanes, self.lanes)
        builder.store(values[2], pointer, align=_size(array))
        return context.get_dummy_value()

    def emit_gather(self, context, builder, sig, values):
        array, index, rows = sig.args
        places = (index, values[1]), (rows, values[2])
        start = ir.Constant(ir.IntType(64), 0)
        elements = self.row_pointers(context, builder, sig, values, start, places, 1)
        return _joined(builder, [builder.load(p, align=_size(array)) for p in elements])

    def emit_gather2(self, context, builder, sig, values):
        rows, lanes = self.loaded_rows(context, builder, sig, values, 2), self.lanes
        first = _joined(builder, rows[: lanes // 2])
        second = _joined(builder, rows[lanes // 2 :])
        columns = [_shuffled(builder, first, second, range(k, 2 * lanes, 2)) for k in (0, 1)]
        return context.make_tuple(builder, sig.return_type, columns)

    def emit_gather4(self, context, builder, sig, values):
        """Load rows r and r + 2 side by side, so that the last shuffle moves whole 128-bit pieces of its operands."""
        r = self.loaded_rows(context, builder, sig, values, 4)
        pairs = ((0, 2), (1, 3), (4, 6), (5, 7)) if self.lanes == 8 else ((0,), (1,), (2,), (3,))
        a, b, c, d = (_joined(builder, [r[row] for row in rows]) for rows in pairs)
        low = [self.interleaved(builder, x, y, 0) for x, y in ((a, b), (c, d))]
        high = [self.interleaved(builder, x, y, 1) for x, y in ((a, b), (c, d))]
        evens = [place for place in range(2 * self.lanes) if place % 4 < 2]
        odds = [place for place in range(2 * self.lanes) if place % 4 >= 2]
        columns = [_shuffled(builder, x, y, order) for order in (evens, odds) for x, y in (low, high)]
        return context.make_tuple(builder, sig.return_type, columns)

    def emit_scatter2(self, context, builder, sig, values):
        places = list(self.table_rows(context, builder, sig, values, 2))
        for lane in reversed(range(self.lanes)):
            row = _shuffled(builder, values[4], values[5], (lane, self.lanes + lane))
            builder.store(row, places[lane], align=_size(sig.args[0]))
        return context.get_dummy_value()

    def emit_scatter4(self, context, builder, sig, values):
        a, b, c, d = values[4:]
        left = [self.interleaved(builder, a, b, parity) for parity in (0, 1)]
        right = [self.interleaved(builder, c, d, parity) for parity in (0, 1)]
        places = list(self.table_rows(context, builder, sig, values, 4))
        for lane in reversed(range(self.lanes)):
            first = lane - lane % 2
            order = (first, first + 1, self.lanes + first, self.lanes + first + 1)
            row = _shuffled(builder, left[lane % 2], right[lane % 2], order)
            builder.store(row, places[lane], align=_size(sig.args[0]))
        return context.get_dummy_value()

    def gathers(self, count):
        """Return the signature of gathering `count` columns."""

        def signature(table, column, index, rows):
            return containers.UniTuple(self.vector(table), count)(table, column, index, rows)

        return signature

    def scatters(self, table, column, index, rows, *columns):
        """Return the signature of scattering columns."""
        return types.void(table, column, index, rows, *[self.vector(table)] * len(columns))


def compile_memory(memory: simd.LaneMemory, lanes: int) -> None:
    """Let compiled functions call the loads and stores with a number of lanes."""
    to = _Memory(lanes)
    place = types.Any
    _operation(memory.load, lambda array, at: to.vector(array)(array, at), to.emit_load, types.Array, place)
    _operation(
        memory.store,
        lambda array, at, a: types.void(array, at, to.vector(array)),
        to.emit_store,
        types.Array,
        place,
        Lanes,
    )
    _operation(
        memory.splat,
        lambda x: Lanes(x, lanes)(x),
        lambda context, builder, sig, values: _broadcast(builder, values[0], sig.return_type.llvm),
        types.Float,
    )
    _operation(
        memory.gather,
        lambda array, index, rows: to.vector(array)(array, index, rows),
        to.emit_gather,
        types.Array,
        types.Array,
        place,
    )
    rows = types.Array, types.Integer, types.Array, place
    _operation(memory.gather2, to.gathers(2), to.emit_gather2, *rows)
    _operation(memory.gather4, to.gathers(4), to.emit_gather4, *rows)
    _operation(memory.scatter2, to.scatters, to.emit_scatter2, *rows, *[Lanes] * 2)
    _operation(memory.scatter4, to.scatters, to.emit_scatter4, *rows, *[Lanes] * 4)


compile_memory(simd.EIGHT, simd.LANES)
compile_memory(simd.FOUR, 4)
