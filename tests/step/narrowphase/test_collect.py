"""From manifolds to contact rows: coefficients, sensors, and the choice of A."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.components import BodyKind, Combine
from ecs_collide.data.contacts import Contacts, contact_arrays
from ecs_collide.data.pairs import B_SENSES, NO_CONTACT, PAIR
from ecs_collide.shapes import Box, Circle, PieceKind, Shape
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.step.narrowphase.collect_contacts import SURFACES, collect_contacts, combined_coefficient
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE, PairRow
from tests.support.reference.column_world import PLAIN, ColumnWorld
from tests.support.reference.pair_cases import SHAPES


def contacts_of(world: ColumnWorld) -> tuple[Contacts, int]:
    world.update()
    live = world.pairs.live
    pairs, pieces, bodies = world.pairs.arrays, world.pieces.arrays, world.bodies.arrays
    for row, entry in enumerate(PAIR_TABLE):
        slots = pairs.order[pairs.row_start[row] : pairs.row_start[row + 1]]
        entry.kernel(slots, bodies, pieces, pairs, world.bodies.span, LookAhead.within(0.0, world.tolerances))
    contacts = contact_arrays(max(1, len(live)))
    details = SURFACES if bodies.rule.any() else 0
    return contacts, int(collect_contacts(live, 0, bodies, pieces, pairs, contacts, details))


@pytest.mark.parametrize("row", PAIR_TABLE, ids=lambda row: f"{row.kind_a.name}-{row.kind_b.name}".lower())
def test_the_order_in_which_the_two_came_changes_nothing_but_the_sign(row: PairRow) -> None:
    kinds = row.kind_a, row.kind_b
    poses = (0.0, 0.0, 0.0), (0.4, 0.1, 0.3)
    seen = []
    for order in ((0, 1), (1, 0)):
        world = ColumnWorld()
        rows = [0, 0]
        for which in order:
            kind = BodyKind.STATIC if kinds[which] in UNBOUNDED else BodyKind.DYNAMIC
            rows[which] = world.add(SHAPES[kinds[which]], poses[which], kind)
        contacts, count = contacts_of(world)
        assert count == 1 or (count > 1 and kinds[0] is PieceKind.RING), "only a ring has several pieces"
        points = []
        for contact in range(count):
            sign = 1.0 if contacts.body[contact].tolist() == rows else -1.0
            assert sign > 0.0 or kinds[0] is kinds[1]
            points += [
                (*(sign * contacts.normal[contact]), *contacts.point[contact, k], contacts.separation[contact, k])
                for k in range(int(contacts.point_count[contact]))
            ]
        seen.append(np.array(sorted(points)))
    np.testing.assert_allclose(seen[0], seen[1], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("rule_a", "rule_b", "usual", "expected"),
    [
        (Combine.USUAL, Combine.USUAL, Combine.GEOMETRIC_MEAN, sqrt(0.2 * 0.8)),
        (Combine.USUAL, Combine.USUAL, Combine.MAXIMUM, 0.8),
        (Combine.AVERAGE, Combine.USUAL, Combine.MAXIMUM, 0.5),
        (Combine.USUAL, Combine.MINIMUM, Combine.MAXIMUM, 0.2),
        (Combine.MULTIPLY, Combine.MULTIPLY, Combine.MAXIMUM, 0.2 * 0.8),
        (Combine.MAXIMUM, Combine.MAXIMUM, Combine.GEOMETRIC_MEAN, 0.8),
        (Combine.GEOMETRIC_MEAN, Combine.GEOMETRIC_MEAN, Combine.MAXIMUM, sqrt(0.2 * 0.8)),
    ],
)
def test_coefficients_combine_by_rule(rule_a: Combine, rule_b: Combine, usual: Combine, expected: float) -> None:
    for a, b, first, second in ((0.2, 0.8, rule_a, rule_b), (0.8, 0.2, rule_b, rule_a)):
        assert combined_coefficient(a, b, int(first), int(second), int(usual)) == pytest.approx(expected, abs=1e-15)


def test_of_two_rules_the_greater_counts() -> None:
    for low in Combine:
        for high in Combine:
            if low <= high and high is not Combine.USUAL:
                alone = combined_coefficient(0.2, 0.8, int(high), int(high), int(Combine.MAXIMUM))
                assert combined_coefficient(0.2, 0.8, int(low), int(high), int(Combine.MAXIMUM)) == alone
                assert combined_coefficient(0.2, 0.8, int(high), int(low), int(Combine.MAXIMUM)) == alone


def test_the_usual_rules_are_mean_for_friction_and_maximum_for_restitution() -> None:
    world = ColumnWorld()
    rows = world.add_all((Circle(0.5), (0.4 * k, 0.0, 0.0), BodyKind.DYNAMIC, PLAIN) for k in range(2))
    world.bodies.arrays.material[rows, :2] = [(0.2, 0.3), (0.8, 0.6)]
    contacts, count = contacts_of(world)
    assert count == 1
    assert contacts.friction[0] == pytest.approx(sqrt(0.2 * 0.8), abs=1e-15)
    assert contacts.restitution[0] == 0.6
    assert contacts.enabled[0]


@pytest.mark.parametrize(
    ("distance", "expected"), [(0.9, -B_SENSES), (1.0, -B_SENSES), (1.01, NO_CONTACT), (3.0, None)]
)
def test_a_sensor_notices_overlap_and_gets_no_row(distance: float, expected: int | None) -> None:
    world = ColumnWorld()
    world.add(Circle(0.5), (0.0, 0.0, 0.0))
    world.add(Circle(0.5), (distance, 0.0, 0.0), BodyKind.STATIC, (1, 1, 0, 1))
    _, count = contacts_of(world)
    assert count == 0
    live = world.pairs.live
    assert [world.pairs.arrays.index[slot, PAIR.CONTACT] for slot in live] == ([] if expected is None else [expected])


def test_rows_are_dense_and_known_to_their_pairs() -> None:
    world = ColumnWorld()
    world.add_all((Circle(0.5), (1.005 * k, 0.0, 0.0), BodyKind.DYNAMIC, PLAIN) for k in range(10))
    world.add(Circle(0.5), (20.0, 0.0, 0.0))
    contacts, count = contacts_of(world)
    assert count == 9
    for k in range(count):
        assert world.pairs.arrays.index[contacts.pair[k], PAIR.CONTACT] == k
        assert contacts.separation[k, 0] == pytest.approx(0.005, abs=1e-12)


def test_one_body_with_a_rule_of_its_own_among_eight_contacts_changes_only_its_own() -> None:
    count = 21
    world = ColumnWorld()
    rows = world.add_all((Circle(0.5), (1.0 * k, 0.0, 0.0), BodyKind.DYNAMIC, PLAIN) for k in range(count))
    material = world.bodies.arrays.material
    material[rows] = np.random.default_rng(1).uniform(0.1, 0.9, (count, 2))
    world.bodies.arrays.rule[rows[10]] = int(Combine.MINIMUM), int(Combine.AVERAGE)
    contacts, contact_count = contacts_of(world)
    assert contact_count == count - 1
    for k in range(contact_count):
        a, b = contacts.body[k].tolist()
        friction, restitution = material[[a, b]].T
        own = rows[10] in (a, b)
        assert contacts.friction[k] == pytest.approx(friction.min() if own else sqrt(friction.prod()), abs=1e-15)
        assert contacts.restitution[k] == pytest.approx(restitution.mean() if own else restitution.max(), abs=1e-15)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 20])
def test_any_number_of_contacts_has_points_half_way_between_the_surfaces(count: int) -> None:
    """Boxes with two points each and circles with one, in one run of contacts."""
    world = ColumnWorld()
    for k in range(count):
        shape: Shape = Box(1.0, 1.0) if k % 3 else Circle(0.5)
        world.add_all((shape, (10.0 * k, height, 0.0), BodyKind.DYNAMIC, PLAIN) for height in (0.0, 0.99))
    contacts, contact_count = contacts_of(world)
    assert contact_count == count
    for k in range(count):
        used = int(contacts.point_count[k])
        assert used == (2 if contacts.body[k].max() // 2 % 3 else 1)
        assert np.abs(contacts.normal[k]) == pytest.approx([0.0, 1.0], abs=1e-12)
        assert contacts.separation[k, :used] == pytest.approx(-0.01, abs=1e-12)
        assert contacts.point[k, :used, 1] == pytest.approx(0.495, abs=1e-12)
