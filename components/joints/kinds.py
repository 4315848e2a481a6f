"""The kinds of joints by number: rows of the engine's table of kinds."""

REVOLUTE, WELD, DISTANCE, PRISMATIC, WHEEL, TARGET, FRICTION, GEAR, RATCHET, PULLEY, MOTOR = range(11)

WITH_TARGET = TARGET, MOTOR
"""Kinds whose target is the anchor of A, or of the world, instead of `anchor_a`."""
