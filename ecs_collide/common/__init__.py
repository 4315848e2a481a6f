"""What every stage may use: settings, tolerances, counts, and blocks in which Ctrl-C waits."""
