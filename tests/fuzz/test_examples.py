"""What the fuzzer has found, made short, and mended since."""

from __future__ import annotations

import pytest

from tests.fuzz.case import replay
from tests.fuzz.shrink import Operations

CIRCLE = ("shape", ("Circle", 0.5))

EXAMPLES: dict[str, Operations] = {
    "a body that others touch is deleted, and created again": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("create", 2, (("Collider", (CIRCLE,)), ("Transform", (("x", 0.6),)), ("Velocity", ()))),
        ("step", 0.02, 1),
        ("delete now", 2),
        ("create", 3, (("Collider", (CIRCLE,)), ("Transform", (("x", 0.6),)), ("Velocity", ()))),
        ("step", 0.02, 2),
    ),
}


@pytest.mark.parametrize("situation", EXAMPLES)
def test_what_was_found_once_stays_mended(situation: str) -> None:
    assert replay(EXAMPLES[situation]).faults == ()
