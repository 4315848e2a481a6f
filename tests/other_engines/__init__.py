"""Facts that the test suites of other engines state, replayed here: a wall against regressions.

Each test names the suite and the test from which its figures come. A fact that differs here by design is not listed.
"""
