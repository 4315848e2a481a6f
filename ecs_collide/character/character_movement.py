"""`move_and_slide`: a game moves characters itself, and they stop at obstacles and slide along them.

All calls share one path: they fill the rows of `Characters`, one kernel moves these, and the results are read from the
rows. A single character is a batch of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.character import (
    character_rows as of_character,
    loads as of_loads,
    shoves as of_shoves,
    slide_result as results,
)
from ecs_collide.character.character_memory import CharacterMemory
from ecs_collide.character.rules import MAX_SLOPE, RuleArguments, RuleReader
from ecs_collide.character.slide_all import slide_all
from ecs_collide.character.strength import Strength, checked_strength
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.body_kind import STATIC
from ecs_collide.components.character_controller import Up
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.row_lists import each_once
from ecs_collide.errors import PhysicsError
from ecs_collide.queries.candidates import LoadedPiece, Scene
from ecs_collide.queries.query_filter import QueryFilter
from ecs_collide.queries.query_runner import QueryRunner, Where
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.validate import Vector2, non_negative, number_rows, vector2

if TYPE_CHECKING:
    from ecs_collide.components import CharacterController

SKIN = 1e-7
"""Depth by which a character enters an obstacle before it is put back [length units in a metre]."""


class CharacterMovement:
    """Moves characters among the entities of a world."""

    __slots__ = (
        "_loaded",
        "_loads",
        "_own",
        "_own_pieces",
        "_pipeline",
        "_placed",
        "_row_of_one",
        "_rules",
        "_runner",
        "_shoves",
        "memory",
    )

    def __init__(self, runner: QueryRunner) -> None:
        """Make the movement of characters, which finds obstacles through the queries' runner."""
        self._runner = runner
        self._pipeline = runner.pipeline
        self._loaded = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, CONTOUR.WIDTH)))
        self._placed = np.zeros((0, CONTOUR.WIDTH))
        self.memory = CharacterMemory()
        """Floors and riders of all characters."""
        self._rules = RuleReader(runner.pipeline)
        self._loads: of_loads.CharacterLoads | None = None
        """Loads of characters on dynamic bodies, made for the first character."""
        self._shoves: of_shoves.CharacterShoves | None = None
        """Shoves of dynamic bodies, made for the first character."""
        self._row_of_one: of_character.Characters | None = None
        """Rows for a single character, made for the first one."""
        self._own_pieces: list[int] = []
        """Pieces of the characters that were moved last, of which `_own` is the array: most games move them again."""
        self._own = np.zeros(0, np.int64)
        self._pipeline.body_sync.dependents.add_characters(self)

    def forget(self, rows: list[int], entities: set[int]) -> None:
        """Drop what is kept of removed bodies, by rows or by entities: new bodies may get both in the same step."""
        self.memory.forget(rows)
        for kept in (self._loads, self._shoves):
            if kept is not None:
                kept.forget(entities)

    def move_and_slide(
        self,
        entity: int,
        velocity: Vector2,
        dt: float,
        *,
        up: Up = "gravity",
        max_slope: float = MAX_SLOPE,
        step_height: float = 0.0,
        snap: float | None = None,
        drop_through: bool = False,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        where: Where | None = None,
        mass: float | None = None,
        push_force: float | None = None,
        brace_force: float | None = None,
    ) -> results.Slide:
        """Move an entity at a velocity [m/s] for a time [s], sliding along obstacles, and return the result.

        Obstacles are all static, kinematic and dynamic entities that are not sensors and whose filters agree with those
        of the entity. The entity slides along their surfaces and loses the part of its velocity into them. At no speed
        does it pass through one.

        A surface flatter than `max_slope` [rad] is a floor. A steeper one is a wall, which does not lift the entity. On
        a floor, unless the entity jumps, only the part of the velocity across `up` counts. The entity moves along the
        floor at that speed, and the result holds that part. So the part along `up` is a jump or a fall, and an entity
        without a velocity stays in place, also on a turning floor.

        From a floor the entity climbs steps of up to `step_height` [m]. Unless it rises, it follows the floor down by
        up to `snap` [m], 0.1 m times `length_unit` by default. The floor carries it, also by its `surface_speed`:
        `velocity` and, while the entity stands, the velocity of the result are relative to the floor.

        A `one_way` collider is an obstacle for an entity that comes from its solid side and is outside it. With
        `drop_through` the entity falls through.

        `up` points away from the ground. By default it is the direction against gravity, and (0, 1) in a world without
        gravity: a game with a gravity of its own whose y points down gives (0, -1). With `up=None` the game is seen
        from above, and every surface is a wall.

        It bears with the weight of `mass` [kg] on a dynamic floor, and pushes dynamic bodies that it runs into by up to
        `push_force` [N], no faster than it goes. It withstands a dynamic body that runs into it with up to
        `brace_force` [N]; a stronger one shoves it away, up to the next obstacle. By default the mass is that of the
        RigidBody, or else the density of the collider times its area, and both forces are its weight. A `mass` or
        `push_force` of 0 switches that off, and with a `brace_force` of inf nothing shoves it.

        `mask`, `ignore` and `where` leave out obstacles as in queries. Kinematic obstacles are met where they will be
        after a step of `dt`, so call this before `esper.process`. The entity should be kinematic and without a
        velocity, or else the step moves it as well. Its angle stays.

        Raises PhysicsError if the entity has no shape or an unbounded one, and during a step.
        """
        # `where` may move another character.
        rows = self._rows_for_one() if where is None else of_character.characters_for(1)
        self._fill(rows, 0, velocity, RuleArguments(up, max_slope, step_height, snap, drop_through, mask))
        strength = (checked_strength(mass, push_force, brace_force),)
        self._move((entity,), rows, dt, strength, ignore, where)
        return results.slide_of(rows)

    def move_and_slide_all(
        self,
        entities: Iterable[int],
        velocities: np.typing.ArrayLike,
        dt: float,
        *,
        up: Up = "gravity",
        max_slope: float = MAX_SLOPE,
        step_height: float = 0.0,
        snap: float | None = None,
        drop_through: bool = False,
        mask: int = ALL_LAYERS,
        mass: float | None = None,
        push_force: float | None = None,
        brace_force: float | None = None,
    ) -> results.Slides:
        """Move many entities, one after the other as listed, as `move_and_slide` does; velocities are (n, 2) [m/s]."""
        moving = list(entities)
        wanted = number_rows(velocities, "velocities", 2)
        if len(wanted) != len(moving):
            raise ValueError(f"entities and velocities must be equally many, got {len(moving)} and {len(wanted)}")
        rows = of_character.characters_for(len(moving))
        rules = self._rules.read(RuleArguments(up, max_slope, step_height, snap, drop_through, mask))
        rows.request[:, : of_character.REQUEST.UP_X] = wanted
        rows.request[:, of_character.REQUEST.UP_X :] = rules.request
        rows.drops_through[:], rows.mask[:] = rules.drops_through, rules.mask
        self._move(moving, rows, dt, (checked_strength(mass, push_force, brace_force),))
        return results.slides_of(rows)

    def move_characters(self, held: list[tuple[int, CharacterController]], dt: float) -> None:
        """Move entities as their `CharacterController`s say, and write the results to these."""
        rows, strengths = of_character.characters_for(len(held)), []
        for k, (entity, character) in enumerate(held):
            rules = RuleArguments(
                character.up,
                character.max_slope,
                character.step_height,
                character.snap,
                character.drop_through,
                character.mask,
            )
            try:
                self._fill(rows, k, character.velocity, rules)
                strengths.append(checked_strength(character.mass, character.push_force, character.brace_force))
            except (TypeError, ValueError) as error:
                raise type(error)(f"entity {entity}: CharacterController.{error}") from None
        self._move([entity for entity, _ in held], rows, dt, strengths)
        columns = zip(*(column.tolist() for column in results.slides_of(rows)[1:]))
        for (_, character), (velocity, on_floor, on_wall, on_ceiling, floor, floor_velocity, _) in zip(held, columns):
            character.velocity, character.floor_velocity = tuple(velocity), tuple(floor_velocity)
            character.on_floor, character.on_wall, character.on_ceiling = on_floor, on_wall, on_ceiling
            character.floor = floor or None

    def loads_of_world(self) -> of_loads.CharacterLoads:
        """Return the loads of characters on dynamic bodies."""
        if self._loads is None:
            self._loads = of_loads.CharacterLoads(self._pipeline)
        return self._loads

    def shoves_of_world(self) -> of_shoves.CharacterShoves:
        """Return the shoves of characters by bodies."""
        if self._shoves is None:
            self._shoves = of_shoves.CharacterShoves(self._pipeline)
        return self._shoves

    def _rows_for_one(self) -> of_character.Characters:
        if self._row_of_one is None:
            self._row_of_one = of_character.characters_for(1)
        return self._row_of_one

    def _fill(self, rows: of_character.Characters, k: int, velocity: Vector2, arguments: RuleArguments) -> None:
        """Write the request of a character to its row. Raises TypeError or ValueError, naming the argument."""
        rules = self._rules.read(arguments)
        rows.request[k] = (*vector2(velocity, "velocity"), *rules.request)
        rows.drops_through[k], rows.mask[k] = rules.drops_through, rules.mask

    def _move(
        self,
        entities: Sequence[int],
        rows: of_character.Characters,
        dt: float,
        strengths: Sequence[Strength],
        ignore: Iterable[int] = (),
        where: Where | None = None,
    ) -> None:
        """Move entities one after the other, and write the results to their rows.

        `strengths` holds one for each entity, or one for all. If the game's function refuses an obstacle, all entities
        return to their places and move again without it.
        """
        pipeline, memory = self._pipeline, self.memory
        pipeline.usage_warnings.moves_characters = True
        bodies, time = pipeline.bodies, non_negative(dt, "dt")
        with self._runner.begin(ALL_LAYERS, None, ignore, False, where) as filters:
            shoves = self._shoves or self.shoves_of_world()
            shoved = shoves.begin(entities, rows, strengths, memory.arrays, time)
            while True:
                rows, own = self._write_bodies(entities, rows)
                pipeline.foresee(time)
                before = (bodies.arrays.pose.copy(), memory.copy()) if filters.has_predicate else None
                if pipeline.is_before_step:
                    pipeline.interpolation.move(each_once(rows.listed))
                self._slide(rows, own, time, self._scene_for(rows, filters))
                self._mark_statics(rows)
                if before is None or not _hide_refused(rows, filters):
                    break
                bodies.arrays.pose[:] = before[0]
                memory.restore(before[1])
        if shoved:
            shoves.end(shoved, rows, time)
        self.loads_of_world().act(entities, rows, strengths, time)

    def _scene_for(self, rows: of_character.Characters, filters: QueryFilter) -> Scene:
        """Return the scene in which characters move, and mark the bodies that the kernel will move as written.

        The scene lists written bodies. It need not list a single character, because no other one looks for it.
        """
        teleported = self._pipeline.bodies.teleported
        if len(rows.listed) == 1:
            scene = self._runner.scene.update(filters.arrays)
            teleported.add(rows.body.item(0))
            return scene
        teleported.mark(each_once(rows.listed))
        return self._runner.scene.update(filters.arrays)

    def _mark_statics(self, rows: of_character.Characters) -> None:
        """Mark the static bodies among the characters as moved, for the next step; their frames are up to date."""
        bodies, listed = self._pipeline.bodies, rows.listed
        if len(listed) == 1 and bodies.arrays.kind.item(rows.body.item(0)) != STATIC:
            return
        moved = each_once(listed)
        bodies.moved_statics.mark(moved[bodies.arrays.kind[moved] == STATIC])

    def _body(self, entity: int) -> Body:
        """Return the body of a character. Raises PhysicsError if it cannot be moved."""
        if self._pipeline.is_under_way:
            raise PhysicsError(
                f"entity {entity} cannot be moved as a character during a step: move it before esper.process"
            )
        member = self._pipeline.body_sync.members.get(entity)
        if member is not None and member.host is not member:
            raise PhysicsError(
                f"entity {entity} is attached to entity {member.host.entity}, which moves it: move that body"
            )
        if member is None or not member.pieces:
            raise PhysicsError(f"entity {entity} has no shape to move: it needs a Transform and a Collider")
        if member.shape is not None and not member.shape.is_bounded:
            raise PhysicsError(
                f"entity {entity} has an unbounded shape, which cannot move: give its Collider a bounded one"
            )
        self._pipeline.usage_warnings.check_character(member)
        return member

    def _write_bodies(
        self, entities: Sequence[int], rows: of_character.Characters
    ) -> tuple[of_character.Characters, np.ndarray]:
        """Write the bodies of characters to their rows; return the rows, and the pieces of one after the other.

        The rows list those that stand on the characters as well, with their pieces.
        """
        own: list[int] = []
        for k, entity in enumerate(entities):
            member = self._body(entity)
            own += member.pieces
            rows.body[k], rows.start[k + 1] = member.row, len(own)
        memory = self.memory
        memory.make_room(len(self._pipeline.bodies.arrays.kind))
        memory.arrays.now[0] = self._pipeline.statistics.steps
        if memory.arrays.rider_count.item():
            riders = [rider for row in rows.body.tolist() for rider in memory.riders_of(row)]
            if riders:
                rows = self._with_riders(rows, riders, own)
        if own != self._own_pieces:
            self._own, self._own_pieces = np.array(own, np.int64), own
        return rows, self._own

    def _with_riders(self, rows: of_character.Characters, riders: list[int], own: list[int]) -> of_character.Characters:
        """Return the rows with a list of riders as well, whose pieces are added to `own`."""
        members, entity = self._pipeline.body_sync.members, self._pipeline.bodies.arrays.entity
        starts = rows.start[: len(rows.body) + 1].tolist()
        for rider in riders:
            own += members[entity.item(rider)].pieces
            starts.append(len(own))
        listed = np.array([*rows.body.tolist(), *riders], np.int64)
        return rows._replace(start=np.array(starts, np.int64), listed=listed)

    def _slide(self, rows: of_character.Characters, own: np.ndarray, dt: float, scene: Scene) -> None:
        """Move characters as their rows request, and write the results to the rows."""
        longest = self._pipeline.pieces.longest
        if len(self._loaded.rows) < longest:
            self._loaded = self._loaded._replace(rows=np.zeros((longest, CONTOUR.WIDTH)))
            self._placed = np.zeros((longest, CONTOUR.WIDTH))
        skin, mobile = SKIN * self._pipeline.settings.length_unit, self._pipeline.body_sync.mobile
        slide_all(rows, own, dt, skin, mobile, scene, self.memory.arrays, self._loaded, self._placed)


def _hide_refused(rows: of_character.Characters, filters: QueryFilter) -> bool:
    """Hide the obstacles and floors of characters that the game's function refuses; return True if there are any."""
    counts = rows.state[:, of_character.STATE.HIT_COUNT].tolist()
    met = [rows.hit_body[k, :count] for k, count in enumerate(counts)]
    return filters.hide_refused(np.concatenate((*met, rows.state[:, of_character.STATE.FLOOR])))
