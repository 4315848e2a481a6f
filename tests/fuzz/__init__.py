"""A fuzzer: random operations on small worlds beside a plain model; `python -m tests.fuzz --seconds 60 --seed 1`.

A case is a list of operations, each a tuple of its name and plain arguments, so that it can be printed, shrunk and
done again. Entities are named by labels, which stay the same when operations before them are left out; an operation
on a label that is not there does nothing.
"""
