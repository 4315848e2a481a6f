"""What an operation is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.play import Play
from tests.fuzz.shapes import Data


class Operation(NamedTuple):
    """A row of the table."""

    name: str
    weight: float
    """How often it is drawn."""
    draw: Callable[[Random, Play], Data | None]
    """Plain arguments at random; None where there is nothing to do it with."""
    do: Callable[..., None]
    """Does it, given the play and the arguments; nothing where it does not apply."""
    nests: bool = True
    """Whether hooks and handlers do it too."""

    @property
    def is_of_an_entity(self) -> bool:
        """Whether the first argument is a label, for which a handler may put the event's own entities."""
        return self.do.__code__.co_varnames[1:2] == ("label",)


def nothing(rng: Random, play: Play) -> Data:
    """For operations without arguments."""
    return ()


def draw_label(rng: Random, play: Play) -> Any:
    """A label of the current world, or None."""
    labels = list(play.room.entities)
    return rng.choice(labels) if labels else None


def one_label(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label,)
