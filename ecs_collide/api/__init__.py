"""The calls of a game: `install`, `spawn` and `PhysicsWorld`."""
