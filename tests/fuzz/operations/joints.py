"""Operations that create, write, mend and remove joints."""

from __future__ import annotations

from inspect import signature
from random import Random
from typing import Any

import esper

import ecs_collide as ec
from ecs_collide.components.joints.all_kinds import TYPES
from ecs_collide.components.joints.joint import Joint
from tests.fuzz.expect import body_kind_of, is_body, joints_of
from tests.fuzz.operations.absurd import ABSURD, NEVER, step_and_clear
from tests.fuzz.operations.entities import MOST
from tests.fuzz.operations.operation import Operation, draw_label
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data, number, point

JOINTS: dict[str, Any] = {kind.__name__: kind for kind in TYPES}
SPRING = ("hertz", "damping_ratio", "stiffness", "damping")
LIMITED = ("lower", "upper", "motor_speed", *SPRING)
LINEAR_SPRING = ("linear_hertz", "linear_damping_ratio", "linear_stiffness", "linear_damping")
STRENGTH = ("max_force", "max_torque")
OWN = {
    "RevoluteJoint": (*LIMITED, *STRENGTH, "max_motor_torque", "reference_angle"),
    "WeldJoint": (*SPRING, *LINEAR_SPRING, *STRENGTH, "reference_angle"),
    "DistanceJoint": (*SPRING, "motor_speed", "max_motor_force", "length", "min_length", "max_length", "max_force"),
    "PrismaticJoint": (*LIMITED, *STRENGTH, "max_motor_force", "reference_angle", "axis"),
    "WheelJoint": (*LIMITED, "max_force", "max_motor_torque", "axis"),
    "TargetJoint": ("hertz", "damping_ratio", "target", "max_force"),
    "FrictionJoint": STRENGTH,
    "GearJoint": ("ratio", "phase", "max_torque"),
    "RatchetJoint": ("tooth", "phase", "max_torque"),
    "PulleyJoint": ("ground_a", "ground_b", "length", "ratio", "max_force"),
    "MotorJoint": ("target", "target_angle", "hertz", "damping_ratio", *STRENGTH),
}
"""Fields of a kind of joint besides the common ones."""

NEEDED = {"TargetJoint": {"target"}, "RatchetJoint": {"tooth"}, "PulleyJoint": {"ground_a", "ground_b"}}
"""Fields without which there is no joint of a kind."""
NEED_B = ("GearJoint", "PulleyJoint")
"""Kinds that need two bodies."""
WHERE = ("anchor_a", "anchor_b", "point", "anchor_a", "none")
MORE_THAN_0 = ("max_force", "hertz")
"""Fields that a TargetJoint needs for its pull, and other joints do not."""
EXTRA_JOINTS = 6
"""Number of entities above `MOST` that joints may use."""


def draw_joint_value(rng: Random, kind: str, field: str, unit: float) -> Any:
    """Draw a legal value for a field."""
    match field:
        case "lower" | "upper" if rng.random() < 0.9:
            return number(rng, 0.0, 2.0) * (1.0 if field == "upper" else -1.0)
        case "lower" | "upper" | "reference_angle":
            return number(rng, -2.0, 2.0)
        case "phase" | "target_angle":
            return rng.choice((None, number(rng, -2.0, 2.0)))
        case "tooth":
            return rng.choice((0.4, -0.4, 1e-9, 7.0))
        case "ratio":
            return rng.choice((0.5, 2.0, 1e3) if kind == "PulleyJoint" else (-2.0, 0.0, 0.5, 1e3))
        case "motor_speed":
            return number(rng, -8.0, 8.0)
        case "hertz" | "linear_hertz":
            return rng.choice((0.0 if kind != "TargetJoint" else 5.0, 2.0, 30.0, 1e6))
        case "damping_ratio" | "linear_damping_ratio":
            return rng.choice((0.0, 0.7, 1.0, 100.0))
        case "length" | "rest_length":
            return rng.choice((None, 0.0, number(rng, 0.0, 3.0, unit)))
        case "min_length":
            return number(rng, 0.0, 1.0, unit)
        case "max_length":
            return number(rng, 0.9, 3.0, unit)
        case "axis":
            return rng.choice(((1.0, 0.0), (0.0, 1.0), (0.6, 0.8)))
        case "anchor_a" | "anchor_b":
            return rng.choice((None, (0.0, 0.0), point(rng, 1.0, unit)))
        case "target" | "point" | "ground_a" | "ground_b":
            return point(rng, 3.0, unit)
        case "collide_connected":
            return rng.random() < 0.5
        case "max_force" if kind == "TargetJoint":
            return rng.choice((number(rng, 0.1, 50.0, unit), 1e6))
        case _:  # forces and torques
            return rng.choice((0.0, number(rng, 0.1, 50.0, unit), 1e6))


def draw_partner(rng: Random, play: Play) -> Any:
    """Draw the label of a body, mostly a dynamic one."""
    holders = esper._entities
    dynamic = [
        label
        for label, entity in play.room.entities.items()
        if is_body(held := holders.get(entity, {}), holders) and body_kind_of(held) is ec.BodyKind.DYNAMIC
    ]
    return rng.choice(dynamic) if dynamic and rng.random() < 0.95 else draw_label(rng, play)


def draw_join(rng: Random, play: Play) -> Data | None:
    a = draw_partner(rng, play)
    if a is None or len(esper._entities) >= MOST + EXTRA_JOINTS or (play.conditions.exact and rng.random() < 0.95):
        return None
    kind, unit = rng.choice(list(JOINTS)), play.conditions.unit
    b = None if rng.random() < 0.3 else draw_partner(rng, play) if rng.random() < 0.7 else draw_label(rng, play)
    if b == a and rng.random() < 0.9:
        b = None
    if b is None and kind in NEED_B:
        return None
    fields = set(rng.sample(OWN[kind], rng.randint(0, min(3, len(OWN[kind])))))
    if kind != "TargetJoint":
        fields.add(rng.choice(WHERE))
    for some, share in (
        (("collide_connected",), 0.2),
        (("break_force",), 0.2),
        (("force_threshold", "torque_threshold"), 0.2),
    ):
        if rng.random() < share:
            fields.add(rng.choice(some))
    fields = fields & signature(JOINTS[kind]).parameters.keys() | NEEDED.get(kind, set())
    given = tuple((field, draw_joint_value(rng, kind, field, unit)) for field in sorted(fields))
    holder = a if rng.random() < 0.1 else None
    return rng.randrange(1_000_000), holder, kind, a, b, given


def join(play: Play, new: int, holder: int | None, kind: str, a: int, b: int | None, given: Data) -> None:
    """Create a joint, on an entity of its own or on its holder's.

    Limits out of order, a rope or winch with a length, and two kinds of springs are refused at once.
    """
    entities, named = play.room.entities, dict(given)
    if a not in entities or (b is not None and b not in entities):
        return
    low, high = ("min_length", "max_length") if kind == "DistanceJoint" else ("lower", "upper")
    has_si_spring = any(named.get(field, 0.0) > 0.0 for field in ("stiffness", "damping"))
    has_spring, has_motor = named.get("hertz", 0.0) > 0.0 or has_si_spring, named.get("max_motor_force", 0.0) > 0.0
    is_rope = kind == "DistanceJoint" and not has_spring and (named.get(low, 0.0) > 0.0 or high in named or has_motor)
    is_wrong = named.get(low, -1e9) > named.get(high, 1e9) or (is_rope and named.get("length") is not None)
    is_wrong = is_wrong or (named.get("hertz", 0.0) > 0.0 and has_si_spring)
    has_linear = any(named.get(field, 0.0) > 0.0 for field in ("linear_stiffness", "linear_damping"))
    is_wrong = is_wrong or (named.get("linear_hertz", 0.0) > 0.0 and has_linear)
    if kind != "TargetJoint":
        named["b"] = None if b is None else entities[b]
    try:
        joint = JOINTS[kind](entities[a], **named)
    except ValueError:
        if not is_wrong:
            raise
        return
    if is_wrong:
        play.fault("accepted", f"{joint!r} of {given}")
    entity = None if holder is None else play.entity(holder)
    if entity is None:
        play.room.entities[new] = esper.create_entity(joint)
    else:
        esper.add_component(entity, joint)


def draw_joint(rng: Random, play: Play) -> tuple[Any, str] | None:
    """Draw the label and the kind of an existing joint, or None."""
    found = [
        (label, type(joint).__name__)
        for label, entity in play.room.entities.items()
        for joint in joints_of(esper._entities.get(entity, {}))
    ]
    return rng.choice(found) if found else None


def draw_joint_field(rng: Random, kind: str) -> str:
    common = ("break_force", "break_torque", "collide_connected", "anchor_a", "anchor_b", "a", "b")
    field = rng.choice(OWN[kind] if rng.random() < 0.7 else common)
    return "rest_length" if field == "length" else field


def draw_writing(rng: Random, play: Play) -> Data | None:
    drawn = draw_joint(rng, play)
    if drawn is None:
        return None
    label, kind = drawn
    field = draw_joint_field(rng, kind)
    if field in ("a", "b"):
        return label, field, draw_partner(rng, play) if field == "a" or rng.random() < 0.8 else None
    return label, field, draw_joint_value(rng, kind, field, play.conditions.unit)


def write_joint(play: Play, label: int | str, field: str, data: Any) -> None:
    """Write a field of every joint that the entity holds."""
    for joint in _joints(play, label):
        if field in ("a", "b") and data is not None:
            setattr(joint, field, play.room.entities.get(data, 0))
        elif field == "b" and type(joint).__name__ in NEED_B:
            continue  # they refuse None
        elif hasattr(joint, field) and not (isinstance(joint, ec.TargetJoint) and field in MORE_THAN_0 and data == 0.0):
            setattr(joint, field, data)  # what was drawn for another joint of the entity


def _joints(play: Play, label: int | str) -> list[Joint]:
    entity = play.entity(label)
    return [] if entity is None else joints_of(esper._entities[entity])


def draw_absurd(rng: Random, play: Play) -> Data | None:
    drawn = draw_joint(rng, play)
    return None if drawn is None else (drawn[0], draw_joint_field(rng, drawn[1]), rng.choice(list(ABSURD)))


def absurd_joint(play: Play, label: int | str, field: str, value: str) -> None:
    """Write an absurd value; if that is accepted, make a step and empty the world."""
    for joint in _joints(play, label)[:1]:
        if not hasattr(joint, field):
            return
        old = getattr(joint, field)
        try:
            setattr(joint, field, ABSURD[value])
        except (TypeError, ValueError) as error:
            if f"{type(joint).__name__}.{field}" not in str(error):
                play.fault("unclear", f"{error!r} for {type(joint).__name__}.{field}")
            if getattr(joint, field) != old:
                play.fault("half done", f"{field} was refused and is {getattr(joint, field)!r}, was {old!r}")
            return
        if value in NEVER and value not in ("inf", "-inf", "pair"):  # no bound; and some are points
            play.fault("accepted", f"{type(joint).__name__}.{field} = {value}")
        step_and_clear(play)


def draw_of_joint(rng: Random, play: Play) -> Data | None:
    drawn = draw_joint(rng, play)
    return None if drawn is None else drawn[:1]


def mend_joint(play: Play, label: int | str) -> None:
    for joint in _joints(play, label):
        if joint._entity is not None:
            play.room.joints.mended(joint._entity)
        joint.mend()


def unjoin(play: Play, label: int | str) -> None:
    """Remove a joint, and keep it for later use."""
    entity = play.entity(label)
    for joint in _joints(play, label):
        assert entity is not None
        play.room.loose.append(esper.remove_component(entity, type(joint)))


def ask_joint(play: Play, label: int | str) -> None:
    """Read all values that a joint offers."""
    for joint in _joints(play, label):
        for name in ("force", "torque", "angle", "translation", "length", "speed", "gap", "angle_gap"):
            getattr(joint, name, None)
        if not repr(joint).startswith(type(joint).__name__):
            play.fault("repr", repr(joint))


ROWS = (
    Operation("join", 9, draw_join, join, nests=False),
    Operation("write joint", 6, draw_writing, write_joint, nests=False),
    Operation("absurd joint", 1, draw_absurd, absurd_joint, nests=False),
    Operation("mend joint", 1, draw_of_joint, mend_joint, nests=False),
    Operation("unjoin", 2, draw_of_joint, unjoin, nests=False),
    Operation("ask joint", 1, draw_of_joint, ask_joint, nests=False),
)
