"""Arguments of `move_and_slide` that are the same objects as last time, or those of a call within another one."""

from __future__ import annotations

import ecs_collide as ec
from tests.support.worlds import game, kinematic, static


def test_an_up_that_the_game_changes_in_place_counts_at_once() -> None:
    with game() as play:
        ground = static(ec.Box(9.0, 1.0), (0.0, -1.0))
        player, up = kinematic(ec.Circle(0.5), (0.0, 0.0)), [0.0, 1.0]
        assert play.physics.move_and_slide(player, (0.0, -1.0), 0.1, up=up).floor == ground  # type: ignore[arg-type]
        up[1] = -1.0
        assert play.physics.move_and_slide(player, (0.0, -1.0), 0.1, up=up).on_ceiling  # type: ignore[arg-type]


def test_rules_are_those_of_each_call() -> None:
    with game() as play:
        static(ec.Box(9.0, 1.0), (0.0, -1.0))
        player = kinematic(ec.Circle(0.5), (0.0, 0.0))
        for up, on_floor in (((0.0, 1.0), True), (None, False), ((0.0, 1.0), True), ((1.0, 0.0), False)):
            assert play.physics.move_and_slide(player, (0.0, -1.0), 0.1, up=up).on_floor is on_floor


def test_a_query_within_a_query_has_filters_of_its_own() -> None:
    with game() as play:
        near, far = static(ec.Box(1.0, 9.0), (3.0, 0.0)), static(ec.Box(1.0, 9.0), (6.0, 0.0))
        player, other = kinematic(ec.Circle(0.5), (0.0, 0.0)), kinematic(ec.Circle(0.5), (0.0, 3.0))
        moved = []

        def where(entity: int) -> bool:
            if entity == near:
                moved.append(play.physics.move_and_slide(other, (9.0, 0.0), 1.0, ignore=[near]).position)
            return entity != near

        hit = play.physics.ray_cast((1.0, 0.0), (9.0, 0.0), where=where)
        assert hit is not None and hit.entity == far
        assert [round(x, 6) for x, _ in moved] == [5.0]
        moved.clear()
        assert round(play.physics.move_and_slide(player, (9.0, 0.0), 1.0, where=where).position[0], 6) == 5.0
