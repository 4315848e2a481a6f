"""Tests of snapshots, many of them with random scenes."""
