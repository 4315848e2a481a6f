"""Base of the joints that may have a spring."""

from __future__ import annotations

from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import non_negative


def mixed_springs(joint: Joint, by_frequency: dict[str, float], in_units: dict[str, float]) -> str | None:
    """Return a message if a spring is given by its frequency and by stiffness or damping as well, else None."""
    ((hertz, frequency),) = by_frequency.items()
    (stiffness, stiff), (damping, damped) = in_units.items()
    if frequency == 0.0 or stiff == damped == 0.0:
        return None
    return (
        f"{type(joint).__name__} has {hertz} {frequency} beside {stiffness} {stiff} and {damping} {damped}: "
        f"give {hertz} and {damping}_ratio, or {stiffness} and {damping}, and set the others to 0"
    )


class SpringJoint(Joint):
    """A joint that may have a spring, given by frequency and damping ratio, or by stiffness and damping.

    The unit of a stiffness is N/m along a line, and N m/rad for an angle. That of a damping is N s/m or N m s/rad.
    """

    __slots__ = ()

    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    """Frequency of the spring [1/s], 0 for none."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring with that frequency, 1 for critical damping."""
    stiffness = Field(NUMBERS.STIFFNESS, non_negative, 0.0)
    """Stiffness of the spring in place of a frequency [N/m, N m/rad], 0 for none."""
    damping = Field(NUMBERS.DAMPING, non_negative, 0.0)
    """Damping of the spring in place of a damping ratio [N s/m, N m s/rad], 0 for none."""

    def _init_spring(self, hertz: float, damping_ratio: float, stiffness: float, damping: float) -> None:
        """Initialise the numbers of the spring. Raises ValueError if both ways of giving it are mixed."""
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self.stiffness, self.damping = stiffness, damping

    @property
    def _has_spring(self) -> bool:
        """Return True if the joint has a spring or a damper."""
        return self.hertz > 0.0 or self.stiffness > 0.0 or self.damping > 0.0

    def _order_error(self) -> str | None:
        return mixed_springs(self, {"hertz": self.hertz}, {"stiffness": self.stiffness, "damping": self.damping})
