"""Attached colliders: which body each belongs to, and the masses of bodies with attached colliders.

An attached collider is a `Body` without a motion of its own. It has a row for its filter, material and place, and its
pieces belong to the row of its `host`. Changes of a body and of the colliders attached to it are carried out together,
because the centre of mass depends on all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from ecs_collide.components.attached_to import AttachedTo
from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.components.described import shorten_repr
from ecs_collide.components.view import classes_of
from ecs_collide.data.bodies import FRAME, MASS, VELOCITY, AttachedRows, Bodies, attached_rows
from ecs_collide.data.host_names import HostNames
from ecs_collide.data.shape_store import GEOMETRY, Geometry, geometry_of
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import mass
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_table import BodyTable
from ecs_collide.step.sync.changed_entities import Change
from ecs_collide.step.sync.component_columns import NUMBERS
from ecs_collide.step.sync.component_set import ComponentSet
from ecs_collide.step.sync.fill_bodies import HAS_ATTACHED, IS_SEVERAL
from ecs_collide.step.sync.held_kinds import any_held
from ecs_collide.validate import Vector2

ORIGIN = 0.0, 0.0
NO_MOVE = 0.0, 0.0, 0.0


class Attachments:
    """The entities with an `AttachedTo`, whether their bodies exist or not."""

    state_list = list_state(groups="_attached_to")

    def __init__(self, hosts: HostNames) -> None:
        self._hosts = hosts
        """The `AttachedTo.body` of each of these entities."""
        self._attached_to: dict[int, set[int]] = {}
        """The entities that name each body."""

    def concern_changes(self) -> bool:
        """Return True if an entity of the current esper world is attached, or was at the last change."""
        return bool(self._hosts.now) or any_held(classes_of(AttachedTo))

    def widen(self, change: Change, known: Mapping[int, ComponentSet]) -> Change:
        """Return a change with all entities of the bodies that it concerns, in order of their ids."""
        bodies = set[int]()
        for entity, components in change.components.items():
            bodies.update((entity, self._hosts.body_of(entity)))
            if components.attached_to is not None:
                bodies.add(components.attached_to.body)
        concerned = {entity for body in bodies for entity in (body, *self._attached_to.get(body, ()))}
        more = {entity: known[entity] for entity in concerned - change.components.keys() if entity in known}
        return Change(dict(sorted((change.components | more).items()))) if more else change

    def record(self, change: Change) -> None:
        """Record the entities of a change that has been carried out."""
        for entity, components in change.components.items():
            body = None if components.attached_to is None else components.attached_to.body
            former = self._hosts.put(entity, body)
            if former is not None:
                self._attached_to[former].discard(entity)
                if not self._attached_to[former]:
                    del self._attached_to[former]
            if components.attached_to is not None and body is not None:
                components.attached_to._worked_with = body
                self._attached_to.setdefault(body, set()).add(entity)

    def rows(self, members: Mapping[int, Body], before: AttachedRows) -> AttachedRows:
        """Return the rows of the attached colliders that have a body, in the order of the entities.

        If there are as many as before, the former arrays are filled, so that prepared calls stay valid.
        """
        attached = [members[entity] for entity in sorted(self._hosts.now) if entity in members]
        rows = attached_rows(
            [each.row for each in attached], [each.host.row for each in attached], [each.place for each in attached]
        )
        if len(rows.collider) != len(before.collider):
            return rows
        for column, new in zip(before, rows, strict=True):
            column[:] = new
        return before


def with_hosts(table: BodyTable, members: Mapping[int, Body]) -> tuple[BodyTable, dict[int, mass.MassProperties]]:
    """Connect attached colliders with their bodies; return the table without lost colliders, and the sums of masses.

    A collider is lost if its body was removed: one that it was attached to, or one of `members`, the bodies before this
    change. `compose_masses` describes the sums. Raises PhysicsError for a collider that cannot be attached.
    """
    of_entity = {body.entity: body for body in table.bodies}
    is_kept = np.ones(len(table.bodies), np.bool_)
    for number, attached in enumerate(table.bodies):
        attached_to = attached.components.attached_to
        if attached_to is None:
            continue
        host = of_entity.get(attached_to.body)
        if host is None and (attached_to._worked_with == attached_to.body or attached_to.body in members):
            is_kept[number] = False
            continue
        attached.host = _checked_host(attached, attached_to, host)
        attached.host.attached += (attached,)
    kept = table.where(is_kept)
    return kept, compose_masses(kept.bodies, kept.numbers)


def _checked_host(attached: Body, attached_to: AttachedTo, host: Body | None) -> Body:
    """Return the body of an attached collider. Raises PhysicsError if it cannot be that."""
    what = f"entity {attached.entity}: its AttachedTo.body is entity {attached_to.body}, which"
    if host is attached:
        raise PhysicsError(f"{what} is itself: name the entity of another body")
    if host is None:
        raise PhysicsError(
            f"{what} has no body in this world: give that a Transform, and a Collider, Velocity or RigidBody"
        )
    if host.components.attached_to is not None:
        raise PhysicsError(
            f"{what} is attached to entity {host.components.attached_to.body}: attach both to a body that is not "
            "attached"
        )
    assert attached.shape is not None, "read_components has checked it"
    if host.kind is DYNAMIC and not attached.shape.is_bounded:
        raise PhysicsError(
            f"entity {attached.entity}: its Collider.shape is unbounded, so it cannot be attached to entity "
            f"{host.entity}, which is dynamic: {shorten_repr(attached.shape)}"
        )
    return host


def compose_masses(bodies: Sequence[Body], numbers: np.ndarray) -> dict[int, mass.MassProperties]:
    """Set the centres of mass of bodies with attached colliders; return their sums of masses by their places.

    Attached colliders get the centre of their body, and their one-way directions are turned into its axes in `numbers`.
    Bodies whose colliders have no mass keep their own and get no entry; so do static ones.
    """
    sums: dict[int, mass.MassProperties] = {}
    place_of = {body.entity: number for number, body in enumerate(bodies)}
    for number, host in enumerate(bodies):
        if not host.attached:
            continue
        with np.errstate(all="ignore"):
            total = _sum_of_masses(host)
            center = (host.center_of_mass or total.centroid) if total is not None else _own_center(host)
        if total is not None:
            sums[number], host.center_of_mass = total, center
        for attached in host.attached:
            attached.center_of_mass = center
            row = numbers[place_of[attached.entity]]
            x, y = row[NUMBERS.ONE_WAY : NUMBERS.SURFACE].tolist()
            cosine, sine = cosine_and_sine(attached.place[2])
            row[NUMBERS.ONE_WAY : NUMBERS.SURFACE] = cosine * x - sine * y, sine * x + cosine * y
    return sums


def _own_center(host: Body) -> Vector2:
    """Return the centre of mass of a body without attached colliders, in its axes from its origin [m]."""
    if host.center_of_mass is not None:
        return host.center_of_mass
    if host.stored_form is None:
        return ORIGIN
    geometry = geometry_of(host.stored_form)
    return geometry[GEOMETRY.CENTROID_X], geometry[GEOMETRY.CENTROID_Y]


def _sum_of_masses(host: Body) -> mass.MassProperties | None:
    """Return mass [kg], centre [m] and inertia [kg m^2] of a body with its attached colliders, in place of an area's.

    Returns None if no attached collider has a mass, or if none counts because the body is static or unbounded.
    """
    if host.kind is STATIC or (host.shape is not None and not host.shape.is_bounded):
        return None
    weights = [weight for each in host.attached if (weight := _weight_of(each, each.place)) is not None]
    if not weights:
        return None
    own = _weight_of(host, NO_MOVE)
    return mass.combine(weights if own is None else [own, *weights])


def _weight_of(body: Body, place: tuple[float, float, float]) -> mass.MassProperties | None:
    """Return mass, centre and inertia of a collider at a place; None for an attached sensor or without a mass."""
    collider = body.components.collider
    if collider is None or body.shape is None or (body.host is not body and collider.sensor):
        return None
    area, second_moment, *centroid = geometry_of(body.shape)
    weight, inertia = collider.density * area, collider.density * second_moment
    if not (isfinite(weight) and weight > 0.0):
        return None
    x, y, angle = place
    own = mass.MassProperties(weight, (centroid[0], centroid[1]), inertia)
    return mass.translated(mass.rotated(own, angle), (x, y))


def geometry_of_masses(host: Body, total: mass.MassProperties) -> Geometry:
    """Return the geometry of a body of density 1 with a total mass and inertia."""
    assert host.center_of_mass is not None, "`compose_masses` has set it"
    return total.area, total.second_moment, *host.center_of_mass


def state_with_attached(body: Body) -> int:
    """Return the state of a body with attached colliders for `fill_bodies`: that it has these, and several pieces."""
    colliders = [(each, each.components.collider) for each in body.attached]
    solid = [each for each, collider in colliders if collider is not None and not collider.sensor]
    count = sum(len(each.stored.forms) for each in (body, *solid) if each.stored is not None)
    return HAS_ATTACHED | (IS_SEVERAL if count > 1 else 0)


def changing_hosts(
    bodies: Sequence[Body], members: Mapping[int, Body], columns: Bodies
) -> list[tuple[Body, list[float]]]:
    """Return the bodies of a change whose attached colliders may change, with their centres of mass before it [m].

    Bodies with another Velocity than before are left out. Reads body_mass.
    """
    centers = columns.mass[:, MASS.LOCAL_X : MASS.LOCAL_Y + 1]
    formers = [(body, members.get(body.entity)) for body in bodies]
    return [
        (body, centers[body.row].tolist())
        for body, former in formers
        if former is not None
        and former.row == body.row
        and (body.attached or former.attached)
        and body.components.velocity is former.components.velocity
    ]


def keep_point_velocities(hosts: Sequence[tuple[Body, Sequence[float]]], bodies: Bodies) -> None:
    """Write the velocities of new centres of mass, so that all points of the bodies keep their velocities.

    Each comes with its former centre in its axes [m]. Reads body_mass, body_frame. Writes body_velocity.
    """
    for body, (x, y) in hosts:
        velocity, frame, row = bodies.velocity[body.row], bodies.frame[body.row], bodies.mass[body.row]
        along, across = row[MASS.LOCAL_X] - x, row[MASS.LOCAL_Y] - y
        shift_x = frame[FRAME.COS] * along - frame[FRAME.SIN] * across
        shift_y = frame[FRAME.SIN] * along + frame[FRAME.COS] * across
        velocity[VELOCITY.X] -= velocity[VELOCITY.ANGULAR] * shift_y
        velocity[VELOCITY.Y] += velocity[VELOCITY.ANGULAR] * shift_x
