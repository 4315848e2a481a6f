"""Named columns: numbers, widths, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ecs_collide.kernels.layout import layout

LANE = layout("body lane", VX="velocity along x [m/s]", INVERSE=("inverse inertia [1/kg]", 3), GAP="gap [m]")


def test_quantities_have_consecutive_columns() -> None:
    assert (LANE.VX, LANE.INVERSE, LANE.GAP, LANE.WIDTH) == (0, 1, 4, 5)


def test_a_layout_describes_its_columns() -> None:
    assert type(LANE).__name__ == "BodyLaneLayout"
    assert "1 INVERSE: inverse inertia [1/kg]" in (type(LANE).__doc__ or "")


def test_a_layout_continues_another_one() -> None:
    longer = layout("jointed body lane", after=LANE, LOAD="load [N]")
    assert longer[:4] == (*LANE[:3], 5)
    assert longer.WIDTH == 6
    assert longer.DESCRIPTIONS["VX"] == LANE.DESCRIPTIONS["VX"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"after": LANE, "GAP": "gap [m]"}, "GAP stands twice"),
        ({"WIDTH": "width [m]"}, "WIDTH stands twice"),
        ({"gap": "gap [m]"}, "gap must be upper case"),
        ({"GAP": ("gap [m]", 0)}, "GAP must have at least one column, got 0"),
    ],
)
def test_a_layout_refuses_columns_that_overlap_or_have_odd_names(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"layout 'lane': {message}")):
        layout("lane", **wrong)
