"""The games of the tutorial: each is played without a window, by keys that are pressed for it, for its picture."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock, patch

from ecs_collide.worlds import fresh_world

CODE = re.compile(r'^```python\n(""".*?)^```$', re.MULTILINE | re.DOTALL)


class Press(NamedTuple):
    """A key that is held down."""

    key: str
    """Name of the key in pygame, without `K_`."""
    first: int
    """First frame in which it is down, from 1."""
    last: int
    """Last frame in which it is down."""


class Play(NamedTuple):
    """The frames and keys of a run."""

    frames: int
    """Number of frames, after which the picture is taken."""
    keys: Sequence[Press] = ()
    """Keys that the player presses."""


ONTO_THE_CLIFF = (Press("RIGHT", 5, 77), Press("SPACE", 40, 41), Press("LEFT", 95, 155), Press("SPACE", 96, 97))
"""Two jumps that lead to the first coin."""
OVER_THE_BRIDGE = (Press("RIGHT", 5, 140), Press("SPACE", 40, 41), Press("x", 128, 128))
"""A jump over the crate, a walk on the bridge, and a shot."""
STEPS = {
    1: Play(60),
    2: Play(60, ONTO_THE_CLIFF),
    3: Play(165, ONTO_THE_CLIFF),
    4: Play(100, ONTO_THE_CLIFF),
    5: Play(140, OVER_THE_BRIDGE),
    6: Play(140, (*OVER_THE_BRIDGE, Press("F1", 2, 2))),
}
"""The run that leads to the picture of each step."""


def page_of_step(step: int, folder: Path) -> Path:
    """Return the page of a step in a folder of pages."""
    return folder / "tutorial" / f"step_{step}.md"


def code_of_step(step: int, folder: Path) -> str:
    """Return the whole game of a step, which stands on its page."""
    (code,) = CODE.findall(page_of_step(step, folder).read_text("utf-8"))
    return str(code)


def draw_tutorial(pages: Path) -> None:
    """Draw the picture of each step into a folder of pages."""
    for step, play in STEPS.items():
        with fresh_world():
            play_game(code_of_step(step, pages), play, page_of_step(step, pages).with_suffix(".png"))


def mark_new_lines(pages: Path) -> None:
    """Mark in a folder of pages the lines of each step's game that are not in the game of the step before."""
    games = [code_of_step(step, pages) for step in STEPS]
    for step, before, game in zip(list(STEPS)[1:], games, games[1:]):
        page = page_of_step(step, pages)
        lines = " ".join(str(line) for line in new_lines(before, game))
        text = page.read_text("utf-8").replace(f"```python\n{game}", f'```python hl_lines="{lines}"\n{game}')
        page.write_text(text, "utf-8")


def new_lines(before: str, after: str) -> list[int]:
    """Return the numbers, from 1, of the lines of a text that differ from another text; empty lines do not count."""
    lines = after.splitlines()
    matcher = difflib.SequenceMatcher(None, before.splitlines(), lines, autojunk=False)
    changed = (range(first, end) for kind, _, _, first, end in matcher.get_opcodes() if kind != "equal")
    return [line + 1 for part in changed for line in part if lines[line]]


def play_game(code: str, play: Play, picture: Path | None = None) -> dict[str, Any]:
    """Run a game without a window until its last frame, and return the names of its module.

    Args:
        code: game that shows each frame by `pygame.display.flip`, and ends when its window is closed.
        play: number of frames, and keys.
        picture: file for the last frame; None for no picture.
    """
    with patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}):
        import pygame

        frame = 0

        def held() -> dict[int, bool]:
            down = [press.key for press in play.keys if press.first <= frame <= press.last]
            return _Held({getattr(pygame, f"K_{key}"): True for key in down})

        def flip() -> None:
            nonlocal frame
            frame += 1
            for press in play.keys:
                if press.first == frame:
                    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=getattr(pygame, f"K_{press.key}")))
            if frame == play.frames:
                screen = pygame.display.get_surface()
                if picture is not None and screen is not None:
                    pygame.image.save(screen, picture)
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        names: dict[str, Any] = {"__name__": "__main__"}
        with (
            patch("pygame.display.flip", flip),
            patch("pygame.key.get_pressed", held),
            patch("pygame.time.Clock", Mock),  # as fast as it goes
        ):
            exec(compile(code, "game.py", "exec"), names)
        return names


class _Held(dict[int, bool]):
    """The keys that are down; all others are up."""

    def __missing__(self, key: int) -> bool:
        return False
