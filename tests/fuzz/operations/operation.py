"""An operation: its name, weight, arguments and effect."""

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
    """Weight with which it is drawn."""
    draw: Callable[[Random, Play], Data | None]
    """Function that draws plain arguments; it returns None if the operation is not possible."""
    do: Callable[..., None]
    """Function that does it with the play and the arguments, or nothing if it does not apply."""
    nests: bool = True
    """True if hooks and handlers do it too."""

    @property
    def is_of_an_entity(self) -> bool:
        """True if the first argument is a label, which a handler may replace by the event's own entities."""
        return self.do.__code__.co_varnames[1:2] == ("label",)


def nothing(rng: Random, play: Play) -> Data:
    """Return no arguments."""
    return ()


def draw_label(rng: Random, play: Play) -> Any:
    """Draw a label of the current world, or None."""
    labels = list(play.room.entities)
    return rng.choice(labels) if labels else None


def one_label(rng: Random, play: Play) -> Data | None:
    label = draw_label(rng, play)
    return None if label is None else (label,)
