"""The same scenes in this engine and in pymunk."""
