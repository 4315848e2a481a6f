"""The description of the current esper world for drawing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import esper
import numpy as np

from ecs_collide.api.install import physics as present_physics
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.components import AttachedTo, BodyKind, Collider, RigidBody, Transform, Velocity
from ecs_collide.data.bodies import FILTER, MASS
from ecs_collide.data.pieces import NO_BODY, PIECE
from ecs_collide.draw.camera import ViewBox
from ecs_collide.draw.contact_points import contact_points
from ecs_collide.draw.joint_marks import LIMIT_LENGTH, LIMIT_PIXELS, joint_marks, outward
from ecs_collide.draw.place_shapes import PlacedBodies, place_shapes
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.scene_parts import BodyMarks, ContactMarks, Ghost, JointMarks, Label, Things
from ecs_collide.draw.shape_outline import FAR
from ecs_collide.draw.statistics_text import statistics_lines
from ecs_collide.draw.style import DARK, Colours, Paint, Show, State, Tones, state_tones, tones_of
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.present_pose import pose_on_body

LOOK_AHEAD = 0.1
"""Time whose path shows a velocity [s]."""
SENSORS, SOLIDS = 0, 1
"""Layers of still bodies; those of moving bodies are two higher."""
NO_BOXES = np.zeros((0, 4))
NO_PATHS = np.zeros((0, 2, 2))
NO_POINTS = np.zeros((0, 2))
NO_JOINTS = JointMarks(np.zeros(0, np.int64), NO_PATHS, ())


def physics_of(world: PhysicsWorld | None) -> PhysicsWorld:
    """Return a physics, by default that of the current world; raise TypeError for anything else."""
    if world is None:
        return present_physics()
    if not isinstance(world, PhysicsWorld):
        raise TypeError(f"world must be the physics or a scene, got {world!r}: pass a camera as camera=...")
    return world


def scene(
    physics: PhysicsWorld | None = None,
    show: Show | None = None,
    colours: Colours = DARK,
    *,
    paint: Paint | None = None,
    only: Collection[int] | None = None,
    ghosts: Sequence[Ghost] = (),
    interpolated: bool = True,
    scale: float | None = None,
    y_up: bool | None = None,
    view: tuple[float, float, float, float] | None = None,
) -> Scene:
    """Return a description of the current esper world for drawing.

    Args:
        physics: physics of the current world, if it is at hand.
        show: switches of the parts to show.
        colours: colours of the states of bodies and of everything else.
        paint: function that returns the colour of an entity, or None for the colour of its state.
        only: entities to show; None for all.
        ghosts: shapes without bodies, which are drawn pale and below all bodies that are not.
        interpolated: True for the poses between the last two steps, False for those of the last step.
        scale: pixels to a length unit of the picture, which decides how fine arcs are; None for the finest.
        y_up: True if y points up in pictures; None (default) for up unless gravity points to larger y.
        view: box of the world that pictures show: left, least y, right, largest y [m]; None to fit the bodies.

    Raises PhysicsError if the current esper world has no physics, TypeError if `physics` is something else.
    """
    physics = physics_of(physics)
    show = Show() if show is None else show
    bodies = _collect(physics, show, interpolated, only)
    found = _with_ghosts(bodies, ghosts)
    tones = state_tones(colours)
    tone = found.state.copy()
    layer = 2 * found.is_moving + np.where(found.is_pale, SENSORS, SOLIDS)
    if paint is not None:
        _paint(paint, found, colours, tone, tones)
    outlines = place_shapes(found.groups, PlacedBodies(found.pose, Things(tone, layer, found.entity)), scale)
    unit = physics.settings.length_unit
    return Scene(
        show=show,
        colours=colours,
        y_up=physics.gravity[1] <= 0.0 if y_up is None else y_up,
        tones=tones,
        solids=outlines.solids,
        areas=outlines.areas,
        edges=outlines.edges,
        lines=outlines.lines,
        discs=outlines.discs,
        contacts=_contact_marks(physics, show, only),
        joints=_joint_marks(physics, show, bodies.pose, LIMIT_LENGTH * unit if scale is None else LIMIT_PIXELS / scale),
        marks=_body_marks(physics, show, bodies),
        labels=_labels(show, bodies),
        text=statistics_lines(physics.statistics) if show.statistics else [],
        strokes=[],
        moving_box=outlines.moving_box,
        still_box=outlines.still_box,
        view=None if view is None else ViewBox(*view),
    )


class _Found(NamedTuple):
    """Bodies of a world: those that have a row, in the order of rows, and then others. Row 0 of a free one is empty."""

    entity: np.ndarray
    """Entity, 0 in a free row (n,)."""
    pose: np.ndarray
    """Pose [m, m, rad] (n, 3)."""
    state: np.ndarray
    """`State` (n,) int64."""
    is_moving: np.ndarray
    """True for bodies that are not static (n,) bool."""
    shown: np.ndarray
    """True for bodies that are to be drawn (n,) bool."""
    groups: list[tuple[Shape, np.ndarray]]
    """Each shape, and the rows of the bodies to draw that have it."""

    @property
    def is_pale(self) -> np.ndarray:
        """True for sensors and disabled colliders (n,) bool."""
        pale: np.ndarray = (self.state == State.SENSOR) | (self.state == State.DISABLED)
        return pale


class _NewBody(NamedTuple):
    """A body that the next step will make."""

    entity: int
    pose: tuple[float, float, float]
    """Pose [m, m, rad]."""
    state: int
    """`State`."""
    is_moving: bool


STATE_OF_KIND = np.array([State[kind.name] for kind in BodyKind], np.int64)
"""State of an awake body by its kind."""


def _collect(physics: PhysicsWorld, show: Show, interpolated: bool, only: Collection[int] | None) -> _Found:
    """Return the bodies to draw: those in rows, new ones, and those whose collider is disabled."""
    pipeline = physics.pipeline
    bodies, members = pipeline.bodies.arrays, pipeline.body_sync.members
    entity = physics.entities
    high = len(entity)
    pose = physics.interpolated_poses if interpolated else bodies.pose[:high].copy()
    host = pipeline.bodies.host_rows(np.arange(high))
    kind = bodies.kind[host]
    state = STATE_OF_KIND[kind]
    if show.sleep:
        state[(bodies.island[host] != 0) & (kind == BodyKind.DYNAMIC)] = State.SLEEPING
    state[bodies.filter[:high, FILTER.SENSOR] != 0] = State.SENSOR
    is_moving = kind != BodyKind.STATIC
    groups, others = _groups_of_shapes(members, state)
    if others:
        entity = np.concatenate((entity, [new.entity for new in others]))
        pose = np.concatenate((pose, [new.pose for new in others]))
        state = np.concatenate((state, [new.state for new in others]))
        is_moving = np.concatenate((is_moving, [new.is_moving for new in others]))
    shown = entity != 0
    if only is not None:
        shown &= np.isin(entity, list(only))
    drawn = shown & show.shapes & (show.sensors | (state != State.SENSOR))
    return _Found(
        entity=entity,
        pose=pose,
        state=state,
        is_moving=is_moving,
        shown=shown,
        groups=[(shape, rows[drawn[rows]]) for shape, rows in groups],
    )


def _groups_of_shapes(
    members: Mapping[int, Body], state: np.ndarray
) -> tuple[list[tuple[Shape, np.ndarray]], list[_NewBody]]:
    """Return each shape with the rows of its colliders, and the new bodies, which have the rows behind `state`.

    Writes the state of disabled colliders.
    """
    shapes: dict[int, tuple[Shape, list[int]]] = {}  # by identity, because hashing a shape is slow
    others: list[_NewBody] = []
    for entity, collider in esper.get_component(Collider):
        body, shape = members.get(entity), collider.shape
        if body is not None:
            row, key = body.row, id(shape if body.shape is not shape else body.stored)
            if not collider.enabled:
                state[row] = State.DISABLED
        else:
            pose = _place_before_a_step(entity)
            if pose is None:
                continue
            row, key = len(state) + len(others), id(shape)
            others.append(_NewBody(entity, pose, *_state_before_a_step(entity, collider)))
        shapes.setdefault(key, (shape, []))[1].append(row)
    return [(shape, np.array(rows, np.int64)) for shape, rows in shapes.values()], others


def _with_ghosts(found: _Found, ghosts: Sequence[Ghost]) -> _Found:
    """Return bodies and ghosts; ghosts look like sensors."""
    if not ghosts:
        return found
    first, count = len(found.entity), len(ghosts)
    return _Found(
        entity=np.concatenate((found.entity, [ghost.entity for ghost in ghosts])),
        pose=np.concatenate((found.pose, [ghost.pose for ghost in ghosts])),
        state=np.concatenate((found.state, np.full(count, State.SENSOR))),
        is_moving=np.concatenate((found.is_moving, np.zeros(count, np.bool_))),
        shown=np.concatenate((found.shown, np.ones(count, np.bool_))),
        groups=found.groups + [(ghost.shape, np.array([first + k])) for k, ghost in enumerate(ghosts)],
    )


def _place_before_a_step(entity: int) -> tuple[float, float, float] | None:
    """Return the pose of an entity that has no body yet [m, m, rad]; None if it has no place."""
    attached_to = esper.try_component(entity, AttachedTo)
    host = entity if attached_to is None else attached_to.body
    transform = esper.try_component(host, Transform) if esper.entity_exists(host) else None
    if transform is None or attached_to is None:
        return None if transform is None else transform.pose
    return pose_on_body(transform.pose, attached_to.place)


def _state_before_a_step(entity: int, collider: Collider) -> tuple[int, bool]:
    """Return the state of an entity that has no body yet, and True if it can move."""
    attached_to = esper.try_component(entity, AttachedTo)
    host = entity if attached_to is None else attached_to.body
    body = esper.try_component(host, RigidBody)
    if body is not None:
        kind = body.kind
    else:
        kind = BodyKind.DYNAMIC if esper.has_component(host, Velocity) else BodyKind.STATIC
    if not collider.enabled:
        return State.DISABLED, kind is not BodyKind.STATIC
    return State.SENSOR if collider.sensor else int(STATE_OF_KIND[kind]), kind is not BodyKind.STATIC


def _paint(paint: Paint, found: _Found, colours: Colours, tone: np.ndarray, tones: list[Tones]) -> None:
    """Replace the tones of entities that `paint` gives a colour; append these to `tones`."""
    places: dict[Tones, int] = {}
    for row in np.flatnonzero(found.shown & (found.entity != 0)).tolist():
        colour = paint(int(found.entity[row]))
        if colour is not None:
            its = tones_of(colour, bool(found.is_pale[row]), colours.background)
            tone[row] = places.setdefault(its, len(tones))
            if tone[row] == len(tones):
                tones.append(its)


def _contact_marks(physics: PhysicsWorld, show: Show, only: Collection[int] | None) -> ContactMarks:
    """Return the points of all contacts, those between sleeping bodies included."""
    if not (show.contacts or show.normals or show.impulses):
        return ContactMarks(NO_POINTS, NO_POINTS, np.zeros(0))
    found = contact_points(physics)
    chosen = np.ones(len(found.impulse), np.bool_) if only is None else np.isin(found.entities, list(only)).any(axis=1)
    return ContactMarks(found.point[chosen], found.normal[chosen], found.impulse[chosen])


def _joint_marks(physics: PhysicsWorld, show: Show, poses: np.ndarray, radius: float) -> JointMarks:
    """Return the joints that work, if the world has any."""
    joints = physics.pipeline.world_joints.find() if show.joints or show.limits else None
    if joints is None:
        return NO_JOINTS
    rows = np.array([row for _, row in joints.rows], np.int64)
    return joint_marks(joints.columns.arrays, rows, poses, radius, show.limits)


def _body_marks(physics: PhysicsWorld, show: Show, found: _Found) -> BodyMarks:
    """Return boxes, velocities, axes and centres, as far as they are shown."""
    pipeline = physics.pipeline
    bodies, pieces = pipeline.bodies.arrays, pipeline.pieces.arrays
    boxes, paths, centers = NO_BOXES, NO_PATHS, NO_POINTS
    if show.bounds:
        owner = pieces.index[: pipeline.pieces.rows.high, PIECE.COLLIDER]
        boxes = pieces.box[: len(owner)][owner != NO_BODY]
        owner = owner[owner != NO_BODY]
        boxes = np.clip(boxes[found.shown[owner]], -FAR, FAR)
    if show.velocities or show.centers:
        rows = np.flatnonzero(found.shown[: len(physics.entities)] & found.is_moving[: len(physics.entities)])
        rows = np.setdiff1d(rows, pipeline.bodies.attached.collider)
        local = bodies.mass[rows][:, [MASS.LOCAL_X, MASS.LOCAL_Y]]
        centers = outward(found.pose[rows], local)
        if show.velocities:
            ahead = LOOK_AHEAD * physics.settings.time_unit * bodies.velocity[rows, :2]
            paths = np.stack((centers, centers + ahead), axis=1)
    return BodyMarks(
        boxes=boxes,
        paths=paths,
        axes=found.pose[found.shown] if show.axes else np.zeros((0, 3)),
        centers=centers if show.centers else NO_POINTS,
    )


def _labels(show: Show, found: _Found) -> list[Label]:
    """Return the text at each entity."""
    if not show.labels:
        return []
    text = str if show.labels is True else show.labels
    rows = np.flatnonzero(found.shown)
    labels = [
        Label(x, y, text(entity))
        for entity, (x, y, _) in zip(found.entity[rows].tolist(), found.pose[rows].tolist(), strict=True)
    ]
    return [label for label in labels if label.text]
