"""Properties that any physics engine must have, tested from outside."""
