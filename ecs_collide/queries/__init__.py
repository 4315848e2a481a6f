"""What a game may ask of a world between its steps: rays, points, boxes, shapes, what is nearest."""
