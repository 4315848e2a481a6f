"""The pair table says all of a row in the row: in whatever order the rows stand, the contacts are the same."""

from __future__ import annotations

from collections.abc import Iterable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.step.broadphase import pair_exchange
from ecs_collide.step.narrowphase import contact_finder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE, PairRow, kind_rows, sort_rows
from tests.support.worlds import dynamic, game, static

L_SHAPE = ec.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.0), (0.0, 0.0), (0.0, 0.5), (-0.5, 0.5)])
SHAPES: tuple[tuple[ec.Shape, float], ...] = (
    (ec.Circle(0.5), 0.5),
    (ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.3), 0.3),
    (ec.Box(1.0, 1.0), 0.5),
    (ec.Segment((-0.5, 0.0), (0.5, 0.0)), 0.0),
    (L_SHAPE, 0.5),
)
"""Each with how far it reaches down [m]."""
TOPS = (0.5, 10.0, 20.5, -20.0)
"""Heights of two flush tiles, a line, a circle and a half-plane [m]."""


def contacts_of_every_two_kinds(rows: Iterable[PairRow], monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, ...]]:
    """Entities, normals and separations of the first step's contacts, sorted, with a table made of `rows`."""
    table = sort_rows(rows)
    monkeypatch.setattr(contact_finder, "PAIR_TABLE", table)
    monkeypatch.setattr(pair_exchange, "kind_rows", lambda: kind_rows(table))
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane(), (0.0, -20.0))
        static(ec.Ring(100.0))  # only its pairs count
        for place, (shape, height) in enumerate(SHAPES):
            x = 10.0 * place
            static(ec.Box(1.0, 1.0), (x, 0.0))
            static(ec.Box(1.0, 1.0), (x + 1.0, 0.0))  # flush, so that both are outlines
            static(ec.Segment((-1.0, 0.0), (1.0, 0.0)), (x, 10.0))
            static(ec.Circle(0.5), (x, 20.0))
            for top in TOPS:
                dynamic(shape, (x, top + height - 0.01))
        esper.process(1 / 60)
        contacts = play.physics.contacts
        columns = contacts.entity_a, contacts.entity_b, *contacts.normal.T, contacts.separation[:, 0]
        return sorted(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("order", ["backwards", "lines first", "circles last"])
def test_moving_rows_about_loses_no_contact(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = contacts_of_every_two_kinds(PAIR_TABLE, monkeypatch)
    assert len(expected) >= len(SHAPES) * len(TOPS)
    orders = {
        "backwards": PAIR_TABLE[::-1],
        "lines first": sorted(PAIR_TABLE, key=lambda row: not row.thin),
        "circles last": sorted(PAIR_TABLE, key=lambda row: row.kind_b == row.kind_a),
    }
    assert np.allclose(contacts_of_every_two_kinds(orders[order], monkeypatch), expected, rtol=0.0, atol=1e-12)
