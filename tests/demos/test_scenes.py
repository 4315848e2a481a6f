"""Every demo, played to its end, passes its own check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.algorithms import sector_circle_distance
from ecs_collide.demos import (
    air_hockey,
    billiards,
    cave,
    cloth,
    craters,
    dig,
    gas,
    golf,
    hook,
    magnets,
    marbles,
    orbits,
    pinball,
    race,
    rocks,
    rollback,
    sectors,
    sorter,
    tether,
    tiles,
    volley,
    water,
    wind,
)
from ecs_collide.demos.air_hockey import AirHockey
from ecs_collide.demos.catalogue import MODULES, load
from ecs_collide.demos.platformer import Platformer
from ecs_collide.demos.scene import Demo, Keys, Run, expect
from ecs_collide.demos.tiles import Tiles


@pytest.fixture(autouse=True)
def esper_is_left_as_it_was() -> Iterator[None]:
    before = esper.current_world, sorted(esper.list_worlds())
    yield
    assert (esper.current_world, sorted(esper.list_worlds())) == before


@pytest.mark.parametrize("name", MODULES)
def test_the_check_passes(name: str) -> None:
    with Run(name, load(name)) as run:
        for _ in range(run.demo.frames):
            assert run.result is None
            run.step()
    assert run.failure is None
    assert run.result


@pytest.mark.parametrize("name", MODULES)
def test_a_demo_is_deterministic(name: str) -> None:
    hashes = []
    for _ in range(2):
        with Run(name, load(name)) as run:
            for _ in range(60):
                run.step()
            hashes.append(ec.physics().state_hash())
    assert hashes[0] == hashes[1]


def test_a_player_steers_the_platformer() -> None:
    with Run("platformer", Platformer) as run:
        demo = run.demo
        assert isinstance(demo, Platformer)
        place = esper.component_for_entity(demo.player, ec.Transform)
        for _ in range(10):
            run.step(Keys())
        start = place.position
        for _ in range(15):
            run.step(Keys(1.0))
        assert place.x > start[0] + 0.5
        for _ in range(10):
            run.step(Keys(-1.0, jump=True))
        assert place.y > start[1] + 0.5


def test_a_player_steers_the_runner_on_the_tiles() -> None:
    with Run("tiles", Tiles) as run:
        demo = run.demo
        assert isinstance(demo, Tiles)
        place = esper.component_for_entity(demo.runner, ec.Transform)
        for _ in range(30):
            run.step(Keys(1.0))
        assert place.x > 4.0
        place.position = (13.0, 3.0)  # in the pit
        run.step(Keys())
        assert place.x < 3.0


def test_the_mouse_moves_a_mallet_of_air_hockey_within_its_half() -> None:
    with Run("air_hockey", AirHockey) as run:
        demo = run.demo
        assert isinstance(demo, AirHockey)
        place = esper.component_for_entity(demo.players[0].mallet, ec.Transform)
        for pointer, goal in (((-0.5, 0.3), (-0.5, 0.3)), ((9.0, 0.0), (-air_hockey.MIDDLE, 0.0))):
            for _ in range(60):
                run.step(Keys(pointer=pointer))
            assert place.position == pytest.approx(goal)


def test_a_mallet_that_chases_the_puck_squeezes_it_out_nowhere() -> None:
    with Run("air_hockey", AirHockey) as run:
        demo = run.demo
        assert isinstance(demo, AirHockey)
        for _ in range(1200):
            run.step(Keys(pointer=demo.place.position))
        assert demo.players[0].hits > 10
        assert demo.tightest > -1e-9


def test_the_mouse_leads_the_car_of_the_race() -> None:
    with Run("race", race.Race) as run:
        demo = run.demo
        assert isinstance(demo, race.Race)
        place = esper.component_for_entity(demo.car, ec.Transform)
        for pointer in ((0.0, -9.5), (8.0, -7.0)):
            for _ in range(90):
                run.step(Keys(pointer=pointer))
        assert place.x > 2.0
        assert place.angle > 0.02  # to the left, where the second place is


def test_a_player_hangs_on_the_hook_as_long_as_the_key_is_held() -> None:
    with Run("hook", hook.Hook) as run:
        demo = run.demo
        assert isinstance(demo, hook.Hook)
        demo.place.position, demo.velocity.linear = (-3.0, 2.0), (2.0, 0.0)
        for _ in range(90):
            run.step(Keys(jump=True, pointer=(-2.5, 6.9)))
        assert demo.ropes == 1
        assert demo.place.y > 2.0  # wound in
        run.step(Keys())
        for _ in range(60):
            run.step(Keys())
        assert demo.rope is None
        assert demo.place.y < 1.0


def test_a_player_presses_the_flippers_of_the_pinball_table() -> None:
    with Run("pinball", pinball.Pinball) as run:
        demo = run.demo
        assert isinstance(demo, pinball.Pinball)
        for walk, up in ((-1.0, 1), (1.0, -1)):
            for _ in range(30):
                run.step(Keys(walk))
            for side, joint in demo.flippers.items():
                assert side * joint.angle == pytest.approx(pinball.SWING * (1 if side == up else -1), abs=0.02)


def tiles_with_a_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "MAP", [row.replace("##oooo#oo##o", "##oooo.oo##o") for row in tiles.MAP])


def tiles_that_stand_out(monkeypatch: pytest.MonkeyPatch) -> None:
    box = ec.Box
    monkeypatch.setattr(ec, "Box", lambda width, height: box(width, 1.1 * height))


def a_weak_putt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golf, "PUTT_SPEED", 2.0)


def a_putt_too_hard_for_the_banks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golf, "PUTT_SPEED", 8.0)


def a_sword_longer_than_it_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    def distance(x: Any, y: Any, radius: Any, *sector: float) -> Any:
        return sector_circle_distance(x, y, radius + 0.05, *sector)

    monkeypatch.setattr(sectors, "sector_circle_distance", distance)


def a_forecast_that_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ec.time_of_impact
    monkeypatch.setattr(ec, "time_of_impact", lambda *motions: (real(*motions) or 0.0) + 0.01)


def the_impulse_response_throughout(monkeypatch: pytest.MonkeyPatch) -> None:
    install = ec.install
    monkeypatch.setattr(ec, "install", lambda response="": install())


def a_soft_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(billiards, "BREAK_SPEED", 1.0)


def a_rink_with_half_a_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = air_hockey.half_wall(1)
    monkeypatch.setattr(air_hockey, "half_wall", lambda sign: wall)


def lame_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(air_hockey, "STRIKE", 0.0)


def shots_that_nothing_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    install = ec.install
    monkeypatch.setattr(ec, "install", lambda continuous: install(continuous=False))


def a_sensor_that_is_not_crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volley, "GATE", (ec.Box(0.3, 1.4), (-1.0, -5.9, 0.0)))


def a_gas_with_the_impulse_response(monkeypatch: pytest.MonkeyPatch) -> None:
    install = ec.install
    monkeypatch.setattr(ec, "install", lambda response: install())


def a_gas_that_had_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gas.Gas, "frames", 20)


def clients_that_take_no_frame_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollback.Client, "go_back_to", lambda self, first, now: None)


def a_liquid_that_is_too_light(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = water.measure
    monkeypatch.setattr(water, "measure", lambda corners: (0.95 * measure(corners)[0], *measure(corners)[1:]))


def a_wind_without_a_lee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wind.Blow, "is_in_lee", lambda *_: False)


def a_gap_that_is_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    lay = sorter.lay_belts
    monkeypatch.setattr(sorter, "lay_belts", lambda x, y, length, gaps, speed: lay(x, y, length, (0.2, 1.8), speed))


def a_road_without_ice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "ICY", race.DRY)


def tyres_without_grip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race.Tyres, "hold", lambda *_: None)


def a_short_rope(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "REACH", 3.0)


def ropes_that_pass_through_posts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tether, "wrap", lambda *_: False)


def ropes_that_stay_bent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tether, "unwrap", lambda *_: False)


def a_ground_that_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dig, "connected", lambda solid, seed: solid)


def flippers_that_nobody_presses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinball, "press", lambda *_, **__: None)


def threads_that_do_not_tear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloth, "STRENGTH", 1e9)


def magnets_without_poles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magnets, "pole_forces", lambda place, strength, owner: 0.0 * place)


def a_planet_that_pulls_less(monkeypatch: pytest.MonkeyPatch) -> None:
    planet = orbits.Planet
    monkeypatch.setattr(orbits, "Planet", lambda pull: planet(0.98 * pull))


def balls_too_large_for_the_cave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cave, "RADIUS", 1.5)


def bombs_that_hardly_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(craters, "BLAST", 0.05)


def rocks_that_had_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocks.Rocks, "frames", 120)


def marbles_without_a_cup(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = marbles.DRAWING.read_text("utf-8").replace('id="cup"', 'id="cup" transform="translate(0 200)"')
    monkeypatch.setattr(Path, "read_bytes", lambda self: drawing.encode())


@pytest.mark.parametrize(
    ("name", "fault", "said"),
    [
        ("billiards", the_impulse_response_throughout, "overlapped"),
        ("billiards", a_soft_break, "cushions"),
        ("air_hockey", a_rink_with_half_a_wall, "in the wall"),
        ("air_hockey", lame_players, "the players hit"),
        ("cradle", the_impulse_response_throughout, "the exact row"),
        ("tiles", tiles_with_a_hole, "the runner"),
        ("tiles", tiles_that_stand_out, "the runner"),
        ("golf", a_weak_putt, "the ball"),
        ("golf", a_putt_too_hard_for_the_banks, "mm into the half circle"),
        ("sectors", a_sword_longer_than_it_looks, "disagree"),
        ("sweep", a_forecast_that_comes_late, "foretold"),
        ("bullets", shots_that_nothing_stops, "96 of 96 shots passed"),
        ("bullets", a_sensor_that_is_not_crossed, "the sensor"),
        ("gas", a_gas_with_the_impulse_response, "the energy"),
        ("gas", a_gas_that_had_no_time, "from the law"),
        ("cave", balls_too_large_for_the_cave, "the jumper does not lie on the plank"),
        ("craters", bombs_that_hardly_scratch, "parts fell"),
        ("rocks", rocks_that_had_no_time, "a rock still moves"),
        ("marbles", marbles_without_a_cup, "of 30 marbles are in the cup"),
        ("rollback", clients_that_take_no_frame_back, "the clients differ"),
        ("water", a_liquid_that_is_too_light, "the law of Archimedes"),
        ("wind", a_wind_without_a_lee, "in the lee"),
        ("sorter", a_gap_that_is_too_narrow, "a crate of 0.4 m"),
        ("race", a_road_without_ice, "only on the ice"),
        ("race", tyres_without_grip, "the car"),
        ("hook", a_short_rope, "the climber is at"),
        ("tether", ropes_that_pass_through_posts, "the wound ball"),
        ("tether", ropes_that_stay_bent, "did not unwind"),
        ("dig", a_ground_that_floats, "0 pieces broke off"),
        ("pinball", flippers_that_nobody_presses, "the bumpers were hit"),
        ("cloth", threads_that_do_not_tear, "the heavy ball"),
        ("magnets", magnets_without_poles, "the gaps between the rings"),
        ("orbits", a_planet_that_pulls_less, "the moon"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_check_finds_a_fault(
    name: str, fault: Callable[[pytest.MonkeyPatch], None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    with Run(name, load(name)) as run:
        for _ in range(run.demo.frames):
            run.step()
    assert run.failure is not None
    assert said in run.failure


class Empty(Demo):
    frames = 2

    def setup(self) -> None:
        ec.install()

    def check(self) -> str:
        expect(False, "it is empty")
        return ""


def test_a_failed_check_is_kept() -> None:
    with Run("empty", Empty) as run:
        run.step()
        assert (run.result, run.failure) == (None, None)
        run.step()
        assert (run.result, run.failure) == (None, "it is empty")


class Broken(Demo):
    def setup(self) -> None:
        ec.install()
        raise RuntimeError("no scene")


def test_a_setup_that_fails_leaves_no_world_behind() -> None:
    with pytest.raises(RuntimeError, match="no scene"), Run("broken", Broken):
        pass
