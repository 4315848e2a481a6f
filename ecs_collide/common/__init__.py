"""Common ground of all stages: settings, tolerances, counts, and blocks in which Ctrl-C waits."""
