"""Synchronisation: changes of entities since the last step are checked as a whole, then written to the columns."""
