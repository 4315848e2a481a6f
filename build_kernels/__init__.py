"""The build of the kernels: `python -m build_kernels`."""
