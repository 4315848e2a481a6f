"""A small game with rectangles and a loop over all of them, and the game with the plugin: gems, walls, a guard.

The game has components of its own, in pixels from the top left corner. `Rectangles` is its whole collision code;
`use_plugin` replaces it, and the rest stays unchanged. Both versions receive the same keys and must give equal results.
"""

from __future__ import annotations

from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

WALL, PLAYER, GEM, GUARD = 1, 2, 4, 8
SPEED = 180.0
"""Speed of the player [pixels/s]."""

ROUTE = ((110, 1, 0), (60, 0, 1), (95, 1, 0), (80, 0, -1), (50, 1, 1), (150, -1, 0), (45, 0, 1))
"""Directions that the player holds down, and numbers of frames, y down."""

WALLS = (
    (0, 0, 640, 16),
    (0, 384, 640, 16),
    (0, 0, 16, 400),
    (624, 0, 16, 400),
    (300, 16, 16, 170),
    (420, 220, 16, 164),
)
GEMS = ((120, 60), (230, 60), (284, 190), (360, 240), (404, 60), (500, 120), (240, 204), (560, 330))


@dataclass
class Place:
    """A rectangle given by its top left corner [pixels], y down."""

    x: float
    y: float
    w: float
    h: float


@dataclass
class Heading:
    """Velocity [pixels/s]."""

    dx: float = 0.0
    dy: float = 0.0


@dataclass
class Piece:
    """Kind of a piece: WALL, PLAYER, GEM or GUARD."""

    kind: int


class Game:
    """The game: it creates the pieces in the current esper world and keeps the score."""

    def __init__(self) -> None:
        self.collected: list[int] = []
        """Numbers of the gems that the player has, in order."""
        self.caught = 0
        """Number of times that the guard has caught the player."""
        for x, y, w, h in WALLS:
            esper.create_entity(Place(x, y, w, h), Piece(WALL), Paint((84, 92, 120)))
        self.gems = [esper.create_entity(Place(x, y, 14, 14), Piece(GEM), Paint((244, 208, 92))) for x, y in GEMS]
        self.guard = esper.create_entity(
            Place(60, 215, 24, 24), Heading(120.0, 0.0), Piece(GUARD), Paint((236, 112, 96))
        )
        self.player = esper.create_entity(Place(40, 50, 20, 28), Heading(), Piece(PLAYER), Paint((120, 200, 236)))

    def hold(self, right: float, down: float) -> None:
        """Move the player in the direction of the keys."""
        heading = esper.component_for_entity(self.player, Heading)
        heading.dx, heading.dy = SPEED * right, SPEED * down

    def meet(self, other: int) -> None:
        """Handle a meeting of the player with a gem or the guard."""
        if other == self.guard:
            self.caught += 1
        elif other in self.gems:
            self.collected.append(self.gems.index(other))
            esper.delete_entity(other)


class Rectangles(esper.Processor):
    """The collision code without the plugin: move, and compare every two rectangles."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.overlapping: set[int] = set()

    def process(self, dt: float) -> None:
        walls = [place for _, (place, piece) in esper.get_components(Place, Piece) if piece.kind == WALL]
        for _, (place, heading) in esper.get_components(Place, Heading):
            place.x += heading.dx * dt
            for wall in walls:
                if overlap(place, wall):
                    place.x = wall.x - place.w if heading.dx > 0.0 else wall.x + wall.w
                    heading.dx = -heading.dx
            place.y += heading.dy * dt
            for wall in walls:
                if overlap(place, wall):
                    place.y = wall.y - place.h if heading.dy > 0.0 else wall.y + wall.h
        mine = esper.component_for_entity(self.game.player, Place)
        touched = {
            entity
            for entity, (place, piece) in esper.get_components(Place, Piece)
            if piece.kind in (GEM, GUARD) and overlap(mine, place)
        }
        for entity in sorted(touched - self.overlapping):
            self.game.meet(entity)
        self.overlapping = touched


def overlap(a: Place, b: Place) -> bool:
    """Return True if two rectangles overlap, as `colliderect` of pygame does."""
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


def use_plugin(game: Game) -> None:
    """Use the plugin: each piece gets a collider, walls push, and events report meetings."""
    ec.install(
        length_unit=32.0,
        transform=ec.bind(Place, size=("w", "h"), y_down=True),
        velocity=ec.bind(Heading, x="dx", y="dy", y_down=True),
    )
    for entity, (place, piece) in esper.get_components(Place, Piece):
        bounce = 1.0 if piece.kind == GUARD else 0.0
        esper.add_component(
            entity,
            ec.Collider(
                ec.Box(place.w, place.h),
                friction=0.0,
                restitution=bounce,
                layer=piece.kind,
                sensor=piece.kind == GEM,
                sensor_mask=PLAYER if piece.kind == GUARD else 0,
            ),
        )
        if piece.kind in (PLAYER, GUARD):
            esper.add_component(entity, ec.RigidBody(lock_rotation=True))
    ec.on("sensor_enter", lambda sensor, entity: game.meet(sensor) if entity == game.player else None)


def keys_at(frame: int) -> tuple[float, float]:
    """Return the direction that the player holds down in a frame of the script."""
    for frames, right, down in ROUTE:
        if frame < frames:
            return right, down
        frame -= frames
    return 0.0, 0.0


class Gems(Demo):
    """The demo of the game with gems."""

    view = View(0.0, -400.0, 640.0, 0.0)
    frames = sum(frames for frames, _, _ in ROUTE)
    keys_help = "arrows to walk, space to go down"

    def setup(self) -> None:
        self.game = Game()
        use_plugin(self.game)

    def script(self, frame: int) -> None:
        self.game.hold(*keys_at(frame))

    def steer(self, keys: Keys) -> None:
        self.game.hold(keys.walk, 1.0 if keys.jump else -1.0 if keys.walk == 0.0 else 0.0)

    def note(self) -> str:
        return f"gems {len(self.game.collected)}   caught {self.game.caught}"

    def check(self) -> str:
        ours = esper.component_for_entity(self.game.player, Place)
        home = esper.current_world
        esper.switch_world(f"{home} with rectangles")
        before = Game()
        esper.add_processor(Rectangles(before))
        for frame in range(self.frames):
            before.hold(*keys_at(frame))
            esper.process(DT)
        theirs = esper.component_for_entity(before.player, Place)
        esper.switch_world(home)
        away = abs(ours.x - theirs.x) + abs(ours.y - theirs.y)
        expect(before.caught > 0, "the guard has not caught the player with rectangles")
        expect(self.game.collected == before.collected, f"{self.game.collected} gems, not {before.collected}")
        expect(self.game.caught == before.caught, f"caught {self.game.caught} times, not {before.caught}")
        expect(away < 4.0, f"the player ends {away:.1f} pixels away from where it did with rectangles")
        return (
            f"{len(self.game.collected)} gems, caught {self.game.caught} times, and {away:.1f} pixels away from where "
            "the player ends with rectangles"
        )


DEMO = Gems
