"""Several numbers in one name: the vector type of the wide kernels.

`lanes` numbers of one float type, float64×8 in the engine, are one value; a comparison of two gives a mask, as many
booleans. In a kernel the usual operators work lane by lane, between vectors of one type or a vector and a number,
which then stands in every lane:

    a + b  a - b  a * b  a / b  -a      IEEE operations, one instruction for a register full of lanes
    a < b  a <= b  a > b  a >= b        a mask; false where a lane is not a number
    m & n  m | n  ~m                    of masks

The functions below do the rest. LLVM cuts a vector into the registers that the machine has: one of 512 bits with
AVX-512, two with AVX2, four with SSE2 or NEON. No operation may be fused with another one or reordered (no fast-math
flag, no `contract`), and no lane sees another except where it is said, so every machine gets the same bits.
LLVM does not find such code by itself in loops over contacts: unrolled lanes and its own vectorisers were tried.

With `NUMBA_DISABLE_JIT=1` a vector is a numpy array and the bodies of the functions below are what runs. They are
also what Python gets when it calls one.

What to mind in a kernel:
    There is no `a += b`, as arrays would change under their other names: write `a = a + b`.
    A name that is a number first cannot become a vector: `splat` it. A number beside float32 lanes is a literal.
    A division in a lane that does not count must not warn either: give it a divisor of 1 by `select`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import config

LANES = 8
"""Lanes of a vector wherever nothing else is said."""

CACHE_LINE = 64  # [bytes]

Vector = Any
"""Lanes of floats, as numba or numpy have them."""

Mask = Any
"""Lanes of booleans."""


def lane_array(shape: tuple[int, ...], dtype: type | np.dtype[Any] = np.float64) -> np.ndarray:
    """Zeros that begin on a cache line, as numpy's own do not: there, each load of eight would touch two lines."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return raw[start : start + size].view(dtype).reshape(shape)


# ---- lane by lane


def select(mask: Mask, a: Vector, b: Vector) -> Vector:
    """a where the mask holds, b elsewhere: a blend. Both are computed; a NaN in the other one does no harm."""
    return np.where(mask, a, b)


def minimum(a: Vector, b: Vector) -> Vector:
    """The lesser; b where either is NaN: `minpd` on x86, a comparison and a blend elsewhere."""
    return np.where(a < b, a, b)


def maximum(a: Vector, b: Vector) -> Vector:
    """The greater; b where either is NaN: `maxpd` on x86, a comparison and a blend elsewhere."""
    return np.where(a > b, a, b)


def absolute(a: Vector) -> Vector:
    """|a|: clears the sign bit."""
    return np.abs(a)


def square_root(a: Vector) -> Vector:
    """The correctly rounded root, NaN of negative numbers: `sqrtpd`."""
    return np.sqrt(a)


def round_down(a: Vector) -> Vector:
    """The greatest whole number that is not above a: `vrndscalepd`, or a call of `floor` per lane on plain SSE2."""
    return np.floor(a)


# ---- over all lanes


def any_lane(mask: Mask) -> bool:
    """Whether the mask holds anywhere: the mask as a number, compared with 0."""
    return bool(mask.any())


def lane_bits(mask: Mask) -> int:
    """The mask as an int64, lane k in bit k: `movmskpd`, or a move out of a mask register."""
    return int(np.packbits(mask, bitorder="little")[0])


def lowest(a: Vector) -> Any:
    """The least of all lanes: halves are compared until one lane is left."""
    return a.min()


def highest(a: Vector) -> Any:
    """The greatest of all lanes: halves are compared until one lane is left."""
    return a.max()


def trailing_zeros(bits: int) -> int:
    """The place of the lowest bit that is set in an int64, 64 where none is: one instruction."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


# ---- between lanes and memory


class LaneMemory(NamedTuple):
    """How vectors of one number of lanes come from arrays and go there; every array is C-contiguous.

    A place `at` is an index or a tuple of indices; those left out are 0. Nothing checks that all lanes lie inside.
    `rows` is a place in an array `index` of int64: the lanes' row numbers stand there side by side.
    """

    load: Callable[..., Any]
    """load(array, at): the neighbours from `at` on. One unaligned move a register."""
    store: Callable[..., Any]
    """store(array, at, a): the opposite."""
    splat: Callable[..., Any]
    """splat(x): x in every lane. A broadcast."""
    gather: Callable[..., Any]
    """gather(array, index, rows): array[row] of each lane's row. A load a lane."""
    gather2: Callable[..., Any]
    """gather2(table, column, index, rows): two vectors, of `column` and the next in the flattened rows of the table.
    A load of two a lane, shuffles."""
    gather4: Callable[..., Any]
    """gather4(table, column, index, rows): four vectors, of `column` and the three next, be they those of the next row.
    A load of four a lane, and shuffles that turn the rows into columns: much quicker than the machine's own gather
    instructions."""
    scatter2: Callable[..., Any]
    """scatter2(table, column, index, rows, a, b): the opposite of gather2; where rows repeat, the first lane stays."""
    scatter4: Callable[..., Any]
    """scatter4(table, column, index, rows, a, b, c, d): the opposite of gather4; where rows repeat, the first lane
    stays."""


def lane_memory(lanes: int) -> LaneMemory:
    """The memory operations of vectors of this many lanes, 4 or 8."""

    def load(array, at):
        return _neighbours(array, at, lanes).copy()

    def store(array, at, a):
        _neighbours(array, at, lanes)[:] = a

    def splat(x):
        return np.full(lanes, x, np.asarray(x).dtype)

    def gather(array, index, rows):
        return array[_neighbours(index, rows, lanes)]

    def gather2(table, column, index, rows):
        flat = table[_neighbours(index, rows, lanes)].reshape(lanes, -1)
        return tuple(flat[:, column : column + 2].T.copy())

    def gather4(table, column, index, rows):
        places = _neighbours(index, rows, lanes) * (table.size // len(table)) + column
        return tuple(table.reshape(-1)[places + k] for k in range(4))

    def scatter2(table, column, index, rows, a, b):
        for lane, row in reversed(list(enumerate(_neighbours(index, rows, lanes)))):
            table[row].reshape(-1)[column : column + 2] = a[lane], b[lane]

    def scatter4(table, column, index, rows, a, b, c, d):
        for lane, row in reversed(list(enumerate(_neighbours(index, rows, lanes)))):
            table[row].reshape(-1)[column : column + 4] = a[lane], b[lane], c[lane], d[lane]

    memory = LaneMemory(load, store, splat, gather, gather2, gather4, scatter2, scatter4)
    if not config.DISABLE_JIT:
        _compile_memory(memory, lanes)
    return memory


def _neighbours(array: np.ndarray, at: int | tuple[int, ...], lanes: int) -> np.ndarray:
    """The lanes from a place on, as a view."""
    place = at if isinstance(at, tuple) else (at,)
    *before, start = (*place, *(0,) * (array.ndim - len(place)))
    row: np.ndarray = array[tuple(before)]
    return row[start : start + lanes]


# ---- what they compile to

if not config.DISABLE_JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.datamodel import PrimitiveModel
    from numba.core.typing.templates import AbstractTemplate, infer_global
    from numba.extending import lower_builtin, lower_cast, register_model

    _ELEMENTS = {types.float32: ir.FloatType(), types.float64: ir.DoubleType(), types.boolean: ir.IntType(1)}

    class Lanes(types.Type):
        """`count` lanes of float32, float64 or boolean (a mask)."""

        def __init__(self, element: types.Type, count: int) -> None:
            self.element, self.count = element, count
            super().__init__(f"{element}×{count}")

        @property
        def mask(self) -> Lanes:
            """The type of its comparisons."""
            return Lanes(types.boolean, self.count)

        @property
        def is_mask(self) -> bool:
            return bool(self.element == types.boolean)

        @property
        def llvm(self) -> ir.VectorType:
            return ir.VectorType(_ELEMENTS[self.element], self.count)

    @register_model(Lanes)
    class _LanesModel(PrimitiveModel):
        def __init__(self, manager: Any, lanes: Lanes) -> None:
            super().__init__(manager, lanes, lanes.llvm)

    @lower_cast(types.Number, Lanes)
    def _number_in_every_lane(context, builder, from_type, to_type, value):
        return _broadcast(builder, context.cast(builder, value, from_type, to_type.element), to_type.llvm)

    def _operation(function, signature, emit, *lowered_for):
        """Let kernels call a function: `signature(*types)` may be None, `emit(context, builder, signature, values)`."""

        class Template(AbstractTemplate):
            key = function

            def generic(self, args, kws):
                return signature(*args) if len(args) == len(lowered_for) and not kws else None

        infer_global(function, types.Function(Template))
        lower_builtin(function, *lowered_for)(emit)

    def _vector_operation(function, arity, signature, emit):
        """The same for functions of vectors alone: `emit(builder, *values)`."""
        _operation(function, signature, lambda _, builder, sig, values: emit(builder, *values), *[Lanes] * arity)

    def _of_floats(*args: types.Type) -> Lanes | None:
        """The one type of vectors of floats among vectors and numbers, if there is one."""
        vectors = [arg for arg in args if isinstance(arg, Lanes)]
        fits = all(arg == vectors[0] or isinstance(arg, types.Number) for arg in args) if vectors else False
        return vectors[0] if fits and not vectors[0].is_mask else None

    def _lane_wise(function: Callable[..., Any], arity: int, emit: Callable[..., Any]) -> None:
        """Floats in, floats out: `emit(builder, *values)`."""

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
        """The elements of the concatenation of a and b in another order."""
        places = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order))
        return builder.shuffle_vector(a, b, places)

    def _joined(builder, vectors):
        """Vectors of equal length, a power of two of them, one behind the other."""
        while len(vectors) > 1:
            order = range(2 * vectors[0].type.count)
            vectors = [_shuffled(builder, a, b, order) for a, b in zip(vectors[::2], vectors[1::2])]
        return vectors[0]

    def _broadcast(builder, value, vector_type):
        undefined = ir.Constant(vector_type, ir.Undefined)
        first = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
        return _shuffled(builder, first, undefined, [0] * vector_type.count)

    def _intrinsic(name):
        """An LLVM intrinsic of one vector, which keeps its type."""

        def emit(builder, a):
            bits = 32 if a.type.element == ir.FloatType() else 64
            kind = ir.FunctionType(a.type, [a.type])
            full_name = f"llvm.{name}.v{a.type.count}f{bits}"
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, full_name), [a])

        return emit

    def _chosen(sign):
        """a where a `sign` b, else b."""
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
        (minimum, _chosen("<")),
        (maximum, _chosen(">")),
    ):
        _lane_wise(_function, 2, _emit)
    for _unary, _emit in (
        (operator.neg, ir.IRBuilder.fneg),
        (absolute, _intrinsic("fabs")),
        (square_root, _intrinsic("sqrt")),
        (round_down, _intrinsic("floor")),
    ):
        _lane_wise(_unary, 1, _emit)
    for _function, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
        _comparison(_function, _sign)
    _of_masks(operator.and_, 2, ir.IRBuilder.and_)
    _of_masks(operator.or_, 2, ir.IRBuilder.or_)
    _of_masks(operator.invert, 1, ir.IRBuilder.not_)
    _vector_operation(select, 3, _select_signature, ir.IRBuilder.select)
    _from_mask(lane_bits, types.int64, lambda builder, m: builder.zext(_as_number(builder, m), ir.IntType(64)))
    _from_mask(
        any_lane,
        types.boolean,
        lambda builder, m: builder.icmp_unsigned(
            "!=", _as_number(builder, m), ir.Constant(ir.IntType(m.type.count), 0)
        ),
    )
    _reduce(lowest, "<")
    _reduce(highest, ">")
    _operation(
        trailing_zeros,
        lambda bits: types.int64(types.int64),
        lambda context, builder, sig, values: builder.cttz(values[0], ir.Constant(ir.IntType(1), 0)),
        types.Integer,
    )


def _compile_memory(memory: LaneMemory, lanes: int) -> None:
    """Say what a number of lanes' memory operations compile to."""

    def vector(array):
        return Lanes(array.dtype, lanes)

    def pointer(context, builder, array_type, array, place_type, place, width):
        """Where `width` elements from a place on lie, as a pointer to a vector of them."""
        if isinstance(place_type, types.BaseTuple):
            parts = list(zip(cgutils.unpack_tuple(builder, place), place_type))
        else:
            parts = [(place, place_type)]
        indices = [context.cast(builder, value, kind, types.intp) for value, kind in parts]
        indices += [ir.Constant(ir.IntType(64), 0)] * (array_type.ndim - len(indices))
        view = context.make_array(array_type)(context, builder, array)
        item = cgutils.get_item_pointer(context, builder, array_type, view, indices, wraparound=False)
        return builder.bitcast(item, ir.VectorType(context.get_data_type(array_type.dtype), width).as_pointer())

    def size(array_type):
        return array_type.dtype.bitwidth // 8

    def emit_load(context, builder, sig, values):
        array, at = sig.args
        return builder.load(pointer(context, builder, array, values[0], at, values[1], lanes), align=size(array))

    def emit_store(context, builder, sig, values):
        array, at, _ = sig.args
        place = pointer(context, builder, array, values[0], at, values[1], lanes)
        builder.store(values[2], place, align=size(array))
        return context.get_dummy_value()

    def row_pointers(context, builder, sig, values, column, rows, width):
        """Where each lane's `width` elements lie, from a column of its row on; `rows`: the index, the place in it."""
        table, ((index_type, index), (at_type, at)) = sig.args[0], rows
        view = context.make_array(table)(context, builder, values[0])
        stride = builder.extract_value(view.strides, 0)
        first = builder.bitcast(builder.gep(view.data, [column]), ir.IntType(8).as_pointer())
        kind = ir.VectorType(context.get_data_type(table.dtype), width).as_pointer()
        numbers = pointer(context, builder, index_type, index, at_type, at, 1)
        numbers = builder.bitcast(numbers, ir.IntType(64).as_pointer())
        for lane in range(lanes):
            row = builder.load(builder.gep(numbers, [ir.Constant(ir.IntType(64), lane)]))
            yield builder.bitcast(builder.gep(first, [builder.mul(row, stride)]), kind)

    def table_rows(context, builder, sig, values, width):
        """The same for the arguments (table, column, index, rows, ...)."""
        _, column, index, rows = sig.args[:4]
        start = context.cast(builder, values[1], column, types.intp)
        return row_pointers(context, builder, sig, values, start, ((index, values[2]), (rows, values[3])), width)

    def loaded_rows(context, builder, sig, values, width):
        align = size(sig.args[0])
        return [builder.load(p, align=align) for p in table_rows(context, builder, sig, values, width)]

    def emit_gather(context, builder, sig, values):
        array, index, rows = sig.args
        places = (index, values[1]), (rows, values[2])
        start = ir.Constant(ir.IntType(64), 0)
        elements = row_pointers(context, builder, sig, values, start, places, 1)
        return _joined(builder, [builder.load(p, align=size(array)) for p in elements])

    def emit_gather2(context, builder, sig, values):
        rows = loaded_rows(context, builder, sig, values, 2)
        first, second = _joined(builder, rows[: lanes // 2]), _joined(builder, rows[lanes // 2 :])
        columns = [_shuffled(builder, first, second, range(k, 2 * lanes, 2)) for k in (0, 1)]
        return context.make_tuple(builder, sig.return_type, columns)

    evens = [place for place in range(2 * lanes) if place % 4 < 2]
    odds = [place for place in range(2 * lanes) if place % 4 >= 2]

    def interleaved(builder, a, b, parity):
        """Of each pair of lanes the first (or second) of a, then that of b."""
        order = [place + parity + (lanes if of_b else 0) for place in range(0, lanes, 2) for of_b in (0, 1)]
        return _shuffled(builder, a, b, order)

    def emit_gather4(context, builder, sig, values):
        """Rows r, r + 2 side by side, so that the last shuffle takes whole 128-bit pieces of its two operands."""
        r = loaded_rows(context, builder, sig, values, 4)
        pairs = ((0, 2), (1, 3), (4, 6), (5, 7)) if lanes == 8 else ((0,), (1,), (2,), (3,))
        a, b, c, d = (_joined(builder, [r[row] for row in rows]) for rows in pairs)
        low = [interleaved(builder, x, y, 0) for x, y in ((a, b), (c, d))]
        high = [interleaved(builder, x, y, 1) for x, y in ((a, b), (c, d))]
        columns = [_shuffled(builder, x, y, order) for order in (evens, odds) for x, y in (low, high)]
        return context.make_tuple(builder, sig.return_type, columns)

    def emit_scatter2(context, builder, sig, values):
        places = list(table_rows(context, builder, sig, values, 2))
        for lane in reversed(range(lanes)):
            row = _shuffled(builder, values[4], values[5], (lane, lanes + lane))
            builder.store(row, places[lane], align=size(sig.args[0]))
        return context.get_dummy_value()

    def emit_scatter4(context, builder, sig, values):
        a, b, c, d = values[4:]
        left = [interleaved(builder, a, b, parity) for parity in (0, 1)]
        right = [interleaved(builder, c, d, parity) for parity in (0, 1)]
        places = list(table_rows(context, builder, sig, values, 4))
        for lane in reversed(range(lanes)):
            first = lane - lane % 2
            order = (first, first + 1, lanes + first, lanes + first + 1)
            row = _shuffled(builder, left[lane % 2], right[lane % 2], order)
            builder.store(row, places[lane], align=size(sig.args[0]))
        return context.get_dummy_value()

    def gathers(count):
        """The signature of gathering `count` columns."""

        def signature(table, column, index, rows):
            return types.UniTuple(vector(table), count)(table, column, index, rows)

        return signature

    def scatters(table, column, index, rows, *columns):
        return types.void(table, column, index, rows, *[vector(table)] * len(columns))

    place = types.Any
    _operation(memory.load, lambda array, at: vector(array)(array, at), emit_load, types.Array, place)
    _operation(
        memory.store, lambda array, at, a: types.void(array, at, vector(array)), emit_store, types.Array, place, Lanes
    )
    _operation(
        memory.splat,
        lambda x: Lanes(x, lanes)(x),
        lambda context, builder, sig, values: _broadcast(builder, values[0], sig.return_type.llvm),
        types.Float,
    )
    _operation(
        memory.gather,
        lambda array, index, rows: vector(array)(array, index, rows),
        emit_gather,
        types.Array,
        types.Array,
        place,
    )
    table_and_rows = types.Array, types.Integer, types.Array, place
    _operation(memory.gather2, gathers(2), emit_gather2, *table_and_rows)
    _operation(memory.gather4, gathers(4), emit_gather4, *table_and_rows)
    for function, emit, count in ((memory.scatter2, emit_scatter2, 2), (memory.scatter4, emit_scatter4, 4)):
        _operation(function, scatters, emit, *table_and_rows, *[Lanes] * count)


load, store, splat, gather, gather2, gather4, scatter2, scatter4 = lane_memory(LANES)
load_quad, store_quad, *_ = lane_memory(4)
