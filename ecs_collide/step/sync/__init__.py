"""Which entities take part: what changed since the last step, checked as a whole and then brought into the columns."""
