"""Kernels: how they run, what they take (arrays, bundles, vectors), and chains of calls."""
