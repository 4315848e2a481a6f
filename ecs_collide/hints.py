"""Hints in errors about names that do not exist: a similar name, or the name of the same thing here.

`OTHER_WORDS` lists words of pymunk, Box2D, arcade, Godot, Unity, Avian, Rapier and planck.js. Words are compared in
lower case and without underscores, so that `isSensor` is `is_sensor`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import CodeType
from typing import ParamSpec, Self, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

VAR_KEYWORDS = 0x08
"""Bit of `co_flags` of a function with `**named`."""

OTHER_WORDS = {
    # Colliders
    "sensor is_sensor trigger is_trigger area_2d": "Collider(sensor=True)",
    "elasticity bounciness bounce coefficient_of_restitution": "Collider(restitution=...)",
    "category categories category_bits collision_layer collision_type memberships": "Collider(layer=...)",
    "mask_bits collision_mask collides_with masks": "Collider(mask=...)",
    "group_index collision_group": "Collider(group=...)",
    "filter shape_filter collision_filter collision_groups": "Collider(layer=..., mask=..., group=...)",
    "collision_exceptions add_collision_exception_with ignore_collision collision_excludes": "IgnoredEntities([...])",
    "surface_velocity tangent_speed conveyor": "Collider(surface_speed=...)",
    "one_way_collision": "Collider(one_way=(0, 1)), or Chain(points, one_sided=True)",
    # Bodies
    "moment_for_circle moment_for_box moment_for_poly moment_for_segment": "RigidBody(mass=...), the inertia follows",
    "moment moment_of_inertia rotational_inertia angular_inertia": "RigidBody(inertia=...)",
    "fixed_rotation lock_rotations freeze_rotation locked_axes motion_locks": "RigidBody(lock_rotation=True)",
    "body_type type static fixed is_static static_body_2d": "RigidBody(BodyKind.STATIC), KINEMATIC or DYNAMIC",
    "is_bullet ccd ccd_enabled swept_ccd continuous_collision": "RigidBody(bullet=True)",
    "allow_sleep sleeping_allowed sleeping_disabled enable_sleep": "RigidBody(can_sleep=...)",
    "drag damping linear_drag angular_drag": "RigidBody(linear_damping=..., angular_damping=...)",
    "rotation rot heading orientation degrees": "Transform(angle=...), in radians: math.radians(90)",
    "position pos translation location pose global_transform": "Transform(x, y, angle)",
    "linear_velocity linvel linear velocity": "Velocity(x, y), or velocities=... in spawn",
    "angular_velocity angvel omega spin": "Velocity(angular=...) [rad/s], or angular_velocities=... in spawn",
    "external_force constant_force": "Force(x, y, torque)",
    "impulse external_impulse apply_force_at_world_point": "physics().apply_impulse(entity, (x, y))",
    # Shapes
    "rect rectangle aabb cuboid square box_shape size half_extents hx hy w h": "Box(width, height), its whole lengths",
    "ball disk disc circle_shape r": "Circle(radius)",
    "poly polygon_shape convex convex_hull convex_polygon convex_polyhedron": "Polygon(vertices)",
    "edge edge_shape line": "Segment(a, b)",
    "chain_shape polyline edge_chain heightfield": "Chain(points)",
    "plane half_space static_boundary world_boundary": "HalfPlane(normal, offset)",
    "tile_map trimesh voxels": "Bitmap(rows, cell_size)",
    "thickness": "Capsule(a, b, radius)",
    "offset local_position": "center=... of a Circle or a Box",
    "points": "Polygon(vertices) or Chain(points)",
    # Joints
    "pin_joint spring_joint damped_spring rope_joint slide_joint": "DistanceJoint(a, b, length=..., hertz=...)",
    "pivot_joint hinge_joint": "RevoluteJoint(a, b, point=...)",
    "slider_joint groove_joint": "PrismaticJoint(a, b, axis=...)",
    "fixed_joint": "WeldJoint(a, b)",
    "mouse_joint": "TargetJoint(a, target)",
    "joint constraint": "a joint such as RevoluteJoint(a, b, point=...)",
    "body_a body_b entity1 entity2 body1 body2": "a=... and b=..., the two entities",
    "anchor pivot anchor1 anchor2 local_anchor_a": "point=... in the world, or anchor_a=... and anchor_b=...",
    "limits lower_angle upper_angle lower_translation upper_translation": "lower=... and upper=...",
    "enable_motor motor": "motor_speed=... and max_motor_torque=...",
    "rest_length": "length=...",
    "stiffness frequency frequency_hz": "hertz=... and damping_ratio=...",
    # Characters and worlds
    "is_on_floor is_on_ground is_grounded grounded can_jump": "physics().ground_of(entity), or on_floor of a character",
    "slope_limit max_slope_angle floor_max_angle": "CharacterController(max_slope=...), in radians",
    "space world simulation physics_engine pymunk_physics_engine": "install(), then esper.process(dt)",
    "body rigid_body_2d fixture collider_2d": "esper.create_entity(Transform(), Velocity(), Collider(shape))",
    "step update simulate process": "esper.process(dt)",
    "add add_body create_body create_static_body spawn_body": "esper.create_entity(Transform(), Collider(shape))",
    "remove destroy remove_body destroy_body": "esper.delete_entity(entity)",
    "iterations velocity_iterations position_iterations solver_iterations sub_step_count": "install(substeps=...)",
    "hz fps dt time_step fixed_timestep delta_time": "install(fixed_dt=1 / 60)",
    "scale ppm pixels_per_meter length_units_per_meter": "install(length_unit=...)",
    "ray cast_ray segment_query segment_query_first": "physics().ray_cast(origin, end)",
    "overlap_circle overlap_box overlap_shape": "physics().shape_query(shape, pose)",
    "overlap overlaps overlapping get_overlapping_bodies": "physics().colliding(entity), or shape_query(shape, pose)",
    "bb_query query_aabb": "physics().aabb_query(box)",
    "point_query_nearest project_point": "physics().nearest(point)",
    "add_collision_handler set_contact_listener on_collision begin_contact": 'on("collision_start", function)',
    "bodies shapes": "physics().entities",
    "vec2 vec2d vector2 vector": "a tuple (x, y)",
    "from_tiled tiled_points from_svg from_image from_shapely to_shapely load_tilemap": "ecs_collide.from_data",
    "camera": "draw.Camera(size, center, scale)",
    "recorder": "record(path), or ecs_collide.recording.Recorder()",
    "layers": "layer=..., bits such as 1, 2, 4",
    # Events
    "begin contact_begin contact_started collision_begin collision_started on_collision_enter": "collision_start",
    "separate end_contact contact_end contact_stopped collision_ended on_collision_exit": "collision_end",
    "post_solve impact contact_force": "collision_hit",
    "pre_solve": "a hook after ec.systems.Narrowphase",
    "trigger_enter on_trigger_enter sensor_begin sensor_start area_entered body_entered": "sensor_enter",
    "trigger_exit on_trigger_exit sensor_end area_exited body_exited": "sensor_exit",
}
"""Words of other engines, with spaces between, and what to write here."""


def simplify(word: str) -> str:
    """Return a word in lower case and without underscores."""
    return word.lower().replace("_", "")


def find_similar(word: str, names: Iterable[str], similarity: float = 0.6) -> str | None:
    """Return the public name that is most similar to a word, None if none has a `similarity` [0, 1] as great."""
    from difflib import get_close_matches

    by_form = {simplify(name): name for name in sorted(names) if not name.startswith("_")}
    near = get_close_matches(simplify(word), by_form, n=1, cutoff=similarity)
    return by_form[near[0]] if near else None


def find_word_here(word: str) -> str | None:
    """Return what to write here for a word of another engine, None if `OTHER_WORDS` has no such word."""
    wanted = simplify(word)
    return next((here for words, here in OTHER_WORDS.items() if wanted in map(simplify, words.split())), None)


def hint(word: str, names: Iterable[str]) -> str:
    """Return the end of an error message about a word that is none of `names`: what was probably meant, or nothing."""
    if here := find_word_here(word):
        return f": use {here}"
    near = find_similar(word, names)
    return f": did you mean {near!r}?" if near else ""


def arguments_of(function: Callable[..., object]) -> frozenset[str]:
    """Return the names of the arguments of a function, or of the `__init__` of a class; none if it is not Python."""
    return frozenset(_arguments_in_order(function))


def keywords_of(function: Callable[..., object]) -> frozenset[str] | None:
    """Return the names of the keywords that a function or class takes; None if it takes any."""
    code = _code_of(function)
    return None if code is None or code.co_flags & VAR_KEYWORDS else arguments_of(function)


def _arguments_in_order(function: Callable[..., object]) -> tuple[str, ...]:
    """Return the names of the arguments of a function, or of the `__init__` of a class without its first one."""
    code = _code_of(function)
    if code is None:
        return ()
    return code.co_varnames[isinstance(function, type) : code.co_argcount + code.co_kwonlyargcount]


def _code_of(function: Callable[..., object]) -> CodeType | None:
    """Return the code of a function, or of the `__init__` of a class; None if it is not Python."""
    if isinstance(function, type):
        return getattr(getattr(function, "__init__"), "__code__", None)  # noqa: B009  # mypy takes it for a value's
    return getattr(getattr(function, "__wrapped__", function), "__code__", None)


def check_keywords(called: Callable[..., object], named: Mapping[str, object]) -> None:
    """Raise TypeError with a hint if a function or class takes no argument of one of these names."""
    known = keywords_of(called)
    if known is None:
        return
    for word in named:
        if word not in known:
            raise unknown_keyword(called.__name__, word, known)


def unknown_keyword(called: str, word: str, known: Iterable[str]) -> TypeError:
    """Return the error for a keyword that is none of the known ones, with a hint."""
    is_clear = find_word_here(word) or find_similar(word, known, 0.85)
    owners = [] if is_clear else _find_owners(word)
    advice = f": it is an argument of {', '.join(owners)}" if owners else hint(word, known)
    return TypeError(f"{called}() got an unexpected keyword argument {word!r}{advice}")


def hints_at_keywords(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return a function that calls `function`, and raises an error with a hint for an unknown keyword."""

    @wraps(function)
    def call(*args: Arguments.args, **named: Arguments.kwargs) -> Result:
        check_keywords(function, named)
        return function(*args, **named)

    return call


def hints_at_arguments(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return a method that calls `method`; its error for an unknown keyword names the argument that is alike, or all.

    Unlike `hints_at_keywords`, it does not look for the keyword among components and words of other engines, which
    would seldom be meant in a query or a push.
    """

    @wraps(method)
    def call(*args: Arguments.args, **named: Arguments.kwargs) -> Result:
        try:
            return method(*args, **named)
        except TypeError:
            known = [each for each in _arguments_in_order(method) if each != "self"]
            unknown = next((word for word in named if word not in known), None)
            if unknown is None:
                raise
        near = find_similar(unknown, known, 0.75)
        advice = f"did you mean {near!r}?" if near else f"it takes {', '.join(known)}"
        raise TypeError(f"{method.__qualname__}() got an unexpected keyword argument {unknown!r}: {advice}")

    return call


class Hinting:
    """Base of classes written in Python whose errors about keywords have hints."""

    __slots__ = ()

    def __new__(cls, *args: object, **named: object) -> Self:
        """Return a new object; raise TypeError with a hint for a keyword that `__init__` does not take."""
        if named:
            check_keywords(cls, named)
        return object.__new__(cls)


def _find_owners(word: str) -> list[str]:
    """Return the public classes that take an argument of this name, at most three."""
    import ecs_collide

    public = (getattr(ecs_collide, name) for name in ecs_collide.__all__)
    owners = [each.__name__ for each in public if isinstance(each, type) and word in arguments_of(each)]
    return owners[:3]
