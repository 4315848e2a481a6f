"""Joints: who is joined, how the joined hang together, and how that is solved."""
