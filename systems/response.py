"""The fourth system: the effect of the contacts."""

from ecs_collide.step.plan import RESPONSE
from ecs_collide.systems.system import StepSystem


class Response(StepSystem):
    """Computes new velocities and poses."""

    number = RESPONSE
