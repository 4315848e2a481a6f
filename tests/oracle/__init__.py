"""Equal scenes in this engine and in pymunk."""
