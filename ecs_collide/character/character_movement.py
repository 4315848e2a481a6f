"""`move_and_slide`: a game moves characters itself, and they stop at walls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, pi
from operator import is_
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ecs_collide.character import character_rows as of_character, slide_result as answers
from ecs_collide.character.slide import slide_all
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.collider import checked_mask
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.row_lists import each_once
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.queries.candidates import LoadedPiece, Scene
from ecs_collide.queries.query_filter import Audience
from ecs_collide.queries.query_runner import Where
from ecs_collide.queries.world_queries import Questions
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.validate import Vector2, finite, flag, non_negative, number_rows, vector2

if TYPE_CHECKING:
    from ecs_collide.components import CharacterController

SKIN = 1e-7
"""How deep a character is in what it runs into, before it is put back [length units in a metre]."""
SNAP = 0.1
"""How far a character follows the ground downwards if not told otherwise [the same]."""
MAX_SLOPE = pi / 4.0
STEEPEST = pi / 2.0 - 1e-3


Rules: TypeAlias = tuple[float, float, float, float, float, float]
"""What `ground.Rules` holds, and 1 where it falls through what is one-way."""

UNASKED = (object(),) * 5
"""No rules."""


class Walking(Questions):
    """Moves characters among the entities of a world."""

    __slots__ = ("_asked", "_kept_row", "_placed", "_room", "_rules_asked")

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__(pipeline)
        self._room = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, CONTOUR.WIDTH)))
        self._placed = np.zeros((0, CONTOUR.WIDTH))
        self._asked: tuple[object, ...] = UNASKED
        self._rules_asked: Rules = (0.0,) * 6
        """The arguments that rules were last asked for with, and these rules."""
        self._kept_row: of_character.Characters | None = None

    @property
    def _alone(self) -> of_character.Characters:
        """Room for one character, made for the first one."""
        if self._kept_row is None:
            self._kept_row = of_character.characters_for(1)
        return self._kept_row

    def move_and_slide(
        self,
        entity: int,
        velocity: Vector2,
        dt: float,
        *,
        up: Vector2 | None = (0.0, 1.0),
        max_slope: float = MAX_SLOPE,
        step_height: float = 0.0,
        snap: float | None = None,
        drop_through: bool = False,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        where: Where | None = None,
    ) -> answers.Slide:
        """Move an entity at a velocity [m/s] for a time [s], along whatever is in its way; return how it fared.

        It stops at every entity that is no sensor and whose filters agree with its own, static, kinematic or dynamic,
        and slides along its surface: the part of the velocity into that is lost. Nothing is passed through at any
        speed. What is flatter than `max_slope` [rad] is a floor; what is steeper is a wall and does not lift it. On a
        floor that it does not jump off, only its velocity across `up` counts: it goes along the floor as fast as that,
        up or down, without one it stays where it is, also on what turns, and that is what is returned. So the part
        along `up` is a jump, or a fall. From a floor it goes up steps of up to `step_height` [m], and unless it rises
        it follows the ground down by up to `snap` [m], 0.1 m times `length_unit` if not given. It is carried by what it
        stands on: `velocity` is seen from that, and so is the one returned while it stands.

        What is `one_way` stops it where it comes from the side to which that is solid, and not in the middle of it;
        with `drop_through` it falls through. What it stands on carries it, also at a `surface_speed`.

        With `up=None` it is seen from above: everything is a wall that it slides along.

        `mask`, `ignore` and `where` leave entities out as in questions. Kinematic ones are met where they will be after
        a step of `dt`, so call it before `esper.process`. The entity should be kinematic and without a velocity, else
        the step moves it too. Its angle stays. Raises PhysicsError where it has no shape, or one without end, and in
        the middle of a step.
        """
        wish = (*vector2(velocity, "velocity"), *self._rules(up, max_slope, step_height, snap, drop_through))
        layers = checked_mask(mask, "mask")
        with self._ask_to_walk(ignore, where) as audience:
            bodies, rows = self.pipeline.bodies, self._alone
            while True:
                own = self._enlist((entity,), rows)
                rows.wish[0], rows.mask[0] = wish, layers
                row = rows.body.item(0)
                start = bodies.arrays.pose[row].tolist() if audience.is_choosy else ()
                scene = self._whereabouts.look(audience.question)
                bodies.touched.add(row)
                self._slide(rows, own, dt, scene)
                on_floor, on_wall, on_ceiling, floor, count = rows.state[0].tolist()
                x, y, vx, vy, floor_x, floor_y = rows.outcome[0].tolist()
                met, hits = (rows.hit_body[0, :count].tolist(), rows.hit[0, :count].tolist()) if count else ((), ())
                if not audience.is_choosy or not audience.hide_refused(np.array([*met, floor], np.int64)):
                    break
                bodies.arrays.pose[row] = start
        return answers.Slide(
            (x, y),
            (vx, vy),
            bool(on_floor),
            bool(on_wall),
            bool(on_ceiling),
            floor or None,
            (floor_x, floor_y),
            tuple([answers.SlideHit(other, t, (nx + 0.0, ny + 0.0)) for other, (t, nx, ny) in zip(met, hits)]),
        )

    def move_and_slide_all(
        self,
        entities: Iterable[int],
        velocities: np.typing.ArrayLike,
        dt: float,
        *,
        up: Vector2 | None = (0.0, 1.0),
        max_slope: float = MAX_SLOPE,
        step_height: float = 0.0,
        snap: float | None = None,
        drop_through: bool = False,
        mask: int = ALL_LAYERS,
    ) -> answers.Slides:
        """`move_and_slide` for many entities at once, with velocities (n, 2) [m/s]: one after the other, as listed."""
        movers = list(entities)
        wanted = number_rows(velocities, "velocities", 2)
        if len(wanted) != len(movers):
            raise ValueError(f"entities and velocities must be equally many, got {len(movers)} and {len(wanted)}")
        rows = of_character.characters_for(len(movers))
        rows.wish[:, : of_character.UP_X] = wanted
        rows.wish[:, of_character.UP_X :] = self._rules(up, max_slope, step_height, snap, drop_through)
        rows.mask[:] = checked_mask(mask, "mask")
        return self._slide_many(movers, rows, dt)

    def move_characters(self, held: list[tuple[int, CharacterController]], dt: float) -> None:
        """Move entities as their `CharacterController`s say, and tell these how it went."""
        ways = of_character.characters_for(len(held))
        for k, (entity, character) in enumerate(held):
            try:
                rules = self._rules(
                    character.up, character.max_slope, character.step_height, character.snap, character.drop_through
                )
                ways.wish[k] = *vector2(character.velocity, "velocity"), *rules
                ways.mask[k] = checked_mask(character.mask, "mask")
            except (TypeError, ValueError) as error:
                raise type(error)(f"entity {entity}: CharacterController.{error}") from None
        slides = self._slide_many([entity for entity, _ in held], ways, dt)
        rows = zip(*(column.tolist() for column in slides[1:]))
        for (_, character), (velocity, on_floor, on_wall, on_ceiling, floor, floor_velocity) in zip(held, rows):
            character.velocity, character.floor_velocity = tuple(velocity), tuple(floor_velocity)
            character.on_floor, character.on_wall, character.on_ceiling = on_floor, on_wall, on_ceiling
            character.floor = floor or None

    def _slide_many(self, entities: list[int], rows: of_character.Characters, dt: float) -> answers.Slides:
        """Move characters that have their own ways."""
        with self._ask_to_walk((), None) as audience:
            own = self._enlist(entities, rows)
            self.pipeline.bodies.touched.mark(each_once(rows.body))
            self._slide(rows, own, dt, self._whereabouts.look(audience.question))
        outcome, state = rows.outcome, rows.state
        on_floor, on_wall, on_ceiling = state[:, : of_character.ON_CEILING + 1].astype(np.bool_).T
        return answers.Slides(
            outcome[:, : of_character.OUT_X],
            outcome[:, of_character.OUT_X : of_character.FLOOR_X],
            on_floor,
            on_wall,
            on_ceiling,
            state[:, of_character.FLOOR],
            outcome[:, of_character.FLOOR_X :],
        )

    def _ask_to_walk(self, ignore: Iterable[int], where: Where | None) -> Audience:
        """Begin to move characters, with all that the game has changed."""
        self.pipeline.advice.moves_characters = True
        return self._ask(ALL_LAYERS, ignore, False, where)

    def _rules(
        self, up: Vector2 | None, max_slope: float, step_height: float, snap: float | None, drop_through: bool
    ) -> Rules:
        """The rules that arguments stand for; most games ask for the same ones again and again.

        Raises TypeError or ValueError, naming the argument, for what is no good.
        """
        asked = up, max_slope, step_height, snap, drop_through
        if not all(map(is_, asked, self._asked)):
            self._rules_asked = self._checked_rules(*asked)
            self._asked = asked if up is None or type(up) is tuple else UNASKED  # what is no tuple may be changed
        return self._rules_asked

    def _checked_rules(
        self, up: Vector2 | None, max_slope: float, step_height: float, snap: float | None, drop_through: bool
    ) -> Rules:
        """The same for other arguments than last time."""
        if up is None:
            return 0.0, 0.0, 1.0, 0.0, 0.0, float(flag(drop_through, "drop_through"))  # no normal points up that far
        up_x, up_y = vector2(up, "up")
        size = hypot(up_x, up_y)
        if size == 0.0:
            raise ValueError("up must not be (0, 0)")
        if not 0.0 <= finite(max_slope, "max_slope") <= STEEPEST:
            raise ValueError(f"max_slope must lie between 0 and a little less than a right angle, got {max_slope}")
        reach = SNAP * self.pipeline.settings.length_unit if snap is None else non_negative(snap, "snap")
        least_up = cosine_and_sine(max_slope)[0] - 1e-9  # what is exactly as steep is a floor
        height, drops = non_negative(step_height, "step_height"), float(flag(drop_through, "drop_through"))
        return up_x / size, up_y / size, least_up, height, reach, drops

    def _walker(self, entity: int) -> Body:
        """A character. Raises PhysicsError where it cannot be one."""
        if self.pipeline.is_under_way:
            raise PhysicsError("a character cannot be moved in the middle of a step: do it before esper.process")
        member = self.pipeline.membership.members.get(entity)
        if member is None or not member.pieces:
            raise PhysicsError(f"entity {entity} has no shape to move: it needs a Transform and a Collider")
        if member.shape is not None and not member.shape.is_bounded:
            raise PhysicsError(f"entity {entity} has a shape without end, which cannot be moved")
        self.pipeline.advice.on_walk(member)
        return member

    def _enlist(self, entities: Sequence[int], rows: of_character.Characters) -> np.ndarray:
        """Write down who moves; return the pieces of one after the other."""
        own: list[int] = []
        for k, entity in enumerate(entities):
            member = self._walker(entity)
            own += member.pieces
            rows.body[k], rows.start[k + 1] = member.row, len(own)
        return np.array(own, np.int64)

    def _slide(self, rows: of_character.Characters, own: np.ndarray, dt: float, scene: Scene) -> None:
        """Move characters as their rows wish, and write there how they fared, see `Characters`."""
        time, longest = non_negative(dt, "dt"), self.pipeline.pieces.longest
        if len(self._room.rows) < longest:
            self._room = self._room._replace(rows=np.zeros((longest, CONTOUR.WIDTH)))
            self._placed = np.zeros((longest, CONTOUR.WIDTH))
        skin, movers = SKIN * self.pipeline.settings.length_unit, self.pipeline.membership.movers
        slide_all(rows, own, time, skin, movers, scene, self._room, self._placed)
