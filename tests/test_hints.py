"""Errors about names that do not exist say what was probably meant."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.hints import OTHER_WORDS, find_word_here, simplify
from tests.support.processes import run_python

pytestmark = pytest.mark.usefixtures("fresh_world")

DISK = ec.Circle(0.5)


@pytest.mark.parametrize(
    ("function", "arguments", "word", "advice"),
    [
        (ec.install, (), "gravty", "did you mean 'gravity'?"),
        (ec.install, (), "iterations", r"use install\(substeps=...\)"),
        (ec.install, (), "hz", r"use install\(fixed_dt=1 / 60\)"),
        (ec.install, (), "restitution", "it is an argument of Collider"),
        (ec.Collider, (DISK,), "is_sensor", r"use Collider\(sensor=True\)"),
        (ec.Collider, (DISK,), "isSensor", r"use Collider\(sensor=True\)"),
        (ec.Collider, (DISK,), "elasticity", r"use Collider\(restitution=...\)"),
        (ec.Collider, (DISK,), "frictoin", "did you mean 'friction'?"),
        (ec.Collider, (DISK,), "mass", "it is an argument of CharacterController, RigidBody"),
        (ec.RigidBody, (), "friction", "it is an argument of Collider"),
        (ec.RigidBody, (), "fixed_rotation", r"use RigidBody\(lock_rotation=True\)"),
        (ec.RigidBody, (), "moment", r"use RigidBody\(inertia=...\)"),
        (ec.Transform, (), "rotation", r"use Transform\(angle=...\), in radians"),
        (ec.Transform, (), "position", r"use Transform\(x, y, angle\)"),
        (ec.Velocity, (1.0,), "omega", r"use Velocity\(angular=...\)"),
        (ec.Force, (), "torqe", "did you mean 'torque'?"),
        (ec.CharacterController, (), "step_heigth", "did you mean 'step_height'?"),
        (ec.DistanceJoint, (1, 2), "rest_length", "use length=..."),
        (ec.RevoluteJoint, (1, 2), "anchor", "use point=... in the world"),
        (ec.Circle, (), "r", r"use Circle\(radius\)"),
        (ec.Box, (), "hx", r"use Box\(width, height\), its whole lengths"),
        (ec.Polygon, (), "points", r"use Polygon\(vertices\)"),
        (ec.Chain, ([(0, 0), (1, 0)],), "loops", "did you mean 'loop'?"),
        (ec.spawn, (DISK, [(0, 0)]), "angle", "did you mean 'angles'?"),
    ],
)
def test_an_unknown_keyword_is_an_error_with_a_suggestion(
    function: Any, arguments: tuple[Any, ...], word: str, advice: str
) -> None:
    name = function.__name__
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument '{word}': {advice}"):
        function(*arguments, **{word: 1})


@pytest.mark.parametrize("function", [ec.install, ec.Collider, ec.RigidBody, ec.Transform, ec.Circle, ec.WeldJoint])
def test_a_keyword_like_no_other_is_an_error_without_a_hint(function: Any) -> None:
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'qqq'$"):
        function(qqq=1)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Rect", r"use Box\(width, height\)"),
        ("Poly", r"use Polygon\(vertices\)"),
        ("Space", r"use install\(\), then esper.process\(dt\)"),
        ("Vec2d", r"use a tuple \(x, y\)"),
        ("PivotJoint", r"use RevoluteJoint\(a, b, point=...\)"),
        ("LinearVelocity", r"use Velocity\(x, y\)"),
        ("raycast", "did you mean 'ray_cast'?"),
        ("instal", "did you mean 'install'?"),
        ("from_tiled", "use ecs_collide.from_data"),
        ("Camera", r"use draw.Camera\(size, center, scale\)"),
    ],
)
def test_a_name_that_the_package_does_not_have(name: str, advice: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'ecs_collide' has no attribute '{name}': {advice}"):
        getattr(ec, name)
    assert not hasattr(ec, name)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("raycast", "did you mean 'ray_cast'?"),
        ("step", r"use esper.process\(dt\)"),
        ("add", r"use esper.create_entity\(Transform\(\), Collider\(shape\)\)"),
        ("bodies", r"use physics\(\).entities"),
        ("substeps", "'substeps' is an argument of install"),
        ("velocity", r"use Velocity\(x, y\)"),
        ("is_on_floor", r"use physics\(\).ground_of\(entity\)"),
    ],
)
def test_a_name_that_a_world_does_not_have(name: str, advice: str) -> None:
    physics = ec.install()
    with pytest.raises(AttributeError, match=f"PhysicsWorld has no attribute '{name}': {advice}"):
        getattr(physics, name)


@pytest.mark.parametrize(
    ("kind", "name", "advice"),
    [
        (ec.BodyKind, "Kinematic", "did you mean BodyKind.KINEMATIC?"),
        (ec.BodyKind, "static", "did you mean BodyKind.STATIC?"),
        (ec.BodyKind, "DYNAMC", "did you mean BodyKind.DYNAMIC?"),
        (ec.BodyKind, "GHOST", "it has STATIC, KINEMATIC, DYNAMIC"),
        (ec.Combine, "Max", "did you mean Combine.MAXIMUM?"),
        (ec.Combine, "MULTIPLYING", "did you mean Combine.MULTIPLY?"),
    ],
)
def test_a_member_that_an_enumeration_does_not_have(kind: Any, name: str, advice: str) -> None:
    with pytest.raises(AttributeError, match=rf"^{kind.__name__} has no member '{name}': {advice}"):
        getattr(kind, name)
    assert [getattr(kind, member.name) for member in kind] == list(kind)


def test_each_call_of_a_world_names_itself_in_errors() -> None:
    physics = ec.install()
    names = [name for name in dir(ec.PhysicsWorld) if not name.startswith("_")]
    calls = [name for name in names if callable(getattr(ec.PhysicsWorld, name, None))]
    assert len(calls) > 25
    for name in calls:
        with pytest.raises(TypeError, match=rf"^PhysicsWorld\.{name}\(\) "):
            getattr(physics, name)(*range(9))


@pytest.mark.parametrize(
    ("call", "word", "advice"),
    [
        ("ray_cast", "direction", "it takes origin, end, inside, mask, layer, ignore, sensors, where"),
        ("ray_cast", "sensor", r"did you mean 'sensors'\?"),
        ("nearest", "max_distance", "it takes point, count, reach, mask, layer, ignore, sensors, where"),
        ("explode", "power", "it takes center, radius, impulse, falloff, mask, ignore, where"),
        ("apply_impulse", "impuls", r"did you mean 'impulse'\?"),
        ("move_and_slide", "maxSlope", r"did you mean 'max_slope'\?"),
        ("snapshot", "deep", "it takes entities, copy"),
    ],
)
def test_an_unknown_keyword_of_a_call_of_a_world(call: str, word: str, advice: str) -> None:
    physics = ec.install()
    message = rf"^PhysicsWorld\.{call}\(\) got an unexpected keyword argument '{word}': {advice}$"
    for called in (getattr(physics, call), partial(getattr(ec.PhysicsWorld, call), physics)):
        with pytest.raises(TypeError, match=message) as error:
            called(**{word: 1})
        assert error.value.__context__ is None


def test_an_error_within_a_call_of_a_world_stays_as_it_is() -> None:
    def fail(entity: int) -> bool:
        raise TypeError("of the game")

    physics = ec.install()
    esper.create_entity(ec.Transform(), ec.Collider(DISK))
    with pytest.raises(TypeError, match=r"^of the game$"):
        physics.point_query((0, 0), where=fail)


def test_a_game_may_derive_components_with_arguments_of_their_own() -> None:
    class Named(ec.Collider):
        def __init__(self, name: str, **others: Any) -> None:
            super().__init__(DISK, **others)
            self.name = name

    @dataclasses.dataclass(eq=False)
    class Place(ec.Transform):
        label: str = ""

        def __post_init__(self) -> None:
            ec.Transform.__init__(self, 1.0, 2.0)

    assert Named(name="a", friction=0.25).friction == 0.25
    assert (Place(label="b").label, Place(label="b").y) == ("b", 2.0)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'labl': did you mean 'label'"):
        Place(labl="b")  # type: ignore[call-arg]


def test_no_word_stands_twice_in_the_table_and_none_is_a_keyword_of_its_own_advice() -> None:
    words = [simplify(word) for words in OTHER_WORDS for word in words.split()]
    assert len(words) == len(set(words)) > 150
    assert find_word_here("CircleShape") == "Circle(radius)"


@pytest.mark.parametrize("joined", [(1, 0), (1, 0, 2, 0)])
def test_a_pair_to_which_a_tuple_was_added(joined: tuple[int, ...]) -> None:
    ec.install()
    entity = esper.create_entity(place := ec.Transform(), ec.Collider(DISK))
    esper.process(0.0)
    with pytest.raises(ValueError, match=rf"^entity {entity}: Transform.position must be a pair .* join tuples"):
        place.position += joined  # type: ignore[assignment]
    assert place.position == (0.0, 0.0)
    with pytest.raises(AttributeError, match=r"Transform\.pose cannot be written: write its numbers one by one"):
        place.pose = (1.0, 2.0, 3.0)


def test_a_rectangle_of_pygame_is_no_box_of_corners() -> None:
    class Rect(list[float]):
        right = 3.0

    physics = ec.install()
    with pytest.raises(TypeError, match=r"write \(rect.left, rect.top, rect.right, rect.bottom\)"):
        physics.aabb_query(Rect([1.0, 1.0, 2.0, 2.0]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"ignore must be entities, got 7: write \[7\] for one entity"):
        physics.ray_cast((0, 0), (1, 0), ignore=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Collider.shape must be a shape .*: write Circle\(...\)"):
        ec.Collider(ec.Circle)  # type: ignore[arg-type]


PROGRAM = """
import esper, ecs_collide as ec
{setup}
esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1)))
for _ in range(3):
    esper.process(1 / 60)
{end}
"""


@pytest.mark.parametrize(
    ("setup", "end", "words"),
    [
        ("", "", "esper world 'default' has 1 Collider and never had physics, so nothing moved"),
        ("class Own(ec.Collider): pass\nesper.create_entity(Own(ec.Circle(1)))", "", "has 2 Colliders and never had"),
        ("ec.install(); esper.switch_world('level')", "", "esper world 'level' has 1 Collider and never"),
        (
            "ec.install(); esper.switch_world('b'); ec.on('joint_end', id); esper.switch_world('default')",
            "",
            "esper world 'b' has handlers of joint_end and never had physics",
        ),
        ("ec.install()", "", ""),
        ("ec.install()", "ec.uninstall()", ""),
        ("", "esper.clear_database()", ""),
        ("", "esper.switch_world('b'); esper.delete_world('default')", ""),
        ("import sys", "sys.exit(0)", "esper world 'default' has 1 Collider"),
    ],
)
def test_a_program_that_never_installed_physics_warns_at_its_end(setup: str, end: str, words: str) -> None:
    errors = run_python("-c", PROGRAM.format(setup=setup, end=end)).stderr
    assert words in errors if words else errors == ""


def test_a_program_that_failed_before_shows_its_error_alone() -> None:
    errors = run_python("-c", PROGRAM.format(setup="", end="raise SystemError"), expected=1).stderr
    assert errors.strip().endswith("SystemError")


def test_an_error_about_missing_physics_names_worlds_that_have_it(fresh_world: str) -> None:
    ec.install()
    other = f"{fresh_world}, other"
    esper.switch_world(other)
    with pytest.raises(ec.PhysicsError, match=rf"'{other}' has no physics: .* was called in .*'{fresh_world}'"):
        ec.physics()
