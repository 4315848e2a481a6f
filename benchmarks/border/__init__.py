"""Tasks of a game besides the step of a large world: creating, deleting, reading, writing, hooks, small worlds."""
