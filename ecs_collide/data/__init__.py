"""The world's state as numpy columns: one table for bodies, pieces, pairs and contacts each."""
