"""The comparison of ecs_collide with other engines: the same scenes, in turns, in one process, as whole frames.

Run it with ``python -m benchmarks``; ``benchmarks/README.md`` says what is measured and how to read the table.
"""
