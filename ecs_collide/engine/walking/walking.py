"""`move_and_slide`: a game moves characters itself, and they stop at walls."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.columns import pieces as of_piece
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.character_controller import CharacterController
from ecs_collide.components.collider import checked_mask
from ecs_collide.contours.contour import ROW_WIDTH
from ecs_collide.engine.broadphase.finder import FIRST_UNBOUNDED
from ecs_collide.engine.pipeline import Pipeline
from ecs_collide.engine.queries.asked import LoadedPiece
from ecs_collide.engine.queries.questions import Questions, Where
from ecs_collide.engine.walking import slide
from ecs_collide.engine.walking.answers import Slide, SlideHit, Slides
from ecs_collide.errors import PhysicsError
from ecs_collide.validate import Vector2, finite, flag, non_negative, number_rows, vector2

SKIN = 1e-7
"""How deep a character is in what it runs into, before it is put back [length units in a metre]."""
SNAP = 0.1
"""How far a character follows the ground downwards if not told otherwise [the same]."""
MAX_SLOPE = pi / 4.0
STEEPEST = pi / 2.0 - 1e-3


class Ways(NamedTuple):
    """How some characters move: rows of `slide.slide_all`."""

    wish: np.ndarray
    masks: np.ndarray


class Walking(Questions):
    """Moves characters among the entities of a world."""

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__(pipeline)
        self._room = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, ROW_WIDTH)))

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
    ) -> Slide:
        """Move an entity at a velocity [m/s] for a time [s], along whatever is in its way; return how it fared.

        It stops at every entity that is no sensor and whose filters agree with its own, static, kinematic or dynamic,
        and slides along its surface: the part of the velocity into that is lost. Nothing is passed through at any
        speed. What is flatter than `max_slope` [rad] is a floor, on which it stays where it is without a velocity
        across `up`; what is steeper is a wall and does not lift it. From a floor it goes up steps of up to
        `step_height` [m], and unless it rises it follows the ground down by up to `snap` [m], 0.1 m times
        `length_unit` if not given. It shares the velocity of what it stands on: `velocity` is seen from that, and so is
        the one returned while it stands.

        What is `one_way` stops it where it comes from the side to which that is solid, and not in the middle of it;
        with `drop_through` it falls through. What it stands on carries it, also at a `surface_speed`.

        With `up=None` it is seen from above: everything is a wall that it slides along.

        `mask`, `ignore` and `where` leave entities out as in questions. Kinematic ones are met where they will be after
        a step of `dt`, so call it before `esper.process`. The entity should be kinematic and without a velocity, else
        the step moves it too. Its angle stays. Raises PhysicsError where it has no shape, or one without end, and in
        the middle of a step.
        """
        ways = self._ways(
            np.array([vector2(velocity, "velocity")]),
            *self._rules(up, max_slope, step_height, snap, drop_through),
            mask,
        )
        self.pipeline.bring_in()
        row = self._walker(entity)
        start = self.pipeline.bodies.arrays.pose[row].tolist()
        with self._ask(ALL_LAYERS, ignore, False, where) as audience:
            while True:
                outcome, state, hit_body, hit = self._slide([entity], ways, dt)
                count = int(state[0, slide.HIT_COUNT])
                met = np.append(hit_body[0, :count], state[0, slide.FLOOR])
                if not audience.hide_refused(met):
                    break
                self.pipeline.bodies.arrays.pose[row] = start
        hits = zip(hit_body[0, :count].tolist(), hit[0, :count].tolist())
        x, y, _ = self.pipeline.bodies.arrays.pose[row].tolist()
        vx, vy, floor_x, floor_y = outcome[0].tolist()
        on_floor, on_wall, on_ceiling, floor, _ = state[0].tolist()
        return Slide(
            (x, y),
            (vx, vy),
            bool(on_floor),
            bool(on_wall),
            bool(on_ceiling),
            floor or None,
            (floor_x, floor_y),
            tuple(SlideHit(other, t, (nx + 0.0, ny + 0.0)) for other, (t, nx, ny) in hits),
        )

    def move_and_slide_all(
        self,
        entities: Iterable[int],
        velocities: ArrayLike,
        dt: float,
        *,
        up: Vector2 | None = (0.0, 1.0),
        max_slope: float = MAX_SLOPE,
        step_height: float = 0.0,
        snap: float | None = None,
        drop_through: bool = False,
        mask: int = ALL_LAYERS,
    ) -> Slides:
        """`move_and_slide` for many entities at once, with velocities (n, 2) [m/s]: one after the other, as listed."""
        movers = list(entities)
        wanted = number_rows(velocities, "velocities", 2)
        if len(wanted) != len(movers):
            raise ValueError(f"entities and velocities must be equally many, got {len(movers)} and {len(wanted)}")
        return self._slide_many(
            movers, self._ways(wanted, *self._rules(up, max_slope, step_height, snap, drop_through), mask), dt
        )

    def move_characters(self, held: list[tuple[int, CharacterController]], dt: float) -> None:
        """Move entities as their `CharacterController`s say, and tell these how it went."""
        ways = Ways(np.empty((len(held), slide.WISH_WIDTH)), np.empty(len(held), np.int64))
        for k, (entity, character) in enumerate(held):
            try:
                rules = self._rules(
                    character.up, character.max_slope, character.step_height, character.snap, character.drop_through
                )
                ways.wish[k] = *vector2(character.velocity, "velocity"), *rules
                ways.masks[k] = checked_mask(character.mask, "mask")
            except (TypeError, ValueError) as error:
                raise type(error)(f"entity {entity}: CharacterController.{error}") from None
        slides = self._slide_many([entity for entity, _ in held], ways, dt)
        rows = zip(*(column.tolist() for column in slides[1:]))
        for (_, character), (velocity, on_floor, on_wall, on_ceiling, floor, floor_velocity) in zip(held, rows):
            character.velocity, character.floor_velocity = tuple(velocity), tuple(floor_velocity)
            character.on_floor, character.on_wall, character.on_ceiling = on_floor, on_wall, on_ceiling
            character.floor = floor or None

    def _slide_many(self, entities: list[int], ways: Ways, dt: float) -> Slides:
        """Move characters that have their own ways."""
        self.pipeline.bring_in()
        with self._ask(ALL_LAYERS, (), False, None):
            outcome, state, _, _ = self._slide(entities, ways, dt)
        rows = [self.pipeline.membership.members[entity].row for entity in entities]
        on_floor, on_wall, on_ceiling = state[:, : slide.ON_CEILING + 1].astype(np.bool_).T
        return Slides(
            self.pipeline.bodies.arrays.pose[rows, :2],
            outcome[:, : slide.OUT_Y + 1],
            on_floor,
            on_wall,
            on_ceiling,
            state[:, slide.FLOOR],
            outcome[:, slide.FLOOR_X :],
        )

    def _rules(
        self, up: Vector2 | None, max_slope: float, step_height: float, snap: float | None, drop_through: bool
    ) -> tuple[float, float, float, float, float, float]:
        """What `slide.Rules` holds, and whether it falls through what is one-way.

        Raises TypeError or ValueError, naming the argument, for what is no good.
        """
        if up is None:
            return 0.0, 0.0, 1.0, 0.0, 0.0, float(flag(drop_through, "drop_through"))  # no normal points up that far
        up_x, up_y = vector2(up, "up")
        size = hypot(up_x, up_y)
        if size == 0.0:
            raise ValueError("up must not be (0, 0)")
        if not 0.0 <= finite(max_slope, "max_slope") <= STEEPEST:
            raise ValueError(f"max_slope must lie between 0 and a little less than a right angle, got {max_slope}")
        reach = SNAP * self.pipeline.settings.length_unit if snap is None else non_negative(snap, "snap")
        least_up = cos(max_slope) - 1e-9  # what is exactly as steep is a floor
        height, drops = non_negative(step_height, "step_height"), float(flag(drop_through, "drop_through"))
        return up_x / size, up_y / size, least_up, height, reach, drops

    def _ways(
        self,
        velocities: np.ndarray,
        up_x: float,
        up_y: float,
        least_up: float,
        step_height: float,
        snap: float,
        drops: float,
        mask: int,
    ) -> Ways:
        """The same way for all."""
        wish = np.empty((len(velocities), slide.WISH_WIDTH))
        wish[:, : slide.WISH_Y + 1] = velocities
        wish[:, slide.UP_X :] = up_x, up_y, least_up, step_height, snap, drops
        return Ways(wish, np.full(len(velocities), checked_mask(mask, "mask")))

    def _walker(self, entity: int) -> int:
        """The row of a character. Raises PhysicsError where it cannot be one."""
        if self.pipeline.is_under_way:
            raise PhysicsError("a character cannot be moved in the middle of a step: do it before esper.process")
        member = self.pipeline.membership.members.get(entity)
        if member is None or not member.pieces:
            raise PhysicsError(f"entity {entity} has no shape to move: it needs a Transform and a Collider")
        index = self.pipeline.pieces.arrays.index
        if any(index.item(piece, of_piece.KIND) >= FIRST_UNBOUNDED for piece in member.pieces):
            raise PhysicsError(f"entity {entity} has a shape without end, which cannot be moved")
        return member.row

    def _slide(
        self, entities: list[int], ways: Ways, dt: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Move characters; return the outcome, the state, whom they hit and where, see `slide.slide_all`."""
        time, members = non_negative(dt, "dt"), self.pipeline.membership.members
        rows = [self._walker(entity) for entity in entities]
        self.pipeline.bodies.touched.update(rows)
        scene = self._whereabouts.look(self._audience.question)
        pieces = [members[entity].pieces for entity in entities]
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(own) for own in pieces], out=starts[1:])
        if len(self._room.rows) < self.pipeline.pieces.longest:
            self._room = self._room._replace(rows=np.zeros((self.pipeline.pieces.longest, ROW_WIDTH)))
        outcome, state = np.zeros((len(rows), 4)), np.zeros((len(rows), slide.STATE_WIDTH), np.int64)
        hit_body = np.zeros((len(rows), slide.MOST_HITS), np.int64)
        hit = np.zeros((len(rows), slide.MOST_HITS, 3))
        skin = SKIN * self.pipeline.settings.length_unit
        own = np.array([piece for own in pieces for piece in own], np.int64)
        slide.slide_all(
            np.array(rows, np.int64), ways.masks, starts, own, ways.wish, time, skin, self.pipeline.membership.movers,
            scene, self._room, np.empty_like(self._room.rows), outcome, state, hit_body, hit,
        )  # fmt: skip
        self._audience.forget_filter()
        return outcome, state, hit_body, hit
