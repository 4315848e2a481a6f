"""The arguments that say how a character moves, checked and turned into numbers for the kernel."""

from __future__ import annotations

from math import hypot, pi
from operator import is_
from typing import Literal, NamedTuple

from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.character_controller import Up, checked_slope, checked_up
from ecs_collide.components.collider import checked_mask
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import Vector2, flag, non_negative

SNAP = 0.1
"""Default distance by which a character follows the floor down [length units in a metre]."""
MAX_SLOPE = pi / 4.0
"""Default steepest slope of a floor [rad]."""


class RuleArguments(NamedTuple):
    """Arguments of a call that say how a character moves."""

    up: Up
    max_slope: float
    step_height: float = 0.0
    snap: float | None = None
    drop_through: bool = False
    mask: int = ALL_LAYERS


class CheckedRules(NamedTuple):
    """Rules that follow from arguments."""

    request: tuple[float, float, float, float, float]
    """Values of the columns of `REQUEST` behind the velocity."""
    drops_through: bool
    mask: int


class RuleReader:
    """Checks the rules of characters in a world."""

    __slots__ = ("_last_arguments", "_last_gravity", "_last_rules", "_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the reader for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._last_arguments: RuleArguments | None = None
        """Arguments of the last call, None if they may have changed since."""
        self._last_rules = CheckedRules((0.0,) * 5, False, ALL_LAYERS)
        """Rules that follow from these arguments."""
        self._last_gravity: Vector2 | None = None
        """Gravity of the world for which they do."""

    def read(self, arguments: RuleArguments) -> CheckedRules:
        """Return the rules that follow from arguments; most games pass the same objects again and again.

        Raises TypeError or ValueError, naming the argument, for a bad one.
        """
        last, gravity = self._last_arguments, self._pipeline.settings.gravity
        if last is None or self._last_gravity is not gravity or not all(map(is_, arguments, last)):
            self._last_rules = CheckedRules(
                self._request_of(arguments),
                flag(arguments.drop_through, "drop_through"),
                checked_mask(arguments.mask, "mask"),
            )
            self._last_gravity = gravity
            may_change = arguments.up is not None and type(arguments.up) not in (tuple, str)
            self._last_arguments = None if may_change else arguments
        return self._last_rules

    def _request_of(self, arguments: RuleArguments) -> tuple[float, float, float, float, float]:
        """Return the values for the columns of `REQUEST` behind the velocity, checked."""
        up = checked_up(arguments.up, "up")
        if up is None:
            # No surface is a floor: no normal has a component of 1 along the zero vector.
            return 0.0, 0.0, 1.0, 0.0, 0.0
        up_x, up_y = self._direction_up(up)
        max_slope = checked_slope(arguments.max_slope, "max_slope")
        step_height = non_negative(arguments.step_height, "step_height")
        snap = max(SNAP * self._pipeline.settings.length_unit, step_height)
        if arguments.snap is not None:
            snap = non_negative(arguments.snap, "snap")
        least_up = cosine_and_sine(max_slope)[0] - 1e-9  # a slope of exactly `max_slope` is a floor
        return up_x, up_y, least_up, step_height, snap

    def _direction_up(self, up: Vector2 | Literal["gravity"]) -> Vector2:
        """Return the unit vector up: against gravity if the game does not say it, (0, 1) without gravity."""
        gravity_x, gravity_y = self._pipeline.settings.gravity
        if up == "gravity":
            strength = hypot(gravity_x, gravity_y)
            return (-gravity_x / strength, -gravity_y / strength) if strength > 0.0 else (0.0, 1.0)
        up_x, up_y = up
        size = hypot(up_x, up_y)
        if up_x * gravity_x + up_y * gravity_y > 0.0:
            self._pipeline.usage_warnings.warn_of_up((up_x, up_y), (gravity_x, gravity_y))
        return up_x / size, up_y / size
