"""Wheels for other systems, made on this one: `python -m build_kernels.cross`.

numba translates each kernel to bitcode once, on this machine. LLVM makes machine code of it for every system, and zig
links that with the C files. Nothing runs on the target. `docs/building.md` describes the steps.
"""
