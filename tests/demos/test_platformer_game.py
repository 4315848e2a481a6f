"""Tests of the platformer as those of a game: with the fixtures of `ecs_collide.testing`."""

from __future__ import annotations

import esper
import pytest

from ecs_collide.demos.platformer import JUMP_SPEED, LEDGE, START, Platformer
from ecs_collide.demos.scene import Keys
from ecs_collide.testing import GameSimulation


class PlayedPlatformer:
    """The game with keys that a test holds down."""

    def __init__(self, simulation: GameSimulation) -> None:
        self.simulation, self.game, self.keys = simulation, Platformer(), Keys()
        self.game.setup()
        self.player = self.game.player
        simulation.process = self.update
        simulation.name(player=self.player, platform=self.game.platform, goal=self.game.goal)

    def update(self, dt: float) -> None:
        self.game.steer(self.keys)
        esper.process(dt)

    def put(self, x: float, y: float) -> None:
        """Put the player elsewhere."""
        from ecs_collide import Transform

        esper.component_for_entity(self.player, Transform).position = (x, y)

    def floor_of_player(self) -> int | None:
        from ecs_collide.demos.platformer import Player

        return esper.component_for_entity(self.player, Player).ground


@pytest.fixture
def play(simulation: GameSimulation) -> PlayedPlatformer:
    return PlayedPlatformer(simulation)


def test_the_player_stands_where_the_game_starts(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.assert_comes_to_rest(play.player, timeout=1.0)
    assert simulation.position(play.player) == pytest.approx(START, abs=0.02)


def test_the_player_walks_to_the_crate_and_pushes_it(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=1.0)
    simulation.assert_passes(play.player, x=4.0, timeout=2.0)
    assert len(simulation.events_of("collision_start", play.player)) >= 2  # the ground and a crate


def test_the_player_stops_when_the_key_is_let_go(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=-1.0)
    simulation.simulate(0.1)
    play.keys = Keys()
    simulation.assert_comes_to_rest(play.player, timeout=1.0)


def test_a_jump_is_as_high_as_its_speed_allows(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.simulate(0.2)
    play.keys = Keys(jump=True)
    simulation.step()
    play.keys = Keys()
    simulation.run_until(lambda: play.floor_of_player() is None, 0.2, "the player leaves the ground")
    highest = START[1] + JUMP_SPEED**2 / 40.0
    simulation.assert_passes(play.player, y=highest - 0.2, timeout=1.0)
    simulation.assert_comes_to_rest(play.player, timeout=2.0)


def test_a_held_key_does_not_jump_in_the_air(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(jump=True)
    simulation.simulate(0.3)
    assert play.floor_of_player() is None
    simulation.run_until(lambda: play.floor_of_player() is not None, 2.0, "the player lands")
    assert simulation.time > 0.8


def test_the_left_wall_holds_the_player(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=-1.0)
    simulation.simulate(2.0)
    assert simulation.position(play.player)[0] > 0.0


def test_a_player_in_the_pit_starts_again(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.put(16.0, -1.4)
    simulation.run_until(lambda: simulation.position(play.player)[0] < 2.0, 1.0, "the player is back at the start")
    simulation.assert_comes_to_rest(play.player)


def test_the_platform_carries_the_player(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.put(13.6, 0.8)
    simulation.assert_touching(play.player, play.game.platform, timeout=0.5)
    simulation.assert_passes(play.player, x=17.0, timeout=5.0)
    simulation.assert_touching(play.player, play.game.platform)


def test_the_goal_is_not_reached_by_standing_about(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.assert_never_touching(play.player, play.game.goal, seconds=3.0)
    assert not play.game.reached


def test_the_player_reaches_the_goal_behind_the_step(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.put(25.0, LEDGE + 0.8)
    play.keys = Keys(walk=1.0, jump=True)
    simulation.assert_touching(play.player, play.game.goal, timeout=3.0)
    assert play.game.reached
