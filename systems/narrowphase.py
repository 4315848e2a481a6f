"""The third system: the contacts of the candidate pairs."""

from ecs_collide.step.plan import NARROWPHASE
from ecs_collide.systems.system import StepSystem


class Narrowphase(StepSystem):
    """Finds where and how the pairs touch."""

    number = NARROWPHASE
