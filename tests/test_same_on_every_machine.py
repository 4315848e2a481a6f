"""The state of a world depends only on operations that every machine rounds alike: + - * / and square roots.

Sines, arc tangents and powers come from the C library or numpy, and sums of products from a library for matrices. Their
last digits differ between platforms. Our own are in `geometry/angles.py` and `geometry/rotation.py`.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ecs_collide

TOP = Path(ecs_collide.__file__).parent
OUTSIDE = {"demos", "draw", "recording", "testing"}
"""Rooms whose numbers never reach the state of a world."""
FILES = [
    *TOP.glob("*.py"),
    *(path for room in TOP.iterdir() if room.name not in OUTSIDE for path in room.rglob("*.py")),
]

OF_THE_PLATFORM = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh", "sinc", "hypot", "dist"),
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "pow", "power", "float_power", "cbrt"),
    *("gamma", "lgamma", "erf", "erfc", "fft"),
    *("dot", "vdot", "inner", "matmul", "einsum", "tensordot", "linalg"),
}

LEFT = {
    "math.dist": "Python computes it by itself, to the last digit: of products in two parts, and a square root",
    "math.hypot": "the same",
}
"""Other operations that are used, and why they may be."""


def suspicious(tree: ast.Module) -> set[str]:
    """The operations of a file that machines may round differently."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy", "cmath"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names if alias.name in OF_THE_PLATFORM}
        elif isinstance(node, ast.Attribute) and node.attr in OF_THE_PLATFORM and isinstance(node.value, ast.Name):
            if node.value.id in ("math", "np", "cmath"):
                found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            found.add("@")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not is_exact_power(node):
            found.add("**")
    return found


def is_exact_power(node: ast.BinOp) -> bool:
    """Return True for a power of 2 or a square, which numba and numpy compute by multiplying."""
    powers_of_two = isinstance(node.left, ast.Constant) and node.left.value in (2, 2.0)
    return powers_of_two or (isinstance(node.right, ast.Constant) and node.right.value == 2)


def test_no_operation_depends_on_the_platform() -> None:
    wrong = {
        f"{path.relative_to(TOP)}: {name}"
        for path in FILES
        for name in suspicious(ast.parse(path.read_text("utf-8"))) - LEFT.keys()
    }
    assert not wrong


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from math import sin, sqrt", {"math.sin"}),
        ("x = np.hypot(a, b) + np.sqrt(c)", {"np.hypot"}),
        ("x = a @ b", {"@"}),
        ("x = a**3", {"**"}),
        ("x = a**2 + 2.0**b", set()),
        ("x = math.hypot(a, b)", {"math.hypot"}),
    ],
)
def test_it_would_be_seen(line: str, found: set[str]) -> None:
    assert suspicious(ast.parse(line)) == found
