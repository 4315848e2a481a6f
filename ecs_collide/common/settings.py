"""Settings of a physics world, checked."""

from typing import NamedTuple, Self

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.binding import Binding
from ecs_collide.validate import flag, integer, non_negative, positive, vector2

HIT_SPEED = 1.0
"""Default approach speed above which an impact is a hit [length units/s]."""

MAX_STEPS = 8
"""Default greatest number of steps in a frame."""


class Settings(NamedTuple):
    """The settings of a physics world."""

    gravity: tuple[float, float]
    """Acceleration [m/s^2]."""
    substeps: int
    """Solver substeps in a step."""
    sleeping: bool
    """True if resting bodies may fall asleep."""
    continuous: bool
    """True if fast bodies are swept, so that they do not pass through static and kinematic ones."""
    response: str
    """Name of the response, one of `RESPONSES`."""
    length_unit: float
    """Length units of the game in a metre: 1 for metres, 100 for 100 pixels to a metre."""
    time_unit: float
    """Time units of the game in a second: 1 for seconds, 60 for frames of a sixtieth."""
    fixed_dt: float | None
    """Length of every step [s]; None: the length that `esper.process` gets."""
    max_steps: int
    """Greatest number of steps in a frame with `fixed_dt`."""
    dt_argument: int | str
    """Argument of `esper.process` that holds dt: a position or a keyword."""
    hit_speed: float
    """Approach speed above which an impact is a hit [m/s]."""
    bounce_speed: float
    """Approach speed below which nothing bounces [m/s]."""
    sleep_speed: float
    """Speed below which a body is at rest, if all its points are slower [m/s]."""
    transform: Binding | None
    """Binding of the game's component in the place of `Transform`."""
    velocity: Binding | None
    """Binding of the game's component in the place of `Velocity`."""

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
        """Return the settings; raises TypeError or ValueError that names the argument and the value."""
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
