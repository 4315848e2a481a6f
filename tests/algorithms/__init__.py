"""Tests of the algorithms on single shapes."""
