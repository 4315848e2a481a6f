"""Geometric primitives that the documented algorithms and the engine share."""
