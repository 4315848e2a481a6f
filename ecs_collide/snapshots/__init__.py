"""Snapshots of a world, and their form as bytes."""
