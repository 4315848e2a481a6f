"""numba's types for bundles, and for the annotations of kernels.

To numba a bundle is the address of its native form. A mark on each load says that the form never changes, so the
compiler reads a field once, before a loop. Lengths of rows that a field declares are constants.
"""

from __future__ import annotations

import hashlib
from math import prod
from typing import Annotated, Any, get_args, get_origin

import numpy as np
from llvmlite import ir
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, unbox

from ecs_collide.kernels.arrays import Axes
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.numba_internals import (
    AttributeTemplate,
    cgutils,
    containers,
    from_dtype,
    make_array,
    models,
    populate_array,
    register_default,
    typeof_impl,
    types,
)
from ecs_collide.kernels.signature import items_of

WORD = 8
ITEMS, ARRAY_HEAD = 4, 5
"""Words of an array: the address of the items, and the number of words before the shape."""
_WORD_TYPE = ir.IntType(64)

_SCALARS = {float: types.float64, int: types.int64, bool: types.boolean}


def numba_type(hint: Any) -> types.Type:
    """Return numba's type for an annotation, see `signature.py`."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    if get_origin(hint) is Annotated:
        kind, *details = get_args(hint)
        if not isinstance(details[-1], Axes):
            return numba_type(kind)
        item, axes = details
        return types.Array(from_dtype(np.dtype(item)), axes.number, "C", readonly=axes.may_be_read_only)
    items = tuple(map(numba_type, items_of(hint)))
    if isinstance(hint, type) and issubclass(hint, Bundle):
        return BundleType(hint, items)
    found: types.Type = containers.BaseTuple.from_types(items, None if get_origin(hint) is tuple else hint)
    return found


class BundleType(types.Type):
    """numba's type of a bundle: its class and the types of its fields."""

    def __init__(self, bundle: type[Bundle], field_types: tuple[types.Type, ...]) -> None:
        self.bundle = bundle
        self.field_types = field_types
        digest = hashlib.sha256(repr(field_types).encode()).hexdigest()[:8]
        super().__init__(f"{bundle.__name__}#{digest}")  # a short one: it is a part of the names of machine code

    @property
    def key(self) -> tuple[object, ...]:
        """The key by which numba compares types."""
        return self.bundle, self.field_types

    @property
    def size(self) -> int:
        """Length of the native form [bytes]."""
        return sum(map(_size, self.field_types))

    def place_of(self, field: str) -> tuple[types.Type, int]:
        """Return the type of a field and its place in the native form [bytes]."""
        number = self.bundle._fields.index(field)
        return self.field_types[number], sum(map(_size, self.field_types[:number]))

    def lengths_of(self, field: str) -> tuple[int, ...]:
        """Return what `rows_of` declares for a field.

        Raises TypeError if the field is no array with one axis more.
        """
        number = self.bundle._fields.index(field)
        lengths, field_type = self.bundle._lengths[number], self.field_types[number]
        if lengths and not (isinstance(field_type, types.Array) and field_type.ndim == len(lengths) + 1):
            raise TypeError(f"{self.bundle!r}: {field} is no array with rows of {lengths}, but {field_type}")
        return lengths


def _size(field_type: types.Type) -> int:
    if isinstance(field_type, BundleType):
        return field_type.size
    return WORD * (ARRAY_HEAD + 2 * field_type.ndim if isinstance(field_type, types.Array) else 1)


@typeof_impl.register(Bundle)  # type: ignore[untyped-decorator]
def _type_of_bundle(value: Bundle, context: Any) -> BundleType:
    return BundleType(type(value), tuple(typeof_impl(field, context) for field in value))


@register_default(BundleType)
class _BundleModel(models.PrimitiveModel):  # type: ignore[misc]
    """The address of the native form."""

    def __init__(self, manager: Any, bundle_type: BundleType) -> None:
        super().__init__(manager, bundle_type, ir.IntType(8).as_pointer())


@infer_getattr
class _BundleAttributes(AttributeTemplate):  # type: ignore[misc]
    key = BundleType

    def generic_resolve(self, bundle_type: BundleType, name: str) -> types.Type | None:
        return bundle_type.place_of(name)[0] if name in bundle_type.bundle._fields else None


@lower_getattr_generic(BundleType)  # type: ignore[untyped-decorator]
def _read_field(context: Any, builder: Any, bundle_type: BundleType, address: Any, name: str) -> Any:
    """Load a field, with a mark that nothing ever writes there (LLVM Language Reference, "tbaa Metadata").

    An array is loaded word by word, since numba's struct is shorter than the native form where addresses have 32 bits.
    """
    field_type, offset = bundle_type.place_of(name)
    if isinstance(field_type, BundleType):
        return cgutils.pointer_add(builder, address, offset)
    module = builder.module
    zero = ir.Constant(_WORD_TYPE, 0)
    one = ir.Constant(_WORD_TYPE, 1)
    root = module.add_metadata(["ecs_collide"])
    constant = module.add_metadata(["native form of a bundle", root, zero])
    mark = module.add_metadata([constant, constant, zero, one])

    def load(kind: ir.Type, number: int = 0) -> Any:
        """Load a word of the field."""
        place = cgutils.pointer_add(builder, address, offset + WORD * number, return_type=kind.as_pointer())
        value = builder.load(place, align=WORD)
        value.set_metadata("tbaa", mark)
        return value

    if not isinstance(field_type, types.Array):
        return load(context.get_value_type(field_type))
    array, axes = make_array(field_type)(context, builder), field_type.ndim
    item_size = context.get_abi_sizeof(context.get_data_type(field_type.dtype))
    lengths = bundle_type.lengths_of(name)
    if lengths:
        shape = [load(_WORD_TYPE, ARRAY_HEAD), *(ir.Constant(_WORD_TYPE, length) for length in lengths)]
        strides = [ir.Constant(_WORD_TYPE, item_size * prod(lengths[axis:])) for axis in range(axes)]
    else:
        shape = [load(_WORD_TYPE, ARRAY_HEAD + axis) for axis in range(axes)]
        strides = [load(_WORD_TYPE, ARRAY_HEAD + axes + axis) for axis in range(axes)]
    data = load(context.get_data_type(field_type.dtype).as_pointer(), ITEMS)
    populate_array(array, data, shape, strides, ir.Constant(_WORD_TYPE, item_size), meminfo=None)
    return array._getvalue()


@unbox(BundleType)  # type: ignore[untyped-decorator]
def _address_of_native_form(bundle_type: BundleType, item: Any, c: Any) -> NativeValue:
    """Return the address of a bundle's native form; the compiled code raises TypeError for anything else."""
    builder, api = c.builder, c.pyapi
    found = cgutils.alloca_once_value(builder, ir.Constant(ir.IntType(8).as_pointer(), None))
    count = len(bundle_type.field_types) + 1
    is_bundle = builder.icmp_signed("==", api.tuple_size(item), ir.Constant(api.py_ssize_t, count))
    with builder.if_else(is_bundle, likely=True) as (then, otherwise):
        with then:
            builder.store(api.bytes_as_string(api.tuple_getitem(item, 0)), found)
        with otherwise:
            api.err_set_string("PyExc_TypeError", f"a kernel was not given the {bundle_type.bundle.__name__} it takes")
    address = builder.load(found)
    return NativeValue(address, is_error=cgutils.is_null(builder, address))
