"""Characters that a game moves itself: they stop at obstacles, slide along them, and stand on floors."""
