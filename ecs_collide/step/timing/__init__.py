"""How frames become steps, and where things are between two steps."""
