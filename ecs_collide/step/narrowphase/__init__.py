"""Contact manifolds of the candidate pairs, one batch kernel for each row of the pair table."""
