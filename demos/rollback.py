"""Two clients whose inputs arrive late: each predicts the other's, rolls back and plays again, and they stay in step.

Each client has a world of its own, the left and the right half of the picture, in which two players push crates. A
client knows its own input at once. That of the other player arrives five to nine frames later. Until then the client
plays on with the last input that it knows. When the true one arrives and differs, the client restores the snapshot of
that frame and plays the frames since then again. As soon as both clients know all inputs of a frame, their worlds of
that frame are the same to the last bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Demo, Paint, View, expect

PLAYERS: tuple[Colour, Colour] = ((236, 112, 96), (88, 176, 224))
CRATE: Colour = (200, 174, 120)
WALL: Colour = (70, 76, 92)
HALF = 5.0
"""Half width and half height of the room [m]."""
APART = 11.0
"""Distance of the two pictures [m]."""
LATEST = 9
"""Greatest number of frames that an input is under way."""
PUSH = 30.0
"""Force of a player [N]."""

Input = tuple[int, int]
"""Direction that a player pushes to, -1, 0 or 1 along x and y."""


class Message(NamedTuple):
    """An input on its way to the other client."""

    arrival: int
    frame: int
    pushed: Input


@contextmanager
def inside(world: str) -> Iterator[None]:
    """Make another esper world the current one for a while."""
    outside = esper.current_world
    esper.switch_world(world)
    try:
        yield
    finally:
        esper.switch_world(outside)


class Client:
    """A player's computer: its own world, the inputs that it knows, and a snapshot before each of the last frames."""

    def __init__(self, world: str, number: int) -> None:
        self.world = world
        self.number = number
        self.inputs: list[dict[int, Input]] = [{}, {}]
        """Known inputs of each player, by frame."""
        self.guesses: dict[int, Input] = {}
        """Inputs of the other player that were played without being known."""
        self.messages: deque[Message] = deque()
        self.snapshots: dict[int, ec.Snapshot] = {}
        self.hashes: dict[int, str] = {}
        """Hash of the world after each frame, of the last time that it was played."""
        self.replayed = 0
        with inside(world):
            self.physics = ec.install()
            self.players = room()

    def known(self) -> int:
        """Return the number of frames of which this client knows all inputs."""
        frame = 0
        while all(frame in its for its in self.inputs):
            frame += 1
        return frame

    def receive(self, now: int) -> None:
        """Take in the inputs that have arrived; play again from the first frame that was guessed wrong."""
        other, wrong = 1 - self.number, []
        while self.messages and self.messages[0].arrival <= now:
            message = self.messages.popleft()
            self.inputs[other][message.frame] = message.pushed
            if self.guesses.pop(message.frame, message.pushed) != message.pushed:
                wrong.append(message.frame)
        if wrong:
            self.go_back_to(min(wrong), now)

    def go_back_to(self, first: int, now: int) -> None:
        """Restore the world before a frame, and play the frames up to the present one again."""
        self.physics.restore(self.snapshots[first])
        for frame in range(first, now):
            self.play(frame)
        self.replayed += now - first

    def play(self, frame: int) -> None:
        """Play a frame with the inputs that are known, and with the last one known in place of those that are not."""
        self.snapshots[frame] = self.physics.snapshot()
        self.snapshots.pop(frame - 2 * LATEST, None)
        with inside(self.world):
            for number, player in enumerate(self.players):
                x, y = self._input(number, frame)
                self.physics.apply_force(player, (PUSH * x, PUSH * y))
            esper.process(DT)
        self.hashes[frame] = self.physics.state_hash()

    def _input(self, number: int, frame: int) -> Input:
        its = self.inputs[number]
        if frame in its:
            return its[frame]
        earlier = [known for known in its if known < frame]
        guess = its[max(earlier)] if earlier else (0, 0)
        self.guesses[frame] = guess
        return guess


def room() -> list[int]:
    """Create walls, crates and two players in the current esper world; return the players."""
    for x, y, width, height in ((0, -1, 2, 0), (0, 1, 2, 0), (-1, 0, 0, 2), (1, 0, 0, 2)):
        size = (width * HALF + 0.2, height * HALF + 0.2)
        esper.create_entity(ec.Transform(x * HALF, y * HALF), ec.Collider(ec.Box(*size), friction=0.1), Paint(WALL))
    for k in range(16):
        place = ec.Transform(1.2 * (k % 4) - 1.8, 1.2 * (k // 4) - 1.8, 0.1 * k)
        shape = ec.Box(0.8, 0.8) if k % 3 else ec.Circle(0.45)
        esper.create_entity(place, ec.Velocity(), ec.Collider(shape, density=0.5), damped(), Paint(CRATE))
    return [
        esper.create_entity(ec.Transform(x, x), ec.Velocity(), ec.Collider(ec.Circle(0.5)), damped(), Paint(colour))
        for x, colour in zip((-4.0, 4.0), PLAYERS, strict=True)
    ]


def damped() -> ec.RigidBody:
    """Return a component of a body that slides on the floor of the room."""
    return ec.RigidBody(linear_damping=1.5, angular_damping=1.5)


class Rollback(Demo):
    """The demo of two clients that roll back."""

    view = View(-HALF - 0.4, -HALF - 0.5, APART + HALF + 0.4, HALF + 1.2)
    frames = 600

    def setup(self) -> None:
        ec.install()
        self.clients = [Client(f"{esper.current_world}, client {number}", number) for number in (0, 1)]
        self.random = Random(1)
        self.pushed: list[Input] = [(0, 0), (0, 0)]
        self.drawn: list[tuple[Client, int, ec.Transform]] = []
        """Client, entity and drawn place of each entity that moves."""
        for client in self.clients:
            with inside(client.world):
                content = [
                    (entity, esper.component_for_entity(entity, ec.Collider).shape, place.pose, paint.colour)
                    for entity, (place, paint) in esper.get_components(ec.Transform, Paint)
                ]
            for entity, shape, (x, y, angle), colour in content:
                place = ec.Transform(x + APART * client.number, y, angle)
                esper.create_entity(place, Paint(colour, shape=shape))
                self.drawn.append((client, entity, place))
        self.labels = [Paint((0, 0, 0)) for _ in self.clients]
        for number, label in enumerate(self.labels):
            esper.create_entity(ec.Transform(APART * number, HALF + 0.7), label)

    def script(self, frame: int) -> None:
        for client in self.clients:
            client.receive(frame)
        for client, other in zip(self.clients, reversed(self.clients), strict=True):
            number = client.number
            if self.random.random() < 0.08:
                self.pushed[number] = (self.random.choice((-1, 0, 1)), self.random.choice((-1, 0, 1)))
            client.inputs[number][frame] = self.pushed[number]
            earliest = other.messages[-1].arrival if other.messages else 0
            arrival = max(earliest, frame + self.random.randint(5, LATEST))  # in the order in which they were sent
            other.messages.append(Message(arrival, frame, self.pushed[number]))
        for client in self.clients:
            client.play(frame)
        for client, entity, place in self.drawn:
            row = client.physics.row_of(entity)
            (x, y) = client.physics.positions[row].tolist()
            place.angle = float(client.physics.angles[row])
            place.position = (x + APART * client.number, y)
        for client, label in zip(self.clients, self.labels, strict=True):
            label.label = f"client {client.number + 1}: {client.replayed} frames played again"

    def note(self) -> str:
        return f"in step up to frame {min(client.known() for client in self.clients)}"

    def check(self) -> str:
        one, other = self.clients
        both = min(one.known(), other.known())
        apart = [frame for frame in range(both) if one.hashes[frame] != other.hashes[frame]]
        expect(not apart, f"the clients differ in {len(apart)} of {both} frames, from {min(apart, default=0)} on")
        expect(both >= self.frames - LATEST - 1, f"all inputs are known of {both} frames only")
        guessed = sum(one.hashes[frame] != other.hashes[frame] for frame in range(both, self.frames))
        replayed = one.replayed + other.replayed
        expect(replayed > 100, f"only {replayed} frames were played again")
        return (
            f"{both} frames are the same to the last bit in both clients; they played {replayed} of "
            f"{2 * self.frames} frames again; of the last {self.frames - both} frames, which wait for inputs, "
            f"{guessed} differ"
        )


DEMO = Rollback
