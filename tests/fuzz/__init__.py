"""A fuzzer: random operations on small worlds beside a plain model; `python -m tests.fuzz --seconds 60 --seed 1`.

A case is a list of operations, each a tuple of its name and plain arguments, so that it can be printed, shrunk and
played again. Labels name the entities, and stay the same when earlier operations are left out. An operation on a label
that does not exist does nothing.
"""
