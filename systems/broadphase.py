"""The second system: the candidate pairs."""

from ecs_collide.step.plan import BROADPHASE
from ecs_collide.systems.system import StepSystem


class Broadphase(StepSystem):
    """Finds the pairs of pieces whose boxes overlap."""

    number = BROADPHASE
