"""Continuous collision: what is fast stops where it would first touch, instead of passing through."""
