"""What `install` was told, checked."""

from typing import NamedTuple, Self

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.binding import Binding
from ecs_collide.validate import flag, integer, non_negative, positive, vector2

HIT_SPEED = 1.0
"""Approach speed above which an impact is a hit, if the game names none [length units/s]."""

MAX_STEPS = 8
"""Steps in a frame, at most, if the game names no number."""


class Settings(NamedTuple):
    """The settings of a physics world."""

    gravity: tuple[float, float]
    """Acceleration [m/s^2]."""
    substeps: int
    """Solver substeps in a step."""
    sleeping: bool
    """Whether what rests is left alone until something happens to it."""
    continuous: bool
    """Whether fast bodies are swept, so that nothing passes through what is static or kinematic."""
    response: str
    """One of `RESPONSES`."""
    length_unit: float
    """Length units of the game in a metre: 1 for metres, 100 for a game with 100 pixels to a metre."""
    time_unit: float
    """Time units of the game in a second: 1 for seconds, 60 for a game that counts frames of a sixtieth."""
    fixed_dt: float | None
    """Length of every step [s]; None: take it from what `esper.process` is given."""
    max_steps: int
    """With `fixed_dt`, how many steps a frame makes at most."""
    dt_argument: int | str
    """Which argument of `esper.process` is dt: a position or a keyword."""
    hit_speed: float
    """Approach speed above which an impact is told as a hit [m/s]."""
    bounce_speed: float
    """Approach speed under which nothing bounces [m/s]."""
    sleep_speed: float
    """A body none of whose points is faster is at rest [m/s]."""
    transform: Binding | None
    """The game's own component in the place of `Transform`."""
    velocity: Binding | None
    """The game's own component in the place of `Velocity`."""

    @classmethod
    def checked(
        cls,
        gravity: tuple[float, float],
        substeps: int,
        sleeping: bool,
        continuous: bool,
        response: str,
        length_unit: float,
        fixed_dt: float | None,
        dt_argument: int | str,
        hit_speed: float | None = None,
        bounce_speed: float | None = None,
        sleep_speed: float | None = None,
        time_unit: float = 1.0,
        max_steps: int = MAX_STEPS,
        transform: Binding | None = None,
        velocity: Binding | None = None,
    ) -> Self:
        """The settings, or a TypeError or ValueError that names the argument and the value."""
        unit, time = positive(length_unit, "length_unit"), positive(time_unit, "time_unit")
        speed = unit / time
        return cls(
            vector2(gravity, "gravity"),
            integer(substeps, "substeps", 1, 1000),
            flag(sleeping, "sleeping"),
            flag(continuous, "continuous"),
            response,
            unit,
            time,
            None if fixed_dt is None else positive(fixed_dt, "fixed_dt"),
            integer(max_steps, "max_steps", 1, 1000),
            dt_argument if isinstance(dt_argument, str) else integer(dt_argument, "dt_argument", 0, 1000),
            HIT_SPEED * speed if hit_speed is None else positive(hit_speed, "hit_speed"),
            tuning.RESTITUTION_THRESHOLD * speed
            if bounce_speed is None
            else non_negative(bounce_speed, "bounce_speed"),
            tuning.SLEEP_SPEED * speed if sleep_speed is None else non_negative(sleep_speed, "sleep_speed"),
            _binding(transform, "transform"),
            _binding(velocity, "velocity"),
        )


def _binding(value: Binding | None, name: str) -> Binding | None:
    if value is not None and not isinstance(value, Binding):
        raise TypeError(f"{name} must be made by bind(Component, ...), got {value!r}")
    return value
