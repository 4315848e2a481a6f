"""Bundles are read by kernels as they are by Python, also after their owners have replaced the arrays."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.contacts import contact_arrays
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.arrays import Flags, FloatTable, IntCube
from ecs_collide.kernels.bundle import Bundle, plain_bundle, rows_of
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes import Box
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree
from ecs_collide.step.broadphase.seams.seam_arrays import grown_columns, seam_columns
from ecs_collide.step.continuous.body_motions import new_motions
from ecs_collide.step.narrowphase.weld_memory import WeldColumns
from ecs_collide.step.solver.solver_rows import SolverColumns
from tests.support.own_kernels import kernel

needs_native_forms = pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT, reason="without machine code a bundle has no native form"
)


class Inner(Bundle):
    """A bundle in a bundle."""

    flags: Flags
    number: int


class Outer(Bundle):
    """Every kind of field."""

    points: FloatTable
    inner: Inner
    scale: float
    block: IntCube


PLACE = layout("place", X="x [m]", Y="y [m]", ANGLE="angle [rad]")


class Declared(Bundle):
    """Arrays whose rows have a declared length."""

    place: FloatTable = rows_of(PLACE)
    block: IntCube = rows_of(2, PLACE)
    rest: FloatTable


def declared(places: int = 2) -> Declared:
    """Numbers that tell all items apart."""
    block = np.arange(18).reshape(3, 2, 3)
    return Declared(np.arange(3.0 * places).reshape(places, 3), block=block, rest=np.ones((1, 7)))


def outer() -> Outer:
    """Numbers that tell the fields apart; `points` is every other column of a larger array."""
    points = np.arange(24.0).reshape(4, 6)[:, ::2]
    return Outer(points, Inner(np.array([True, False]), 7), scale=0.5, block=np.arange(12).reshape(2, 3, 2))


def read(bundle: Outer) -> tuple[Any, ...]:
    """Return the values that a kernel reads from an `Outer`."""
    points, block, flags = bundle.points, bundle.block, bundle.inner.flags
    return points[3, 2], points.shape, bundle.inner.number, bundle.scale, block[1, 2, 0], len(flags), flags[0], flags[1]


FOUND = (22.0, (4, 3), 7, 0.5, 10, 2, True, False)


def test_a_kernel_finds_the_fields() -> None:
    assert kernel(read)(outer()) == FOUND == read(outer())


def test_writes_of_a_kernel_are_in_the_arrays() -> None:
    @kernel
    def write(bundle: Any) -> None:
        for k in range(len(bundle.points)):
            bundle.points[k, 0] = bundle.scale * k
            bundle.inner.flags[1] = True

    bundle = outer()
    write(bundle)
    assert bundle.points[:, 0].tolist() == [0.0, 0.5, 1.0, 1.5]
    assert bundle.inner.flags.all()


def test_a_kernel_passes_a_bundle_on() -> None:
    @kernel
    def inner_number(bundle: Any) -> Any:
        return bundle.inner.number

    @kernel
    def twice(bundle: Any) -> Any:
        return 2 * inner_number(bundle)

    bundle = outer()
    assert twice(bundle) == twice(bundle) == 14
    assert inner_number(bundle) == 7


def test_a_replaced_field_is_what_kernels_see_and_the_old_bundle_keeps_its_own() -> None:
    total = kernel(lambda bundle: bundle.points.sum())
    old = outer()
    new = old._replace(points=np.ones((2, 2)))
    assert (total(new), total(old)) == (4.0, old.points.sum())
    assert new.inner is old.inner


def test_fields_in_order_and_by_name() -> None:
    bundle = outer()
    assert [type(field).__name__ for field in bundle] == ["ndarray", "Inner", "float", "ndarray"]
    assert bundle._fields == ("points", "inner", "scale", "block")
    assert Inner(*bundle.inner).flags is bundle.inner.flags


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((), {"number": 1}), ((1,), {"flags": 1}), ((1, 2, 3), {}), ((1,), {"number": 1, "more": 1})],
)
def test_missing_and_superfluous_fields_are_refused(arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises((TypeError, KeyError)):
        Inner(*arguments, **named)


FORM = Declared._fields, Declared._lengths


def test_a_kernel_finds_items_and_rows_of_declared_lengths() -> None:
    def read_declared(bundle: Declared) -> tuple[Any, ...]:
        place, block = bundle.place, bundle.block
        row = block[2]
        return place[1, PLACE.ANGLE], place.shape, block[1, 1, PLACE.Y], block.shape, row[1, 2], row.shape, place.sum()

    expected = (5.0, (2, 3), 10, (3, 2, 3), 17, (2, 3), 15.0)
    assert kernel(read_declared)(declared()) == expected == read_declared(declared())
    assert kernel(lambda bundle: len(bundle.place))(declared(0)) == 0


@pytest.mark.parametrize("make", [Declared, lambda *args: plain_bundle(Declared, *FORM, args, {})])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("place", np.zeros((2, 4))), ("place", np.zeros(3)), ("place", 1.0), ("block", np.zeros((3, 3, 2), np.int64))],
)
def test_rows_of_another_length_than_declared_are_refused(make: Callable[..., Any], name: str, wrong: Any) -> None:
    fields = dict(zip(Declared._fields, declared(), strict=True))
    with pytest.raises(TypeError, match=f"Declared.*{name} must be an array with rows of"):
        make(*(fields | {name: wrong}).values())
    with pytest.raises(TypeError, match=f"{name} must be an array with rows of"):
        declared()._replace(**{name: wrong})


@needs_native_forms
def test_rows_are_declared_for_tables_alone() -> None:
    pytest.importorskip("numba")

    class Wrong(Bundle):
        """A declaration of two axes for an array of two axes in all."""

        place: FloatTable = rows_of(2, 3)

    from ecs_collide.kernels.numba_types import BundleType, numba_type

    with pytest.raises(TypeError, match=r"place is no array with rows of \(2, 3\)"):
        BundleType(Wrong, (numba_type(FloatTable),)).lengths_of("place")


@needs_native_forms
@pytest.mark.parametrize("wrong", [None, np.int64(1), "1", [1.0]])
def test_a_field_that_kernels_could_not_read_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="Inner"):
        Inner(np.zeros(1), wrong)


def grown_bodies() -> Bundle:
    columns = BodyColumns(2)
    columns.allocate_rows(9)
    return columns.arrays


def grown_pieces() -> Bundle:
    columns = PieceColumns(2)
    columns.allocate_rows(9)
    return columns.arrays


def grown_vertices() -> Bundle:
    columns = PieceColumns(2)
    columns.store(Box(1, 1).pieces()[0])
    columns.allocate_corners([40])
    return columns.arrays


def grown_pairs() -> Bundle:
    columns = PairColumns(1, 2)
    columns.reserve(9)
    return columns.arrays


def grown_solver_rows() -> Bundle:
    columns = SolverColumns()
    columns.reserve(100, 100)
    return columns.arrays


def grown_blocks() -> Bundle:
    columns = SolverColumns()
    columns.reserve_blocks(100)
    return columns.arrays


def grown_welds() -> Bundle:
    columns = WeldColumns()
    columns.reserve(BodyColumns(9), 9, 9)
    return columns.arrays


def grown_tree() -> Bundle:
    tree = StaticTree()
    tree.reserve(9)
    tree.reserve(99)
    return tree.arrays


@needs_native_forms
@pytest.mark.parametrize(
    "grow",
    [
        grown_bodies,
        grown_pieces,
        grown_vertices,
        grown_pairs,
        grown_solver_rows,
        grown_blocks,
        grown_welds,
        grown_tree,
        lambda: contact_arrays(9),
        lambda: new_motions(9, SolverColumns().arrays.state),
        lambda: grown_columns(seam_columns(2), 9),
    ],
)
def test_after_growth_the_native_form_is_that_of_the_new_arrays(grow: Callable[[], Bundle]) -> None:
    bundle = grow()
    words = struct.unpack(f"{len(bundle.native) // 8}q", bundle.native)
    at = 0
    for array in bundle:
        size, itemsize, address = words[at + 2 : at + 5]
        shape, strides = words[at + 5 : at + 5 + array.ndim], words[at + 5 + array.ndim : at + 5 + 2 * array.ndim]
        assert (size, itemsize, address) == (array.size, array.itemsize, array.ctypes.data)
        assert (shape, strides) == (array.shape, array.strides)
        at += 5 + 2 * array.ndim
    assert at == len(words)


def test_a_world_that_grows_in_every_step_moves_all_it_has(fresh_world: str) -> None:
    """Bodies, pieces, pairs, contacts, solver rows and body motions outgrow their first arrays while all is at work."""
    physics = ec.install(gravity=(0.0, -10.0), sleeping=False)
    esper.create_entity(ec.Transform(0, 0), ec.Collider(ec.HalfPlane()))
    for x in range(130):
        esper.create_entity(ec.Transform(2.0 * x, 0.5), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        esper.create_entity(ec.Transform(2.0 * x, 9.0), ec.Velocity(1.0, 0.0))
        esper.process(1 / 60)
    flying = physics.velocities[2::2]
    assert len(physics.contacts) == 130
    assert np.abs(physics.positions[1::2] - [[2.0 * x, 0.5] for x in range(130)]).max() < 0.01
    assert flying[:, 0].tolist() == [1.0] * 130
    assert flying[:, 1] == pytest.approx([-10.0 * steps / 60 for steps in range(130, 0, -1)])
