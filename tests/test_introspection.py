"""Docstrings of attributes, representations, and names in `dir`: all that a prompt shows of the package."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import Statistics
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.field_docs import docstring_of
from tests.support.processes import run_script
from tests.support.worlds import disk, floor, run

pytestmark = pytest.mark.usefixtures("fresh_world")

PUBLIC = [kind for name in ec.__all__ if isinstance(kind := getattr(ec, name), type)]
KINDS = [kind for kind in PUBLIC if not issubclass(kind, ec.Shape | ec.Material)] + [Settings, Statistics, Tolerances]
"""Public classes, except shapes and their materials: their docstrings describe their arguments."""


def attributes(kind: type) -> Iterator[str]:
    """Yield the public attributes of a class that are not methods: of itself, and of its bases in the package."""
    for owner in kind.__mro__:
        if owner.__module__.startswith("ecs_collide"):
            for name, value in vars(owner).items():
                if not name.startswith("_") and hasattr(value, "__get__") and not inspect.isroutine(value):
                    yield name


@pytest.mark.parametrize("kind", KINDS)
def test_every_attribute_has_a_docstring(kind: type) -> None:
    names = set(attributes(kind))
    texts = {name: inspect.getdoc(getattr(kind, name)) for name in names}
    assert not [name for name, text in texts.items() if not text or text.startswith("Alias for field")]


def test_attributes_of_components_say_what_they_are() -> None:
    assert str(ec.Collider.friction.__doc__).startswith("Friction coefficient; the geometric mean")
    assert "between ±1e15" in str(ec.Transform.angle.__doc__)
    assert ec.RevoluteJoint.lower.__doc__ == "Least angle [rad], minus infinity for no limit."
    assert ec.WheelJoint.lower.__doc__ == "Least translation [m], minus infinity for no limit."
    assert str(ec.Collider.detect.__doc__).splitlines()[1:] == [
        "",
        "Unlike a plain sensor, it also detects static entities and other sensors.",
    ]
    assert repr(ec.Collider.friction) == "<attribute Collider.friction>"
    assert repr(ec.WeldJoint.break_force) == "<attribute Joint.break_force>"


def test_fields_of_results_say_what_they_are() -> None:
    assert ec.Hit.fraction.__doc__ == "Fraction of the path, 0 at its start, 1 at its end."
    assert ec.Slides.floor.__doc__ == "Entity of the floor, 0 in the air (n,) int64."
    contact: Any = ec.Contact
    assert inspect.getdoc(contact.entity_a) == "Entity with the smaller id."


def test_a_class_of_a_game_inherits_docstrings_and_has_none_of_its_own_without_a_source() -> None:
    class Ball(ec.Collider):
        pass

    assert Ball.friction.__doc__ == ec.Collider.friction.__doc__
    assert docstring_of(ec.Collider.__module__, "Collider", "weight") is None
    script = """
import sys
class Sourceless:
    def get_source(self, name):
        return None
import ecs_collide as ec
module = sys.modules["ecs_collide.components.collider"]
module.__loader__, module.__file__ = Sourceless(), "nowhere"
print(ec.Collider.friction.__doc__)
"""
    assert run_script(script) == "None"


DEFAULTS: list[tuple[Any, str]] = [
    (ec.Transform(1, 2), "Transform(x=1.0, y=2.0)"),
    (ec.Velocity(), "Velocity()"),
    (ec.Force(torque=3), "Force(torque=3.0)"),
    (
        ec.Collider(ec.Box(1, 2), friction=0.9, friction_rule=ec.Combine.MINIMUM),
        "Collider(shape=Box(width=1.0, height=2.0), friction=0.9, friction_rule=Combine.MINIMUM)",
    ),
    (ec.RigidBody(), "RigidBody()"),
    (ec.RigidBody(ec.BodyKind.KINEMATIC, bullet=True), "RigidBody(kind=BodyKind.KINEMATIC, bullet=True)"),
    (ec.CharacterController(step_height=0.25), "CharacterController(step_height=0.25)"),
    (ec.RevoluteJoint(3, 4, point=(0, 1)), "RevoluteJoint(a=3, b=4, point=(0.0, 1.0))"),
    (ec.DistanceJoint(3, max_length=2), "DistanceJoint(a=3, max_length=2.0)"),
    (ec.DistanceJoint(3, 4, length=2), "DistanceJoint(a=3, b=4, length=2.0)"),
    (ec.FrictionJoint(3, max_torque=5), "FrictionJoint(a=3, max_torque=5.0)"),
    (ec.TargetJoint(3, (1, 2)), "TargetJoint(a=3, target=(1.0, 2.0))"),
    (ec.GearJoint(3, 4, ratio=-2), "GearJoint(a=3, b=4, ratio=-2.0)"),
    (ec.RatchetJoint(3, tooth=0.5), "RatchetJoint(a=3, tooth=0.5)"),
    (ec.PulleyJoint(3, 4, (0, 5), (1, 5)), "PulleyJoint(a=3, b=4, ground_a=(0.0, 5.0), ground_b=(1.0, 5.0))"),
    (ec.MotorJoint(3, max_force=9), "MotorJoint(a=3, max_force=9.0)"),
    (ec.WeldJoint(3, 4, linear_hertz=2, max_force=9), "WeldJoint(a=3, b=4, linear_hertz=2.0, max_force=9.0)"),
    (ec.PrismaticJoint(3, axis=(0, 1)), "PrismaticJoint(a=3, axis=(0.0, 1.0))"),
    (ec.WheelJoint(3, 4, hertz=2), "WheelJoint(a=3, b=4, hertz=2.0)"),
    (ec.WeldJoint(3, 4), "WeldJoint(a=3, b=4)"),
    (ec.Circle(0.5), "Circle(radius=0.5)"),
    (ec.Circle(0.5, (1, 0)), "Circle(radius=0.5, center=(1.0, 0.0))"),
    (ec.HalfPlane(), "HalfPlane()"),
]


@pytest.mark.parametrize(("value", "text"), DEFAULTS, ids=lambda each: type(each).__name__)
def test_a_representation_leaves_out_defaults_and_makes_an_equal_one(value: Any, text: str) -> None:
    assert repr(value) == text
    assert repr(eval(text, vars(ec) | {name: getattr(ec, name) for name in ec.__all__})) == text


def test_a_result_of_a_controller_is_shown_once_there_is_one() -> None:
    controller = ec.CharacterController()
    controller.on_floor, controller.floor = True, 7
    assert repr(controller) == "CharacterController(on_floor=True, floor=7)"


def test_a_component_of_a_game_with_arguments_of_its_own_is_shown_with_its_numbers() -> None:
    class Ball(ec.Velocity):
        def __init__(self, speed: float) -> None:
            super().__init__(speed, 0)

    class Heart(ec.Shape):
        pieces = mass_properties = None  # type: ignore[assignment]

    assert repr(Ball(3)) == "Ball(x=3.0)"
    assert re.fullmatch(r"<.*Heart object at 0x\w+>", repr(Heart()))


def test_a_world_and_its_views_say_what_is_in_them() -> None:
    physics = ec.install(gravity=(0, -10))
    assert repr(physics).startswith("<PhysicsWorld: impulse response, step 0, bodies 0 ")
    assert repr(physics.contacts) == "<ContactView of 0>"
    ground, ball = floor(), disk(0, 0.5)
    esper.create_entity(ec.RevoluteJoint(ball))
    run(3)
    assert repr(physics) == (
        "<PhysicsWorld: impulse response, step 3, bodies 2 (static 1, awake 1, asleep 0), "
        "pairs 1, contacts 1, joints 1>"
    )
    assert repr(physics.contacts) == f"<ContactView of 1: {ground} and {ball}>"
    assert repr(physics.pairs) == f"<PairView of 1: {ground} and {ball}>"
    assert repr(physics.joints) == f"<JointView of 1: {ball} and the world>"


def test_long_views_show_their_first_rows() -> None:
    physics = ec.install(gravity=(0, -10))
    ground = floor()
    balls = [disk(2 * k, 0.5) for k in range(12)]
    run(2)
    first = physics.contacts.entity_a[:8].tolist(), physics.contacts.entity_b[:8].tolist()
    listed = "; ".join(f"{a} and {b}" for a, b in zip(*first, strict=True))
    assert {*first[0], *first[1]} <= {ground, *balls}
    assert repr(physics.contacts) == f"<ContactView of 12: {listed}; ...>"


def test_nothing_internal_is_listed() -> None:
    names = {name for name in dir(ec) if not name.startswith("__")}
    assert names == {*ec.__all__, "algorithms", "components", "draw", "from_data", "recording", "systems", "worlds"}
    assert {name for name in dir(ec.components) if not name.startswith("__")} == set(ec.components.__all__)
    assert all(hasattr(ec, name) for name in dir(ec))
