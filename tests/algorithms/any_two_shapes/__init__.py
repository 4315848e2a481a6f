"""Tests of the algorithms on any two shapes."""
