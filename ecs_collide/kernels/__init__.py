"""What knows numba: kernels and where they are stored, bundles of arrays, vectors, loops over arrays."""
