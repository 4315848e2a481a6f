"""Components refer to their own numbers, then to rows of a column."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from ecs_collide import native
from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.native.default_component import default_component
from ecs_collide.validate import finite, flag, non_negative, vector2


def own_numbers_class() -> Any:
    class Thing(native.Numbers):
        __slots__ = ("_on",)
        x = native.Field(0, finite)
        y = native.Field(1, non_negative, 0.0, 5.0)
        both = native.Fields(0, 2, vector2)
        seen: native.Fields[tuple[float, float]] = native.Fields(0, 2)
        on = native.Value(flag, False)

        def _checked(self, check: Any, value: Any, name: str) -> Any:
            return check(value, name)

    return Thing


def test_views_follow_a_column_that_grows() -> None:
    column_ref, dirty, kind = native.ColumnRef(2), DirtyRows(4), own_numbers_class()
    column = np.zeros((4, 2))
    column_ref.set_arrays(column, dirty.marks, dirty.marked, dirty.count)
    things = [kind() for _ in range(2)]
    for number, thing in enumerate(things):
        assert thing._init_plain(1.0 + number, 0.5)
    native.adopt((column_ref,), [(thing,) for thing in things], [3, 1], [6, 7], set())
    assert column.tolist() == [[0, 0], [2.0, 0.5], [0, 0], [1.0, 0.5]]
    assert not dirty
    things[0].x = 8.0
    things[1].both = (7.0, 6.0)
    things[1].y = 5.0
    assert column.tolist() == [[0, 0], [7.0, 5.0], [0, 0], [8.0, 0.5]]
    assert dirty.rows().tolist() == [1, 3]
    larger = np.zeros((9, 2))
    larger[:4] = column
    dirty.resize(9)
    column_ref.set_arrays(larger, dirty.marks, dirty.marked, dirty.count)
    larger[3] = 4.0, 3.0
    assert things[0].seen == (4.0, 3.0)
    dirty.clear()
    things[0].y = 2.0
    assert dirty.rows().tolist() == [3]
    things[0]._detach()
    things[0].x = -1.0
    assert larger[3].tolist() == [4.0, 2.0]
    assert things[0]._values() == [-1.0, 2.0]


def test_floats_and_ints_are_taken_as_they_are() -> None:
    thing = own_numbers_class()()
    for numbers in ((10**400, 2.0), (True, 2.0), (float("nan"), 0.0), (float("inf"), 0.0), (2e15, 0.0), ("1", 0.0)):
        assert not thing._init_plain(*numbers)
    assert thing._init_plain(-0.0, 1e15)
    assert str(thing.x) == "0.0"
    assert thing._init_plain(7, -(2**40))
    assert str(thing.seen) == "(7.0, -1099511627776.0)"
    thing.x = np.float32(0.5)
    thing.y = 3
    assert thing._values() == [0.5, 3.0]
    assert all(type(value) is float for value in thing._values())
    thing.x = thing.y = -0.0
    assert str(thing.seen) == "(-0.0, 0.0)"
    thing.both = (-0.0, 1.0)
    assert str(thing.x) == "0.0"
    thing.both = (2, 3)
    assert str(thing.seen) == "(2.0, 3.0)"


@pytest.mark.parametrize("value", [float("nan"), 1e51, 10**51, 10**400, "1", None, True])
def test_a_refused_number_changes_nothing(value: Any) -> None:
    thing = own_numbers_class()()
    thing._init_plain(1.0, 2.0)
    with pytest.raises((TypeError, ValueError), match="x"):
        thing.x = value
    with pytest.raises((TypeError, ValueError), match="both"):
        thing.both = (0.5, value)
    with pytest.raises(AttributeError):
        thing.seen = (0.5, 0.5)
    assert thing._values() == [1.0, 2.0]


def test_a_part_that_is_written_is_put_down() -> None:
    thing, changed = own_numbers_class()(), set[int]()
    thing._init_plain(1.0, 2.0)
    thing.on = True
    thing._claim(5, changed)
    assert (thing.on, changed, thing._entity) == (True, set(), 5)
    with pytest.raises(TypeError, match="on must be"):
        thing.on = 1
    assert changed == set()
    thing.on = False
    assert changed == {5}
    thing._detach()
    assert thing._entity is None


def kind_with_items() -> Any:
    class Meeting(native.Numbers):
        __slots__ = ("_filter",)
        x = native.Field(0, finite)
        layer = native.Item("_filter", 0, lambda value, name: 2 * value, 1)
        on = native.Item("_filter", 1, flag, False)

        def __init__(self, layer: int = 1, *, on: bool = False) -> None:
            self._init_from(usual, layer, on)

        def _checked(self, check: Any, value: Any, name: str) -> Any:
            return check(value, name)

    usual = default_component(Meeting, 1, _filter=(None, None))
    return Meeting


def test_items_are_shared_until_one_is_written() -> None:
    kind, changed = kind_with_items(), set[int]()
    first, second = kind(), kind()
    assert first._filter is second._filter == (1, False)
    second._claim(4, changed)
    second.on = True
    second.layer = 3
    assert (first._filter, second._filter, changed) == ((1, False), (6, True), {4})
    assert (second.layer, second.on, kind(5)._filter) == (6, True, (10, False))
    with pytest.raises(TypeError, match="on must be"):
        second.on = 1
    assert second._filter == (6, True)


def test_a_stand_in_remains_one_until_it_is_initialised_again() -> None:
    thing = own_numbers_class()()
    assert thing._init_plain(1.0, 2.0)
    assert thing._stands_in is False
    thing._stands_in = True
    native.detach([(thing,)])
    assert thing._stands_in is True
    thing._init_numbers(1.0, 2.0)
    assert thing._stands_in is False


def test_parts_of_entities_are_adopted_and_detached_in_one_call() -> None:
    kind, dirty, changed = own_numbers_class(), DirtyRows(4), set[int]()
    columns = native.ColumnRef(2), native.ColumnRef(2)
    numbers = np.zeros((2, 4, 2))
    for column_ref, column in zip(columns, numbers, strict=True):
        column_ref.set_arrays(column, dirty.marks, dirty.marked, dirty.count)
    things = [kind() for _ in range(4)]
    for number, thing in enumerate(things):
        thing._init_plain(float(number), 0.5)
    parts = [(things[0], things[1]), (None, things[2]), (things[3], None)]
    native.adopt(columns, parts, [2, 0, -1], [7, 8, 9], changed)
    assert numbers[:, :, 0].tolist() == [[0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0]]
    assert [thing._entity for thing in things] == [7, 7, 8, 9]
    things[3].x, things[2].x = 5.0, 6.0
    assert numbers[1, 0, 0] == 6.0 and 5.0 not in numbers
    native.detach(parts)
    things[2].x = 8.0
    assert numbers[1, 0, 0] == 6.0
    assert [(thing.x, thing._entity) for thing in things] == [(0.0, None), (1.0, None), (8.0, None), (5.0, None)]


def test_a_component_without_numbers_is_an_error() -> None:
    thing = own_numbers_class()()
    assert not hasattr(thing, "_entity")
    for read in (lambda: thing.x, lambda: thing.both, thing._values):
        with pytest.raises(AttributeError):
            read()


def test_rows_that_do_not_fit_are_refused() -> None:
    column_ref, dirty, thing = native.ColumnRef(2), DirtyRows(4), own_numbers_class()()
    with pytest.raises(ValueError, match="room"):
        column_ref.set_arrays(np.zeros((9, 2)), dirty.marks, dirty.marked, dirty.count)
    thing._init_plain(1.0, 2.0)
    with pytest.raises(IndexError):
        native.adopt((column_ref,), [(thing,)], [0], [6], set())
    with pytest.raises(TypeError):
        own_numbers_class().x.__get__(5, int)


def thing_with_arguments() -> Any:
    class Made(native.Numbers):
        __slots__ = ("_extra", "_needed", "_on")
        x = native.Field(0, finite)
        y = native.Field(1, non_negative, 0.0, 5.0)
        needed = native.Value(lambda value, name: value)
        on = native.Value(flag, False)

        def __init__(self, needed: Any, *, x: float = 1.5, y: float = 0.5, on: bool = False) -> None:
            self._init_from(usual, needed, x, y, on)

        def _checked(self, check: Any, value: Any, name: str) -> Any:
            return check(value, name)

    usual = default_component(Made, 2)
    return Made


def test_a_new_one_is_a_standard_one_but_for_what_it_is_given() -> None:
    kind = thing_with_arguments()
    needed = [1]
    assert [(it.needed, it.x, it.y, it.on) for it in (kind(needed), kind(needed, y=2.0, on=True), kind(needed))] == [
        (needed, 1.5, 0.5, False),
        (needed, 1.5, 2.0, True),
        (needed, 1.5, 0.5, False),
    ]
    with pytest.raises(ValueError, match="y must be"):
        kind(needed, y=-1.0)


def test_initialising_again_detaches_a_component() -> None:
    kind = thing_with_arguments()
    first, second = ["first"], ["second"]
    before = sys.getrefcount(first)
    it = kind(first, x=3.0)
    it._claim(7, set())
    it.__init__(second)
    assert (it.needed, it.x, it._entity) == (second, 1.5, None)
    assert sys.getrefcount(first) == before
    del it
    assert sys.getrefcount(second) == before


def test_a_class_derived_from_it_keeps_what_it_has_besides() -> None:
    class More(thing_with_arguments()):  # type: ignore[misc]
        def __init__(self, needed: Any) -> None:
            self.besides = 5
            super().__init__(needed, x=2.0)

    it = More("needed")
    assert (it.needed, it.x, it.besides) == ("needed", 2.0, 5)


def test_a_standard_of_another_class_is_refused() -> None:
    it, other = thing_with_arguments()(1), thing_with_arguments()(1)
    with pytest.raises((TypeError, AttributeError, ValueError)):
        it._init_from(default_component(type(other), 2), 1)


def test_components_have_up_to_thirty_two_numbers() -> None:
    class Wide(native.Numbers):
        __slots__ = ()
        last = native.Field(15, finite)

    thing, column_ref, dirty, changed = Wide(), native.ColumnRef(16), DirtyRows(2), set[int]()
    column = np.zeros((2, 16))
    column_ref.set_arrays(column, dirty.marks, dirty.marked, dirty.count)
    thing._init_numbers(*map(float, range(16)))
    thing.last = 20.0
    native.adopt((column_ref,), [(thing,)], [1], [3], changed)
    assert (thing._entity, thing._changed) == (3, changed)
    assert column[1].tolist() == [*range(15), 20.0]
    assert not dirty
    thing._store(2, -7.0)
    assert (column[1, 2], dirty.rows().tolist()) == (-7.0, [1])
    thing._detach()
    assert thing._values() == [0.0, 1.0, -7.0, *range(3, 15), 20.0]
    assert (thing._entity, thing._changed) == (None, None)
    thing._init_numbers(5.0)
    assert thing._values() == [5.0]
    for place in (-1, 1, 32):
        with pytest.raises(IndexError):
            thing._store(place, 1.0)
    for wrong in ((), range(33)):
        with pytest.raises(TypeError, match="1 to 32 numbers"):
            thing._init_numbers(*wrong)
    with pytest.raises(ValueError, match="width must be from 1 to 32"):
        native.ColumnRef(33)


def test_the_second_world_of_a_component_records_its_changes() -> None:
    kind = own_numbers_class()
    worlds = []
    for _ in range(2):
        column_ref, dirty = native.ColumnRef(2), DirtyRows(4)
        column_ref.set_arrays(np.zeros((4, 2)), dirty.marks, dirty.marked, dirty.count)
        worlds.append((column_ref, set[int]()))
    thing = kind()
    thing._init_numbers(1.0, 2.0)
    thing.on = False
    for column_ref, changed in worlds:
        native.adopt((column_ref,), [(thing,)], [2], [5], changed)
        thing.on = not thing.on
        assert thing._changed is changed and changed == {5}
        changed.clear()
    thing._detach()
    thing.on = not thing.on
    assert thing._changed is None and thing._entity is None and worlds[1][1] == set()
    native.adopt((worlds[0][0],), [(thing,)], [-1], [7], worlds[0][1])
    thing.on = not thing.on
    assert worlds[0][1] == {7} and thing._values() == [1.0, 2.0]


def test_a_component_without_numbers_belongs_to_no_entity() -> None:
    thing = own_numbers_class()()
    with pytest.raises(AttributeError, match="__init__ was not called"):
        thing._claim(1, set())


@pytest.mark.skipif(sys.maxsize < 1 << 32, reason="for addresses of 64 bits")
def test_a_component_takes_48_bytes_beside_its_slots() -> None:
    assert native.Numbers.__basicsize__ == 48
