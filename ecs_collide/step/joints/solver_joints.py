"""All that joins bodies, as the solver takes it."""

from __future__ import annotations

from ecs_collide.data.joints import JointColumns, Joints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.step.joints.limit_rows import Extras, extras_for
from ecs_collide.step.joints.trees.tree_rows import Trees, empty_trees


class Linkage(Bundle):
    """The joints of a world, and what solves them."""

    joints: Joints
    trees: Trees
    """The joints whose bodies are awake."""
    extras: Extras
    """Room for what they ask for beyond their trees."""


NO_JOINTS = Linkage(joints=JointColumns(1).arrays, trees=empty_trees(0), extras=extras_for(0, 0))
"""The joints of a world that has none."""
