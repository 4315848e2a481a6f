"""What a game is told: contacts and pairs as arrays, and the events of a step."""
