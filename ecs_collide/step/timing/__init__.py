"""Timing: steps of a frame, poses between two steps, and values that a game gives for a frame."""
