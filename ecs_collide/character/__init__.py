"""Characters that a game moves itself: they stop at what is solid, slide along it, and stand on it."""
