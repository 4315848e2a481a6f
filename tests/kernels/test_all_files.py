"""`ec.compile`: a loading screen's progress."""

from __future__ import annotations

import ecs_collide as ec


def test_a_loading_screen_gets_one_call_if_all_is_ready() -> None:
    received: list[tuple[int, int, str]] = []
    ec.compile(progress=lambda *progress: received.append(progress))
    assert received == [(0, 0, "")]
    ec.compile()
