"""Results of a step for a game: contacts and pairs as arrays, and events."""
