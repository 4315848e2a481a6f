"""A platformer with a CharacterController: a crate, stairs, a seesaw, a porter that carries the player, and a lift.

Play it yourself in a window.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

RADIUS, HALF_HEIGHT = 0.35, 0.75
WALK_SPEED, JUMP_SPEED, GRAVITY = 4.0, 9.0, 20.0
PLAYER_MASS, PORTER_MASS, CRATE_MASS = 70.0, 120.0, 60.0
START = (1.5, HALF_HEIGHT)
PIT, PIT_WIDTH = 4.4, 1.4
"""Left side and width of the pit [m], which the crate fills."""
RISER, TREAD, STEPS, STAIRS = 0.3, 0.5, 5, 7.0
SEESAW, SEESAW_LENGTH, MOST_TILT = (13.5, RISER * STEPS - 0.1), 4.8, 0.3
PORTER_SIZE, PORTER_SPEED, PORTER_END = (0.8, 1.0), 2.5, 24.8
LIFT_X, LIFT_SPEED, LEDGE = 21.2, 1.8, 4.5
"""Middle of the lift [m], its speed [m/s], and the height to which it goes [m]."""
SHELVES = ((25.8, 6.3), (28.0, 7.8))
"""Middles of the one-way platforms [m]."""
STONE, WOOD, BLUE, RED, GOLD = (74, 96, 88), (206, 158, 98), (92, 170, 220), (236, 112, 96), (244, 208, 92)


@dataclass
class Player:
    """Inputs of a character that walks."""

    walk: float = 0.0
    """Speed to the right [m/s]."""
    jump: bool = False


class Walk(ec.systems.BeforeStep):
    """The system that converts inputs into velocity, and adds gravity."""

    def before_step(self, dt: float) -> None:
        for _, (player, control) in esper.get_components(Player, ec.CharacterController):
            jumps = player.jump and control.on_floor
            control.velocity = player.walk, JUMP_SPEED if jumps else control.velocity[1] - GRAVITY * dt


class Platformer(Demo):
    """The demo of a platformer."""

    view = View(0.0, -2.0, 31.0, 11.5)
    frames = 900
    keys_help = "arrows or A/D to walk, space to jump"

    def setup(self) -> None:
        physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.add_processor(Walk(physics), priority=110)
        esper.add_processor(ec.systems.MoveCharacters(physics), priority=100)
        ec.on("sensor_enter", self.on_sensor)
        self._make_ground()
        self.crate = esper.create_entity(
            ec.Transform(3.2, 0.5),
            ec.Velocity(),
            ec.RigidBody(mass=CRATE_MASS, lock_rotation=True),
            ec.Collider(ec.Box(1.0, 1.0), friction=0.4),
            Paint(WOOD, label="crate"),
        )
        self.seesaw = esper.create_entity(
            ec.Transform(*SEESAW),
            ec.Velocity(),
            ec.RigidBody(mass=30.0, angular_damping=1.0),
            ec.Collider(ec.Box(SEESAW_LENGTH, 0.2)),
            Paint(WOOD),
        )
        esper.create_entity(ec.RevoluteJoint(self.seesaw, lower=-MOST_TILT, upper=MOST_TILT))
        self.lift = esper.create_entity(
            ec.Transform(LIFT_X, -0.2),
            ec.Velocity(),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Box(2.4, 0.4)),
            Paint(BLUE, label="lift"),
        )
        body = ec.Capsule((0, RADIUS - HALF_HEIGHT), (0, HALF_HEIGHT - RADIUS), RADIUS)
        self.player = self._make_character(body, START, PLAYER_MASS, Paint(RED, trail=0.8))
        self.porter = self._make_character(
            ec.Box(*PORTER_SIZE), (17.5, 0.5 * PORTER_SIZE[1]), PORTER_MASS, Paint(GOLD, label="porter")
        )
        self.goal = esper.create_entity(
            ec.Transform(28.7, 8.8), ec.Collider(ec.Box(0.9, 2.0), sensor=True), Paint(GOLD, label="goal")
        )
        self.reached = False
        self.tilts: list[float] = []
        """Angles of the seesaw while the player stood on it [rad]."""
        self.off_stairs = 0
        """Frames for which the player was off the floor on the stairs."""
        self.boarded = 0.0
        """Place of the player along x, from that of the porter, when it came onto it [m]."""
        self.stack_slip = 0.0
        """Greatest way by which the player slipped on the porter [m]."""
        self.rode = 0.0
        """Height to which the lift took the player on the porter [m]."""
        self.plan = self._plan()

    def _make_ground(self) -> None:
        right = PIT + PIT_WIDTH
        lift_left, lift_right = LIFT_X - 1.25, LIFT_X + 1.25
        stones = [(-1.0, PIT, 0.0), (PIT, right, -1.0), (right, lift_left, 0.0), (lift_left, lift_right, -0.4)]
        stones += [(STAIRS + TREAD * k, 11.0, RISER * (k + 1)) for k in range(STEPS)]
        stones += [(lift_right, 32.0, LEDGE)]
        for left, end, high in stones:
            place = ec.Transform(0.5 * (left + end), 0.5 * (high - 3.0))
            esper.create_entity(place, ec.Collider(ec.Box(end - left, high + 3.0), friction=0.4), Paint(STONE))
        pier = ec.Polygon([(-0.5, -SEESAW[1]), (0.5, -SEESAW[1]), (0.0, -0.1)])
        esper.create_entity(ec.Transform(*SEESAW), ec.Collider(pier), Paint(STONE))
        for x in (-0.5, 31.5):
            esper.create_entity(ec.Transform(x, 6.0), ec.Collider(ec.Box(1.0, 20.0)))
        shelf = ec.Box(2.4, 0.2)
        self.shelves = [
            esper.create_entity(ec.Transform(x, y - 0.1), ec.Collider(shelf, one_way=(0.0, 1.0)), Paint(WOOD))
            for x, y in SHELVES
        ]

    def _make_character(self, shape: ec.Shape, place: tuple[float, float], mass: float, paint: Paint) -> int:
        return esper.create_entity(
            ec.Transform(*place),
            ec.Velocity(),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(shape, friction=0.0),
            ec.CharacterController(step_height=0.35, mass=mass),
            Player(),
            paint,
        )

    def on_sensor(self, sensor: int, entity: int) -> None:
        self.reached |= (sensor, entity) == (self.goal, self.player)

    def control_of(self, entity: int) -> ec.CharacterController:
        """Return the controller of a character, with its floor."""
        return esper.component_for_entity(entity, ec.CharacterController)

    def steer(self, keys: Keys) -> None:
        player = esper.component_for_entity(self.player, Player)
        player.walk, player.jump = keys.walk * WALK_SPEED, keys.jump
        self._move_porter_and_lift()

    def _move_porter_and_lift(self) -> None:
        """Let the porter carry the player to the right, and the lift carry whoever stands on it up."""
        height = esper.component_for_entity(self.lift, ec.Transform).y + 0.2
        is_used = self.lift in (self.control_of(self.player).floor, self.control_of(self.porter).floor)
        motion = esper.component_for_entity(self.lift, ec.Velocity)
        motion.y = max(-height * 60.0, min((LEDGE - height) * 60.0, LIFT_SPEED if is_used else -LIFT_SPEED))
        x = esper.component_for_entity(self.porter, ec.Transform).x
        waits = abs(x - LIFT_X) < 0.1 and height < LEDGE - 1e-6
        carries = self.control_of(self.player).floor == self.porter
        walks = carries and x < PORTER_END and not waits
        esper.component_for_entity(self.porter, Player).walk = PORTER_SPEED if walks else 0.0

    def script(self, frame: int) -> None:
        self._measure()
        self.steer(next(self.plan, Keys()))

    def _measure(self) -> None:
        """Measure what the last step did."""
        me = esper.component_for_entity(self.player, ec.Transform)
        control = self.control_of(self.player)
        if STAIRS - 1.0 < me.x < 10.0 and not control.on_floor:
            self.off_stairs += 1
        if control.floor == self.seesaw:
            self.tilts.append(esper.component_for_entity(self.seesaw, ec.Transform).angle)
        if control.floor == self.porter:
            porter = esper.component_for_entity(self.porter, ec.Transform)
            above = 0.5 * PORTER_SIZE[1] + HALF_HEIGHT
            slip = max(abs(me.x - porter.x - self.boarded), abs(me.y - porter.y - above))
            self.stack_slip = max(self.stack_slip, slip)
            self.rode = max(self.rode, porter.y - 0.5 * PORTER_SIZE[1])
        else:
            self.boarded = me.x - esper.component_for_entity(self.porter, ec.Transform).x

    def _plan(self) -> Iterator[Keys]:
        """Yield the inputs of the scripted player, one for each step."""
        me = esper.component_for_entity(self.player, ec.Transform)
        porter = esper.component_for_entity(self.porter, ec.Transform)
        while me.x < 16.3:  # push the crate into the pit, climb the stairs, cross the seesaw
            yield Keys(1.0)
        while self.control_of(self.player).floor != self.porter:
            yield Keys(float(me.x < porter.x), jump=True)
        while porter.x < PORTER_END:  # ride on the porter, and with it on the lift
            yield Keys()
        for shelf, (x, _) in zip(self.shelves, SHELVES, strict=True):  # up through the platforms
            while self.control_of(self.player).floor != shelf:
                yield Keys(float(me.x < x - 0.6), jump=True)
        while not self.reached:
            yield Keys(1.0)

    def check(self) -> str:
        crate = esper.component_for_entity(self.crate, ec.Transform)
        expect(abs(crate.y + 0.5) < 0.01, f"the crate does not fill the pit: {crate}")
        expect(self.off_stairs == 0, f"the player was off the floor of the stairs for {self.off_stairs} frames")
        least, most = min(self.tilts, default=0.0), max(self.tilts, default=0.0)
        expect(least < -0.25 and most > 0.25, f"the seesaw tilted from {least:.2f} to {most:.2f} only")
        expect(self.rode > LEDGE - 0.01, f"the lift took the two up to {self.rode:.2f} m only")
        expect(self.stack_slip < 1e-6, f"the player slipped by {self.stack_slip:.1e} m on the porter")
        floor = self.control_of(self.player).floor
        expect(self.reached, "the player did not reach the goal")
        expect(floor == self.shelves[1], f"the player stands on {floor}, not on the upper platform")
        return (
            f"the crate filled the pit, the seesaw tilted from {least:.2f} to {most:.2f} rad, the porter and the lift "
            f"carried the player up to {self.rode:.1f} m (slip {1e9 * self.stack_slip:.1f} nm), "
            "and the player reached the goal"
        )


DEMO = Platformer
