"""The kinds of joints: their numbers, and lists of the kinds that have something in common.

The engine reads these lists. What differs in formulas is selected in `step/joints/kinds/table.py`.
"""

REVOLUTE, WELD, DISTANCE, PRISMATIC, WHEEL, TARGET, FRICTION, GEAR, RATCHET, PULLEY, MOTOR = range(11)

WITH_TREE_ROWS = REVOLUTE, WELD, DISTANCE, PRISMATIC, WHEEL
"""Kinds with rows of joint trees. The others hold their bodies by bounded rows alone."""

WITH_TREE_MOTOR = REVOLUTE, PRISMATIC
"""Kinds whose motor may be a row of its joint tree."""

WITH_LIMITS = REVOLUTE, DISTANCE, PRISMATIC, WHEEL
"""Kinds with a lower and an upper limit that the game sets."""

WITH_TARGET = TARGET, MOTOR
"""Kinds whose target is the anchor of A, or of the world, instead of `anchor_a`."""

WITHOUT_ANCHORS = FRICTION, GEAR, RATCHET
"""Kinds that hold no anchors."""

MEETING = REVOLUTE, WELD, TARGET, MOTOR
"""Kinds that hold both anchors at one place: their gap is the distance of the anchors."""

SLIDING = PRISMATIC, WHEEL
"""Kinds whose anchors move along an axis."""

ON_ARCS = REVOLUTE, WELD, DISTANCE
"""Kinds whose rigid rows lead the anchors on arcs: they have a chord correction, and swing their bodies."""

AT_A_POINT = TARGET, FRICTION
"""Kinds that act at one point by two bounded rows, if they have a greatest force."""

ANGULAR = REVOLUTE, WELD
"""Kinds whose third row, with its spring, is one of the angle."""

WITH_REST_LENGTH = DISTANCE, PULLEY
"""Kinds whose rest is a length, not an angle."""

WITH_ANGLE_LIMITS = REVOLUTE, RATCHET
"""Kinds whose limits are angles, which their angle gap exceeds. They move with the reference angle."""

WITH_REPORTED_ANGLE = WELD, MOTOR, GEAR
"""Kinds that hold the angle which they report: it is their angle gap."""

WITH_BOUNDED_REST = GEAR, PULLEY, MOTOR
"""Kinds that keep their rest by a bounded row."""
