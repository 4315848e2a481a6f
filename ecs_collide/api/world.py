"""The physics of one esper world, as a game uses it: all calls and values in one table, each group in a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import ecs_collide  # for its drawing, which stands above this room, and is loaded for a picture in a notebook
from ecs_collide.api.body_control import BodyControl
from ecs_collide.api.body_masses import BodyMasses
from ecs_collide.api.body_places import BodyPlaces
from ecs_collide.api.body_views import BodyViews
from ecs_collide.api.delegated import Delegated
from ecs_collide.api.ground_calls import GroundCalls
from ecs_collide.api.pushes import Pushes
from ecs_collide.api.reachable import find_reachable
from ecs_collide.api.responses import RESPONSES
from ecs_collide.api.snapshot_calls import SnapshotCalls
from ecs_collide.api.touch_calls import TouchCalls
from ecs_collide.character.character_movement import CharacterMovement
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import Statistics
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.field_docs import document_fields
from ecs_collide.hints import arguments_of, find_similar, find_word_here, hint
from ecs_collide.queries.query_runner import QueryRunner
from ecs_collide.queries.world_casts import WorldCasts
from ecs_collide.queries.world_queries import WorldQueries
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.pair_view import PairView
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import flag, non_negative, vector2

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_view import JointView


@document_fields
class PhysicsWorld:
    """The physics of one esper world, made by `install`.

    The numpy views have one row for each body, in the order in which the bodies were adopted. A free row has entity 0.
    A game may write to the views: a moving body continues from its new values at the next step. After writing rows of
    static or sleeping bodies, call `moved`.

    A body keeps its row as long as it lives. The arrays are renewed when the world grows or most bodies are removed, so
    fetch the views anew in each step. The views end with the last row in use.
    """

    __slots__ = (
        "__weakref__",
        "_casts",
        "_characters",
        "_control",
        "_ground",
        "_masses",
        "_places",
        "_pushes",
        "_queries",
        "_runner",
        "_snapshots",
        "_touches",
        "_views",
        "pipeline",
    )

    pipeline: Pipeline
    """Object that the systems drive."""
    _runner: QueryRunner
    _casts: WorldCasts
    _queries: WorldQueries
    _characters: CharacterMovement
    _control: BodyControl
    _pushes: Pushes
    _places: BodyPlaces
    _masses: BodyMasses
    _touches: TouchCalls
    _views: BodyViews
    _snapshots: SnapshotCalls
    _ground: GroundCalls

    def __init__(self, settings: Settings) -> None:
        """Make the physics of a world; games call `install`."""
        self.pipeline = Pipeline(settings, RESPONSES[settings.response])

    if not TYPE_CHECKING:  # a type checker would take every name for an attribute

        def __setattr__(self, name: str, value: object) -> None:
            """Set an attribute; an error says which name was meant, or where the game can keep its own values."""
            try:
                super().__setattr__(name, value)
            except AttributeError:
                if hasattr(type(self), name):
                    raise
                raise AttributeError(f"PhysicsWorld has no attribute {name!r}{_advice(name, True)}") from None

        def __getattr__(self, name: str) -> Any:
            """Make a subsystem that is used for the first time; AttributeError with a hint for an unknown attribute."""
            if name in _SUBSYSTEMS:
                subsystem = _SUBSYSTEMS[name](self)
                super().__setattr__(name, subsystem)
                return subsystem
            advice = "" if name.startswith("_") else _advice(name, False)
            raise AttributeError(f"PhysicsWorld has no attribute {name!r}{advice}", name=name, obj=self)

    def __repr__(self) -> str:
        """Return the response and the counts of the last step."""
        counts = self.statistics
        static = counts.bodies - counts.moving_bodies
        joints = len(self.pipeline.world_joints.joints.rows)
        return (
            f"<PhysicsWorld: {self.settings.response} response, step {counts.steps}, bodies {counts.bodies} "
            f"(static {static}, awake {counts.awake_bodies}, asleep {counts.sleeping_bodies}), "
            f"pairs {counts.pairs}, contacts {counts.contacts}, joints {joints}>"
        )

    def _repr_svg_(self) -> str:
        """Return the picture of the world that a notebook shows."""
        return ecs_collide.draw.scene(self).svg()

    # Queries on paths: queries/world_casts.py
    ray_cast = Delegated("_casts", WorldCasts.ray_cast)
    ray_cast_all = Delegated("_casts", WorldCasts.ray_cast_all)
    ray_casts = Delegated("_casts", WorldCasts.ray_casts)
    ray_casts_all = Delegated("_casts", WorldCasts.ray_casts_all)
    shape_cast = Delegated("_casts", WorldCasts.shape_cast)
    shape_cast_all = Delegated("_casts", WorldCasts.shape_cast_all)
    shape_casts = Delegated("_casts", WorldCasts.shape_casts)
    shape_casts_all = Delegated("_casts", WorldCasts.shape_casts_all)

    # Queries at places: queries/world_queries.py
    point_query = Delegated("_queries", WorldQueries.point_query)
    point_queries = Delegated("_queries", WorldQueries.point_queries)
    aabb_query = Delegated("_queries", WorldQueries.aabb_query)
    aabb_queries = Delegated("_queries", WorldQueries.aabb_queries)
    shape_query = Delegated("_queries", WorldQueries.shape_query)
    shape_queries = Delegated("_queries", WorldQueries.shape_queries)
    nearest = Delegated("_queries", WorldQueries.nearest)
    nearest_to_each = Delegated("_queries", WorldQueries.nearest_to_each)

    # Characters: character/character_movement.py
    move_and_slide = Delegated("_characters", CharacterMovement.move_and_slide)
    move_and_slide_all = Delegated("_characters", CharacterMovement.move_and_slide_all)
    move_characters = Delegated("_characters", CharacterMovement.move_characters)

    # What an entity stands on, and whether it has room: api/ground_calls.py
    ground_of = Delegated("_ground", GroundCalls.ground_of)
    fits = Delegated("_ground", GroundCalls.fits)

    # One body: api/body_control.py
    row_of = Delegated("_control", BodyControl.row_of)
    move_to = Delegated("_control", BodyControl.move_to)
    sleep = Delegated("_control", BodyControl.sleep)
    wake = Delegated("_control", BodyControl.wake)
    is_awake = Delegated("_control", BodyControl.is_awake)
    moved = Delegated("_control", BodyControl.moved)
    drop_through = Delegated("_control", BodyControl.drop_through)
    ignore = Delegated("_control", BodyControl.ignore)

    # Forces and impulses: api/pushes.py
    apply_impulse = Delegated("_pushes", Pushes.apply_impulse)
    apply_force = Delegated("_pushes", Pushes.apply_force)
    apply_acceleration = Delegated("_pushes", Pushes.apply_acceleration)
    explode = Delegated("_pushes", Pushes.explode)

    # Places and speeds of points: api/body_places.py
    to_world = Delegated("_places", BodyPlaces.to_world)
    to_local = Delegated("_places", BodyPlaces.to_local)
    center_of_mass_of = Delegated("_places", BodyPlaces.center_of_mass_of)
    velocity_at = Delegated("_places", BodyPlaces.velocity_at)
    aabb_of = Delegated("_places", BodyPlaces.aabb_of)

    # Masses, momenta and energies: api/body_masses.py
    mass_of = Delegated("_masses", BodyMasses.mass_of)
    inertia_of = Delegated("_masses", BodyMasses.inertia_of)
    kinetic_energy = Delegated("_masses", BodyMasses.kinetic_energy)
    momentum = Delegated("_masses", BodyMasses.momentum)
    angular_momentum = Delegated("_masses", BodyMasses.angular_momentum)

    # Contacts and joints of one entity: api/touch_calls.py
    contacts_of = Delegated("_touches", TouchCalls.contacts_of)
    touching = Delegated("_touches", TouchCalls.touching)
    colliding = Delegated("_touches", TouchCalls.colliding)
    joints_of = Delegated("_touches", TouchCalls.joints_of)

    # Poses to draw, and a hash of the state: api/body_views.py
    interpolated_pose = Delegated("_views", BodyViews.interpolated_pose)
    state_hash = Delegated("_views", BodyViews.state_hash)

    # Snapshots: api/snapshot_calls.py
    snapshot = Delegated("_snapshots", SnapshotCalls.snapshot)
    restore = Delegated("_snapshots", SnapshotCalls.restore)

    @property
    def interpolated_poses(self) -> np.ndarray:
        """Pose between the last two steps at which to draw each row's entity [m, m, rad] (n, 3), a copy.

        `fraction` is the place between the two steps. An entity that was put elsewhere since the last step is there
        already. Without `fixed_dt` these are the present poses.
        """
        return self._views.interpolated_poses()

    # All bodies, as numpy views

    @property
    def entities(self) -> np.ndarray:
        """Entity of each row, 0 in a free one (n,)."""
        return self._views.entities

    @property
    def positions(self) -> np.ndarray:
        """Position of each entity's origin [m] (n, 2)."""
        return self._views.poses[:, :2]

    @property
    def angles(self) -> np.ndarray:
        """Angle of each entity [rad] (n,)."""
        return self._views.poses[:, 2]

    @property
    def velocities(self) -> np.ndarray:
        """Velocity of each centre of mass [m/s] (n, 2)."""
        return self._views.velocities[:, :2]

    @property
    def angular_velocities(self) -> np.ndarray:
        """Angular velocity of each body [rad/s] (n,)."""
        return self._views.velocities[:, 2]

    # All pairs, contacts and joints, as numpy views

    @property
    def pairs(self) -> PairView:
        """Candidate pairs as arrays, except pairs of which neither body is awake.

        For a hook before Response, they include the pairs that fast bodies may reach in this step.
        """
        pipeline = self.pipeline
        reachable = pipeline.response.reachable_pairs if find_reachable(pipeline) else None
        return PairView(*([pipeline.pairs] if reachable is None else [pipeline.pairs, reachable]))

    @property
    def contacts(self) -> ContactView:
        """Contacts of this step as arrays, except contacts of which neither body is awake.

        For a hook before Response, they include those that fast bodies may reach in this step.
        """
        return self.pipeline.response.contacts(find_reachable(self.pipeline))

    @property
    def joints(self) -> JointView:
        """Working joints as arrays, with their forces in the last step."""
        return self.pipeline.world_joints.joints.view()

    # Time and settings

    @property
    def dt(self) -> float:
        """Length of the present or last step [s], 0 in a frame without a step."""
        return self.pipeline.dt

    @property
    def time_scale(self) -> float:
        """Factor on the time that `esper.process` gets: 0 is a pause, 0.5 slow motion."""
        return self.pipeline.clock.time_scale

    @time_scale.setter
    def time_scale(self, value: float) -> None:
        self.pipeline.clock.time_scale = non_negative(value, "time_scale")

    @property
    def fraction(self) -> float:
        """Part of the next step that the last frame left over, from 0 to below 1; always 1 without `fixed_dt`."""
        return self.pipeline.clock.fraction

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration of every dynamic body, multiplied by its `gravity_scale` [m/s^2]."""
        return self.settings.gravity

    @gravity.setter
    def gravity(self, value: tuple[float, float]) -> None:
        gravity = vector2(value, "gravity")
        bodies = self.pipeline.bodies
        if gravity != self.settings.gravity:
            bodies.written.update(np.flatnonzero(bodies.arrays.island).tolist())
        self.pipeline.change_settings(self.settings._replace(gravity=gravity))

    @property
    def sleeping(self) -> bool:
        """True if resting bodies may fall asleep. Writing False wakes all bodies."""
        return self.settings.sleeping

    @sleeping.setter
    def sleeping(self, value: bool) -> None:
        is_wanted = flag(value, "sleeping")
        if not is_wanted:
            self.pipeline.sleepers.wake_all()
        self.pipeline.change_settings(self.settings._replace(sleeping=is_wanted))

    @property
    def continuous(self) -> bool:
        """True if fast bodies are stopped at what they would pass through."""
        return self.settings.continuous

    @continuous.setter
    def continuous(self, value: bool) -> None:
        self.pipeline.change_settings(self.settings._replace(continuous=flag(value, "continuous")))

    @property
    def settings(self) -> Settings:
        """Settings that `install` got, and that were changed since."""
        return self.pipeline.settings

    @property
    def statistics(self) -> Statistics:
        """Counts and times of the last step."""
        return self.pipeline.statistics

    @property
    def tolerances(self) -> Tolerances:
        """Lengths and speeds below which values count as equal, at rest or touching."""
        return self.pipeline.tolerances


_SUBSYSTEMS: dict[str, Callable[[PhysicsWorld], object]] = {
    "_runner": lambda world: QueryRunner(world.pipeline),
    "_casts": lambda world: WorldCasts(world._runner),
    "_queries": lambda world: WorldQueries(world._runner),
    "_characters": lambda world: CharacterMovement(world._runner),
    "_control": lambda world: BodyControl(world.pipeline),
    "_pushes": lambda world: Pushes(world.pipeline, world._queries),
    "_places": lambda world: BodyPlaces(world.pipeline),
    "_masses": lambda world: BodyMasses(world.pipeline),
    "_touches": lambda world: TouchCalls(world.pipeline),
    "_views": lambda world: BodyViews(world.pipeline),
    "_snapshots": lambda world: SnapshotCalls(world.pipeline, world._characters),
    "_ground": lambda world: GroundCalls(world.pipeline, world._touches, world._queries, world._characters),
}
"""Makers of the subsystems that only some games use; each is made when it is first used."""


def _advice(name: str, for_writing: bool) -> str:
    """Return the end of an error message about an attribute that does not exist."""
    from ecs_collide.api.install import install

    of_install = arguments_of(install)
    there_are = [each for each in dir(PhysicsWorld) if not each.startswith("_")]
    near = find_similar(name, [*there_are, *of_install], 0.7)
    if near in of_install and near not in there_are and not find_word_here(name):
        return f": {near!r} is an argument of install, and keeps the value given there: ec.install({near}=...)"
    advice = hint(name, there_are)
    if not advice and for_writing:
        return ": keep the game's own values elsewhere, for example in a component"
    return advice
