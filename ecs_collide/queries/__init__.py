"""Queries to a world between its steps: rays, points, boxes, shapes, nearest entities."""
