"""Settings of a physics world, checked."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.binding import Binding
from ecs_collide.data.field_docs import document_fields
from ecs_collide.validate import flag, integer, non_negative, positive, vector2

ResponseName: TypeAlias = Literal["impulse", "exact"]
"""Name of a response."""

HIT_SPEED = 1.0
"""Default approach speed above which an impact is a hit [length units/s]."""

MAX_STEPS = 8
"""Default greatest number of steps in a frame."""


@document_fields
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
    response: ResponseName
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
    def checked(cls, given: Mapping[str, Any]) -> Self:
        """Return the settings from the arguments of `install`, by name.

        Raises TypeError or ValueError that names the argument and the value.
        """
        unit, time = positive(given["length_unit"], "length_unit"), positive(given["time_unit"], "time_unit")
        speed = unit / time
        fixed_dt, dt_argument, hit_speed = given["fixed_dt"], given["dt_argument"], given["hit_speed"]
        bounce_speed, sleep_speed = given["bounce_speed"], given["sleep_speed"]
        if bounce_speed is None:
            bounce_speed = tuning.RESTITUTION_THRESHOLD * speed
        if sleep_speed is None:
            sleep_speed = tuning.SLEEP_SPEED * speed
        return cls(
            gravity=vector2(given["gravity"], "gravity"),
            substeps=integer(given["substeps"], "substeps", 1, 1000),
            sleeping=flag(given["sleeping"], "sleeping"),
            continuous=flag(given["continuous"], "continuous"),
            response=given["response"],
            length_unit=unit,
            time_unit=time,
            fixed_dt=None if fixed_dt is None else positive(fixed_dt, "fixed_dt"),
            max_steps=integer(given["max_steps"], "max_steps", 1, 1000),
            dt_argument=dt_argument if isinstance(dt_argument, str) else integer(dt_argument, "dt_argument", 0, 1000),
            hit_speed=HIT_SPEED * speed if hit_speed is None else positive(hit_speed, "hit_speed"),
            bounce_speed=non_negative(bounce_speed, "bounce_speed"),
            sleep_speed=non_negative(sleep_speed, "sleep_speed"),
            transform=_binding(given["transform"], "transform"),
            velocity=_binding(given["velocity"], "velocity"),
        )


def _binding(value: Binding | None, name: str) -> Binding | None:
    if value is not None and not isinstance(value, Binding):
        raise TypeError(f"{name} must be made by bind(Component, ...), got {value!r}")
    return value
