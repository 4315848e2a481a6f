"""A soft contact is a damped spring, integrated implicitly."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given, strategies as st

from ecs_collide.common.tolerances import CONTACT_DAMPING_RATIO, CONTACT_HERTZ
from ecs_collide.step.solver.softness import contact_softness, softness

hertz = st.floats(0.1, 500.0)
ratios = st.floats(0.0, 20.0)
steps = st.floats(1e-4, 0.1)


@given(hertz, ratios, steps, st.floats(-1.0, 1.0), st.floats(-10.0, 10.0))
def test_one_step_is_implicit_euler(f: float, ratio: float, h: float, x: float, v: float) -> None:
    """v' = v - h (w^2 (x + h v') + 2 z w v'), solved for v'."""
    rate, mass_scale, _ = softness(f, ratio, h)
    w = 2.0 * pi * f
    expected = (v - h * w * w * x) / (1.0 + 2.0 * h * ratio * w + h * h * w * w)
    assert v - mass_scale * (v + rate * x) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(hertz, ratios, steps)
def test_softening_undoes_the_mass_scale(f: float, ratio: float, h: float) -> None:
    rate, mass_scale, softening = softness(f, ratio, h)
    assert mass_scale * softening == pytest.approx(1.0, abs=1e-15)
    assert 0.0 <= mass_scale <= 1.0
    assert 0.0 < rate <= 1.0 / h * (1.0 + 1e-12), "never more than the overlap in one substep"


@given(hertz, ratios, steps)
def test_steps_of_a_spring_that_is_pushed_converge_to_the_impulse_that_holds_it(
    f: float, ratio: float, h: float
) -> None:
    """At rest under a constant push p per substep, the impulse is p and the overlap what makes the spring give it."""
    rate, _, softening = softness(f, ratio, h)
    push = 0.01
    overlap = (softening - 1.0) * push / rate  # from the fixed point of the accumulated impulse
    stiffness = (2.0 * pi * f) ** 2
    assert overlap * stiffness * h == pytest.approx(push, rel=1e-9)


def test_contacts_are_never_stiffer_than_a_quarter_of_the_substep_rate() -> None:
    for h in (1.0 / 1000.0, 1.0 / 240.0, 1.0 / 60.0, 0.1):
        expected = min(CONTACT_HERTZ, 0.25 / h)
        soft, stiff = contact_softness(h, CONTACT_HERTZ)
        assert soft == softness(expected, CONTACT_DAMPING_RATIO, h)
        assert stiff == softness(2.0 * expected, CONTACT_DAMPING_RATIO, h)
