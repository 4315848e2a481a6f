"""The kinds of joints by number: rows of the engine's table of kinds."""

REVOLUTE, WELD, DISTANCE, PRISMATIC, WHEEL, TARGET, FRICTION, GEAR, RATCHET, PULLEY, MOTOR = range(11)
