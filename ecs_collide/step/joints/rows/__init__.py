"""Rows of eight joints: motions of their bodies, constraint rows, and rows with bounds."""
