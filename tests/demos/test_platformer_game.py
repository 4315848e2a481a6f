"""Tests of the platformer as those of a game: with the fixtures of `ecs_collide.testing`."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from ecs_collide.demos.platformer import GRAVITY, JUMP_SPEED, LEDGE, SHELVES, START, Platformer
from ecs_collide.demos.scene import Keys
from ecs_collide.testing import GameSimulation


class PlayedPlatformer:
    """The game with keys that a test holds down."""

    def __init__(self, simulation: GameSimulation) -> None:
        self.simulation, self.game, self.keys = simulation, Platformer(), Keys()
        self.game.setup()
        self.player = self.game.player
        self.control = self.game.control_of(self.player)
        simulation.process = self.update
        simulation.name(player=self.player, porter=self.game.porter, lift=self.game.lift, goal=self.game.goal)

    def update(self, dt: float) -> None:
        self.game.steer(self.keys)
        esper.process(dt)

    def put(self, x: float, y: float) -> None:
        """Put the player elsewhere."""
        esper.component_for_entity(self.player, ec.Transform).position = (x, y)


@pytest.fixture
def play(simulation: GameSimulation) -> PlayedPlatformer:
    return PlayedPlatformer(simulation)


def test_the_player_stands_where_the_game_starts(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.simulate(1.0)
    assert play.control.on_floor
    assert simulation.position(play.player) == pytest.approx(START, abs=1e-6)


def test_the_player_pushes_the_crate_into_the_pit(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=1.0)
    simulation.assert_passes(play.game.crate, x=4.5, timeout=3.0)
    simulation.assert_passes(play.game.crate, y=-0.4, timeout=3.0)


def test_the_player_stops_when_the_key_is_let_go(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=-1.0)
    simulation.simulate(0.1)
    play.keys = Keys()
    simulation.step()
    left = simulation.position(play.player)
    simulation.simulate(0.5)
    assert simulation.position(play.player) == pytest.approx(left, abs=1e-9)


def test_a_jump_is_as_high_as_its_speed_allows(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.simulate(0.2)
    play.keys = Keys(jump=True)
    simulation.step()
    play.keys = Keys()
    simulation.run_until(lambda: not play.control.on_floor, 0.2, "the player leaves the ground")
    highest = START[1] + JUMP_SPEED**2 / (2.0 * GRAVITY)
    simulation.assert_passes(play.player, y=highest - 0.2, timeout=1.0)
    simulation.run_until(lambda: play.control.on_floor, 1.0, "the player lands")


def test_the_left_wall_holds_the_player(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.keys = Keys(walk=-1.0)
    simulation.simulate(2.0)
    assert simulation.position(play.player)[0] > 0.0 and play.control.on_wall


def test_the_seesaw_tilts_to_the_side_on_which_the_player_stands(
    play: PlayedPlatformer, simulation: GameSimulation
) -> None:
    for x, sign in ((15.0, -1.0), (12.0, 1.0)):
        play.put(x, 3.5)
        simulation.run_until(lambda: play.control.floor == play.game.seesaw, 2.0, "the player stands on the seesaw")
        simulation.simulate(1.0)
        assert sign * simulation.pose(play.game.seesaw)[2] > 0.25


def test_the_porter_carries_the_player_to_the_lift_and_up(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.put(17.5, 2.5)
    simulation.run_until(lambda: play.control.floor == play.game.porter, 2.0, "the player stands on the porter")
    simulation.assert_passes(play.game.lift, y=LEDGE - 0.3, timeout=8.0)
    assert play.control.floor == play.game.porter


def test_the_lift_goes_down_when_nobody_uses_it(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    play.put(21.2, 1.0)
    simulation.assert_passes(play.game.lift, y=LEDGE - 0.3, timeout=8.0)
    play.put(*START)
    simulation.assert_passes(play.game.lift, y=-0.1, timeout=8.0)


def test_the_goal_is_not_reached_by_standing_about(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    simulation.assert_never_touching(play.player, play.game.goal, seconds=3.0)
    assert not play.game.reached


def test_the_player_jumps_through_the_platforms_to_the_goal(play: PlayedPlatformer, simulation: GameSimulation) -> None:
    x, y = SHELVES[0]
    play.put(x, y - 1.0)
    play.keys = Keys(jump=True)
    simulation.run_until(lambda: play.control.floor == play.game.shelves[0], 2.0, "the player lands on a platform")
    play.keys = Keys(walk=1.0)
    simulation.assert_passes(play.player, x=x + 0.4, timeout=1.0)
    play.keys = Keys(walk=1.0, jump=True)
    simulation.run_until(lambda: play.game.reached, 3.0, "the player reaches the goal")
