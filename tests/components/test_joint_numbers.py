"""Numbers of joints that must not be 0, and bodies that must be given, are refused at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ecs_collide as ec

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a target without a frequency": (lambda: ec.TargetJoint(1, (0, 0), hertz=0.0), "TargetJoint.hertz"),
    "a target with a negative frequency": (lambda: ec.TargetJoint(1, (0, 0), hertz=-5.0), "TargetJoint.hertz"),
    "a pulley without a ratio": (lambda: ec.PulleyJoint(1, 2, (0, 0), (1, 0), ratio=0.0), "PulleyJoint.ratio"),
    "a pulley with a negative ratio": (lambda: ec.PulleyJoint(1, 2, (0, 0), (1, 0), ratio=-1.0), "PulleyJoint.ratio"),
    "a ratchet without teeth": (lambda: ec.RatchetJoint(1, tooth=0.0), "RatchetJoint.tooth"),
    "a negative strength": (lambda: ec.RevoluteJoint(1, max_force=-1.0), "RevoluteJoint.max_force"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_number_out_of_range_is_refused_by_name(name: str) -> None:
    make, named = REFUSED[name]
    with pytest.raises(ValueError, match=named.replace(".", r"\.")):
        make()


@pytest.mark.parametrize("kind", [ec.GearJoint, lambda a, b: ec.PulleyJoint(a, b, (0, 0), (1, 0))])
def test_gears_and_pulleys_need_a_second_body(kind: Callable[[int, None], object]) -> None:
    with pytest.raises(TypeError, match=r"Joint\.b must be an integer, got None"):
        kind(1, None)
