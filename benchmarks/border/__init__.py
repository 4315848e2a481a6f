"""What a game waits for besides the step: coming and going, creating, reading, writing, and steps of small worlds."""
