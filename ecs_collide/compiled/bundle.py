"""Arrays that travel together into kernels: like a `NamedTuple`, but taken apart once and not in every call.

A kernel that is given a `NamedTuple` of arrays asks Python for the address, shape and strides of every one of them,
each time it is called: 8 ns an array, and the columns of a world are fifty, in a dozen calls a step. They change only
when a column grows. A `Bundle` therefore has its native form ready, and a kernel is given the address of that:

    item 0        the native form, as bytes
    item 1 ...    the fields, in order

It is made with the bundle, which never changes, so it is never stale; the arrays live as long as the bundle. Kernels
read its fields by name. The compiler is told that the native form never changes, so it reads it once, before a loop.

The native form of an array is numba's (`numba.core.datamodel.models.ArrayModel`), in words of 8 bytes: owner of the
memory and owning object, both 0 because kernels count no references, number of items, bytes of an item, address,
shape, strides. A number is a word, and a bundle within a bundle is what it is alone.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from operator import itemgetter
from typing import Any, ClassVar, Self, TypeAlias, dataclass_transform

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models, register_default
from numba.core.typing.templates import AttributeTemplate
from numba.core.typing.typeof import typeof_impl
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, unbox

WORD = 8
ARRAY_HEAD = 5
"""Words of an array before its shape."""

Field: TypeAlias = "np.ndarray | float | Bundle"


@dataclass_transform(frozen_default=True)
class Bundle(tuple[Any, ...]):
    """Base of classes whose annotated fields are arrays, numbers or bundles."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        for number, name in enumerate(cls._fields, 1):
            setattr(cls, name, property(itemgetter(number)))

    def __new__(cls, *args: Field, **named: Field) -> Self:
        fields = (*args, *(named[name] for name in cls._fields[len(args) :]))
        if len(fields) != len(cls._fields) or len(args) + len(named) != len(fields):
            raise TypeError(f"{cls.__name__} has the fields {cls._fields}, got {len(args)} and {tuple(named)}")
        forms = (_native_form(value, f"{cls.__name__}.{name}") for name, value in zip(cls._fields, fields, strict=True))
        return super().__new__(cls, (b"".join(forms), *fields))

    @property
    def native(self) -> bytes:
        """What kernels read."""
        return self[0]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[1:])

    def _replace(self, **changed: Field) -> Self:
        """The same bundle with other values in some fields."""
        return type(self)(**dict(zip(self._fields, self, strict=True)) | changed)


def _native_form(value: Field, name: str) -> bytes:
    if isinstance(value, np.ndarray):
        words = (0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
        return struct.pack(f"{len(words)}q", *words)
    if isinstance(value, Bundle):
        return value.native
    if isinstance(value, int):
        return struct.pack("q", value)
    if isinstance(value, float):
        return struct.pack("d", value)
    raise TypeError(f"{name} must be an array, an int, a float or a bundle, got {value!r}")


class BundleType(types.Type):
    """numba's type of a bundle: its class, and the types of its fields."""

    def __init__(self, bundle: type[Bundle], field_types: tuple[types.Type, ...]) -> None:
        self.bundle = bundle
        self.field_types = field_types
        digest = hashlib.sha256(repr(field_types).encode()).hexdigest()[:8]
        super().__init__(f"{bundle.__name__}#{digest}")  # a short one: it is a part of the names of machine code

    @property
    def key(self) -> tuple[object, ...]:
        """Equal types have the same."""
        return self.bundle, self.field_types

    @property
    def size(self) -> int:
        """Length of the native form [bytes]."""
        return sum(map(_size, self.field_types))

    def place_of(self, field: str) -> tuple[types.Type, int]:
        """The type of a field and where it stands in the native form [bytes]."""
        number = self.bundle._fields.index(field)
        return self.field_types[number], sum(map(_size, self.field_types[:number]))


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
    """Load a field; the mark says that nothing ever writes there (LLVM Language Reference, "tbaa Metadata")."""
    field_type, offset = bundle_type.place_of(name)
    if isinstance(field_type, BundleType):
        return cgutils.pointer_add(builder, address, offset)
    kind = context.get_value_type(field_type)
    place = cgutils.pointer_add(builder, address, offset, return_type=kind.as_pointer())
    value = builder.load(place, align=WORD)
    module, zero, one = builder.module, ir.Constant(ir.IntType(64), 0), ir.Constant(ir.IntType(64), 1)
    root = module.add_metadata(["ecs_collide"])
    constant = module.add_metadata(["native form of a bundle", root, zero])
    value.set_metadata("tbaa", module.add_metadata([constant, constant, zero, one]))
    return value


@unbox(BundleType)  # type: ignore[untyped-decorator]
def _address_of_native_form(bundle_type: BundleType, item: Any, c: Any) -> NativeValue:
    """Raises TypeError for what is not a bundle."""
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
